"""Lists of rich text, which are flat siblings with an indent, put back into one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from planconv.model import Block, Blocks, Item, List, make_blocks

MAX_INDENT = 8
"""The deepest indent of a rich text list; the outermost is 0."""


@dataclass(slots=True)
class GrowingList:
    """A list of which not all items are known yet."""

    ordered: bool
    start: int
    items: list[list[Part]] = field(default_factory=list)

    def goes_on_with(self, ordered: bool, start: int) -> bool:
        """Whether a list like this one, on the same indent, is the rest of it."""
        return self.ordered == ordered and (not ordered or start == self.start + len(self.items))


Part: TypeAlias = Block | GrowingList


class OpenLists:
    """The lists that may still grow, the outermost first; the place in the row is the indent."""

    def __init__(self) -> None:
        self._open: list[GrowingList] = []

    def close(self) -> None:
        """Something else than a list has come."""
        self._open = []

    def add(
        self, parts: list[Part], ordered: bool, indent: int, start: int, items: Sequence[Blocks]
    ) -> bool:
        """Put the items of a list where its indent says: below the last item of the list around it.

        ``parts`` is where an outermost list goes. Levels that are missing around the list get an item
        that holds nothing but the list; the result tells whether there were any.
        """
        del self._open[indent + 1 :]
        missing = len(self._open) < indent
        while len(self._open) < indent:
            self._start(parts, GrowingList(ordered, 1, [[]]))
        if len(self._open) == indent or not self._open[indent].goes_on_with(ordered, start):
            del self._open[indent:]
            self._start(parts, GrowingList(ordered, start))
        self._open[indent].items.extend(list(item) for item in items)
        return missing

    def _start(self, parts: list[Part], growing: GrowingList) -> None:
        around = self._open[-1].items[-1] if self._open else parts
        around.append(growing)
        self._open.append(growing)


def finished(parts: Sequence[Part]) -> Blocks:
    """The blocks, when all lists are known."""
    return make_blocks(_finished(part) if isinstance(part, GrowingList) else part for part in parts)


def _finished(growing: GrowingList) -> List:
    items = tuple(Item(finished(item)) for item in growing.items)
    return List(items, growing.ordered, growing.start)
