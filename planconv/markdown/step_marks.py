"""The marks that people put beside the steps of a plan to say how far each is.

In a title they are ``✅``, ``(done)``, ``[done]``, ``— done`` or ``[x]`` at an edge, ``✅`` also beside
the colon or dash behind a label such as ``Phase 2``, and a title that is struck out as a whole, which is
done. A mark that is read is taken out of the title. Of two marks that contradict each other, the one that
is not done counts. Only the words of :mod:`planconv.status` are marks; any other stays text. A word for
open work says nothing that is not assumed anyway, and stays text as well.
"""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple

from planconv.markdown.inline_read import trim_line
from planconv.markdown.spans import all_struck, not_struck
from planconv.model import Break, Line, Span, Style, Text, plain_text
from planconv.status import COMPLETED, PENDING, knows, read_status

LABELS = ("phase", "step", "task", "stage", "milestone", "part", "sprint", "iteration", "wave")
"""The words that steps are counted with."""

_LABEL = re.compile(
    rf"""\W*
    (?:\d+(?:\.\d+)*[.)]?\s+)?                       # a number of its own, as in "3. Phase 2"
    ((?i:{"|".join(LABELS)}))
    (?:\s*-?\s*\#?(\d+(?:\.\d+)*[a-z]?)\b|\s+([IVX]+|[A-Z])(?=\s*(?:[:.)–—-]|\Z)))""",
    re.VERBOSE,
)
_VOCABULARY = "outline"
_EMOJI_STYLE = "\ufe0f"
_SYMBOL = r"(?:[^\w\s!-/:-@\[-`{-~]{1,8}|:[a-z_]{1,30}:)"
_SYMBOL_AND_WORD = re.compile(rf"({_SYMBOL})\s*(.*)")
_DATE = re.compile(r"\(?\d{4}-\d\d-\d\d\)?")
_STATUS_LINE = re.compile(r"(?i:status)\s*:\s*(.{0,40}?)\s*")

_BOX = re.compile(r"\[([ xX])\]\s+")
_AT_START = re.compile(rf"({_SYMBOL}|[(\[][A-Za-z][A-Za-z _-]{{2,30}}[)\]])\s*[:–—-]?\s*")
_BEHIND_LABEL = re.compile(rf"\s*[:.–—-](\s*({_SYMBOL}))(?=\s)|(\s*({_SYMBOL}))(?=\s*[:–—-]\s)")
_AT_END = (
    re.compile(r"[(\[]([^()\[\]]{2,40})[)\]]\Z"),
    re.compile(r"\s[-–—|:]\s+([A-Za-z][A-Za-z _-]{1,30}[.!]?)\Z"),
    re.compile(rf"({_SYMBOL}\s+[A-Za-z][A-Za-z _-]{{1,30}})\Z"),
    re.compile(rf"({_SYMBOL})\Z"),
)
_SEPARATOR = re.compile(r"[\s–—|:-]{1,10}\Z")
_LONGEST = 60
"""How many characters at the end of a title can be a mark."""
_MOST = 8
"""How many marks a title can have."""


class Marked(NamedTuple):
    """A title without its marks, the status that they say (``None`` without any), and the marks."""

    title: Line
    status: str | None = None
    mark: str = ""


def read_label(text: str) -> str:
    """``Phase 2``, ``Step 3.1``, ``Part II`` or ``Stage B``, if a text begins so, else ``""``."""
    match = _LABEL.match(text)
    return f"{match[1]} {match[2] or match[3]}" if match else ""


def status_of(text: str) -> str | None:
    """The status that a word, a symbol, or a symbol with the same word says; ``None`` if none is known."""
    words = " ".join(text.replace(_EMOJI_STYLE, "").lower().split()).rstrip(".!")
    if words[:1] + words[-1:] in {"[]", "()"}:
        words = words[1:-1].strip()
    if knows(_VOCABULARY, words):
        return read_status(_VOCABULARY, words)
    match = _SYMBOL_AND_WORD.fullmatch(words)
    if match is None or not knows(_VOCABULARY, match[1]):
        return None
    status = read_status(_VOCABULARY, match[1])
    same = knows(_VOCABULARY, match[2]) and read_status(_VOCABULARY, match[2]) == status
    return status if same or _DATE.fullmatch(match[2]) else None


def status_line(line: Line) -> tuple[str, str] | None:
    """The status that a paragraph ``Status: ✅ Complete`` says, and its words; ``None`` if it says none.

    Further labels in bold, as in ``**Status:** done **Owner:** me``, end the words.
    """
    match = _STATUS_LINE.fullmatch(plain_text(line[: _end_of_value(line)]))
    status = status_of(match[1]) if match else None
    return (status, match[1]) if match and status else None


def _end_of_value(line: Line) -> int:
    """The number of spans up to the second label in bold, or a line break."""
    for at, span in enumerate(line[1:], 1):
        if isinstance(span, Break):
            return at
        if _is_bold(line[0]) and _is_bold(span):
            behind = plain_text(line[at + 1 : at + 2])
            if plain_text((span,)).endswith(":") or behind.startswith(":"):
                return at
    return len(line)


def _is_bold(span: Span) -> bool:
    return isinstance(span, Text) and bool(span.style & Style.BOLD)


def read_marks(line: Line) -> Marked:
    """A title and what its marks say."""
    said: list[str] = []
    marks: list[str] = []
    while len(marks) < _MOST and (found := _mark(_visible(line))) is not None:
        start, end, status, mark = found
        line = _cut(line, start, end)
        said.append(status)
        marks.append(mark)
    if all_struck(line):
        line = not_struck(line)
        said = said or [COMPLETED]
        marks.append("~~")
    if not said:
        return Marked(line)
    return Marked(
        line, next((status for status in said if status != COMPLETED), COMPLETED), " ".join(marks)
    )


def _mark(text: str) -> tuple[int, int, str, str] | None:
    """Where the next mark stands, what it says, and the mark."""
    if box := _BOX.match(text):
        return 0, box.end(), PENDING if box[1] == " " else COMPLETED, f"[{box[1]}]"
    for pattern in _AT_END:
        match = pattern.search(text, max(0, len(text) - _LONGEST))
        if match and (status := _not_open(match[1])):
            separator = _SEPARATOR.search(text, max(0, match.start() - _LONGEST), match.start())
            start = separator.start() if separator else match.start()
            return start, len(text), status, match[1]
    match = _AT_START.match(text)
    if match and (status := _not_open(match[1])):
        return 0, match.end(), status, match[1]
    label = _LABEL.match(text)
    match = _BEHIND_LABEL.match(text, label.end()) if label else None
    mark = match[2] or match[4] if match else ""
    if match and (status := _not_open(mark)):
        return match.end() - len(match[1] or match[3]), match.end(), status, mark
    return None


def _not_open(text: str) -> str | None:
    status = status_of(text)
    return None if status == PENDING else status


def _visible(line: Line) -> str:
    """The text of a line, with letters in the place of code, which holds no marks."""
    return "".join(
        "x" * len(span.text) if isinstance(span, Text) and span.style & Style.CODE else plain_text((span,))
        for span in line
    ).rstrip()


def _cut(line: Line, start: int, end: int) -> Line:
    """The line without the characters from ``start`` to ``end``, and without blanks at its edges."""
    kept: list[Span] = []
    at = 0
    for span in line:
        length = len(plain_text((span,)))
        if isinstance(span, Text):
            text = span.text[: max(0, start - at)] + span.text[max(0, end - at) :]
            kept.append(dataclasses.replace(span, text=text))
        elif at + length <= start or at >= end:
            kept.append(span)
        at += length
    return trim_line(kept)
