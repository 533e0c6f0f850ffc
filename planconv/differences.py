"""Where two plans differ, in the words of the ledger; and what is wrong with the form of one."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planconv.loss import FIELD_DROPPED, PROSE_DROPPED, READ_OTHERWISE, Ledger
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Code,
    Extras,
    Heading,
    Line,
    List,
    Paragraph,
    Plan,
    Quote,
    Raw,
    Rule,
    Table,
    Task,
    TaskList,
    Text,
    block_text,
    make_blocks,
    make_line,
    map_tasks,
    plain_text,
    walk_tasks,
    without_tasks,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two plans differ.

    ``path`` is a JSON pointer into the first plan: ``/title``, ``/body/2``, ``/tasks/3/priority``, and
    ``/tasks/3`` for a task that is gone or stands in another list. A list of tasks can be named in
    more than one way; ``also`` has the others.
    """

    path: str
    before: object
    after: object
    also: tuple[str, ...] = ()

    def lies_under(self, named: str) -> bool:
        """Whether the ledger means this difference when it names the path ``named``."""
        named = _to_field(named)
        return named not in ("", "/tasks", "/body") and any(
            path == named or path.startswith(named + "/") for path in (self.path, *self.also)
        )


def differences(before: Plan, after: Plan) -> list[Difference]:
    """Everything in which ``after`` is not ``before``; empty exactly if the two are equal.

    Tasks are compared one by one in the order of the page, so a list that was flattened differs in
    the place of its tasks and in nothing else. A difference of another kind has the path ``""``.
    """
    if before == after:
        return []
    found = [
        Difference(f"/{name}", old, new)
        for name in ("id", "session", "title", "reference")
        if (old := getattr(before, name)) != (new := getattr(after, name))
    ]
    found += _extras("", before.extras, after.extras)
    found += task_differences([before], [after])
    found += _places(before, after)
    found += _body(before, after)
    return found or [Difference("", before, after)]


def note_differences(before: Sequence[Plan], after: Sequence[Plan], ledger: Ledger, first: int = 0) -> None:
    """Note every difference that no loss from the ``first`` on names yet.

    A format whose text can mean something else than was written is read back, and what comes back is
    compared; ``before`` and ``after`` are as many plans. Text between tasks that was left behind before
    writing is named already.
    """
    left = {
        loss.path for loss in ledger.losses if loss.code is PROSE_DROPPED and loss.format == ledger.format
    }
    for old, new in zip(before, after, strict=True):
        if old == new:
            continue
        named = [loss.path for loss in ledger.losses[first:] if loss.plan in (None, old.id)]
        for found in differences(old, new):
            if found.path not in left and not any(found.lies_under(path) for path in named):
                code = READ_OTHERWISE if found.after else FIELD_DROPPED
                ledger.note(code, found.path, _shown(found.before), _shown(found.after), plan=old)


def _shown(value: object) -> JSON:
    """A value as it is told in a ledger."""
    match value:
        case None | str() | int():
            return value
        case Task(title):
            return plain_text(title)
        case tuple() | list():
            return [_shown(part) for part in value]
        case Text(text):
            return text
        case Paragraph() | Heading() | List() | TaskList() | Quote() | Code() | Table() | Rule() | Raw():
            return block_text(value)
    return str(value)


def task_differences(before: Sequence[Plan], after: Sequence[Plan]) -> list[Difference]:
    """How the tasks of these plans differ, each for itself and wherever it stands."""
    old_tasks = [task for plan in before for task in plan.tasks()]
    new_tasks = [task for plan in after for task in plan.tasks()]
    found = [
        difference
        for number, (old, new) in enumerate(zip(old_tasks, new_tasks, strict=False))
        for difference in _task(f"/tasks/{number}", old, new)
    ]
    shared = min(len(old_tasks), len(new_tasks))
    found += [Difference(f"/tasks/{n}", old_tasks[n], None) for n in range(shared, len(old_tasks))]
    found += [Difference(f"/tasks/{n}", None, new_tasks[n]) for n in range(shared, len(new_tasks))]
    return found


