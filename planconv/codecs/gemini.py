"""Chat logs of the Gemini CLI, its tracker's files, and the todo files of Qwen Code. They are only read.

A chat (``~/.gemini/tmp/<project>/chats/session-….json``, since version 0.40 ``.jsonl``)
holds messages; the todo list is what the last successful call of ``write_todos`` set, and the plan is
called ``todos``. In the newer logs a message is written again when it grows, and ``$rewindTo`` takes back
a message and all after it. So the lists of a chat are all remembered, and the ids of its messages.

A task of the tracker is a file of its own; files that are joined make the plan ``tasks``. The shapes are
those of ``packages/core/src/tools/write-todos.ts`` and ``…/services/trackerTypes.ts`` in
``google-gemini/gemini-cli``, and of ``packages/core/src/tools/todoWrite.ts`` in ``QwenLM/qwen-code``.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.log_codec import LogCodec
from planconv.loss import Ledger
from planconv.markdown.plain import read_plain
from planconv.model import JSON, Plan
from planconv.status import CANCELLED
from planconv.wire.logs.follow import Snapshot
from planconv.wire.logs.records import (
    Record,
    has_keys,
    head_values,
    id_at,
    items_at,
    may_hold,
    member,
    text_at,
    unwrapped,
)
from planconv.wire.logs.todos import Shape, entries_of, fill_plan

INFO = CodecInfo(
    name="gemini",
    summary="Gemini CLI: chat logs (write_todos) and tracker files; todo files of Qwen Code",
    patterns=(
        ".gemini/tmp/*/chats/session-*.jsonl",
        ".gemini/tmp/*/chats/session-*.json",
        ".qwen/todos/*.json",
        "*.jsonl",
    ),
    vocabulary="gemini",
    luggage="gemini",
    holds={
        Field.PLAN_ID: partly("`todos` or `tasks`, or what a todo file of Qwen Code calls it"),
        Field.SESSION: partly("read"),
        Field.PLAN_TITLE: NO,
        Field.PROSE: NO,
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("read"),
        Field.STATUS: partly("read"),
        Field.PRIORITY: NO,
        Field.TASK_ID: partly("read from tracker files and those of Qwen Code"),
        Field.SUBTASKS: NO,
        Field.DETAILS: partly("read from tracker files"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: partly("read from tracker files and those of Qwen Code"),
    },
    writes=False,
)

_TODOS = Shape(
    luggage=INFO.luggage,
    vocabulary=INFO.vocabulary,
    titles=("content", "description"),
    read_text=read_plain,
)
_TRACKED = Shape(
    luggage=INFO.luggage,
    vocabulary=INFO.vocabulary,
    titles=("title",),
    read_text=read_plain,
    needed="dependencies",
)
_TOOLS = ("write_todos", "todo_write")
_MARKERS = (b"write_todos", b"todo_write", b"rewindTo", b"sessionId", b"dependencies", b'"todos"')
_ID_FIRST = re.compile(rb'\s*\{\s*"id"\s*:\s*"([^"\\]+)"')
_DID_NOT_HAPPEN = ("error", CANCELLED)
_TRACKED_KINDS = ("epic", "task", "bug")


def _recognise(head: bytes, /) -> str:
    """Whether a chat, a task of the tracker, or a todo file of Qwen Code begins here."""
    for value in head_values(head):
        if text_at(value, "sessionId") and text_at(value, "projectHash"):
            return "it has the head of a Gemini CLI chat"
        if text_at(value, "sessionId") and isinstance(member(value, "todos"), list):
            return "it has the keys of a Qwen Code todo file"
        if _is_tracked(value):
            return "it has the keys of a Gemini CLI tracker file"
    if has_keys(head, "sessionId", "projectHash"):
        return "it has the head of a Gemini CLI chat"
    return ""


@dataclass(frozen=True, slots=True)
class _Written:
    """The list that a message set: where the message stands in the chat, and the entries."""

    position: int
    entries: list[JSON]
    record: Record


class _Chat:
    """Follows the todo list of a chat, back and forth."""

    sought = "successful call of write_todos, todo file or tracker file"

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._session: str | None = None
        self._messages: list[str] = []
        self._positions: dict[str, int] = {}
        self._written: list[_Written] = []
        self._tracked: list[Record] = []

    def wants(self, raw: bytes, /) -> bool:
        """A line matters if it names a tool or changes the chat; of any other message the id is kept."""
        if may_hold(raw, _MARKERS):
            return True
        id = _ID_FIRST.match(raw)
        if id is None:
            return True
        self._place(id[1].decode(errors="replace"))
        return False

    def follow(self, record: Record, /) -> Iterator[Snapshot]:
        """What a chat, a line of one, or a file of todos says."""
        value = record.value
        if not isinstance(value, dict):
            return
        if "$rewindTo" in value:
            yield from self._rewind(id_at(value, "$rewindTo"), record)
        elif _is_tracked(value):
            self._tracked.append(record)
        elif "todos" in value and "type" not in value:
            yield from self._follow_file(value, record)
        else:
            yield from self._follow_chat(value, record)

    def finish(self) -> Iterator[Snapshot]:
        """Tracker files that were joined make one plan; a file alone is called after its task."""
        if self._tracked:
            tasks = [record.value for record in self._tracked]
            id = "tasks" if len(tasks) > 1 else f"task-{id_at(tasks[0], 'id')}"
            yield Snapshot(None, id, self._tracked[-1], partial(_fill, tasks, _TRACKED))

    def _follow_file(self, value: dict[str, JSON], record: Record) -> Iterator[Snapshot]:
        session = text_at(value, "sessionId")
        id = id_at(value, "planId") or "todos"
        entries = entries_of(value["todos"], self._ledger.at("/tasks", Plan(id, session), record.line))
        if entries is not None:
            yield Snapshot(session, id, record, partial(_fill, entries, _TODOS))

    def _follow_chat(self, value: dict[str, JSON], record: Record) -> Iterator[Snapshot]:
        head = value.get("$set", value)
        session = text_at(head, "sessionId")
        if session is not None and session != self._session:
            self._begin(session)
        messages = items_at(head, "messages")
        for message in messages if "messages" in (head if isinstance(head, dict) else ()) else [value]:
            yield from self._follow_message(message, record)

    def _begin(self, session: str) -> None:
        """Another chat begins, as in logs that were joined."""
        self._session = session
        self._messages, self._positions, self._written = [], {}, []

    def _follow_message(self, message: JSON, record: Record) -> Iterator[Snapshot]:
        """A message, which may have been here before: then it stands in its old place."""
        id = id_at(message, "id")
        if text_at(message, "type") is None and not items_at(message, "toolCalls"):
            return
        position = self._place(id if id is not None else f"#{len(self._messages)}")
        before = self._now()
        self._write(position, self._entries(message, record), record)
        yield from self._changed(before, record)

    def _entries(self, message: JSON, record: Record) -> list[JSON] | None:
        """The last list that a message set."""
        last: list[JSON] | None = None
        for call in items_at(message, "toolCalls"):
            if text_at(call, "name") in _TOOLS and text_at(call, "status") not in _DID_NOT_HAPPEN:
                note = self._ledger.at("/tasks", Plan("todos", self._session), record.line)
                entries = entries_of(member(unwrapped(member(call, "args")), "todos"), note)
                last = last if entries is None else entries
        return last

    def _write(self, position: int, entries: list[JSON] | None, record: Record) -> None:
        """Remember what the message at this position set, in place of what it set before."""
        index = bisect_left(self._written, position, key=lambda written: written.position)
        there = index < len(self._written) and self._written[index].position == position
        source = dataclasses.replace(record, value=None)
        new = [] if entries is None else [_Written(position, entries, source)]
        self._written[index : index + there] = new

    def _rewind(self, id: str | None, record: Record) -> Iterator[Snapshot]:
        """A message and all after it are taken back."""
        position = self._positions.get(id or "")
        if position is None:
            return
        before = self._now()
        for message in self._messages[position:]:
            del self._positions[message]
        del self._messages[position:]
        self._written = [written for written in self._written if written.position < position]
        yield from self._changed(before, record)

    def _place(self, id: str) -> int:
        """Where a message stands in the chat; a new one stands at the end."""
        if id not in self._positions:
            self._positions[id] = len(self._messages)
            self._messages.append(id)
        return self._positions[id]

    def _now(self) -> list[JSON] | None:
        return self._written[-1].entries if self._written else None

    def _changed(self, before: list[JSON] | None, record: Record) -> Iterator[Snapshot]:
        now = self._now()
        if now is None and before is not None:
            yield Snapshot(self._session, "todos", record, None)
        elif now is not None and now != before:
            source = self._written[-1].record
            yield Snapshot(self._session, "todos", source, partial(_fill, now, _TODOS))


def _is_tracked(value: JSON) -> bool:
    """Whether this is a task as the tracker keeps it."""
    kind = text_at(value, "type")
    return kind in _TRACKED_KINDS and isinstance(member(value, "dependencies"), list)


def _fill(entries: list[JSON], shape: Shape, plan: Plan, ledger: Ledger, line: int) -> Plan:
    return fill_plan(plan, entries, shape, ledger, line)


GEMINI = LogCodec(INFO, _recognise, _Chat)
