"""The steps of a document that has no boxes, as tasks. The blocks of the document are all that is read.

What is a task:

- A heading ``Phase 2``, ``Step 3.1``, ``Task #4`` (also ``Stage``, ``Milestone``, ``Part``, ``Sprint``,
  ``Iteration``), or a paragraph in bold that says so, wherever it stands.
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
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import NamedTuple

from planconv.loss import STATUS_FROM_MARK, TASK_ASSUMED, Code
from planconv.markdown.step_marks import Marked, read_label, read_marks, status_line
from planconv.markdown.step_tables import read_rows, status_by_label
from planconv.model import (
    JSON,
    PLAIN,
    Block,
    Blocks,
    Heading,
    Item,
    Line,
    List,
    Paragraph,
    Plan,
    Rule,
    Style,
    Table,
    Task,
    TaskList,
    make_blocks,
    map_tasks,
    plain_text,
    walk_tasks,
)
from planconv.status import COMPLETED, PENDING

_NUMBERED = re.compile(r"(\d+(?:\.\d+)+)[.):]?\s+\S|(\d+)[.):]\s+\S")
_ID = re.compile(r"(\d+(?:\.\d+)+)[.):]?\s|((?:T|CHK)\d{3,}[a-z]?)\b|([A-Z]{1,8}-\d+)\b")
_PLAN_NAME = re.compile(
    r"""(?:the\s+)?
    (?:(?:proposed|implementation|development|migration|refactor(?:ing)?|execution|rollout|detailed|concrete
       |next|action|work|development|high-level)\s+)*
    (?:plan(?:\s+of\s+(?:work|action))?|steps?|tasks?|to-?\s?dos?|to-?\s?do\s+list|phases|milestones|roadmap
       |implementation|approach|changes|actions|work\s+items|action\s+items|procedure)""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_NAME = re.compile(
    r"""(?:.*\s)?(?:background|context|motivation|summary|overview|introduction|findings|conclusions?|decisions?
    |references|sources|links|related|risks?|mitigations?|(?:open\s+)?questions|alternatives|assumptions
    |constraints|principles|(?:non-?)?goals?|objectives?|definition\s+of\s+done|out\s+of\s+scope|scope|notes?|glossary|appendix|faq
    |verification|validation|testing|test\s+plan|criteria|requirements|troubleshooting|examples?)
    (?:\s+(?:and|&|/)\s.*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_ORDER_NAME = re.compile(
    r"(?:.*\s)?order(?:\s+of\s+\w+)?|(?:.*\s)?(?:table\s+of\s+contents|contents)", re.IGNORECASE
)
"""A section that only says again in which order the steps are to be done."""
_BOLD_LEVEL = 7
"""A paragraph in bold that is a heading stands below all headings."""
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
        return " and ".join(parts)

    def _heading(self) -> str:
        places = {entry.path for entry in self.assumed if entry.was == _HEADING}
        tasks = (task for at, task in enumerate(self.plan.tasks()) if f"/tasks/{at}" in places)
        title = plain_text(next(tasks).title)
        return read_label(title) or title


_HEADING, _STEP, _ROW = "heading", "numbered step", "table row"


def read_steps(plan: Plan, above: int = 0) -> Steps:
    """The plan with its steps as tasks; ``above`` blocks of its body stand above its title."""
    body = plan.body
    if read_label(plain_text(plan.title)) and any(_label(block) and _level(block) == 1 for block in body):
        body = (*body[:above], Heading(1, plan.title), *body[above:])
        plan, above = replace(plan, title=(), extras=_without_place(plan)), 0
    labels = {label for block in body if (label := _label(block))}
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


# --- sections -------------------------------------------------------------------------------------


class _Scope(enum.Enum):
    """What is said about the numbered steps of a section by the headings above them."""

    TASK = enum.auto()
    PLAN = enum.auto()
    UNSAID = enum.auto()
    OTHER = enum.auto()


_SAID = (_Scope.TASK, _Scope.PLAN)


class _Unsaid(enum.IntEnum):
    """What counts, beside what is said to be a step, in sections of which nothing is said."""

    NOTHING = 0
    HEADINGS = 1
    STEPS = 2


@dataclass(slots=True)
class _Section:
    """A heading with what stands below it; the document itself has none."""

    heading: Block | None = None
    line: Line = ()
    level: int = 0
    own: list[Block] = field(default_factory=list)
    below: list[_Section] = field(default_factory=list)


def _sections(blocks: Iterable[Block]) -> _Section:
    open = [_Section()]
    for block in blocks:
        level = _level(block)
        if not level or not isinstance(block, Heading | Paragraph):
            open[-1].own.append(block)
            continue
        while open[-1].level >= level:
            open.pop()
        section = _Section(block, block.line, level)
        open[-1].below.append(section)
        open.append(section)
    return open[0]


def _level(block: Block) -> int:
    match block:
        case Heading(level):
            return level
        case Paragraph(line) if _begins_bold(line):
            title = read_marks(line).title
            return _BOLD_LEVEL if read_label(plain_text(title)) and _is_bold(title) else 0
    return 0


def _begins_bold(line: Line) -> bool:
    """Whether one of the first spans is bold; a mark may stand before it."""
    return _is_bold(line[:1]) or _is_bold(line[1:2])


def _is_bold(line: Line) -> bool:
    return bool(line) and all(getattr(span, "style", PLAIN) & Style.BOLD for span in line)


def _label(block: Block) -> str:
    """``phase 2``, if a block is a heading that says so."""
    if not isinstance(block, Heading | Paragraph) or not _level(block):
        return ""
    return read_label(plain_text(read_marks(block.line).title)).lower()


def _name(title: str) -> str:
    """What a heading says, without its number."""
    number = _NUMBERED.match(title)
    name = title[number.end() - 1 :] if number else title
    return name.strip().rstrip(":").strip()


def _scope_below(title: str, outer: _Scope) -> _Scope:
    name = _name(title)
    if _PLAN_NAME.fullmatch(name):
        return outer if outer is _Scope.TASK else _Scope.PLAN
    return _Scope.OTHER if _OTHER_NAME.fullmatch(name) else outer


# --- making tasks ---------------------------------------------------------------------------------


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
        return make_blocks(self._section(_sections(blocks), _Scope.UNSAID))

    def _section(self, section: _Section, scope: _Scope) -> list[Block]:
        made = self._own(section.own, scope)
        numbered = sum(_NUMBERED.match(plain_text(below.line)) is not None for below in section.below)
        for below in section.below:
            made += self._heading(below, scope, several=numbered > 1)
        return made

    def _heading(self, section: _Section, scope: _Scope, *, several: bool) -> list[Block]:
        """A heading with all that stands below it, as a task if it is a step."""
        marked = read_marks(section.line)
        title = plain_text(marked.title)
        inner = _scope_below(title, scope)
        number = _NUMBERED.match(title)
        counts = scope in _SAID
        if scope is _Scope.UNSAID and self._unsaid >= _Unsaid.HEADINGS:
            counts = several and inner is scope and _ORDER_NAME.fullmatch(_name(title)) is None
        if not (read_label(title) or (number and counts)) or section.heading is None:
            kept = [section.heading] if section.heading is not None else []
            return [*kept, *self._section(section, inner)]
        content = self._section(section, _Scope.TASK)
        end = len(content)
        while end and isinstance(content[end - 1], Rule):
            end -= 1
        if marked.status is None:
            marked = self._marked_elsewhere(marked, title, section.own)
        id = read_label(title) or (number[1] or number[2] if number else "")
        return [TaskList((_task(marked, content[:end], _HEADING, id),)), *content[end:]]

    def _marked_elsewhere(self, marked: Marked, title: str, own: Sequence[Block]) -> Marked:
        """The title with the status that a line below it, or a table, says."""
        for block in own:
            match block:
                case Paragraph(line):
                    if said := status_line(plain_text(line)):
                        return Marked(marked.title, *said)
                case List() | TaskList():
                    break
        if said := self._told.get(read_label(title).lower()):
            return Marked(marked.title, *said)
        return marked

    def _own(self, blocks: Sequence[Block], scope: _Scope) -> list[Block]:
        """Blocks without a heading between them, with tasks in the places of steps."""
        counts = scope in _SAID
        if scope is _Scope.UNSAID and self._unsaid is _Unsaid.STEPS:
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
                marked = read_marks(line)
                match = _ID.match(plain_text(marked.title) + " ")
                id = (
                    next(filter(None, match.groups()), "")
                    if match
                    else read_label(plain_text(marked.title))
                )
                return _task(marked, self._own(rest, _Scope.TASK), _STEP, id)
        return item

    def _rows(self, table: Table, scope: _Scope) -> tuple[Task, ...]:
        """The rows of a table as tasks; none if it is no table of tasks, or tells only about headings."""
        if (self._labelled and scope not in _SAID) or status_by_label(table).keys() & self._told.keys():
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


def _task(marked: Marked, details: Iterable[Block], how: str, id: str) -> Task:
    made: dict[str, JSON] = {"how": how, "mark": marked.mark, "id": id or None}
    status = marked.status or PENDING
    return Task(marked.title, status, details=make_blocks(details), extras={_MADE: made})
