"""How Slack spells mentions and dates in text.

The forms are those of https://docs.slack.dev/messaging/formatting-message-text: ``<@U…>``, ``<#C…>``,
``<!here>``, ``<!subteam^S…>``, ``<!date^…>``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from planconv.model import (
    Block,
    Date,
    Heading,
    Item,
    Line,
    List,
    Mention,
    Paragraph,
    Quote,
    Raw,
    RawSpan,
    Span,
    Style,
    Table,
    Text,
    make_line,
    text_line,
)

_MENTION = re.compile(
    r"<(?:@(?P<user>[UW][A-Z0-9]+)"
    r"|\#(?P<channel>[CDG][A-Z0-9]+)"
    r"|!(?P<broadcast>here|channel|everyone)"
    r"|!subteam\^(?P<group>S[A-Z0-9]+)"
    r"|!date\^(?P<date>-?[0-9]{1,15})\^(?P<format>[^<>^|\n]+)(?:\^(?P<url>[^<>|\n]+))?)"
    r"(?:\|(?P<label>[^<>\n]*))?>"
)


def with_mentions(block: Block) -> Block:
    """The block with mentions and dates where its text spells them; tasks in it stay as they are."""
    match block:
        case Paragraph(line):
            return Paragraph(read_line(line))
        case Heading(level, line):
            return Heading(level, read_line(line))
        case List(items, ordered, start):
            changed = tuple(Item(tuple(map(with_mentions, item.blocks))) for item in items)
            return List(changed, ordered, start)
        case Quote(blocks):
            return Quote(tuple(map(with_mentions, blocks)))
        case Table(header, rows, align):
            return Table(
                tuple(map(read_line, header)), tuple(tuple(map(read_line, row)) for row in rows), align
            )
        case Raw("html", source) if _MENTION.match(source):
            # To Markdown `<!here>` is an HTML declaration, and a line that begins with one a block of HTML.
            return Paragraph(read_line(text_line(source)))
        case _:
            return block


def read_line(line: Line) -> Line:
    """The line with mentions and dates in it; code stays code."""
    return make_line(piece for span in line for piece in _read_span(span))


def _read_span(span: Span) -> Iterator[Span]:
    match span:
        case Text(text, style, None) if "<" in text and not style & Style.CODE:
            yield from _split(text, style, lambda rest: Text(rest, style))
        case RawSpan("html", source) if _MENTION.fullmatch(source):
            yield from _split(source, Style.PLAIN, Text)
        case _:
            yield span


def _split(text: str, style: Style, plain: Callable[[str], Text]) -> Iterator[Span]:
    end = 0
    for match in _MENTION.finditer(text):
        yield plain(text[end : match.start()])
        yield _made(match, style)
        end = match.end()
    yield plain(text[end:])


def _made(match: re.Match[str], style: Style) -> Mention | Date:
    label = match["label"] or ""
    if match["date"]:
        return Date(int(match["date"]), match["format"], label, match["url"] or "", style=style)
    if match["broadcast"]:
        return Mention("broadcast", match["broadcast"], style=style)
    kind = next(kind for kind in ("user", "channel", "group") if match[kind])
    return Mention(kind, match[kind], label.lstrip("@#"), style)
