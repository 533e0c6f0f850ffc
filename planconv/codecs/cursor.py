"""Cursor's ``.plan.md``: the tasks stand in YAML front matter, the Markdown below is text.

``name`` is the title, ``overview`` the first paragraph, ``todos`` are the tasks; boxes in the text are
none. What is not changed is written as it stood: quoting, comments, order and the text below.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.differences import differences, note_differences
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import (
    BOX_DISAGREES,
    ENTRY_DROPPED,
    ID_CHANGED,
    LUGGAGE_DROPPED,
    NESTING_FLATTENED,
    SHAPE_ASSUMED,
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
    Blocks,
    Line,
    Paragraph,
    Plan,
    Task,
    TaskList,
    make_blocks,
    plain_text,
    walk_tasks,
    without_tasks,
)
from planconv.status import COMPLETED, PENDING, add_suffix, read_status, split_suffix, write_status
from planconv.wire import front_matter
from planconv.wire import json as exact_json
from planconv.wire.json import BOM, decode_text

INFO = CodecInfo(
    name="cursor",
    summary="plans of Cursor: todos in front matter",
    patterns=("*.plan.md", ".cursor/plans/*.md"),
    vocabulary="cursor",
    luggage="cursor",
    holds={
        Field.PLAN_ID: NO,
        Field.SESSION: NO,
        Field.PLAN_TITLE: partly("plain text, with the Markdown for styles"),
        Field.PROSE: partly("a first paragraph as the overview, everything else below the todos"),
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("plain text, with the Markdown for styles"),
        Field.STATUS: partly("a word, and one in parentheses for a status that Cursor does not have"),
        Field.PRIORITY: NO,
        Field.TASK_ID: partly("unique ids"),
        Field.SUBTASKS: partly("after their parent"),
        Field.DETAILS: partly("paragraphs, lists, quotes and code, below the first line of a todo"),
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: partly("ids"),
    },
    carrier="YAML front matter",
    several=False,
)

_OWN = ("name", "overview", "todos")
_SOURCE = "source"
_HEAD = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*---[ \t]*\r?\n(?:.*\n)*?todos:")


class Cursor:
    """One plan with its front matter."""

    info = INFO

    def recognise(self, head: bytes, /) -> str:
        """Whether front matter with todos begins here."""
        return "front matter with todos" if _HEAD.match(head) else ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plan of a file.

        Raises:
            DecodeError: it is not UTF-8, or its front matter is no YAML and cannot be made one.
            NoPlanError: it has no todos.
        """
        text = decode_text(data.removeprefix(BOM))
        plan = _read(text, ledger).plan
        if _canonical(plan, Ledger()) == text:
            return [plan]
        own = {**plan.extras.get(INFO.luggage, {}), _SOURCE: text}
        return [dataclasses.replace(plan, extras={INFO.luggage: own})]

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """The plan as a file.

        Raises:
            EncodeError: there is more than one plan, or none.
        """
        if len(plans) != 1:
            raise EncodeError(f"a {INFO.name} file holds one plan, not {len(plans)}")
        own = plans[0].extras.get(INFO.luggage, {})
        source = own.get(_SOURCE)
        plan = _without_source(plans[0])
        body = None
        if isinstance(source, str):
            changed = _changed(source, plan, ledger)
            if changed is not None:
                return changed.encode()
            ledger.note(LUGGAGE_DROPPED, f"/extras/{INFO.luggage}/{_SOURCE}", source, plan=plan)
            body = _body_of(source, plan)
        first = len(ledger.losses)
        text = _canonical(plan, ledger, body)
        note_differences([plan], self.decode(text.encode(), Ledger()), ledger, first)
        return text.encode()


CURSOR = Cursor()


# --- reading --------------------------------------------------------------------------------------


@dataclasses.dataclass(slots=True)
class _File:
    """A file as it was read, with the place of each todo."""

    plan: Plan
    document: front_matter.Document
    places: list[front_matter.Value]
    prose: Blocks


def _read(text: str, ledger: Ledger) -> _File:
    def repaired(line: int, was: str, now: str) -> None:
        ledger.note(SHAPE_ASSUMED, "/extras/cursor", was, now, line=line)

    document = front_matter.read(text, repaired)
    if document is None:
        raise NoPlanError("no front matter with todos; what is in the text, --from markdown reads")
    keys = document.top.keys
    if "todos" not in keys:
        raise NoPlanError("the front matter has no todos; what is in the text, --from markdown reads")
    tasks: list[Task] = []
    places: list[front_matter.Value] = []
    for entry in keys["todos"].items:
        task = _task(entry, f"/tasks/{len(tasks)}", ledger)
        if task is not None:
            tasks.append(task)
            places.append(entry)
    overview = _text(keys.get("overview"))
    above = [Paragraph(read_plain_line(overview))] if overview else []
    prose = _prose(document, ledger)
    _note_boxes(document, tasks, ledger)
    rest = {
        name: inner.value
        for name, inner in keys.items()
        if name not in _OWN or (name != "todos" and inner.text is None)
    }
    plan = Plan(
        title=read_plain_line(_text(keys.get("name"))),
        body=make_blocks([*above, TaskList(tuple(tasks)), *prose]),
        extras={INFO.luggage: rest} if rest else {},
    )
    return _File(plan, document, places, prose)


