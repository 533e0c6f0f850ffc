"""Two inline rules that CommonMark does not have, written against markdown-it's rule protocol.

``:wave:`` is an emoji, and a bare ``https://`` address is a link by the rules of GFM §6.9. Both are
kept as regular expressions too, since the writer has to know what they would take.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it.rules_inline import StateInline

EMOJI_NAME = r"[0-9_+'-]*[a-z][a-z0-9_+'-]*(?:::skin-tone-[2-6])?"
"""At least one letter, so that ``10:30:45`` is a time."""

_EMOJI = re.compile(rf":({EMOJI_NAME}):(?![^\W_])(?!:(?!{EMOJI_NAME}:))")
_BEFORE_EMOJI = re.compile(r"[^\W_]|:")

_URL = re.compile(r"(?i:https?)://[A-Za-z0-9][^\s<]*")
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
