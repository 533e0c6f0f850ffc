"""What can be wrong in Task Master's ``tasks.json``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from planconv.check.findings import UNKNOWN_STATUS
from planconv.check.rows import Row
from planconv.check.tasks import Fault, check_tasks
from planconv.model import JSON
from planconv.status import knows, read_status
from planconv.wire.acp.log import Record

_TASKMASTER = "taskmaster"
_OWN_WORDS = frozenset({"review"})
"""Statuses of Task Master that no other format has; they stay what they are."""


def faults(record: Record) -> Iterator[Fault[str]]:
    """What is wrong with the tasks of every tag of a document."""
    for pointer, tag in _tags(record.value):
        reader = _Reader()
        yield from check_tasks(reader.rows(tag.get("tasks"), f"{pointer}/tasks", ""))
        yield from reader.found


def _tags(value: JSON) -> Iterator[tuple[str, Mapping[str, JSON]]]:
    if not isinstance(value, dict):
        return
    if isinstance(value.get("tasks"), list):
        yield "", value
        return
    for name, tag in value.items():
        if isinstance(tag, dict):
            yield "/" + name.replace("~", "~0").replace("/", "~1"), tag


class _Reader:
    def __init__(self) -> None:
        self.found: list[Fault[str]] = []

    def rows(self, value: JSON, pointer: str, parent: str) -> list[Row[str]]:
        """The tasks of a list below the task ``parent``."""
        tasks = value if isinstance(value, list) else []
        siblings = {_id(task.get("id")) for task in tasks if isinstance(task, dict)} if parent else set()
        return [
            self._row(task, f"{pointer}/{number}", parent, siblings)
            for number, task in enumerate(tasks)
            if isinstance(task, dict)
        ]

    def _row(self, task: dict[str, JSON], pointer: str, parent: str, siblings: set[str | None]) -> Row[str]:
        word, needed, id = task.get("status"), task.get("dependencies"), _id(task.get("id"))
        if isinstance(word, str) and not knows(_TASKMASTER, word) and word not in _OWN_WORDS:
            message = f"Task Master does not know the status {word!r}"
            self.found.append(Fault(UNKNOWN_STATUS, message, f"{pointer}/status"))
        row: Row[str] = Row(f"{pointer}/id" if "id" in task else pointer)
        row.status = read_status(_TASKMASTER, word) if isinstance(word, str) else None
        row.id = f"{parent}.{id}" if id and parent else id
        for number, need in enumerate(needed if isinstance(needed, list) else ()):
            if (other := _id(need)) is not None:
                near = parent and (isinstance(need, int) or other in siblings)
                full = f"{parent}.{other}" if near else other
                row.depends_on.append((full, f"{pointer}/dependencies/{number}"))
        row.subtasks = self.rows(task.get("subtasks"), f"{pointer}/subtasks", row.id or "")
        return row


def _id(value: JSON) -> str | None:
    """An id, which is a number or a text, as text."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return str(value) or None
