"""Changing tasks in Markdown: the mark in a box, the words behind a title, the title itself.

Lines that hold none of that are not looked at. Of a title that goes on on further lines, only those lines
change that have to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from planconv.errors import EncodeError
from planconv.loss import Ledger, Note
from planconv.markdown import boxes
from planconv.markdown.block_reader import Head
from planconv.markdown.block_writer import BlockWriter
from planconv.markdown.dialect import DIALECTS, GFM, Dialect
from planconv.markdown.inline import parse_line, write_line
from planconv.markdown.notes import StatusNote, holds_note, split_note, write_note
from planconv.markdown.read import read_dialect
from planconv.markdown.spans import all_struck, any_struck, not_struck, struck
from planconv.model import Line, Plan, Task, plain_text
from planconv.status import CANCELLED, COMPLETED, write_status
from planconv.update import wording
from planconv.update.changes import Change

_BOX = re.compile(r"\[(.)\](?:\\?\*)?(?:[ \t\v\f]+|\Z)")
"""A box, where the reader has found one already."""
_LINE_END = re.compile(r"(\r\n|\r|\n)")
_MARGIN = re.compile(r"\n[ \t]+")
_MARKER = re.compile(r"[^>\t]")
_STRIKE = "~~"
_TICKED = "x"


def read(text: str, form: str) -> list[Plan]:
    """The plans of a file.

    Raises:
        NoPlanError: it has neither a task nor a marker that says it is a plan.
        DecodeError: lists or quotes are nested too deeply.
    """
    return read_dialect(text, Ledger(), _dialect(form))[0]


def holds(form: str, status: str) -> bool:
    """Whether a box, or the words behind a title, can say this."""
    return write_status(_dialect(form).vocabulary, status).exact or holds_note(status, None)


def write(text: str, form: str, changes: Mapping[int, Change], ledger: Ledger) -> str:
    """The text with these changes; what a title loses is noted at ``/tasks/<number>/title``.

    Raises:
        EncodeError: a title does not stand on its lines as it was read.
    """
    dialect = _dialect(form)
    _, heads = read_dialect(text, Ledger(), dialect)
    pieces = _LINE_END.split(text)
    lines, ends = pieces[::2], [*pieces[1::2], ""]
    for number in sorted(changes, reverse=True):
        head = heads[number]
        in_heading = lines[head.line].lstrip("\ufeff \t").startswith("#")
        editor = _Editor(head.source, changes[number], dialect, in_heading=in_heading)
        _replace(lines, ends, head, editor.written(ledger.at(f"/tasks/{number}/title")))
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


def _dialect(form: str) -> Dialect:
    return DIALECTS.get(form, GFM)


# --- what stands behind the marker ------------------------------------------------------------------


class _Editor:
    """A task's Markdown from its box on, and what becomes of it."""

    def __init__(self, source: str, change: Change, dialect: Dialect, *, in_heading: bool) -> None:
        self._source = source
        self._change = change
        self._dialect = dialect
        self._in_heading = in_heading
        box = _BOX.match(source)
        if box is None:
            raise EncodeError(f"the box of the task {plain_text(change.old.title)!r} is not found")
        self._ticked = box[1].lower() == _TICKED
        self._behind = box.end()

    def written(self, note: Note) -> str:
        """The Markdown of the changed task, with no more changed than is needed."""
        whole = self._source[self._behind :]
        title, words = self._parted(whole)
        behind = whole[len(title) :]
        wanted = StatusNote(self._spelled(self._change.new), self._change.new.priority)
        if wanted != words:
            blank = behind[: len(behind) - len(behind.lstrip())] or " "
            told = write_note(*wanted)
            behind = blank + told if told else ""
        box = f"[{self._mark()}]{self._source[3 : self._behind]}"
        title = self._titled(title, note)
        if title:
            return box + title + behind
        return f"{box.rstrip()} {behind.lstrip()}".rstrip()

    def _parted(self, whole: str) -> tuple[str, StatusNote]:
        title, words = split_note(whole)
        if words and words.status == COMPLETED and not self._ticked:
            return whole, StatusNote()  # the reader takes it for text: only a tick says that work is done
        return title, words or StatusNote()

    def _spelled(self, task: Task) -> str | None:
        """The status that the words behind the title have to say."""
        return None if write_status(self._dialect.vocabulary, task.status).exact else task.status

    def _mark(self) -> str:
        """What stands in the box: what the writer of the dialect puts there."""
        if not self._change.status:
            return self._source[1]
        writer = BlockWriter(Ledger().at, self._dialect)
        return writer.task_line(self._change.new, "")[1]

    # --- the title ----------------------------------------------------------------------------------

    def _titled(self, title: str, note: Note) -> str:
        change = self._change
        if all_struck(_parsed(title)) and not any_struck(change.old.title):
            title = self._unstruck(title, note)  # as the reader did with what is cancelled
        if change.text:
            title = self._reworded(title, note)
        if self._strikes(change.new) and not any_struck(_parsed(title)):
            title = self._struck(title, note)
        if (change.text or self._ticked) and self._mark().lower() != _TICKED:
            return self._kept_open(title, note)
        return title

    def _strikes(self, task: Task) -> bool:
        """Whether the title is struck out because no mark says that the task is cancelled."""
        return task.status == CANCELLED and self._spelled(task) is not None

    def _reworded(self, title: str, note: Note) -> str:
        """The new title, behind the number and the signs as they stand in the file."""
        new = self._change.new.title
        before = wording.parts(plain_text(self._change.old.title)).before
        if title.startswith(before):
            written = before + self._write(wording.cut(new, len(before)), note)
            if _parsed(written) == new:
                return written
        return self._write(new, note)

    def _write(self, line: Line, note: Note) -> str:
        return write_line(line, note, in_task=not self._in_heading, in_heading=self._in_heading)

    def _struck(self, title: str, note: Note) -> str:
        wanted = struck(_parsed(title))
        simple = f"{_STRIKE}{title}{_STRIKE}"
        return simple if _parsed(simple) == wanted else self._write(wanted, note)

    def _unstruck(self, title: str, note: Note) -> str:
        wanted = not_struck(_parsed(title))
        simple = title[len(_STRIKE) : -len(_STRIKE)]
        framed = title.startswith(_STRIKE) and title.endswith(_STRIKE)
        return simple if framed and _parsed(simple) == wanted else self._write(wanted, note)

    def _kept_open(self, title: str, note: Note) -> str:
        """The title of an open task, in which cmark-gfm finds no ``[x]`` that it would tick the box for."""
        if self._in_heading or boxes.keep_open(title) == title:
            return title
        return boxes.keep_open(self._write(_parsed(title), note))


