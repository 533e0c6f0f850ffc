"""A plan as the chunks of a Slack stream: the whole of it at first, then only what has changed.

A stream cannot take back what it has shown (:mod:`planconv.wire.slack.chunks` has the rules), so a writer
remembers what was sent: titles and statuses are sent again when they change, details, output and body text
are sent from where they ended. What would need more than that is noted, and not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from planconv.loss import (
    BLOCK_SIMPLIFIED,
    DETAILS_MOVED,
    KEPT_IN_STREAM,
    LEFT_OPEN,
    LONG_TEXT,
    LUGGAGE_DROPPED,
    NESTING_FLATTENED,
    ROW_NOT_SHOWN,
    STYLE_DROPPED,
    Code,
    Ledger,
    Note,
)
from planconv.model import (
    JSON,
    Block,
    Extras,
    Plan,
    Task,
    TaskList,
    block_text,
    make_blocks,
    plain_text,
    walk_tasks,
    without_tasks,
)
from planconv.status import IN_PROGRESS, PENDING, TABLE
from planconv.wire.slack.find import TASK, TEXT, TITLE
from planconv.wire.slack.limits import MAX_TASKS
from planconv.wire.slack.markdown import write_body, write_markdown
from planconv.wire.slack.plan import plan_title
from planconv.wire.slack.rich_text_spans import LUGGAGE
from planconv.wire.slack.row_ids import RowNames
from planconv.wire.slack.task import RICH_TEXTS, VOCABULARY, TaskWriter

Chunk = dict[str, JSON]

LONG = 256
"""Characters that Slack's documentation gives a field of a chunk."""
ROOM = 10_600
"""Bytes of all texts that a stream with body text takes for certain; details and output count twice."""
PIECE = 12_000
"""Characters that one piece of body text may have."""

_NOT_IN_CHUNKS = {"type", "id", "task_id", "block_id", "tasks", "sources", *RICH_TEXTS}
_OPEN = {TABLE[VOCABULARY][PENDING].word, TABLE[VOCABULARY][IN_PROGRESS].word}


@dataclass(slots=True)
class _Row:
    """What stands on the page of a task, and the task that it was last written from.

    ``task`` is ``None`` while the plan does not have it. ``refused`` are values that could not be sent.
    """

    fields: Chunk = field(default_factory=dict)
    task: Task | None = None
    refused: Chunk = field(default_factory=dict)
    weight: int = 0


