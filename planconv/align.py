"""Which task is which: pairs the tasks of two versions of a plan, by id, then by text, then by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

SIMILAR = 0.5
"""How many words of two titles must be the same for a changed text to be the same task (0 to 1)."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What a task is known by: its id, if it has one, and its title, or something for each word of it."""

    id: str | None
    title: str


def align(before: Sequence[Sign], after: Sequence[Sign]) -> list[int | None]:
    """For every task of ``after`` the index of the task of ``before`` that it is, or ``None``.

    Ids decide where both versions have them once; then equal titles, in order first, so that of equal
    tasks the first stays the first; then equal titles anywhere, for tasks that were moved; what is left
    between two pairs is paired, in order, by how many words of the titles are the same, and if there
    are as many left as there were, without a look at them. No task is paired twice.
    """
    pairing = _Pairing(before, after)
    pairing.by_id()
    pairing.by_title_in_order()
    pairing.by_title_anywhere()
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

    def _similar(self, old: int, new: int) -> bool:
        words = self.before[old].title.split(), self.after[new].title.split()
        return SequenceMatcher(None, *words, autojunk=False).ratio() >= SIMILAR

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
