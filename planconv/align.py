"""Which task is which: pairs the tasks of two versions of a plan, by id, then by text, then by place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

SIMILAR = 0.5
"""How many words of two titles must be the same for a changed text to be the same task (0 to 1)."""

MOST = 0.6
"""How many words of the longer of two titles the shorter one must have, if that is all that tells."""

_SMALL = frozenset(
    ("a", "an", "and", "at", "for", "in", "my", "of", "on", "our", "that", "the", "this", "to", "with")
)
"""Words that people leave out and exchange when they say the same thing again."""

_JOINING = frozenset(
    ("as", "at", "by", "for", "from", "in", "into", "of", "on", "to", "under", "using", "via", "with")
)
"""Words behind which a title only says where, how or with what."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What a task is known by: its id, if it has one, and its title, or something for each word of it."""

    id: str | None
    title: str


def align(before: Sequence[Sign], after: Sequence[Sign], *, strictly: bool = False) -> list[int | None]:
    """For every task of ``after`` the index of the task of ``before`` that it is, or ``None``.

    Ids decide where both versions have them once; then equal titles, in order first, so that of equal
    tasks the first stays the first; then equal titles anywhere, for tasks that were moved; what is left
    between two pairs is paired, in order, by how many words of the titles are the same, and if there
    are as many left as there were, without a look at them. No task is paired twice.

    ``strictly`` is for plans of which nobody knows that they are versions of one: a place tells nothing
    then. What is left is paired only if one title is the other without its end, where that only says
    where or with what, and if no other task comes into question for either of them; two ids that differ
    are two tasks.
    """
    pairing = _Pairing(before, after)
    pairing.by_id()
    pairing.by_title_in_order()
    pairing.by_title_anywhere()
    if strictly:
        pairing.by_shorter_title()
    else:
        pairing.by_place()
    return pairing.pairs


class _Pairing:
    """The pairs found so far; each step adds to them and changes none."""

    def __init__(self, before: Sequence[Sign], after: Sequence[Sign]) -> None:
        self.before = before
        self.after = after
        self.pairs: list[int | None] = [None] * len(after)
        self.taken = [False] * len(before)

    def pair(self, new: int, old: int) -> None:
        if self.pairs[new] is None and not self.taken[old]:
            self.pairs[new] = old
            self.taken[old] = True

    def by_id(self) -> None:
        old_ids, new_ids = _places([sign.id for sign in self.before]), _places([s.id for s in self.after])
        for name, places in new_ids.items():
            if name is not None and len(places) == 1 and len(old_ids.get(name, ())) == 1:
                self.pair(places[0], old_ids[name][0])

    def by_title_in_order(self) -> None:
        old, new = [sign.title for sign in self.before], [sign.title for sign in self.after]
        start = _common(old, new)
        end = _common(old[start:][::-1], new[start:][::-1])
        for index in range(start):
            self.pair(index, index)
        for index in range(1, end + 1):
            self.pair(len(new) - index, len(old) - index)
        middle = SequenceMatcher(
            None, old[start : len(old) - end], new[start : len(new) - end], autojunk=False
        )
        for block in middle.get_matching_blocks():
            for step in range(start, start + block.size):
                self.pair(block.b + step, block.a + step)

    def by_title_anywhere(self) -> None:
        old_titles = _places([sign.title for sign in self.before])
        for new, sign in enumerate(self.after):
            for old in old_titles.get(sign.title, ()) if self.pairs[new] is None else ():
                self.pair(new, old)

    def by_place(self) -> None:
        for olds, news in self._gaps():
            alike = len(olds) == len(news)
            rest = iter(olds)
            for new in news:
                for old in rest:
                    if alike or self._similar(old, new):
                        self.pair(new, old)
                        break
                else:
                    break

    def by_shorter_title(self) -> None:
        olds = {n: sign.title.split() for n, sign in enumerate(self.before) if not self.taken[n]}
        news = {n: sign.title.split() for n, sign in enumerate(self.after) if self.pairs[n] is None}
        often = Counter(word for words in (*olds.values(), *news.values()) for word in words)
        found = set(_shortened(news, olds, often))
        found |= {(new, old) for old, new in _shortened(olds, news, often)}
        found = {(new, old) for new, old in found if not (self.before[old].id and self.after[new].id)}
        by_new, by_old = Counter(new for new, _ in found), Counter(old for _, old in found)
        for new, old in found:
            if by_new[new] == by_old[old] == 1:
                self.pair(new, old)

    def _similar(self, old: int, new: int) -> bool:
        return similar(self.before[old].title.split(), self.after[new].title.split())

    def _gaps(self) -> list[tuple[list[int], list[int]]]:
        """Between two pairs that stand in the same order: what is still unpaired on either side."""
        gaps: list[tuple[list[int], list[int]]] = []
        old_from, new_from = 0, 0
        for new, old in [*self._anchors(), (len(self.after), len(self.before))]:
            olds = [index for index in range(old_from, old) if not self.taken[index]]
            news = [index for index in range(new_from, new) if self.pairs[index] is None]
            if olds and news:
                gaps.append((olds, news))
            old_from, new_from = old, new
        return gaps

    def _anchors(self) -> list[tuple[int, int]]:
        """The pairs that stand in the same order in both versions; a moved task is no anchor."""
        anchors: list[tuple[int, int]] = []
        last = -1
        later = self._least_to_come()
        for new, old in enumerate(self.pairs):
            if old is not None and last < old < later[new + 1]:
                anchors.append((new, old))
                last = old
        return anchors

    def _least_to_come(self) -> list[int]:
        """For each place the smallest old index that is paired at or after it."""
        least = [len(self.before)] * (len(self.pairs) + 1)
        for new in range(len(self.pairs) - 1, -1, -1):
            old = self.pairs[new]
            least[new] = least[new + 1] if old is None else min(old, least[new + 1])
        return least


