"""A line of spans to inline Markdown, which is read back before it is believed.

What is written is parsed again. If the same line does not come back, the next, more careful way of
writing is tried; if none holds a style, it is given up and noted. So whatever
:func:`~planconv.markdown.inline_read.parse_line` does not give back has been noted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from planconv.loss import BLANKS_TRIMMED, STYLE_DROPPED, Note
from planconv.markdown import escape, marks
from planconv.markdown.inline_read import MARKUP, parse_line, trim_line
from planconv.markdown.parser import block_tokens
from planconv.markdown.simple import write_simple
from planconv.markdown.substitutes import CONTROLS, writable_line
from planconv.model import Break, Emoji, Image, Line, RawSpan, Span, Style, Text, make_line, plain_text

_CAREFUL = re.compile(
    rf"(?=[\\`~\]&<:_*\[\#\x00-\x1f\x7f-\x9f\ud800-\udfff])"
    rf"(?:{MARKUP.pattern} | {CONTROLS.pattern} | \[[xX]\] | \#$)",
    re.VERBOSE,
)
_CAREFUL_START = re.compile(r"[ \t#>+=|:\[-]|[0-9]+[.)]")
"""A text that neither matches, without blanks at its end, is written as it stands in any place."""


class _Way(NamedTuple):
    """A way of writing: what is escaped, where marks are set apart, what is tried at all."""

    rows: re.Pattern[str]
    separate: marks.Separate
    html: bool = True
    styles: Style = ~Style.PLAIN
    links: bool = True


_WAYS = (
    _Way(escape.NOWHERE, marks.Separate.WHERE_NEEDED),
    _Way(escape.ANYWHERE, marks.Separate.WHERE_NEEDED),
    _Way(escape.ANYWHERE, marks.Separate.EVERYWHERE),
    _Way(escape.EVERYTHING, marks.Separate.EVERYWHERE),
    _Way(escape.ANYWHERE, marks.Separate.WHERE_NEEDED, html=False),
    _Way(escape.EVERYTHING, marks.Separate.EVERYWHERE, html=False),
    _Way(escape.EVERYTHING, marks.Separate.EVERYWHERE, html=False, styles=Style.CODE),
    _Way(escape.EVERYTHING, marks.Separate.EVERYWHERE, html=False, styles=Style.PLAIN, links=False),
)
"""From the most readable to the one that cannot fail."""


def write_line(
    line: Line, note: Note, *, single_line: bool = False, in_task: bool = False, in_heading: bool = False
) -> str:
    r"""Inline Markdown for one paragraph, that any GFM viewer shows as this line.

    It is safe wherever a paragraph may begin: no line of it can start a heading, list, quote, fence,
    table, rule, HTML block or link definition. A break is a backslash and a line break, and the caller
    indents what follows.

    Args:
        line: what to write.
        note: told of everything that reading the result does not give back.
        single_line: write breaks as ``<br>``, for cells and headings.
        in_task: the text stands behind a box, where no block begins, and where ``[x]`` has to be
            written ``[x\]`` because cmark-gfm would tick the box for it.
        in_heading: the text stands behind ``#``, where no block begins either, and a ``#`` at the end
            would vanish.
    """
    simple = write_simple(line, _harmless_inside)
    if simple is not None and _harmless_edges(simple):
        return simple
    place = _Place(single_line, in_task, in_heading)
    wanted = _trimmed(writable_line(line, note), note)
    source, back = _written(wanted, place)
    if back != wanted:
        note(STYLE_DROPPED, plain_text(wanted), source)
        again, same = _written(back, place)  # what is left of it is written as it will be written next time
        source = again if same == back else source
    return source


def _written(wanted: Line, place: _Place) -> tuple[str, Line]:
    """The line in the first way that gives it back, and what is read of it."""
    settled = marks.settle_blanks(wanted)
    source, back = "", wanted
    for way in _WAYS[_has_marks(settled) :]:
        tried = _as_far_as(way, settled)
        source = place.write(tried, way)
        back = parse_line(source)
        if back == tried and place.holds(source):
            break
    return source, back


def _harmless_inside(text: str) -> bool:
    return not _CAREFUL.search(text)


def _harmless_edges(source: str) -> bool:
    return not (source and (_CAREFUL_START.match(source) or source[-1] in " \t"))


def _has_marks(line: Line) -> bool:
    """Whether there is more than text: beside marks, viewers differ in what they take for one more."""
    return any(
        isinstance(span, Image) or getattr(span, "style", None) or getattr(span, "link", None)
        for span in line
    )


def _trimmed(line: Line, note: Note) -> Line:
    trimmed = trim_line(line)
    if trimmed != line:
        note(BLANKS_TRIMMED, plain_text(line), plain_text(trimmed))
    return trimmed


def _as_far_as(way: _Way, line: Line) -> Line:
    """The line with no more than this way of writing tries."""
    if way.html:
        return line
    return trim_line(make_line(_reduced(way, span) for span in line))


def _reduced(way: _Way, span: Span) -> Span:
    match span:
        case Text(text, style, link):
            return Text(text, style & way.styles, link if way.links else None)
        case Emoji(name, _, _, style):
            return Emoji(name, style=style & way.styles)
        case Image(url, alt, title, style, link) if way.links:
            return Image(url, alt, title, style & way.styles, link)
        case Image() | RawSpan():
            return Text(plain_text((span,)))
    return span


class _Place(NamedTuple):
    """Where in a document the text will stand."""

    single_line: bool
    in_task: bool
    in_heading: bool

    def write(self, line: Line, way: _Way) -> str:
        """The line in this way of writing, safe in this place as far as escapes can make it."""
        brackets = any(isinstance(span, Image) or getattr(span, "link", None) for span in line)
        escaping = marks.Escaping(way.rows, brackets, self.in_task)
        lines = [marks.write_spans(spans, escaping, way.separate) for spans in _lines(line)]
        if self.single_line or self.in_heading:
            lines = ["<br>".join(lines)]
        if self.in_heading:
            return escape.escape_heading_end(lines[0])
        first = lines[0] if self.in_task else escape.escape_box(escape.escape_start(lines[0]))
        return escape.escape_definition("\\\n".join([first, *map(escape.escape_start, lines[1:])]))

    def holds(self, source: str) -> bool:
        """Whether the source stays one paragraph, for good or for as long as escapes are tried."""
        one_line = "\n" not in source
        if self.in_heading or (one_line and (self.in_task or source[:1].isalpha())):
            return True
        tokens, definitions = block_tokens("[ ] " + source if self.in_task else source)
        return not definitions and [token.type for token in tokens] in (
            [],
            ["paragraph_open", "inline", "paragraph_close"],
        )


def _lines(line: Line) -> Iterator[Line]:
    start = 0
    for index, span in enumerate(line):
        if isinstance(span, Break):
            yield line[start:index]
            start = index + 1
    yield line[start:]