def _prose(document: front_matter.Document, ledger: Ledger) -> Blocks:
    from planconv.markdown.dialect import TEXT
    from planconv.markdown.read import read_blocks

    return read_blocks(document.text[document.body_at :], ledger.at("/body"), TEXT)


def _note_boxes(document: front_matter.Document, tasks: Sequence[Task], ledger: Ledger) -> None:
    """Note each todo that is open while the one box with its text is ticked, or the reverse."""
    text = document.text[document.body_at :]
    if "[" not in text:
        return
    from planconv.markdown.read import read_blocks

    boxes: dict[str, list[str]] = {}
    for _, box in walk_tasks(read_blocks(text, lambda *_: None)):
        boxes.setdefault(_said(box), []).append(box.status)
    for number, task in enumerate(tasks):
        found = boxes.get(_said(task), [])
        if len(found) == 1 and (found[0] == COMPLETED) != task.done:
            ledger.note(BOX_DISAGREES, f"/tasks/{number}/status", found[0], task.status)


def _said(task: Task) -> str:
    return " ".join(plain_text(task.title).split()).casefold()


def _text(value: front_matter.Value | None) -> str:
    return value.text or "" if value is not None else ""


def _task(entry: front_matter.Value, path: str, ledger: Ledger) -> Task | None:
    if entry.text:
        ledger.note(SHAPE_ASSUMED, f"{path}/title", entry.text, line=entry.line)
        title, details = read_plain(entry.text)
        return Task(title, details=details)
    content = entry.keys.get("content")
    if content is None or content.text is None:
        ledger.note(ENTRY_DROPPED, path, entry.value, line=entry.line)
        return None
    title, details, status = _content(content.text, entry, path, ledger)
    needed = entry.keys.get("dependencies")
    ids = [item.text for item in needed.items if item.text] if needed else []
    rest = {name: inner.value for name, inner in entry.keys.items() if not _is_read(name, inner)}
    return Task(
        title,
        status,
        id=_text(entry.keys.get("id")) or None,
        details=details,
        depends_on=tuple(dict.fromkeys(ids)),
        extras={INFO.luggage: rest} if rest else {},
    )


def _is_read(name: str, value: front_matter.Value) -> bool:
    if name == "dependencies":
        return value.text is None and all(item.text for item in value.items) and not value.keys
    return name in {"id", "content", "status"} and value.text is not None


def _content(text: str, entry: front_matter.Value, path: str, ledger: Ledger) -> tuple[Line, Blocks, str]:
    word = _text(entry.keys.get("status"))
    if not word:
        ledger.note(STATUS_ASSUMED, f"{path}/status", None, PENDING, line=entry.line)
    status = read_status(INFO.vocabulary, word) if word else PENDING
    first, gap, below = text.partition("\n\n")
    bare, shown = split_suffix(first)
    if status == PENDING and shown is not None:
        ledger.note(STATUS_FROM_TEXT, f"{path}/status", status, shown, line=entry.line)
        status, text = shown, bare + gap + below
    title, details = read_plain(text)
    return title, details, status


# --- writing --------------------------------------------------------------------------------------


def _canonical(plan: Plan, ledger: Ledger, body: str | None = None) -> str:
    lines = ["---"]
    if plan.title:
        lines.append(f"name: {_scalar(write_plain_line(plan.title, ledger.at('/title', plan)))}")
    overview, rest = _parts(plan)
    if overview is not None:
        lines.append(f"overview: {_scalar(write_plain_line(overview.line, ledger.at('/body/0', plan)))}")
    todos = list(_todos(plan, ledger))
    lines.append("todos:" if todos else "todos: []")
    lines += todos
    lines += _rest(plan.extras, "", [*_OWN, _SOURCE], "", plan, ledger)
    text = "\n".join([*lines, "---", ""])
    if body is None:
        from planconv.markdown.write import write_blocks

        written = write_blocks(rest, ledger.at("/body", plan))
        body = f"\n{written}\n" if written else ""
    return text + body


def _parts(plan: Plan) -> tuple[Paragraph | None, Blocks]:
    """The overview, and the text below the todos."""
    prose = without_tasks(plan.body)
    match plan.body:
        case (Paragraph() as overview, *_):
            return overview, prose[1:]
    return None, prose


def _todos(plan: Plan, ledger: Ledger) -> Iterator[str]:
    ids = _ids(plan, ledger)
    for number, (depth, task) in enumerate(walk_tasks(plan.body)):
        path = f"/tasks/{number}"
        if depth:
            ledger.note(NESTING_FLATTENED, path, depth, 0, plan=plan)
        content, word = _written(task, path, plan, ledger)
        yield f"  - id: {_scalar(ids[number])}"
        yield f"    content: {_scalar(content)}"
        yield f"    status: {_scalar(word)}"
        if task.depends_on:
            yield f"    dependencies: [{', '.join(map(front_matter.quoted, task.depends_on))}]"
        own = ["id", "content", "status", *(["dependencies"] if task.depends_on else [])]
        yield from _rest(task.extras, path, own, "    ", plan, ledger)


