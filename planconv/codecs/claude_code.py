"""Session logs of Claude Code, and the todo and task files that it keeps. They are only read.

A log is one JSON object a line: a session file (``~/.claude/projects/…/<session>.jsonl``), or what
``claude -p --output-format stream-json`` prints. Each ``TodoWrite`` replaces all todos; tasks are a fold of
``TaskCreate`` and ``TaskUpdate``, keyed by the id that only a result tells; a plan of plan mode is the
Markdown of ``ExitPlanMode``. The plans are called ``todos``, ``tasks`` and ``plan``, and those of a side
chain ``todos@<agent>`` and so on. A call without a result counts as it stands; one whose result is an error
does not. The shapes of the tools are those of ``sdk-tools.d.ts`` in the npm package
``@anthropic-ai/claude-code``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.log_codec import LogCodec
from planconv.loss import Ledger
from planconv.markdown.plain import read_plain
from planconv.model import JSON, Plan
from planconv.wire.logs.calls import Calls
from planconv.wire.logs.claude_tasks import TaskFold, is_task_file
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
from planconv.wire.logs.todos import Shape, entries_of, fill_document, fill_plan

INFO = CodecInfo(
    name="claude-code",
    summary="Claude Code: session logs (TodoWrite, TaskCreate, ExitPlanMode, …), todo files and task files",
    patterns=(
        ".claude/projects/*/*.jsonl",
        ".claude/projects/*/*/subagents/agent-*.jsonl",
        ".claude/todos/*-agent-*.json",
        ".claude/tasks/*/*.json",
        "*.jsonl",
    ),
    vocabulary="claude-code",
    luggage="claude-code",
    holds={
        Field.PLAN_ID: partly("`todos`, `tasks` or `plan`, with the agent's id for a side chain"),
        Field.SESSION: partly("read from the records"),
        Field.PLAN_TITLE: partly("read from a plan of plan mode"),
        Field.PROSE: partly("read from a plan of plan mode"),
        Field.REFERENCE: partly("read where a result names the plan's file and has no text"),
        Field.TASK_TITLE: partly("read"),
        Field.STATUS: partly("read"),
        Field.PRIORITY: partly("read from old todos"),
        Field.TASK_ID: partly("read from tasks and old todos"),
        Field.SUBTASKS: partly("read from a plan of plan mode"),
        Field.DETAILS: partly("read from the description of a task"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: partly("read from `blockedBy`, `addBlockedBy` and `addBlocks`"),
    },
    writes=False,
)

_SHAPE = Shape(
    luggage=INFO.luggage,
    vocabulary=INFO.vocabulary,
    titles=("content", "subject"),
    read_text=read_plain,
    left_out=("blocks",),
)
_TODOS = "TodoWrite"
_DOCUMENT = "ExitPlanMode"
_TASK_TOOLS = ("TaskCreate", "TaskUpdate", "TaskGet", "TaskList")
_TOOLS = (_TODOS, _DOCUMENT, *_TASK_TOOLS)
_MARKERS = tuple(tool.encode() for tool in _TOOLS)
_OLD_SIDE_CHAIN = b'"isSidechain":true'
_REMEMBERED = 4096
"""How many records back the parent of a side chain's record may lie; it is nearly always the one before."""


def _recognise(head: bytes, /) -> str:
    """Whether a session's records, a list of todos or a task begin here."""
    for value in _flat(head_values(head)):
        if member(value, "isSidechain") is not None or member(value, "leafUuid") is not None:
            return "it has the records of a Claude Code session"
        if text_at(value, "session_id") and text_at(value, "type") and _speaks(value):
            return "it has the records of `claude --output-format stream-json`"
        if is_task_file(value):
            return "it has the keys of a Claude Code task"
        if text_at(value, "activeForm") and text_at(value, "content"):
            return "it is a list of Claude Code todos"
    return ""


def _flat(values: list[JSON]) -> Iterator[JSON]:
    for value in values:
        yield from value if isinstance(value, list) else [value]


def _speaks(value: JSON) -> bool:
    """Whether a record says something, or how a run began or ended."""
    kind = text_at(value, "type")
    if kind in ("assistant", "user"):
        return member(value, "message") is not None
    return kind in ("system", "result") and member(value, "subtype") is not None


