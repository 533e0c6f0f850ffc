"""The steps of a document that has no boxes, as tasks. The blocks of the document are all that is read.

What is a task:

- A heading ``Phase 2``, ``Step 3.1``, ``Task #4`` (also ``Stage``, ``Milestone``, ``Part``, ``Sprint``,
  ``Iteration``, ``Wave``), or a paragraph in bold that says so, wherever it stands.
- Below such a task: numbered steps, headings that begin with a number, and the rows of a table that has a
  Status column; not below a heading for something else, such as Risks or Notes.
- The same below a heading such as Plan, Steps, Tasks or Implementation.
- Without any heading of the first kind: the rows of every table with a Status column.
- Only if nothing of all that is there, and no box: numbered headings, if there are several, and what is
  numbered below them; else numbered steps, if there are several, below any heading but one for something
  else.
- A numbered step within a step. Bullets never, and nothing in a quote.

What a task is made of: everything below a heading, down to the next one of its level or above, becomes its
details, in order; a rule at the end stays outside. What stands between two numbered steps that go on
counting belongs to the first. A table whose Phase (Step, Task …) column counts headings tells their status.
All other text stays where it is. If the title is one of several such headings of level 1, it is a task. The
label or number that a title begins with is its id, if such labels are not used twice. Marks: see
:mod:`planconv.markdown.step_marks`.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from planconv.loss import STATUS_FROM_MARK, TASK_ASSUMED, Code
from planconv.markdown.dialect import TASK_NUMBER
from planconv.markdown.step_marks import Marked, read_label, read_marks, status_line
from planconv.markdown.step_sections import (
    NUMBERED,
    SAID,
    Scope,
    Section,
    block_label,
    heading_level,
    only_orders,
    read_sections,
    scope_below,
)
from planconv.markdown.step_tables import read_rows, status_by_label
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Heading,
    Item,
    Line,
    List,
    Paragraph,
    Plan,
    Rule,
    Table,
    Task,
    TaskList,
    make_blocks,
    map_tasks,
    plain_text,
    walk_tasks,
)
from planconv.status import COMPLETED, PENDING

_ID = re.compile(rf"(\d+(?:\.\d+)+)[.):]?\s|({TASK_NUMBER})\b|([A-Z]{{1,8}}-\d+)\b")
_MADE = "planconv.steps"
"""The extras in which a task tells, until all are found, what it was read from."""


class Assumed(NamedTuple):
    """Something that was read into the document: the code, where, what was there, what it is now."""

    code: Code
    path: str
    was: JSON
    now: JSON


@dataclass(frozen=True, slots=True)
class Steps:
    """A plan whose steps are tasks, and what was assumed for it."""

    plan: Plan
    assumed: tuple[Assumed, ...]
    _before: Blocks
    _numbers: tuple[int, ...]

    def moved(self, path: str) -> str:
        """Where that stands now which a pointer into the plan named before."""
        match path.split("/"):
            case ["", "tasks", number, *below]:
                return "/".join(["", "tasks", str(self._numbers[int(number)]), *below])
            case ["", "body", number]:
                return self._place(self._before[int(number)])
        return path

    def _place(self, block: Block) -> str:
        """Where a block of the body stands now: there, in a task, or, as a task, anywhere."""
        if block in self.plan.body:
            return f"/body/{self.plan.body.index(block)}"
        holders = (at for at, task in enumerate(self.plan.tasks()) if block in task.details)
        return next((f"/tasks/{at}/details" for at in holders), "/body")

    def words(self) -> str:
        """What was found, for a person; ``""`` if nothing was."""
        kinds = Counter(entry.was for entry in self.assumed if entry.code is TASK_ASSUMED)
        steps, rows = kinds[_STEP], kinds[_ROW]
        parts = [f"{steps} numbered step{'s'[: steps > 1]}"] if steps else []
        parts += [f'headings such as "{self._heading()}"'] if kinds[_HEADING] else []
        parts += [f"{rows} table row{'s'[: rows > 1]} with a status"] if rows else []
        return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))

    def _heading(self) -> str:
        places = {entry.path for entry in self.assumed if entry.was == _HEADING}
        tasks = (task for at, task in enumerate(self.plan.tasks()) if f"/tasks/{at}" in places)
        title = plain_text(next(tasks).title)
        return read_label(title) or title


_HEADING, _STEP, _ROW = "heading", "numbered step", "table row"


def read_steps(plan: Plan) -> Steps:
    """The plan of a Markdown document with its steps as tasks."""
    body, above = plan.body, _title_at(plan)
    if read_label(plain_text(plan.title)) and any(
        block_label(block) and heading_level(block) == 1 for block in body
    ):
        body = (*body[:above], Heading(1, plan.title), *body[above:])
        plan, above = replace(plan, title=(), extras=_without_place(plan)), 0
    labels = {label for block in body if (label := block_label(block))}
    told = _told(body, labels)
    first, second = body[:above], body[above:]
    for unsaid in _Unsaid:
        maker = _Maker(unsaid, told, labelled=bool(labels))
        first, second = maker.made(body[:above]), maker.made(body[above:])
        if labels or any(walk_tasks((*first, *second))):
            break
    if len(first) != above:
        plan = replace(plan, extras=_with_place(plan, len(first)))
    return _settled(plan, make_blocks((*first, *second)), body)


def _told(body: Blocks, labels: set[str]) -> dict[str, tuple[str, str]]:
    """The status of headings by their labels, as tables say it, and the words that say it."""
    told: dict[str, tuple[str, str]] = {}
    for block in body:
        said = status_by_label(block) if isinstance(block, Table) else {}
        for label in labels & said.keys():
            if told.get(label, (COMPLETED,))[0] == COMPLETED:
                told[label] = said[label]
    return told


def _title_at(plan: Plan) -> int:
    """How many blocks of the body stand above the title, as the reader has put it into the luggage."""
    places = (own.get("title_at") for own in plan.extras.values())
    return next((place for place in places if isinstance(place, int)), 0)


def _without_place(plan: Plan) -> dict[str, Mapping[str, JSON]]:
    """The luggage without the place of a title that is none."""
    kept = {name: {k: v for k, v in own.items() if k != "title_at"} for name, own in plan.extras.items()}
    return {name: own for name, own in kept.items() if own}


def _with_place(plan: Plan, above: int) -> dict[str, Mapping[str, JSON]]:
    return {
        name: {key: above if key == "title_at" else value for key, value in own.items()}
        for name, own in plan.extras.items()
    }


def _settled(plan: Plan, body: Blocks, before: Blocks) -> Steps:
    """The plan with this body, in which each id stands once and no task tells where it is from."""
    ids = Counter(_made(task).get("id") for _, task in walk_tasks(body))
    repeated = {_kind(id) for id, count in ids.items() if count > 1}
    assumed: list[Assumed] = []
    numbers: list[int] = []
    place = -1

    def settle(task: Task) -> Task:
        nonlocal place
        place += 1
        made = _made(task)
        if not made:
            numbers.append(place)
            return task
        assumed.append(Assumed(TASK_ASSUMED, f"/tasks/{place}", made["how"], "task"))
        if made["mark"]:
            assumed.append(Assumed(STATUS_FROM_MARK, f"/tasks/{place}/status", made["mark"], task.status))
        id = made["id"]
        return replace(
            task, id=id if isinstance(id, str) and _kind(id) not in repeated else None, extras={}
        )

    body = map_tasks(body, settle)
    return Steps(replace(plan, body=body), tuple(assumed), before, tuple(numbers))


def _kind(id: JSON) -> str:
    """The word of a label, since the steps of each task may count anew; of any other id all of it."""
    return id.partition(" ")[0].lower() if isinstance(id, str) else ""


def _made(task: Task) -> Mapping[str, JSON]:
    return task.extras.get(_MADE, {})


# --- making tasks ---------------------------------------------------------------------------------


class _Unsaid(enum.IntEnum):
    """What counts, beside what is said to be a step, in sections of which nothing is said."""

    NOTHING = 0
    HEADINGS = 1
    STEPS = 2


class _Maker:
    """Makes tasks of the steps of a document.

    ``told`` has the status of headings by their labels, and the words that told it; ``labelled`` says that
    there are headings such as ``Phase 2``.
    """

    def __init__(
        self, unsaid: _Unsaid, told: Mapping[str, tuple[str, str]], *, labelled: bool = False
    ) -> None:
        self._unsaid = unsaid
        self._told = told
        self._labelled = labelled

    def made(self, blocks: Iterable[Block]) -> Blocks:
        """The blocks, with tasks in the places of steps."""
        return make_blocks(self._section(read_sections(blocks), Scope.UNSAID))

    def _section(self, section: Section, scope: Scope) -> list[Block]:
        made = self._own(section.own, scope)
        numbered = sum(NUMBERED.match(plain_text(below.line)) is not None for below in section.below)
        for below in section.below:
            made += self._heading(below, scope, several=numbered > 1)
        return made

    def _heading(self, section: Section, scope: Scope, *, several: bool) -> list[Block]:
        """A heading with all that stands below it, as a task if it is a step."""
        marked = self._marked(section.line, section.own)
        title = plain_text(marked.title)
        inner = scope_below(title, scope)
        number = NUMBERED.match(title)
        counts = scope in SAID
        if scope is Scope.UNSAID and self._unsaid >= _Unsaid.HEADINGS:
            counts = several and inner is scope and not only_orders(title)
        if not (read_label(title) or (number and counts)) or section.heading is None:
            kept = [section.heading] if section.heading is not None else []
            return [*kept, *self._section(section, inner)]
        content = self._section(section, Scope.TASK)
        end = len(content)
        while end and isinstance(content[end - 1], Rule):
            end -= 1
        id = read_label(title) or (number[1] or number[2] if number else "")
        return [TaskList((_task(marked, content[:end], _HEADING, id),)), *content[end:]]

    def _marked(self, line: Line, own: Sequence[Block]) -> Marked:
        """A title with the status that its marks, else a line below it, else a table, says."""
        marked = read_marks(line)
        if marked.status is not None:
            return marked
        for below in _lines(own):
            if said := status_line(below):
                return Marked(marked.title, *said)
        if said := self._told.get(read_label(plain_text(marked.title)).lower()):
            return Marked(marked.title, *said)
        return marked

    def _own(self, blocks: Sequence[Block], scope: Scope) -> list[Block]:
        """Blocks without a heading between them, with tasks in the places of steps."""
        counts = scope in SAID
        if scope is Scope.UNSAID and self._unsaid is _Unsaid.STEPS:
            counts = (
                sum(len(block.items) for block in blocks if isinstance(block, List) and block.ordered) > 1
            )
        run = _Run()
        for block in blocks:
            match block:
                case List(_, True, start) if counts:
                    run.add_steps(list(self._steps(block)), start, len(block.items))
                case Table() if rows := self._rows(block, scope):
                    run.add(TaskList(rows))
                case _:
                    run.add(block)
        return run.closed()

    def _steps(self, steps: List) -> Iterator[Block]:
        """Numbered steps; an item without a text of its own stays an item."""
        number = steps.start
        entries = [self._step(item) for item in steps.items]
        for are_tasks, run in groupby(entries, lambda entry: isinstance(entry, Task)):
            members = list(run)
            if are_tasks:
                yield TaskList(tuple(task for task in members if isinstance(task, Task)), True, number)
            else:
                yield List(tuple(item for item in members if isinstance(item, Item)), True, number)
            number += len(members)

    def _step(self, item: Item) -> Task | Item:
        match item.blocks:
            case (Paragraph(line) | Heading(_, line), *rest) if line:
                marked = self._marked(line, rest)
                match = _ID.match(plain_text(marked.title) + " ")
                id = (
                    next(filter(None, match.groups()), "")
                    if match
                    else read_label(plain_text(marked.title))
                )
                return _task(marked, self._own(rest, Scope.TASK), _STEP, id)
        return item

    def _rows(self, table: Table, scope: Scope) -> tuple[Task, ...]:
        """The rows of a table as tasks; none if it is no table of tasks, or tells only about headings."""
        if (self._labelled and scope not in SAID) or status_by_label(table).keys() & self._told.keys():
            return ()
        return tuple(_task(row.marked, row.details, _ROW, row.id) for row in read_rows(table))


class _Run:
    """Blocks in a row, in which numbered steps that go on counting take in what stands between them."""

    def __init__(self) -> None:
        self._made: list[Block] = []
        self._waiting: list[Block] = []
        self._next = -1

    def add(self, block: Block) -> None:
        """Add what is no numbered step."""
        if self._next < 0 or isinstance(block, Rule):
            self._flush()
            self._made.append(block)
        else:
            self._waiting.append(block)

    def add_steps(self, blocks: list[Block], start: int, count: int) -> None:
        """Add the steps of a list, as many as ``count``."""
        last = self._made[-1] if self._made else None
        if self._waiting and start == self._next and isinstance(last, TaskList):
            task = last.tasks[-1]
            task = replace(task, details=make_blocks((*task.details, *self._waiting)))
            self._made[-1] = replace(last, tasks=(*last.tasks[:-1], task))
            self._waiting = []
        self._flush()
        self._made += blocks
        self._next = start + count

    def _flush(self) -> None:
        self._made += self._waiting
        self._waiting = []
        self._next = -1

    def closed(self) -> list[Block]:
        """All blocks."""
        self._flush()
        return self._made


def _lines(blocks: Iterable[Block]) -> Iterator[Line]:
    """The paragraphs, and the items of bullet lists, above the first numbered step."""
    for block in blocks:
        match block:
            case Paragraph(line):
                yield line
            case List(_, True):
                return
            case List(items):
                firsts = (block for item in items for block in item.blocks[:1])
                yield from (first.line for first in firsts if isinstance(first, Paragraph))


def _task(marked: Marked, details: Iterable[Block], how: str, id: str) -> Task:
    made: dict[str, JSON] = {"how": how, "mark": marked.mark, "id": id or None}
    status = marked.status or PENDING
    return Task(marked.title, status, details=make_blocks(details), extras={_MADE: made})