def similar(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether enough words of two titles are the same for one to be the other after a change."""
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= SIMILAR


def telling_words(title: str) -> list[str]:
    """The words of a title without those that people leave out and exchange."""
    return _telling(title.split())


def _telling(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _SMALL]


def leaves_out(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Whether the first words are the second ones, in their order, without some of them."""
    rest = iter(longer)
    return all(word in rest for word in shorter)


def leaves_out_end(shorter: Sequence[str], longer: Sequence[str]) -> bool:
    """Whether these telling words are those of the second title up to where or with what something is done.

    Words before that end make another task of it: ``Review``, ``Do not``, ``docs`` behind a name.
    """
    left = iter(enumerate(longer, 1))
    end = 0
    for word in shorter:
        end, other = next((pair for pair in left if pair[1] not in _SMALL), (0, ""))
        if other != word:
            return False
    rest = longer[end:]
    return not _telling(rest) or rest[0] in _JOINING or "/" in rest[0]


def _shortened(
    shorter: Mapping[int, Sequence[str]], longer: Mapping[int, Sequence[str]], often: Mapping[str, int]
) -> Iterator[tuple[int, int]]:
    """The pairs of titles of which the first is the second with its end left out.

    Only titles that have the rarest word of the shorter one are looked at.
    """
    holding: dict[str, list[int]] = {}
    for index, words in longer.items():
        for word in {*words} - _SMALL:
            holding.setdefault(word, []).append(index)
    for index, words in shorter.items():
        telling = _telling(words)
        if len(telling) < 2:
            continue  # a single word names too many things
        rarest = min(telling, key=lambda word: often[word])
        for other in holding.get(rarest, ()):
            enough = len(telling) >= MOST * len(_telling(longer[other]))
            if enough and leaves_out_end(telling, longer[other]):
                yield index, other


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many titles at the start are the same."""
    length = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        length += 1
    return length


def _places(values: Sequence[str | None]) -> dict[str | None, list[int]]:
    places: dict[str | None, list[int]] = {}
    for index, value in enumerate(values):
        places.setdefault(value, []).append(index)
    return places
