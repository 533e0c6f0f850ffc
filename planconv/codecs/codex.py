"""Session logs of the OpenAI Codex CLI. They are only read.

A rollout (``~/.codex/sessions/YYYY/MM/DD/rollout-….jsonl``) has one JSON object a line, in old versions
without the envelope ``{timestamp, type, payload}``. Its todo list is what the last call of ``update_plan``
set; the plan is called ``todos``. ``codex exec --json`` prints the same as ``todo_list`` items, which know
only done and not done. A plan that was proposed in plan mode is a Markdown text, and is called ``plan``. A
call without an output counts as it stands; one whose output says that it failed does not. The shapes are
those of ``codex-rs/protocol/src/plan_tool.rs`` and ``codex-rs/exec/src/exec_events.rs`` in
``openai/codex``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.log_codec import LogCodec
from planconv.loss import ENTRY_DROPPED, Ledger
from planconv.markdown.plain import read_plain
from planconv.model import JSON, Plan
from planconv.status import COMPLETED, PENDING
from planconv.wire.logs.calls import Calls
from planconv.wire.logs.follow import Snapshot
from planconv.wire.logs.records import (
    Record,
    head_values,
    id_at,
    items_at,
    may_hold,
    member,
    text_at,
    unwrapped,
)
from planconv.wire.logs.todos import Shape, entries_of, fill_document, fill_plan, read_blocks

INFO = CodecInfo(
    name="codex",
    summary="Codex CLI: session logs (update_plan, proposed plans), output of `codex exec --json`",
    patterns=(
        ".codex/sessions/*/*/*/rollout-*.jsonl",
        ".codex/archived_sessions/rollout-*.jsonl",
        "rollout-*.jsonl",
        "*.jsonl",
    ),
    vocabulary="acp-v1",
    luggage="codex",
    holds={
        Field.PLAN_ID: partly("`todos` or `plan`"),
        Field.SESSION: partly("read from the log's head"),
        Field.PLAN_TITLE: partly("read from a proposed plan"),
        Field.PROSE: partly("read from an explanation, or a proposed plan"),
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("read"),
        Field.STATUS: partly("read; `codex exec --json` tells only done and not done"),
        Field.PRIORITY: NO,
        Field.TASK_ID: NO,
        Field.SUBTASKS: partly("read from a proposed plan"),
        Field.DETAILS: partly("read from the lines below the first of a step"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: NO,
    },
    writes=False,
)

_STEPS = Shape(
    luggage=INFO.luggage, vocabulary=INFO.vocabulary, titles=("step", "text"), read_text=read_plain
)
_MARKERS = (
    *(b"update_plan", b"todo_list", b"proposed_plan", b"plan_update", b'"plan"', b'"Plan"'),
    *(b"session_meta", b"thread.started"),
)
_PROPOSED = re.compile(r"(?s)<proposed_plan>(.*?)</proposed_plan>")
_FAILED = re.compile(r"(?i)\s*(?:err|fail|invalid|abort|unsupported|unknown)|.*\bnot allowed\b")
_ENVELOPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")


def _recognise(head: bytes, /) -> str:
    """Whether a rollout, or the output of ``codex exec --json``, begins here."""
    for value in head_values(head):
        kind = text_at(value, "type") or ""
        if kind in _ENVELOPES and isinstance(member(value, "payload"), dict):
            return "it has the records of a Codex rollout"
        if kind == "thread.started" or (
            kind.startswith("item.") and isinstance(member(value, "item"), dict)
        ):
            return "it has the events of `codex exec --json`"
        if kind == "function_call" and text_at(value, "name") and id_at(value, "call_id"):
            return "it has the records of an old Codex rollout"
    return ""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of ``update_plan``: what it says, and in which session."""

    arguments: JSON
    session: str | None
    record: Record


