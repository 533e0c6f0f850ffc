"""Striking a whole line out, as cancelled tasks are shown."""

from __future__ import annotations

import dataclasses

from planconv.model import Break, Line, RawSpan, Span, Style, Text, make_line


def struck(line: Line) -> Line:
    """The line, struck out."""
    return make_line(_with_style(span, Style.STRIKE, Style.STRIKE) for span in line)


def not_struck(line: Line) -> Line:
    """The line, with nothing struck out in it."""
    return make_line(_with_style(span, Style.STRIKE, Style.PLAIN) for span in line)


def all_struck(line: Line) -> bool:
    """Whether everything in the line that can be struck out is, and there is such a thing."""
    styles = _strikes(line)
    return bool(styles) and all(styles)


def any_struck(line: Line) -> bool:
    """Whether something in the line is struck out."""
    return any(_strikes(line))


def _strikes(line: Line) -> list[bool]:
    """Of all spans that can be seen to be struck out, whether they are; blanks cannot, but in code."""
    return [
        bool(span.style & Style.STRIKE)
        for span in line
        if not isinstance(span, Break | RawSpan) and not _is_blank(span)
    ]


def _is_blank(span: Span) -> bool:
    return isinstance(span, Text) and span.text.isspace() and not span.style & Style.CODE


def _with_style(span: Span, mask: Style, style: Style) -> Span:
    if isinstance(span, Break | RawSpan):
        return span
    return dataclasses.replace(span, style=span.style & ~mask | style)
