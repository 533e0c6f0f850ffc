"""The proof that two documents show the same page and hold the same plan.

Both are compared as the parser's tokens, which is what pages and plans are made of, together with the
box of every list item. Two things that no viewer tells apart are taken for equal: the blanks that a line
of a paragraph begins with, and those between a box and its text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from planconv.markdown.outline import Outline

if TYPE_CHECKING:
    from planconv.markdown.parser import Token

_MARGIN = re.compile(r"\n[ \t]+")
_COUNT = re.compile(r"\(\d+/\d+\)")
_BEHIND_BOX = re.compile(r"(\[.\])[ \t]+")

_Sign: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first block that is not the same any more: its line in the old document, from 0."""

    line: int


def compare(old: Outline, new: Outline, *, ignore_state: bool = False) -> Difference | None:
    """The first difference between two documents; ``None`` if there is none.

    With ``ignore_state``, ``[ ]`` and ``[x]`` count as the same box, and counts such as ``(3/7)`` as the
    same count.
    """
    before, after = _signs(old, ignore_state=ignore_state), _signs(new, ignore_state=ignore_state)
    line = 0
    for token in old.tokens:
        line = token.map[0] if token.map else line
        if next(before) != next(after, None):
            return Difference(line)
    if next(after, None) is not None or _definitions(old) != _definitions(new):
        return Difference(line)
    return None


def _definitions(outline: Outline) -> list[tuple[str, str, str]]:
    return [(found.label, found.url, found.title) for found in outline.definitions.all()]


def _signs(outline: Outline, *, ignore_state: bool) -> Iterator[_Sign]:
    """What matters of each token."""
    boxes = iter(outline.boxes)
    opening, box = "", None
    for token in outline.tokens:
        if token.type == "list_item_open":
            box = next(boxes)
            mark = box.mark if box else ""
            yield token.type, "x" if ignore_state and mark == " " else mark
        elif token.type == "inline":
            content = _MARGIN.sub("\n", token.content) if opening != "th_open" else token.content
            if box is not None:
                mark = " " if ignore_state else box.mark
                content = _BEHIND_BOX.sub(r"\1 ", content, count=1)
                content = f"[{mark}]{content[3:]}" if box.mark in " x" else content
            yield token.type, _COUNT.sub("()", content) if ignore_state else content
            box = None
        else:
            yield _sign(token)
            box = box if token.type in _BEFORE_BOX else None
        opening = token.type


_BEFORE_BOX = {"paragraph_open", "heading_open", "table_open", "thead_open", "tr_open", "th_open"}


def _sign(token: Token) -> _Sign:
    markup = "" if token.type.startswith(("bullet_list", "list_item")) else token.markup
    content = token.content.removesuffix("\n")  # the last line may have got its line break
    if token.type == "html_block":
        content = content.lstrip(" \t")
    return token.type, token.tag, token.hidden, markup, token.info, content, tuple(token.attrs.items())