@dataclass(frozen=True, slots=True)
class _Call:
    """A call of one of the tools: whose it is, and what it says."""

    tool: str
    input: JSON
    session: str | None
    agent: str
    record: Record


class _Session:
    """Follows the plans of a session and of its side chains."""

    sought = "call of TodoWrite, TaskCreate or ExitPlanMode"

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._calls: Calls[_Call] = Calls()
        self._chains = _SideChains()
        self._tasks: dict[str | None, TaskFold] = {}
        self._todos: dict[tuple[str | None, str], list[JSON]] = {}
        self._begun = False
        self._every_line = False
        self._task_files: list[Record] = []

    def wants(self, raw: bytes, /) -> bool:
        """A line matters if it names a tool, or a call whose result is waited for."""
        if self._every_line or (b'"tool_use"' in raw and any(tool in raw for tool in _MARKERS)):
            return True
        if may_hold(raw, self._calls.markers):
            return True
        return _OLD_SIDE_CHAIN in raw and b'"agentId"' not in raw

    def follow(self, record: Record, /) -> Iterator[Snapshot]:
        """What a record changes: a line of a log, or a whole file of todos, or a task."""
        value = record.value
        if isinstance(value, list):
            yield from self._follow_list(value, record)
        elif is_task_file(value):
            self._every_line = True  # one task a line, perhaps, and a task has no marker
            self._task_files.append(record)
        elif isinstance(value, dict):
            yield from self._follow_message(value, record)
        self._begun = True

    def finish(self) -> Iterator[Snapshot]:
        """Calls that were never answered count, and task files make one plan."""
        for call in self._calls.unanswered():
            yield from self._apply(call, call.record, None, "")
        yield from _task_file_plan(self._task_files)

    def _follow_list(self, values: list[JSON], record: Record) -> Iterator[Snapshot]:
        """A file of todos, or the messages of a run in one array (``claude -p --output-format json``)."""
        if values and all(member(value, "type") is not None for value in values):
            for value in values:
                yield from self.follow(dataclasses.replace(record, value=value))
        elif not self._begun:
            yield Snapshot(None, "todos", record, partial(_fill_todos, values))

    def _follow_message(self, value: dict[str, JSON], record: Record) -> Iterator[Snapshot]:
        session = text_at(value, "sessionId") or text_at(value, "session_id")
        agent = self._chains.agent(value)
        turn = text_at(value, "message", "id") or text_at(value, "uuid") or ""
        blocks = items_at(value, "message", "content")
        answers = [block for block in blocks if text_at(block, "type") == "tool_result"]
        for block in blocks:
            match text_at(block, "type"):
                case "tool_use" if (tool := text_at(block, "name")) in _TOOLS:
                    call = _Call(tool, unwrapped(member(block, "input")), session, agent, record)
                    speaker = f"{session}@{agent}"
                    for earlier in self._calls.ask(text_at(block, "id"), call, speaker=speaker, turn=turn):
                        yield from self._apply(earlier, earlier.record, None, "")
                case "tool_result":
                    yield from self._answer(block, _result(value, alone=len(answers) == 1), record)

    def _answer(self, block: JSON, result: JSON, record: Record) -> Iterator[Snapshot]:
        call = self._calls.answer(text_at(block, "tool_use_id"))
        refused = member(block, "is_error") is True or member(result, "success") is False
        if call is not None and not refused:
            yield from self._apply(call, record, result, _said(block))

    def _apply(self, call: _Call, answered: Record, result: JSON, said: str) -> Iterator[Snapshot]:
        """What a call changes, now that nothing speaks against it; ``answered`` has its result."""
        if call.tool == _TODOS:
            yield from self._apply_todos(call)
        elif call.tool == _DOCUMENT:
            yield from _apply_document(call, answered, result)
        else:
            tasks = self._tasks.setdefault(call.session, TaskFold())
            note = self._ledger.at(
                "/tasks", Plan(_named("tasks", call.agent), call.session), call.record.line
            )
            for agent in tasks.apply(call.tool, call.input, result, said, call.agent, note):
                fill = partial(tasks.fill, agent, _SHAPE)
                yield Snapshot(call.session, _named("tasks", agent), call.record, fill)

    def _apply_todos(self, call: _Call) -> Iterator[Snapshot]:
        plan = Plan(_named("todos", call.agent), call.session)
        note = self._ledger.at("/tasks", plan, call.record.line)
        todos = entries_of(member(call.input, "todos"), note)
        if todos is None:
            return
        place = (call.session, call.agent)
        if member(call.input, "merge") is True:
            todos = _merged(self._todos.get(place, []), todos)
        self._todos[place] = todos
        yield Snapshot(call.session, _named("todos", call.agent), call.record, partial(_fill_todos, todos))


