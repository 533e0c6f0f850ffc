"""Chats of GitHub Copilot in VS Code, and the event logs of Copilot CLI. They are only read.

VS Code keeps a chat as one JSON document (``chatSessions/….json``); its todo list is what the last call of
``manage_todo_list`` wrote. Copilot CLI keeps events, one JSON object a line
(``~/.copilot/session-state/<id>/events.jsonl``); it has the same tool or ``update_todo``, whose todos are a
Markdown list. One call stands in several events; it counts once, when it is completed, and not at all if it
failed. The plan is called ``todos``. The shapes are those of
``src/extension/chatSessions/copilotcli/common/copilotCLITools.ts`` in ``microsoft/vscode-copilot-chat``.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.log_codec import LogCodec
from planconv.loss import ENTRY_DROPPED, Ledger
from planconv.markdown.plain import read_plain
from planconv.model import JSON, Block, Code, Line, Paragraph, Plan, Task, TaskList, make_blocks
from planconv.status import KNOWN, PENDING, read_status
from planconv.wire.logs.calls import Calls
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
    name="copilot",
    summary="GitHub Copilot: chats in VS Code (manage_todo_list), event logs of the CLI (update_todo)",
    patterns=(".copilot/session-state/*/events.jsonl", "chatSessions/*.json", "*.jsonl"),
    vocabulary="copilot",
    luggage="copilot",
    holds={
        Field.PLAN_ID: partly("`todos`"),
        Field.SESSION: partly("read"),
        Field.PLAN_TITLE: partly("read from the Markdown of `update_todo`"),
        Field.PROSE: partly("read from the Markdown of `update_todo`"),
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("read"),
        Field.STATUS: partly("read"),
        Field.PRIORITY: NO,
        Field.TASK_ID: partly("read from `manage_todo_list`"),
        Field.SUBTASKS: NO,
        Field.DETAILS: partly("read from the description of a todo"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: NO,
    },
    writes=False,
)

_SHAPE = Shape(
    luggage=INFO.luggage,
    vocabulary=INFO.vocabulary,
    titles=("title", "description"),
    read_text=read_plain,
)
_LIST_TOOL = "manage_todo_list"
_MARKDOWN_TOOL = "update_todo"
_TOOLS = (_LIST_TOOL, _MARKDOWN_TOOL)
_MARKERS = (*(tool.encode() for tool in _TOOLS), b"session.start", b"todoList")
_EVENTS = ("session.", "user.", "assistant.", "tool.")


def _recognise(head: bytes, /) -> str:
    """Whether a chat of VS Code, or an event log of Copilot CLI, begins here."""
    for value in head_values(head):
        if isinstance(member(value, "requests"), list) and text_at(value, "responderUsername"):
            return "it has the keys of a VS Code chat"
        kind = text_at(value, "type") or ""
        if kind.startswith(_EVENTS) and isinstance(member(value, "data"), dict):
            return "it has the events of Copilot CLI"
    if has_keys(head, "responderUsername", "requests"):
        return "it has the keys of a VS Code chat"
    return ""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of one of the tools, and in which session."""

    tool: str
    arguments: JSON
    session: str | None
    record: Record


