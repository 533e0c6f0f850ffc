"""Plan blocks and task cards of Slack's as plans of the model.

What may stand in them is said on Slack's pages on the plan block and the task card block
(https://docs.slack.dev/reference/block-kit/blocks/plan-block, ``…/task-card-block``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from planconv.loss import (
    ENTRY_DROPPED,
    LUGGAGE_DROPPED,
    SHAPE_ASSUMED,
    STATUS_ASSUMED,
    STATUS_FROM_TEXT,
    TITLE_ASSUMED,
    Code,
    Ledger,
    Note,
)
from planconv.model import (
    JSON,
    Blocks,
    Extras,
    Line,
    Plan,
    Source,
    Task,
    TaskList,
    make_blocks,
)
from planconv.status import PENDING, TABLE, read_status, split_suffix
from planconv.wire.slack.rich_text import read_rich_text
from planconv.wire.slack.rich_text_spans import LUGGAGE
from planconv.wire.slack.task import RICH_TEXTS, VOCABULARY
from planconv.wire.slack.title import read_title

ReadText: TypeAlias = Callable[[JSON, Note], Blocks]
"""Reads the details or the output of a task."""

_SOURCE_TYPES = ("url", "url_source")  # the second is what streams are said to demand


def read_plan(block: Mapping[str, JSON], ledger: Ledger) -> Plan:
    """The plan of a block, or of task cards that stand for one."""
    title = block.get("title")
    entries = block.get("tasks")
    tasks: list[Task] = []
    ids: set[str] = set()
    for entry in entries if isinstance(entries, list) else []:
        path = f"/tasks/{len(tasks)}"
        if not isinstance(entry, dict):
            ledger.note(ENTRY_DROPPED, path, entry)
            continue
        task = TaskReader(entry, path, ledger).read()
        if task.id in ids:
            ledger.note(SHAPE_ASSUMED, f"{path}/id", task.id)
        ids.update([task.id] if task.id else [])
        tasks.append(task)
    return Plan(
        title=read_title(title) if isinstance(title, str) else (),
        body=make_blocks([TaskList(tuple(tasks))]),
        extras=luggage(block, ("type", "title", "tasks")),
    )


class TaskReader:
    """Reads the task at one path of a plan; ``read_text`` reads its details and its output."""

    def __init__(
        self, entry: dict[str, JSON], path: str, ledger: Ledger, read_text: ReadText = read_rich_text
    ) -> None:
        self._entry = entry
        self._path = path
        self._ledger = ledger
        self._read_text = read_text

    def read(self) -> Task:
        """The task; what it lacks is noted."""
        id = self._entry.get("task_id")
        title, status = self._title_and_status()
        details, output = (
            self._read_text(self._entry.get(key), self._ledger.at(f"{self._path}/{key}"))
            for key in RICH_TEXTS
        )
        return Task(
            title=title,
            status=status,
            id=id if isinstance(id, str) and id else None,
            details=details,
            output=output,
            sources=tuple(self._sources()),
            extras=self._extras(),
        )

    def _note(self, code: Code, field: str, was: JSON = None, now: JSON = None) -> None:
        self._ledger.note(code, self._path + field, was, now)

    def _title_and_status(self) -> tuple[Line, str]:
        title, word = self._entry.get("title"), self._entry.get("status")
        if not isinstance(title, str):
            title = str(self._entry.get("task_id") or "")
            self._note(TITLE_ASSUMED, "/title", self._entry.get("title"), title)
        if not isinstance(word, str):
            self._note(STATUS_ASSUMED, "/status", word, PENDING)
            return read_title(title), PENDING
        status = read_status(VOCABULARY, word)
        if status != PENDING:
            if not any(cell.word == word for cell in TABLE[VOCABULARY].values()):
                self._note(SHAPE_ASSUMED, "/status", word, status)
            return read_title(title), status
        text, behind = split_suffix(title)
        if behind is None or not text:
            return read_title(title), status
        self._note(STATUS_FROM_TEXT, "", title, behind)
        return read_title(text), behind

    def _sources(self) -> Iterator[Source]:
        sources = self._entry.get("sources")
        for source in sources if isinstance(sources, list) else []:
            url = source.get("url") if isinstance(source, dict) else None
            if not isinstance(source, dict) or not isinstance(url, str) or not url:
                self._note(ENTRY_DROPPED, "/sources", source)
                continue
            text = source.get("text", "")
            if source.get("type") not in _SOURCE_TYPES or not isinstance(text, str):
                self._note(SHAPE_ASSUMED, "/sources", source)
            rest = {key: value for key, value in source.items() if key not in ("type", "url", "text")}
            if rest:
                self._note(LUGGAGE_DROPPED, "/sources", rest)
            yield Source(url, text if isinstance(text, str) and text != url else "")

    def _extras(self) -> Extras:
        known = ("type", "task_id", "title", "status", "sources", *RICH_TEXTS)
        left = dict(luggage(self._entry, known).get(LUGGAGE, {}))
        for key in RICH_TEXTS:
            rich_text = self._entry.get(key)
            if isinstance(rich_text, dict):
                rest = {
                    name: value for name, value in rich_text.items() if name not in ("type", "elements")
                }
                left |= {key: rest} if rest else {}
        return {LUGGAGE: left} if left else {}


def luggage(block: Mapping[str, JSON], known: tuple[str, ...]) -> Extras:
    """The fields of a block that have no place in the model."""
    left = {key: value for key, value in block.items() if key not in known}
    return {LUGGAGE: left} if left else {}
