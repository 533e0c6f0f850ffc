"""Inline Markdown to a line of spans: flat runs of text with styles and links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from planconv.markdown.parser import Definitions, inline_tokens
from planconv.markdown.simple import read_simple
from planconv.model import (
    PLAIN,
    Break,
    Emoji,
    Image,
    Line,
    Link,
    RawSpan,
    Span,
    Style,
    Text,
    make_line,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

SEPARATOR = "<!-- -->"
"""The comment with which the writer keeps marks apart; it is invisible, and the reader drops it."""

MARKUP = re.compile(
    r"""
    (?=[\\`~\n\]&<:_*])            # one look at a character that is nothing of this
    (?:
      [\\`~\n]                      # an escape, code, struck text, another line
    | \]\(                          # the middle of a link or picture
    | &[#A-Za-z]                    # an entity
    | <[^\s]                        # HTML, an address in angle brackets
    | :(?://|[a-z0-9_+'-]+:)        # a bare address, an emoji
    | (?<!\w)_ | _(?!\w)            # emphasis; not in the middle of a word
    | (?<![ ])\* | \*(?![ ])        # emphasis; not between blanks
    )""",
    re.VERBOSE,
)
"""What a text has to hold if it is to be more than text. It may match too much, never too little."""

_STYLES = {"strong": Style.BOLD, "em": Style.ITALIC, "s": Style.STRIKE}
_TAG_STYLES = {"u": Style.UNDERLINE, "ins": Style.UNDERLINE, "mark": Style.HIGHLIGHT}
_STYLE_TAG = re.compile(r"<(/?)(u|ins|mark)>", re.IGNORECASE)
_BREAK_TAG = re.compile(r"<br[ \t\n]*/?>", re.IGNORECASE)
_LINE_BREAKS = re.compile(r"\r\n?|\n")
_BLANKS = " \t"


def parse_line(source: str, definitions: Definitions | None = None) -> Line:
    """The spans of the inline content of one paragraph, heading or cell.

    CommonMark 0.31 with ``~~`` and bare ``http(s)`` addresses as in GFM, and ``:emoji:``. A soft break
    is a blank; ``<u>``, ``<ins>`` and ``<mark>`` are styles; other HTML stays raw. Blanks at the edges
    of a line mean nothing and are dropped. ``definitions`` resolve ``[text][label]``.
    """
    source = (
        (_LINE_BREAKS.sub("\n", source) if "\r" in source else source)
        .replace("\0", "\ufffd")
        .strip(" \t\n")
    )
    if definitions and "[" in source:
        return trim_line(line_spans(inline_tokens(source, definitions)))
    line = read_simple(source, is_text)
    return trim_line(line_spans(inline_tokens(source, definitions))) if line is None else line


def is_text(source: str) -> bool:
    """Whether these characters are no more than they seem."""
    return not MARKUP.search(source)


def line_spans(tokens: Sequence[Token]) -> Iterator[Span]:
    """The spans that inline tokens stand for, not yet in normal form."""
    paired = _paired_tags(tokens)
    styles: list[Style] = [PLAIN]
    link: Link | None = None
    shown = True
    for index, token in enumerate(tokens):
        if index in paired:
            closing, name = paired[index]
            if closing:
                styles.pop()
            else:
                styles.append(styles[-1] | _TAG_STYLES[name])
        elif token.type == "link_open":
            link = Link(str(token.attrs["href"]), _one_line(str(token.attrs.get("title", ""))))
            shown = False
        elif token.type == "link_close":
            if link and not shown:
                # A link without a text would vanish with its address.
                yield Text(_one_line(link.url), styles[-1], link)
            link = None
        elif token.nesting == 1:
            styles.append(styles[-1] | _STYLES[token.tag])
        elif token.nesting == -1:
            styles.pop()
        else:
            for span in _leaf(token, styles[-1], link):
                shown = shown or span not in (Break(), Text("", styles[-1], link))
                yield span


def _leaf(token: Token, style: Style, link: Link | None) -> Iterator[Span]:
    match token.type:
        case "code_inline":
            yield Text(token.content, style | Style.CODE, link)
        case "softbreak":
            yield Text(" ", style, link)
        case "hardbreak":
            yield Break()
        case "image":
            title = _one_line(str(token.attrs.get("title", "")))
            yield Image(str(token.attrs["src"]), _alt(token.children or []), title, style, link)
        case "emoji":
            yield Emoji(token.content, style=style)
        case "html_inline":
            yield from _html(token.content)
        case _:
            yield Text(_one_line(token.content), style, link)


def _html(source: str) -> Iterator[Span]:
    if _BREAK_TAG.fullmatch(source):
        yield Break()
    elif source != SEPARATOR:
        yield RawSpan("html", _one_line(source))


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def _alt(tokens: Sequence[Token]) -> str:
    """The text that stands for a picture: its label without any marks."""
    parts: list[str] = []
    for token in tokens:
        if token.type == "image":
            parts.append(_alt(token.children or []))
        elif token.type == "emoji":
            parts.append(f":{token.content}:")
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        else:
            parts.append(_one_line(token.content))
    return "".join(parts)


def _paired_tags(tokens: Sequence[Token]) -> dict[int, tuple[bool, str]]:
    """The tags that stand for a style, by index: whether each closes, and its name.

    A tag counts if its partner stands on the same level, inside the same marks.
    """
    paired: dict[int, tuple[bool, str]] = {}
    opened: list[tuple[int, str]] = []
    for index, token in enumerate(tokens):
        tag = _STYLE_TAG.fullmatch(token.content) if token.type == "html_inline" else None
        if tag and not tag[1]:
            opened.append((index, tag[2].lower()))
        elif tag and opened and opened[-1][1] == tag[2].lower():
            paired[opened.pop()[0]] = (False, tag[2].lower())
            paired[index] = (True, tag[2].lower())
        elif token.nesting == 1:
            opened.append((index, ""))
        elif token.nesting == -1:
            while opened.pop()[1]:
                pass  # tags left open inside these marks have no partner
    return paired


def trim_line(spans: Iterable[Span]) -> Line:
    """The normal form, without breaks at its edges and blanks at those of its lines; code is kept."""
    trimmed: list[Span] = []
    for span in make_line(spans):
        match span:
            case Break():
                _trim_end(trimmed)
                if trimmed:
                    trimmed.append(span)
            case Text(text, style, link) if not style & Style.CODE and _at_start(trimmed):
                if text := text.lstrip(_BLANKS):
                    trimmed.append(Text(text, style, link))
            case _:
                trimmed.append(span)
    _trim_end(trimmed)
    while trimmed and isinstance(trimmed[-1], Break):
        trimmed.pop()
    return make_line(trimmed)


def _at_start(spans: list[Span]) -> bool:
    return not spans or isinstance(spans[-1], Break)


def _trim_end(spans: list[Span]) -> None:
    while spans and isinstance(last := spans[-1], Text) and not last.style & Style.CODE:
        text = last.text.rstrip(_BLANKS)
        if text:
            spans[-1] = Text(text, last.style, last.link)
            return
        spans.pop()