_TASK_FIELDS = ("title", "status", "priority", "id", "output", "sources", "depends_on")


def _task(path: str, before: Task, after: Task) -> Iterator[Difference]:
    for name in _TASK_FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield Difference(f"{path}/{name}", old, new)
    shape = _bare if len(before.subtasks) == len(after.subtasks) else without_tasks
    if shape(before.details) != shape(after.details):
        yield Difference(f"{path}/details", before.details, after.details)
    yield from _extras(path, before.extras, after.extras)


def _extras(path: str, before: Extras, after: Extras) -> list[Difference]:
    old = {(codec, key): value for codec, values in before.items() for key, value in values.items()}
    new = {(codec, key): value for codec, values in after.items() for key, value in values.items()}
    return [
        Difference(f"{path}/extras/{codec}/{key}", old.get((codec, key)), new.get((codec, key)))
        for codec, key in {**old, **new}
        if old.get((codec, key)) != new.get((codec, key))
    ]


def _bare(blocks: Blocks) -> Blocks:
    """The blocks with nothing but their places left of the tasks in them."""
    return map_tasks(blocks, lambda _: Task(()))


# --- where tasks stand, and what stands between them --------------------------------------------


@dataclass(frozen=True, slots=True)
class _Place:
    depth: int
    number: int | None
    """In an ordered list, what stands before the task."""
    around: tuple[str, ...]
    """The quotes and plain lists that it stands in, below its parent."""


def _places(before: Plan, after: Plan) -> list[Difference]:
    old, new = _places_in(before), _places_in(after)
    return [
        Difference(f"/tasks/{number}", place, other, (holder,))
        for number, ((holder, place), (_, other)) in enumerate(zip(old, new, strict=False))
        if place != other
    ]


def _places_in(plan: Plan) -> list[tuple[str, _Place]]:
    """For each task the path of the blocks that hold it, and its place."""
    places: list[tuple[str, _Place]] = []

    def walk(blocks: Blocks, holder: str, depth: int, around: tuple[str, ...]) -> None:
        for index, block in enumerate(blocks):
            here = holder or f"/body/{index}"
            match block:
                case TaskList(tasks, ordered, start):
                    for count, task in enumerate(tasks):
                        inside = f"/tasks/{len(places)}/details"
                        places.append((here, _Place(depth, start + count if ordered else None, around)))
                        walk(task.details, inside, depth + 1, ())
                case List(items):
                    for item in items:
                        walk(item.blocks, here, depth, (*around, "list"))
                case Quote(inner):
                    walk(inner, here, depth, (*around, "quote"))

    walk(plan.body, "", 0, ())
    return places


def _body(before: Plan, after: Plan) -> list[Difference]:
    """Blocks between the tasks that are gone, changed, or new, by their place in ``before``."""
    exact = _containers(before) == _containers(after)
    old, new = _pieces(before.body, exact), _pieces(after.body, exact)
    names = [piece for _, piece in old], [piece for _, piece in new]
    matcher = difflib.SequenceMatcher(None, *names, autojunk=False)
    found: dict[str, Difference] = {}
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    moved = {look for _, start, end, _, _ in changes for _, (_, look) in old[start:end]}
    for how, old_from, old_to, new_from, new_to in changes:
        if how == "insert" and moved.issuperset(look for _, (_, look) in new[new_from:new_to]):
            continue  # what came here is told where it was
        indexes = [index for index, _ in old[old_from:old_to]]
        for index in indexes or [old[old_from][0] if old_from < len(old) else len(before.body)]:
            gone = before.body[index] if index < len(before.body) else None
            came = [piece for _, piece in new[new_from:new_to]]
            found[f"/body/{index}"] = Difference(f"/body/{index}", gone, came, _tasks_at(before, index))
    return list(found.values())


