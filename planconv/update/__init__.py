"""Bringing a plan file up to date: the statuses and texts of its tasks change, and nothing else.

Each kind of file has a module that finds what has to change in the text, and changes it there. The result
is read again: it is believed only if it is the old plan with the changes that were wanted.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from planconv.differences import differences
from planconv.errors import DecodeError, EncodeError, UsageError
from planconv.loss import FIELD_DROPPED, Ledger
from planconv.markdown.dialect import DIALECTS, GFM
from planconv.model import Plan
from planconv.update.changes import Change, Source, find_changes, with_changes

__all__ = ["FORMATS", "Source", "Updated", "check_format", "update"]

_IN_MARKDOWN = frozenset({GFM.name, *DIALECTS})
FORMATS = tuple(sorted({*_IN_MARKDOWN, "cursor", "taskmaster"}))
"""The formats whose files can be brought up to date."""

_BOM = "\ufeff"
_OF_TASK = re.compile(r"/tasks/(\d+)/(.+)")


class Updated(NamedTuple):
    """The file as it shall be, and how many statuses and texts have changed in it."""

    data: bytes
    statuses: int
    texts: int


class _Editor(Protocol):
    """What a module for a kind of file has; ``form`` is the name of the format."""

    def read(self, text: str, form: str) -> list[Plan]: ...
    def holds(self, form: str, status: str) -> bool: ...
    def write(self, text: str, form: str, changes: Mapping[int, Change], ledger: Ledger) -> str: ...


def update(data: bytes, form: str, sources: Sequence[Source], ledger: Ledger) -> Updated:
    """A file with the statuses and texts that the tasks of ``sources`` have.

    Tasks of a source that the file does not have, and what the file cannot say of one that it has, are
    noted under their path in the source. Tasks of the file of which no source speaks stay as they are.

    Args:
        data: the content of the file.
        form: the name of its format.
        sources: the plans that say what is right, and the formats that they are from.
        ledger: takes what cannot be said.

    Raises:
        UsageError: files of this format cannot be changed in place.
        DecodeError: the file is not of its format, or holds no plan.
        EncodeError: it cannot be proved that nothing else would change.
    """
    check_format(form)
    editor = _editor(form)
    from planconv.wire.json import decode_text

    ledger.format = form
    whole = decode_text(data)
    bom, text = whole[: whole.startswith(_BOM)], whole.removeprefix(_BOM)
    plans = editor.read(text, form)
    found = find_changes(plans, sources, ledger)
    sayable = {number: _sayable(change, editor, form, ledger) for number, change in found.items()}
    changes = {number: change for number, change in sayable.items() if change.old != change.new}
    if not changes:
        return Updated(data, 0, 0)
    noted = Ledger()
    written = editor.write(text, form, changes, noted)
    _prove(plans, editor, written, form, changes, noted)
    for loss in noted.losses:
        match = _OF_TASK.match(loss.path)
        change = changes.get(int(match[1])) if match else None
        if match and change and (change.text or match[2] != "title"):
            ledger.note(loss.code, f"{change.path}/{match[2]}", loss.was, loss.now, plan=change.plan)
    return Updated(
        (bom + written).encode(),
        sum(change.status for change in changes.values()),
        sum(change.text for change in changes.values()),
    )


def check_format(form: str) -> None:
    """Make sure that files of a format can be brought up to date.

    Raises:
        UsageError: they cannot.
    """
    if form not in FORMATS:
        raise UsageError(f"a file in {form} cannot be changed in place; these can: {', '.join(FORMATS)}")


def _editor(form: str) -> _Editor:
    if form in _IN_MARKDOWN:
        from planconv.update import markdown

        return markdown
    if form == "cursor":
        from planconv.update import cursor

        return cursor
    from planconv.update import taskmaster

    return taskmaster


def _sayable(change: Change, editor: _Editor, form: str, ledger: Ledger) -> Change:
    """The change without a status that the file cannot tell."""
    if not change.status or editor.holds(form, change.new.status):
        return change
    ledger.note(FIELD_DROPPED, f"{change.path}/status", change.new.status, plan=change.plan)
    return change._replace(new=dataclasses.replace(change.new, status=change.old.status))


# --- the proof ------------------------------------------------------------------------------------


def _prove(
    plans: Sequence[Plan],
    editor: _Editor,
    written: str,
    form: str,
    changes: Mapping[int, Change],
    noted: Ledger,
) -> None:
    """Make sure that the file is read as the old plans with the changes.

    Raises:
        EncodeError: it is not.
    """
    try:
        back = editor.read(written, form)
    except DecodeError as error:
        raise EncodeError(f"left as it is, since {form} would not read it any more: {error}") from error
    wanted = with_changes(plans, changes)
    if len(back) != len(wanted):
        raise EncodeError(f"left as it is, since {form} would read {len(back)} plans in it")
    named = [loss.path for loss in noted.losses]
    first = 0
    for old, new in zip(wanted, back, strict=True):
        for found in differences(old, new):
            told = not found.path.endswith("/status") and any(map(found.lies_under, named))
            if not told and not _goes_along(found.path, first, changes):
                raise EncodeError(
                    f"left as it is, since more would change than is asked for ({found.path})"
                )
        first += sum(1 for _ in old.tasks())


def _goes_along(path: str, first: int, changes: Mapping[int, Change]) -> bool:
    """Whether a difference is how a reader keeps a change: the source of a file, a mark, a word.

    ``first`` is the number of the plan's first task; what a task depends on may stand in its text.
    """
    match = _OF_TASK.match(path)
    if match is None:
        return path.startswith("/extras/") and path.endswith("/source")
    change = changes.get(first + int(match[1]))
    return change is not None and (
        match[2].startswith("extras/") or (change.text and match[2] == "depends_on")
    )
