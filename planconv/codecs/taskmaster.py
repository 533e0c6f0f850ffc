"""Task Master's ``tasks.json``: each tag is a plan; the old form, without tags, is the plan ``master``.

The shape is that of ``packages/tm-core/src/common/types/index.ts`` in ``eyaltoledano/claude-task-master``.
A subtask has the id ``3.2``, and a bare number in its dependencies is a sibling. What a value was before
it was read (a number as a string, a word of one's own) is kept, and so are unknown keys and their order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from planconv.codec import FULL, NO, CodecInfo, Field, partly
from planconv.differences import note_differences
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import (
    ENTRY_DROPPED,
    LUGGAGE_DROPPED,
    PLAN_ID_ASSUMED,
    STATUS_AS_TEXT,
    STATUS_ASSUMED,
    STATUS_FROM_TEXT,
    TASK_ID_ASSUMED,
    Ledger,
    Note,
)
from planconv.markdown.plain import read_plain, read_plain_line, write_plain, write_plain_line
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Paragraph,
    Plan,
    Style,
    Task,
    TaskList,
    Text,
    make_blocks,
    walk_tasks,
    without_tasks,
)
from planconv.status import (
    ORDINARY_PRIORITY,
    PENDING,
    Cell,
    add_suffix,
    read_priority,
    read_status,
    split_suffix,
    write_status,
)
from planconv.wire import json as exact_json
from planconv.wire.logs.records import items_at
from planconv.wire.logs.todos import read_blocks

INFO = CodecInfo(
    name="taskmaster",
    summary="tasks.json of Task Master",
    patterns=(".taskmaster/tasks/tasks.json", "*tasks.json"),
    vocabulary="taskmaster",
    luggage="taskmaster",
    holds={
        Field.PLAN_ID: partly("the tag; `master` where there is none"),
        Field.SESSION: NO,
        Field.PLAN_TITLE: NO,
        Field.PROSE: NO,
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("plain text, with the Markdown for styles"),
        Field.STATUS: partly("a word, and one in parentheses for a status that Task Master does not have"),
        Field.PRIORITY: FULL,
        Field.TASK_ID: partly("of a subtask below its parent's: `3.2`"),
        Field.SUBTASKS: partly("below the text of their parent"),
        Field.DETAILS: partly("plain text: description, details and test strategy, each under its name"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: FULL,
    },
    carrier="a key beside the tasks",
)

_TAG = "master"
_FILE = "file"
_INSIDE = "in_tags"
_AS_WRITTEN = "as_written"
_ORDER = "key_order"
DEEPEST = 40
"""How deep subtasks are read."""
_OWN = (
    *("id", "title", "description", "details", "testStrategy"),
    *("status", "priority", "dependencies", "subtasks"),
)
_DETAILS = Paragraph((Text("Details:", Style.BOLD),))
_STRATEGY = Paragraph((Text("Test strategy:", Style.BOLD),))
_LEFT_OUT: Mapping[str, JSON] = {"description": "", "priority": ORDINARY_PRIORITY, "dependencies": []}
"""What is written although there is nothing to say, unless the source left it out."""

Object = dict[str, JSON]


class TaskMaster:
    """A file of tags, or of one list of tasks."""

    info = INFO

    def recognise(self, head: bytes, /) -> str:
        """Whether the keys of Task Master are there."""
        if head.removeprefix(exact_json.BOM).lstrip()[:1] != b"{" or b'"tasks"' not in head:
            return ""
        keys = (b'"dependencies"', b'"subtasks"', b'"testStrategy"', b'"acceptanceCriteria"')
        return "it has the keys of Task Master" if sum(key in head for key in keys) > 1 else ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plan of each tag.

        Raises:
            DecodeError: it is not JSON, or no object.
            NoPlanError: it has no list of tasks.
        """
        top = exact_json.loads(data, ledger.at(""))
        if not isinstance(top, dict):
            raise DecodeError("this is no object with tasks")
        if isinstance(top.get("tasks"), list):
            return [_plan(None, top, {_FILE: {"legacy": True}}, ledger)]
        inner = top.get("tags")
        tags = inner if isinstance(inner, dict) and any(map(is_tag, inner.values())) else {}
        plans: list[Plan] = []
        for key, value in top.items():
            if key == "tags" and tags:
                plans += _plans(tags, {_INSIDE: True}, ledger)
            else:
                plans += _plans({key: value}, {}, ledger)
        file: Object = {}
        stray: Object = {k: v for k, v in top.items() if not (is_tag(v) or (k == "tags" and tags))}
        inside: Object = {key: value for key, value in tags.items() if not is_tag(value)}
        if stray:
            file = {"stray": stray, _ORDER: list(top)}
        if inside:
            file["stray_in_tags"] = inside
        if not plans:
            raise NoPlanError("there is no list of tasks, neither at the top nor in a tag")
        if file:
            own = {**plans[0].extras.get(INFO.luggage, {}), _FILE: file}
            plans[0] = dataclasses.replace(plans[0], extras={INFO.luggage: own})
        return plans

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """A file with a tag for each plan.

        Raises:
            EncodeError: two plans would have the same tag.
        """
        first = len(ledger.losses)
        data = _write(plans, ledger)
        note_differences(plans, self.decode(data, Ledger()), ledger, first)
        return data


