"""Claude Code's tasks: the fold of TaskCreate, TaskUpdate, TaskGet and TaskList.

A new task has no id in its call; the result tells it. Later calls name the id and only what changes. The
agents of a session share one numbering, so a side chain may change a task of the main agent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from planconv.loss import ENTRY_DROPPED, TASK_ID_ASSUMED, Ledger, Note
from planconv.model import JSON, Plan
from planconv.status import PENDING
from planconv.wire.logs.records import id_at, items_at, member, text_at
from planconv.wire.logs.todos import Shape, fill_plan

_CREATED = re.compile(r"Task #(\S+) created successfully(?:: (.*))?")
_UPDATED = re.compile(r"Updated task #(\S+)")
_TEXTS = ("subject", "description", "activeForm", "owner", "status")
_DELETED = "deleted"


def is_task_file(value: JSON) -> bool:
    """Whether this is a task as it is kept in a file of its own."""
    named = text_at(value, "subject") is not None and id_at(value, "id") is not None
    return named and text_at(value, "type") is None and text_at(value, "status") is not None


_Place = tuple[str, str]
"""The agent that made a task (``""`` for the main one), and the task's id."""


class TaskFold:
    """The tasks of one session, each under the agent that made it."""

    def __init__(self) -> None:
        self._tasks: dict[_Place, dict[str, JSON]] = {}
        self._agents: dict[str, dict[str, None]] = {}
        self._needed: dict[_Place, dict[str, None]] = {}
        self._deleted: set[_Place] = set()
        self._assumed: set[_Place] = set()
        self._highest: dict[str, int] = {}

    def apply(
        self, tool: str, input: JSON, result: JSON, said: str, agent: str, note: Note
    ) -> Iterable[str]:
        """The agents whose tasks a call changed.

        Args:
            tool: the name of the tool.
            input: what the agent asked for; some gateways lose it.
            result: the structured result, if the log has it.
            said: the text of the result, if the log has that.
            agent: who made the call, ``""`` for the main agent.
            note: takes a call that cannot be understood.
        """
        match tool:
            case "TaskCreate":
                return self._create(input, result, said, agent, note)
            case "TaskUpdate":
                return self._update(input, result, said, agent, note)
            case "TaskGet":
                return self._tell([member(result, "task")], agent, whole=True)
        return self._tell(items_at(result, "tasks"), agent, whole=False)

    def fill(self, agent: str, shape: Shape, plan: Plan, ledger: Ledger, line: int) -> Plan:
        """The plan with the tasks of an agent, in the order in which they were made."""
        entries: list[JSON] = []
        for place, task in self._tasks.items():
            if place[0] != agent:
                continue
            if place in self._assumed:
                path = f"/tasks/{len(entries)}/id"
                ledger.note(TASK_ID_ASSUMED, path, None, place[1], plan=plan, line=line)
            needed: list[JSON] = [
                id for id in self._needed.get(place, ()) if (agent, id) not in self._deleted
            ]
            entries.append({"id": place[1], **task, "blockedBy": needed})
        return fill_plan(plan, entries, shape, ledger, line)

    def _create(self, input: JSON, result: JSON, said: str, agent: str, note: Note) -> Iterable[str]:
        told = _CREATED.search(said)
        id = id_at(result, "task", "id") or (told[1] if told else None)
        changes = {**_changes(member(result, "task")), **_changes(input)}
        if told and told[2] and "subject" not in changes:
            changes["subject"] = told[2]
        if "subject" not in changes:
            note(ENTRY_DROPPED, input)
            return ()
        changes.setdefault("status", PENDING)
        place = (agent, id or str(self._highest.get(agent, 0) + 1))
        self._change(place, changes)
        if id is None:
            self._assumed.add(place)
        return (agent,)

    def _update(self, input: JSON, result: JSON, said: str, agent: str, note: Note) -> Iterable[str]:
        told = _UPDATED.search(said)
        id = id_at(input, "taskId") or id_at(result, "taskId") or (told[1] if told else None)
        changes = _changes(input)
        status = text_at(result, "statusChange", "to")
        if status and "status" not in changes:
            changes["status"] = status
        needed, blocked = _ids(input, "addBlockedBy"), _ids(input, "addBlocks")
        if id is None or not (changes or needed or blocked):
            note(ENTRY_DROPPED, input)
            return ()
        place = self._place(id, agent)
        if changes.get("status") == _DELETED:
            return self._delete(place)
        self._change(place, changes)
        self._needed.setdefault(place, {}).update(dict.fromkeys(needed))
        waiting = [self._place(other, agent) for other in blocked]
        for other in waiting:
            self._needed.setdefault(other, {})[id] = None
        return dict.fromkeys([place[0], *(other[0] for other in waiting)])

    def _tell(self, tasks: list[JSON], agent: str, *, whole: bool) -> Iterable[str]:
        """What the tool tells of tasks; a list leaves out much, and names only what still blocks."""
        changed: dict[str, None] = {}
        for task in tasks:
            id = id_at(task, "id")
            place = self._place(id or "", agent)
            if id is None or place in self._deleted:
                continue
            before = dict(self._tasks.get(place, {})), dict(self._needed.get(place, {}))
            self._change(place, _changes(task))
            needed = dict.fromkeys(_ids(task, "blockedBy"))
            self._needed[place] = needed if whole else before[1] | needed
            if before != (self._tasks[place], self._needed[place]):
                changed[place[0]] = None
        return changed

    def _place(self, id: str, agent: str) -> _Place:
        """The task that an agent means: its own one, else another agent's."""
        agents = self._agents.get(id, {})
        return (agent if agent in agents or not agents else next(iter(agents)), id)

    def _change(self, place: _Place, changes: dict[str, JSON]) -> None:
        agent, id = place
        task = self._tasks.setdefault(place, {})
        self._agents.setdefault(id, {})[agent] = None
        if id.isdecimal() and len(id) < 10:
            self._highest[agent] = max(self._highest.get(agent, 0), int(id))
        self._deleted.discard(place)
        metadata = changes.pop("metadata", None)
        task.update(changes)
        if isinstance(metadata, dict):
            kept = task.get("metadata")
            merged = {**(kept if isinstance(kept, dict) else {}), **metadata}
            task["metadata"] = {key: value for key, value in merged.items() if value is not None}

    def _delete(self, place: _Place) -> Iterable[str]:
        known = self._tasks.pop(place, None) is not None
        self._deleted.add(place)
        self._assumed.discard(place)
        self._needed.pop(place, None)
        return (place[0],) if known else ()


def _changes(told: JSON) -> dict[str, JSON]:
    """What a call or a result says of a task, apart from its id and what it waits for."""
    changes: dict[str, JSON] = {key: text for key in _TEXTS if (text := text_at(told, key)) is not None}
    metadata = member(told, "metadata")
    if metadata is not None:
        changes["metadata"] = metadata
    return changes


def _ids(value: JSON, key: str) -> list[str]:
    found = (id_at({"id": item}, "id") for item in items_at(value, key))
    return [id for id in found if id is not None]
