"""The blocks of the model to lines of GitHub Flavored Markdown.

Lists are tight unless an item needs a blank line inside; what stands in an item is indented by the
width of its marker. Blocks are set apart by blank lines, so nothing runs into its neighbour.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from planconv.errors import EncodeError
from planconv.loss import (
    BLOCK_SIMPLIFIED,
    FIELD_DROPPED,
    LUGGAGE_DROPPED,
    STATUS_AS_TEXT,
    STYLE_DROPPED,
    Note,
)
from planconv.markdown import boxes, notes, sections
from planconv.markdown.dialect import GFM, Dialect
from planconv.markdown.edges import keep_edges
from planconv.markdown.inline import parse_line, write_line
from planconv.markdown.literal import write_code, write_html
from planconv.markdown.parser import MAX_NESTING
from planconv.markdown.spans import all_struck, any_struck, struck
from planconv.markdown.substitutes import writable_line
from planconv.markdown.tables import write_table
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Code,
    Heading,
    Item,
    Line,
    List,
    Paragraph,
    Quote,
    Raw,
    Rule,
    Source,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    continues,
    make_line,
    plain_text,
)
from planconv.status import CANCELLED, PENDING, read_status, spoken, write_status

NoteAt = Callable[[str], Note]
"""Gives the note for a path in the plan."""

_RULE = "---"
_OTHER_RULE = "***"
"""Behind a bullet, dashes would make one rule together with it."""
_RULE_LINE = re.compile(r"-[ \t]*(?:-[ \t]*){2,}")
_LAST_NUMBER = 999_999_999
"""A list number has at most nine digits (CommonMark §5.2)."""


class _Chunk(NamedTuple):
    """The lines of one block; a list may follow a paragraph without a blank line between them."""

    lines: list[str]
    kind: type[Block]

    def can_follow_text(self) -> bool:
        """Whether this is a list that ends the paragraph above it (CommonMark §5.2)."""
        first = self.lines[0]
        return self.kind is List and (first.startswith("- ") or re.match(r"1[.)] ", first) is not None)


class _Entry(NamedTuple):
    """The lines of a list item, and whether blank lines stand between the blocks in it."""

    lines: list[str]
    loose: bool = False


class BlockWriter:
    """Writes blocks; ``note_at`` says to whom it tells what is lost at a place of the plan."""

    def __init__(self, note_at: NoteAt, dialect: Dialect = GFM) -> None:
        self._dialect = dialect
        self._note_at = note_at
        self._note: Note = note_at("")
        self._number = 0
        self._depth = 0

    def body(self, blocks: Blocks, first: int = 0) -> list[list[str]]:
        """The lines of each block of a plan's body, where lists that are one list on the page are one.

        ``first`` is the index of the first block in the body.
        """
        return [chunk.lines for chunk in self._chunks(blocks, sections.body_text, first)]

    def _chunks(
        self, blocks: Blocks, guard: Callable[[str], str] = str, first: int | None = None
    ) -> list[_Chunk]:
        """What there is to see of each block; ``guard`` keeps a paragraph from meaning something."""
        chunks: list[_Chunk] = []
        shown: list[tuple[int, Block]] = []
        written: dict[int, list[str]] = {}
        for index, block in enumerate(blocks, first or 0):
            if _may_show_nothing(block):
                self._look_at(index, first)
                written[index] = self._block(block, guard)
                if not written[index]:
                    continue  # the lists on either side of it are beside each other
            shown.append((index, block))
        for run in _runs(shown):
            self._look_at(run.start, first)
            block = run.blocks[0]
            if isinstance(block, List | TaskList):
                chunks.append(_Chunk(self._list(run, top=first is not None), List))
            elif lines := written.get(run.start) or self._block(block, guard):
                chunks.append(_Chunk(lines, type(block)))
        return chunks

    def _look_at(self, index: int, first: int | None) -> None:
        """Note what follows at this block, if it stands right in the body."""
        if first is not None:
            self._note = self._note_at(f"/body/{index}")

    def _block(self, block: Block, guard: Callable[[str], str]) -> list[str]:
        match block:
            case Paragraph(line):
                source = keep_edges(write_line(line, self._note))
                return guard(source).split("\n") if source else []
            case Heading(level, line):
                source = keep_edges(write_line(line, self._note, single_line=True, in_heading=True))
                return [f"{'#' * min(max(level, 1), 6)} {source}".rstrip(" ")]
            case Code(text, info):
                return write_code(text, info, self._note)
            case Table():
                return write_table(block, self._note)
            case Raw(format, source):
                return self._raw(format, source)
            case Quote(blocks):
                with self._one_deeper():
                    lines = spaced([chunk.lines for chunk in self._chunks(blocks)])
                return [f"> {line}" if line else ">" for line in lines]
        return [_RULE]

    def _raw(self, format: str, source: str) -> list[str]:
        if format == "html" and source != sections.PLAN_MARKER:
            lines = write_html(source, self._note)
            if lines:
                return lines
        self._note(BLOCK_SIMPLIFIED, source, "code")
        return write_code(source, format, self._note)

    @contextmanager
    def _one_deeper(self) -> Iterator[None]:
        if self._depth >= MAX_NESTING:
            raise EncodeError(f"lists are nested more than {MAX_NESTING} levels deep")
        self._depth += 1
        yield
        self._depth -= 1

    # --- lists ------------------------------------------------------------------------------------

    def _list(self, run: _Run, *, top: bool) -> list[str]:
        entries: list[_Entry] = []
        number = self._start(run.blocks[0])
        with self._one_deeper():
            for index, block in enumerate(run.blocks, run.start):
                if top:
                    self._note = self._note_at(f"/body/{index}")
                for member in _members(block):
                    marker = f"{number}{run.delimiter}" if run.delimiter else "-"
                    if isinstance(member, Task) and top and (level := self._heading_level(member)):
                        entries.append(self._heading_task(member, level))
                    elif isinstance(member, Task):
                        entries.append(self._task(member, marker))
                    else:
                        entries.append(_item(marker, self._chunks(member.blocks)))
                    number = min(number + 1, _LAST_NUMBER)
        loose = any(entry.loose for entry in entries)
        lines: list[str] = []
        for entry in entries:
            if lines and loose:
                lines.append("")
            lines += entry.lines
        return lines

    def _start(self, block: Block) -> int:
        start = block.start if isinstance(block, List | TaskList) else 1
        if 0 <= start <= _LAST_NUMBER:
            return start
        self._note(BLOCK_SIMPLIFIED, start, 1)
        return 1

    def _task(self, task: Task, marker: str) -> _Entry:
        path = f"/tasks/{self._number}"
        self._number += 1
        head = self._head(task, path)
        chunks = self._below(task, path)
        if chunks and head.endswith("] "):
            head += boxes.NOTHING
        return _entry(marker, [_Chunk(head.split("\n"), Paragraph), *chunks])

    def _heading_level(self, task: Task) -> int:
        """The level of the heading that a task stands in; 0 if it is a list item."""
        level = self._kept(task).get("heading") if self._dialect.heading_tasks else None
        return level if isinstance(level, int) and not isinstance(level, bool) and 0 < level < 7 else 0

    def _heading_task(self, task: Task, level: int) -> _Entry:
        path = f"/tasks/{self._number}"
        self._number += 1
        head = f"{'#' * level} {self._head(task, path, in_heading=True)}"
        below = [chunk.lines for chunk in self._below(task, path)]
        return _Entry(spaced([[head], *below]), loose=True)

    def _below(self, task: Task, path: str) -> list[_Chunk]:
        """What stands below the title of a task."""
        outside = self._note
        self._note = self._note_at(f"{path}/details")
        chunks = self._chunks(task.details, sections.task_text)
        if task.output:
            self._note = self._note_at(f"{path}/output")
            chunks += _section(sections.OUTPUT, self._chunks(self._output(task), sections.task_text))
        if task.sources:
            self._note = self._note_at(f"{path}/sources")
            chunks += _section(sections.SOURCES, self._sources(task.sources))
        self._note = outside
        return chunks

    def _output(self, task: Task) -> Blocks:
        """What a task has given, in which a box would be taken for another task."""
        output = _without_boxes(task.output)
        if output != task.output:
            self._note(BLOCK_SIMPLIFIED, "tasks", "list items")
        return output

    def _sources(self, sources: Sequence[Source]) -> list[_Chunk]:
        lines: list[str] = []
        for source in sources:
            written = write_line(sections.source_line(source), self._note)
            back = sections.read_source(parse_line(written))
            if back is None:
                self._note(FIELD_DROPPED, source.url)
                continue
            if back != source:
                self._note(STYLE_DROPPED, source.text, back.text)
            lines.append(f"- {written}")
        return [_Chunk(lines, List)] if lines else []

    def task_line(self, task: Task, path: str) -> str:
        """The box of a task and what stands behind it; ``path`` is the task's, for what is lost."""
        return self._head(task, path)

    # --- the line of a task -----------------------------------------------------------------------

    def _head(self, task: Task, path: str, *, in_heading: bool = False) -> str:
        note = self._note_at(f"{path}/title")
        cell = write_status(self._dialect.vocabulary, task.status)
        title = task.title
        shown = task.status == CANCELLED and not cell.exact
        if shown:
            title = writable_line(title, note)  # what becomes text is struck out too
        if shown and not any_struck(title):
            title = struck(title)
        elif shown and all_struck(title):
            note(STYLE_DROPPED, plain_text(title), "struck out as cancelled")
        status, priority = None if cell.exact else task.status, task.priority
        if status is not None and not notes.holds_note(status, None):
            title = self._with_status(title, status, path)
            status = None
        if priority is not None and not notes.holds_note(None, priority):
            self._note_at(f"{path}/priority")(FIELD_DROPPED, priority)
            priority = None
        text = keep_edges(
            write_line(title, note, single_line=in_heading, in_task=True, in_heading=in_heading)
        )
        if cell.word == " " and not in_heading:
            text = boxes.keep_open(text)
        parts = " ".join(part for part in (text, notes.write_note(status, priority)) if part)
        star = "*" if self._dialect.starred and self._kept(task).get("optional") is True else ""
        return f"[{self._mark(task, cell.word, path, in_heading=in_heading)}]{star} {parts}"

    def _kept(self, task: Task) -> Mapping[str, JSON]:
        return task.extras.get(self._dialect.name, {})

    def _with_status(self, title: Line, status: str, path: str) -> Line:
        """The title with a status behind it that is no word: a reader sees it, but it is only text."""
        self._note_at(f"{path}/status")(STATUS_AS_TEXT, status, PENDING)
        self._note_at(f"{path}/title")(STATUS_AS_TEXT, plain_text(title), status)
        words = Text(f"({' '.join(spoken(status).split())})", Style.ITALIC)
        return make_line((*title, Text(" "), words) if title else (words,))

    def _mark(self, task: Task, word: str, path: str, *, in_heading: bool) -> str:
        """What stands in the box: the mark that it had when it was read, if the task is still open."""
        kept = self._kept(task)
        mark = kept.get("mark")
        mark = mark if isinstance(mark, str) and self._means_the_same(mark, word) else word
        for key, value in kept.items():
            starred = key == "optional" and value is True and self._dialect.starred
            heads = key == "heading" and in_heading
            if not (starred or heads) and (key != "mark" or value != mark):
                self._note_at(f"{path}/extras/{self._dialect.name}/{key}")(LUGGAGE_DROPPED, value)
        return mark

    def _means_the_same(self, mark: str, word: str) -> bool:
        """Whether a mark may stand where this word would; one that the dialect does not know is open."""
        if mark not in boxes.MARKS and mark not in {*self._dialect.marks}:
            return False
        meant = read_status(self._dialect.vocabulary, mark)
        meant = PENDING if meant == mark else meant
        return meant == read_status(self._dialect.vocabulary, word)


