"""Lines of nothing but text and plain code spans, as most titles are: they need no parser.

A plain code span has one backtick on either side, no blank at its edges, and stands between blanks or the
punctuation of a sentence. What is not that simple is left to the parser; both ways give the same.
"""

from __future__ import annotations

from collections.abc import Callable

from planconv.model import Line, Span, Style, Text

_BEFORE = frozenset(" (")
_AFTER = frozenset(" ,.;:!?)")
_NOT_IN_CODE = frozenset("[]|\\")
"""Boxes, cells and escapes in code are treated with care by those who know where the line stands."""


def read_simple(source: str, is_text: Callable[[str], bool]) -> Line | None:
    """The spans of a line, or ``None`` if it is not simple; ``is_text`` says so of what is no code."""
    parts = source.split("`")
    if len(parts) % 2 == 0:
        return None
    line: list[Span] = []
    for number, part in enumerate(parts):
        if number % 2:
            if not _is_code(part):
                return None
            line.append(Text(part, Style.CODE))
        elif not (is_text(part) and _stands_apart(part, number == 0, number == len(parts) - 1)):
            return None
        elif part:
            line.append(Text(part))
    return tuple(line)


def write_simple(line: Line, is_text: Callable[[str], bool]) -> str | None:
    """The source of a line, or ``None`` if it is not simple."""
    parts: list[str] = []
    for span in line:
        match span:
            case Text(text, Style.PLAIN, None) if is_text(text):
                parts.append(text)
            case Text(text, Style.CODE, None) if _is_code(text):
                parts.append(f"`{text}`")
            case _:
                return None
    source = "".join(parts)
    return source if read_simple(source, is_text) == line else None


def _is_code(text: str) -> bool:
    return (
        text.isprintable()
        and text.strip() == text != ""
        and "`" not in text
        and _NOT_IN_CODE.isdisjoint(text)
    )


def _stands_apart(text: str, first: bool, last: bool) -> bool:
    """Whether code can stand on the sides of this text on which there is some."""
    if not text:
        return first or last
    return (first or text[0] in _AFTER) and (last or text[-1] in _BEFORE)