class _Rollout:
    """Follows the plans of a session."""

    sought = "call of update_plan, todo_list item or proposed plan"

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._calls: Calls[_Call] = Calls(_MARKERS)
        self._session: str | None = None
        self._forked_from: str | None = None

    def wants(self, raw: bytes, /) -> bool:
        """A line matters if it names a plan, a session, or a call whose output is waited for."""
        return may_hold(raw, self._calls.markers)

    def follow(self, record: Record, /) -> Iterator[Snapshot]:
        """What a record changes, with or without an envelope."""
        kind = text_at(record.value, "type") or ""
        payload = member(record.value, "payload")
        item = payload if kind in _ENVELOPES else record.value
        if kind == "session_meta":
            self._begin(payload)
        elif kind == "thread.started":
            self._session = text_at(item, "thread_id")
        elif not kind and member(item, "timestamp") is not None:
            self._session = id_at(item, "id") or self._session  # the first line of a log without envelopes
        else:
            yield from self._follow_item(item, record)

    def finish(self) -> Iterator[Snapshot]:
        """Calls that were never answered count."""
        for call in self._calls.unanswered():
            yield from self._apply(call)

    def _begin(self, meta: JSON) -> None:
        """A log's head; a fork repeats the head of the log that it goes on from."""
        id = id_at(meta, "id")
        if id is not None and id != self._forked_from:
            self._session = id
            self._forked_from = id_at(meta, "forked_from_id")

    def _follow_item(self, item: JSON, record: Record) -> Iterator[Snapshot]:
        match text_at(item, "type"):
            case "function_call" if text_at(item, "name") == "update_plan":
                call = _Call(unwrapped(member(item, "arguments")), self._session, record)
                id = id_at(item, "call_id") or id_at(item, "id")
                for earlier in self._calls.ask(id, call):
                    yield from self._apply(earlier)
            case "function_call_output":
                answered = self._calls.answer(id_at(item, "call_id"))
                if answered is not None and not _failed(member(item, "output")):
                    yield from self._apply(answered)
            case "plan_update":
                yield from self._apply(_Call(item, self._session, record))
            case "message" if text_at(item, "role") == "assistant":
                texts = (text_at(part, "text") or "" for part in items_at(item, "content"))
                yield from self._propose("\n".join(texts), record)
            case "agent_message":
                yield from self._propose(text_at(item, "message") or text_at(item, "text") or "", record)
            case str() as kind if kind.startswith(("item.", "item_")):
                yield from self._follow_thread_item(member(item, "item"), record)

    def _follow_thread_item(self, item: JSON, record: Record) -> Iterator[Snapshot]:
        match (text_at(item, "type") or "").lower():
            case "todo_list":
                steps: list[JSON] = [_step(entry) for entry in items_at(item, "items")]
                fill = partial(_fill_steps, steps, "")
                yield Snapshot(self._session, "todos", record, fill)
            case "plan" if text := text_at(item, "text"):
                yield Snapshot(self._session, "plan", record, partial(_fill_document, text))
            case "agent_message":
                yield from self._propose(text_at(item, "text") or "", record)

    def _apply(self, call: _Call) -> Iterator[Snapshot]:
        note = self._ledger.at("/tasks", Plan("todos", call.session), call.record.line)
        if not isinstance(call.arguments, dict):
            note(ENTRY_DROPPED, call.arguments)
            return
        steps = entries_of(call.arguments.get("plan"), note)
        if steps is not None:
            fill = partial(_fill_steps, steps, text_at(call.arguments, "explanation") or "")
            yield Snapshot(call.session, "todos", call.record, fill)

    def _propose(self, text: str, record: Record) -> Iterator[Snapshot]:
        """The last plan that a message of the agent proposes."""
        proposed = _PROPOSED.findall(text)
        if proposed:
            yield Snapshot(self._session, "plan", record, partial(_fill_document, proposed[-1]))


def _failed(output: JSON) -> bool:
    """Whether the output of a call says that it failed; the good one is ``Plan updated``."""
    if isinstance(output, dict):
        return output.get("success") is False or _failed(output.get("content"))
    return isinstance(output, str) and _FAILED.match(output) is not None


def _step(entry: JSON) -> JSON:
    """An item of a ``todo_list`` as a step: it only tells whether it is done."""
    done = member(entry, COMPLETED)
    if not isinstance(entry, dict) or not isinstance(done, bool):
        return entry
    rest: dict[str, JSON] = {key: value for key, value in entry.items() if key != COMPLETED}
    return rest | {"status": COMPLETED if done else PENDING}


def _fill_steps(steps: list[JSON], explanation: str, plan: Plan, ledger: Ledger, line: int) -> Plan:
    return fill_plan(plan, steps, _STEPS, ledger, line, above=read_blocks(explanation, read_plain))


def _fill_document(text: str, plan: Plan, ledger: Ledger, line: int) -> Plan:
    from planconv.markdown.read import read_blocks as read_markdown

    return fill_document(plan, read_markdown(text.strip("\r\n"), ledger.at("/body", plan, line)))


CODEX = LogCodec(INFO, _recognise, _Rollout)
