"""Reading the records of a log: one JSON value a line, or one document over many lines.

Most lines of an agent's log cannot hold a plan, and those are never parsed: a line is looked at only if
it holds one of the byte strings that its reader names. :func:`may_hold` keeps that sound.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from planconv.errors import DecodeError
from planconv.loss import Code, Ledger, Note
from planconv.model import JSON, Plan, Verbatim
from planconv.wire import json
from planconv.wire.logs.torn import goes_on, is_unfinished, placed

_ESCAPED_LETTER = re.compile(rb"\\u00(?:[4-7]|3[0-9]|2[dDeE])")
_BLANKS = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """A value of a log with its place: ``line`` counts from 1, ``offset`` is in bytes from the start.

    ``gave`` is what reading the JSON had to give up (a duplicate key, half a UTF-16 pair). It is told
    only if the record turns out to matter.
    """

    value: JSON
    line: int
    offset: int
    gave: tuple[tuple[Code, JSON, JSON], ...] = ()

    def tell(self, ledger: Ledger, plan: Plan) -> None:
        """Note what reading this record had to give up, for the plan that came out of it."""
        for code, was, now in self.gave:
            ledger.note(code, "", was, now, plan=plan, line=self.line)


def may_hold(raw: bytes, markers: Iterable[bytes]) -> bool:
    """Whether a line has to be parsed to know what it holds.

    Without any of the markers a line can still hold one of them with its letters escaped
    (``\\u0070lan``, RFC 8259 §7). Only escapes of ASCII letters, digits, ``_``, ``-`` and ``.`` count, so
    markers have to be made of these; the escapes that writers commonly use (``\\u003c``, ``\\u001b``,
    ``\\u00e9``) cost nothing. What is no object from brace to brace is always looked at: it may be torn.
    """
    for marker in markers:  # a loop, since this is asked of every line: a generator takes twice as long
        if marker in raw:
            return True
    if not (raw.startswith(b"{") and raw.endswith((b"}\n", b"}\r\n"))):
        return True
    return b"\\u00" in raw and _ESCAPED_LETTER.search(raw) is not None


def read_records(
    lines: Iterable[bytes], ledger: Ledger, wanted: Callable[[bytes], bool] = lambda _: True
) -> Iterator[Record]:
    """The records of a log that are wanted, and its first one in any case.

    An input whose first line opens a value and does not close it is one document, or several one after
    the other. Blank lines are no records.

    Args:
        lines: the log, each line with its line break; only the last one may lack it.
        ledger: takes the records that cannot be read.
        wanted: is asked for each line, before it is parsed.

    Raises:
        DecodeError: a record is no JSON (unless the ledger skips bad records), or the input is UTF-16.
    """
    placed = _placed(lines)
    first = next(placed, None)
    if first is None:
        return
    if is_unfinished(first[2]):
        following = list(islice(placed, 1))
        if following and goes_on(first[2], following[0][2]):
            yield from _read_documents(chain([first], following, placed), ledger)
            return
        placed = chain(following, placed)
    yield from _read(first, ledger)
    for place in placed:
        if wanted(place[2]):
            yield from _read(place, ledger)


_Place = tuple[int, int, bytes]
"""Line number, byte offset and bytes of a line."""


def _placed(lines: Iterable[bytes]) -> Iterator[_Place]:
    """The lines that are not blank, the mark at the start of the input cut off."""
    offset = 0
    for number, raw in enumerate(lines, 1):
        if number == 1 and json.other_encoding(raw):
            json.decode_text(raw)  # says which it is
        start = offset
        offset += len(raw)
        if number == 1 and raw.startswith(json.BOM):
            raw = raw[len(json.BOM) :]
            start += len(json.BOM)
        if raw and not raw.isspace():
            yield number, start, raw


# --- the values of lines and documents ----------------------------------------------------------


def _read(place: _Place, ledger: Ledger) -> Iterator[Record]:
    line, offset, raw = place
    gave = _Gave()
    try:
        value = json.loads(raw.rstrip(_BLANKS), at=gave.at)
    except DecodeError as error:
        ledger.reject(placed(error, line, 0, offset, raw), raw)
        return
    yield Record(value, line, offset, gave.taken())


def _read_documents(places: Iterable[_Place], ledger: Ledger) -> Iterator[Record]:
    """One document, or several that follow one another as ``cat`` joins them."""
    line, offset, data = _joined(places)
    gave = _Gave()
    try:
        value = json.loads(data, at=gave.at)
    except DecodeError:
        yield from _read_several(line, offset, data, ledger)
        return
    yield Record(value, line, offset, gave.taken())


def _read_several(line: int, offset: int, data: bytes, ledger: Ledger) -> Iterator[Record]:
    gave = _Gave()
    try:
        for value, _, number, start in json.documents(data, gave.at):
            yield Record(value, line + number - 1, offset + start, gave.taken())
    except DecodeError as error:
        ledger.reject(placed(error, line, 0, offset, data), data)


def _joined(places: Iterable[_Place]) -> _Place:
    """The lines as one piece, with the blank lines that were left out."""
    pieces: list[bytes] = []
    first = last = start = 0
    for number, offset, raw in places:
        if not pieces:
            first, last, start = number, number, offset
        pieces.append(b"\n" * (number - last - 1) + raw)
        last = number
    return first, start, b"".join(pieces).rstrip(_BLANKS)


class _Gave:
    """Gathers what reading JSON has to give up."""

    def __init__(self) -> None:
        self._notes: list[tuple[Code, JSON, JSON]] = []

    def at(self, _place: str, /) -> Note:
        def note(code: Code, was: JSON = None, now: JSON = None, /) -> None:
            self._notes.append((code, was, now))

        return note

    def taken(self) -> tuple[tuple[Code, JSON, JSON], ...]:
        """Everything since this was asked last."""
        notes = tuple(self._notes)
        self._notes.clear()
        return notes


# --- looking into values ------------------------------------------------------------------------


def member(value: JSON, *path: str) -> JSON:
    """What stands at the end of these keys; ``None`` if a step is no object or has no such key."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def text_at(value: JSON, *path: str) -> str | None:
    """The string at the end of these keys, if there is one."""
    found = member(value, *path)
    return found if isinstance(found, str) else None


