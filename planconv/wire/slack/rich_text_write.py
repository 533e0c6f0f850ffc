"""The model's blocks to Slack's rich text.

Containers never hold each other (https://docs.slack.dev/reference/block-kit/blocks/rich-text-block), so a
list in a list is a sibling with a larger ``indent``, and what stands in a quote has a ``border``.
Paragraphs in a row are one section with ``\\n\\n`` between them. Slack refuses the whole message for one
empty text or element list: there are none, and an item without text holds a blank.
"""

from __future__ import annotations

import dataclasses
import unicodedata
from collections.abc import Sequence

from planconv import loss
from planconv.loss import BLANKS_TRIMMED, BLOCK_SIMPLIFIED, INDENT_CLAMPED, Note
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Break,
    Code,
    Heading,
    Item,
    Line,
    List,
    Paragraph,
    Quote,
    Raw,
    RawSpan,
    Rule,
    Span,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    block_text,
    make_line,
    plain_text,
    text_line,
)
from planconv.status import add_suffix, write_status
from planconv.wire.slack.rich_text_lists import MAX_INDENT
from planconv.wire.slack.rich_text_read import BLANK_ITEM, read_rich_text
from planconv.wire.slack.rich_text_spans import (
    LUGGAGE,
    Element,
    append_elements,
    html_text,
    shown,
    text_element,
    unpacked,
    write_elements,
)

RULE = "———"
_BLANK_ELEMENTS = [text_element(span.text) for span in BLANK_ITEM]
_BLANK_SECTION: Element = {"type": "rich_text_section", "elements": [*_BLANK_ELEMENTS]}


def write_rich_text(blocks: Blocks, note: Note) -> dict[str, JSON] | None:
    """A ``rich_text`` object that shows the blocks, ``None`` if nothing of them can be seen.

    What is written is read again: a difference that no other note tells is noted as a simplified block.
    """
    noted = False

    def note_and_tell(code: loss.Code, was: JSON = None, now: JSON = None) -> None:
        nonlocal noted
        noted = True
        note(code, was, now)

    writer = _Writer(note_and_tell)
    writer.write(blocks)
    elements: list[JSON] = [*writer.containers()]
    written: dict[str, JSON] | None = {"type": "rich_text", "elements": elements} if elements else None
    if not noted and read_rich_text(written, _unheard) != blocks:
        note(BLOCK_SIMPLIFIED, "\n\n".join(map(block_text, blocks)))
    return written


def _unheard(code: loss.Code, was: JSON = None, now: JSON = None) -> None:
    """A note that nobody waits for."""


@dataclasses.dataclass(slots=True)
class _Container:
    """A container in the making: its fields, and its elements (of a list: one row for each item)."""

    fields: Element
    elements: list[Element]
    next_number: int = 0  # of an ordered list, the number its next item has
    foreign: bool = False  # whether the fields are all there is, as they came from Slack


