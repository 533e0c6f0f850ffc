"""Blocks that are written character by character: code, and HTML as it stands."""

from __future__ import annotations

import re

from planconv.loss import BLANKS_TRIMMED, CHARACTER_REPLACED, Note
from planconv.markdown.parser import block_tokens
from planconv.pictures import PICTURES

_INFO_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])|&(?=#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)")
_RUNS = {"`": re.compile("`+"), "~": re.compile("~+")}


def visible(text: str, note: Note) -> str:
    """The text with a picture (``␛``) in the place of each control character."""
    if text.isprintable():
        return text
    written = text.replace("\r\n", "\n").replace("\r", "\n").translate(PICTURES)
    if written != text:
        note(CHARACTER_REPLACED, text, written)
    return written


def write_code(text: str, info: str, note: Note) -> list[str]:
    """The lines of a fenced code block; its fence is longer than any in the text."""
    text = visible(text, note)
    info = _write_info(info, note)
    mark = "~" if "`" in info else "`"
    longest = max((len(run) for run in _RUNS[mark].findall(text)), default=0)
    fence = mark * max(3, longest + 1)
    gap = " " if info.startswith(mark) else ""
    return [fence + gap + info, *(text.split("\n") if text else ()), fence]


def _write_info(info: str, note: Note) -> str:
    written = " ".join(visible(info, note).split("\n")).strip()
    if written != info:
        note(BLANKS_TRIMMED, info, written)
    return _INFO_ESCAPE.sub(r"\\\g<0>", written)


def write_html(source: str, note: Note) -> list[str] | None:
    """The lines of an HTML block; ``None`` if a parser would not find its end where it ends."""
    written = visible(source, note)
    tokens, _ = block_tokens(f"{written}\n\nx\n")
    if [token.type for token in tokens] != ["html_block", "paragraph_open", "inline", "paragraph_close"]:
        return None
    return written.split("\n") if tokens[0].content.rstrip("\n") == written == written.lstrip() else None
