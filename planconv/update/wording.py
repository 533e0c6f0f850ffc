"""What a title says, apart from the number before it, the signs around it, and the styles it has.

``**T012** [P] [US1] Write `parser.py` (depends on T003)`` says "Write parser.py": that is compared with
what another plan calls its task. The rest belongs to the file and stays when the text is changed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from planconv.markdown.dialect import TASK_NUMBER
from planconv.markdown.inline_read import trim_line
from planconv.model import PLAIN, Break, Line, Span, Style, Text, make_line, plain_text

_BEFORE = re.compile(
    rf"""
    (?:\[?{TASK_NUMBER}\]?[:.)]?(?:\s+|\Z))?                    # T012
    (?:(?:\d+(?:\.\d+)+[.):]?|\d+[.):])(?:\s+|\Z))?             # 1.2
    (?:\[[A-Z][\w-]*\]\s*)*                                     # [P] [US1]
    (?:(?:Task|Step|Track|Phase)(?:\s+\d+(?:\.\d+)*)?:\s+)?     # Step 1:
    """,
    re.VERBOSE,
)
_BEHIND = re.compile(
    r"""
    (?:\s*(?:
        \(depends\ on\ [^()]+\)
        | \[[0-9a-f]{7,40}\]                                    # the commit, as Conductor notes it
        | \[checkpoint:\ [0-9a-f]+\]
        | (?:📅|⏳|🛫|➕|🔁|⛔|🔺|⏫|🔼|🔽|⏬|🆔|✅|❌).*          # the signs of Obsidian Tasks
    ))+\Z
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_ID = re.compile(rf"(?:Task\s+|\[)?({TASK_NUMBER}|\d+(?:\.\d+)+)(?![\w-])")
_COUNTED = re.compile(r"\d+\Z")
_NUMBERED = re.compile(
    r"(?:(?:task|todo|step|item|phase|id)[-_]?|[A-Z]*)\d+(?:\.\d+)*[a-z]?\Z", re.IGNORECASE
)
_LABEL = re.compile(r"\[([A-Z][\w-]*)\]")
_MARKS = re.compile(r"[`*]|~~")
_END = re.compile(r"[\s.,;:!?…]+\Z")


class Parts(NamedTuple):
    """A text in three: what belongs to the place of the task, what it says, and the signs behind."""

    before: str
    core: str
    behind: str


def parts(text: str) -> Parts:
    """The parts of a text; one that would be all number is all core."""
    match = _BEFORE.match(text)
    start = match.end() if match else 0
    behind = _BEHIND.search(text, start)
    end = behind.start() if behind else len(text)
    if not text[start:end].strip():
        return Parts("", text, "")
    return Parts(text[:start], text[start:end], text[end:])


def said(line: Line) -> str:
    """What a title says to a reader who sees no styles."""
    return _unmarked(parts(plain_text(line)).core)


def key(line: Line) -> str:
    """The same for all ways of writing one title: without case, and without a mark at its end."""
    words = said(line)
    return (_END.sub("", words) or words).casefold()


def whole(line: Line) -> str:
    """The whole title, number and signs included, without case and styles."""
    return _unmarked(plain_text(line)).casefold()


def labels(line: Line) -> frozenset[str]:
    """The labels before a text that say whose part of the work it is: ``[US1]``, and not ``[P]``."""
    return frozenset(_LABEL.findall(parts(_unmarked(plain_text(line))).before)) - {"P"}


def _unmarked(text: str) -> str:
    return " ".join(_MARKS.sub("", text).split())


def first_line(line: Line) -> Line:
    """The title up to its first break."""
    end = next((index for index, span in enumerate(line) if isinstance(span, Break)), len(line))
    return line[:end]


# --- ids ------------------------------------------------------------------------------------------


def id_in(line: Line) -> str | None:
    """The id that a title begins with, if it is one that nobody counts up to by chance."""
    match = _ID.match(_unmarked(plain_text(line)))
    return match[1] if match else None


def is_counted(id: str) -> bool:
    """Whether this is only a number: every list has a first and a second task."""
    return _COUNTED.match(id) is not None


def is_numbered(id: str) -> bool:
    """Whether this is the number of a place, as ``1.2``, ``T012`` and ``todo-1`` are, and no name."""
    return _NUMBERED.match(id) is not None


# --- another text ---------------------------------------------------------------------------------


def reworded(old: Line, new: Line) -> Line:
    """The title ``old`` saying what ``new`` says; what stands around that stays."""
    text, told = plain_text(old), plain_text(new)
    kept, taken = parts(text), parts(told)
    core = trim_line(cut(new, len(taken.before), len(told) - len(taken.behind)))
    if not core:
        core = trim_line(new)
    if id_in(old) and not kept.before:  # there is a number and nothing else
        return make_line((*old, Text(" "), *core))
    style = _common_style(old)
    match core:
        case (Text(words, Style.PLAIN, None),):
            core = (Text(words, style),)
    before = cut(old, 0, len(kept.before))
    behind = cut(old, len(text) - len(kept.behind))
    return make_line((*before, *core, *behind))


def _common_style(line: Line) -> Style:
    """What all of a line has, of the styles that do not change what it means."""
    style = Style.BOLD | Style.ITALIC
    for span in line:
        style &= getattr(span, "style", PLAIN)
    return style


def cut(line: Line, start: int, end: int | None = None) -> Line:
    """The spans of these characters of the plain text; what is no text is whole or not there."""
    kept: list[Span] = []
    at = 0
    for span in line:
        length = len(plain_text((span,)))
        first, last = max(start - at, 0), length if end is None else min(end - at, length)
        if first < last and isinstance(span, Text):
            kept.append(Text(span.text[first:last], span.style, span.link))
        elif (first, last) == (0, length):
            kept.append(span)
        at += length
    return make_line(kept)
