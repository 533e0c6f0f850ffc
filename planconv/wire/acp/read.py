"""The plan that an update tells."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import lru_cache

from planconv.errors import DecodeError
from planconv.loss import ENTRY_DROPPED, PRIORITY_ASSUMED, STATUS_ASSUMED, STATUS_FROM_TEXT, Ledger
from planconv.model import JSON, Blocks, Line, Plan, Task, TaskList, make_blocks, plain_text
from planconv.status import ORDINARY_PRIORITY, PENDING, read_priority, read_status
from planconv.wire.acp.message import LEVELS, LUGGAGE, other_keys
from planconv.wire.acp.update import FILE, MARKDOWN, Update, note_assumed
from planconv.wire.acp.v1 import read_suffix
from planconv.wire.carrier import out_of_meta


def read_plan(update: Update, ledger: Ledger) -> Iterator[Plan]:
    """The plan of an update; none if its Markdown cannot be read and bad records are skipped."""
    try:
        yield _read_plan(update, ledger)
    except DecodeError as error:
        ledger.reject(update.record.error(update.place, error.reason), update.record.raw)


def _read_plan(update: Update, ledger: Ledger) -> Plan:
    plan = Plan(update.plan_id, update.session, extras=update.luggage)
    plan = out_of_meta(plan, LUGGAGE, LEVELS)
    line = update.record.line
    for repair in update.record.repairs:
        ledger.note(repair.code, repair.pointer, repair.was, repair.now, plan=plan, line=line)
    note_assumed(update, ledger, plan)
    if update.type == FILE:
        return dataclasses.replace(plan, reference=update.text)
    if update.type == MARKDOWN:
        return _read_markdown(plan, update.text, ledger)
    tasks: list[Task] = []
    for number, entry in enumerate(update.entries):
        task = _usual_task(entry) if update.version != 1 else None
        if task is not None:
            tasks.append(task)
        elif isinstance(entry, dict) and isinstance(entry.get("content"), str):
            tasks.append(_read_entry(entry, f"/tasks/{len(tasks)}", plan, update, ledger))
        else:
            ledger.note(ENTRY_DROPPED, f"{update.place}/{number}", entry, plan=plan, line=line)
    body = make_blocks([TaskList(tuple(tasks))])
    return Plan(plan.id, plan.session, body=body, extras=plan.extras)


def _read_markdown(plan: Plan, text: str, ledger: Ledger) -> Plan:
    from planconv.markdown.read import read_blocks, read_document

    read = read_document(text, ledger, explicit=True)
    if len(read) != 1:  # marked as several plans: the message says that it is one
        return dataclasses.replace(plan, body=read_blocks(text, ledger.at("/body", plan)))
    extras = {**read[0].extras, **plan.extras}
    return dataclasses.replace(read[0], id=plan.id, session=plan.session, extras=extras)


def _read_entry(entry: dict[str, JSON], path: str, plan: Plan, update: Update, ledger: Ledger) -> Task:
    content, status, priority = str(entry["content"]), entry.get("status"), entry.get("priority")
    line = update.record.line
    if not isinstance(status, str) or not status:
        ledger.note(STATUS_ASSUMED, f"{path}/status", status, PENDING, plan=plan, line=line)
        status = PENDING
    if not isinstance(priority, str) or not priority:
        ledger.note(PRIORITY_ASSUMED, f"{path}/priority", priority, plan=plan, line=line)
        priority = ORDINARY_PRIORITY
    task = _read_task(content, status, priority)
    if update.version == 1 and task.status == PENDING:
        shorter, suffix = read_suffix(task.title)
        if suffix is not None:
            was = plain_text(task.title)
            ledger.note(STATUS_FROM_TEXT, f"{path}/status", was, suffix, plan=plan, line=line)
            task = dataclasses.replace(task, title=shorter, status=suffix)
    keys = other_keys(entry, ("content", "status", "priority"))
    return dataclasses.replace(task, extras={LUGGAGE: keys}) if keys else task


# An agent sends its whole plan again for each change, so most tasks were read before.
_MOST_KEPT, _LONGEST_KEPT = 2048, 2000
_USUAL_KEYS = 3


def _usual_task(entry: JSON) -> Task | None:
    """The task of an entry with just the three keys; ``None`` if there is more to say of it."""
    if not isinstance(entry, dict) or len(entry) != _USUAL_KEYS:
        return None
    content, status, priority = entry.get("content"), entry.get("status"), entry.get("priority")
    if not (isinstance(content, str) and isinstance(status, str) and isinstance(priority, str)):
        return None
    return (
        _read_again(content, status, priority)
        if status and priority and len(content) <= _LONGEST_KEPT
        else None
    )


@lru_cache(_MOST_KEPT)
def _read_again(content: str, status: str, priority: str) -> Task:
    return _read_task(content, status, priority)


def _read_task(content: str, status: str, priority: str) -> Task:
    title, details = (_read_text if len(content) <= _LONGEST_KEPT else _read_plain)(content)
    return Task(title, read_status("acp", status), read_priority(priority), details=details)


@lru_cache(_MOST_KEPT)
def _read_text(content: str) -> tuple[Line, Blocks]:
    return _read_plain(content)


def _read_plain(content: str) -> tuple[Line, Blocks]:
    from planconv.markdown.plain import read_plain

    return read_plain(content)
