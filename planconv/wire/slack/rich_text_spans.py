"""What stands in a line of Slack's rich text: the inline elements, and the model's spans, both ways.

The elements and what they may hold are those of Slack's pages on rich text elements
(https://docs.slack.dev/reference/block-kit/block-elements/rich-text-section-element). Text in them is
raw: nothing is escaped, and nothing in it is ever a mention or a link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from planconv.errors import DecodeError
from planconv.loss import (
    BLOCK_SIMPLIFIED,
    CHARACTER_REPLACED,
    LUGGAGE_DROPPED,
    MENTION_AS_TEXT,
    SHAPE_ASSUMED,
    STYLE_DROPPED,
    Note,
)
from planconv.model import (
    JSON,
    PLAIN,
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
    plain_text,
)
from planconv.pictures import PICTURES, UNSAFE
from planconv.wire import json

Element = dict[str, JSON]

LUGGAGE = "slack"
"""The format name of raw spans and blocks that only Slack understands."""

MAX_URL = 3000

_FLAGS = {
    "bold": Style.BOLD,
    "italic": Style.ITALIC,
    "strike": Style.STRIKE,
    "underline": Style.UNDERLINE,
    "highlight": Style.HIGHLIGHT,
    "code": Style.CODE,
}
_MENTIONS = {
    # type of the element, kind in the model, field of the id, form of the id
    "user": ("user", "user_id", r"[UW][A-Z0-9]+"),
    "usergroup": ("group", "usergroup_id", r"S[A-Z0-9]+"),
    "channel": ("channel", "channel_id", r"[CGD][A-Z0-9]+"),
    "team": ("team", "team_id", r"T[A-Z0-9]+"),
    "broadcast": ("broadcast", "range", r"here|channel|everyone"),
}
_TYPE_OF_MENTION = {kind: (type_, field, form) for type_, (kind, field, form) in _MENTIONS.items()}

_EMOJI_NAME = re.compile(r"[^:\s]+(::skin-tone-[2-6])?")
_UNICODE = re.compile(r"[0-9a-f]+(-[0-9a-f]+)*")
_DATE_FORMAT = re.compile(r"(?s).*\{\w+\}.*")
_COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+-]+:\S")


def shown(text: str, note: Note) -> str:
    """The text with a picture in place of each control character and half of a UTF-16 pair."""
    if UNSAFE.search(text) is None:
        return text
    clean = text.translate(PICTURES)
    note(CHARACTER_REPLACED, text, clean)
    return clean


def is_absolute(url: str) -> bool:
    """Whether Slack takes this as the address of a link: it begins with a scheme, and is not too long."""
    return _ABSOLUTE.match(url) is not None and len(url) <= MAX_URL


# --- spans to elements --------------------------------------------------------------------------


def write_elements(line: Line, note: Note) -> list[Element]:
    """The elements that show this line; a break is ``\\n`` in a text.

    What cannot be an element (a link without a scheme, a mention whose id Slack would refuse) is text.
    """
    elements: list[Element] = []
    for index, span in enumerate(line):
        following = line[index + 1] if index + 1 < len(line) else None
        append_elements(elements, _write_span(span, following, note))
    return elements


def append_elements(elements: list[Element], more: Iterable[Element]) -> None:
    """Put more elements behind the others, neighbouring texts, or labels of a link, in one style as one."""
    for element in more:
        if elements and _go_together(elements[-1], element):
            last = elements[-1]
            text = f"{last.get('text', last.get('url'))}{element.get('text', element.get('url'))}"
            elements[-1] = {key: last[key] for key in ("type", "url") if key in last} | {"text": text}
            if "style" in last:
                elements[-1]["style"] = last["style"]
        else:
            elements.append(element)


def _go_together(first: Element, second: Element) -> bool:
    if first.get("type") not in ("text", "link") or not first.keys() <= {"type", "url", "text", "style"}:
        return False
    return {**first, "text": ""} == {**second, "text": ""}


def text_element(text: str, style: Style = PLAIN) -> Element:
    """A text element."""
    return {"type": "text", "text": text, **_write_style(style)}


def _write_style(style: Style) -> Element:
    flags: Element = {name: True for name, flag in _FLAGS.items() if flag in style}
    return {"style": flags} if flags else {}


def _write_span(span: Span, following: Span | None, note: Note) -> list[Element]:
    match span:
        case Text(text, style, None):
            return [text_element(shown(text, note), style)]
        case Text(text, style, link) if link is not None:
            return _write_link(shown(text, note), style, link, following, note)
        case Break():
            return [text_element("\n")]
        case Image():
            return _write_image(span, note)
        case Mention():
            return [_write_mention(span, note)]
        case Emoji():
            return [_write_emoji(span, note)]
        case Date():
            return [_write_date(span, note)]
        case Color(value, style):
            if _COLOR.fullmatch(value):
                return [{"type": "color", "value": value, **_write_style(_without_code(style, note))}]
            return _as_text(span, style, note)
        case RawSpan():
            return _write_raw(span, note)
    return []


def _write_link(text: str, style: Style, link: Link, following: Span | None, note: Note) -> list[Element]:
    if link.title:
        note(STYLE_DROPPED, link.title, text)
    url = shown(link.url, note)
    if is_absolute(url):
        label: Element = {"text": text} if text != url else {}
        return [{"type": "link", "url": url, **label, **_write_style(style)}]
    if isinstance(following, Text) and following.link == link:
        return [text_element(text, style)]
    note(STYLE_DROPPED, link.url, text)
    beside = f" ({url})" if url and url != text else ""
    return [text_element(text, style), *([text_element(beside)] if beside else [])]


def _write_image(image: Image, note: Note) -> list[Element]:
    note(BLOCK_SIMPLIFIED, image.url, image.alt)
    alt, url = shown(image.alt, note), shown(image.url, note)
    if is_absolute(url):
        label: Element = {"text": alt} if alt and alt != url else {}
        return [{"type": "link", "url": url, **label, **_write_style(image.style)}]
    text = f"{alt} ({url})" if alt and url else alt or url
    return [text_element(text, image.style)] if text else []


def _write_mention(mention: Mention, note: Note) -> Element:
    type_, field, form = _TYPE_OF_MENTION.get(mention.kind, ("", "", ""))
    if not type_ or not re.fullmatch(form, mention.id):
        return _as_text(mention, mention.style, note)[0]
    if mention.label:
        note(STYLE_DROPPED, mention.label, mention.id)
    return {"type": type_, field: mention.id, **_write_style(_without_code(mention.style, note))}


def _write_emoji(emoji: Emoji, note: Note) -> Element:
    if not _EMOJI_NAME.fullmatch(emoji.name) or UNSAFE.search(emoji.name):
        return _as_text(emoji, emoji.style, note)[0]
    element: Element = {"type": "emoji", "name": emoji.name}
    if _UNICODE.fullmatch(emoji.unicode):
        element["unicode"] = emoji.unicode
    elif emoji.unicode:
        note(STYLE_DROPPED, emoji.unicode, emoji.name)
    if is_absolute(emoji.url):
        element["url"] = shown(emoji.url, note)
    elif emoji.url:
        note(STYLE_DROPPED, emoji.url, emoji.name)
    return {**element, **_write_style(_without_code(emoji.style, note))}


def _write_date(date: Date, note: Note) -> Element:
    if date.timestamp < 0 or not _DATE_FORMAT.fullmatch(date.format):
        return _as_text(date, date.style, note)[0]
    element: Element = {"type": "date", "timestamp": date.timestamp, "format": shown(date.format, note)}
    if date.timezone:
        element["timezone"] = shown(date.timezone, note)
    if is_absolute(date.url):
        element["url"] = shown(date.url, note)
    elif date.url:
        note(STYLE_DROPPED, date.url, date.fallback)
    if date.fallback:
        element["fallback"] = shown(date.fallback, note)
    return {**element, **_write_style(_without_code(date.style, note))}


def _write_raw(span: RawSpan, note: Note) -> list[Element]:
    if span.format == LUGGAGE and (element := unpacked(span.source)) is not None:
        return [element]
    note(STYLE_DROPPED, span.source)
    text = shown(html_text(span.source) if span.format == "html" else span.source, note)
    return [text_element(text)] if text else []


def _as_text(span: Mention | Emoji | Date | Color, style: Style, note: Note) -> list[Element]:
    text = shown(plain_text((span,)), note) or "?"
    note(MENTION_AS_TEXT, text, text)
    return [text_element(text, style)]


def _without_code(style: Style, note: Note) -> Style:
    if Style.CODE in style:
        note(STYLE_DROPPED, "code")
    return style & ~Style.CODE


_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)")
_LINE_BREAK = re.compile(r"(?i)<br\s*/?>\n?")


def html_text(source: str) -> str:
    """HTML as the text that it is: comments vanish, ``<br>`` is a line break, other tags are shown."""
    return _LINE_BREAK.sub("\n", _COMMENT.sub("", source))


def unpacked(source: str) -> Element | None:
    """The element or container that a raw span or block of Slack's own holds, if it is one."""
    try:
        value = json.loads(source.encode(), None)
    except (DecodeError, UnicodeEncodeError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("type"), str) else None


