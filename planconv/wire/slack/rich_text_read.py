"""Slack's rich text to the model's blocks.

A ``rich_text`` is a row of containers that never hold each other
(https://docs.slack.dev/reference/block-kit/blocks/rich-text-block): what belongs together is told by the
``indent`` of lists and the ``border`` of what stands in a quote. Of newlines in a container one is a
break, more are the gap between two paragraphs, and one at the end only ends the last line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import ClassVar

from planconv.loss import (
    BLANKS_TRIMMED,
    BLOCK_SIMPLIFIED,
    INDENT_CLAMPED,
    LUGGAGE_DROPPED,
    SHAPE_ASSUMED,
    STYLE_DROPPED,
    Note,
)
from planconv.model import (
    JSON,
    Blocks,
    Break,
    Code,
    Line,
    Paragraph,
    Quote,
    Raw,
    Span,
    Text,
    make_line,
    plain_text,
    text_line,
)
from planconv.wire.slack.rich_text_lists import MAX_INDENT, OpenLists, Part, finished
from planconv.wire.slack.rich_text_spans import LUGGAGE, packed, read_elements

BLANK_ITEM = (Text(" "),)
"""What an item without any text holds, because Slack refuses empty ones."""


def read_rich_text(block: JSON, note: Note) -> Blocks:
    """The blocks that a ``rich_text`` object shows.

    A string, as streaming chunks have it, and what is no rich text at all are noted; containers that are
    not known here become raw blocks.
    """
    match block:
        case None:
            return ()
        case str():
            note(SHAPE_ASSUMED, block)
            return finished(_paragraphs(text_line(block), note))
        case {"elements": list(elements)}:
            reader = _Reader(note)
            for element in elements:
                reader.read(element)
            return reader.blocks()
    note(SHAPE_ASSUMED, packed(block))
    return ()


class _Reader:
    def __init__(self, note: Note) -> None:
        self._note = note
        self._parts: list[Part] = []
        self._quoted: list[Part] | None = None  # what stands in the quote that is open
        self._quote_may_grow = False
        self._lists = OpenLists()

    def read(self, container: JSON) -> None:
        kind = container.get("type") if isinstance(container, dict) else None
        if not isinstance(container, dict) or not isinstance(kind, str) or kind not in self._READERS:
            self._inside(False).append(Raw(LUGGAGE, packed(container)))
            self._lists.close()
        else:
            self._READERS[kind](self, container)

    def blocks(self) -> Blocks:
        self._close_quote()
        return finished(self._parts)

    def _inside(self, border: bool) -> list[Part]:
        """Where the next block goes: into the quote, or behind it."""
        if border != (self._quoted is not None):
            self._lists.close()
        if not border:
            self._close_quote()
            return self._parts
        if self._quoted is None:
            self._quoted = []
        self._quote_may_grow = True
        return self._quoted

    def _close_quote(self) -> None:
        if self._quoted is not None:
            self._parts.append(Quote(finished(self._quoted)))
        self._quoted = None

    def _read_section(self, container: Mapping[str, JSON]) -> None:
        self._note_rest(container, ())
        parts = self._inside(False)
        self._lists.close()
        parts.extend(_paragraphs(read_elements(container.get("elements"), self._note), self._note))

    def _read_quote(self, container: Mapping[str, JSON]) -> None:
        self._note_rest(container, ("border",))
        if container.get("border"):
            self._note(STYLE_DROPPED, "border")
        paragraphs = _paragraphs(read_elements(container.get("elements"), self._note), self._note)
        if not paragraphs:
            return
        if self._quoted is not None and not self._quote_may_grow:
            self._close_quote()
        self._inside(True).extend(paragraphs)
        self._lists.close()
        self._quote_may_grow = False

    def _read_code(self, container: Mapping[str, JSON]) -> None:
        self._note_rest(container, ("border", "language"))
        line = make_line(read_elements(container.get("elements"), self._note))
        if not line:
            return
        for span in line:
            if not isinstance(span, Break) and span != Text(plain_text((span,))):
                self._note(STYLE_DROPPED, plain_text((span,)))
        language = container.get("language")
        self._inside(container.get("border") == 1).append(
            Code(plain_text(line), language if isinstance(language, str) else "")
        )
        self._lists.close()

    def _read_list(self, container: Mapping[str, JSON]) -> None:
        self._note_rest(container, ("style", "indent", "offset", "border"))
        elements = container.get("elements")
        items = [self._read_item(item) for item in elements] if isinstance(elements, list) else []
        if not items:
            return
        ordered = container.get("style") == "ordered"
        start = _count(container.get("offset")) + 1 if ordered else 1
        indent = _count(container.get("indent"))
        if indent > MAX_INDENT:
            self._note(INDENT_CLAMPED, indent, MAX_INDENT)
            indent = MAX_INDENT
        parts = self._inside(container.get("border") == 1)
        if self._lists.add(parts, ordered, indent, start, items):
            self._note(BLOCK_SIMPLIFIED, indent)

    def _read_item(self, item: JSON) -> Blocks:
        if not isinstance(item, dict) or item.get("type") != "rich_text_section":
            return (Raw(LUGGAGE, packed(item)),)
        self._note_rest(item, ())
        spans = make_line(read_elements(item.get("elements"), self._note))
        return () if spans == BLANK_ITEM else tuple(_paragraphs(spans, self._note))

    def _note_rest(self, container: Mapping[str, JSON], known: tuple[str, ...]) -> None:
        rest = {key: value for key, value in container.items() if key not in {"type", "elements", *known}}
        if rest:
            self._note(LUGGAGE_DROPPED, rest)

    _READERS: ClassVar[Mapping[str, Callable[[_Reader, Mapping[str, JSON]], None]]] = {
        "rich_text_section": _read_section,
        "rich_text_quote": _read_quote,
        "rich_text_list": _read_list,
        "rich_text_preformatted": _read_code,
    }


def _count(value: JSON) -> int:
    return value if isinstance(value, int) and value > 0 else 0


def _paragraphs(spans: Iterable[Span], note: Note) -> list[Paragraph]:
    lines: list[Line] = []
    line: list[Span] = []
    breaks = 0
    for span in spans:
        if isinstance(span, Break):
            breaks += 1
            continue
        if breaks > (2 if line else 0):
            note(BLANKS_TRIMMED, "\n" * breaks)
        if line and breaks == 1:
            line.append(Break())
        elif line and breaks:
            lines.append(make_line(line))
            line = []
        breaks = 0
        line.append(span)
    if breaks > 1:
        note(BLANKS_TRIMMED, "\n" * breaks)
    if line:
        lines.append(make_line(line))
    return [Paragraph(line) for line in lines]
