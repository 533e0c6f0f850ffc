"""Following the plans in a session log: what every reader of one has in common.

A reader is a :class:`Follower`: it looks at the records one after the other, remembers what it must, and
says after which of them a plan stands otherwise than before. What it says is a :class:`Snapshot`, which
makes the plan only when it is asked to: of a finished log only the last one of each plan is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from planconv.errors import DecodeError, NoPlanError
from planconv.loss import Ledger
from planconv.model import JSON, Plan, PlanEvent, PlanRemoved, PlanUpdated, fold
from planconv.wire import json
from planconv.wire.logs.records import Record, items_at, member, read_records, text_at

_SURVEYED = 1 << 20
"""How many bytes of a log without a plan are looked through to say what there is in it."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A plan stands otherwise than before.

    ``fill`` makes the plan from an empty one that has its ids, and is to be called before the next record
    is read or after the last one; ``None`` says that the plan is gone. ``record`` is where it came from.
    """

    session: str | None
    id: str
    record: Record
    fill: Callable[[Plan, Ledger, int], Plan] | None

    def events(self, ledger: Ledger) -> Iterator[PlanEvent]:
        """The plan, made now; if its text cannot be read, the record goes to the ledger instead."""
        if self.fill is None:
            yield PlanRemoved(self.session, self.id)
            return
        empty = Plan(id=self.id, session=self.session)
        self.record.tell(ledger, empty)
        try:
            plan = self.fill(empty, ledger, self.record.line)
        except DecodeError as error:
            place = DecodeError(error.reason, line=self.record.line, offset=self.record.offset)
            ledger.reject(place, json.dumps(self.record.value))
            return
        yield PlanUpdated(plan)


class Follower(Protocol):
    """Reads one kind of log, from its first record to its last."""

    sought: str
    """What a plan is in such a log, for the message that there is none."""

    def wants(self, raw: bytes, /) -> bool:
        """Whether this line may matter; see :func:`planconv.wire.logs.records.may_hold`."""

    def follow(self, record: Record, /) -> Iterator[Snapshot]:
        """What changes with this record."""

    def finish(self) -> Iterator[Snapshot]:
        """What changes because the log ends here."""


def decode_events(lines: Iterable[bytes], follower: Follower, ledger: Ledger) -> Iterator[PlanEvent]:
    """An event for each change of a plan, as soon as its record has been read.

    Raises:
        DecodeError: a record cannot be read, unless the ledger skips those.
        NoPlanError: the log ends and there was no plan in it.
        StrictError: the ledger is strict and a plan is not as the agent's tool demands.
    """
    found = False
    for snapshot in _snapshots(lines, follower, ledger):
        found = True
        yield from snapshot.events(ledger)
    if not found:
        raise NoPlanError(f"no plan in this log: there is no {follower.sought} in it")


def decode(lines: Iterable[bytes], follower: Follower, ledger: Ledger) -> list[Plan]:
    """The final state of each plan in a log; raises as :func:`decode_events` does."""
    last: dict[tuple[str | None, str], Snapshot] = {}
    survey = _Survey()
    found = False
    for snapshot in _snapshots(survey.of(lines), follower, ledger):
        found = True
        if snapshot.fill is None:
            last.pop((snapshot.session, snapshot.id), None)
        else:
            last[snapshot.session, snapshot.id] = snapshot
    if not found:
        raise NoPlanError(f"no plan in this log: {survey.words()}, and no {follower.sought}")
    if not last:
        raise NoPlanError("no plan is left in this log: each was taken back")
    return fold(event for snapshot in last.values() for event in snapshot.events(ledger))


def _snapshots(lines: Iterable[bytes], follower: Follower, ledger: Ledger) -> Iterator[Snapshot]:
    for record in read_records(lines, ledger, follower.wants):
        yield from follower.follow(record)
    yield from follower.finish()


class _Survey:
    """Keeps the start of a log, to tell what there is in it if it turns out to hold no plan."""

    def __init__(self) -> None:
        self._start: list[bytes] = []
        self._left = _SURVEYED
        self._more = False

    def of(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """The lines, and those of the start are kept."""
        for line in lines:
            if len(line) <= self._left:
                self._start.append(line)
                self._left -= len(line)
            else:
                self._left, self._more = 0, True
            yield line

    def words(self) -> str:
        """``3 records (2 assistant, 1 user)``."""
        kinds: Counter[str] = Counter()
        for record in read_records(self._start, Ledger(skip_bad_records=True)):
            messages = items_at(record.value, "messages") or items_at(record.value, "requests")
            kinds.update(map(_kind, messages or [record.value]))
        if not kinds:
            return "its first record is very long" if self._more else "it is empty"
        told = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common(6))
        rest = ", …" if len(kinds) > 6 else ""
        count = f"{kinds.total()} record{'' if kinds.total() == 1 else 's'}"
        return f"{'it begins with ' if self._more else ''}{count} ({told}{rest})"


def _kind(value: JSON) -> str:
    match value:
        case dict():
            payload = text_at(value, "payload", "type")
            kind = text_at(value, "type") or text_at(value, "role") or text_at(value, "info", "role")
            return payload or kind or ("request" if member(value, "requestId") else "of no kind")
        case list():
            return "list"
    return "scalar"