class _Session:
    """Follows the todo list of a chat or of an event log."""

    sought = "call of manage_todo_list or update_todo"

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._calls: Calls[_Call] = Calls(_MARKERS)
        self._session: str | None = None

    def wants(self, raw: bytes, /) -> bool:
        """A line matters if it names a tool, a session, or a call that is waited for."""
        return may_hold(raw, self._calls.markers)

    def follow(self, record: Record, /) -> Iterator[Snapshot]:
        """What a chat, or an event, says."""
        if member(record.value, "requests") is not None:
            self._session = text_at(record.value, "sessionId")
            for request in items_at(record.value, "requests"):
                yield from self._follow_request(request, record)
            return
        data = member(record.value, "data")
        match text_at(record.value, "type"):
            case "session.start":
                self._session = text_at(data, "sessionId") or self._session
            case "assistant.message":
                turn = id_at(record.value, "id") or id_at(data, "messageId") or ""
                for call in items_at(data, "toolRequests"):
                    yield from self._ask(call, text_at(call, "name"), turn, record)
            case "tool.execution_start":
                yield from self._ask(data, text_at(data, "toolName"), "", record)
            case "tool.execution_complete":
                answered = self._calls.answer(id_at(data, "toolCallId"))
                if answered is not None and member(data, "success") is not False:
                    yield from self._apply(answered)

    def finish(self) -> Iterator[Snapshot]:
        """Calls that were never completed count."""
        for call in self._calls.unanswered():
            yield from self._apply(call)

    def _follow_request(self, request: JSON, record: Record) -> Iterator[Snapshot]:
        """A question with the calls that it led to; without their rounds, what the chat showed of them."""
        calls = [
            _Call(tool, unwrapped(member(call, "arguments")), self._session, record)
            for round in items_at(request, "result", "metadata", "toolCallRounds")
            for call in items_at(round, "toolCalls")
            if (tool := text_at(call, "name")) in _TOOLS
        ]
        shown = [
            _Call(_LIST_TOOL, data, self._session, record)
            for part in items_at(request, "response")
            if text_at(data := member(part, "toolSpecificData"), "kind") == "todoList"
        ]
        for call in calls or shown:
            yield from self._apply(call)

    def _ask(self, call: JSON, tool: str | None, turn: str, record: Record) -> Iterator[Snapshot]:
        if tool in _TOOLS:
            asked = _Call(tool, unwrapped(member(call, "arguments")), self._session, record)
            for earlier in self._calls.ask(id_at(call, "toolCallId"), asked, turn=turn):
                yield from self._apply(earlier)

    def _apply(self, call: _Call) -> Iterator[Snapshot]:
        """The list that a call wrote; a call that only read it says nothing."""
        note = self._ledger.at("/tasks", Plan("todos", call.session), call.record.line)
        fill: Callable[[Plan, Ledger, int], Plan]
        if call.tool == _MARKDOWN_TOOL:
            text = text_at(call.arguments, "todos")
            if text is None:
                note(ENTRY_DROPPED, call.arguments)
                return
            fill = partial(_fill_markdown, text)
        else:
            if text_at(call.arguments, "operation") == "read":
                return
            entries = entries_of(member(call.arguments, "todoList"), note)
            if entries is None:
                return
            fill = partial(_fill_list, entries)
        yield Snapshot(call.session, "todos", call.record, fill)


def _fill_list(entries: list[JSON], plan: Plan, ledger: Ledger, line: int) -> Plan:
    return fill_plan(plan, entries, _SHAPE, ledger, line)


# --- the Markdown of update_todo ----------------------------------------------------------------

_ITEM = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[(.)\]\s+(.*)")
_LINE_END = re.compile(r"\r\n?|\n")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})\s*(.*)")
_HEADING = re.compile(r"#{1,6}\s+")


def _fill_markdown(text: str, plan: Plan, _ledger: Ledger, _line: int) -> Plan:
    """The plan as Copilot reads it: boxes line by line, indented lines go on with the one above.

    The first other line is the title. Copilot passes over what else there is; here it is kept between the
    tasks.
    """
    title: Line = ()
    blocks: list[Block] = []
    for lines in _pieces(_LINE_END.split(text)):
        item, fence = _ITEM.match(lines[0]), _FENCE.match(lines[0])
        if item:
            heading, details = read_plain("\n".join([item[2], *(line.strip() for line in lines[1:])]))
            blocks.append(TaskList((Task(heading, status=_read_mark(item[1]), details=details),)))
        elif fence:
            blocks.append(Code("\n".join(lines[1:]), fence[2].strip()))
        else:
            line, _ = read_plain(_HEADING.sub("", lines[0].strip(), count=1))
            if title:
                blocks.append(Paragraph(line))
            else:
                title = line
    return dataclasses.replace(plan, title=title, body=make_blocks(blocks))


def _pieces(lines: list[str]) -> Iterator[list[str]]:
    """Items with the lines that go on with them, fenced code without its last line, other lines."""
    piece: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            if line.strip().startswith(fence) and not line.strip(" " + fence[0]):
                fence = ""
            else:
                piece.append(line)
            continue
        opens = _FENCE.match(line)
        goes_on = piece and line.startswith("  ") and _ITEM.match(piece[0]) and not _ITEM.match(line)
        if goes_on and line.strip() and not opens:
            piece.append(line)
            continue
        if piece:
            yield piece
        piece = [line] if line.strip() else []
        fence = opens[1] if opens else ""
    if piece:
        yield piece


def _read_mark(mark: str) -> str:
    """What a mark in a box stands for; one that Copilot does not know is work not begun."""
    status = read_status(INFO.vocabulary, mark)
    return status if status in KNOWN else PENDING


COPILOT = LogCodec(INFO, _recognise, _Session)
