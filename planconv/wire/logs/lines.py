"""The lines of a log that comes in pieces, and those of them that have to be read.

Nearly all lines of an agent's log hold no plan. They are never cut out of their piece: a piece is searched
for the few byte strings without which a line holds nothing of interest, and only the lines around those
are taken.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import NamedTuple


class Line(NamedTuple):
    """A line with its line break; its number counts from 1, its offset is in bytes from the start."""

    number: int
    offset: int
    raw: bytes


class Block(NamedTuple):
    """Whole lines: the bytes of ``data`` from ``start`` to ``end``, right behind a line break.

    Only the last block of an input may lack that line break.
    """

    data: bytes
    start: int
    end: int


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The lines of an input that comes in pieces, each with its line break and as soon as it is whole.

    What follows the last line break comes at the end. A line of many pieces is put together once.
    """
    for data, start, end in blocks_of(pieces):
        yield from io.BytesIO(data[start:end])


def blocks_of(pieces: Iterable[bytes]) -> Iterator[Block]:
    """The pieces as blocks of whole lines, each as soon as it is there; only a torn line is copied."""
    torn = bytearray()  # and no list of pieces: the memory of those would not be given back
    for piece in pieces:
        start, end = 0, piece.rfind(b"\n") + 1
        if torn and end:
            start = piece.find(b"\n") + 1
            torn += piece[:start]
            yield _taken(torn)
        if start < end:
            yield Block(piece, start, end)
        if end < len(piece):
            torn += piece[end:]
    if torn:
        yield _taken(torn)


def _taken(torn: bytearray) -> Block:
    """What was torn; it is empty afterwards, so that a long line is not held twice."""
    line = bytes(torn)
    torn.clear()
    return Block(line, 0, len(line))


# --- the lines to read --------------------------------------------------------------------------


class Marks:
    """Byte strings one of which stands in each object that has to be read.

    They are made of small letters and quotes, so that :data:`_ESCAPED` finds those that are written as
    escapes. ``first`` is the one that most of these objects have.
    """

    def __init__(self, first: bytes, *others: bytes) -> None:
        self.all = (first, *others)
        self._first = re.compile(re.escape(first)).search  # of a short string it is faster than find
        self._others = others

    def lines_in(self, block: Block) -> list[tuple[int, int]]:
        """Where the lines begin and end that hold a mark, in their order."""
        data, start, end = block
        found: list[tuple[int, int]] = []
        line_end = start
        while match := self._first(data, line_end, end):
            line_start = data.rfind(b"\n", line_end, match.start()) + 1 or line_end
            line_end = data.find(b"\n", match.end(), end) + 1 or end
            found.append((line_start, line_end))
        marked = {line_start for line_start, _ in found}
        for mark in self._others:
            at = data.find(mark, start, end)
            while at >= 0:
                line_start = data.rfind(b"\n", start, at) + 1 or start
                line_end = data.find(b"\n", at, end) + 1 or end
                if line_start not in marked:
                    marked.add(line_start)
                    found.append((line_start, line_end))
                at = data.find(mark, line_end, end)
        return sorted(found)

    def may_be_in(self, raw: bytes) -> bool:
        """Whether a line has to be read to know what it holds.

        An object without a mark says nothing of interest, provided that no letter of a mark is written as
        an escape (RFC 8259, section 7). Such lines are only looked at from outside: what is wrong inside
        their braces, but for bytes that are not UTF-8, goes unseen.
        """
        text = raw.strip()
        if not (text.startswith(b"{") and text.endswith(b"}")) or any(mark in text for mark in self.all):
            return bool(text)
        return _ESCAPED.search(text) is not None or not _is_utf8(text)


class LinesToRead:
    """The first line that is not blank, and all others that have to be read.

    Args:
        blocks: the log.
        marks: decide which lines have to be read.
        look: is shown each block, if given, before its lines are cut out.
        begun: the blocks are a later part of the log, and their first line is not the log's.
    """

    def __init__(
        self,
        blocks: Iterable[Block],
        marks: Marks,
        look: Callable[[Block], None] | None = None,
        *,
        begun: bool = False,
    ) -> None:
        self._blocks = blocks
        self._marks = marks
        self._look = look
        self._begun = begun
        self.breaks = 0
        """How many line breaks there are before the block at hand; at the end, in all blocks."""
        self.offset = 0
        """How many bytes there are before it."""

    def __iter__(self) -> Iterator[Line]:
        for block in self._blocks:
            if self._look:
                self._look(block)
            if not self._begun:
                block = yield from self._begin(block)
            cut, breaks = _lines_of_block(block, self._marks)
            for number, start, end in cut:
                line = block.data[start:end]
                yield Line(self.breaks + number + 1, self.offset + start - block.start, line)
            self.breaks += breaks
            self.offset += block.end - block.start

    def _begin(self, block: Block) -> Generator[Line, None, Block]:
        """The first line that is not blank, if it is in this block; what is left of the block."""
        data, start, end = block
        while not self._begun and start < end:
            line_end = data.find(b"\n", start, end) + 1 or end
            line = Line(self.breaks + 1, self.offset, data[start:line_end])
            self._begun = not line.raw.isspace()
            if self._begun:
                yield line
            self.breaks += line.raw.count(b"\n")
            self.offset += line_end - start
            start = line_end
        return Block(data, start, end)


_Cut = tuple[int, int, int]
"""A line of a block: its number, from 0, and where it begins and ends."""


def _lines_of_block(block: Block, marks: Marks) -> tuple[list[_Cut], int]:
    """The lines of a block that have to be read, and how many line breaks the block has."""
    data, start, end = block
    number, seen = 0, start
    cut: list[_Cut] = []
    for line_start, line_end in marks.lines_in(block):
        number += data.count(b"\n", seen, line_start)
        seen = line_start
        cut.append((number, line_start, line_end))
    breaks = number + data.count(b"\n", seen, end)
    if not _are_sound_objects(block, breaks):
        cut = [line for line in _every_line(block) if marks.may_be_in(data[line[1] : line[2]])]
    return cut, breaks


def _every_line(block: Block) -> Iterator[_Cut]:
    data, start, end = block
    number = 0
    while start < end:
        line_end = data.find(b"\n", start, end) + 1 or end
        yield number, start, line_end
        number, start = number + 1, line_end


_ODD_BREAK = re.compile(rb"\n(?:(?<!\}\n)|(?!\{))")
"""A line break that does not stand between two objects."""
_ESCAPED = re.compile(rb"\\u00(?:[67]|22|5[cC])")
"""A small letter or a quote that is written as an escape, or the backslash of one in a packed message."""
_SAMPLE = 48
"""Bytes of the first line: a search for a long string is faster than one for line breaks."""


def _are_sound_objects(block: Block, breaks: int) -> bool:
    """Whether each line is an object from brace to brace, in UTF-8, with no letter of a mark escaped.

    Of such a block only the marked lines have to be read: see :meth:`Marks.may_be_in`.
    """
    data, start, end = block
    return (
        data.startswith(b"{", start)
        and data.endswith(b"}\n", start, end)
        and _ESCAPED.search(data, start, end) is None
        and _have_no_odd_break(block, breaks)
        and (data.isascii() or _is_utf8(data[start:end]))
    )


def _have_no_odd_break(block: Block, breaks: int) -> bool:
    data, start, end = block
    alike = b"}\n" + data[start : min(start + _SAMPLE, data.find(b"\n", start, end))]
    if data.count(alike, start, end) == breaks - 1:  # all lines begin alike, and those before end well
        return True
    return _ODD_BREAK.search(data, start, end - 1) is None


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
