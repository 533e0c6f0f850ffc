"""What cmark-gfm and the parser see differently: lists in which nothing may be moved.

GitHub shows what cmark-gfm makes of a file, so a list is left alone where the two do not agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set

from planconv.formatter.lines import TAB
from planconv.markdown.outline import DEFINITION, Item, Leaf, ListPart, Part, Quote

_ONLY_BOX = re.compile(r"\[.\][ \t]*$")
_ONLY_MARKER = re.compile(r"(?:[-*+]|\d[.)])[ \t]*$")
_TAB_BEFORE_FENCE = re.compile(r"[ \t>]*\t[ \t]*(?:```|~~~)")
_BEGINS = re.compile(
    r"""[ \t>]*(?:
        (?:[-*+]|\d+[.)]|\#{1,6})(?:[ \t]|$)  # lists, headings
        | > | ```|~~~ | \| | <[!?]
        | (?:=+|-+)[ \t]*$ | :?-+:?[ \t]*\|   # lines below headings and heads of tables
        | </?(?:blockquote|center|details|div|h[1-6]|li|ol|p|pre|section|summary|table|ul)\b
    )""",
    re.VERBOSE,
)
"""How a line of a paragraph begins that would begin a block if it stood elsewhere."""


def left_alone(blocks: Sequence[Part], lines: Sequence[str]) -> Iterator[int]:
    """The ids of the blocks of a document that are seen differently, and of those behind them."""
    end = len(lines)
    while end and not lines[end - 1].strip(" \t"):
        end -= 1
    if blocks and lines[-1] and end < len(lines) and _ends_verbatim(blocks[-1]):
        yield id(blocks[-1])  # to cmark-gfm a last line of blanks is part of the code
    runs_on = False
    for n, block in enumerate(blocks):
        odd = _is_odd(block, lines[:end]) or _is_glued(blocks[n : n + 2], lines)
        odd = odd or (n > 0 and _is_glued(blocks[n - 1 : n + 1], lines))
        if odd or runs_on:
            yield id(block)
        open_end = runs_on or _is_definition(block) or isinstance(block, Quote)
        runs_on = odd or (open_end and not _blank_below(block, lines))


def with_next(blocks: Sequence[Part], ids: Set[int]) -> Iterator[int]:
    """These blocks of a document, and what stands directly behind each."""
    for n, block in enumerate(blocks):
        if id(block) in ids or (n and id(blocks[n - 1]) in ids):
            yield id(block)


def _ends_verbatim(block: Part) -> bool:
    while not isinstance(block, Leaf):
        inner = block.items[-1].blocks if isinstance(block, ListPart) else block.blocks
        if not inner:
            return False
        block = inner[-1]
    return block.kind in {"fence", "html_block"}


def _is_definition(block: Part) -> bool:
    return isinstance(block, Leaf) and block.kind == DEFINITION


def _blank_below(block: Part, lines: Sequence[str]) -> bool:
    return block.end >= len(lines) or not lines[block.end].strip(" \t>")


def _is_odd(block: Part, lines: Sequence[str]) -> bool:
    """Whether anything in a list is seen differently, however deep."""
    waiting: list[Part] = [] if isinstance(block, Leaf) else [block]
    while waiting:
        block = waiting.pop()
        if isinstance(block, Leaf):
            if block.kind == "fence" and _TAB_BEFORE_FENCE.match(lines[block.start]):
                return True  # cmark-gfm counts the tab as one column of the code
            if block.kind == "paragraph_open" and any(
                map(_BEGINS.match, lines[block.start + 1 : block.end])
            ):
                return True
            continue
        if isinstance(block, Quote) and _strays(lines[block.start : block.end]):
            return True
        holders = block.items if isinstance(block, ListPart) else [block]
        for holder in holders:
            if isinstance(holder, Item) and _is_empty(holder, lines):
                return True
            # A definition is a paragraph to cmark-gfm until it ends, and not every list may follow on that.
            if any(_is_glued(holder.blocks[n : n + 2], lines) for n in range(len(holder.blocks))):
                return True
            if any(_is_definition(b) and not _blank_below(b, lines) for b in holder.blocks):
                return True
            waiting += holder.blocks
    return False


def _strays(lines: Sequence[str]) -> bool:
    """Whether a line of a quote is indented further than the first, so that it may be none."""
    columns = [line.expandtabs(TAB).find(">") for line in lines]
    return max(columns) > columns[0]


def _is_glued(pair: Sequence[Part], lines: Sequence[str]) -> bool:
    """Whether code or a table follows a list without a blank line, and may be text of its last item."""
    match pair:
        case [ListPart() | Quote() as block, Leaf(kind="code_block" | "table_open")]:
            return not _blank_below(block, lines)
    return False


def _is_empty(item: Item, lines: Sequence[str]) -> bool:
    """Whether an item has no text on its first line, and what follows may then be no part of it."""
    first = lines[item.start]
    if item.box and _ONLY_BOX.search(first):
        return max((block.end for block in item.blocks), default=0) > item.start + 1
    below = lines[item.start + 1 : item.start + 3]
    bare = all(_is_definition(block) for block in item.blocks) and _ONLY_MARKER.search(first)
    return bool(bare and below and (below[0].isspace() or not "".join(below).strip(" \t")))