def _written(task: Task, path: str, plan: Plan, ledger: Ledger) -> tuple[str, str]:
    """A todo's content and status."""
    cell = write_status(INFO.vocabulary, task.status)
    title, suffix = task.title, ""
    if not cell.exact:
        ledger.note(STATUS_AS_TEXT, f"{path}/status", task.status, cell.word, plan=plan)
        suffix = task.status
    content = write_plain(title, without_tasks(task.details), _note_of(path, plan, ledger))
    if suffix:
        first, gap, below = content.partition("\n\n")
        content = add_suffix(first, suffix) + gap + below
    return content, cell.word


def _note_of(path: str, plan: Plan, ledger: Ledger) -> Note:
    return ledger.at(f"{path}/title", plan)


def _ids(plan: Plan, ledger: Ledger) -> list[str]:
    """An id for each task, unique; one that is missing is made from the title."""
    tasks = list(plan.tasks())
    taken = {task.id for task in tasks if task.id}
    used: Counter[str] = Counter()
    ids: list[str] = []
    for number, task in enumerate(tasks):
        id = task.id or _slug(task)
        wanted = id
        while used[id] or (id != task.id and id in taken):
            used[wanted] += 1
            id = f"{wanted}-{used[wanted]}"
        used[id] += 1
        if not task.id:
            ledger.note(TASK_ID_ASSUMED, f"/tasks/{number}/id", None, id, plan=plan)
        elif id != task.id:
            ledger.note(ID_CHANGED, f"/tasks/{number}/id", task.id, id, plan=plan)
        ids.append(id)
    return ids


def _slug(task: Task) -> str:
    words = re.findall(r"[a-z0-9]+", plain_text(task.title).lower())
    return "-".join(words[:5])[:40] or "task"


def _rest(
    extras: Mapping[str, Mapping[str, JSON]],
    path: str,
    own: Sequence[str],
    indent: str,
    plan: Plan,
    ledger: Ledger,
) -> Iterator[str]:
    for key, value in extras.get(INFO.luggage, {}).items():
        if key in own:
            ledger.note(LUGGAGE_DROPPED, f"{path}/extras/{INFO.luggage}/{key}", value, plan=plan)
        else:
            yield f"{indent}{_scalar(key)}: {exact_json.dumps(value).decode()}"


def _scalar(text: str) -> str:
    return front_matter.scalar(text)


# --- changing what stands there -------------------------------------------------------------------


def _without_source(plan: Plan) -> Plan:
    own = {key: value for key, value in plan.extras.get(INFO.luggage, {}).items() if key != _SOURCE}
    return dataclasses.replace(plan, extras={INFO.luggage: own} if own else {})


def _changed(source: str, plan: Plan, ledger: Ledger) -> str | None:
    """The source with the changed words in it; ``None`` if it cannot say what the plan says."""
    try:
        file = _read(source, Ledger())
    except DecodeError:
        return None
    if file.plan == plan:
        return source
    before, after = list(file.plan.tasks()), list(plan.tasks())
    if len(before) != len(after):
        return None
    noted = Ledger()
    noted.format = ledger.format
    edits: list[front_matter.Edit] = []
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if (old.title, old.status, old.details) != (new.title, new.status, new.details):
            edits += _edits(new, file, number, plan, noted)
    text = front_matter.changed(source, file.document, edits)
    try:
        back = _read(text, Ledger()).plan
    except DecodeError:
        return None
    named = [loss.path for loss in noted.losses]
    if any(not any(found.lies_under(path) for path in named) for found in differences(plan, back)):
        return None
    ledger.losses += noted.losses
    return text


def _edits(task: Task, file: _File, number: int, plan: Plan, ledger: Ledger) -> Iterator[front_matter.Edit]:
    """Where a todo's words are to be replaced, and by what."""
    content, word = _written(task, f"/tasks/{number}", plan, ledger)
    keys = file.places[number].keys
    old, status = keys.get("content"), keys.get("status")
    if old is None:
        return
    if old.text != content:
        yield front_matter.Edit(old.start, old.end, _scalar(content))
    meant = read_status(INFO.vocabulary, word)
    if status is None:
        if meant != PENDING:
            yield front_matter.key_behind(file.document, old, "status", _scalar(word))
    elif status.text is not None and read_status(INFO.vocabulary, status.text) != meant:
        yield front_matter.Edit(status.start, status.end, _scalar(word))


def _body_of(source: str, plan: Plan) -> str | None:
    """The text below the front matter as it stood, if the plan still says the same there."""
    try:
        file = _read(source, Ledger())
    except DecodeError:
        return None
    _, rest = _parts(plan)
    return file.document.text[file.document.body_at :] if rest == file.prose else None