TASKMASTER = TaskMaster()


def is_tag(value: JSON) -> bool:
    """Whether this is a tag: it has a list of tasks."""
    return isinstance(value, dict) and isinstance(value.get("tasks"), list)


# --- reading --------------------------------------------------------------------------------------


class _Reader:
    """Reads the tasks of a plan, counting them."""

    def __init__(self, ledger: Ledger, plan: Plan) -> None:
        self._ledger = ledger
        self._plan = plan
        self._count = 0

    def tasks(self, entries: list[JSON], parent: str, depth: int) -> tuple[Task, ...]:
        return tuple(
            task for entry in entries if (task := self.task(entry, parent, depth, entries)) is not None
        )

    def task(self, entry: JSON, parent: str, depth: int, siblings: list[JSON]) -> Task | None:
        path = f"/tasks/{self._count}"
        if not isinstance(entry, dict) or not isinstance(entry.get("title"), str):
            self._ledger.note(ENTRY_DROPPED, path, entry, plan=self._plan)
            return None
        self._count += 1
        title, status = self._title(entry, path)
        id = _id_text(entry.get("id"))
        id = f"{parent}.{id}" if id and parent else id
        subtasks = entry.get("subtasks")
        below: tuple[Task, ...] = ()
        if isinstance(subtasks, list) and depth < DEEPEST:
            below = self.tasks(subtasks, id or "", depth + 1)
        priority = entry.get("priority")
        return Task(
            read_plain_line(title),
            status,
            read_priority(priority) if isinstance(priority, str) and priority else None,
            id,
            make_blocks([*_details(entry), TaskList(below)]),
            depends_on=_needed(entry.get("dependencies"), parent, siblings),
        )

    def _title(self, entry: Object, path: str) -> tuple[str, str]:
        title, word = str(entry["title"]), entry.get("status")
        if not isinstance(word, str) or not word:
            self._ledger.note(STATUS_ASSUMED, f"{path}/status", word, PENDING, plan=self._plan)
            return title, PENDING
        status = read_status(INFO.vocabulary, word)
        bare, shown = split_suffix(title)
        if status != PENDING or shown is None:
            return title, status
        self._ledger.note(STATUS_FROM_TEXT, f"{path}/status", status, shown, plan=self._plan)
        return bare, shown


def _plans(tags: Object, extras: Object, ledger: Ledger) -> list[Plan]:
    return [
        _plan(tag, value, extras, ledger)
        for tag, value in tags.items()
        if isinstance(value, dict) and is_tag(value)
    ]


def _plan(tag: str | None, value: Object, extras: Object, ledger: Ledger) -> Plan:
    rest: Object = {**{key: inner for key, inner in value.items() if key != "tasks"}, **extras}
    if next(iter(value)) != "tasks":
        rest[_ORDER] = list(value)
    plan = Plan(tag, extras={INFO.luggage: rest} if rest else {})
    entries = items_at(value, "tasks")
    tasks = _Reader(ledger, plan).tasks(entries, "", 0)
    kept = _with_luggage(tasks, [entry for entry in entries if is_task(entry)], "")
    return dataclasses.replace(plan, body=make_blocks([TaskList(kept)]))


def is_task(entry: JSON) -> bool:
    """Whether this entry of such a list is read as a task."""
    return isinstance(entry, dict) and isinstance(entry.get("title"), str)


def _id_text(value: JSON) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    return str(value) or None


def _needed(value: JSON, parent: str, siblings: list[JSON]) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    names = (
        {_id_text(entry.get("id")) for entry in siblings if isinstance(entry, dict)} if parent else set()
    )
    ids = [(id, isinstance(need, int)) for need in value if (id := _id_text(need))]
    full = (f"{parent}.{id}" if parent and (number or id in names) else id for id, number in ids)
    return tuple(dict.fromkeys(full))


def _details(entry: Object) -> Blocks:
    blocks: list[Block] = []
    for key, heading in (("description", None), ("details", _DETAILS), ("testStrategy", _STRATEGY)):
        text = entry.get(key)
        found = read_blocks(text, read_plain) if isinstance(text, str) else ()
        if found:
            blocks += [*([heading] if heading else []), *found]
    return make_blocks(blocks)


