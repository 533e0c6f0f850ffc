"""The chunks of a Slack stream, and the plan that they build.

``chat.startStream``, ``appendStream`` and ``stopStream`` take arrays of chunks
(https://docs.slack.dev/reference/methods/chat.appendStream): body text, a title for the plan, rows of
tasks, blocks. Rows are known by their ids and stand in the order in which they first appear; a title or a
status replaces the one before, details and output go on where they ended, and nothing is ever taken away.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from planconv.errors import DecodeError, StrictError
from planconv.loss import (
    BLOCK_DROPPED,
    ENTRY_DROPPED,
    PLAN_ID_ASSUMED,
    SHAPE_ASSUMED,
    SOURCES_JOINED,
    TITLE_ASSUMED,
    UPDATE_DROPPED,
    Ledger,
    Note,
)
from planconv.model import JSON, Blocks, Plan, Task, TaskList, make_blocks, walk_tasks
from planconv.wire.logs.records import id_at, items_at, unwrapped
from planconv.wire.slack.find import BLOCKS, TEXT, Found, beside_plans, find_plans
from planconv.wire.slack.markdown import read_markdown
from planconv.wire.slack.read import TaskReader, read_plan
from planconv.wire.slack.rich_text_spans import LUGGAGE
from planconv.wire.slack.task import RICH_TEXTS
from planconv.wire.slack.title import read_title

_INVENTED = re.compile(r"\**(Thinking|Thinking completed|Something went wrong)\**")
"""The titles of Slack's own: of a plan without one, of one that is done, of one stopped too early."""


def find_chunks(value: JSON) -> Iterator[JSON]:
    """The chunks in a record: one, an array of them, the body of a request, or what holds such a body."""
    for inner in value if isinstance(value, list) else [value]:
        if not isinstance(inner, dict) or isinstance(inner.get("type"), str):
            yield inner
            continue
        yield from _find_in_body(inner)
        for body in inner.values():
            if isinstance(body, dict) and body.keys() & {"chunks", TEXT}:
                yield from _find_in_body(body)


def _find_in_body(body: dict[str, JSON]) -> Iterator[JSON]:
    """What a request puts on the page; in a form, chunks and blocks are strings with JSON in them."""
    if isinstance(body.get(TEXT), str):
        yield {"type": TEXT, "text": body[TEXT]}
    yield from items_at(unwrapped(body.get("chunks")))
    blocks = unwrapped(body.get(BLOCKS))
    if isinstance(blocks, list):
        yield {"type": BLOCKS, BLOCKS: blocks}


# --- a row --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Row:
    """A task as its chunks left it; ``task`` is what it was read as, until it changes again."""

    id: str
    path: str
    fields: dict[str, JSON] = field(default_factory=dict)
    texts: dict[str, list[JSON]] = field(default_factory=dict)
    sources: list[JSON] = field(default_factory=list)
    task: Task | None = None

    def update(self, chunk: dict[str, JSON], note: Note) -> None:
        """Take the next chunk of this row; an empty or missing field changes nothing."""
        self.task = None
        for key, value in chunk.items():
            if key in RICH_TEXTS:
                self.texts.setdefault(key, []).extend([value] if value else [])
            elif key == "sources":
                self._join(value, note)
            elif key not in ("type", "id") and value is not None and (value or key != "title"):
                self.fields[key] = value

    def _join(self, sources: JSON, note: Note) -> None:
        before = len(self.sources)
        self.sources += [s for s in items_at(sources) if s not in self.sources]
        if before and len(self.sources) > before:
            note(SOURCES_JOINED, before, len(self.sources))

    def read(self, ledger: Ledger) -> Task:
        """The task; the texts are joined before they are read, since a chunk may end anywhere in them."""
        if self.task is None:
            entry: dict[str, JSON] = {**self.fields, "task_id": self.id, "sources": self.sources}
            for key, pieces in self.texts.items():
                entry[key] = _joined(pieces)
            self.task = TaskReader(entry, self.path, ledger, _read_texts).read()
        return self.task


def _joined(pieces: list[JSON]) -> list[JSON]:
    """Texts that follow one another as one."""
    joined: list[JSON] = []
    run: list[str] = []
    for piece in (*pieces, None):
        if isinstance(piece, str):
            run.append(piece)
            continue
        joined += ["".join(run)] if run else []
        joined += [piece] if piece is not None else []
        run = []
    return joined


def _read_texts(pieces: JSON, note: Note) -> Blocks:
    found = [block for piece in items_at(pieces) for block in read_markdown(piece, note)]
    return make_blocks(found)


# --- a stream -----------------------------------------------------------------------------------