class _Writer:
    def __init__(self, note: Note) -> None:
        self._note = note
        self._containers: list[_Container] = []
        self._quoted = False
        self._joins = False  # whether another paragraph goes into the last container
        self._indent = -1  # of the last list, while nothing else has come

    def containers(self) -> list[Element]:
        return [
            container.fields
            if container.foreign
            else {**container.fields, "elements": [*container.elements]}
            for container in self._containers
        ]

    def write(self, blocks: Blocks) -> None:
        for block in blocks:
            self._write(block)

    def _write(self, block: Block) -> None:
        match block:
            case Paragraph() | Heading() | Rule():
                self._write_paragraph(self._line(block))
            case List():
                self._write_list(block, 0)
            case TaskList():
                self._write_list(self._plain_list(block), 0)
            case Quote():
                self._write_quote(block)
            case Code(text, info):
                if info != block.language:
                    self._note(BLOCK_SIMPLIFIED, info, block.language)
                self._write_code(text, block.language)
            case Table():
                self._note(BLOCK_SIMPLIFIED, block_text(block))
                self._write_code(_table_text(block))
            case Raw():
                self._write_raw(block)

    def _append(self, fields: Element, elements: list[Element], indent: int = -1) -> None:
        border: Element = {"border": 1} if self._quoted and fields["type"] != "rich_text_quote" else {}
        self._containers.append(_Container({**fields, **border}, elements))
        self._joins = False
        self._indent = indent

    def _open_indent(self) -> int:
        """The indent down to which lists are open here: those in a quote are not open behind it."""
        bordered = bool(self._containers) and "border" in self._containers[-1].fields
        return self._indent if bordered == self._quoted else -1

    # --- paragraphs, code, what Slack does not have ---

    def _write_paragraph(self, line: Line) -> None:
        elements = self._elements(line)
        if not elements:
            return
        if self._joins:
            append_elements(self._containers[-1].elements, [text_element("\n\n"), *elements])
            return
        self._append({"type": "rich_text_quote" if self._quoted else "rich_text_section"}, elements)
        self._joins = True

    def _elements(self, line: Line) -> list[Element]:
        """The elements of a paragraph, which has no breaks at its edges."""
        elements = write_elements(line, self._note)
        trimmed = _without_breaks_at_edges(elements)
        if trimmed != elements:
            self._note(BLANKS_TRIMMED, plain_text(line))
        return trimmed

    def _line(self, block: Paragraph | Heading | Rule) -> Line:
        """The block as the line of a paragraph."""
        match block:
            case Paragraph(line):
                return line
            case Heading(_, line):
                self._note(BLOCK_SIMPLIFIED, plain_text(line))
                return make_line(map(_bold, line))
            case Rule():
                self._note(BLOCK_SIMPLIFIED, block_text(block), RULE)
        return text_line(RULE)

    def _write_code(self, text: str, language: str = "") -> None:
        if not text:
            self._note(BLOCK_SIMPLIFIED, language)
            return
        fields: Element = {"language": shown(language, self._note)} if language else {}
        elements = [text_element(shown(text, self._note))]
        self._append({"type": "rich_text_preformatted", **fields}, elements)

    def _write_raw(self, raw: Raw) -> None:
        if raw.format == LUGGAGE and (container := unpacked(raw.source)) is not None:
            self._containers.append(_Container(container, [], foreign=True))
            self._joins = False
            self._indent = -1
            return
        text = html_text(raw.source).strip() if raw.format == "html" else raw.source
        self._note(BLOCK_SIMPLIFIED, raw.source, text)
        self._write_paragraph(text_line(text))

    def _write_quote(self, quote: Quote) -> None:
        if self._quoted:
            self._note(BLOCK_SIMPLIFIED, block_text(quote))
            self.write(quote.blocks)
            return
        self._quoted, self._joins = True, False
        self.write(quote.blocks)
        self._quoted, self._joins = False, False

    # --- lists ---

    def _write_list(self, list_: List, depth: int) -> None:
        if depth == MAX_INDENT + 1:
            self._note(INDENT_CLAMPED, depth, MAX_INDENT)
        if list_.ordered and list_.start < 1:
            self._note(BLOCK_SIMPLIFIED, list_.start, 1)
        number = max(list_.start, 1)
        for item in list_.items:
            first = _first_paragraphs(item)
            place, around = len(self._containers), self._open_indent()
            self._write_item(self._item_elements(first), list_.ordered, depth, number)
            self._write_below(item.blocks[len(first) :], depth)
            if around < depth and (number == 1 or not list_.ordered):
                self._leave_out_blank(place, depth)
            number += 1

    def _write_below(self, blocks: Sequence[Block], depth: int) -> None:
        """What stands in an item below its text; what is no list stands behind the item."""
        for block in blocks:
            match block:
                case List():
                    self._write_list(block, depth + 1)
                case TaskList():
                    self._write_list(self._plain_list(block), depth + 1)
                case _:
                    self._note(BLOCK_SIMPLIFIED, block_text(block))
                    self._write(block)

    def _leave_out_blank(self, place: int, depth: int) -> None:
        """Leave out an item without text before a list in it: the indent of that list tells of the item."""
        match self._containers[place : place + 2]:
            case [blank, below] if blank.elements == [_BLANK_SECTION]:
                deeper = below.fields.get("indent")
                alike = all(
                    blank.fields.get(key) == below.fields.get(key) for key in ("type", "style", "border")
                )
                if alike and isinstance(deeper, int) and deeper > depth:
                    del self._containers[place]

    def _item_elements(self, paragraphs: Sequence[Paragraph | Heading]) -> list[Element]:
        elements: list[Element] = []
        for paragraph in paragraphs:
            if more := self._elements(self._line(paragraph)):
                gap = [text_element("\n\n")] if elements else []
                append_elements(elements, [*gap, *more])
        return elements or _BLANK_ELEMENTS

    def _write_item(self, elements: list[Element], ordered: bool, depth: int, number: int) -> None:
        indent = min(depth, MAX_INDENT)
        shape: Element = {"type": "rich_text_list", "style": "ordered" if ordered else "bullet"}
        if indent:
            shape["indent"] = indent
        last = self._containers[-1] if self._containers else None
        goes_on = (
            last is not None and self._open_indent() == indent and last.fields["style"] == shape["style"]
        )
        if last is None or not goes_on or (ordered and last.next_number != number):
            if ordered and number > 1:
                shape["offset"] = number - 1
            self._append(shape, [], indent)
            last = self._containers[-1]
        last.elements.append({"type": "rich_text_section", "elements": [*elements]})
        last.next_number = number + 1

    def _plain_list(self, tasks: TaskList) -> List:
        """The tasks as a list whose items begin with a box."""
        self._note(BLOCK_SIMPLIFIED, block_text(tasks))
        return List(tuple(map(_boxed, tasks.tasks)), tasks.ordered, tasks.start)