def spaced(pieces: Sequence[list[str]]) -> list[str]:
    """All lines, with an empty one between the pieces."""
    lines: list[str] = []
    for piece in pieces:
        if lines and piece:
            lines.append("")
        lines += piece
    return lines


# --- lists that are one list on the page ----------------------------------------------------------


class _Run(NamedTuple):
    """A block, or lists that go on in each other; ``delimiter`` stands behind the numbers, if any."""

    start: int
    blocks: list[Block]
    delimiter: str = ""


def _may_show_nothing(block: Block) -> bool:
    match block:
        case Paragraph(line):
            return not plain_text(line).strip()
        case Raw():
            return True
    return False


def _runs(blocks: Iterable[tuple[int, Block]]) -> Iterator[_Run]:
    """The blocks, lists that continue each other in one; lists that do not have different delimiters."""
    run: _Run | None = None
    for index, block in blocks:
        if run and _goes_on(run.blocks[-1], block):
            run.blocks.append(block)
            continue
        if run:
            yield run
        delimiter = ""
        if isinstance(block, List | TaskList) and block.ordered:
            delimiter = ")" if run and run.delimiter == "." else "."
        run = _Run(index, [block], delimiter)
    if run:
        yield run


def _goes_on(first: Block, second: Block) -> bool:
    match first, second:
        case (List() | TaskList(), List() | TaskList()):
            return continues(first, second)
    return False


