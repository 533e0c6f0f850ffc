"""The Agent Client Protocol, in four variants that read alike and write differently.

``acp`` writes version 2 with entries, ``acp-v1`` version 1, ``acp-markdown`` and ``acp-file`` the drafts
of version 2 in which a plan is Markdown or a file. The shapes are those of
https://agentclientprotocol.com/protocol/v2/draft/agent-plan and, for version 1,
https://agentclientprotocol.com/protocol/agent-plan; :mod:`planconv.wire.acp.update` finds them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from planconv.codec import FULL, NO, CodecInfo, Field, Held, partly
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import (
    DETAILS_MOVED,
    ENTRY_DROPPED,
    FIELD_DROPPED,
    LUGGAGE_DROPPED,
    NESTING_FLATTENED,
    PLAN_ID_ASSUMED,
    PRIORITY_ASSUMED,
    PRIORITY_REPLACED,
    REMOVAL_DROPPED,
    STATUS_AS_TEXT,
    STATUS_ASSUMED,
    STATUS_FROM_TEXT,
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
    PlanEvent,
    PlanRemoved,
    PlanUpdated,
    Task,
    TaskList,
    block_text,
    make_blocks,
    plain_text,
    walk_tasks,
    without_tasks,
)
from planconv.status import (
    ORDINARY_PRIORITY,
    PENDING,
    read_priority,
    read_status,
    write_priority,
    write_status,
)
from planconv.wire import json
from planconv.wire.acp.ids import SESSION, with_id, with_ids, with_session
from planconv.wire.acp.log import Record, Survey, read_records
from planconv.wire.acp.message import (
    LEVELS,
    LUGGAGE,
    level_keys,
    note_order,
    note_prose,
    note_unknown_levels,
    notification,
    other_keys,
    own_keys,
)
from planconv.wire.acp.update import (
    FILE,
    ITEMS,
    KNOWN_TYPES,
    MAIN,
    MARKDOWN,
    Update,
    exact_update,
    note_assumed,
    read_update,
    usual_plan,
)
from planconv.wire.acp.v1 import (
    joined_keys,
    note_v1,
    read_suffix,
    refuse_two_of_a_session,
    shield,
    write_suffix,
)
from planconv.wire.carrier import into_meta, out_of_meta

Object: TypeAlias = dict[str, JSON]
Writer: TypeAlias = Callable[[Plan, Ledger], Object | None]
"""Makes the update that tells of a plan; ``None``, with a note, if the variant has none for it."""


class AcpCodec(NamedTuple):
    """One variant: ``write`` makes its updates, ``removes`` tells whether it has one for a removal."""

    info: CodecInfo
    write: Writer
    removes: bool = True

    def recognise(self, head: bytes, /) -> str:
        """ACP is told by its own words; which variant is to be written nobody can tell."""
        if self.info.name != "acp":
            return ""
        if b'"sessionUpdate"' in head or b'"session/update"' in head:
            return "it has ACP session updates"
        bare = head.removeprefix(json.BOM).lstrip()[:1] in (b"{", b"[")
        if bare and b'"content"' in head and b'"status"' in head and b'"priority"' in head:
            return "it has the entries of an ACP plan"
        return ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans that are there at the end: an update replaces, a removal removes."""
        return self.decode_pieces([data], ledger)

    def decode_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> list[Plan]:
        """The same, of an input that comes in pieces; of a log only the plans are held."""
        latest: dict[tuple[str | None, str], Update | Record] = {}
        removed = False
        survey = Survey()
        for record in read_records(pieces, ledger, survey):
            if record.hasty and (key := usual_plan(record.value)) is not None:
                survey.close()
                latest[key] = record
                continue
            for update in read_update(record, ledger):
                survey.close()
                removed = removed or update.removed
                if update.removed:
                    latest.pop((update.session, update.plan_id), None)
                else:
                    latest[update.session, update.plan_id] = update
        plans = [plan for last in latest.values() for plan in _read(exact_update(last, ledger), ledger)]
        if not plans:
            raise NoPlanError(_why_no_plan(survey, removed, ledger))
        return plans

    def decode_events(self, lines: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """One event for each update, as it comes."""
        return self.decode_event_pieces(lines, ledger)

    def decode_event_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """The same, of an input that comes in pieces."""
        for update in _updates(read_records(pieces, ledger), ledger):
            if update.removed:
                yield PlanRemoved(update.session, update.plan_id)
            else:
                yield from map(PlanUpdated, _read(update, ledger))

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """One message a line for each plan."""
        plans = [with_session(plan, ledger) for plan in plans]
        if self.removes:
            plans = with_ids(plans, ledger)
        else:
            refuse_two_of_a_session(plans)
        messages = [message for plan in plans for message in self._message(plan, ledger)]
        if plans and not messages:
            raise EncodeError(f"{self.info.name} can write none of these plans: they are of a custom type")
        return b"".join(messages)

    def encode_events(self, events: Iterable[PlanEvent], ledger: Ledger, /) -> Iterator[bytes]:
        """One message for each event."""
        made: dict[tuple[str | None, str | None], str | None] = {}
        for event in events:
            match event:
                case PlanUpdated(plan):
                    named = with_session(plan, ledger)
                    if self.removes:
                        named = with_id(named, ledger)
                    made[plan.session, plan.id] = named.id
                    if not self.removes:
                        refuse_two_of_a_session([Plan(id, session) for session, id in made])
                    yield from self._message(named, ledger)
                case PlanRemoved(session, id):
                    name = made.pop((session, id), id) or MAIN
                    if self.removes:
                        removal: Object = {"sessionUpdate": "plan_removed", "planId": name}
                        yield _line(notification(session or SESSION, removal, {}))
                    else:
                        ledger.note(REMOVAL_DROPPED, "/id", name, plan=Plan(id, session))

    def _message(self, plan: Plan, ledger: Ledger) -> Iterator[bytes]:
        plan = into_meta(plan, LUGGAGE, "plan" if self.removes else "update")
        note_unknown_levels(plan, ledger)
        update = self.write(plan, ledger)
        if update is not None:
            params = level_keys(plan, "params", ("sessionId", "update"), ledger)
            yield _line(notification(plan.session or SESSION, update, params))


def _line(message: Object) -> bytes:
    return json.dumps(message) + b"\n"


def _why_no_plan(survey: Survey, removed: bool, ledger: Ledger) -> str:
    bad = sum(record.error.input == ledger.input for record in ledger.bad_records)
    unread = f", {bad} of its records cannot be read" if bad else ""
    what = "every plan in it was removed again" if removed else f"it has {survey.words()}"
    return f"there is no plan in the input: {what}{unread}"


# --- reading ------------------------------------------------------------------------------------


def _updates(records: Iterable[Record], ledger: Ledger) -> Iterator[Update]:
    return (update for record in records for update in read_update(record, ledger))


def _read(update: Update, ledger: Ledger) -> Iterator[Plan]:
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
        if isinstance(entry, dict) and isinstance(entry.get("content"), str):
            tasks.append(_read_entry(entry, f"/tasks/{len(tasks)}", plan, update, ledger))
        else:
            ledger.note(ENTRY_DROPPED, f"{update.place}/{number}", entry, plan=plan, line=line)
    return dataclasses.replace(plan, body=make_blocks([TaskList(tuple(tasks))]))


def _read_markdown(plan: Plan, text: str, ledger: Ledger) -> Plan:
    from planconv.markdown.read import read_blocks, read_document

    read = read_document(text, ledger, explicit=True)
    if len(read) != 1:  # marked as several plans: the message says that it is one
        return dataclasses.replace(plan, body=read_blocks(text, ledger.at("/body", plan)))
    extras = {**read[0].extras, **plan.extras}
    return dataclasses.replace(read[0], id=plan.id, session=plan.session, extras=extras)


def _read_entry(entry: Object, path: str, plan: Plan, update: Update, ledger: Ledger) -> Task:
    content, status, priority = str(entry["content"]), entry.get("status"), entry.get("priority")
    if (
        len(entry) == _USUAL_KEYS
        and update.version != 1
        and len(content) <= _LONGEST_KEPT
        and status
        and priority
        and isinstance(status, str)
        and isinstance(priority, str)
    ):
        return _read_again(content, status, priority)
    line = update.record.line
    if not isinstance(status, str) or not status:
        ledger.note(STATUS_ASSUMED, f"{path}/status", status, PENDING, plan=plan, line=line)
        status = PENDING
    if not isinstance(priority, str) or not priority:
        ledger.note(PRIORITY_ASSUMED, f"{path}/priority", priority, plan=plan, line=line)
        priority = ORDINARY_PRIORITY
    task = (_read_again if len(content) <= _LONGEST_KEPT else _read_task)(content, status, priority)
    if update.version == 1 and task.status == PENDING:
        shorter, suffix = read_suffix(task.title)
        if suffix is not None:
            was = plain_text(task.title)
            ledger.note(STATUS_FROM_TEXT, f"{path}/status", was, suffix, plan=plan, line=line)
            task = dataclasses.replace(task, title=shorter, status=suffix)
    keys = other_keys(entry, ("content", "status", "priority"))
    return dataclasses.replace(task, extras={LUGGAGE: keys}) if keys else task


def _read_task(content: str, status: str, priority: str) -> Task:
    title, details = _read_text(content)
    return Task(title, read_status("acp", status), read_priority(priority), details=details)


# An agent sends its whole plan again for each change, so most tasks were read before.
_MOST_KEPT, _LONGEST_KEPT, _USUAL_KEYS = 2048, 2000, 3


@lru_cache(maxsize=_MOST_KEPT)
def _read_text(content: str) -> tuple[Line, Blocks]:
    from planconv.markdown.plain import read_plain

    return read_plain(content)


_read_again = lru_cache(maxsize=_MOST_KEPT)(_read_task)


# --- writing ------------------------------------------------------------------------------------


def _write_v2(plan: Plan, ledger: Ledger) -> Object | None:
    """A plan with tasks as entries; one without goes through as the file, text or custom plan it is."""
    has_tasks = any(True for _ in plan.tasks())
    if not has_tasks and _is_custom(plan):
        return _plan_update(plan, {}, ledger)
    if not has_tasks and plan.body:
        return _write_markdown(plan, ledger)
    _note_field("/title", plain_text(plan.title), plan, ledger)
    if not has_tasks and plan.reference is not None:
        return _plan_update(plan, {"type": FILE, "uri": plan.reference}, ledger)
    _note_field("/reference", plan.reference, plan, ledger)
    note_prose(plan, ledger)
    return _plan_update(plan, {"type": ITEMS, "entries": _entries(plan, "acp", ledger)}, ledger)


def _write_v1(plan: Plan, ledger: Ledger) -> Object | None:
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


def _write_markdown(plan: Plan, ledger: Ledger) -> Object | None:
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


def _write_file(plan: Plan, ledger: Ledger) -> Object | None:
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


_titles: dict[int, tuple[Line, str]] = {}
"""Short titles that were written without loss, by their identity; see :data:`_read_again`."""


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


# --- the variants -------------------------------------------------------------------------------

_PLAIN = partly("Markdown within a line; what has no Markdown (mentions, dates, colours) is plain text")
_ENTRIES: Mapping[Field, Held] = {
    Field.SESSION: FULL,
    Field.PLAN_ID: FULL,
    Field.PLAN_TITLE: partly("only as the plan id that is made from it where there is none"),
    Field.PROSE: partly("only of plans without a task, which are written as Markdown (draft)"),
    Field.REFERENCE: partly("only of plans without a task, which are written as files (draft)"),
    Field.TASK_TITLE: _PLAIN,
    Field.STATUS: partly("words of one's own begin with `_`"),
    Field.PRIORITY: partly("words of one's own begin with `_`"),
    Field.TASK_ID: NO,
    Field.SUBTASKS: partly("after their parent, on its level"),
    Field.DETAILS: partly("paragraphs, lists, quotes and code, as text below the title"),
    Field.OUTPUT: NO,
    Field.SOURCES: NO,
    Field.DEPENDS_ON: NO,
}
_ENTRIES_V1: Mapping[Field, Held] = {
    **_ENTRIES,
    Field.PLAN_ID: partly("every plan is `main`, one a session"),
    Field.PLAN_TITLE: NO,
    Field.PROSE: NO,
    Field.REFERENCE: partly("not at all, but a plan that is only a reference is refused"),
    Field.STATUS: partly(
        "others than its three words stand behind the title, as in `Ask again (cancelled)`"
    ),
    Field.PRIORITY: partly("other words than high, medium and low become medium"),
}
_MARKDOWN: Mapping[Field, Held] = {
    **dict.fromkeys(Field, FULL),
    Field.REFERENCE: partly("an absolute URI, in a paragraph 'Plan file: <…>'"),
    Field.TASK_TITLE: partly("what has no Markdown (mentions, dates, colours) is plain text"),
    Field.STATUS: partly("a box, and a word of letters in parentheses where a box cannot say it"),
    Field.PRIORITY: partly("a word of letters, in the same parentheses"),
    Field.TASK_ID: NO,
    Field.DETAILS: partly("all Markdown blocks; those of other formats are code"),
    Field.OUTPUT: partly("below '**Output:**'; tasks in it are plain items"),
    Field.DEPENDS_ON: NO,
}
_FILE: Mapping[Field, Held] = {
    name: FULL
    if name in (Field.SESSION, Field.PLAN_ID, Field.REFERENCE)
    else partly("in the file that it points to, not in the message")
    for name in Field
}


def _info(
    name: str,
    summary: str,
    holds: Mapping[Field, Held],
    patterns: tuple[str, ...] = (),
    vocabulary: str = "acp",
) -> CodecInfo:
    return CodecInfo(
        name=name,
        summary=summary,
        patterns=patterns,
        vocabulary=vocabulary,
        luggage=LUGGAGE,
        holds=holds,
        carrier="`_meta`, under the key `planconv`",
        records=True,
    )


_PATTERNS = ("*.acp.json", "*.acp.jsonl", "*.acp.ndjson", "*.ndjson", "*.jsonl")

ACP = AcpCodec(
    _info("acp", "Agent Client Protocol; writes version 2 plan updates with entries", _ENTRIES, _PATTERNS),
    _write_v2,
)
ACP_V1 = AcpCodec(
    _info("acp-v1", "Agent Client Protocol; writes version 1 plans", _ENTRIES_V1, vocabulary="acp-v1"),
    _write_v1,
    removes=False,
)
ACP_MARKDOWN = AcpCodec(
    _info(
        "acp-markdown",
        "Agent Client Protocol; writes the plan as Markdown (draft of version 2)",
        _MARKDOWN,
        vocabulary="gfm",
    ),
    _write_markdown,
)
ACP_FILE = AcpCodec(
    _info("acp-file", "Agent Client Protocol; writes a pointer to a file (draft of version 2)", _FILE),
    _write_file,
)
