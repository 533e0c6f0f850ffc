"""Tables that people keep the steps of a plan in: one column has the status, another what is to do."""

from __future__ import annotations

import re
from typing import NamedTuple

from planconv.markdown.step_marks import LABELS, Marked, read_label, status_of
from planconv.model import Blocks, Item, Line, List, Paragraph, Table, Text, make_line, plain_text
from planconv.status import COMPLETED

_TITLE = (
    *("task", "title", "step", "item", "work item", "action", "feature", "story", "name", "what"),
    *("description", "phase", "milestone", "stage"),
)
_ID = ("id", "#", "no", "no.", "nr", "number", "key")
_NUMBER = re.compile(r"#?(\d+(?:\.\d+)*[a-z]?)")


class Row(NamedTuple):
    """A row as a task: its title with what the status cell says, its id, its other cells."""

    marked: Marked
    id: str
    details: Blocks


def read_rows(table: Table) -> list[Row]:
    """The rows of a table of tasks; none if it has no Status column in which any word is known."""
    names = [plain_text(cell).strip().lower() for cell in table.header]
    status, title, id = _status_column(names), _column(names, _TITLE), _column(names, _ID)
    if title < 0:
        title = next((column for column in range(len(names)) if column not in {status, id}), -1)
    if status < 0 or title < 0 or not any(_said(row[status]) for row in table.rows):
        return []
    return [_row(table, row, status, title, id) for row in table.rows if row[title]]


def _column(names: list[str], known: tuple[str, ...]) -> int:
    return next((names.index(name) for name in known if name in names), -1)


def _status_column(names: list[str]) -> int:
    """The column that is called Status, or after the word or sign for what is done."""
    named = (at for at, name in enumerate(names) if status_of(name.rstrip("?")) == COMPLETED)
    return next(named, -1) if (at := _column(names, ("status", "state"))) < 0 else at


def _said(cell: Line) -> str | None:
    return status_of(plain_text(cell))


def _row(table: Table, row: tuple[Line, ...], status: int, title: int, id: int) -> Row:
    said = _said(row[status])
    mark = plain_text(row[status]) if said else ""
    apart = {title, id, *([status] if said else [])}
    others = tuple(
        Item((Paragraph(_named(name, cell)),))
        for column, (name, cell) in enumerate(zip(table.header, row, strict=True))
        if cell and column not in apart
    )
    return Row(
        Marked(row[title], said, mark),
        plain_text(row[id]) if id >= 0 else "",
        (List(others),) if others else (),
    )


def _named(name: Line, cell: Line) -> Line:
    return make_line([*name, Text(": "), *cell]) if name else cell


def status_by_label(table: Table) -> dict[str, tuple[str, str]]:
    """Of each label (``phase 2``) that has a row: the status that the row says, and its words.

    It is empty if the table has several rows for one label, since then they are tasks below it.
    """
    names = [plain_text(cell).strip().lower() for cell in table.header]
    status, label = _status_column(names), _column(names, LABELS)
    if min(status, label) < 0:
        return {}
    told: dict[str, tuple[str, str]] = {}
    for row in table.rows:
        name, said = _label(names[label], plain_text(row[label])), _said(row[status])
        if name in told:
            return {}
        if name and said:
            told[name] = (said, plain_text(row[status]))
    return told


def _label(column: str, cell: str) -> str:
    number = _NUMBER.fullmatch(cell.strip())
    return f"{column} {number[1]}" if number else read_label(cell).lower()
