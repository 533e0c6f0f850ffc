"""What version 1 of ACP has no way to say, and how it is said nevertheless.

Its words for statuses are closed: others stand behind the title, as in ``Ask again (cancelled)``. Its
plans have no ids, so a session has one plan. Its update and its plan are one object.
"""

from __future__ import annotations

from collections.abc import Sequence

from planconv.errors import EncodeError, StrictError
from planconv.loss import (
    BLANKS_TRIMMED,
    DETAILS_MOVED,
    LUGGAGE_DROPPED,
    STATUS_AS_TEXT,
    Code,
    Ledger,
    Note,
)
from planconv.model import JSON, Break, Line, Plan, Text, make_line
from planconv.status import PENDING, add_suffix, split_suffix
from planconv.wire import json
from planconv.wire.acp.ids import made_id
from planconv.wire.acp.message import LUGGAGE, level_keys


def read_suffix(title: Line) -> tuple[Line, str | None]:
    """A title without its status suffix, and the status; ``None`` if it has none."""
    last = title[-1] if title else None
    if not isinstance(last, Text) or last != Text(last.text):
        return title, None
    text, status = split_suffix(last.text)
    return make_line((*title[:-1], Text(text))), status


def write_suffix(title: Line, status: str, note_title: Note) -> Line:
    """A title that shows a status, and is read back as both if the status is a known one."""
    plain = _without_last_blanks(title)
    if plain != title:
        note_title(BLANKS_TRIMMED)
    gap = " " if plain and not isinstance(plain[-1], Break) else ""
    written = make_line((*plain, Text(gap + add_suffix("", status))))
    if read_suffix(written) != (plain, status):
        note_title(STATUS_AS_TEXT)
    return written


def shield(title: Line, note_title: Note) -> Line:
    """The title of a pending task; one that ends like a suffix gets the suffix that says pending."""
    if read_suffix(title)[1] is None:
        return title
    return write_suffix(title, PENDING, note_title)


def _without_last_blanks(title: Line) -> Line:
    last = title[-1] if title else None
    if not isinstance(last, Text) or last != Text(last.text):
        return title
    return make_line((*title[:-1], Text(last.text.rstrip(" "))))


# --- one plan a session, one object a plan ------------------------------------------------------


def refuse_two_of_a_session(plans: Sequence[Plan]) -> None:
    """Version 1 of ACP has one plan a session.

    Raises:
        EncodeError: a session has two.
    """
    first: dict[str | None, Plan] = {}
    for plan in plans:
        other = first.setdefault(plan.session, plan)
        if other is not plan:
            two = " and ".join(made_id(one) if one.id is None else one.id for one in (other, plan))
            raise EncodeError(
                f"version 1 of ACP has one plan a session, and session {plan.session} has two, {two}:"
                " choose one with --plan"
            )


def joined_keys(plan: Plan, ledger: Ledger) -> dict[str, JSON]:
    """The keys that a plan brought along on the levels of its update and its plan, as one object.

    Where both have a key with different values, that of the update stays.
    """
    taken = ("sessionUpdate", "entries")
    outer = level_keys(plan, "update", taken, ledger)
    inner = level_keys(plan, "plan", taken, ledger)
    lost: dict[str, JSON] = {key: value for key, value in inner.items() if outer.get(key, value) != value}
    if lost:
        note_v1(LUGGAGE_DROPPED, f"/extras/{LUGGAGE}/plan", lost, None, plan, ledger)
    joined = {**inner, **outer}
    if inner and not lost:
        ledger.note(DETAILS_MOVED, f"/extras/{LUGGAGE}/plan", inner, plan=plan)
    if joined != outer:
        ledger.note(DETAILS_MOVED, f"/extras/{LUGGAGE}/update", outer or None, joined, plan=plan)
    return joined


def note_v1(code: Code, path: str, was: JSON, now: JSON, plan: Plan, ledger: Ledger) -> None:
    """Note what version 1 has no way to say; with a strict ledger that is an error.

    Raises:
        StrictError: the ledger is strict.
    """
    if ledger.strict:
        field = path.rsplit("/", 1)[-1]
        raise StrictError(
            f"plan {plan.id}: {path}: version 1 of ACP cannot say the {field}"
            f" {json.dumps(was).decode()}; without --strict the nearest is written"
        )
    ledger.note(code, path, was, now, plan=plan)