def _fill_todos(todos: list[JSON], plan: Plan, ledger: Ledger, line: int) -> Plan:
    return fill_plan(plan, todos, _SHAPE, ledger, line)


def _task_file_plan(records: list[Record]) -> Iterator[Snapshot]:
    """Task files that were joined are one plan; a file alone is called after its task."""
    if not records:
        return
    id = "tasks" if len(records) > 1 else f"task-{id_at(records[0].value, 'id')}"
    tasks = [record.value for record in records]
    yield Snapshot(None, id, records[-1], partial(_fill_todos, tasks))


def _apply_document(call: _Call, answered: Record, result: JSON) -> Iterator[Snapshot]:
    """The plan of plan mode: the result has the text that was agreed on, old logs have it in the call."""
    text = text_at(result, "plan") or text_at(call.input, "plan")
    path = text_at(result, "filePath")
    if text or path:
        fill = partial(_fill_document, text or "", path)
        yield Snapshot(call.session, _named("plan", call.agent), answered, fill)


def _fill_document(text: str, path: str | None, plan: Plan, ledger: Ledger, line: int) -> Plan:
    from planconv.markdown.read import read_blocks

    if not text:
        return dataclasses.replace(plan, reference=_file_uri(path or ""))
    plan = fill_document(plan, read_blocks(text, ledger.at("/body", plan, line)))
    extras: dict[str, dict[str, JSON]] = {INFO.luggage: {"filePath": path}} if path else {}
    return dataclasses.replace(plan, extras=extras)


def _file_uri(path: str) -> str:
    from pathlib import PurePosixPath, PureWindowsPath

    pure = PurePosixPath(path) if path.startswith("/") else PureWindowsPath(path)
    return pure.as_uri() if pure.is_absolute() else path


def _merged(before: list[JSON], changes: list[JSON]) -> list[JSON]:
    """Todos with some of them changed, by id; a change may leave out what stays (Cursor's ``merge``)."""
    merged = {id_at(todo, "id") or f"#{number}": todo for number, todo in enumerate(before)}
    for number, change in enumerate(changes, len(before)):
        key = id_at(change, "id") or f"#{number}"
        old = merged.get(key)
        both = isinstance(old, dict) and isinstance(change, dict)
        merged[key] = {**old, **change} if both else change  # type: ignore[dict-item] # `both` says so
    return list(merged.values())


def _named(plan: str, agent: str) -> str:
    return f"{plan}@{agent}" if agent else plan


def _result(value: JSON, *, alone: bool) -> JSON:
    """The structured result beside a message; it belongs to the only result in it."""
    if not alone:
        return None
    result = member(value, "toolUseResult")
    return member(value, "tool_use_result") if result is None else result


def _said(block: JSON) -> str:
    """The text of a result."""
    content = member(block, "content")
    if isinstance(content, str):
        return content
    return "\n".join(text_at(part, "text") or "" for part in items_at(block, "content"))


class _SideChains:
    """Tells whose record it is: the main agent's (``""``) or a side chain's.

    New logs name the agent, stream-json the call that started it. Old logs only mark the record, and a
    chain is known by the record that it began with.
    """

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}

    def agent(self, value: JSON) -> str:
        """The name of the chain."""
        named = text_at(value, "agentId") or text_at(value, "parent_tool_use_id")
        if named:
            return named
        if member(value, "isSidechain") is not True:
            return ""
        uuid = text_at(value, "uuid") or "side-chain"
        root = self._roots.get(text_at(value, "parentUuid") or "", uuid)
        self._roots[uuid] = root
        if len(self._roots) > _REMEMBERED:
            del self._roots[next(iter(self._roots))]
        return root


CLAUDE_CODE = LogCodec(INFO, _recognise, _Session)
