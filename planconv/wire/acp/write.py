"""The update that tells of a plan, in each of the variants."""

from __future__ import annotations

import dataclasses
from typing import TypeAlias

from planconv.errors import EncodeError
from planconv.loss import (
    DETAILS_MOVED,
    FIELD_DROPPED,
    LUGGAGE_DROPPED,
    NESTING_FLATTENED,
    PLAN_ID_ASSUMED,
    PRIORITY_REPLACED,
    STATUS_AS_TEXT,
    STATUS_RENAMED,
    UPDATE_DROPPED,
    Code,
    Ledger,
    Note,
)
from planconv.model import (
    JSON,
    Blocks,
    Line,
    Plan,
    Task,
    block_text,
    plain_text,
    walk_tasks,
    without_tasks,
)
from planconv.status import PENDING, read_status, write_priority, write_status
from planconv.wire.acp.message import LUGGAGE, level_keys, note_order, note_prose, own_keys
from planconv.wire.acp.update import FILE, KNOWN_TYPES, MAIN, MARKDOWN
from planconv.wire.acp.usual import ITEMS
from planconv.wire.acp.v1 import joined_keys, note_v1, shield, write_suffix

Object: TypeAlias = dict[str, JSON]


def write_v2(plan: Plan, ledger: Ledger) -> Object | None:
    """A plan with tasks as entries; one without goes through as the file, text or custom plan it is."""
    has_tasks = any(True for _ in plan.tasks())
    if not has_tasks and _is_custom(plan):
        return _plan_update(plan, {}, ledger)
    if not has_tasks and plan.body:
        return write_markdown(plan, ledger)
    _note_field("/title", plain_text(plan.title), plan, ledger)
    if not has_tasks and plan.reference is not None:
        return _plan_update(plan, {"type": FILE, "uri": plan.reference}, ledger)
    _note_field("/reference", plan.reference, plan, ledger)
    note_prose(plan, ledger)
    return _plan_update(plan, {"type": ITEMS, "entries": _entries(plan, "acp", ledger)}, ledger)


def write_v1(plan: Plan, ledger: Ledger) -> Object | None:
    """A version 1 plan; ``None`` of a custom one, which it has no place for.

    Raises:
        EncodeError: the plan has no tasks, but text or a reference.
    """
    if _is_custom(plan):
        _note_custom(plan, ledger)
        return None
    if not any(True for _ in plan.tasks()) and (plan.body or plan.reference is not None):
        held = "a reference to a file (read it with --root)" if plan.reference is not None else "only text"
        raise EncodeError(
            f"version 1 of ACP has no place for the plan {plan.id}: it has no tasks, but {held}"
        )
    if plan.id is None:
        ledger.note(PLAN_ID_ASSUMED, "/id", None, MAIN, plan=plan)
    elif plan.id != MAIN:
        note_v1(FIELD_DROPPED, "/id", plan.id, MAIN, plan, ledger)
    _note_field("/reference", plan.reference, plan, ledger)
    note_order(plan, ledger)
    keys = joined_keys(plan, ledger)
    return {"sessionUpdate": "plan", "entries": _entries(plan, "acp-v1", ledger), **keys}


def write_markdown(plan: Plan, ledger: Ledger) -> Object | None:
    """The plan as Markdown; ``None`` of a custom one."""
    from planconv.markdown.write import write_document

    if _is_custom(plan):
        _note_custom(plan, ledger)
        return None
    for number, task in enumerate(plan.tasks()):
        for key, value in task.extras.get(LUGGAGE, {}).items():
            path = f"/tasks/{number}/extras/{LUGGAGE}/{key}"
            ledger.note(LUGGAGE_DROPPED, path, value, plan=plan)
    alone = dataclasses.replace(plan, id=None, session=None, extras={})
    content = write_document([alone], ledger, explicit=True)
    return _plan_update(plan, {"type": MARKDOWN, "content": content}, ledger)


def write_file(plan: Plan, ledger: Ledger) -> Object | None:
    """A pointer to the file that the plan refers to; ``None`` of a custom one.

    Raises:
        EncodeError: the plan refers to none.
    """
    if _is_custom(plan):
        _note_custom(plan, ledger)
        return None
    if plan.reference is None:
        raise EncodeError(
            "acp-file needs -o PATH: the checklist is written there, and the message points to it"
        )
    if plan.title:
        ledger.note(DETAILS_MOVED, "/title", plain_text(plan.title), plan.reference, plan=plan)
    for index, block in enumerate(plan.body):
        ledger.note(DETAILS_MOVED, f"/body/{index}", block_text(block), plan.reference, plan=plan)
    for number, task in enumerate(plan.tasks()):
        ledger.note(DETAILS_MOVED, f"/tasks/{number}", plain_text(task.title), plan.reference, plan=plan)
    return _plan_update(plan, {"type": FILE, "uri": plan.reference}, ledger)


