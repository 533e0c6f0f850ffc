"""The plans that are there at the end of a log: an update replaces, a removal removes."""

from __future__ import annotations

from collections.abc import Iterable

from planconv.errors import NoPlanError
from planconv.loss import Ledger
from planconv.model import JSON, Plan
from planconv.wire import json
from planconv.wire.acp.log import MARKS, Record, Survey, log_blocks
from planconv.wire.acp.read import read_plan
from planconv.wire.acp.update import Update, exact_update, read_update
from planconv.wire.acp.usual import usual_message
from planconv.wire.logs.lines import Line, LinesToRead, blocks_of

_LONG = 1 << 20
"""Bytes of a record that is not held as text and as value."""


def final_plans(records: Iterable[Record], ledger: Ledger, survey: Survey) -> list[Plan]:
    """The plans that are left, in the order in which they first appeared.

    Raises:
        DecodeError: a record cannot be read, unless the ledger skips those.
        NoPlanError: none is left; the survey says what there is instead.
    """
    latest: dict[tuple[str | None, str], Update | Record] = {}
    removed = False
    for record in records:
        if record.hasty and (key := _usual_key(record.value)) is not None:
            survey.close()
            if len(record.raw) > _LONG:
                record = record._replace(value=None)
            latest[key] = record
            continue
        for update in read_update(record, ledger):
            survey.close()
            removed = removed or update.removed
            if update.removed:
                latest.pop((update.session, update.plan_id), None)
            else:
                latest[update.session, update.plan_id] = update
    plans = [plan for last in latest.values() for plan in read_plan(exact_update(last, ledger), ledger)]
    if not plans:
        raise NoPlanError(_why_no_plan(survey, removed, ledger))
    return plans


def _usual_key(value: JSON) -> tuple[str, str] | None:
    """Session and id of the plan that the usual message shows; nothing of the message is held."""
    usual = usual_message(value)
    return (usual.session, usual.plan_id) if usual else None


def _why_no_plan(survey: Survey, removed: bool, ledger: Ledger) -> str:
    bad = sum(record.error.input == ledger.input for record in ledger.bad_records)
    unread = f", {bad} of its records cannot be read" if bad else ""
    what = "every plan in it was removed again" if removed else f"it has {survey.words()}"
    return f"there is no plan in the input: {what}{unread}"


def needed_lines(pieces: Iterable[bytes], *, begun: bool) -> tuple[list[Line], int]:
    """The lines of a part of a log that :func:`final_plans` needs, and how many line breaks it has.

    Of the usual updates of a plan these are the first, which decides on the place of the plan among the
    others, and the last. Every other line that has to be read at all is kept.

    Raises:
        DecodeError: it is the first part, and of a document that is no log.
    """
    blocks = blocks_of(pieces) if begun else log_blocks(pieces)
    kept: list[Line] = []
    first: dict[tuple[str, str], Line] = {}
    last: dict[tuple[str, str], Line] = {}

    def settle() -> None:
        kept.extend({line.number: line for line in (*first.values(), *last.values())}.values())
        first.clear()
        last.clear()

    lines = LinesToRead(blocks, MARKS, begun=begun)
    for line in lines:
        value = json.glance(line.raw) if line.raw.startswith(b"{") else None
        key = _usual_key(value)
        if key is None:
            settle()  # it may be a removal, after which a plan begins anew
            kept.append(line)
        else:
            first.setdefault(key, line)
            last[key] = line
    settle()
    return sorted(kept), lines.breaks
