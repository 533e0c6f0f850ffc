"""What a dialect says about the tasks of a document: which text is theirs, who stands under whom, ids."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from planconv.markdown import sections
from planconv.markdown.block_reader import Piece, task_sections
from planconv.markdown.dialect import Dialect
from planconv.model import (
    Block,
    Blocks,
    Heading,
    List,
    Paragraph,
    Rule,
    Task,
    TaskList,
    make_blocks,
    map_tasks,
    plain_text,
)

_FENCE = re.compile(r"\s*(`{3,}|~{3,})(?:md|markdown)?[ \t]*\n(.*)\n\1[ \t]*\s*\Z", re.DOTALL)
_FENCE_LINE = re.compile(r" {0,3}(`{3,}|~{3,})")
_DEEPEST = 9
"""How many parts a number may have that says where a task stands."""
_NEEDS = re.compile(r"(?i)\(depends on ([^()]+)\)")
_AND = re.compile(r"\s*(?:,|;|&|\band\b)\s*")


def unwrapped(text: str) -> str:
    """A document that is one fence, without it; its lines keep their numbers."""
    match = _FENCE.match(text)
    if match is None or not _is_one_fence(match[2], match[1]):
        return text
    return "\n" * text.count("\n", 0, match.start(2)) + match[2] + "\n"


def _is_one_fence(inside: str, fence: str) -> bool:
    """Whether no fence of this kind ends inside that did not begin there."""
    open = 0
    for line in inside.split("\n"):
        info = line.lstrip(" ")
        if info.startswith(fence):
            open += -1 if info.rstrip(" \t\r") == fence else not open
        if open < 0:
            return False
    return not open


def listed(text: str, dialect: Dialect) -> str:
    """The text with each task that is no list item made one, on its line."""
    if dialect.unlisted is None:
        return text
    lines = text.split("\n")
    fence = ""
    for number, line in enumerate(lines):
        marks = _FENCE_LINE.match(line)
        if marks:
            fence = "" if fence and marks[1].startswith(fence) else fence or marks[1]
        elif not fence and (match := dialect.unlisted.match(line)):
            indent = line[: match.end()].rstrip("-*")
            bullet = line[len(indent) : match.end()] or "-"
            lines[number] = f"{indent}{bullet} {line[match.end() :]}"
    return "\n".join(lines)


# --- what belongs to a task -----------------------------------------------------------------------


def take_in(pieces: list[Piece], dialect: Dialect) -> None:
    """Move what stands below a task, though not indented, into its details.

    What was moved leaves an empty paragraph, so that the pieces keep their places.
    """
    if not (dialect.heading_tasks or dialect.holds_column_zero):
        return
    at, level, taken = -1, 0, list[Piece]()
    for index, piece in enumerate(pieces):
        heading = _heading_level(piece.block, dialect)
        if heading or _ends(piece, level, begun=bool(taken)):
            _give(pieces, at, taken)
            at, level, taken = -1, 0, []
        if heading:
            at, level = index, heading
        elif at >= 0:
            taken.append(piece)
            pieces[index] = Piece(Paragraph(()))
        elif dialect.holds_column_zero and isinstance(piece.block, TaskList):
            at = index
    _give(pieces, at, taken)


def _heading_level(block: Block, dialect: Dialect) -> int:
    """The level of a task that was a heading; 0 if it is none."""
    match block:
        case TaskList((Task() as task,)):
            level = task.extras.get(dialect.name, {}).get("heading")
            return level if isinstance(level, int) else 0
    return 0


def _ends(piece: Piece, level: int, *, begun: bool) -> bool:
    """Whether this belongs to no task above it."""
    if sections.read_reference(piece.source):
        return True
    match piece.block:
        case Rule():
            return True
        case Heading(other):
            return not level or other <= level
        case TaskList():
            return not level
        case List():
            return not level and not begun
    return False


def _give(pieces: list[Piece], at: int, taken: list[Piece]) -> None:
    match pieces[at].block if taken else None:
        case TaskList(tasks, ordered, start):
            details, output, sources = task_sections(taken)
            last = dataclasses.replace(
                tasks[-1],
                details=make_blocks((*tasks[-1].details, *details)),
                output=make_blocks((*tasks[-1].output, *output)),
                sources=(*tasks[-1].sources, *sources),
            )
            pieces[at] = Piece(TaskList((*tasks[:-1], last), ordered, start))


# --- numbers and ids ------------------------------------------------------------------------------


def shaped(body: Blocks, dialect: Dialect) -> Blocks:
    """The blocks with the ids that stand in titles, and each task below the one its number names."""
    if dialect.id is None:
        return body
    body = map_tasks(body, lambda task: _with_id(task, dialect))
    return _nested(body) if dialect.nested_by_number else body


def _with_id(task: Task, dialect: Dialect) -> Task:
    text = plain_text(task.title)
    match = dialect.id.match(text) if dialect.id else None
    needs = _NEEDS.search(text)
    ids = _AND.split(needs[1]) if needs and dialect.id else []
    depends_on = tuple(dict.fromkeys(id for id in ids if dialect.id and dialect.id.fullmatch(id)))
    if match is None and not depends_on:
        return task
    return dataclasses.replace(task, id=match[1] if match else None, depends_on=depends_on)


@dataclass(slots=True)
class _Node:
    """A task whose place is being found, and those below it."""

    task: Task
    below: list[_Node] = field(default_factory=list)

    @property
    def number(self) -> list[str]:
        parts = (self.task.id or "").split(".")
        return parts if len(parts) <= _DEEPEST and self.task.id else []

    def made(self) -> Task:
        below = TaskList(tuple(node.made() for node in self.below))
        details = make_blocks((*_nested(self.task.details), below))
        return dataclasses.replace(self.task, details=details)


def _nested(blocks: Blocks) -> Blocks:
    return tuple(
        TaskList(_by_number(block.tasks)) if isinstance(block, TaskList) and not block.ordered else block
        for block in blocks
    )


def _by_number(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """The tasks of a list in their order, those with longer numbers below those they begin with."""
    top: list[_Node] = []
    open: list[_Node] = []
    for task in tasks:
        node = _Node(task)
        while open and not _is_under(node.number, open[-1].number):
            open.pop()
        (open[-1].below if open else top).append(node)
        if node.number:
            open.append(node)
    return tuple(node.made() for node in top)


def _is_under(number: list[str], above: list[str]) -> bool:
    return len(number) > len(above) and number[: len(above)] == above
