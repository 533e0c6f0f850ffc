"""Slack: plan blocks and task cards in blocks, messages and responses.

What is read and written stands on Slack's pages on the plan block and the task card block
(https://docs.slack.dev/reference/block-kit/blocks/plan-block, ``…/task-card-block``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from planconv.codec import NO, CodecInfo, Field, partly
from planconv.errors import DecodeError, NoPlanError, StrictError
from planconv.loss import (
    ENTRY_DROPPED,
    LUGGAGE_DROPPED,
    PLAN_SPLIT,
    SHAPE_ASSUMED,
    STATUS_ASSUMED,
    STATUS_FROM_TEXT,
    TITLE_ASSUMED,
    Code,
    Ledger,
)
from planconv.model import (
    JSON,
    Extras,
    Line,
    Plan,
    Source,
    Task,
    TaskList,
    make_blocks,
)
from planconv.status import PENDING, TABLE, read_status, split_suffix
from planconv.wire import json
from planconv.wire.rich_text import read_rich_text
from planconv.wire.slack_find import block_types, find_plans
from planconv.wire.slack_limits import pack, rejoin
from planconv.wire.slack_plan import write_plan
from planconv.wire.slack_task import RICH_TEXTS, VOCABULARY
from planconv.wire.slack_title import read_title

_SIMPLER = "headings, tables, pictures and rules are written as simpler text"

INFO = CodecInfo(
    name="slack",
    summary="Slack plan blocks and task cards, in blocks, messages and responses",
    patterns=("*.slack.json", "*.slack.jsonl"),
    vocabulary=VOCABULARY,
    luggage="slack",
    holds={
        Field.PLAN_ID: NO,
        Field.SESSION: NO,
        Field.PLAN_TITLE: partly("plain text, of which code keeps its backticks; without one it is `Plan`"),
        Field.PROSE: partly("headings only decide where a plan of more than 50 tasks is cut"),
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly(
            "one line of plain text, of which code keeps its backticks; links go to the sources, further"
            " lines to the details"
        ),
        Field.STATUS: partly("what Slack has no word for is pending, with the word behind the title"),
        Field.PRIORITY: NO,
        Field.TASK_ID: partly("made from the title where there is none, and unique in a plan"),
        Field.SUBTASKS: partly("after their parent, on its level"),
        Field.DETAILS: partly(f"as rich text: {_SIMPLER}"),
        Field.OUTPUT: partly(f"as rich text: {_SIMPLER}"),
        Field.SOURCES: partly("absolute addresses; others go to the details"),
        Field.DEPENDS_ON: NO,
    },
    records=True,
)


class SlackCodec:
    """Plan blocks in, plan blocks out."""

    info = INFO

    def recognise(self, head: bytes, /) -> str:
        """See :class:`planconv.codec.Codec`."""
        if not head.lstrip(json.BOM + b" \t\r\n").startswith((b"{", b"[")):
            return ""
        if _PLAN_BLOCK.search(head) and b'"tasks"' in head:
            return "it has a block of type `plan`"
        for name in (b"task_card", b"rich_text"):
            if b'"%s"' % name in head:
                return f"it has a `{name.decode()}`"
        return ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """See :class:`planconv.codec.Codec`; messages stand one a line, or in one document."""
        values = list(_values(data, ledger))
        found = [plan for value, _ in values for plan in find_plans(value)]
        if not found:
            if ledger.bad_records:
                return []
            raise NoPlanError(_what_was_found([value for value, _ in values]))
        if ledger.strict:
            for value, line in values:
                _check(value, line, data, ledger)
        parts = [plan.plan for plan in found]
        whole = rejoin(parts)
        if len(whole) < len(parts):
            ledger.note(TITLE_ASSUMED, "/title", len(parts), len(whole))
        return [_read_plan(plan, ledger) for plan in whole]

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """See :class:`planconv.codec.Codec`; one message, or several, one a line, if one is too small."""
        blocks = [block for plan in plans for block in write_plan(plan, ledger)]
        _make_unique(blocks, ledger)
        messages = pack(blocks)
        if len(messages) > 1:
            ledger.note(PLAN_SPLIT, "/body", len(blocks), len(messages))
        return b"".join(json.dumps({"blocks": message}) + b"\n" for message in messages)


SLACK = SlackCodec()

_SOURCE_TYPES = ("url", "url_source")  # the second is what streams are said to demand

_PLAN_BLOCK = re.compile(rb'"type"\s*:\s*"plan"')


def _values(data: bytes, ledger: Ledger) -> Iterator[tuple[JSON, int | None]]:
    """The one document, or the messages of a log with their lines."""
    try:
        yield json.loads(data, at=ledger.at), None
    except DecodeError as error:
        lines = data.removeprefix(json.BOM).split(b"\n")
        if not _is_log(lines):
            raise error from None
        yield from _records(lines, ledger)


def _is_log(lines: Sequence[bytes]) -> bool:
    """Whether the first line is a document of its own, and not the last one."""
    filled = [line for line in lines if line.strip()][:2]
    try:
        return len(filled) == 2 and json.loads(filled[0]) is not None
    except DecodeError:
        return False


def _records(lines: Sequence[bytes], ledger: Ledger) -> Iterator[tuple[JSON, int]]:
    offset = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield json.loads(line, ledger.at("", line=number)), number
            except DecodeError as error:
                error.line, error.offset = number, offset + (error.offset or 0)
                ledger.reject(error, line)
        offset += len(line) + 1


def _what_was_found(values: list[JSON]) -> str:
    types = ", ".join(block_types(values))
    if types:
        return f"there is no plan block and no task card among its blocks ({types})"
    return "there is no plan block and no task card in it"


def _check(value: JSON, line: int | None, data: bytes, ledger: Ledger) -> None:
    """Raise for the first thing that Slack would not take."""
    from planconv.wire.slack import problems

    for found in find_plans(value):
        for pointer, reason in problems(found):
            error = DecodeError(reason, line=line, pointer=pointer)
            if line is None:
                error.line, error.column = json.locate(data, pointer)
            error.input = ledger.input
            raise StrictError(str(error))


def _make_unique(blocks: list[dict[str, JSON]], ledger: Ledger) -> None:
    """Take block ids away that another block has already; Slack makes new ones."""
    seen: set[str] = set()
    for block in blocks:
        id = block.get("block_id")
        if isinstance(id, str) and id in seen:
            del block["block_id"]
            ledger.note(LUGGAGE_DROPPED, "/extras/slack/block_id", id)
        elif isinstance(id, str):
            seen.add(id)


# --- reading ------------------------------------------------------------------------------------


def _read_plan(block: Mapping[str, JSON], ledger: Ledger) -> Plan:
    title = block.get("title")
    entries = block.get("tasks")
    tasks: list[Task] = []
    ids: set[str] = set()
    for entry in entries if isinstance(entries, list) else []:
        path = f"/tasks/{len(tasks)}"
        if not isinstance(entry, dict):
            ledger.note(ENTRY_DROPPED, path, entry)
            continue
        task = _TaskReader(entry, path, ledger).read()
        if task.id in ids:
            ledger.note(SHAPE_ASSUMED, f"{path}/id", task.id)
        ids.update([task.id] if task.id else [])
        tasks.append(task)
    return Plan(
        title=read_title(title) if isinstance(title, str) else (),
        body=make_blocks([TaskList(tuple(tasks))]),
        extras=_luggage(block, ("type", "title", "tasks")),
    )


class _TaskReader:
    def __init__(self, entry: dict[str, JSON], path: str, ledger: Ledger) -> None:
        self._entry = entry
        self._path = path
        self._ledger = ledger

    def read(self) -> Task:
        id = self._entry.get("task_id")
        title, status = self._title_and_status()
        details, output = (
            read_rich_text(self._entry.get(key), self._ledger.at(f"{self._path}/{key}"))
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
        luggage = dict(_luggage(self._entry, known).get(INFO.luggage, {}))
        for key in RICH_TEXTS:
            rich_text = self._entry.get(key)
            if isinstance(rich_text, dict):
                rest = {
                    name: value for name, value in rich_text.items() if name not in ("type", "elements")
                }
                luggage |= {key: rest} if rest else {}
        return {INFO.luggage: luggage} if luggage else {}


def _luggage(block: Mapping[str, JSON], known: tuple[str, ...]) -> Extras:
    left = {key: value for key, value in block.items() if key not in known}
    return {INFO.luggage: left} if left else {}
