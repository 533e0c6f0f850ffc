"""The tokens of markdown-it to the blocks of the model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from planconv.loss import (
    BLOCK_SIMPLIFIED,
    BOX_IGNORED,
    MARK_AMBIGUOUS,
    STATUS_FROM_TEXT,
    WORD_BESIDE_TICK,
)
from planconv.loss import (
    Code as LossCode,
)
from planconv.markdown import boxes, sections
from planconv.markdown.dialect import GFM, Dialect
from planconv.markdown.inline import parse_line
from planconv.markdown.notes import StatusNote, split_note
from planconv.markdown.parser import Definitions
from planconv.markdown.spans import all_struck, not_struck
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
    Table,
    Task,
    TaskList,
    make_blocks,
    walk_tasks,
)
from planconv.status import CANCELLED, COMPLETED, KNOWN, PENDING, read_status, write_status

if TYPE_CHECKING:
    from markdown_it.token import Token


class Piece(NamedTuple):
    """A block, and of a paragraph the Markdown that it was read from."""

    block: Block
    source: str = ""


class Head(NamedTuple):
    """Where a task begins.

    ``line``, from 0, has its box; ``source`` is the Markdown from there to the end of the title, which may
    go on on further lines.
    """

    line: int
    source: str


@dataclass(slots=True)
class Notice:
    """Something that has to be noted once the place of its block is known.

    ``path`` is a pointer into the plan, or ``""`` for the block of the body that is being read, which
    is the ``block``-th of those that the reader has returned.
    """

    code: LossCode
    path: str
    was: JSON
    now: JSON
    line: int
    block: int


class BlockReader:
    """Reads one block after the other; ``notices`` says what was noticed on the way.

    ``lines`` are those of the text that the tokens were made from; ``heads`` tells of each task where it
    was read from.
    """

    def __init__(
        self,
        tokens: Sequence[Token],
        definitions: Definitions,
        lines: Sequence[str],
        dialect: Dialect = GFM,
    ) -> None:
        self._dialect = dialect
        self._sections = bool(dialect.section) and _has_section(tokens, dialect.section)
        self._closed = self._sections or not dialect.boxes
        self.heads: list[Head] = []
        self._tokens = tokens
        self._definitions = definitions
        self._lines = lines
        self._at = 0
        self.start_plan()

    def start_plan(self) -> None:
        """Count blocks and tasks from 0 again."""
        self.notices: list[Notice] = []
        self._number = 0
        self._place = ""
        self._block = 0

    def top_level(self) -> Iterator[list[Piece]]:
        """The pieces of one block of the document after the other; only a list can give several."""
        while self._at < len(self._tokens):
            pieces = self._next(top=True)
            self._block += len(pieces)
            yield pieces

    def _until(self, close: str) -> list[Piece]:
        pieces: list[Piece] = []
        while self._tokens[self._at].type != close:
            pieces += self._next()
        self._at += 1
        return pieces

    def _next(self, *, top: bool = False) -> list[Piece]:
        token = self._tokens[self._at]
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                return [Piece(block) for block in self._list(top=top)]
            case "paragraph_open":
                source = self._inline()
                return [Piece(Paragraph(self._line(source)), source)]
            case "heading_open":
                return [self._heading(token, top=top)]
            case "blockquote_open":
                self._at += 1
                return [Piece(Quote(_blocks(self._until("blockquote_close"))))]
            case "table_open":
                return [Piece(self._table())]
        self._at += 1
        match token.type:
            case "fence":
                return [Piece(Code(token.content.removesuffix("\n"), _unescaped(token.info)))]
            case "code_block":
                return [Piece(Code(token.content.removesuffix("\n")))]
            case "html_block":
                return [Piece(Raw("html", token.content.rstrip("\n").lstrip(" \t")))]
        return [Piece(Rule())]

    def _heading(self, token: Token, *, top: bool) -> Piece:
        content, level, line = self._inline(), int(token.tag[1]), _first_line(token)
        if top and self._sections and level > 1:
            self._closed = content.strip().lower() != self._dialect.section
        if not (top and self._dialect.heading_tasks):
            return Piece(Heading(level, self._line(content)))
        box = boxes.read_box(content, f"- {content}", marks=self._dialect.marks)
        if box is None:
            return Piece(Heading(level, self._line(content)))
        self.heads.append(Head(line, content))
        path = f"/tasks/{self._number}"
        self._number += 1
        title, status, priority = self._title(box, content[box.length :], path, line)
        extras = {self._dialect.name: {"heading": level, **self._kept(box, status)}}
        return Piece(TaskList((Task(title, status, priority, extras=extras),)))

    def _inline(self) -> str:
        """The content of the paragraph or heading that begins here; goes on behind it."""
        self._at += 3
        return self._tokens[self._at - 2].content

    def _line(self, source: str) -> Line:
        return parse_line(_MARGIN.sub("\n", source), self._definitions)

    # --- lists ------------------------------------------------------------------------------------

    def _list(self, *, top: bool) -> Iterator[Block]:
        """Tasks and plain items of one list, each run of either as a block of its own."""
        opening = self._tokens[self._at]
        ordered = opening.type == "ordered_list_open"
        number = int(opening.attrs.get("start", 1)) if ordered else 1
        self._at += 1
        entries: list[Task | Item] = []
        piece = 0
        while self._tokens[self._at].type == "list_item_open":
            noticed = len(self.notices)
            entry = self._entry()
            piece += bool(entries) and isinstance(entry, Task) != isinstance(entries[-1], Task)
            entries.append(entry)
            for notice in self.notices[noticed:] if top else ():
                notice.block += piece
        self._at += 1
        for are_tasks, run in groupby(entries, lambda entry: isinstance(entry, Task)):
            members = tuple(run)
            if are_tasks:
                tasks = tuple(entry for entry in members if isinstance(entry, Task))
                yield TaskList(tasks, ordered, number)
            else:
                items = tuple(entry for entry in members if isinstance(entry, Item))
                yield List(items, ordered, number)
            number += len(members) if ordered else 0

    def _entry(self) -> Task | Item:
        line = _first_line(self._tokens[self._at])
        self._at += 1
        content = self._first_content(line)
        if content is None:
            return Item(_blocks(self._until("list_item_close")))
        if self._closed:
            return Item(_blocks(self._until("list_item_close")))
        box = boxes.read_box(
            content, self._lines[line], starred=self._dialect.starred, marks=self._dialect.marks
        )
        if box is not None:
            return self._task(box, content, line)
        if boxes.looks_like_box(content):
            now = "text; a task of kiro" if content.startswith("[ ]*") else "text"
            self._notice(BOX_IGNORED, content.partition("\n")[0], now, line)
        return Item(_blocks(self._until("list_item_close")))

    def _first_content(self, line: int) -> str | None:
        """What an item begins with, if that can be a box: its first paragraph, on the marker's line.

        A viewer shows a box also before a heading that is underlined and before a table.
        """
        opening = self._tokens[self._at]
        match opening.type:
            case "paragraph_open":
                place = self._at + 1
            case "heading_open" if opening.markup != "#" * len(opening.markup):
                place = self._at + 1
            case "table_open":
                place = self._at + _FIRST_CELL
            case _:
                return None
        return self._tokens[place].content if _first_line(opening) == line else None

    def _task(self, box: boxes.Box, content: str, line: int) -> Task:
        path = f"/tasks/{self._number}"
        self._number += 1
        self.heads.append(Head(line, content))
        outside, self._place = self._place, f"{path}/details"
        source = self._title_source(box, content, path, line)
        title, status, priority = self._title(box, source, path, line)
        details, output, sources = task_sections(self._until("list_item_close"))
        self._place = outside
        return Task(
            title,
            status,
            priority,
            details=details,
            output=output,
            sources=sources,
            extras={self._dialect.name: kept} if (kept := self._kept(box, status)) else {},
        )

    def _title(self, box: boxes.Box, whole: str, path: str, line: int) -> tuple[Line, str, str | None]:
        """Title, status and priority, from what stands behind a box."""
        source, note = split_note(whole)
        if note and note.status == COMPLETED and box.mark != "x":
            source, note = whole, None  # only a tick says that work is done
        title = self._line(source)
        status = self._status(box, note, path, line)
        if status == CANCELLED and note and all_struck(title):
            title = not_struck(title)
        return title, status, note.priority if note else None

    def _title_source(self, box: boxes.Box, content: str, path: str, line: int) -> str:
        """The Markdown of a title; goes on behind it, unless it is the first cell of a table."""
        match self._tokens[self._at].type:
            case "table_open":
                self._tokens[self._at + _FIRST_CELL].content = content[box.length :]
                return ""
            case "heading_open":
                self._notice(BLOCK_SIMPLIFIED, "heading", "title", line, f"{path}/title")
        self._at += 3
        return content[box.length :]

    def _status(self, box: boxes.Box, note: StatusNote | None, path: str, line: int) -> str:
        path += "/status"
        word = note.status if note else None
        status = read_status(self._dialect.vocabulary, box.mark)
        if status == box.mark:  # no word of this dialect
            decides = f"pending; decided by {boxes.MARKS[box.mark]}"
            self._notice(MARK_AMBIGUOUS, f"[{box.mark}]", decides, line, path)
            return word or PENDING
        if word is None or word == status:
            return status
        if status == COMPLETED:
            self._notice(WORD_BESIDE_TICK, word, status, line, path)
            return status
        if word not in KNOWN:
            self._notice(STATUS_FROM_TEXT, status, word, line, path)
        return word

    def _kept(self, box: boxes.Box, status: str) -> dict[str, JSON]:
        """What a box says beside the status: a mark that another one would be written for, a star."""
        kept: dict[str, JSON] = {}
        if box.ambiguous and box.mark != write_status(self._dialect.vocabulary, status).word:
            kept["mark"] = box.mark
        if box.starred:
            kept["optional"] = True
        return kept

    # --- tables -----------------------------------------------------------------------------------

    def _table(self) -> Table:
        rows: list[list[Line]] = []
        align: list[str] = []
        while (token := self._tokens[self._at]).type != "table_close":
            match token.type:
                case "tr_open":
                    rows.append([])
                case "th_open":
                    align.append(str(token.attrs.get("style", "")).removeprefix("text-align:"))
                case "inline":
                    rows[-1].append(self._line(token.content))
            self._at += 1
        self._at += 1
        header, *others = map(tuple, rows)
        return Table(header, tuple(others), tuple(align))

    def _notice(self, code: LossCode, was: JSON, now: JSON, line: int, path: str = "") -> None:
        path = path or self._place
        self.notices.append(Notice(code, path, was, now, line + 1, self._block))


_MARGIN = re.compile(r"\n[ \t]+")
"""Blanks that a line of a paragraph begins with are none of its text, in code neither (CommonMark §4.8)."""

_FIRST_CELL = 4
"""table, thead, tr and th are opened before the text of the first cell."""


def _first_line(token: Token) -> int:
    return token.map[0] if token.map else -1


def _blocks(pieces: Sequence[Piece]) -> Blocks:
    return make_blocks(piece.block for piece in pieces)


def _unescaped(info: str) -> str:
    from markdown_it.common.utils import unescapeAll

    return unescapeAll(info).strip()


def _has_section(tokens: Sequence[Token], name: str) -> bool:
    """Whether a heading below the first level has this name."""
    return any(
        token.type == "heading_open"
        and token.level == 0
        and token.tag != "h1"
        and tokens[index + 1].content.strip().lower() == name
        for index, token in enumerate(tokens)
    )


# --- the sections of a task -----------------------------------------------------------------------


def task_sections(pieces: list[Piece]) -> tuple[Blocks, Blocks, tuple[Source, ...]]:
    """Details, output and sources of a task, from what stands below its title."""
    names = [piece.source for piece in pieces]
    sources: tuple[Source, ...] = ()
    below: list[Piece] = []
    if sections.SOURCES in names:
        at = names.index(sections.SOURCES)
        sources = _read_sources([piece.block for piece in pieces[at + 1 : at + 2]])
        if sources:
            pieces, below = pieces[:at], pieces[at + 2 :]
    if sections.OUTPUT not in names[: len(pieces)]:
        return _blocks(pieces + below), (), sources
    at = names.index(sections.OUTPUT)
    end = next((n for n in range(at, len(pieces)) if _holds_tasks(pieces[n].block)), len(pieces))
    output = _blocks(pieces[at + 1 : end])
    if not output:
        return _blocks(pieces + below), (), sources
    return _blocks(pieces[:at] + pieces[end:] + below), output, sources


def _holds_tasks(block: Block) -> bool:
    return any(True for _ in walk_tasks((block,)))


def _read_sources(blocks: list[Block]) -> tuple[Source, ...]:
    """The links of a list that holds nothing else; none if it is no such list."""
    sources: list[Source] = []
    match blocks:
        case [List(items, ordered=False)]:
            for item in items:
                match item.blocks:
                    case (Paragraph(line),) if source := sections.read_source(line):
                        sources.append(source)
                    case _:
                        return ()
    return tuple(sources)