class Chunks:
    """What a stream shows after the chunks so far.

    The rows and the text are one plan, and each plan in blocks is another; the first of them has no id,
    the others have one made from their place.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._rows: dict[str, _Row] = {}
        self._title: str | None = None
        self._extras: dict[str, JSON] = {}
        self._text: list[str] = []
        self._text_first = False
        self._prose: Blocks | None = ()
        self._plans: list[Plan | None] = []  # None stands for the plan of the rows
        self.types: Counter[str] = Counter()
        """How many chunks of each type there were."""

    def take(self, value: JSON, line: int | None = None) -> list[int]:
        """Read a record, and tell which plans changed with it, by their places in :meth:`plans`."""
        changed: dict[int, None] = {}
        for chunk in find_chunks(value):
            if not isinstance(chunk, dict):
                self._ledger.note(ENTRY_DROPPED, "", chunk, line=line)
                continue
            self.types[str(chunk.get("type"))] += 1
            if chunk.get("type") == BLOCKS:
                changed |= dict.fromkeys(self._take_blocks(chunk, line))
            elif self._take(chunk, line):
                if None not in self._plans:
                    self._plans.append(None)
                changed[self._plans.index(None)] = None
        return list(changed)

    def plans(self) -> list[Plan]:
        """The plans; none if the stream has only text without tasks."""
        found = [self.plan(place) for place in range(len(self._plans))]
        bare = self._title is None and not self._rows
        return [
            plan
            for plan, own in zip(found, self._plans, strict=True)
            if own is not None or not bare or any(True for _ in plan.tasks())
        ]

    def plan(self, place: int) -> Plan:
        """One of the plans as it stands now."""
        plan = self._plans[place] or self._own()
        if not place:
            return plan
        made = f"plan-{place + 1}"
        self._ledger.note(PLAN_ID_ASSUMED, "/id", None, made, plan=plan)
        return replace(plan, id=made)

    # what a chunk does

    def _take(self, chunk: dict[str, JSON], line: int | None) -> bool:
        """Whether a chunk that is no blocks could be read."""
        match chunk:
            case {"type": "markdown_text", "text": str(text)}:
                self._text_first = self._text_first or not (self._rows or self._text)
                self._text.append(text)
                self._prose = None
            case {"type": "plan_update", "title": str(title)}:
                self._take_title(title, line)
                self._extras |= {key: v for key, v in chunk.items() if key not in ("type", "title")}
            case {"type": "task_update"}:
                return self._take_row(chunk, line)
            case {"type": "markdown_text" | "plan_update"}:
                self._ledger.note(ENTRY_DROPPED, "", chunk, line=line)
                return False
            case _:
                self._ledger.note(UPDATE_DROPPED, "", chunk.get("type"), line=line)
                return False
        return True

    def _take_title(self, title: str, line: int | None) -> None:
        self._title = title or self._title or ""
        if _INVENTED.fullmatch(title):
            self._ledger.note(TITLE_ASSUMED, "/title", title, title, line=line)

    def _take_row(self, chunk: dict[str, JSON], line: int | None) -> bool:
        id = id_at(chunk, "id") or id_at(chunk, "task_id")
        if id is None:
            self._ledger.note(ENTRY_DROPPED, "/tasks", chunk, line=line)
            return False
        row = self._rows.get(id)
        if row is None:
            row = self._rows[id] = _Row(id, f"/tasks/{len(self._rows)}")
        if id != chunk.get("id"):
            self._ledger.note(SHAPE_ASSUMED, f"{row.path}/id", chunk.get("id"), id, line=line)
        row.update(chunk, self._ledger.at(f"{row.path}/sources", line=line))
        return True

    def _take_blocks(self, chunk: dict[str, JSON], line: int | None) -> Iterator[int]:
        """Read the plans in blocks; each is a plan of its own, as Slack shows them."""
        for pointer, block in beside_plans(chunk.get(BLOCKS)):
            self._ledger.note(BLOCK_DROPPED, f"/{BLOCKS}{pointer}", block, line=line)
        for found in find_plans(chunk.get(BLOCKS)):
            if self._ledger.strict:
                refuse(found, line, self._ledger)
            yield len(self._plans)
            self._plans.append(read_plan(found.plan, self._ledger))

    # what is read of it

    def _own(self) -> Plan:
        if self._prose is None:
            self._prose = read_markdown("".join(self._text), self._ledger.at("/body"))
        above = self._prose if self._text_first else ()
        below = () if self._text_first else self._prose
        number = sum(1 for _ in walk_tasks(above))
        tasks: list[Task] = []
        for row in self._rows.values():
            row.path = f"/tasks/{number}"
            tasks.append(row.read(self._ledger))
            number += 1 + sum(1 for _ in walk_tasks(tasks[-1].details))
        return Plan(
            title=read_title(self._title or ""),
            body=make_blocks((*above, *([TaskList(tuple(tasks))] if tasks else []), *below)),
            extras={LUGGAGE: dict(self._extras)} if self._extras else {},
        )


def refuse(found: Found, line: int | None, ledger: Ledger) -> None:
    """Raise for the first thing in a plan that Slack would not take.

    Raises:
        StrictError: there is one.
    """
    from planconv.wire.slack.shapes import problems

    for pointer, reason in problems(found):
        error = DecodeError(reason, line=line, pointer=pointer)
        error.input = ledger.input
        raise StrictError(str(error))
