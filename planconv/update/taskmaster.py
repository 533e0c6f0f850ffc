"""Changing tasks in Task Master's JSON: the strings of ``status`` and ``title``, where they stand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from planconv.codecs.taskmaster import DEEPEST, TASKMASTER, is_tag, is_task
from planconv.errors import EncodeError
from planconv.loss import STATUS_AS_TEXT, Ledger
from planconv.markdown.plain import write_plain_line
from planconv.model import JSON, Plan
from planconv.status import PENDING, add_suffix, read_status, split_suffix, write_status
from planconv.update.changes import Change
from planconv.update.plain import holds_in_text
from planconv.wire import json as exact_json
from planconv.wire.json_places import Path, Place, places

_VOCABULARY = TASKMASTER.info.vocabulary
Object = dict[str, JSON]


def read(text: str, form: str) -> list[Plan]:  # noqa: ARG001 - there is one format
    """The plan of each tag.

    Raises:
        NoPlanError: it has no list of tasks.
        DecodeError: it is not JSON, or no object.
    """
    return TASKMASTER.decode(text.encode(), Ledger())


def holds(form: str, status: str) -> bool:  # noqa: ARG001 - there is one format
    """Whether a word, or one in parentheses, can say this."""
    return holds_in_text(_VOCABULARY, status)


def write(text: str, form: str, changes: Mapping[int, Change], ledger: Ledger) -> str:  # noqa: ARG001
    """The text with these changes; what a task loses is noted under ``/tasks/<number>``.

    Raises:
        EncodeError: a task has no title where it stands.
    """
    entries = list(_entries(exact_json.loads(text.encode())))
    found = places(text)
    edits: list[tuple[int, int, str]] = []
    for number, change in changes.items():
        path, entry = entries[number]
        title, word = _written(change, entry, number, ledger)
        place = found.get((*path, "title"))
        if place is None:
            raise EncodeError(f"the title of the task at {'/'.join(map(str, path))} is not found")
        if title != entry["title"]:
            edits.append((place.start, place.end, _string(title, text)))
        if word is not None:
            edits.append(_status_edit(found.get((*path, "status")), place, _string(word, text), text))
    for start, end, written in sorted(edits, reverse=True):
        text = text[:start] + written + text[end:]
    return text


def _entries(top: JSON) -> Iterator[tuple[Path, Object]]:
    """The objects of all tasks with their places, in the order in which the codec reads them."""
    if not isinstance(top, dict):
        return
    if isinstance(top.get("tasks"), list):
        yield from _tasks(top["tasks"], ("tasks",), 0)
        return
    for key, value in top.items():
        tags: list[tuple[Path, JSON]] = [((key,), value)]
        if key == "tags" and isinstance(value, dict) and any(map(is_tag, value.values())):
            tags = [((key, name), tag) for name, tag in value.items()]
        for path, tag in tags:
            if isinstance(tag, dict) and is_tag(tag):
                yield from _tasks(tag["tasks"], (*path, "tasks"), 0)


def _tasks(entries: JSON, path: Path, depth: int) -> Iterator[tuple[Path, Object]]:
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict) and is_task(entry):
            yield (*path, index), entry
            if depth < DEEPEST:
                yield from _tasks(entry.get("subtasks"), (*path, index, "subtasks"), depth + 1)


def _written(change: Change, entry: Object, number: int, ledger: Ledger) -> tuple[str, str | None]:
    """The title, and the word for the status if it is another than the one that stands there."""
    title, word = str(entry["title"]), entry.get("status")
    said = read_status(_VOCABULARY, word) if isinstance(word, str) and word else None
    if said == PENDING:
        title = split_suffix(title)[0]
    if change.text:
        title = write_plain_line(change.new.title, ledger.at(f"/tasks/{number}/title"))
    cell = write_status(_VOCABULARY, change.new.status)
    if not cell.exact:
        title = add_suffix(title, change.new.status)
        ledger.note(STATUS_AS_TEXT, f"/tasks/{number}/status", change.new.status, cell.word)
    # Words in the title count beside a word for the status only.
    meant = said if said or not cell.exact else PENDING
    return title, None if read_status(_VOCABULARY, cell.word) == meant else cell.word


def _status_edit(status: Place | None, title: Place, written: str, text: str) -> tuple[int, int, str]:
    if status is not None:
        return status.start, status.end, written
    # A key that is not there follows the title, and is written as that is.
    above = text[: title.key]
    key = text[title.key : title.start].replace("title", "status", 1)
    return title.end, title.end, f",{above[len(above.rstrip()) :]}{key}{written}"


def _string(value: str, text: str) -> str:
    """The string as JSON, in ASCII if the whole file is."""
    return json.dumps(value, ensure_ascii=text.isascii())
