"""What Markdown has no form for, as the text that a reader sees instead."""

from __future__ import annotations

import re

from planconv.loss import CHARACTER_REPLACED, MENTION_AS_TEXT, STYLE_DROPPED, Note
from planconv.markdown.inline_read import parse_line
from planconv.markdown.rules import EMOJI_NAME
from planconv.model import (
    Break,
    Color,
    Date,
    Emoji,
    Image,
    Line,
    Link,
    Mention,
    RawSpan,
    Span,
    Style,
    Text,
    make_line,
    plain_text,
)
from planconv.pictures import PICTURES, UNSAFE

CONTROLS = re.compile(rf"{UNSAFE.pattern}|\n")
"""Characters that must not reach a page, since they could command a terminal or end a line."""

_LINE_BREAK = re.compile(r"\r\n?|\n")
_NAME = re.compile(EMOJI_NAME)


def writable_line(line: Line, note: Note) -> Line:
    """The line in spans that Markdown can hold: text, breaks, pictures, plain emoji, HTML."""
    return make_line(_writable(span, note) for span in line)


def _writable(span: Span, note: Note) -> Span:
    match span:
        case Text(text, style, link):
            return Text(_visible(text, note), style, _writable_link(link, note))
        case Image(url, alt, title, style, link):
            return Image(
                _writable_url(url, note),
                _visible(alt, note),
                _visible(title, note),
                _without_code(style, alt, note),
                _writable_link(link, note),
            )
        case Emoji(name, unicode, url, style) if _NAME.fullmatch(name):
            if unicode or url:
                note(MENTION_AS_TEXT, unicode or url, f":{name}:")
            return Emoji(name, style=_without_code(style, name, note))
        case RawSpan("html", source) if not CONTROLS.search(source) and parse_line(source) == (span,):
            return span
        case RawSpan(_, source):
            note(STYLE_DROPPED, source, source)
            return Text(_visible(source, note))
        case Break():
            return span
        case Mention() | Emoji() | Date() | Color():
            return as_text(span, note, visible=True)


def _without_code(style: Style, text: str, note: Note) -> Style:
    """The style without the one that only characters can have."""
    if style & Style.CODE:
        note(STYLE_DROPPED, text, text)
    return style & ~Style.CODE


def as_text(span: Mention | Emoji | Date | Color, note: Note, *, visible: bool) -> Text:
    """The characters that stand for the span, with control characters made ``visible`` or kept."""
    match span:
        case Mention(kind, id, label):
            text = _mention(span, kind, id, f"|{label}" if label else "")
        case Date(timestamp, format, fallback, url):
            address = f"^{url}" if url else ""
            text = f"<!date^{timestamp}^{format}{address}|{fallback}>"
        case _:
            text = plain_text((span,))
    note(MENTION_AS_TEXT, plain_text((span,)), text)
    return Text(_visible(text, note) if visible else text, span.style & ~Style.CODE)


def _mention(span: Mention, kind: str, id: str, label: str) -> str:
    match kind:
        case "user":
            return f"<@{id}{label}>"
        case "channel":
            return f"<#{id}{label}>"
        case "group":
            return f"<!subteam^{id}{label}>"
        case "broadcast":
            return f"<!{id}{label}>"
    return plain_text((span,))


def _writable_link(link: Link | None, note: Note) -> Link | None:
    if link is None:
        return None
    return Link(_writable_url(link.url, note), _visible(link.title, note))


def _writable_url(url: str, note: Note) -> str:
    if not CONTROLS.search(url):
        return url
    written = CONTROLS.sub(_percent, url)
    note(CHARACTER_REPLACED, url, written)
    return written


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode(errors="replace"))


def _visible(text: str, note: Note) -> str:
    """The text on one line, a picture (``␛``) in the place of each control character."""
    if not CONTROLS.search(text):
        return text
    written = _LINE_BREAK.sub(" ", text).translate(PICTURES)
    note(CHARACTER_REPLACED, text, written)
    return written