def _without_breaks_at_edges(elements: list[Element]) -> list[Element]:
    trimmed = [*elements]
    for edge, strip in ((0, str.lstrip), (-1, str.rstrip)):
        match trimmed[edge:][:1]:
            case [{"type": "text", "text": str(text)} as element]:
                trimmed[edge] = {**element, "text": strip(text, "\n")}
                if not trimmed[edge]["text"]:
                    del trimmed[edge]
    return trimmed


def _first_paragraphs(item: Item) -> list[Paragraph | Heading]:
    """The paragraphs that an item begins with; a heading among them is one."""
    paragraphs: list[Paragraph | Heading] = []
    for block in item.blocks:
        if not isinstance(block, Paragraph | Heading):
            break
        paragraphs.append(block)
    return paragraphs


def _bold(span: Span) -> Span:
    if isinstance(span, Break | RawSpan):
        return span
    return dataclasses.replace(span, style=span.style | Style.BOLD)


def _boxed(task: Task) -> Item:
    """A task as the item of a list: its box, its title, its status if the box does not tell it."""
    box = Text("☑ " if task.done else "☐ ")
    told = write_status("gfm", task.status).exact
    status = () if told else (Text(" " + add_suffix("", task.status)),)
    return Item((Paragraph(make_line((box, *task.title, *status))), *task.details, *task.output))


# --- tables -------------------------------------------------------------------------------------


def _table_text(table: Table) -> str:
    """A table for a fixed-width face: columns as wide as their widest cell, a line below the header."""
    rows = [[_cell_text(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [
        " | ".join(
            _padded(cell, width, align) for cell, width, align in zip(row, widths, table.align, strict=True)
        )
        for row in rows
    ]
    lines.insert(1, "-+-".join("-" * width for width in widths))
    return "\n".join(line.rstrip() for line in lines)


def _cell_text(cell: Line) -> str:
    pieces: list[str] = []
    for index, span in enumerate(cell):
        pieces.append(plain_text((span,)).replace("\n", " "))
        link = span.link if isinstance(span, Text) else None
        following = cell[index + 1] if index + 1 < len(cell) else None
        if link and link.url != pieces[-1] and not (isinstance(following, Text) and following.link == link):
            pieces.append(f" ({link.url})")
    return "".join(pieces)


def _padded(text: str, width: int, align: str) -> str:
    missing = width - _width(text)
    left = missing if align == "right" else missing // 2 if align == "center" else 0
    return " " * left + text + " " * (missing - left)


def _width(text: str) -> int:
    """How many columns a text takes; East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