def _with_luggage(tasks: Sequence[Task], entries: Sequence[JSON], parent: str) -> tuple[Task, ...]:
    """The tasks with what writing them would not give back, in the extras of each."""
    kept: list[Task] = []
    for task, entry in zip(tasks, entries, strict=True):
        if not isinstance(entry, dict):
            continue
        subtasks = entry.get("subtasks")
        inner = [sub for sub in subtasks if is_task(sub)] if isinstance(subtasks, list) else []
        below = task.subtasks
        details = without_tasks(task.details)
        if below:
            details = make_blocks([*details, TaskList(_with_luggage(below, inner, task.id or ""))])
        word = _kept_word(task, entry.get("status"))
        as_written: Object = {"status": word} if word else {}
        luggage = {INFO.luggage: {_AS_WRITTEN: as_written}}
        written = _entry(dataclasses.replace(task, extras=luggage), parent, lambda *_: None)
        own: Object = {key: value for key, value in entry.items() if key not in _OWN}
        as_written |= {
            key: value
            for key, value in entry.items()
            if key in _OWN and key != "title" and (key != "subtasks" or not below)
            if key not in written or written[key] != value or type(written[key]) is not type(value)
        }
        if entry["title"] != written["title"]:
            as_written["title"] = entry["title"]
        if as_written:
            own[_AS_WRITTEN] = as_written
        if list(entry) != [*written, *(key for key in entry if key not in _OWN)]:
            own[_ORDER] = list(entry)
        kept.append(dataclasses.replace(task, details=details, extras={INFO.luggage: own} if own else {}))
    return tuple(kept)


# --- writing --------------------------------------------------------------------------------------


def _write(plans: Sequence[Plan], ledger: Ledger) -> bytes:
    tags: Object = {}
    inside: Object = {}
    file = _file(plans)
    legacy = file.get("legacy") is True and len(plans) == 1 and not plans[0].id
    for number, plan in enumerate(plans):
        tag = plan.id
        if tag is None:
            tag = _TAG
            if not legacy:
                ledger.note(PLAN_ID_ASSUMED, "/id", None, tag, plan=plan)
        own = plan.extras.get(INFO.luggage, {})
        place = inside if own.get(_INSIDE) is True else tags
        if tag in place:
            raise EncodeError(f"two plans would have the tag {tag!r}: choose one with --plan or --session")
        for key in own:
            if key == "tasks" or (key == _FILE and number):
                ledger.note(LUGGAGE_DROPPED, f"/extras/{INFO.luggage}/{key}", own[key], plan=plan)
        rest: Object = {k: v for k, v in own.items() if k not in {"tasks", _FILE, _INSIDE, _ORDER}}
        place[tag] = _ordered({"tasks": _Writer(plan, ledger).plan(), **rest}, own.get(_ORDER))
    if legacy:
        return exact_json.dumps_indented(tags[_TAG]) + b"\n"
    stray, stray_inside = file.get("stray"), file.get("stray_in_tags")
    top: Object = {**(stray if isinstance(stray, dict) else {}), **tags}
    if inside:
        top["tags"] = {**(stray_inside if isinstance(stray_inside, dict) else {}), **inside}
    return exact_json.dumps_indented(_ordered(top, file.get(_ORDER))) + b"\n"


def _file(plans: Sequence[Plan]) -> Object:
    """What stood around the tags of the file that the first plan is from."""
    file = plans[0].extras.get(INFO.luggage, {}).get(_FILE) if plans else None
    return file if isinstance(file, dict) else {}


def _ordered(value: Object, order: JSON) -> Object:
    """An object with its keys in the order that they had; others follow."""
    keys = (
        [key for key in order if isinstance(key, str) and key in value] if isinstance(order, list) else []
    )
    return {key: value[key] for key in [*keys, *(key for key in value if key not in keys)]}


class _Writer:
    """Writes the tasks of a plan, counting them."""

    def __init__(self, plan: Plan, ledger: Ledger) -> None:
        self._plan = plan
        self._ledger = ledger
        self._count = 0

    def plan(self) -> list[JSON]:
        tasks = [task for depth, task in walk_tasks(self._plan.body) if depth == 0]
        return self._tasks(tasks, "")

    def _tasks(self, tasks: Sequence[Task], parent: str) -> list[JSON]:
        taken = {task.id for task in tasks if task.id}
        entries: list[JSON] = []
        next_id = 1
        for task in tasks:
            path = f"/tasks/{self._count}"
            self._count += 1
            if not task.id:
                while _full(parent, next_id) in taken:
                    next_id += 1
                task = dataclasses.replace(task, id=_full(parent, next_id))
                next_id += 1
                if _AS_WRITTEN not in task.extras.get(INFO.luggage, {}):
                    self._ledger.note(TASK_ID_ASSUMED, f"{path}/id", None, task.id, plan=self._plan)
            entry = _entry(task, parent, self._ledger.at(f"{path}/title", self._plan))
            if not _cell(task).exact:
                note = self._ledger.at(f"{path}/status", self._plan)
                note(STATUS_AS_TEXT, task.status, entry["status"])
            below = self._tasks(task.subtasks, task.id or "")
            lost = self._ledger.at(f"{path}/extras/{INFO.luggage}/{_AS_WRITTEN}", self._plan)
            entries.append(_home(task, {**entry, "subtasks": below}, lost))
        return entries