class Rows:
    """One stream: what was sent of its plan, and what has to follow."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._plan = Plan()
        self._title: Chunk = {}
        self._text = ""
        self._refused_text = ""
        self._rows: dict[str, _Row] = {}
        self._names = RowNames()
        self._told_order: list[str] = []
        self._told_open: list[str] = []
        self._weight = 0
        self._told_weight = False

    def update(self, plan: Plan) -> Iterator[Chunk]:
        """The chunks that make what was sent so far into this plan, as far as that can be done."""
        before, self._plan = self._plan, plan
        if not self._title or (plan.title, plan.extras) != (before.title, before.extras):
            yield from self._title_chunk(plan)
        if plan.body == before.body:
            return
        self._note_flat()
        prose, first = self._prose(plan)
        if first:
            yield from self._text_chunks(prose)
        yield from self._task_chunks(list(plan.tasks()))
        if not first:
            yield from self._text_chunks(prose)
        if self._text and self._weight > ROOM and not self._told_weight:
            self._told_weight = True
            self._note(LONG_TEXT, "", self._weight)

    def close(self) -> None:
        """Note the tasks that are open on the page when nothing follows any more."""
        titles = [str(row.fields["title"]) for row in self._rows.values() if row.fields["status"] in _OPEN]
        if titles and titles != self._told_open:
            self._note(LEFT_OPEN, "/tasks", [*titles])
        self._told_open = titles

    def forget(self) -> None:
        """The plan is gone. Its rows stay on the page, and are used again if it comes back."""
        self._names.forget()
        self._plan = replace(self._plan, body=())
        for row in self._rows.values():
            row.task = None

    def _note(self, code: Code, path: str, was: JSON = None, now: JSON = None) -> None:
        self._ledger.note(code, path, was, now, plan=self._plan)

    # the title, and the text around the tasks

    def _title_chunk(self, plan: Plan) -> Iterator[Chunk]:
        if self._title and not plan.title:
            self._note(KEPT_IN_STREAM, "/title", self._title["title"])
            return
        wanted: Chunk = {"title": plan_title(plan, self._ledger.at("/title", plan))}
        wanted |= self._luggage(plan.extras, "", wanted)
        if wanted == self._title:
            return
        self._note_length("/title", wanted["title"], self._title.get("title"))
        self._weight += _bytes(wanted["title"]) - _bytes(self._title.get("title"))
        self._title = wanted
        yield {"type": TITLE, **wanted}

    def _prose(self, plan: Plan) -> tuple[list[tuple[int, Block]], bool]:
        """The text that belongs to no task with its places in the body; whether it is above the tasks."""
        texts = [(index, text) for index, block in enumerate(plan.body) for text in without_tasks((block,))]
        holders = [index for index, block in enumerate(plan.body) if any(walk_tasks((block,)))]
        first = bool(texts) and (not holders or texts[0][0] < holders[0])
        apart = not texts or not holders or texts[-1][0] < holders[0] or texts[0][0] > holders[-1]
        for index, block in enumerate(plan.body):
            if isinstance(block, TaskList):
                if block.ordered:
                    self._note(STYLE_DROPPED, f"/body/{index}", block.start)
            elif index in holders:
                self._note(BLOCK_SIMPLIFIED, f"/body/{index}", block_text(block))
            elif not apart:
                self._note(DETAILS_MOVED, f"/body/{index}", block_text(block))
        return texts, first

    def _text_chunks(self, texts: Sequence[tuple[int, Block]]) -> Iterator[Chunk]:
        wanted = self._written(texts)
        if not wanted.startswith(self._text):
            if wanted != self._refused_text:
                self._note(KEPT_IN_STREAM, "/body", self._text, wanted)
            self._refused_text = wanted
            return
        rest = wanted[len(self._text) :]
        self._weight += _bytes(rest)
        self._text = wanted
        for start in range(0, len(rest), PIECE):
            yield {"type": TEXT, "text": rest[start : start + PIECE]}

    def _written(self, texts: Sequence[tuple[int, Block]]) -> str:
        """The text around the tasks as Markdown."""
        blocks = make_blocks(block for _, block in texts)

        def note_at(place: int) -> Note:
            # Where lists have become one, each of them is noted as moved already.
            index = texts[place][0] if len(blocks) == len(texts) else place
            return self._ledger.at(f"/body/{index}", self._plan)

        return write_body(blocks, note_at)

    # the tasks

    def _task_chunks(self, tasks: list[Task]) -> Iterator[Chunk]:
        names = self._names.of(tasks, lambda path: self._ledger.at(path, self._plan))
        writer = TaskWriter(self._plan, self._ledger, write_markdown)
        for number, (name, task) in enumerate(zip(names, tasks, strict=True)):
            row = self._rows.get(name)
            if row is None or row.task != task:
                fields = writer.fields(replace(task, id=name), f"/tasks/{number}")
                yield from self._row_chunk(name, task, fields, f"/tasks/{number}")
        self._note_left_behind(names)

    def _row_chunk(self, name: str, task: Task, fields: Chunk, path: str) -> Iterator[Chunk]:
        """The chunk for a task that is new or has changed."""
        del fields["task_id"]
        fields |= self._luggage(task.extras, path, fields)
        if name not in self._rows and len(self._rows) >= MAX_TASKS:
            self._note(ROW_NOT_SHOWN, path, fields["title"])
        row = self._rows.setdefault(name, _Row())
        row.task = task
        changes = self._changes(row, fields, path)
        if changes:
            required = {"title": fields["title"], "status": fields["status"]}
            yield {"type": TASK, "id": name, **required, **changes}
        self._weight -= row.weight
        row.weight = _bytes(row.fields["title"]) + 2 * sum(
            _bytes(row.fields.get(key)) for key in RICH_TEXTS
        )
        self._weight += row.weight

    def _changes(self, row: _Row, wanted: Chunk, path: str) -> Chunk:
        """What has to be sent of a row; the row remembers it as sent."""
        changes: Chunk = {}
        for key, now in wanted.items():
            was = row.fields.get(key)
            if now == was:
                continue
            self._note_length(f"{path}/{key}", now, was)
            if key in RICH_TEXTS and was is not None:
                if not str(now).startswith(str(was)):
                    self._refuse(row, key, now, path)
                    continue
                changes[key] = str(now)[len(str(was)) :]
            elif key == "sources":
                now = self._joined(row, was, now, path)
                if now == was:
                    continue
                changes[key] = wanted[key]
            else:
                changes[key] = now
            row.fields[key] = now
            row.refused.pop(key, None)
        for key in row.fields.keys() - wanted.keys():
            self._refuse(row, key, None, path)
        return changes

    def _joined(self, row: _Row, was: JSON, now: JSON, path: str) -> list[JSON]:
        """The sources that the page shows once these are sent: those that were there stay."""
        before, after = was if isinstance(was, list) else [], now if isinstance(now, list) else []
        if any(source not in after for source in before):
            self._refuse(row, "sources", now, path)
        return [*before, *(source for source in after if source not in before)]

    def _refuse(self, row: _Row, key: str, now: JSON, path: str) -> None:
        if row.refused.get(key, ...) != now:
            self._note(KEPT_IN_STREAM, f"{path}/{key}", row.fields[key], now)
        row.refused[key] = now

    def _luggage(self, extras: Extras, path: str, fields: Chunk) -> Chunk:
        """The fields that came from Slack and can stand in a chunk."""
        left: Chunk = {}
        for key, value in extras.get(LUGGAGE, {}).items():
            if key in fields or key in _NOT_IN_CHUNKS:
                self._note(LUGGAGE_DROPPED, f"{path}/extras/{LUGGAGE}/{key}", value)
            else:
                left[key] = value
        return left

    def _note_left_behind(self, names: Sequence[str]) -> None:
        """Note the rows that the plan does not have any more, and an order that the page cannot show."""
        there = set(names)
        for name, row in self._rows.items():
            if row.task is not None and name not in there:
                row.task = None
                self._note(KEPT_IN_STREAM, "/tasks", row.fields["title"])
        order = [name for name in self._rows if name in there]
        if order != list(names) and self._told_order != list(names):
            self._note(KEPT_IN_STREAM, "/tasks", [*order], [*names])
        self._told_order = list(names)

    def _note_flat(self) -> None:
        """Note the tasks that stand below another one; each gets a row after it."""
        parents: list[int] = []
        for number, (depth, task) in enumerate(walk_tasks(self._plan.body)):
            if depth:
                path = f"/tasks/{parents[depth - 1]}/details"
                self._note(NESTING_FLATTENED, path, plain_text(task.title))
            parents[depth:] = [number]

    def _note_length(self, path: str, text: JSON, before: JSON) -> None:
        """Note a text that has grown over what is documented."""
        if _letters(text) > LONG >= _letters(before):
            self._note(LONG_TEXT, path, _letters(text))


def _letters(text: JSON) -> int:
    return len(text) if isinstance(text, str) else 0


def _bytes(text: JSON) -> int:
    return len(text.encode()) if isinstance(text, str) else 0
