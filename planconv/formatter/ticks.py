"""The rules that change what a file says, and are off unless asked for: parents' boxes and counts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planconv.formatter.rules import PARENT_BOX, SUMMARY, Rule
from planconv.markdown.outline import Item, Leaf, ListPart, Outline, Part, Quote, lists_of

_COUNT = re.compile(r"\((\d+)/(\d+)\)(?=[ \t#]*$)")
_BOX = re.compile(r"(?<=\[)[ xX](?=\])")


@dataclass(frozen=True, slots=True)
class _Tally:
    """How many tasks there are, and how many of them are done."""

    done: int
    all: int


def keep_true(outline: Outline, rules: frozenset[Rule]) -> list[str]:
    """The lines with the boxes of parents and the counts that their tasks ask for."""
    lines = list(outline.lines)
    ticked: dict[int, str] = {}
    if PARENT_BOX in rules:
        for part in lists_of(outline.blocks):
            for item in part.items:
                _tick(item, lines, ticked)
    if SUMMARY in rules:
        _count_items(outline.blocks, lines, ticked)
        _count_sections(outline.blocks, lines, ticked)
    return lines


def _children(blocks: Sequence[Part]) -> Iterator[Item]:
    """The tasks in these blocks that stand in no other task; plain items between are looked through."""
    for block in blocks:
        if isinstance(block, Quote):
            yield from _children(block.blocks)
        elif isinstance(block, ListPart):
            for item in block.items:
                if item.box:
                    yield item
                else:
                    yield from _children(item.blocks)


def _descendants(blocks: Sequence[Part]) -> Iterator[Item]:
    return (item for part in lists_of(blocks) for item in part.items if item.box)


def _mark(item: Item, ticked: dict[int, str]) -> str:
    return ticked.get(id(item), item.box.mark if item.box else "")


def _tick(item: Item, lines: list[str], ticked: dict[int, str]) -> None:
    """Give a task the box that its subtasks ask for, after they have got theirs."""
    if item.box is None or id(item) in ticked:
        return
    ticked[id(item)] = item.box.mark
    children = list(_children(item.blocks))
    for child in children:
        _tick(child, lines, ticked)
    marks = {_mark(child, ticked) for child in children}
    if not marks or not marks <= {" ", "x"} or item.box.mark not in {" ", "x"}:
        return
    mark = "x" if marks == {"x"} else " "
    if mark != item.box.mark:
        ticked[id(item)] = mark
        lines[item.start] = _BOX.sub(mark, lines[item.start], count=1)


def _tally(blocks: Sequence[Part], total: int, ticked: dict[int, str]) -> _Tally:
    """What a count of so many tasks counts: those directly in the blocks, or all, if they are as many."""
    everyone = list(_descendants(blocks))
    counted = everyone if total == len(everyone) else list(_children(blocks))
    return _Tally(sum(_mark(item, ticked) == "x" for item in counted), len(counted))


def _recount(line: str, blocks: Sequence[Part], ticked: dict[int, str]) -> str:
    match = _COUNT.search(line)
    if match is None:
        return line
    tally = _tally(blocks, int(match[2]), ticked)
    if not tally.all:
        return line
    return f"{line[: match.start()]}({tally.done}/{tally.all}){line[match.end() :]}"


def _count_items(blocks: Sequence[Part], lines: list[str], ticked: dict[int, str]) -> None:
    for item in _descendants(blocks):
        first = item.blocks[0] if item.blocks else None
        if isinstance(first, Leaf) and first.kind == "paragraph_open":
            lines[first.end - 1] = _recount(lines[first.end - 1], item.blocks, ticked)


def _count_sections(blocks: Sequence[Part], lines: list[str], ticked: dict[int, str]) -> None:
    for n, block in enumerate(blocks):
        if isinstance(block, Leaf) and block.level:
            ends = (
                m
                for m in range(n + 1, len(blocks))
                if isinstance(other := blocks[m], Leaf) and 0 < other.level <= block.level
            )
            section = blocks[n + 1 : next(ends, len(blocks))]
            lines[block.start] = _recount(lines[block.start], section, ticked)