def packed(element: JSON) -> str:
    """What :func:`unpacked` reads."""
    return json.dumps(element).decode()


# --- elements to spans --------------------------------------------------------------------------


def read_elements(elements: JSON, note: Note) -> list[Span]:
    """The spans that these elements show; each ``\\n`` in a text is a break. Empty ones are passed over.

    An element that is not known here, or not as Slack says, is a raw span. A known element's fields and
    style flags that the model has no place for (``client_highlight``, ``unsafe``) are noted.
    """
    if not isinstance(elements, list):
        return []
    return [span for element in elements for span in _read_element(element, note)]


def _read_element(element: JSON, note: Note) -> Sequence[Span]:
    if isinstance(element, str):
        note(SHAPE_ASSUMED, element)
        return _broken(element, PLAIN, None)
    if not isinstance(element, dict):
        return [RawSpan(LUGGAGE, packed(element))]
    spans, known = _spans_of(element)
    if spans is None:
        return [RawSpan(LUGGAGE, packed(element))]
    style = _read_style(element.get("style"), note)
    left = {key: value for key, value in element.items() if key not in {"type", "style", *known}}
    if left:
        note(LUGGAGE_DROPPED, left)
    return [_styled(span, style) for span in spans]


def _spans_of(element: Mapping[str, JSON]) -> tuple[Sequence[Span] | None, Sequence[str]]:
    """The spans of an element without its style, ``None`` if it is unknown, and the fields used."""
    match element:
        case {"type": "text", "text": str(text)}:
            return _broken(text, PLAIN, None), ("text",)
        case {"type": "link", "url": str(url)} if url:
            label = element.get("text")
            text = label if isinstance(label, str) and label else url
            return _broken(text, PLAIN, Link(url)), ("url", "text")
        case {"type": "emoji", "name": str(name)}:
            return _read_emoji(name, element)
        case {"type": "date", "timestamp": int(timestamp), "format": str(format)} if not isinstance(
            timestamp, bool
        ):
            fallback, url, timezone = (_string(element, key) for key in ("fallback", "url", "timezone"))
            used = ("timestamp", "format", "fallback", "url", "timezone")
            return [Date(timestamp, format, fallback, url, timezone)], used
        case {"type": "color", "value": str(value)}:
            return [Color(value)], ("value",)
        case {"type": str(type_)} if type_ in _MENTIONS:
            kind, field, _ = _MENTIONS[type_]
            id = _string(element, field)
            return ([Mention(kind, id)] if id else None), (field,)
    return None, ()


