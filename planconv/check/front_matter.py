"""Front matter: whether it can be read, and the todos that Cursor keeps in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from planconv.check.findings import FRONT_MATTER, UNKNOWN_STATUS, Finding, Place
from planconv.check.rows import Row
from planconv.errors import DecodeError
from planconv.status import knows, read_status
from planconv.wire import front_matter

_CURSOR = "cursor"
_OPENED = re.compile(r"---[ \t]*\n(?:[ \t]*\n)*[\w\"'][\w \"'-]*:(?:[ \t]|\n|\Z)")
_CLOSED = re.compile(r"---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")


def check_front_matter(text: str) -> tuple[list[Finding], list[Row[Place]]]:
    """What is wrong with the front matter of a document, and the todos in it."""
    if _OPENED.match(text) is None:
        return [], []
    if _CLOSED.match(text) is None:
        return [Finding(FRONT_MATTER, "no line `---` ends the front matter", Place())], []
    found: list[Finding] = []

    def repaired(line: int, was: str, _now: str) -> None:
        found.append(Finding(FRONT_MATTER, f"the value needs quotes: {was}", Place(line)))

    try:
        document = front_matter.read(text, repaired)
    except DecodeError as error:
        place = Place(error.line or 1, error.column or 1)
        return [Finding(FRONT_MATTER, error.reason, place)], []
    todos = document.top.keys.get("todos") if document else None
    rows = [_row(entry) for entry in todos.items if entry.keys] if todos else []
    found += [finding for entry in (todos.items if todos else ()) for finding in _statuses(entry)]
    return found, rows


def _row(entry: front_matter.Value) -> Row[Place]:
    id, status = entry.keys.get("id"), entry.keys.get("status")
    word = read_status(_CURSOR, status.text) if status and status.text else None
    return Row(Place((id or entry).line), word, (id.text or None) if id else None)


def _statuses(entry: front_matter.Value) -> Iterator[Finding]:
    status = entry.keys.get("status")
    if status and status.text and not knows(_CURSOR, status.text):
        message = f"{_CURSOR} does not know the status {status.text!r}"
        yield Finding(UNKNOWN_STATUS, message, Place(status.line))