def id_at(value: JSON, *path: str) -> str | None:
    """The id at the end of these keys: a string, or a number as one; an empty one is none."""
    found = member(value, *path)
    match found:
        case bool():
            return None
        case str() | int():
            return str(found) or None
        case Verbatim(text):
            return text
    return None


def items_at(value: JSON, *path: str) -> list[JSON]:
    """The array at the end of these keys; empty if there is none."""
    found = member(value, *path)
    return found if isinstance(found, list) else []


def unwrapped(value: JSON) -> JSON:
    """A value, or what the JSON in a string says; ``None`` if the string is no JSON.

    Some agents and gateways write the arguments of a call as a string.
    """
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value.encode())
    except DecodeError:
        return None


# --- looking at the start of an input -----------------------------------------------------------


def head_values(head: bytes, most: int = 20) -> list[JSON]:
    """The values of the first complete lines of an input, or its one document; bad ones are left out."""
    ledger = Ledger(skip_bad_records=True)
    values: list[JSON] = []
    try:
        for record in read_records(head.splitlines(keepends=True)[: most * 200], ledger):
            values.append(record.value)
            if len(values) == most:
                break
    except DecodeError:
        return []
    return values


def has_keys(head: bytes, *keys: str) -> bool:
    """Whether a document that may be cut off opens with a brace and names all these keys."""
    if not head.lstrip(json.BOM + _BLANKS).startswith(b"{"):
        return False
    return all(re.search(rb'"%s"\s*:' % re.escape(key.encode()), head) for key in keys)
