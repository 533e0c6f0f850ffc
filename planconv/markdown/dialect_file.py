"""A file in its dialect, read so that writing it again gives the same bytes.

What the writer would not give back by itself (blank lines, other bullets, text that is not indented) is
kept: the whole source goes into the luggage of the first plan. Writing starts from it and changes the
lines of changed tasks; the result is read again, and only if it says what it should is it believed.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from planconv.differences import differences, note_differences
from planconv.errors import DecodeError, EncodeError
from planconv.loss import LUGGAGE_DROPPED, Ledger
from planconv.markdown.block_writer import BlockWriter
from planconv.markdown.dialect import Dialect
from planconv.markdown.read import read_dialect
from planconv.markdown.write import write_document
from planconv.model import JSON, Extras, Plan, Task
from planconv.status import write_status

SOURCE = "source"
"""Where the luggage of the first plan has the file."""

_BOX = re.compile(r"(.*?)\[.\]((?:\\?\*)?)([ \t]*)(.*?)(\r?)\Z")
"""The line of a task: its box is the first thing in brackets."""


def read_file(text: str, dialect: Dialect, ledger: Ledger) -> list[Plan]:
    """The plans of a file, and what is needed to write it again.

    Raises:
        NoPlanError: it has neither a task nor a marker that says it is a plan.
        DecodeError: lists or quotes are nested too deeply.
    """
    plans, _ = read_dialect(text, ledger, dialect)
    try:
        written = write_document(plans, Ledger(), dialect=dialect)
    except EncodeError:
        written = ""
    if written == text:
        return plans
    return [_with_value(plans[0], dialect, SOURCE, text), *plans[1:]]


def write_file(plans: Sequence[Plan], dialect: Dialect, ledger: Ledger) -> str:
    """The plans as one file in the dialect.

    Raises:
        EncodeError: lists are nested more deeply than the reader reads, or tasks would not be read back.
    """
    source = plans[0].extras.get(dialect.name, {}).get(SOURCE) if plans else None
    bare = [_without(plan, dialect, SOURCE) for plan in plans]
    if isinstance(source, str):
        text = _changed(source, bare, dialect, ledger)
        if text is not None:
            return text
    for plan, kept in zip(bare, plans, strict=True):
        if plan != kept:
            was = kept.extras[dialect.name][SOURCE]
            ledger.note(LUGGAGE_DROPPED, f"/extras/{dialect.name}/{SOURCE}", was, plan=plan)
    first = len(ledger.losses)
    text = write_document(bare, ledger, dialect=dialect)
    _read_back(text, bare, dialect, ledger, first)
    return text


def _read_back(text: str, plans: Sequence[Plan], dialect: Dialect, ledger: Ledger, first: int) -> None:
    try:
        back = read_file(text, dialect, Ledger())
    except DecodeError as error:
        raise EncodeError(f"{dialect.name} would not read these tasks: {error.reason}") from error
    if len(back) != len(plans) or any(
        sum(1 for _ in old.tasks()) != sum(1 for _ in new.tasks())
        for old, new in zip(plans, back, strict=True)
    ):
        raise EncodeError(
            f"{dialect.name} would not read all tasks: some stand outside the section {dialect.section!r}"
            if dialect.section
            else f"{dialect.name} would not read the same tasks"
        )
    note_differences(plans, back, ledger, first)


# --- changing lines -------------------------------------------------------------------------------


def _changed(source: str, plans: Sequence[Plan], dialect: Dialect, ledger: Ledger) -> str | None:
    """The source with the lines of changed tasks; ``None`` if it cannot say what the plans say."""
    try:
        old, heads = read_dialect(source, Ledger(), dialect)
    except DecodeError:
        return None
    if old == list(plans):
        return source
    before = [task for plan in old for task in plan.tasks()]
    after = [(plan, number, task) for plan in plans for number, task in enumerate(plan.tasks())]
    if len(before) != len(after) or len(old) != len(plans):
        return None
    lines = source.split("\n")
    noted = Ledger()
    noted.format = ledger.format
    for task, (plan, number, new), head in zip(before, after, heads, strict=True):
        if _head(task) != _head(new) and head.line < len(lines):
            writer = BlockWriter(lambda path, plan=plan: noted.at(path, plan), dialect)  # type: ignore[misc]
            lines[head.line] = _line(
                lines[head.line], task, new, writer.task_line(new, f"/tasks/{number}"), dialect
            )
    text = "\n".join(lines)
    if not _says(text, plans, dialect, noted):
        return None
    ledger.losses += noted.losses
    return text


def _says(text: str, plans: Sequence[Plan], dialect: Dialect, ledger: Ledger) -> bool:
    """Whether the text is read as these plans, apart from what the ledger names."""
    try:
        back, _ = read_dialect(text, Ledger(), dialect)
    except DecodeError:
        return False
    if len(back) != len(plans):
        return False
    named = [loss.path for loss in ledger.losses]
    return all(
        any(found.lies_under(path) for path in named)
        for old, new in zip(plans, back, strict=True)
        for found in differences(old, new)
    )


def _head(task: Task) -> tuple[object, ...]:
    return task.title, task.status, task.priority, task.extras


def _line(line: str, old: Task, new: Task, written: str, dialect: Dialect) -> str:
    """A task's line, with no more changed than is needed."""
    match = _BOX.match(line)
    if match is None or "\n" in written:
        return line
    before, star, blank, text, end = match.groups()
    exact = all(write_status(dialect.vocabulary, task.status).exact for task in (old, new))
    if exact and old.title == new.title and old.priority is None and new.priority is None:
        return f"{before}{written[:3]}{star}{blank}{text}{end}"
    return f"{before}{written}{end}"


# --- luggage --------------------------------------------------------------------------------------


def _with_value(plan: Plan, dialect: Dialect, key: str, value: JSON) -> Plan:
    own = {**plan.extras.get(dialect.name, {}), key: value}
    return dataclasses.replace(plan, extras={**plan.extras, dialect.name: own})


def _without(plan: Plan, dialect: Dialect, key: str) -> Plan:
    if key not in plan.extras.get(dialect.name, {}):
        return plan
    own = {name: value for name, value in plan.extras[dialect.name].items() if name != key}
    extras: Extras = {name: values for name, values in plan.extras.items() if name != dialect.name}
    return dataclasses.replace(plan, extras={**extras, dialect.name: own} if own else extras)
