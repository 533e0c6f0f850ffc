"""A task as the object that stands in a plan of Slack's.

Slack's rules: a plain-text title that is not empty, an id that no other task of the plan has, one rich text
object each for details and output, sources with an absolute address and a text
(https://docs.slack.dev/reference/block-kit/blocks/task-card-block).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from planconv.loss import (
    BLANKS_TRIMMED,
    DETAILS_MOVED,
    ID_CHANGED,
    LINK_MOVED,
    LUGGAGE_DROPPED,
    STATUS_AS_TEXT,
    STYLE_DROPPED,
    TASK_ID_ASSUMED,
    TITLE_ASSUMED,
    TITLE_SHORTENED,
    Code,
    Ledger,
    Note,
)
from planconv.model import (
    JSON,
    Blocks,
    Extras,
    Line,
    Paragraph,
    Plan,
    Source,
    Task,
    make_blocks,
    text_line,
    without_tasks,
)
from planconv.status import add_suffix, split_suffix, write_status
from planconv.wire.slack.rich_text import write_rich_text
from planconv.wire.slack.rich_text_spans import LUGGAGE, is_absolute, shown
from planconv.wire.slack.title import Title, write_title

VOCABULARY = "slack"
"""The column of the status table."""

UNTITLED = "Task"
"""The title of a task that has none, because Slack demands one."""

_LONGEST_MADE_ID = 48
RICH_TEXTS = ("details", "output")
WriteText: TypeAlias = Callable[[Blocks, Note], JSON]
"""Writes the details or the output of a task; what is empty is left out."""

_NEVER_WRITTEN = {"type", "plan_id", "sources"}


class TaskWriter:
    """Writes the tasks of one plan, each with an id of its own; ``write_text`` writes its rich texts."""

    def __init__(self, plan: Plan, ledger: Ledger, write_text: WriteText = write_rich_text) -> None:
        self._plan = plan
        self._ledger = ledger
        self._write_text = write_text
        self._ids = TaskIds(task.id for task in plan.tasks())

    def write(self, task: Task, path: str) -> dict[str, JSON]:
        """The task that stands at this path of the plan, without its subtasks."""
        written = self.fields(task, path)
        unpack(written, task.extras, lambda key: self._at(path, f"extras/{LUGGAGE}/{key}"))
        return written

    def fields(self, task: Task, path: str) -> dict[str, JSON]:
        """The same without the fields that only Slack knows."""
        parts = parts_of(task, self._write_text)
        for field, code, was, now in parts.notes:
            self._ledger.note(code, f"{path}/{field}", was, now, plan=self._plan)
        return {"task_id": self._id(task.id, parts.id, path), **parts.fields}

    def _at(self, path: str, field: str) -> Note:
        return self._ledger.at(f"{path}/{field}", self._plan)

    def _id(self, id: str | None, own: str, path: str) -> str:
        note = self._at(path, "id")
        wanted = shown(id or "", note)
        made = self._ids.take(wanted) if wanted else self._ids.make(own)
        if not wanted:
            note(TASK_ID_ASSUMED, id, made)
        elif made != wanted:
            note(ID_CHANGED, id, made)
        return made


# --- a task by itself ---------------------------------------------------------------------------


class Parts(NamedTuple):
    """What is written of a task whatever plan it stands in.

    ``id`` is one that fits if the task has none; ``notes`` have the field that they are about.
    """

    id: str
    fields: dict[str, JSON]
    notes: tuple[tuple[str, Code, JSON, JSON], ...]


_MOST_KEPT = 1024
_LONGEST_KEPT = 2000
_kept: dict[int, tuple[Task, WriteText, Parts]] = {}
"""Short tasks that were written, by their identity: in the next update of a plan most are the same."""


def parts_of(task: Task, write_text: WriteText = write_rich_text) -> Parts:
    """What is written of a task, made once."""
    known = _kept.get(id(task))
    if known is not None and known[0] is task and known[1] is write_text:
        return known[2]
    parts = _PartsWriter(write_text).write(task)
    if not task.details and not task.output and len(str(parts.fields["title"])) <= _LONGEST_KEPT:
        if len(_kept) >= _MOST_KEPT:
            _kept.clear()
        _kept[id(task)] = (task, write_text, parts)
    return parts


class _PartsWriter:
    def __init__(self, write_text: WriteText) -> None:
        self._write_text = write_text
        self._notes: list[tuple[str, Code, JSON, JSON]] = []

    def write(self, task: Task) -> Parts:
        title = write_title(task.title, self._at("title"))
        text = self._text(title.text)
        shown_text, word = self._status(text, task.status)
        written: dict[str, JSON] = {"title": shown_text, "status": word}
        sources, elsewhere = self._sources(task.sources, title)
        details = make_blocks((*_paragraphs(title, elsewhere), *without_tasks(task.details)))
        if title.rest:
            self._at("details")(TITLE_SHORTENED, None, shown_text)
        for key, blocks in zip(RICH_TEXTS, (details, task.output), strict=True):
            if rich_text := self._write_text(blocks, self._at(key)):
                written[key] = rich_text
        if sources:
            written["sources"] = sources
        return Parts(made_id(text), written, tuple(self._notes))

    def _at(self, field: str) -> Note:
        def note(code: Code, was: JSON = None, now: JSON = None) -> None:
            self._notes.append((field, code, was, now))

        return note

    def _text(self, text: str) -> str:
        if text.strip():
            return text
        self._at("title")(TITLE_ASSUMED, text, UNTITLED)
        return UNTITLED

    def _status(self, text: str, status: str) -> tuple[str, str]:
        """The title and Slack's word; what Slack has no word for stands behind the title."""
        cell = write_status(VOCABULARY, status)
        if cell.exact:
            return text, cell.word
        self._at("status")(STATUS_AS_TEXT, status, cell.word)
        shown_status = " ".join(shown(status, self._at("status")).split())
        if not shown_status:
            return text, cell.word
        if text != text.rstrip():
            self._at("title")(BLANKS_TRIMMED, text, text.rstrip())
        with_suffix = add_suffix(text.rstrip(), shown_status)
        if split_suffix(with_suffix) != (text.rstrip(), status):
            self._at("title")(STATUS_AS_TEXT, text, with_suffix)
        return with_suffix, cell.word

    def _sources(self, sources: Iterable[Source], title: Title) -> tuple[list[JSON], list[str]]:
        """The sources, those of the title's links too, and as text those that Slack does not take."""
        note = self._at("sources")
        written: list[JSON] = []
        elsewhere: list[str] = []
        addresses: set[str] = set()
        for source in sources:
            text = _label(source, note)
            if not is_absolute(source.url):
                note(DETAILS_MOVED, source.url, text)
                self._at("details")(DETAILS_MOVED, None, source.url)
                elsewhere.append(shown(f"{text}: {source.url}" if text != source.url else text, note))
                continue
            if text != (source.text or source.url) or source.text == source.url:
                note(STYLE_DROPPED, source.text, text)
            addresses.add(source.url)
            written.append({"type": "url", "url": shown(source.url, note), "text": text})
        for link in title.links:
            if link.url not in addresses:
                addresses.add(link.url)
                note(LINK_MOVED, None, link.url)
                written.append({"type": "url", "url": shown(link.url, note), "text": _label(link, note)})
        if title.references:
            self._at("details")(LINK_MOVED, None, [*title.references])
        return written, [*title.references, *elsewhere]


