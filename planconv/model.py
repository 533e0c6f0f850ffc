"""The hub: what a plan is, whatever format it came from.

Everything is a frozen value with one normal form, so ``==`` means "the same plan". Three functions
make normal forms: :func:`make_line`, :func:`make_blocks` and, for whole plans, :func:`walk_tasks`
with :func:`map_blocks` to look at and change what stands inside. Nothing here knows a format.
"""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import ClassVar, TypeAlias, Union

from planconv.status import COMPLETED, PENDING


class _Value:
    """Equality, hash and repr by the fields, once for all classes of the model.

    Generated for each class anew, as dataclasses do, they cost a third of the time that a start takes.
    """

    __slots__ = ()
    __match_args__: ClassVar[tuple[str, ...]]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and _fields(self) == _fields(other)

    def __hash__(self) -> int:
        return hash((type(self), _fields(self)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__match_args__)
        return f"{type(self).__name__}({fields})"


_getters: dict[type, Callable[[object], object]] = {}


def _fields(value: _Value) -> object:
    kind = type(value)
    if kind not in _getters:
        names = value.__match_args__
        _getters[kind] = attrgetter(*names) if names else lambda _: ()
    return _getters[kind](value)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verbatim(_Value):
    """A JSON value kept as it was written, because Python cannot hold it without changing it.

    That is a number that would not be printed back the same (``1.50``, ``-0``, ``1e400``, more
    digits than a double has) or a value nested too deeply to be walked.
    """

    text: str


JSON: TypeAlias = Union[None, bool, int, float, str, Verbatim, "list[JSON]", "dict[str, JSON]"]
"""Any JSON value, exactly (RFC 8259)."""

Extras: TypeAlias = Mapping[str, Mapping[str, JSON]]
"""Labelled luggage: name of the codec, then key, to what that codec alone understands."""


# --- spans: what stands in a line ---------------------------------------------------------------


class Style(enum.IntFlag):
    """How a run of text looks. ``CODE`` text is literal, the others combine freely."""

    PLAIN = 0
    BOLD = 1
    ITALIC = 2
    STRIKE = 4
    CODE = 8
    UNDERLINE = 16
    HIGHLIGHT = 32


PLAIN = Style.PLAIN


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Link(_Value):
    """Where a text leads: a URL or a relative reference, and the title shown on hovering."""

    url: str
    title: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Text(_Value):
    """A run of characters in one style, never empty, without line breaks."""

    text: str
    style: Style = PLAIN
    link: Link | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Break(_Value):
    """A line break that the reader sees."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Image(_Value):
    """A picture: its address, the text that stands for it, a title, a link around it."""

    url: str
    alt: str = ""
    title: str = ""
    style: Style = PLAIN
    link: Link | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mention(_Value):
    """Somebody or some place that is called by an id.

    ``kind`` is ``user``, ``channel``, ``group``, ``team`` or ``broadcast``; the ``id`` of a broadcast
    is ``here``, ``channel`` or ``everyone``. ``label`` is the name that stood beside the id, if any.
    """

    kind: str
    id: str
    label: str = ""
    style: Style = PLAIN


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Emoji(_Value):
    """A named emoji (``wave``, ``wave::skin-tone-2``), with its code points (``1f44b``) if known."""

    name: str
    unicode: str = ""
    url: str = ""
    style: Style = PLAIN


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Date(_Value):
    """A moment (seconds since 1970) shown by a format such as ``{date_num}``, else by a fallback."""

    timestamp: int
    format: str
    fallback: str = ""
    url: str = ""
    timezone: str = ""
    style: Style = PLAIN


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Color(_Value):
    """A colour, ``#RRGGBB``, shown with a swatch."""

    value: str
    style: Style = PLAIN


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RawSpan(_Value):
    """An inline piece that one format alone understands: ``format`` (``html``, ``slack``), its source."""

    format: str
    source: str


Span: TypeAlias = Text | Break | Image | Mention | Emoji | Date | Color | RawSpan
Line: TypeAlias = tuple[Span, ...]
"""What stands in one paragraph, title or cell, in its order."""


def make_line(spans: Iterable[Span]) -> Line:
    """The normal form of a run of spans: no empty texts, neighbours of one look joined."""
    line: list[Span] = []
    for span in spans:
        last = line[-1] if line else None
        if isinstance(span, Text):
            if not span.text:
                continue
            if isinstance(last, Text) and last.style == span.style and last.link == span.link:
                line[-1] = Text(last.text + span.text, span.style, span.link)
                continue
        line.append(span)
    return tuple(line)


def text_line(text: str) -> Line:
    """A line of plain text; each line break in it is a :class:`Break`."""
    spans: list[Span] = []
    for number, piece in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        if number:
            spans.append(Break())
        if piece:
            spans.append(Text(piece))
    return tuple(spans)


def plain_text(line: Line) -> str:
    """What a reader without any styles sees of a line; breaks are ``\\n``."""
    return "".join(map(_plain_span, line))


def _plain_span(span: Span) -> str:
    match span:
        case Text(text):
            return text
        case Break():
            return "\n"
        case Image(url, alt):
            return alt or url
        case Mention(kind, id, label):
            return ("#" if kind == "channel" else "@") + (label or id)
        case Emoji(name):
            return f":{name}:"
        case Date(timestamp, _, fallback):
            return fallback or str(timestamp)
        case Color(value):
            return value
        case RawSpan(_, source):
            return source


# --- blocks: what stands below a title ----------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Paragraph(_Value):
    """Running text."""

    line: Line


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Heading(_Value):
    """A heading of level 1 to 6."""

    level: int
    line: Line


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Item(_Value):
    """An entry of a list that is no task."""

    blocks: Blocks = ()


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class List(_Value):
    """A list without boxes; an ordered one counts from ``start`` (a bullet list has 1)."""

    items: tuple[Item, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TaskList(_Value):
    """Tasks in a row; an ordered one counts from ``start`` (a bullet list has 1)."""

    tasks: tuple[Task, ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Quote(_Value):
    """Something that is quoted."""

    blocks: Blocks


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Code(_Value):
    """Literal text, its last line without a line break; ``info`` begins with the language."""

    text: str
    info: str = ""

    @property
    def language(self) -> str:
        """The first word of ``info``."""
        return self.info.split(maxsplit=1)[0] if self.info.strip() else ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Table(_Value):
    """Rows of as many cells as ``header`` has; ``align`` holds ``left right center`` or ``""``."""

    header: tuple[Line, ...]
    rows: tuple[tuple[Line, ...], ...]
    align: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Rule(_Value):
    """A line across the page."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Raw(_Value):
    """A block that one format alone understands: ``format`` (``html``, ``slack``), its source."""

    format: str
    source: str


Block: TypeAlias = Paragraph | Heading | List | TaskList | Quote | Code | Table | Rule | Raw
Blocks: TypeAlias = tuple[Block, ...]


def make_blocks(blocks: Iterable[Block]) -> Blocks:
    """The normal form of a run of blocks: no empty ones, lists that go on are one list."""
    made: list[Block] = []
    for block in blocks:
        match block:
            case Paragraph(()) | List(()) | TaskList(()) | Quote(()):
                continue
        joined = _joined(made[-1], block) if made else None
        if joined is None:
            made.append(block)
        else:
            made[-1] = joined
    return tuple(made)


def _joined(first: Block, second: Block) -> Block | None:
    """Both lists as one, if the second goes on where the first ends."""
    match first, second:
        case (List(items, ordered, start), List(more)) if continues(first, second):
            return List(items + more, ordered, start)
        case (TaskList(tasks, ordered, start), TaskList(more_tasks)) if continues(first, second):
            return TaskList(tasks + more_tasks, ordered, start)
    return None


def continues(first: List | TaskList, second: List | TaskList) -> bool:
    """Whether the second list goes on with the bullets, or the numbers, of the first."""
    if first.ordered != second.ordered:
        return False
    length = len(first.items) if isinstance(first, List) else len(first.tasks)
    return not first.ordered or second.start == first.start + length


def block_text(block: Block) -> str:
    """What a reader without any styles sees of a block, line by line."""
    match block:
        case Paragraph(line) | Heading(_, line):
            return plain_text(line)
        case Code(text) | Raw(_, text):
            return text
        case Rule():
            return "---"
        case Quote(blocks):
            return "\n".join(map(block_text, blocks))
        case List(items):
            return "\n".join(block_text(inner) for item in items for inner in item.blocks)
        case TaskList(tasks):
            return "\n".join(plain_text(task.title) for task in tasks)
        case Table(header, rows):
            return "\n".join(" | ".join(map(plain_text, row)) for row in (header, *rows))


# --- tasks and plans ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Source(_Value):
    """A place that a task's result rests on."""

    url: str
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Task(_Value):
    """Something to do.

    Everything below the title stands in ``details`` in its order, nested task lists included.
    ``status`` is a word of :mod:`planconv.status` or any other; ``priority`` is ``None`` when it is
    ordinary. ``depends_on`` names the ids of tasks that come first.
    """

    title: Line
    status: str = PENDING
    priority: str | None = None
    id: str | None = None
    details: Blocks = ()
    output: Blocks = ()
    sources: tuple[Source, ...] = ()
    depends_on: tuple[str, ...] = ()
    extras: Extras = field(default_factory=dict)

    @property
    def done(self) -> bool:
        """Whether the work is finished."""
        return self.status == COMPLETED

    @property
    def subtasks(self) -> tuple[Task, ...]:
        """The tasks right below this one."""
        return tuple(task for depth, task in walk_tasks(self.details) if depth == 0)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Plan(_Value):
    """Tasks with the text around them.

    ``reference`` is the URI of a file that holds the plan where the source only pointed to it.
    """

    id: str | None = None
    session: str | None = None
    title: Line = ()
    body: Blocks = ()
    reference: str | None = None
    extras: Extras = field(default_factory=dict)

    def tasks(self) -> Iterator[Task]:
        """All tasks in the order of the page, each before its subtasks."""
        return (task for _, task in walk_tasks(self.body))


def walk_tasks(blocks: Blocks, depth: int = 0) -> Iterator[tuple[int, Task]]:
    """Depth (from 0) and task of every task in these blocks, in the order of the page."""
    for block in blocks:
        match block:
            case TaskList(tasks):
                for task in tasks:
                    yield depth, task
                    yield from walk_tasks(task.details, depth + 1)
            case List(items):
                for item in items:
                    yield from walk_tasks(item.blocks, depth)
            case Quote(inner):
                yield from walk_tasks(inner, depth)


def without_tasks(blocks: Blocks) -> Blocks:
    """These blocks without the task lists in them, at whatever depth."""
    kept: list[Block] = []
    for block in blocks:
        match block:
            case TaskList():
                continue
            case List(items, ordered, start):
                left = tuple(
                    Item(inner)
                    for item in items
                    if (inner := without_tasks(item.blocks)) or not item.blocks
                )
                kept.append(List(left, ordered, start))
            case Quote(inner):
                kept.append(Quote(without_tasks(inner)))
            case _:
                kept.append(block)
    return make_blocks(kept)


def map_tasks(blocks: Blocks, change: Callable[[Task], Task]) -> Blocks:
    """These blocks with every task changed, subtasks after the task they stand in.

    ``change`` is called in the order of :func:`walk_tasks`; what it does to ``details`` is seen by
    the walk below it.
    """
    changed: list[Block] = []
    for block in blocks:
        match block:
            case TaskList(tasks, ordered, start):
                new: list[Task] = []
                for task in tasks:
                    task = change(task)
                    new.append(
                        dataclasses.replace(task, details=map_tasks(task.details, change))
                        if task.details
                        else task
                    )
                changed.append(TaskList(tuple(new), ordered, start))
            case List(items, ordered, start):
                entries = tuple(Item(map_tasks(item.blocks, change)) for item in items)
                changed.append(List(entries, ordered, start))
            case Quote(inner):
                changed.append(Quote(map_tasks(inner, change)))
            case _:
                changed.append(block)
    return tuple(changed)


# --- update streams -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlanUpdated(_Value):
    """The whole plan as it stands now; it replaces what ``(session, id)`` held before."""

    plan: Plan


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PlanRemoved(_Value):
    """The plan of this session and id is gone; a later update brings it back."""

    session: str | None
    id: str | None


PlanEvent: TypeAlias = PlanUpdated | PlanRemoved


def fold(events: Iterable[PlanEvent]) -> list[Plan]:
    """The plans that are there after all events, in the order in which they first appeared."""
    plans: dict[tuple[str | None, str | None], Plan] = {}
    for event in events:
        match event:
            case PlanUpdated(plan):
                plans[plan.session, plan.id] = plan
            case PlanRemoved(session, id):
                plans.pop((session, id), None)
    return list(plans.values())
