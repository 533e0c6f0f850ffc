"""JSON, read and written without changing anything (RFC 8259).

orjson reads most texts, and what it made of one is believed only if writing it out gives the text back.
Everything else is read by :mod:`planconv.wire.json_reader`, which keeps what Python cannot hold as
:class:`~planconv.model.Verbatim` and tells what had to give.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import orjson

from planconv.errors import EncodeError
from planconv.loss import Note
from planconv.model import JSON, Verbatim
from planconv.wire.json_reader import (
    BOM,
    DEEPEST,
    NoteAt,
    Reader,
    UnfinishedError,
    decode_text,
    line_and_column,
    other_encoding,
)

__all__ = [
    "BOM",
    "DEEPEST",
    "NoteAt",
    "UnfinishedError",
    "decode_text",
    "documents",
    "dumps",
    "dumps_indented",
    "dumps_line",
    "glance",
    "loads",
    "locate",
    "other_encoding",
]


def loads(
    data: bytes, note: Note | None = None, *, at: NoteAt | None = None, deepest: int = DEEPEST
) -> JSON:
    """The one JSON value in ``data`` (UTF-8; a byte order mark is skipped).

    Of a key that stands twice in an object the last value is taken, and half a UTF-16 pair becomes
    U+FFFD; both are noted.

    Args:
        data: the JSON text.
        note: takes what had to give.
        at: the same, for whoever wants to know where: gives the note for a JSON pointer into the text.
        deepest: how many arrays and objects may stand in one another before the rest is kept verbatim.

    Raises:
        UnfinishedError: the text ends in the middle of a value.
        DecodeError: it is not JSON; line, column and offset say where.
    """
    data = data.removeprefix(BOM)
    found, value = _fast(data, deepest)
    if found:
        return value
    if note is not None and at is None:
        at = _everywhere(note)
    reader = Reader(decode_text(data), at, deepest)
    value = reader.value()
    reader.end()
    return value


def glance(data: bytes) -> JSON:
    """What a JSON text says, as far as keys and strings tell it: the numbers in it may be rounded.

    ``None`` if it takes :func:`loads` to know.
    """
    try:
        value: JSON = orjson.loads(data)
    except ValueError:
        return None
    return None if _deeper(value, data, DEEPEST) else value


def _everywhere(note: Note) -> NoteAt:
    return lambda _: note


def documents(data: bytes, at: NoteAt | None = None) -> Iterator[tuple[JSON, bytes, int, int]]:
    """The JSON values that follow one another in ``data``: value, text, line and offset of each.

    Raises:
        DecodeError: as :func:`loads` does, when the value at fault is reached.
    """
    text = decode_text(data)
    reader = Reader(text, at, DEEPEST)
    line, offset, end = 1, 0, 0
    while not reader.at_end():
        skipped = text[end : reader.position]
        line, offset = line + skipped.count("\n"), offset + len(skipped)
        start = reader.position
        value = reader.value()
        end = reader.position
        raw = text[start:end].encode()
        yield value, raw, line, offset
        line, offset = line + raw.count(b"\n"), offset + len(raw)


def locate(data: bytes, pointer: str) -> tuple[int, int]:
    """Line and column, from 1, of the value that a JSON pointer (RFC 6901) leads to in valid JSON.

    Where the pointer names something that is not there, it is the place of what should hold it.
    """
    names = [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]
    text = data.removeprefix(BOM).decode(errors="replace")
    reader = Reader(text, None, DEEPEST, sought=names)
    reader.value()
    return line_and_column(text, reader.found)


# --- reading: the fast way ----------------------------------------------------------------------

_EXPONENT = re.compile(rb"[0-9][eE][-+]?[0-9]")
_BLANKS = b" \t\r\n"


def _fast(data: bytes, deepest: int) -> tuple[bool, JSON]:
    """Whether orjson read the text and provably lost nothing of it, and what it read."""
    try:
        value: JSON = orjson.loads(data)
        if not _written_like(value, data):
            return False, None
    except (TypeError, ValueError):  # orjson writes at most 254 levels, and reads at most 1,024
        return False, None
    return not _deeper(value, data, deepest), value


def _written_like(value: JSON, data: bytes) -> bool:
    """Whether one of the usual writers turns the value into exactly this text, but for blanks.

    What reading can lose are numbers, keys that stand twice and halves of UTF-16 pairs. Strings it keeps,
    so blanks may be left out of the comparison, wherever they stand.
    """
    if _same_but_for_blanks(orjson.dumps(value), data):
        return True
    if b"\\" not in data or _EXPONENT.search(data):  # Python and orjson write exponents differently
        return False
    return _same_but_for_blanks(json.dumps(value, separators=(",", ":")).encode(), data)


_PORTION = 1 << 16
"""Bytes that are compared at once, so that a long text is not copied."""


def _same_but_for_blanks(written: bytes, data: bytes) -> bool:
    if written == data:
        return True
    if len(data) <= _PORTION:
        return written.translate(None, _BLANKS) == data.translate(None, _BLANKS)
    ours = theirs = b""
    for start in range(0, max(len(written), len(data)), _PORTION):
        ours += written[start : start + _PORTION].translate(None, _BLANKS)
        theirs += data[start : start + _PORTION].translate(None, _BLANKS)
        common = min(len(ours), len(theirs))
        if ours[:common] != theirs[:common]:
            return False
        ours, theirs = ours[common:], theirs[common:]
    return not ours and not theirs


def _deeper(value: JSON, data: bytes, deepest: int) -> bool:
    if data.count(b"[") + data.count(b"{") <= deepest:
        return False
    level: list[JSON] = [value]
    for _ in range(deepest):
        level = [
            inner
            for outer in level
            if isinstance(outer, dict | list)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
    return bool(level)


# --- writing ------------------------------------------------------------------------------------


def dumps(value: JSON) -> bytes:
    """The value as compact JSON on one line.

    Raises:
        EncodeError: a text holds half a UTF-16 pair, which UTF-8 cannot.
    """
    return _dump(value, indented=False)


def dumps_line(value: JSON) -> bytes:
    """The same with a line break at the end; raises as :func:`dumps` does."""
    return _dump(value, indented=False, line=True)


def dumps_indented(value: JSON) -> bytes:
    """The value as JSON for people, two blanks a level; raises as :func:`dumps` does."""
    return _dump(value, indented=True)


def _dump(value: JSON, *, indented: bool, line: bool = False) -> bytes:
    option = orjson.OPT_PASSTHROUGH_DATACLASS
    option |= (orjson.OPT_INDENT_2 if indented else 0) | (orjson.OPT_APPEND_NEWLINE if line else 0)
    try:
        return orjson.dumps(value, default=_fragment, option=option)
    except TypeError:  # too deep or too big for orjson, or not UTF-8
        return _dump_slowly(value, "  " if indented else "") + (b"\n" if line else b"")


def _fragment(value: object) -> orjson.Fragment:
    if isinstance(value, Verbatim):
        return orjson.Fragment(value.text)
    raise TypeError


def _dump_slowly(value: JSON, step: str) -> bytes:
    """Like orjson, for any depth and any whole number."""
    written: list[str] = []
    waiting: list[str | tuple[JSON, int]] = [(value, 0)]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            written.append(piece)
            continue
        value, depth = piece
        if isinstance(value, dict | list) and value:
            waiting.extend(reversed(list(_pieces(value, depth, step))))
        else:
            written.append(value.text if isinstance(value, Verbatim) else _dump_scalar(value))
    try:
        return "".join(written).encode()
    except UnicodeEncodeError:
        raise EncodeError("a text holds half a UTF-16 pair, which UTF-8 cannot hold") from None


def _pieces(value: dict[str, JSON] | list[JSON], depth: int, step: str) -> Iterator[str | tuple[JSON, int]]:
    """What an array or object is made of: marks and line breaks, and the values between them."""
    is_object = isinstance(value, dict)
    line = "\n" + step * (depth + 1) if step else ""
    yield "{" if is_object else "["
    members = value.items() if isinstance(value, dict) else (("", inner) for inner in value)
    for number, (key, inner) in enumerate(members):
        yield ("," if number else "") + line
        if is_object:
            yield _dump_scalar(key) + (": " if step else ":")
        yield inner, depth + 1
    yield ("\n" + step * depth if step else "") + ("}" if is_object else "]")


def _dump_scalar(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