def _parsed(source: str) -> Line:
    return parse_line(_MARGIN.sub("\n", source))


# --- lines ------------------------------------------------------------------------------------------


def _replace(lines: list[str], ends: list[str], head: Head, source: str) -> None:
    """Put the Markdown of a task in the place of what stands there; lines that say the same stay."""
    old, new = head.source.split("\n"), source.split("\n")
    if len(old) == len(new):
        for number, (was, now) in enumerate(zip(old, new, strict=True), head.line):
            if was != now:
                before, behind = _around(lines[number], was)
                lines[number] = before + now.strip() + behind
        return
    kept = next((n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), None)
    kept = min(len(old), len(new)) if kept is None else kept
    first, last = head.line, head.line + len(old) - 1
    before, _ = _around(lines[first], old[0])
    _, behind = _around(lines[last], old[-1])
    margin = _MARKER.sub(" ", before)
    made = [(margin if number else before) + line.strip() for number, line in enumerate(new)]
    made[-1] += behind
    usual, final = ends[first] or ends[first - 1] or "\n", ends[last]
    lines[first : last + 1] = lines[first : first + kept] + made[kept:]
    ends[first : last + 1] = [usual] * (len(made) - 1) + [final]


def _around(line: str, source: str) -> tuple[str, str]:
    """What stands on a line before and behind this Markdown.

    Raises:
        EncodeError: it is not there; a control character was read as another one, say.
    """
    text = source.strip()
    at = line.find(text)
    if at < 0:
        raise EncodeError(f"{text!r} does not stand on its line as it was read")
    return line[:at], line[at + len(text) :]
