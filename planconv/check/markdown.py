"""What can be wrong in a Markdown checklist, read from its items as they stand on the page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from planconv.check.findings import NEARLY_BOX, UNKNOWN_MARK, UNKNOWN_STATUS, Check, Finding, Place
from planconv.check.front_matter import check_front_matter
from planconv.check.rows import Row
from planconv.check.suppress import without_suppressed
from planconv.check.tasks import check_tasks
from planconv.markdown.boxes import MARKS, Box, looks_like_box
from planconv.markdown.dialect import DIALECTS, GFM, Dialect
from planconv.markdown.notes import split_note
from planconv.markdown.outline import Item, Leaf, ListPart, Part, Quote, read_outline
from planconv.status import COMPLETED, KNOWN, PENDING, read_status

_CURSOR = "cursor"
_LINE_BREAK = re.compile(r"\r\n|\r|\n")


def check_markdown(text: str, form: str) -> list[Finding]:
    """The findings of a document in a format that is Markdown.

    Raises:
        DecodeError: lists and quotes are nested too deeply.
    """
    lines = _LINE_BREAK.split(text)
    found, rows = check_front_matter("\n".join(lines))
    if form == _CURSOR:  # its tasks are the todos of the front matter, and a box is text
        found += [Finding(*fault) for fault in check_tasks(rows)]
    else:
        reader = _Reader(lines, DIALECTS.get(form, GFM))
        tasks = reader.rows(read_outline(lines, starred=reader.dialect.starred).blocks)
        found += reader.found
        found += [Finding(*fault) for fault in check_tasks(tasks)]
    return list(without_suppressed(found, lines))


class _Reader:
    """Makes rows of the items, and finds what is wrong with single boxes on the way."""

    def __init__(self, lines: Sequence[str], dialect: Dialect) -> None:
        self.dialect = dialect
        self.found: list[Finding] = []
        self._lines = lines

    def rows(self, blocks: Sequence[Part]) -> list[Row[Place]]:
        """The tasks in these blocks, those below them inside."""
        return list(self._rows(blocks))

    def _rows(self, blocks: Sequence[Part]) -> Iterator[Row[Place]]:
        for block in blocks:
            if isinstance(block, Quote):
                yield from self._rows(block.blocks)
            elif isinstance(block, ListPart):
                for item in block.items:
                    yield from self._item(item)

    def _item(self, item: Item) -> Iterator[Row[Place]]:
        first = item.blocks[0] if item.blocks else None
        content = first.content if isinstance(first, Leaf) and first.start == item.start else ""
        place = Place(item.start + 1, max(self._lines[item.start].find("["), 0) + 1)
        if item.box is None:
            if looks_like_box(content):
                self._find(NEARLY_BOX, f"{_why_no_box(content)}, so this item is no task", place)
            yield from self._rows(item.blocks)
            return
        text = content[item.box.length :]
        number = self.dialect.id.match(text) if self.dialect.id else None
        status = self._status(item.box, text, place)
        if item.box.starred and status == PENDING:
            status = None  # an optional task may stay open below a finished one
        yield Row(place, status, number[1] if number else None, subtasks=self.rows(item.blocks))

    def _status(self, box: Box, text: str, place: Place) -> str | None:
        status = read_status(self.dialect.vocabulary, box.mark)
        note = split_note(text)[1]
        word = note.status if note else None
        if status == box.mark:
            self._find(UNKNOWN_MARK, self._mark_told(box.mark), place)
            return word
        if word is None or COMPLETED in (status, word):
            return status
        if word not in KNOWN and not word.startswith("_"):
            self._find(UNKNOWN_STATUS, f"{word!r} is read as the status of this task", place)
        return word

    def _mark_told(self, mark: str) -> str:
        if self.dialect.plain:
            return f"only some tools know the mark [{mark}]: {MARKS[mark]}"
        return f"{self.dialect.name} does not know the mark [{mark}]"

    def _find(self, check: Check, message: str, place: Place) -> None:
        self.found.append(Finding(check, message, place))


def _why_no_box(content: str) -> str:
    start = content[: content.find("]") + 1]
    return f"no blank stands behind {start}" if len(start) == len("[x]") else f"{start} is no box"
