"""The records of ACP traffic, as any recorder wrote them: a document, or a log of one message a line.

There is no standard file for ACP traffic. Most recorders write one JSON text a line, some put a word, an
arrow or a time before it (toad's ``[agent] {…}``, sacp-tee's ``→ {…}``, the conductor's
``agent ← +12ms {…}``), and two write lines of their own between the messages.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from planconv.errors import DecodeError
from planconv.loss import Code, Ledger, Note
from planconv.model import JSON
from planconv.wire import json
from planconv.wire.logs.lines import Block, Line, LinesToRead, Marks, blocks_of
from planconv.wire.logs.torn import goes_on, is_unfinished, placed


class Repair(NamedTuple):
    """What reading the JSON had to give up at one place; it is told only if the record matters."""

    code: Code
    pointer: str
    was: JSON
    now: JSON


class Record(NamedTuple):
    """One JSON text of the input and its place.

    ``line`` (from 1) and ``offset`` (in bytes) are where it begins, ``column`` is the number of
    characters before it on that line. A ``hasty`` value is enough to tell what a record is about:
    numbers in it may be rounded, and what had to give is not known.
    """

    value: JSON
    raw: bytes
    line: int = 1
    column: int = 0
    offset: int = 0
    repairs: tuple[Repair, ...] = ()
    hasty: bool = False

    def exact(self) -> Record:
        """This record, read with care."""
        repairs: list[Repair] = []
        value = json.loads(self.raw, at=_collect(repairs))
        return self._replace(value=value, repairs=tuple(repairs), hasty=False)

    def error(self, pointer: str, reason: str) -> DecodeError:
        """An error at a place of this record."""
        line, column = json.locate(self.raw, pointer)
        before = self.column if line == 1 else 0
        return DecodeError(
            reason, line=self.line + line - 1, column=before + column, offset=self.offset, pointer=pointer
        )


def read_records(pieces: Iterable[bytes], ledger: Ledger, survey: Survey | None = None) -> Iterator[Record]:
    """The records of an input that comes in pieces of any size, each as soon as its line is there.

    Of a log no more than one record is held; a first line that only opens a document has the whole input
    read before anything is known. With a survey, the records of a log are hasty ones, unless the ledger is
    strict.

    Args:
        pieces: the input.
        ledger: takes the records that cannot be read.
        survey: counts what there is, as long as it is open.

    Raises:
        DecodeError: it is no JSON in UTF-8, or a record is not and bad ones are not skipped.
    """
    blocks, is_document = _begun(pieces)
    if is_document:
        data = b"".join(block.data[block.start : block.end] for block in blocks)
        yield from _read_documents(data, ledger)
        if survey:
            survey.add(data)
        return
    lines = LinesToRead(blocks, MARKS, survey.look if survey else None)
    yield from read_lines(lines, ledger, hasty=survey is not None and not ledger.strict)


def read_lines(lines: Iterable[Line], ledger: Ledger, *, hasty: bool) -> Iterator[Record]:
    """The records of some lines of a log; raises as :func:`read_records` does."""
    for line in lines:
        yield from _read_line(line, ledger, hasty=hasty)


def log_blocks(pieces: Iterable[bytes]) -> Iterator[Block]:
    """The blocks of an input that is known to be a log.

    Raises:
        DecodeError: it begins as one document over several lines.
    """
    blocks, is_document = _begun(pieces)
    if is_document:
        raise DecodeError("this is one document, and no log")
    return blocks


def _begun(pieces: Iterable[bytes]) -> tuple[Iterator[Block], bool]:
    """The blocks of an input, and whether it is a document over several lines.

    That is known at the end of the first record, or of the line behind one that goes on.
    """
    blocks = blocks_of(pieces)
    come: list[Block] = []
    first: bytes | None = None
    for block in blocks:
        come.append(block)
        if first is None and (lines := _first_lines(come, 1)):
            first = lines[0]
            if not is_unfinished(first):
                return _again(come, blocks), False
        if first is not None and len(lines := _first_lines(come, 2)) == 2:
            return _again(come, blocks), _is_document(*lines)
    return iter(come), False


def _again(come: list[Block], blocks: Iterator[Block]) -> Iterator[Block]:
    """All blocks; those that have come are let go one after the other, since a line may be long."""
    come.reverse()
    while come:
        yield come.pop()
    yield from blocks


def _first_lines(blocks: Iterable[Block], count: int) -> list[bytes]:
    """The first lines that are not blank, without the mark at the start of the input."""
    lines: list[bytes] = []
    for number, (data, start, end) in enumerate(blocks):
        if not number and data.startswith(json.BOM):
            start += len(json.BOM)
        while start < end and len(lines) < count:
            line_end = data.find(b"\n", start, end) + 1 or end
            line = data[start:line_end]
            if line.strip():
                lines.append(line)
            start = line_end
    return lines


# --- a document ---------------------------------------------------------------------------------


def _is_document(first: bytes, second: bytes) -> bool:
    """Whether a JSON value goes on over the end of the first line."""
    return not json.other_encoding(first) and goes_on(first, second)


def _read_documents(data: bytes, ledger: Ledger) -> Iterator[Record]:
    """The document, or all that follow one another."""
    mark = len(json.BOM) if data.startswith(json.BOM) else 0
    data = data[mark:]
    repairs: list[Repair] = []
    try:
        value = json.loads(data, at=_collect(repairs))
    except DecodeError:
        pass  # several may follow one another; if not, the same error comes again
    else:
        yield Record(value, data, offset=mark, repairs=tuple(repairs))
        return
    repairs.clear()
    try:
        for value, raw, line, offset in json.documents(data, _collect(repairs)):
            yield Record(value, raw, line, offset=mark + offset, repairs=tuple(repairs))
            repairs.clear()
    except DecodeError as error:
        error.offset = (error.offset or 0) + mark
        ledger.reject(error, data)


def _collect(repairs: list[Repair]) -> json.NoteAt:
    def at(pointer: str) -> Note:
        def note(code: Code, was: JSON = None, now: JSON = None) -> None:
            repairs.append(Repair(code, pointer, was, now))

        return note

    return at


# --- a log --------------------------------------------------------------------------------------

_OWN_LINE = re.compile(
    rb"=== Conductor Debug Log ===|Started: \S+|Components:|  \d+: .*|={24}"  # the conductor's header
    rb"|[^{]*? ! \+\d+ms\b.*"  # what a component of the conductor said on its standard error
    rb"|\[error\] .*",  # and what toad's agent said there
    re.DOTALL,
)


MARKS = Marks(b'"plan', b'"entries')
"""One of them stands in each object that tells of a plan, however deep in strings its message is packed."""
_SHORT = 65_536
"""Bytes; a first line up to this length is read whatever it holds, since it may be all there is."""


def _read_line(place: Line, ledger: Ledger, *, hasty: bool) -> Iterator[Record]:
    number, start, line = place
    if number == 1:
        if json.other_encoding(line):
            json.decode_text(line)  # says which it is
        start += len(line) - len(line.removeprefix(json.BOM))
        line = line.removeprefix(json.BOM)
    if hasty and line.startswith(b"{") and (value := json.glance(line)) is not None:
        yield Record(value, line, number, 0, start, hasty=True)
        return
    repairs: list[Repair] = []
    whole = line.startswith(b"{") and line.endswith(b"}\n")
    text = line if whole else line.strip()  # a line may be long: it is not copied without need
    if not text or (number == 1 and len(text) > _SHORT and not MARKS.may_be_in(text)):
        return
    start += line.index(text[:1])
    try:
        value, prefix = _read_text(text, _collect(repairs))
    except DecodeError as error:
        if not _OWN_LINE.fullmatch(line.rstrip()):
            before = len(line[: line.index(text)].decode(errors="replace"))
            ledger.reject(placed(error, number, before, start, place.raw), place.raw)
        return
    before = len(line[: line.index(text) + prefix].decode(errors="replace"))
    yield Record(value, text[prefix:], number, before, start + prefix, tuple(repairs))


def _read_text(text: bytes, at: json.NoteAt) -> tuple[JSON, int]:
    """The object or array of a line, and the number of bytes before it."""
    if text.startswith(b"["):
        try:
            value = json.loads(text, at=at)
        except DecodeError:
            value = None  # a word in brackets before the object, most likely
        if isinstance(value, list) and any(isinstance(inner, dict) for inner in value):
            return value, 0
    brace = text.find(b"{")
    if brace < 0:
        raise DecodeError("this line holds no JSON object", column=1, offset=0)
    try:
        return json.loads(text[brace:], at=at), brace
    except DecodeError as error:
        error.column = (error.column or 1) + len(text[:brace].decode(errors="replace"))
        error.offset = (error.offset or 0) + brace
        raise


# --- what is there when there is no plan --------------------------------------------------------

_NAMES = re.compile(
    rb'"sessionUpdate"\s*:\s*"([\w/.-]{1,40})"|"method"\s*:\s*"(?!session/update")([\w/.-]{1,40})"'
)


class Survey:
    """Counts what the messages of an input are called, until it is closed."""

    def __init__(self) -> None:
        self._names: Counter[str] = Counter()
        self._open = True

    def add(self, data: bytes) -> None:
        """Count the messages of some whole lines."""
        if self._open:
            self._names.update((match[1] or match[2]).decode() for match in _NAMES.finditer(data))

    def look(self, block: Block) -> None:
        """The same, of a block of them."""
        if self._open:
            self.add(block.data[block.start : block.end])

    def close(self) -> None:
        """Nobody will ask."""
        self._open = False

    def words(self) -> str:
        """The names and how often each stands there, as words for a person."""
        if not self._names:
            return "no ACP messages"
        most = [f"{count} × {name}" for name, count in self._names.most_common(5)]
        more = self._names.total() - sum(count for _, count in self._names.most_common(5))
        return ", ".join([*most, f"{more} more"] if more else most)
