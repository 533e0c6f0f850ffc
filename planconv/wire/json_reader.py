"""The exact way of reading JSON (RFC 8259): nothing is lost unseen, and no nesting is too deep.

The reader loops and never recurses. What Python cannot hold without changing it is kept as
:class:`~planconv.model.Verbatim`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import NoReturn, TypeAlias

import orjson

from planconv.errors import DecodeError
from planconv.loss import CHARACTER_REPLACED, DUPLICATE_KEY, Code, Note
from planconv.model import JSON, Verbatim

NoteAt: TypeAlias = Callable[[str], Note]
"""Gives the note for a place, a JSON pointer into the text; :meth:`planconv.loss.Ledger.at` is one."""

DEEPEST = 100
"""Values nested deeper than this are kept as they were written, so that others may recurse."""


class UnfinishedError(DecodeError):
    """The text ends before the JSON value in it does."""


BOM = b"\xef\xbb\xbf"


def decode_text(data: bytes) -> str:
    """Bytes as the text that they are in UTF-8.

    Raises:
        DecodeError: they are not UTF-8; another encoding is named if its marks are there.
    """
    if encoding := other_encoding(data):
        raise DecodeError(f"this is {encoding}; convert it to UTF-8", line=1, column=1, offset=0)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line_start = before.rfind(b"\n") + 1
        raise DecodeError(
            f"the byte 0x{data[error.start]:02x} is not UTF-8",
            line=before.count(b"\n") + 1,
            column=len(before[line_start:].removeprefix(BOM).decode()) + 1,
            offset=error.start,
        ) from None


_WIDE_32 = re.compile(rb"(?:\0\0\0[^\0]){2}|(?:[^\0]\0\0\0){2}")
_WIDE_16 = re.compile(rb"(?:\0[^\0]){2}|(?:[^\0]\0){2}")


def other_encoding(data: bytes) -> str:
    """``UTF-16`` or ``UTF-32`` where a byte order mark or the NULs of ASCII in it tell so, else ``""``."""
    if data.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")) or _WIDE_32.match(data):
        return "UTF-32"
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or _WIDE_16.match(data):
        return "UTF-16"
    return ""


_STRING = r'"[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+"'
_OPEN_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
"""A string as far as it is right. Possessive repeats would lose their place where an escape is cut."""
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})"
    r"|(?P<number>-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)(?![0-9.a-zA-Z])"
    r"|(?P<word>true|false|null)(?![0-9a-zA-Z])"
    r"|(?P<mark>[\[\]{},:])"
)
_BLANK = re.compile(r"[ \t\r\n]*+")
_OUTER_BLANKS = re.compile(rf"({_STRING})|[ \t\r\n]++")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WORDS: dict[str, JSON] = {"true": True, "false": False, "null": None}
_NO_JSON = re.compile(r"-?(?:NaN|Infinity)\b")


class _Frame:
    """An array or object that is being read, from where on, and the key that the next value is for."""

    __slots__ = ("key", "start", "value")

    def __init__(self, value: list[JSON] | dict[str, JSON], start: int) -> None:
        self.value = value
        self.start = start
        self.key = ""

    @property
    def place(self) -> str:
        """The step of a JSON pointer to the value that is read next."""
        return self.key if isinstance(self.value, dict) else str(len(self.value))


class Reader:
    """Reads JSON values one after the other; ``position`` is the next character."""

    def __init__(self, text: str, at: NoteAt | None, deepest: int, sought: list[str] | None = None) -> None:
        self.text = text
        self.position = 0
        self.found = 0
        self._at = at
        self._deepest = deepest
        self._sought = sought
        self._nearest = -1
        self._stack: list[_Frame] = []

    def value(self) -> JSON:
        """The value that begins here."""
        self._stack = []
        while True:
            symbol, kind = self._next("a value")
            start = self.position - len(symbol)
            if self._sought is not None:
                self._look(self._sought, start)
            if kind == "mark":
                if symbol not in "[{":
                    self._fail(f"a value is expected here, not {symbol!r}", start)
                frame = _Frame([] if symbol == "[" else {}, start)
                self._stack.append(frame)
                if not self._closes(frame):
                    self._key(frame)
                    continue
                value: JSON = self._closed()
            else:
                value = self._scalar(symbol, kind)
            done, value = self._put(value)
            if done:
                return value

    def at_end(self) -> bool:
        """Whether nothing but blanks is left."""
        match = _BLANK.match(self.text, self.position)
        self.position = match.end() if match else self.position
        return self.position == len(self.text)

    def end(self) -> None:
        """Make sure that nothing follows."""
        if not self.at_end():
            self._fail(f"{self._excerpt(self.position)} follows after the end of the JSON", self.position)

    def _put(self, value: JSON) -> tuple[bool, JSON]:
        """Put a value where it belongs, and whatever is closed by that; true when all is."""
        while self._stack:
            frame = self._stack[-1]
            if isinstance(frame.value, list):
                frame.value.append(value)
            else:
                if frame.key in frame.value:
                    self._note(DUPLICATE_KEY, frame.value[frame.key], value)
                frame.value[frame.key] = value
            symbol, _ = self._next("',' or the end")
            closing = "]" if isinstance(frame.value, list) else "}"
            if symbol == ",":
                self._key(frame)
                return False, None
            if symbol != closing:
                start = self.position - len(symbol)
                self._fail(f"',' or {closing!r} is expected here, not {self._excerpt(start)}", start)
            value = self._closed()
        return True, value

    def _closes(self, frame: _Frame) -> bool:
        """Whether the array or object that was just opened is empty."""
        self.at_end()
        closing = "]" if isinstance(frame.value, list) else "}"
        if self.text.startswith(closing, self.position):
            self.position += 1
            return True
        return False

    def _closed(self) -> JSON:
        """The innermost array or object, now that its end has been read."""
        frame = self._stack.pop()
        if len(self._stack) != self._deepest:
            return frame.value
        return Verbatim(_OUTER_BLANKS.sub(r"\1", self.text[frame.start : self.position]))

    def _key(self, frame: _Frame) -> None:
        """In an object, the key and its colon."""
        if isinstance(frame.value, list):
            return
        symbol, kind = self._next("a key")
        start = self.position - len(symbol)
        if kind != "string":
            self._fail(f"a key in double quotes is expected here, not {self._excerpt(start)}", start)
        frame.key = ""
        frame.key = self._string(symbol)
        symbol, _ = self._next("':'")
        if symbol != ":":
            start = self.position - len(symbol)
            self._fail(f"':' is expected here, not {self._excerpt(start)}", start)

    def _next(self, wanted: str) -> tuple[str, str]:
        if self.at_end():
            raise self._error(UnfinishedError, "the text ends in the middle of a record", len(self.text))
        match = _TOKEN.match(self.text, self.position)
        if match is None:
            self._refuse(wanted)
        self.position = match.end()
        return match.group(), match.lastgroup or ""

    def _scalar(self, symbol: str, kind: str) -> JSON:
        if kind == "string":
            return self._string(symbol)
        return _WORDS[symbol] if kind == "word" else _number(symbol)

    def _string(self, symbol: str) -> str:
        if "\\" not in symbol:
            return symbol[1:-1]
        text: str = json.loads(symbol)
        if "\\u" in symbol and _SURROGATE.search(text):
            whole = _SURROGATE.sub("\ufffd", text)
            self._note(CHARACTER_REPLACED, symbol[1:-1], whole)
            return whole
        return text

    def _note(self, code: Code, was: JSON, now: JSON) -> None:
        """Note what happened to the value that is read, unless it will stay verbatim with what holds it."""
        if self._at is not None and len(self._stack) <= self._deepest:
            steps = (frame.place.replace("~", "~0").replace("/", "~1") for frame in self._stack)
            self._at("".join(f"/{step}" for step in steps))(code, was, now)

    def _look(self, sought: list[str], start: int) -> None:
        depth = len(self._stack)
        if self._nearest <= depth <= len(sought) and all(
            frame.place == name for frame, name in zip(self._stack, sought, strict=False)
        ):
            self._nearest, self.found = depth, start

    def _refuse(self, wanted: str) -> NoReturn:
        """Say what is wrong with the text here, which is the beginning of nothing that JSON has."""
        rest = self.text[self.position : self.position + 20]
        if match := _NO_JSON.match(rest):
            self._fail(f"{match[0]} is no JSON (RFC 8259 §6)", self.position)
        if rest.startswith('"'):
            self._refuse_string()
        if len(self.text) - self.position < 20 and _may_go_on(rest.rstrip()):
            raise self._error(UnfinishedError, "the text ends in the middle of a record", len(self.text))
        self._fail(f"{wanted} is expected here, not {self._excerpt(self.position)}", self.position)

    def _refuse_string(self) -> NoReturn:
        match = _OPEN_STRING.match(self.text, self.position)
        end = match.end() if match else self.position + 1
        rest = self.text[end : end + 6]
        if not rest or (rest[0] == "\\" and re.fullmatch(r"\\(u[0-9a-fA-F]{0,3})?", rest)):
            raise self._error(UnfinishedError, "the text ends in the middle of a record", len(self.text))
        if rest[0] == "\\":
            self._fail(f"{rest[:2]!r} is no escape in a JSON string", end)
        self._fail(f"a string holds the control character {rest[0]!r}, which must be escaped", end)

    def _excerpt(self, position: int) -> str:
        piece = self.text[position : position + 20].split("\n", 1)[0]
        return repr(piece)

    def _fail(self, reason: str, position: int) -> NoReturn:
        raise self._error(DecodeError, reason, position)

    def _error(self, kind: type[DecodeError], reason: str, position: int) -> DecodeError:
        line, column = line_and_column(self.text, position)
        offset = len(self.text[:position].encode(errors="surrogatepass"))
        return kind(reason, line=line, column=column, offset=offset)


def _may_go_on(rest: str) -> bool:
    """Whether these last characters are the beginning of a number or a word."""
    return bool(re.fullmatch(r"-?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?)?)?", rest)) or any(
        word.startswith(rest) for word in _WORDS
    )


def _number(text: str) -> JSON:
    """A number if Python would write it as it stands here, else its text."""
    value: int | float
    if text.lstrip("-").isdigit():
        if len(text) > 20:
            return Verbatim(text)
        value = int(text)
        return value if -(1 << 63) <= value < 1 << 64 and str(value) == text else Verbatim(text)
    value = float(text)
    return value if orjson.dumps(value).decode() == text else Verbatim(text)


def line_and_column(text: str, position: int) -> tuple[int, int]:
    """Line and column of a character, both from 1."""
    return text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
