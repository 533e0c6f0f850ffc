"""Titles of Slack's plans and tasks: one line of plain text, in which only code keeps its backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from planconv.loss import LINK_MOVED, MENTION_AS_TEXT, STYLE_DROPPED, TITLE_SHORTENED, Note
from planconv.model import (
    PLAIN,
    Break,
    Image,
    Line,
    Link,
    Mention,
    RawSpan,
    Source,
    Span,
    Style,
    Text,
    make_line,
    plain_text,
    text_line,
)
from planconv.wire.slack.rich_text_spans import html_text, is_absolute, shown

_CODE = re.compile(r"(?<!`)(`+)(?!`)([^\n]+?)(?<!`)\1(?!`)")
MENTION_FORMS = {"user": "<@{}>", "channel": "<#{}>", "group": "<!subteam^{}>", "broadcast": "<!{}>"}
"""How a message spells a mention of each kind (https://docs.slack.dev/messaging/formatting-message-text)."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title as plain text, and what it cannot hold.

    ``links`` are the absolute addresses that its links lead to, ``references`` the relative ones with
    their labels, ``rest`` are the lines after the first.
    """

    text: str
    links: tuple[Source, ...] = ()
    references: tuple[str, ...] = ()
    rest: Line = ()


def read_title(text: str) -> Line:
    """The line that a title shows: code where :func:`write_title` writes it so, all else is literal."""
    spans: list[Span] = []
    end = 0
    for match in _CODE.finditer(text):
        code = Text(_without_padding(match[2]), Style.CODE)
        if _ticked(code) == match[0]:
            spans.extend(text_line(text[end : match.start()]))
            spans.append(code)
            end = match.end()
    return make_line([*spans, *text_line(text[end:])])


def write_title(line: Line, note: Note) -> Title:
    """The line as a title; styles, links, mentions and further lines are noted."""
    first, rest = _first_line(line)
    if first != line:
        note(TITLE_SHORTENED, plain_text(line), plain_text(first))
    links: list[Source] = []
    references: list[str] = []
    for link, label in _links(first):
        note(LINK_MOVED, link.url, label)
        if is_absolute(link.url):
            links.append(Source(link.url, label if label != link.url else ""))
        else:
            references.append(f"{label}: {link.url}" if label != link.url else label)
    plain = make_line(_plain(span, note) for span in first)
    text = shown("".join(_ticked(span) for span in plain), note).replace("\n", " ")
    bare = make_line(Text(span.text, span.style) if isinstance(span, Text) else span for span in first)
    if read_title(text) != bare:
        note(STYLE_DROPPED, plain_text(first), text)
    return Title(text, tuple(links), tuple(references), rest)


def _first_line(line: Line) -> tuple[Line, Line]:
    """The first line that is not empty, and what comes after it."""
    start = 0
    while start < len(line) and isinstance(line[start], Break):
        start += 1
    for index in range(start, len(line)):
        if isinstance(line[index], Break):
            return line[start:index], line[index + 1 :]
    return line[start:], ()


def _links(line: Line) -> Iterator[tuple[Link, str]]:
    """Each link, and picture, of a line with its label."""
    link: Link | None = None
    label = ""
    for span in line:
        here = Link(span.url) if isinstance(span, Image) else span.link if isinstance(span, Text) else None
        if here != link and link is not None:
            yield link, label
        text = (span.alt or span.url) if isinstance(span, Image) else plain_text((span,))
        label = label + text if here == link else text
        link = here
    if link is not None:
        yield link, label


def _plain(span: Span, note: Note) -> Text:
    """The span as plain text or as code."""
    match span:
        case Text(text, style):
            return Text(text, style & Style.CODE)
        case RawSpan("html", source):
            return Text(html_text(source))
        case Image() | RawSpan():
            return Text(plain_text((span,)))
    text = plain_text((span,))
    if isinstance(span, Mention) and not span.label:
        text = MENTION_FORMS.get(span.kind, "@{}").format(span.id)
    note(MENTION_AS_TEXT, text, text)
    return Text(text)


def _ticked(span: Span) -> str:
    if not isinstance(span, Text) or span.style is PLAIN:
        return plain_text((span,))
    longest = max(map(len, re.findall("`+", span.text)), default=0)
    fence = "`" * (longest + 1)
    edges = span.text[0] + span.text[-1]
    padded = "`" in edges or (edges == "  " and span.text.strip(" "))
    return f"{fence} {span.text} {fence}" if padded else fence + span.text + fence


def _without_padding(code: str) -> str:
    return code[1:-1] if code[0] + code[-1] == "  " and code.strip(" ") else code
