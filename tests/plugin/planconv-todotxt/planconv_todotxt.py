"""todo.txt for planconv: a line for each task (https://github.com/todotxt/todo.txt).

``x`` stands before what is done, ``(A)`` before what is urgent, dates after either; projects (``+name``)
and contexts (``@name``) are part of the text. The ``key:value`` words at the end of a line are read as
``id``, ``pri`` (the priority of a task that is done), ``p`` (the id of the task that this one is a part
of, as in topydo), ``after`` (the ids of those that come first, commas between) and ``status`` (one that
todo.txt lacks). All others are luggage, and so are the dates.
"""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from planconv.codec import FULL, NO, CodecInfo, Field, partly
from planconv.differences import note_differences
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import (
    BLANKS_TRIMMED,
    BLOCK_SIMPLIFIED,
    STATUS_AS_TEXT,
    STATUS_FROM_TEXT,
    STYLE_DROPPED,
    TASK_ID_ASSUMED,
    TITLE_ASSUMED,
    Code,
    Ledger,
    Note,
)
from planconv.markdown.literal import visible
from planconv.markdown.plain import read_plain_line, write_plain_line
from planconv.model import (
    JSON,
    Break,
    Line,
    Plan,
    Task,
    TaskList,
    Text,
    make_blocks,
    make_line,
    plain_text,
    walk_tasks,
)
from planconv.status import (
    COMPLETED,
    ORDINARY_PRIORITY,
    PENDING,
    add_vocabulary,
    read_priority,
    write_status,
)

INFO = CodecInfo(
    name="todotxt",
    summary="todo.txt: a line for each task",
    patterns=("todo.txt", "done.txt", "*.todo.txt"),
    vocabulary="todotxt",
    luggage="todotxt",
    holds={
        Field.PLAN_ID: NO,
        Field.SESSION: NO,
        Field.PLAN_TITLE: NO,
        Field.PROSE: NO,
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly("one line of plain text, with the Markdown for styles"),
        Field.STATUS: partly("done or not; any other is a word at the end of the line: `status:blocked`"),
        Field.PRIORITY: partly("high is `(A)`, ordinary `(B)` or nothing, low `(C)`; others are words"),
        Field.TASK_ID: FULL,
        Field.SUBTASKS: partly("by the id of the task above, which is made where there is none"),
        Field.DETAILS: NO,
        Field.OUTPUT: NO,
        Field.SOURCES: NO,
        Field.DEPENDS_ON: FULL,
    },
    several=False,
)
add_vocabulary(INFO.vocabulary, {PENDING: " ", COMPLETED: "x"})

_DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_DONE = re.compile(
    rf"x (?:\((?P<priority>[A-Z])\) )?(?:(?P<completed>{_DATE}) (?:(?P<created>{_DATE}) )?)?(?P<text>.*)",
    re.DOTALL,
)
_OPEN = re.compile(rf"(?:\((?P<priority>[A-Z])\) )?(?:(?P<created>{_DATE}) )?(?P<text>.*)", re.DOTALL)
_TAG = re.compile(r"(?P<key>[A-Za-z][\w-]*):(?!//)(?P<value>[^\s:]+)")
_TELLING = re.compile(rf"x {_DATE} |\([A-Z]\) ")
_LETTERS: Mapping[str, str] = {"A": "high", "B": ORDINARY_PRIORITY, "C": "low"}
_WORDS: Mapping[str, str] = {word: letter for letter, word in _LETTERS.items()}
_NOT_IN_VALUES = re.compile(r"[\s:%,\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_BOM = b"\xef\xbb\xbf"
_DEEPEST = 40
_UNTITLED = "Task"

Luggage = dict[str, JSON]


class TodoTxt:
    """A file of tasks, one a line."""

    info = INFO

    def recognise(self, head: bytes, /) -> str:
        """Whether the first line begins with a priority, or is done on a day."""
        lines = head.removeprefix(_BOM).decode(errors="replace").splitlines()
        first = next((line for line in lines if line.strip()), "")
        return "its first line begins as a task of todo.txt" if _TELLING.match(first) else ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plan that all lines make together.

        Raises:
            DecodeError: it is not UTF-8.
            NoPlanError: there are only blank lines.
        """
        entries: list[_Entry] = []
        for number, line in enumerate(_text(data).split("\n"), 1):
            line = line.removesuffix("\r")
            if line.strip():
                note = ledger.at(f"/tasks/{len(entries)}/status", line=number)
                entries.append(_with_line(_read(line, note), line))
        if not entries:
            raise NoPlanError("there is no line with a task")
        return [Plan(body=make_blocks([TaskList(_tree(entries))]))]

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """The tasks of one plan, in the order of the page.

        What a line says is not always what was meant by it (a title may end like a tag), so that it is
        read back, and every difference noted.

        Raises:
            EncodeError: there are several plans.
        """
        if len(plans) > 1:
            raise EncodeError(
                f"todo.txt holds one plan, there are {len(plans)}: choose with --plan or --session"
            )
        first = len(ledger.losses)
        lines = [line for plan in plans for line in _lines(plan, ledger)]
        data = "".join(f"{line}\n" for line in lines).encode()
        if lines:
            note_differences([_without_prose(plans[0], ledger)], self.decode(data, Ledger()), ledger, first)
        return data


TODOTXT = TodoTxt()


class _Entry(NamedTuple):
    """What a line says: a task without subtasks, and the id of the one that it is a part of."""

    task: Task
    parent: str | None


# --- reading --------------------------------------------------------------------------------------


def _text(data: bytes) -> str:
    try:
        return data.removeprefix(_BOM).decode()
    except UnicodeDecodeError as error:
        start = error.start + (len(_BOM) if data.startswith(_BOM) else 0)
        raise DecodeError(
            f"byte 0x{data[start]:02x} is not UTF-8", line=data.count(b"\n", 0, start) + 1, offset=start
        ) from error


def _read(line: str, note: Note) -> _Entry:
    """What a line says; ``note`` is told of a status that stands in its text."""
    done = _DONE.fullmatch(line)
    found = done or _OPEN.fullmatch(line)
    assert found, "whatever is no done task is an open one"
    fields = found.groupdict()
    title, tags, rest = _tags(fields)
    luggage: Luggage = {key: fields[key] for key in ("completed", "created") if fields.get(key)}
    if "created" in tags:
        luggage["created"] = tags["created"]
    if rest:
        luggage["tags"] = rest
    status = COMPLETED if done else tags.get("status", PENDING)
    if "status" in tags:
        note(STATUS_FROM_TEXT, PENDING, status)
    priority = fields["priority"] or tags.get("pri", ORDINARY_PRIORITY)
    task = Task(
        read_plain_line(title),
        status,
        read_priority(_LETTERS.get(priority, priority)),
        tags.get("id"),
        depends_on=tuple(dict.fromkeys(_unquoted(id) for id in tags.get("after", "").split(",") if id)),
        extras=_extras(luggage),
    )
    return _Entry(task, tags.get("p"))


def _tags(fields: Mapping[str, str | None]) -> tuple[str, dict[str, str], list[JSON]]:
    """The title, the tags that the model has a field for, and the others as they stand."""
    words = (fields["text"] or "").split(" ")
    end = len(words)
    while end > 1 and _TAG.fullmatch(words[end - 1]):
        end -= 1
    if not any(map(str.strip, words[:end])):
        end += 1  # a line of nothing but tags has the first of them for a title
    read: dict[str, str] = {}
    rest: list[JSON] = []
    for word in reversed(words[end:]):
        key, _, value = word.partition(":")
        if key not in read and _is_read(key, value, fields):
            read[key] = value if key == "after" else _unquoted(value)
        else:
            rest.insert(0, word)
    return " ".join(words[:end]).strip(), read, rest


def _is_read(key: str, value: str, fields: Mapping[str, str | None]) -> bool:
    done = "completed" in fields
    match key:
        case "id" | "p" | "after":
            return True
        case "pri":
            return not fields["priority"]
        case "status":  # an open line is open, and a done one done, whatever stands at its end
            return not done and not write_status(INFO.vocabulary, _unquoted(value)).exact
        case "created":
            return done and not fields["completed"] and bool(re.fullmatch(_DATE, value))
    return False


def _with_line(entry: _Entry, line: str) -> _Entry:
    """The entry; if another line would be written for it, the line is kept in its luggage."""
    if _written(entry, lambda _: _silent) == line or not _is_clean(line):
        return entry
    extras = _extras({**_luggage(entry.task), "as_written": line})
    return entry._replace(task=dataclasses.replace(entry.task, extras=extras))


class _Node(NamedTuple):
    task: Task
    below: list[_Node]


def _tree(entries: Iterable[_Entry]) -> tuple[Task, ...]:
    """Each task below the one that it names, if that one or something below it stands right before.

    Lines keep their order. What names a task that stands elsewhere keeps the name in its luggage.
    """
    top: list[_Node] = []
    above: list[_Node] = []
    for task, parent in entries:
        while above and (parent is None or above[-1].task.id != parent):
            above.pop()
        if len(above) >= _DEEPEST:
            above = []
        if parent is not None and not above:
            task = dataclasses.replace(task, extras=_extras({**_luggage(task), "parent": parent}))
        node = _Node(task, [])
        (above[-1].below if above else top).append(node)
        above.append(node)
    return tuple(map(_planted, top))


def _planted(node: _Node) -> Task:
    below = make_blocks([TaskList(tuple(map(_planted, node.below)))])
    return dataclasses.replace(node.task, details=below)


# --- writing --------------------------------------------------------------------------------------

NoteAt = Callable[[str], Note]
"""Gives the note for a field of a task."""


def _lines(plan: Plan, ledger: Ledger) -> Iterator[str]:
    taken = {task.id for task in plan.tasks()}
    free = (id for number in itertools.count(1) if (id := str(number)) not in taken)
    above: list[str | None] = []
    for number, (depth, task) in enumerate(walk_tasks(plan.body)):

        def note_at(field: str, path: str = f"/tasks/{number}") -> Note:
            return ledger.at(f"{path}/{field}", plan)

        if task.subtasks and not task.id:
            task = dataclasses.replace(task, id=next(free))
            note_at("id")(TASK_ID_ASSUMED, None, task.id)
        named = _luggage(task).get("parent")
        del above[depth:]
        parent = above[-1] if depth else named if isinstance(named, str) else None
        above.append(task.id)
        yield _line(_Entry(task, parent), note_at)


def _line(entry: _Entry, note_at: NoteAt) -> str:
    """The line of a task: the one that it came as, if that still says the same."""
    task = entry.task
    cell = write_status(INFO.vocabulary, task.status)
    if not cell.exact:
        note_at("status")(STATUS_AS_TEXT, task.status, cell.word)
    luggage = _luggage(task)
    line = luggage.pop("as_written", None)
    luggage.pop("parent", None)
    now = _Entry(dataclasses.replace(task, details=(), extras=_extras(luggage)), entry.parent)
    if isinstance(line, str) and _is_clean(line) and _read(line, _silent) == now:
        return line
    return _written(now, note_at)


def _written(entry: _Entry, note_at: NoteAt) -> str:
    """The line that is written for a task with no line of its own."""
    task, parent = entry
    luggage = _luggage(task)
    done = task.status == COMPLETED
    completed, created = (_date(luggage.get(key)) for key in ("completed", "created"))
    letter, priority = _priority(task.priority)
    tags = {
        "pri": (letter or priority) if done else priority,
        "id": task.id,
        "p": parent,
        "after": task.depends_on,
        "status": "" if write_status(INFO.vocabulary, task.status).exact else task.status,
        "created": created if done and not completed else "",
    }
    text = " ".join([_title(task.title, note_at("title")), *_own_tags(luggage), *_as_words(tags)])
    if done:
        dates = f"{completed} {created}".strip() if completed else ""
        return f"x {dates} {text}" if dates else f"x {text}"
    line = " ".join(part for part in (f"({letter})" if letter else "", created, text) if part)
    read_back = _OPEN.fullmatch(line)
    if _DONE.fullmatch(line) or not read_back or read_back["text"] != text:
        return f"(B) {line}"  # ordinary, and so the text can begin with whatever it likes
    return line


def _title(title: Line, note: Note) -> str:
    """A title on one line, never blank."""
    line = make_line(Text(" ") if isinstance(span, Break) else span for span in title)
    if line != title:
        note(STYLE_DROPPED, plain_text(title), plain_text(line))
    whole = visible(write_plain_line(line, note), note).replace("\n", " ")
    text = whole.strip()
    if text != whole:
        note(BLANKS_TRIMMED, whole, text)
    if not text:
        note(TITLE_ASSUMED, whole, _UNTITLED)
    return text or _UNTITLED


def _priority(priority: str | None) -> tuple[str, str]:
    """The letter of a priority, or the word for it if it has none."""
    if not priority:
        return "", ""
    if priority in _WORDS:
        return _WORDS[priority], ""
    return (priority, "") if re.fullmatch("[D-Z]", priority) else ("", priority)


def _date(value: JSON) -> str:
    return value if isinstance(value, str) and re.fullmatch(_DATE, value) else ""


def _own_tags(luggage: Luggage) -> list[str]:
    tags = luggage.get("tags")
    return [
        tag
        for tag in (tags if isinstance(tags, list) else [])
        if isinstance(tag, str) and _TAG.fullmatch(tag) and _is_clean(tag)
    ]


def _as_words(tags: Mapping[str, str | tuple[str, ...] | None]) -> list[str]:
    """Tags as they stand in a line; there are none for what is empty."""
    return [
        f"{key}:{','.join(map(_quoted, (value,) if isinstance(value, str) else value))}"
        for key, value in tags.items()
        if value
    ]


def _quoted(value: str) -> str:
    """A value without what would end it, as in an address: ``a b`` is ``a%20b``."""
    return _NOT_IN_VALUES.sub(lambda match: quote(match[0], safe="", errors="replace"), value)


def _unquoted(value: str) -> str:
    """The value that :func:`_quoted` gave this for; any other is what it is."""
    plain = unquote(value)
    return plain if _quoted(plain) == value else value


# --- both -----------------------------------------------------------------------------------------


def _without_prose(plan: Plan, ledger: Ledger) -> Plan:
    """The plan as a list of tasks; text between them has been noted before, other lists are here."""
    number = 0
    for block in plan.body:
        plain = isinstance(block, TaskList) and not block.ordered
        for depth, task in walk_tasks((block,)):
            if depth == 0 and not plain:
                ledger.note(BLOCK_SIMPLIFIED, f"/tasks/{number}", plain_text(task.title), plan=plan)
            number += 1
    top = tuple(task for depth, task in walk_tasks(plan.body) if depth == 0)
    return dataclasses.replace(plan, body=make_blocks([TaskList(top)]))


def _luggage(task: Task) -> Luggage:
    return dict(task.extras.get(INFO.luggage, {}))


def _extras(luggage: Luggage) -> Mapping[str, Mapping[str, JSON]]:
    return {INFO.luggage: luggage} if luggage else {}


def _is_clean(line: str) -> bool:
    """Whether a text is one line that can be written as it stands."""
    return bool(line.strip()) and "\n" not in line and visible(line, _silent) == line


def _silent(code: Code, was: JSON = None, now: JSON = None, /) -> None:
    """A note that nobody keeps."""