def _containers(plan: Plan) -> list[tuple[int, tuple[str, ...]]]:
    return [(place.depth, place.around) for _, place in _places_in(plan)]


def _pieces(body: Blocks, exact: bool) -> list[tuple[int, tuple[int, str]]]:
    """Index in the body of each block that is more than tasks, how many tasks stand above it, and its look.

    If not ``exact``, tasks have left the blocks they stood in, and are left out of all of them.
    """
    pieces: list[tuple[int, tuple[int, str]]] = []
    above = 0
    for index, block in enumerate(body):
        if not isinstance(block, TaskList):
            shown = _bare((block,)) if exact else without_tasks((block,))
            pieces += [(index, (above, repr(piece))) for piece in shown]
        above += sum(1 for _ in walk_tasks((block,)))
    return pieces


def _tasks_at(plan: Plan, index: int) -> tuple[str, ...]:
    """The paths of the tasks that stand right in one block of the body."""
    return tuple(
        f"/tasks/{number}"
        for number, (holder, _) in enumerate(_places_in(plan))
        if holder == f"/body/{index}"
    )


def _to_field(path: str) -> str:
    """A path of the ledger up to the field: ``/tasks/3/details/0/line`` is ``/tasks/3/details``."""
    parts = path.split("/")
    length = 3 if parts[1:2] == ["body"] else 4 if parts[1:2] == ["tasks"] else 2
    if "extras" in (parts[1:2] + parts[3:4]):
        length = len(parts)
    return "/".join(parts[:length])


# --- the normal form ----------------------------------------------------------------------------


def faults(plan: Plan) -> list[str]:
    """What is wrong with the form of a plan, so that ``==`` would not mean "the same plan"."""
    found = [f"/title: {fault}" for fault in _line_faults(plan.title)]
    for index, block in enumerate(plan.body):
        found += [f"/body/{index}: {fault}" for fault in _block_faults(block)]
    if make_blocks(plan.body) != plan.body:
        found.append("/body: empty blocks, or lists that go on and are not one")
    for number, task in enumerate(plan.tasks()):
        found += [f"/tasks/{number}/title: {fault}" for fault in _line_faults(task.title)]
        for name in ("details", "output"):
            inner: Blocks = getattr(task, name)
            found += [
                f"/tasks/{number}/{name}: {fault}" for block in inner for fault in _block_faults(block)
            ]
            if make_blocks(inner) != inner:
                found.append(f"/tasks/{number}/{name}: empty blocks, or lists that go on and are not one")
        if task.priority == "medium":
            found.append(f"/tasks/{number}/priority: ordinary is None, not 'medium'")
    return found


def _line_faults(line: Line) -> Iterator[str]:
    if make_line(line) != line:
        yield f"empty texts, or neighbours of one look: {line}"
    for span in line:
        if isinstance(span, Text) and ("\n" in span.text or "\r" in span.text):
            yield f"a line break in {span.text!r}"


def _block_faults(block: Block) -> Iterator[str]:
    """Faults of a block and those in it; tasks are looked at one by one, not here."""
    match block:
        case Paragraph(line) | Heading(_, line):
            yield from _line_faults(line)
        case Quote(inner):
            yield from _inner_faults(inner)
        case List(items, ordered, start):
            if not ordered and start != 1:
                yield f"a bullet list that starts at {start}"
            for item in items:
                yield from _inner_faults(item.blocks)
        case TaskList(_, ordered, start) if not ordered and start != 1:
            yield f"a bullet list that starts at {start}"
        case Table(header, rows, align):
            if {len(header), len(align), *map(len, rows)} != {len(header)}:
                yield "rows of different lengths"
            for cell in (*header, *(cell for row in rows for cell in row)):
                yield from _line_faults(cell)


def _inner_faults(blocks: Blocks) -> Iterator[str]:
    if make_blocks(blocks) != blocks:
        yield "empty blocks, or lists that go on and are not one"
    for block in blocks:
        yield from _block_faults(block)
