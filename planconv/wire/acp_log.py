"""The records of ACP traffic, as any recorder wrote them: a document, or a log of one message a line.

There is no standard file for ACP traffic. Most recorders write one JSON text a line, some put a word, an
arrow or a time before it (toad's ``[agent] {…}``, sacp-tee's ``→ {…}``, the conductor's
``agent ← +12ms {…}``), and two write lines of their own between the messages.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from planconv.errors import DecodeError
from planconv.loss import Code, Ledger, Note
from planconv.model import JSON
from planconv.wire import json


class Repair(NamedTuple):
    """What reading the JSON had to give up at one place; it is told only if the record matters."""

    code: Code
    pointer: str
    was: JSON
    now: JSON


class Record(NamedTuple):
    """One JSON text of the input and its place.

    ``line`` (from 1) and ``offset`` (in bytes) are where it begins, ``column`` is the number of
    characters before it on that line.
    """

    value: JSON
    raw: bytes
    line: int = 1
    column: int = 0
    offset: int = 0
    repairs: tuple[Repair, ...] = ()

    def error(self, pointer: str, reason: str) -> DecodeError:
        """An error at a place of this record."""
        line, column = json.locate(self.raw, pointer)
        before = self.column if line == 1 else 0
        return DecodeError(
            reason, line=self.line + line - 1, column=before + column, offset=self.offset, pointer=pointer
        )


def read_records(data: bytes, ledger: Ledger) -> Iterator[Record]:
    """The records of a whole input: of the document that it is, or of the log.

    Raises:
        DecodeError: it is no JSON in UTF-8, or a record is not and bad ones are not skipped.
    """
    if _is_document(data):
        return _read_documents(data, ledger)
    return _read_log(io.BytesIO(data), ledger)


def read_lines(lines: Iterable[bytes], ledger: Ledger) -> Iterator[Record]:
    """The records of a log while it is written, each as soon as its line is there.

    A first line that only opens a document has the whole input read before anything is known.
    """
    lines = iter(lines)
    first = next(lines, b"")
    if first.removeprefix(json.BOM).strip() in (b"{", b"["):
        return read_records(first + b"".join(lines), ledger)
    return _read_log(chain([first], lines), ledger)


# --- a document ---------------------------------------------------------------------------------


def _is_document(data: bytes) -> bool:
    """Whether a JSON value goes on over the end of the first line.

    So does a torn record, but then the next line is a record in itself.
    """
    lines = (line for line in io.BytesIO(data.removeprefix(json.BOM)) if line.strip())
    first, second = next(lines, b""), next(lines, b"")
    if not second or json.other_encoding(data):
        return False
    if first.strip() in (b"{", b"["):
        return True
    return _unfinished(first) and not (second.startswith(b"{") and _complete(second))


def _unfinished(line: bytes) -> bool:
    try:
        json.loads(line)
    except json.UnfinishedError:
        return True
    except DecodeError:
        return False
    return False


def _complete(line: bytes) -> bool:
    try:
        json.loads(line)
    except DecodeError:
        return False
    return True


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


def _read_log(lines: Iterable[bytes], ledger: Ledger) -> Iterator[Record]:
    offset = 0
    for number, whole in enumerate(lines, 1):
        line, start = whole, offset
        offset += len(whole)
        if number == 1:
            if json.other_encoding(line):
                json.decode_text(line)  # says which it is
            line = line.removeprefix(json.BOM)
        text = line.strip()
        if not text or not _may_hold_plan(text):
            continue
        start += len(whole) - len(line) + line.index(text)
        repairs: list[Repair] = []
        try:
            value, prefix = _read_text(text, _collect(repairs))
        except DecodeError as error:
            if not _OWN_LINE.fullmatch(line.rstrip()):
                before = len(line[: line.index(text)].decode(errors="replace"))
                ledger.reject(_placed(error, number, before, start, whole), whole)
            continue
        before = len(line[: line.index(text) + prefix].decode(errors="replace"))
        yield Record(value, text[prefix:], number, before, start + prefix, tuple(repairs))


def _may_hold_plan(text: bytes) -> bool:
    """Whether a line has to be read to know what it says of plans.

    An object that names neither a plan nor entries says nothing of them, provided that none of these
    letters is written as an escape. Such lines are the bulk of a log and are only looked at from
    outside: what is wrong inside their braces, but for bytes that are not UTF-8, goes unseen.
    """
    if not (text.startswith(b"{") and text.endswith(b"}")) or b"plan" in text or b"entries" in text:
        return True
    if b"\\u006" in text or b"\\u007" in text:  # where the small letters are
        return True
    return not text.isascii() and not _is_utf8(text)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True


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


def _placed(error: DecodeError, line: int, before: int, start: int, whole: bytes) -> DecodeError:
    """The error of a line as an error of the log."""
    reason = error.reason
    if isinstance(error, json.UnfinishedError):
        last = "" if whole.endswith(b"\n") else "last "
        reason = f"the {last}line ends in the middle of a record"
    return DecodeError(
        reason, line=line, column=before + (error.column or 1), offset=start + (error.offset or 0)
    )


# --- what is there when there is no plan --------------------------------------------------------

_NAMES = re.compile(
    rb'"sessionUpdate"\s*:\s*"([\w/.-]{1,40})"|"method"\s*:\s*"(?!session/update")([\w/.-]{1,40})"'
)


def count_messages(data: bytes) -> str:
    """What the messages in an input are called and how often each stands there, as words for a person."""
    names = Counter((match[1] or match[2]).decode() for match in _NAMES.finditer(data))
    if not names:
        return "no ACP messages"
    most = [f"{count} × {name}" for name, count in names.most_common(5)]
    more = sum(names.values()) - sum(count for _, count in names.most_common(5))
    return ", ".join([*most, f"{more} more"] if more else most)
