"""Inline rules that CommonMark does not have, written against markdown-it's rule protocol.

``:wave:`` is an emoji, and a bare ``https://`` address is a link by the rules of GFM §6.9. The other
rules are for plain-text fields, where a mark counts only at the edge of a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

EMOJI_NAME = r"(?:[+-]1|[0-9_+'-]*[a-z][a-z0-9_+'-]*)(?:::skin-tone-[2-6])?"
"""At least one letter, so that ``10:30:45`` is a time; but for the two thumbs, ``+1`` and ``-1``."""

_EMOJI = re.compile(rf":({EMOJI_NAME}):(?![^\W_])(?!:(?!{EMOJI_NAME}:))")
_BEFORE_EMOJI = re.compile(r"[^\W_]|:")

# Only blanks of ASCII end an address, as in cmark-gfm.
_URL = re.compile(r"(?i:https?)://[A-Za-z0-9][^ \t\n\v\f\r<]*")
# A host ends before the first ASCII punctuation that cannot stand in one.
_HOST = re.compile(r"//([^\s!-,/:-@\[-^`{-~]+)")
_SCHEME_AT_END = re.compile(r"(?i)(?<![a-z])https?\Z")
_TRAILING_ENTITY = re.compile(r"&[A-Za-z0-9]+;\Z")


def emoji(state: StateInline, silent: bool) -> bool:
    """``:name:`` at the edge of a word; one emoji may follow another without a blank."""
    if state.src[state.pos] != ":" or state.linkLevel:
        return False
    match = _EMOJI.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    after_emoji = bool(state.tokens) and not state.pending and state.tokens[-1].type == "emoji"
    if state.pos and not after_emoji and _BEFORE_EMOJI.match(state.src, state.pos - 1):
        return False
    if not silent:
        state.push("emoji", "", 0).content = match[1]
    state.pos = match.end()
    return True


def bare_url(state: StateInline, silent: bool) -> bool:
    """An address that stands in the text as it is (GFM §6.9, "extended url autolink").

    The rule is called at the colon; the scheme before it is already waiting as text.
    """
    if silent or state.linkLevel or not state.src.startswith("://", state.pos):
        return False
    scheme = _SCHEME_AT_END.search(state.src[max(0, state.pos - 6) : state.pos])
    if scheme is None or not state.pending.endswith(scheme[0]):
        return False
    start = state.pos - len(scheme[0])
    url = find_url(state.src, start, state.posMax)
    if not url:
        return False
    state.pending = state.pending[: -len(scheme[0])]
    state.push("link_open", "a", 1).attrs = {"href": url}
    state.push("text", "", 0).content = url
    state.push("link_close", "a", -1)
    state.pos = start + len(url)
    return True


def find_url(source: str, start: int = 0, end: int | None = None) -> str:
    """The bare address that begins at ``start``, without the punctuation behind it; ``""`` if none."""
    match = _URL.match(source, start, len(source) if end is None else end)
    host = match and _HOST.search(match[0])
    if match is None or host is None or any("_" in part for part in host[1].split(".")[-2:]):
        return ""
    return _without_trailing_punctuation(match[0])


def _without_trailing_punctuation(url: str) -> str:
    unmatched = url.count(")") - url.count("(")
    end = len(url)
    while end:
        last = url[end - 1]
        if last in "?!.,:*_~'\"":
            end -= 1
        elif last == ")" and unmatched > 0:
            unmatched -= 1
            end -= 1
        elif last == ";":
            # What looks like an entity is left to the text behind the address, else only the semicolon.
            entity = _TRAILING_ENTITY.search(url, max(0, end - 40), end)
            end = entity.start() if entity else end - 1
        else:
            break
    return url[:end]


# --- plain text ---------------------------------------------------------------------------------

_OPENING = re.compile(r"[\s(\[{<\"'«“‘„「（]")
_CLOSING = re.compile(r"[\s)\]}>\"'»”’“」）.,;:!?…。，、：；！？]")
_ANGLED = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>")
_MARKS = "*~"
_MOST_MARKS = 6  # as many as stand side by side in `~~***text***~~`, with some to spare


def edge_emphasis(state: StateInline, silent: bool) -> bool:
    """``*`` at the edge of a word; ``_`` is a character like any other."""
    from markdown_it.rules_inline import emphasis

    return state.src[state.pos] == "*" and _at_edge(state, silent, emphasis.tokenize)


def edge_strikethrough(state: StateInline, silent: bool) -> bool:
    """``~~`` at the edge of a word."""
    from markdown_it.rules_inline import strikethrough

    return state.src[state.pos] == "~" and _at_edge(state, silent, strikethrough.tokenize)


def _at_edge(state: StateInline, silent: bool, rule: Callable[[StateInline, bool], bool]) -> bool:
    """Let a rule take its marks, and make them text where they stand inside of a word."""
    before, known = state.pos, len(state.delimiters)
    if not rule(state, silent):
        return False
    opens = _beside(state.src, before - 1, -1, _OPENING)
    closes = _beside(state.src, state.pos, 1, _CLOSING)
    for delimiter in state.delimiters[known:]:
        delimiter.open = delimiter.open and opens
        delimiter.close = delimiter.close and closes
    return True


def _beside(source: str, index: int, step: int, edge: re.Pattern[str]) -> bool:
    for _ in range(_MOST_MARKS):
        if not (0 <= index < len(source) and source[index] in _MARKS):
            break
        index += step
    return not 0 <= index < len(source) or edge.match(source, index) is not None


def edge_link(state: StateInline, silent: bool) -> bool:
    """A link, unless it is glued to a word: ``rows[0](x)`` is a call."""
    from markdown_it.rules_inline import link

    if state.src[state.pos] != "[" or (state.pos and _GLUED.match(state.src, state.pos - 1)):
        return False
    return link(state, silent)


_GLUED = re.compile(r"[^\W_]|[\])_]")


def angled(state: StateInline, silent: bool) -> bool:
    """``<https://x>``, which is text: an address is written without brackets."""
    match = _ANGLED.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "<" else None
    if match is None:
        return False
    if not silent:
        state.append_pending(match[0])
    state.pos = match.end()
    return True
