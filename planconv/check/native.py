"""What can be wrong in planconv's own JSON."""

from __future__ import annotations

from collections.abc import Iterator

from planconv.check.acp import uri_faults
from planconv.check.findings import UNKNOWN_STATUS
from planconv.check.rows import Row
from planconv.check.tasks import Fault, check_tasks
from planconv.model import JSON
from planconv.status import KNOWN, PENDING
from planconv.wire.acp.log import Record


def faults(record: Record) -> Iterator[Fault[str]]:
    """What is wrong with the plans of a document."""
    plans = record.value.get("plans") if isinstance(record.value, dict) else None
    for number, plan in enumerate(plans if isinstance(plans, list) else ()):
        if not isinstance(plan, dict):
            continue
        pointer = f"/plans/{number}"
        if isinstance(uri := plan.get("reference"), str):
            yield from uri_faults(uri, f"{pointer}/reference")
        reader = _Reader()
        yield from check_tasks(reader.rows(plan.get("body"), f"{pointer}/body"))
        yield from reader.found


class _Reader:
    def __init__(self) -> None:
        self.found: list[Fault[str]] = []

    def rows(self, value: JSON, pointer: str) -> list[Row[str]]:
        """The tasks in these blocks, those below them inside."""
        if isinstance(value, list):
            return [
                row for number, inner in enumerate(value) for row in self.rows(inner, f"{pointer}/{number}")
            ]
        if not isinstance(value, dict):
            return []
        tasks = value.get("tasks")
        if value.get("type") == "tasks" and isinstance(tasks, list):
            return [
                self._row(task, f"{pointer}/tasks/{number}")
                for number, task in enumerate(tasks)
                if isinstance(task, dict)
            ]
        return [row for key in ("items", "blocks") for row in self.rows(value.get(key), f"{pointer}/{key}")]

    def _row(self, task: dict[str, JSON], pointer: str) -> Row[str]:
        status, id, needed = task.get("status", PENDING), task.get("id"), task.get("depends_on")
        if isinstance(status, str) and status not in KNOWN and not status.startswith("_"):
            message = f"{status!r} is none of planconv's statuses"
            self.found.append(Fault(UNKNOWN_STATUS, message, f"{pointer}/status"))
        return Row(
            f"{pointer}/id" if "id" in task else pointer,
            status if isinstance(status, str) else None,
            id if isinstance(id, str) else None,
            [
                (other, f"{pointer}/depends_on/{number}")
                for number, other in enumerate(needed if isinstance(needed, list) else ())
                if isinstance(other, str)
            ],
            self.rows(task.get("details"), f"{pointer}/details"),
        )
