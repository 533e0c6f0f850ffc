"""The entries of an agent's todo list as tasks: the tools differ only in the names of the fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from planconv.loss import ENTRY_DROPPED, PRIORITY_ASSUMED, STATUS_ASSUMED, Ledger, Note
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Heading,
    Line,
    Paragraph,
    Plan,
    Task,
    TaskList,
    make_blocks,
)
from planconv.status import PENDING, read_priority, read_status
from planconv.wire.logs.records import id_at, items_at, member, text_at, unwrapped

ReadText = Callable[[str], tuple[Line, Blocks]]
"""Makes a line, and the blocks below it, of an agent's plain text."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a tool writes an entry.

    ``titles`` and ``details`` are the keys of its texts (the first one that is there is the title),
    ``ids`` and ``needed`` those of its id and of the ids of what comes first. ``vocabulary`` is a column
    of the status table, ``luggage`` the key of the extras for everything else that an entry holds, except
    for the keys in ``left_out``.
    """

    luggage: str
    vocabulary: str
    titles: tuple[str, ...]
    read_text: ReadText
    details: str = "description"
    ids: str = "id"
    needed: str = "blockedBy"
    left_out: Collection[str] = ()


def entries_of(todos: JSON, note: Note) -> list[JSON] | None:
    """The entries of a todo list, which may be written as a string; ``None``, and a note, if it is none."""
    entries = unwrapped(todos)
    if isinstance(entries, list):
        return entries
    note(ENTRY_DROPPED, todos)
    return None


def fill_plan(
    plan: Plan, entries: Sequence[JSON], shape: Shape, ledger: Ledger, line: int, above: Blocks = ()
) -> Plan:
    """The plan with these entries as its tasks, below what stands above them."""
    tasks: list[Task] = []
    for entry in entries:
        task = read_entry(entry, shape, f"/tasks/{len(tasks)}", plan, ledger, line)
        if task is not None:
            tasks.append(task)
    return dataclasses.replace(plan, body=make_blocks([*above, TaskList(tuple(tasks))]))


def read_entry(entry: JSON, shape: Shape, path: str, plan: Plan, ledger: Ledger, line: int) -> Task | None:
    """An entry as a task; ``None``, and a note, if it has no text."""
    key = next((key for key in shape.titles if text_at(entry, key) is not None), None)
    if key is None or not isinstance(entry, dict):
        ledger.note(ENTRY_DROPPED, path, entry, plan=plan, line=line)
        return None
    title, details = shape.read_text(text_at(entry, key) or "")
    if key != shape.details:
        details = make_blocks(
            [*details, *read_blocks(text_at(entry, shape.details) or "", shape.read_text)]
        )
    return Task(
        title,
        status=_status(entry, shape, ledger.at(f"{path}/status", plan, line)),
        priority=_priority(entry, ledger.at(f"{path}/priority", plan, line)),
        id=id_at(entry, shape.ids),
        details=details,
        depends_on=_needed(entry, shape),
        extras=_extras(entry, shape, key),
    )


def read_blocks(text: str, read_text: ReadText) -> Blocks:
    """A plain text as blocks: its first paragraph, and what follows."""
    if not text.strip():
        return ()
    line, rest = read_text(text.strip("\r\n"))
    return make_blocks([Paragraph(line), *rest])


def fill_document(plan: Plan, blocks: Blocks) -> Plan:
    """The plan with a Markdown document as its body; a first-level heading at its start is its title."""
    match blocks:
        case (Heading(1, line), *rest):
            body: tuple[Block, ...] = tuple(rest)
            return dataclasses.replace(plan, title=line, body=body)
    return dataclasses.replace(plan, body=blocks)


def _status(entry: JSON, shape: Shape, note: Note) -> str:
    word = text_at(entry, "status")
    if word:
        return read_status(shape.vocabulary, word)
    note(STATUS_ASSUMED, member(entry, "status"), PENDING)
    return PENDING


def _priority(entry: JSON, note: Note) -> str | None:
    found = member(entry, "priority")
    if found is None:
        return None
    if isinstance(found, str) and found:
        return read_priority(found)
    note(PRIORITY_ASSUMED, found)
    return None


def _needed(entry: JSON, shape: Shape) -> tuple[str, ...]:
    ids = (id_at({"id": id}, "id") for id in items_at(entry, shape.needed))
    return tuple(dict.fromkeys(id for id in ids if id is not None))


def _extras(entry: dict[str, JSON], shape: Shape, title: str) -> dict[str, dict[str, JSON]]:
    read = {title, "status", "priority", shape.needed, *shape.left_out}
    if text_at(entry, shape.details) is not None:
        read.add(shape.details)
    if id_at(entry, shape.ids) is not None:
        read.add(shape.ids)
    rest = {key: value for key, value in entry.items() if key not in read}
    return {shape.luggage: rest} if rest else {}