def _read_emoji(name: str, element: Mapping[str, JSON]) -> tuple[Sequence[Span], Sequence[str]]:
    used = ["name", "unicode", "url"]
    tone = element.get("skin_tone")
    if isinstance(tone, int) and 2 <= tone <= 6:
        used.append("skin_tone")
        if "::" not in name:
            name = f"{name}::skin-tone-{tone}"
    return [Emoji(name, _string(element, "unicode"), _string(element, "url"))], used


def _string(element: Mapping[str, JSON], key: str) -> str:
    value = element.get(key)
    return value if isinstance(value, str) else ""


def _broken(text: str, style: Style, link: Link | None) -> list[Span]:
    spans: list[Span] = []
    for number, piece in enumerate(text.replace("\r\n", "\n").split("\n")):
        if number:
            spans.append(Break())
        if piece:
            spans.append(Text(piece, style, link))
    return spans


def _read_style(flags: JSON, note: Note) -> Style:
    style = PLAIN
    if isinstance(flags, dict):
        for name, value in flags.items():
            if value is True and name in _FLAGS:
                style |= _FLAGS[name]
            elif value is not False:
                note(STYLE_DROPPED, name)
    return style


def _styled(span: Span, style: Style) -> Span:
    match span:
        case Text(text, _, link):
            return Text(text, style, link)
        case Mention(kind, id, label):
            return Mention(kind, id, label, style)
        case Emoji(name, unicode, url):
            return Emoji(name, unicode, url, style)
        case Date(timestamp, format, fallback, url, timezone):
            return Date(timestamp, format, fallback, url, timezone, style)
        case Color(value):
            return Color(value, style)
    return span
