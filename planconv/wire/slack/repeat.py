"""A plan that is written again each time it changes: the rows that stayed are neither made nor told anew.

Of most changes of a live plan only a status or two are new. Where that is so, the other rows are taken
from the message that was written last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from planconv.loss import Ledger
from planconv.model import JSON, Plan, Task, TaskList
from planconv.wire import json
from planconv.wire.slack.limits import characters, room_below
from planconv.wire.slack.task import parts_of


class _Row(NamedTuple):
    """A task, the id that it has in the message, and what was written of it."""

    task: Task
    id: str
    text: bytes
    size: int


class _Message(NamedTuple):
    """The one message that shows a plan: its rows and what stands around them."""

    plan: Plan
    before: bytes
    rows: list[_Row]
    after: bytes
    room: int


class Repeats:
    """Writes the versions of plans; ``write`` writes one whose rows are not known yet."""

    def __init__(self, write: Callable[[Plan], bytes], ledger: Ledger) -> None:
        self._write = write
        self._ledger = ledger
        self._last: dict[object, _Message] = {}

    def write(self, plan: Plan, key: object) -> bytes:
        """The plan as a message; raises as the writing of a plan does.

        Args:
            plan: the next version of a plan.
            key: says which plan it is.
        """
        tasks = _rows_of(plan)
        last = self._last.get(key)
        if tasks and last and _only_rows_changed(last, plan, tasks):
            rows = [
                row if task is row.task else self._row(row, task, number, plan)
                for number, (row, task) in enumerate(zip(last.rows, tasks, strict=True))
            ]
            if sum(row.size for row in rows) <= last.room:
                self._last[key] = last._replace(plan=plan, rows=rows)
                return _joined(last.before, rows, last.after)
        self._last.pop(key, None)
        written = self._write(plan)
        if tasks and (message := _message(plan, tasks, written)):
            self._last[key] = message
        return written

    def forget(self, key: object) -> None:
        """This plan is gone."""
        self._last.pop(key, None)

    def _row(self, row: _Row, task: Task, number: int, plan: Plan) -> _Row:
        parts = parts_of(task)
        for field, code, was, now in parts.notes:
            self._ledger.note(code, f"/tasks/{number}/{field}", was, now, plan=plan)
        fields: dict[str, JSON] = {"task_id": row.id, **parts.fields}
        return _Row(task, row.id, json.dumps(fields), characters(fields))


def _rows_of(plan: Plan) -> tuple[Task, ...]:
    """The tasks of a plan that is one flat list without anything that only Slack knows."""
    match plan.body:
        case (TaskList(tasks, False),) if not plan.extras:
            return tasks if not any(task.details or task.extras for task in tasks) else ()
    return ()


def _only_rows_changed(last: _Message, plan: Plan, tasks: tuple[Task, ...]) -> bool:
    """Whether the same tasks stand in the same order, so that their ids are the same."""
    return (
        len(tasks) == len(last.rows)
        and plan.title == last.plan.title
        and all(
            task is row.task or (task.title == row.task.title and task.id == row.task.id)
            for task, row in zip(tasks, last.rows, strict=True)
        )
    )


def _message(plan: Plan, tasks: tuple[Task, ...], written: bytes) -> _Message | None:
    """What was written, taken apart, if it is one message with one block."""
    if written.count(b"\n") != 1:
        return None
    match json.loads(written):
        case {"blocks": [{"type": "plan", "title": str(title), "tasks": list(found)}]}:
            return _taken_apart(plan, tasks, written, found, room_below(title))
    return None


def _taken_apart(
    plan: Plan, tasks: tuple[Task, ...], written: bytes, found: list[JSON], room: int
) -> _Message | None:
    rows = [
        _Row(task, str(fields["task_id"]), json.dumps(fields), characters(fields))
        for task, fields in zip(tasks, found, strict=False)
        if isinstance(fields, dict)
    ]
    before, _, after = written.partition(b",".join(row.text for row in rows))
    message = _Message(plan, before, rows, after, room)
    return message if len(rows) == len(tasks) and _joined(before, rows, after) == written else None


def _joined(before: bytes, rows: Iterable[_Row], after: bytes) -> bytes:
    return b"".join((before, b",".join([row.text for row in rows]), after))
