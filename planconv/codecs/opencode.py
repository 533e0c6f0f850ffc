"""Exported sessions and events of opencode. They are only read.

``opencode export`` prints one JSON document, ``{info, messages: [{info, parts}]}``; a todo list is the
input of a ``todowrite`` part that has completed. The event stream has one object a line, and says
``todo.updated`` with the whole list. The plan is called ``todos``. The shape of a todo is that of
``packages/schema/src/session-todo.ts`` in ``anomalyco/opencode``: its status is any string.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.log_codec import LogCodec
from planconv.loss import Ledger
from planconv.markdown.plain import read_plain
from planconv.model import JSON, Plan
from planconv.status import COMPLETED
from planconv.wire.logs.follow import Snapshot
from planconv.wire.logs.records import Record, has_keys, head_values, items_at, may_hold, member, text_at
from planconv.wire.logs.todos import Shape, entries_of, fill_plan

INFO = CodecInfo(
    name="opencode",
    summary="opencode: exported sessions (todowrite) and event streams (todo.updated)",
    patterns=("*.jsonl",),
    vocabulary="opencode",
    luggage="opencode",
    holds={
        Field.PLAN_ID: partly("`todos`"),
        Field.SESSION: partly("read"),
        Field.PLAN_TITLE: NO,
        Field.PROSE: NO,
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("read"),
        Field.STATUS: partly("read"),
        Field.PRIORITY: partly("read"),
        Field.TASK_ID: partly("read from old todos"),
        Field.SUBTASKS: NO,
        Field.DETAILS: partly("read from the lines below the first of a todo"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: NO,
    },
    writes=False,
)

_SHAPE = Shape(luggage=INFO.luggage, vocabulary=INFO.vocabulary, titles=("content",), read_text=read_plain)
_MARKERS = (b"todo.updated", b"todowrite")
_RECORDS = ("message.", "session.", "todo.", "server.")


def _recognise(head: bytes, /) -> str:
    """Whether an export or an event stream begins here."""
    for value in head_values(head):
        if isinstance(member(value, "info"), dict) and isinstance(member(value, "messages"), list):
            return "it has the keys of an opencode export"
        event = _event(value)
        kind = text_at(event, "type") or ""
        if kind.startswith(_RECORDS) and isinstance(member(event, "properties"), dict):
            return "it has the events of opencode"
    if has_keys(head, "info", "messages", "parts", "sessionID"):
        return "it has the keys of an opencode export"
    return ""


class _Session:
    """Follows the todo lists of the sessions in an export or a stream."""

    sought = "completed call of todowrite or todo.updated event"

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seen: set[str] = set()

    def wants(self, raw: bytes, /) -> bool:
        """A line matters if it names the tool or the event."""
        return may_hold(raw, _MARKERS)

    def follow(self, record: Record, /) -> Iterator[Snapshot]:
        """What an export, or an event, says."""
        exported = text_at(record.value, "info", "id")
        for message in items_at(record.value, "messages"):
            session = text_at(message, "info", "sessionID") or exported
            for part in items_at(message, "parts"):
                yield from self._follow_part(part, session, record)
        event = _event(record.value)
        properties = member(event, "properties")
        session = text_at(properties, "sessionID")
        if text_at(event, "type") == "todo.updated":
            yield from self._update(member(properties, "todos"), session, record)
        else:
            part = member(properties, "part") or member(event, "part")
            yield from self._follow_part(part, text_at(part, "sessionID") or session, record)

    def finish(self) -> Iterator[Snapshot]:
        """A call that has not completed does not count."""
        yield from ()

    def _follow_part(self, part: JSON, session: str | None, record: Record) -> Iterator[Snapshot]:
        """A part of a message; a stream says a completed call again and again."""
        id = text_at(part, "callID")
        if text_at(part, "tool") != "todowrite" or text_at(part, "state", "status") != COMPLETED:
            return
        if id not in self._seen:
            self._seen.update([id] if id else [])
            yield from self._update(member(part, "state", "input", "todos"), session, record)

    def _update(self, todos: JSON, session: str | None, record: Record) -> Iterator[Snapshot]:
        entries = entries_of(todos, self._ledger.at("/tasks", Plan("todos", session), record.line))
        if entries is not None:
            yield Snapshot(session, "todos", record, partial(_fill_todos, entries))


def _event(value: JSON) -> JSON:
    """An event, without the envelope of the stream of all projects."""
    payload = member(value, "payload")
    return payload if isinstance(payload, dict) else value


def _fill_todos(todos: list[JSON], plan: Plan, ledger: Ledger, line: int) -> Plan:
    return fill_plan(plan, todos, _SHAPE, ledger, line)


OPENCODE = LogCodec(INFO, _recognise, _Session)