def _full(parent: str, number: int) -> str:
    return f"{parent}.{number}" if parent else str(number)


def _entry(task: Task, parent: str, note: Note) -> Object:
    """A task as Task Master writes it, without its subtasks."""
    cell = _cell(task)
    title = write_plain_line(task.title, note)
    entry: Object = {
        "id": _short(task.id or "", parent),
        "title": title if cell.exact else add_suffix(title, task.status),
        **_texts(without_tasks(task.details), note),
        "status": cell.word,
        "priority": task.priority or ORDINARY_PRIORITY,
        "dependencies": [_short(id, parent) for id in task.depends_on],
        "subtasks": [],
    }
    return entry


def _cell(task: Task) -> Cell:
    """The word for a task's status: the one that was read, if it still says what the task says."""
    as_written = task.extras.get(INFO.luggage, {}).get(_AS_WRITTEN)
    word = as_written.get("status") if isinstance(as_written, dict) else None
    kept = _kept_word(task, word)
    return Cell(kept, True) if kept else write_status(INFO.vocabulary, task.status)


def _kept_word(task: Task, word: JSON) -> str | None:
    """The word, if it means the task's status and another one would be written for that."""
    if not isinstance(word, str) or not word or read_status(INFO.vocabulary, word) != task.status:
        return None
    return None if write_status(INFO.vocabulary, task.status) == Cell(word, True) else word


def _short(id: str, parent: str) -> JSON:
    """An id as it is written: a number if it is one, a subtask's without its parent's."""
    if parent and id.startswith(f"{parent}."):
        id = id[len(parent) + 1 :]
    return int(id) if id.isascii() and id.isdigit() and len(id) < 16 and str(int(id)) == id else id


def _texts(blocks: Blocks, note: Note) -> Object:
    parts: dict[str, list[Block]] = {"description": [], "details": [], "testStrategy": []}
    at = "description"
    for block in blocks:
        if block == _DETAILS and at == "description":
            at = "details"
        elif block == _STRATEGY and at != "testStrategy":
            at = "testStrategy"
        else:
            parts[at].append(block)
    texts: Object = {key: _text(part, note) for key, part in parts.items() if part or key == "description"}
    return texts


def _text(blocks: Sequence[Block], note: Note) -> str:
    match blocks:
        case [Paragraph(line), *rest]:
            return write_plain(line, tuple(rest), note)
    return write_plain((), tuple(blocks), note)


def _home(task: Task, entry: Object, note: Note) -> Object:
    """The entry with the values, the keys and the order that it had, where they still mean the same.

    ``note`` is told each value that does not, and what stands in its place.
    """
    own = task.extras.get(INFO.luggage, {})
    as_written, order = own.get(_AS_WRITTEN), own.get(_ORDER)
    whole: Object = {**entry, **{k: v for k, v in own.items() if k not in {*_OWN, _AS_WRITTEN, _ORDER}}}
    if isinstance(as_written, dict):
        for key, value in as_written.items():
            if key in _OWN and _means_the_same({**entry, key: value}, entry, task):
                whole[key] = value
            elif key not in whole or whole[key] != value:
                note(LUGGAGE_DROPPED, {key: value}, {key: whole[key]} if key in whole else None)
    if not isinstance(order, list):
        return whole
    keys = [key for key in order if isinstance(key, str) and key in whole]
    left = [key for key in whole if key not in keys and not (key in _OWN and _says_nothing(key, whole))]
    return {key: whole[key] for key in [*keys, *left]}


def _says_nothing(key: str, entry: Object) -> bool:
    if key == "subtasks":
        return entry[key] == []
    if key in {"status", "id"}:
        return entry[key] == PENDING
    return key in _LEFT_OUT and entry[key] == _LEFT_OUT[key]


def _means_the_same(changed: Object, entry: Object, task: Task) -> bool:
    parent = (task.id or "").rpartition(".")[0] if task.id else ""
    new = _Reader(Ledger(), Plan()).task({**changed, "subtasks": []}, parent, 0, [])
    old = _Reader(Ledger(), Plan()).task({**entry, "subtasks": []}, parent, 0, [])
    if new is None or old is None:
        return False
    return new == old or dataclasses.replace(new, title=task.title) == dataclasses.replace(
        old, title=task.title, status=task.status
    )
