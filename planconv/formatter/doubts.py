"""What cmark-gfm and the parser see differently: lists in which nothing may be moved.

GitHub shows what cmark-gfm makes of a file, so a list is left alone where the two do not agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from planconv.formatter.outline import DEFINITION, Item, Leaf, ListPart, Part

_ONLY_BOX = re.compile(r"\[.\][ \t]*$")
_ONLY_MARKER = re.compile(r"(?:[-*+]|\d[.)])[ \t]*$")
_TAB_BEFORE_FENCE = re.compile(r"[ \t>]*\t[ \t]*(?:```|~~~)")


def left_alone(blocks: Sequence[Part], lines: Sequence[str]) -> Iterator[int]:
    """The ids of the blocks of a document that are seen differently, and of those behind them."""
    runs_on = False
    for block in blocks:
        odd = _is_odd(block, lines)
        if odd or runs_on:
            yield id(block)
        runs_on = odd or ((runs_on or _is_definition(block)) and not _blank_below(block, lines))


def _is_definition(block: Part) -> bool:
    return isinstance(block, Leaf) and block.kind == DEFINITION


def _blank_below(block: Part, lines: Sequence[str]) -> bool:
    return block.end >= len(lines) or not lines[block.end].strip(" \t>")


def _is_odd(block: Part, lines: Sequence[str]) -> bool:
    """Whether anything in a list is seen differently, however deep."""
    waiting = [block]
    while waiting:
        block = waiting.pop()
        if isinstance(block, Leaf):
            if block.kind == "fence" and _TAB_BEFORE_FENCE.match(lines[block.start]):
                return True  # cmark-gfm counts the tab as one column of the code
            continue
        holders = block.items if isinstance(block, ListPart) else [block]
        for holder in holders:
            if isinstance(holder, Item) and _is_empty(holder, lines):
                return True
            # A definition is a paragraph to cmark-gfm until it ends, and not every list may follow on that.
            if any(_is_definition(b) and not _blank_below(b, lines) for b in holder.blocks[:-1]):
                return True
            waiting += holder.blocks
    return False


def _is_empty(item: Item, lines: Sequence[str]) -> bool:
    """Whether an item has no text on its first line, and what follows may then be no part of it."""
    first = lines[item.start]
    if item.box and _ONLY_BOX.search(first):
        return max((block.end for block in item.blocks), default=0) > item.start + 1
    below = lines[item.start + 1 : item.start + 2]
    bare = all(_is_definition(block) for block in item.blocks) and _ONLY_MARKER.search(first)
    return bool(bare and below and below[0].isspace())
