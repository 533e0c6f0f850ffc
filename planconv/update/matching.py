"""Which task of the file is which task of the source: by id, then by text, and never by place alone."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Container, Hashable, Iterable, Mapping, Sequence

from planconv.align import Sign, align, similar, telling_words
from planconv.model import Plan, Task
from planconv.update import wording
from planconv.update.groups import Group, groups

_NONE = "\0"
"""What no title is, for a task that must not be known by its title."""


def match(file: Sequence[Plan], source: Plan, taken: Container[int], sources: int = 1) -> list[int | None]:
    """For every task of the source the number of the task of the file that it is, or ``None``.

    The tasks of all plans of the file are numbered in their order, and those ``taken`` are out of the
    question. If a plan of the file has the id of the source, only its tasks are asked, or else those of the
    first plan that says just what the source says; but not if more plans do so than there are ``sources``.

    An id in a text (``T012``, ``1.2``) or of the task decides; but numbers do not count between plans that
    have no similar text under the same number, nor where the text stands under another one. Titles that are
    the same to the letter come next, then equal ones below the same heading and task, then equal ones
    whatever their styles, numbers and signs; then titles of which one only leaves out the end of the
    other, if there is no second way to pair them. Of equal titles none is taken if nothing says which one
    is meant. A bare number comes last, and only beside a similar text: every list has a first and a second
    task.
    """
    numbers = _asked(file, source, taken, sources)
    every = [task for plan in file for task in plan.tasks()]
    homes = [group for plan in file for group in groups(plan)]
    olds, news = [every[number] for number in numbers], list(source.tasks())
    old_groups, new_groups = [homes[number] for number in numbers], groups(source)
    old_keys, new_keys = list(map(_key, olds)), list(map(_key, news))
    same = _by_ids(olds, news, old_keys, new_keys)
    for new, old in list(same.items()):
        if old_keys[old] != new_keys[new] and _elsewhere(olds[old], old_groups[old], new_groups[new]):
            del same[new]
    _add_unique(same, list(map(_whole, olds)), list(map(_whole, news)))
    _add_unique(
        same,
        list(zip(old_groups, map(_labels, olds), old_keys, strict=True)),
        list(zip(new_groups, map(_labels, news), new_keys, strict=True)),
    )
    often = Counter(old_keys)
    numbered = {_number(task) for task in olds}
    before = [
        Sign(_apart("file", _number(task)), title) for task, title in zip(olds, old_keys, strict=True)
    ]
    after: list[Sign] = []
    for new, (task, title) in enumerate(zip(news, new_keys, strict=True)):
        if new in same:
            token = f"\0{same[new]}"
            before[same[new]] = Sign(token, old_keys[same[new]])
            after.append(Sign(token, title))
            continue
        id = _number(task)
        # Of several equal texts it is none, if it has a number that none of them has.
        after.append(
            Sign(_apart("source", id), _NONE if id and id not in numbered and often[title] > 1 else title)
        )
    pairs = align(before, after, strictly=True)
    doubts = _Doubts(olds, news, old_groups, new_groups, same, pairs)
    pairs = [None if doubts.about(new) else old for new, old in enumerate(pairs)]
    _pair_counted(pairs, olds, news)
    return [None if pair is None else numbers[pair] for pair in pairs]


class _Doubts:
    """Which pairs of titles are a guess: each could as well be another one."""

    def __init__(
        self,
        olds: Sequence[Task],
        news: Sequence[Task],
        old_groups: Sequence[Group],
        new_groups: Sequence[Group],
        same: Mapping[int, int],
        pairs: Sequence[int | None],
    ) -> None:
        self._olds, self._news = olds, news
        self._old_groups, self._new_groups = old_groups, new_groups
        self._same, self._pairs = same, pairs
        self._all = Counter(map(_key, olds))
        settled = set(same.values())
        self._left = Counter(_key(task) for old, task in enumerate(olds) if old not in settled)
        self._statuses: dict[str, list[str]] = {}
        for new, task in enumerate(news):
            if new not in same:
                self._statuses.setdefault(_key(task), []).append(task.status)

    def about(self, new: int) -> bool:
        """Whether a task of the source may be another one than it was paired with."""
        old = self._pairs[new]
        if old is None or new in self._same:
            return False
        labels = _labels(self._olds[old]), _labels(self._news[new])
        if all(labels) and labels[0] != labels[1]:
            return True
        title = _key(self._olds[old])
        statuses = self._statuses.get(title, [])
        if title != _key(self._news[new]) or max(self._all[title], len(statuses)) == 1:
            return False
        above = self._old_groups[old], self._new_groups[new]
        if all(above) and above[0] != above[1]:
            return True
        if self._left[title] > len(statuses):
            return not self._stands_beside(new, old)
        return self._left[title] < len(statuses) and len(set(statuses)) > 1

    def _stands_beside(self, new: int, old: int) -> bool:
        """Whether the task before or behind is one that no other can be taken for."""
        return any(
            0 <= old + step < len(self._olds)
            and 0 <= new + step < len(self._news)
            and self._pairs[new + step] == old + step
            and self._all[_key(self._olds[old + step])] == 1
            for step in (-1, 1)
        )


def _elsewhere(task: Task, old: Group, new: Group) -> bool:
    """Whether a task has a number of its place, and the same number stands below something else."""
    id = wording.id_in(task.title) or task.id
    if not (id and wording.is_numbered(id) and old and new):
        return False
    return not _similar(_numberless(old[-1]), _numberless(new[-1]))


def _numberless(title: str) -> str:
    return " ".join(word for word in title.split() if not any(map(str.isdigit, word)))


def _apart(side: str, number: str | None) -> str | None:
    """A number that is not believed: it tells tasks apart, and makes none the same."""
    return number and f"{side} {number}"


def _asked(file: Sequence[Plan], source: Plan, taken: Container[int], sources: int) -> list[int]:
    """The numbers of the tasks that come into question."""
    every = itertools.count()
    numbers = [[next(every) for _ in plan.tasks()] for plan in file]
    free = [[number for number in plan if number not in taken] for plan in numbers]
    named = [
        left
        for left, plan in zip(free, file, strict=True)
        if source.id is not None and plan.id == source.id
    ]
    if named:
        return [number for left in named for number in left]
    told = _words(source)
    same = [_words(plan) == told for plan in file]
    if 0 < sum(same) <= sources:
        for left, whole, alike in zip(free, numbers, same, strict=True):
            if alike and left == whole:
                return left
    return [number for left in free for number in left]


def _words(plan: Plan) -> list[str]:
    return [wording.key(plan.title), *map(_key, plan.tasks())]


def _key(task: Task) -> str:
    return wording.key(task.title)


def _whole(task: Task) -> str:
    return wording.whole(task.title)


def _labels(task: Task) -> frozenset[str]:
    return wording.labels(task.title)


def _number(task: Task) -> str | None:
    """What a task is numbered with, if that is more than a count."""
    id = wording.id_in(task.title) or task.id
    return id if id and wording.is_numbered(id) and not wording.is_counted(id) else None


def _by_ids(
    olds: Sequence[Task], news: Sequence[Task], old_keys: Sequence[str], new_keys: Sequence[str]
) -> dict[int, int]:
    """Which task of ``olds`` each task of ``news`` is by its id, where that can be believed."""
    own, shown = _index(task.id for task in olds), _index(wording.id_in(task.title) for task in olds)
    found: dict[int, int] = {}
    numbered: list[tuple[int, int]] = []
    for new, task in enumerate(news):
        shown_id = wording.id_in(task.title)
        for id, places in ((task.id, own), (shown_id, shown), (shown_id, own), (task.id, shown)):
            old = places.get(id) if id else None
            if id is None or old is None or wording.is_counted(id):
                continue
            found[new] = old
            if wording.is_numbered(id):
                numbered.append((new, old))
            break
    alike = any(_similar(old_keys[old], new_keys[new]) for new, old in numbered)
    titles = set(old_keys)
    for new, old in numbered:
        # Two plans that count alike, or one that has been numbered anew.
        if not alike or (new_keys[new] != old_keys[old] and new_keys[new] in titles):
            del found[new]
    often = Counter(found.values())
    return {new: old for new, old in found.items() if often[old] == 1}


def _add_unique(found: dict[int, int], olds: Sequence[Hashable], news: Sequence[Hashable]) -> None:
    """Add the tasks that are not found yet and have the same sign, which no other task has."""
    settled = set(found.values())
    places = {sign: old for old, sign in enumerate(olds) if old not in settled}
    often_old, often_new = Counter(olds), Counter(news)
    for new, sign in enumerate(news):
        if new not in found and sign in places and often_old[sign] == often_new[sign] == 1:
            found[new] = places[sign]


def _pair_counted(pairs: list[int | None], olds: Sequence[Task], news: Sequence[Task]) -> None:
    """Pair what has the same bare number, and nothing better, if the texts are similar."""
    places, often = _index(task.id for task in olds), Counter(task.id for task in news)
    for new, task in enumerate(news):
        if pairs[new] is not None or not task.id or often[task.id] > 1 or not wording.is_counted(task.id):
            continue
        old = places.get(task.id)
        if old is not None and old not in pairs and _similar(_key(olds[old]), _key(task)):
            pairs[new] = old


def _similar(first: str, second: str) -> bool:
    return similar(telling_words(first), telling_words(second))


def _index(ids: Iterable[str | None]) -> dict[str, int]:
    """The number of each task that has an id to itself."""
    listed = list(ids)
    often = Counter(listed)
    return {id: number for number, id in enumerate(listed) if id and often[id] == 1}
