"""The parenthesis at the end of a task's title: ``_(in progress, high priority)_``.

It holds what a box cannot say: a status that is neither open nor done, and a priority that is not
ordinary. Only emphasis by underscores counts; the writer of titles uses stars, so a title that ends
with such a parenthesis of its own stays what it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from planconv.status import read_priority, spoken, unspoken

_NOTE = re.compile(r"(?:^|(?<=[ \t\n]))_\(((?:\\.|[^\\()\n]|(?<=\S)\n)+)\)_\Z")
_WRAP = re.compile(r"\n[ \t]*")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_BARE = re.compile(r"(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])")
_STATUS = re.compile(r"_?[A-Za-z][\w-]*(?: _?[A-Za-z][\w-]*){0,2}")
_PRIORITY = re.compile(r"(_?[A-Za-z][\w-]*) priority")


class StatusNote(NamedTuple):
    """What the parenthesis says; ``status`` is ``None`` where it names only a priority."""

    status: str | None = None
    priority: str | None = None


def split_note(source: str) -> tuple[str, StatusNote | None]:
    """The Markdown of a title without its parenthesis, and what that says.

    A parenthesis that says anything else is part of the title. A formatter may have wrapped it.
    """
    match = _NOTE.search(source) if source.endswith(")_") else None
    note = _read(_WRAP.sub(" ", match[1])) if match else None
    if match is None or note is None:
        return source, None
    return source[: match.start()].rstrip(" \t\n"), note


def _read(inside: str) -> StatusNote | None:
    if _BARE.search(_ESCAPE.sub("", inside)):
        return None  # an underscore that would end or begin emphasis inside
    first, comma, second = _ESCAPE.sub(r"\1", inside).partition(", ")
    priority = _PRIORITY.fullmatch(second if comma else first)
    if comma and priority is None:
        return None
    if not comma and priority:
        return StatusNote(None, read_priority(priority[1]))
    if _STATUS.fullmatch(first) is None or _PRIORITY.fullmatch(first):
        return None
    return StatusNote(unspoken(first), read_priority(priority[1]) if priority else None)


def write_note(status: str | None, priority: str | None) -> str:
    """The parenthesis for these, ``""`` for neither; see :func:`holds_note` for what it can say."""
    parts = [spoken(status)] if status else []
    if priority:
        parts.append(f"{priority} priority")
    words = _BARE.sub(r"\\_", ", ".join(parts))
    return f"_({words})_" if words else ""


def holds_note(status: str | None, priority: str | None) -> bool:
    """Whether the parenthesis for these is read back as what it was written from."""
    return split_note(write_note(status, priority)) == ("", StatusNote(status, priority))
