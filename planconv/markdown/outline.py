"""Where lists, items and what they hold stand in a document, line by line.

It is read from the block tokens of the Markdown parser. Recursion is as deep as lists and quotes are
nested, which the parser limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from planconv.markdown.boxes import Box, read_box
from planconv.markdown.parser import Definitions, block_tokens
from planconv.markdown.read import FRONT_MATTER

if TYPE_CHECKING:
    from planconv.markdown.parser import Token

_NOTHING = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)*")
"""A line without text, also of an item without any."""

DEFINITION = "definition"
"""The kind of a leaf that holds link definitions, for which the parser has no token."""


@dataclass(slots=True)
class Leaf:
    """A block that holds no blocks; ``kind`` is the type of its token. It ends before the line ``end``."""

    kind: str
    start: int
    end: int
    level: int = 0
    content: str = ""


@dataclass(slots=True)
class Quote:
    """A block quote."""

    start: int
    end: int
    blocks: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class Item:
    """A list item, with its box if it is a task."""

    start: int
    end: int
    blocks: list[Part] = field(default_factory=list)
    box: Box | None = None


@dataclass(slots=True)
class ListPart:
    """A list; ``marker`` is its bullet, or the character behind its numbers."""

    start: int
    end: int
    ordered: bool
    marker: str
    items: list[Item] = field(default_factory=list)

    @property
    def checklist(self) -> bool:
        """Whether it holds a task."""
        return any(item.box for item in self.items)


Part: TypeAlias = Leaf | Quote | ListPart


@dataclass(slots=True)
class Outline:
    """A document: its lines, the parser's tokens and definitions, its parts, and the box of each item."""

    lines: list[str]
    tokens: Sequence[Token]
    definitions: Definitions
    blocks: list[Part]
    boxes: list[Box | None]


def read_outline(lines: list[str], *, starred: bool = False) -> Outline:
    """The outline of a document; front matter counts as blank lines.

    ``starred``: a star behind a box makes an optional task, as in Kiro's files.

    Raises:
        DecodeError: lists and quotes are nested too deeply.
    """
    text = "\n".join(lines)
    if match := FRONT_MATTER.match(text):
        text = "\n" * match[0].count("\n") + text[match.end() :]
    tokens, definitions = block_tokens(text)
    # The parser reads NUL as U+FFFD; its lines and ours are the same ones.
    reader = _Reader(tokens, text.split("\n"), starred=starred)
    blocks = reader.blocks("", 0, len(lines))
    return Outline(lines, tokens, definitions, blocks, reader.boxes)


def lists_of(blocks: Sequence[Part]) -> Iterator[ListPart]:
    """All lists, each before those in its items."""
    for block in blocks:
        if isinstance(block, Quote):
            yield from lists_of(block.blocks)
        elif isinstance(block, ListPart):
            yield block
            for item in block.items:
                yield from lists_of(item.blocks)


class _Reader:
    def __init__(self, tokens: Sequence[Token], lines: Sequence[str], *, starred: bool) -> None:
        self._starred = starred
        self._tokens = tokens
        self._lines = lines
        self._at = 0
        self.boxes: list[Box | None] = []

    def blocks(self, close: str, start: int, end: int) -> list[Part]:
        """The blocks until the closing token, of a container that stands on these lines."""
        found: list[Part] = []
        line = start
        while self._at < len(self._tokens) and self._tokens[self._at].type != close:
            part = self._part()
            found += self._definitions(line, part.start)
            found.append(part)
            line = part.end
        found += self._definitions(line, end)
        self._at += 1
        return found

    def _definitions(self, start: int, end: int) -> list[Part]:
        """What stands between two blocks and is no block: link definitions, each run of lines a leaf."""
        found: list[Leaf] = []
        for line in range(start, end):
            if _NOTHING.fullmatch(self._lines[line]):
                continue
            if found and found[-1].end == line:
                found[-1].end = line + 1
            else:
                found.append(Leaf(DEFINITION, line, line + 1))
        return list(found)

    def _part(self) -> Part:
        token = self._tokens[self._at]
        start, end = token.map or (0, 0)
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            return self._list(start, end)
        if token.type == "blockquote_open":
            self._at += 1
            return Quote(start, end, self.blocks("blockquote_close", start, end))
        content = ""
        if token.type in {"paragraph_open", "heading_open"}:
            content = self._tokens[self._at + 1].content
        self._at += 1
        if token.nesting:
            while (
                self._tokens[self._at - 1].level != token.level or self._tokens[self._at - 1].nesting >= 0
            ):
                self._at += 1
        level = int(token.tag[1]) if token.type == "heading_open" else 0
        return Leaf(token.type, start, end, level, content)

    def _list(self, start: int, end: int) -> ListPart:
        opening = self._tokens[self._at]
        part = ListPart(start, end, opening.type == "ordered_list_open", opening.markup)
        self._at += 1
        while self._tokens[self._at].type == "list_item_open":
            part.items.append(self._item())
        self._at += 1
        return part

    def _item(self) -> Item:
        start, end = self._tokens[self._at].map or (0, 0)
        self._at += 1
        box = self._box(start)
        self.boxes.append(box)
        return Item(start, end, self.blocks("list_item_close", start, end), box)

    def _box(self, line: int) -> Box | None:
        """The box of the item whose first block comes next, if that is a paragraph beside the marker."""
        opening = self._tokens[self._at]
        if opening.type == "heading_open" and opening.markup.startswith("#"):
            return None
        place = {"paragraph_open": 1, "heading_open": 1, "table_open": 4}.get(opening.type)
        if place is None or not opening.map or opening.map[0] != line:
            return None
        return read_box(self._tokens[self._at + place].content, self._lines[line], starred=self._starred)
