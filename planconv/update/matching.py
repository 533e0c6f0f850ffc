"""Which task of the file is which task of the source: by id, then by text, and never by place alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Sequence

from planconv.align import Sign, align, similar, telling_words
from planconv.model import Plan, Task
from planconv.update import wording

_NONE = "\0"
"""What no title is, for a task that must not be known by its title."""


def match(file: Sequence[Plan], source: Plan, taken: Container[int]) -> list[int | None]:
    """For every task of the source the number of the task of the file that it is, or ``None``.

    The tasks of all plans of the file are numbered in their order, and those ``taken`` are out of the
    question. If a plan of the file has the id of the source, only its tasks are asked.

    An id in a text (``T012``, ``1.2``) or of the task decides; but numbers do not count between plans that
    have no similar text under the same number. Equal titles come next, whatever their styles, numbers and
    signs; then titles of which one only leaves words out, if there is no second way to pair them. A bare
    number comes last, and only beside a similar text: every list has a first and a second task.
    """
    numbers = [number for number in _asked(file, source) if number not in taken]
    every = [task for plan in file for task in plan.tasks()]
    olds, news = [every[number] for number in numbers], list(source.tasks())
    old_keys, new_keys = list(map(_key, olds)), list(map(_key, news))
    same = _by_ids(olds, news, old_keys, new_keys)
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
    _pair_counted(pairs, olds, news)
    return [None if pair is None else numbers[pair] for pair in pairs]


def _apart(side: str, number: str | None) -> str | None:
    """A number that is not believed: it tells tasks apart, and makes none the same."""
    return number and f"{side} {number}"


def _asked(file: Sequence[Plan], source: Plan) -> list[int]:
    """The numbers of the tasks that come into question."""
    homes = [number for number, plan in enumerate(file) for _ in plan.tasks()]
    wanted = {number for number, plan in enumerate(file) if plan.id is not None and plan.id == source.id}
    return [task for task, home in enumerate(homes) if not wanted or home in wanted]


def _key(task: Task) -> str:
    return wording.key(task.title)


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
    if len(numbered) > 1 and not any(_similar(old_keys[old], new_keys[new]) for new, old in numbered):
        for new, _ in numbered:
            del found[new]  # two plans that count alike
    often = Counter(found.values())
    return {new: old for new, old in found.items() if often[old] == 1}


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