def _plan_update(plan: Plan, content: Object, ledger: Ledger) -> Object:
    """A version 2 update; ``content`` is what the type of the plan demands, of a custom one nothing."""
    kind = {"type": content["type"]} if content else {}
    wanted: Object = {**kind, "planId": plan.id, **content}
    keys = level_keys(plan, "plan", tuple(wanted), ledger)
    update = level_keys(plan, "update", ("sessionUpdate", "plan"), ledger)
    return {"sessionUpdate": "plan_update", "plan": {**wanted, **keys}, **update}


def _entries(plan: Plan, vocabulary: str, ledger: Ledger) -> list[JSON]:
    entries: list[JSON] = []
    for number, (depth, task) in enumerate(walk_tasks(plan.body)):
        path = f"/tasks/{number}"
        if depth:
            ledger.note(NESTING_FLATTENED, path, depth, 0, plan=plan)
        entries.append(_entry(task, path, plan, vocabulary, ledger))
    return entries


def _entry(task: Task, path: str, plan: Plan, vocabulary: str, ledger: Ledger) -> Object:
    title = task.title
    status = write_status(vocabulary, task.status)
    if vocabulary == "acp":
        if read_status(vocabulary, status.word) != task.status:
            ledger.note(STATUS_RENAMED, f"{path}/status", task.status, status.word, plan=plan)
    elif not status.exact:
        note_v1(STATUS_AS_TEXT, f"{path}/status", task.status, status.word, plan, ledger)
        title = write_suffix(title, task.status, ledger.at(f"{path}/title", plan))
    elif task.status == PENDING:
        title = shield(title, ledger.at(f"{path}/title", plan))
    priority = write_priority(vocabulary, task.priority)
    if not priority.exact:
        note = note_v1 if vocabulary == "acp-v1" else _note
        note(PRIORITY_REPLACED, f"{path}/priority", task.priority, priority.word, plan, ledger)
    details = without_tasks(task.details)
    where = path if details else f"{path}/title"
    return {
        "content": _content(title, details, ledger.at(where, plan)),
        "priority": priority.word,
        "status": status.word,
        **own_keys(task.extras, path, ("content", "priority", "status"), plan, ledger),
    }


_MOST_KEPT, _LONGEST_KEPT = 2048, 2000
_titles: dict[int, tuple[Line, str]] = {}
"""Short titles that were written without loss, by their identity: most are sent again unchanged."""


def _content(title: Line, details: Blocks, note: Note) -> str:
    from planconv.markdown.plain import write_plain

    known = _titles.get(id(title))
    if known is not None and known[0] is title and not details:
        return known[1]
    noted = False

    def watch(code: Code, was: JSON = None, now: JSON = None) -> None:
        nonlocal noted
        noted = True
        note(code, was, now)

    content = write_plain(title, details, watch)
    if not details and not noted and len(content) <= _LONGEST_KEPT:
        if len(_titles) >= _MOST_KEPT:
            _titles.clear()
        _titles[id(title)] = (title, content)
    return content


def _is_custom(plan: Plan) -> bool:
    """Whether the plan came as one of a type that is not known here."""
    inner = plan.extras.get(LUGGAGE, {}).get("plan")
    return (
        isinstance(inner, dict) and isinstance(inner.get("type"), str) and inner["type"] not in KNOWN_TYPES
    )


def _note_custom(plan: Plan, ledger: Ledger) -> None:
    """Note a plan that only version 2 with entries passes on, as it came."""
    ledger.note(UPDATE_DROPPED, f"/extras/{LUGGAGE}/plan", plan.extras[LUGGAGE]["plan"], plan=plan)


def _note(code: Code, path: str, was: JSON, now: JSON, plan: Plan, ledger: Ledger) -> None:
    ledger.note(code, path, was, now, plan=plan)


def _note_field(path: str, value: str | None, plan: Plan, ledger: Ledger) -> None:
    if value:
        ledger.note(FIELD_DROPPED, path, value, plan=plan)