def _label(source: Source, note: Note) -> str:
    text = shown(source.text, note).replace("\n", " ")
    return text if text.strip() else shown(source.url, note)


def _paragraphs(title: Title, elsewhere: Iterable[str]) -> Blocks:
    """What stands first in the details because the title and the sources cannot hold it."""
    lines: list[Line] = [title.rest, *map(text_line, elsewhere)]
    return tuple(Paragraph(line) for line in lines if line)


# --- fields that only Slack knows ---------------------------------------------------------------


def unpack(written: dict[str, JSON], extras: Extras, note_at: Callable[[str], Note]) -> None:
    """Put the fields back that came from Slack and have no place in the model.

    Those of a rich text (its ``block_id``) stand under the rich text's name. What does not fit what is
    written now is noted at its key.
    """
    for key, value in extras.get(LUGGAGE, {}).items():
        rich_text = written.get(key) if key in RICH_TEXTS else None
        if isinstance(rich_text, dict) and isinstance(value, dict) and not value.keys() & rich_text.keys():
            rich_text.update(value)
        elif key in written or key in RICH_TEXTS or key in _NEVER_WRITTEN:
            note_at(key)(LUGGAGE_DROPPED, value)
        else:
            written[key] = value


# --- ids ----------------------------------------------------------------------------------------


def made_id(title: str) -> str:
    """An id from a title: its letters and digits, the same for the same title."""
    letters = re.sub(r"[\W_]+", "-", title.casefold()).strip("-")[:_LONGEST_MADE_ID].rstrip("-")
    return letters or UNTITLED.casefold()


class TaskIds:
    """The ids of a plan's tasks; those that are given come before those that are made."""

    def __init__(self, given: Iterable[str | None]) -> None:
        self._given = {id for id in given if id}
        self._taken: set[str] = set()
        self._counts: Counter[str] = Counter()

    def take(self, id: str) -> str:
        """This id, with a suffix if another task has it already."""
        if id in self._taken:
            return self._with_suffix(id)
        self._taken.add(id)
        return id

    def make(self, id: str) -> str:
        """An id that :func:`made_id` made, with a suffix if it is, or will be, another task's."""
        if id in self._taken or id in self._given:
            return self._with_suffix(id)
        self._taken.add(id)
        return id

    def _with_suffix(self, id: str) -> str:
        number = self._counts[id] or 1
        while True:
            number += 1
            suffixed = f"{id}-{number}"
            if suffixed not in self._taken and suffixed not in self._given:
                break
        self._counts[id] = number
        self._taken.add(suffixed)
        return suffixed
