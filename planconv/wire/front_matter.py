"""YAML front matter: where each value stands, so that one can be changed and all else stays as it is.

ruamel.yaml composes the nodes with their places (YAML 1.2); nothing is constructed from tags. What is not
quite valid, a plain text with ``: `` in it, is quoted first, and the caller is told the line.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from planconv.errors import DecodeError
from planconv.model import JSON, Verbatim

if TYPE_CHECKING:
    from ruamel.yaml.nodes import Node

_FRONT = re.compile(r"\s*---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_ENTRY = re.compile(r"([ \t]*(?:-[ \t]+)?[\w-]+:[ \t]+)([^\s\"'\[{|>&*!%@`#][^\r\n]*?)([ \t]*)\Z")
_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_./()+-]*(?:,? [A-Za-z0-9_./()+-]+)*[.]?\Z")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)\Z")
_REAL = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?\Z")
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_DEEPEST = 40
_MOST = 100_000
"""How many values front matter may have, aliases counted as what they stand for."""


class Value(NamedTuple):
    """A value and the characters of the document that it takes."""

    value: JSON
    text: str | None
    start: int
    end: int
    keys: dict[str, Value]
    items: list[Value]
    line: int


class Document(NamedTuple):
    """A document with front matter: its top value, and where the text below begins."""

    top: Value
    text: str
    body_at: int


def read(text: str, repaired: Callable[[int, str, str], None]) -> Document | None:
    """The front matter of a text; ``None`` if it has none.

    ``repaired`` is told the line (from 1), what stood there, and how it was read.

    Raises:
        DecodeError: it is no YAML; line and column are those in the text.
    """
    match = _FRONT.match(text)
    if match is None:
        return None
    start = match.start(1)
    above = text.count("\n", 0, start)
    yaml = match[1]
    try:
        node = _compose(yaml)
    except DecodeError:
        yaml, changes = _repair(yaml)
        node = _composed(yaml, above)
        for line, was, now in changes:
            repaired(above + line, was, now)
    text = text[:start] + yaml + text[match.end(1) :]
    body_at = match.end() + len(yaml) - len(match[1])
    return Document(_Reader(start, above).value(node, 0), text, body_at)


def _composed(yaml: str, above: int) -> Node | None:
    try:
        return _compose(yaml)
    except DecodeError as error:
        line = None if error.line is None else error.line + above
        raise DecodeError(error.reason, line=line, column=error.column) from None


def _compose(yaml: str) -> Node | None:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        node: Node | None = YAML(typ="rt").compose(yaml)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise DecodeError(
            f"the front matter is no YAML: {error.problem}", line=line, column=column
        ) from None
    except (YAMLError, ValueError, RecursionError, AttributeError, TypeError, IndexError) as error:
        raise DecodeError(f"the front matter is no YAML: {error}") from None
    return node


def _repair(yaml: str) -> tuple[str, list[tuple[int, str, str]]]:
    """The YAML with plain texts that hold ``: `` or `` #`` in quotes, and what was changed."""
    lines = yaml.split("\n")
    changes: list[tuple[int, str, str]] = []
    for number, line in enumerate(lines):
        bare = line.removesuffix("\r")
        match = _ENTRY.match(bare)
        if match and (": " in match[2] or match[2].endswith(":")):
            lines[number] = f"{match[1]}{quoted(match[2])}{match[3]}{line[len(bare) :]}"
            changes.append((number + 1, bare.strip(), lines[number].strip()))
    return "\n".join(lines), changes


class _Reader:
    """Turns nodes into values; ``start`` and ``above`` say where the YAML begins in its document."""

    def __init__(self, start: int, above: int) -> None:
        self._start = start
        self._above = above
        self._count = 0

    def value(self, node: Node | None, depth: int) -> Value:
        self._count += 1
        if depth > _DEEPEST or self._count > _MOST:
            raise DecodeError("the front matter is nested too deeply, or repeats itself by aliases")
        if node is None:
            return Value(None, None, self._start, self._start, {}, [], self._above + 1)
        keys: dict[str, Value] = {}
        items: list[Value] = []
        text: str | None = None
        value: JSON = None
        match getattr(node, "id", ""):
            case "mapping":
                for key, inner in node.value:
                    keys[str(key.value) if key.id == "scalar" else ""] = self.value(inner, depth + 1)
                value = {name: inner.value for name, inner in keys.items()}
            case "sequence":
                items = [self.value(inner, depth + 1) for inner in node.value]
                value = [inner.value for inner in items]
            case _:
                style = getattr(node, "style", None)
                # ruamel.yaml marks where a folded text was folded.
                text = str(node.value).replace("\a", "") if style == ">" else str(node.value)
                value = text if style else _plain(text)
        mark = node.start_mark
        return Value(
            value,
            text,
            self._start + mark.index,
            self._start + node.end_mark.index,
            keys,
            items,
            self._above + mark.line + 1,
        )


def _plain(text: str) -> JSON:
    """What a scalar without quotes means (YAML 1.2, core schema)."""
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if _NUMBER.match(text) and len(text) <= 15 and text != "-0":
        return int(text)
    if _REAL.match(text):
        return float(text) if repr(float(text)) == text else Verbatim(text)
    return text


# --- changing what stands there -------------------------------------------------------------------

_MARGIN = re.compile(r"[ \t]*(?:-[ \t]+)*")


class Edit(NamedTuple):
    """Characters of a document, and what is to stand in their place."""

    start: int
    end: int
    text: str


def key_behind(document: Document, value: Value, key: str, written: str) -> Edit:
    """Another key of the mapping that ``value`` stands in, behind that value.

    In a mapping in braces it follows on the same line, else it gets a line of its own.
    """
    text = document.text
    start = text.rfind("\n", 0, value.start) + 1
    margin = _MARGIN.match(text, start, value.start)
    indent = " " * (margin.end() - start if margin else 0)
    if "{" in text[start : value.start]:
        return Edit(value.end, value.end, f", {key}: {written}")
    end = value.end
    if text[end - 1] != "\n":
        end = text.index("\n", end) + 1
    line_end = "\r\n" if text[:end].endswith("\r\n") else "\n"
    return Edit(end, end, f"{indent}{key}: {written}{line_end}")


def changed(source: str, document: Document, edits: Iterable[Edit]) -> str:
    """The text that the document was read from, with these edits.

    A line that was repaired to be read stays as it was, unless an edit stands on it.
    """
    was, now = _starts(source), _starts(document.text)
    for edit in sorted(edits, reverse=True):
        first, last = bisect_right(now, edit.start) - 1, bisect_right(now, edit.end) - 1
        start = was[first] + edit.start - now[first]
        # What stands behind the value is the same, so the end is counted from there.
        end = was[last + 1] - (now[last + 1] - edit.end) if edit.end != now[last] else was[last]
        source = source[:start] + edit.text + source[end:]
    return source


def _starts(text: str) -> list[int]:
    """Where each line begins, and where the text ends."""
    return [0, *(match.end() for match in re.finditer("\n", text)), len(text)]


# --- writing --------------------------------------------------------------------------------------


def scalar(text: str) -> str:
    """A text as YAML: plain if it can be mistaken for nothing else, else in double quotes."""
    if _BARE.match(text) and text.lower() not in _WORDS:
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """A text in double quotes (YAML 1.2 §7.3.1)."""
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))