def _members(block: Block) -> tuple[Task, ...] | tuple[Item, ...]:
    match block:
        case TaskList(tasks):
            return tasks
        case List(items):
            return items
    return ()


# --- items ----------------------------------------------------------------------------------------


def _item(marker: str, chunks: list[_Chunk]) -> _Entry:
    """An item that is no task, whatever its text begins with."""
    if chunks and chunks[0].kind is Paragraph:
        chunks[0].lines[0] = boxes.without_box(chunks[0].lines[0])
    return _entry(marker, chunks)


def _entry(marker: str, chunks: Sequence[_Chunk]) -> _Entry:
    """The blocks of an item behind its marker, each line indented by the marker's width."""
    lines: list[str] = []
    loose = False
    above: _Chunk | None = None
    for chunk in chunks:
        if above and not (above.kind is Paragraph and chunk.can_follow_text()):
            lines.append("")
            loose = True
        lines += chunk.lines
        above = chunk
    if not lines:
        return _Entry([marker])
    indent = " " * (len(marker) + 1)
    below = [indent + line if line else "" for line in lines]
    first = f"{marker} {lines[0]}"
    if chunks[0].kind is List and (boxes.box_in_first_line(first) or _RULE_LINE.fullmatch(first)):
        return _Entry([marker, *below], loose)
    if chunks[0].kind is Rule:
        first = f"{marker} {_OTHER_RULE}"
    elif _RULE_LINE.fullmatch(first):
        first = f"{marker} \\{lines[0]}"
    return _Entry([first, *below[1:]], loose)


def _section(name: str, chunks: list[_Chunk]) -> list[_Chunk]:
    """A named part of a task, if there is anything in it to see."""
    return [_Chunk([name], Paragraph), *chunks] if chunks else []


def _without_boxes(blocks: Blocks) -> Blocks:
    """The blocks with plain items in the place of tasks, whose boxes are text."""
    plain: list[Block] = []
    for block in blocks:
        match block:
            case TaskList(tasks, ordered, start):
                plain.append(List(tuple(map(_task_as_item, tasks)), ordered, start))
            case List(items, ordered, start):
                inner = tuple(Item(_without_boxes(item.blocks)) for item in items)
                plain.append(List(inner, ordered, start))
            case Quote(quoted):
                plain.append(Quote(_without_boxes(quoted)))
            case _:
                plain.append(block)
    return tuple(plain)


def _task_as_item(task: Task) -> Item:
    box = f"[{write_status('gfm', task.status).word}] "
    title = Paragraph(make_line((Text(box), *task.title)))
    return Item((title, *_without_boxes(task.details)))
