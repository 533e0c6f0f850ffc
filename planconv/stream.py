"""Following an update stream: what each event changes is written at once, and nothing is said twice."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from planconv import registry
from planconv.codec import Codec, EventCodec, PieceCodec, RepeatCodec
from planconv.convert import leave_behind
from planconv.errors import DecodeError, EncodeError, UsageError
from planconv.loss import FIELD_CARRIED, REMOVAL_DROPPED, Code, Kind, Ledger, Loss
from planconv.markdown.sections import PLAN_MARKER
from planconv.model import Plan, PlanEvent, PlanRemoved, PlanUpdated
from planconv.wire import json
from planconv.wire.logs.lines import lines_of

Key = tuple[str | None, str | None]
"""Session and id of a plan."""


def key_of(event: PlanEvent) -> Key:
    """The plan that an event is about."""
    match event:
        case PlanUpdated(plan):
            return plan.session, plan.id
        case PlanRemoved(session, id):
            return session, id


def read_events(pieces: Iterable[bytes], source: str, ledger: Ledger) -> Iterator[PlanEvent]:
    """What an input tells that comes in pieces of any size, each event as soon as its line is there.

    Raises:
        UnknownFormatError: there is no such format.
        UsageError: it is no stream, or is not read.
        DecodeError: a record cannot be read, unless the ledger skips those.
    """
    codec = event_codec(source)
    if isinstance(codec, PieceCodec):
        return codec.decode_event_pieces(pieces, ledger)
    return codec.decode_events(lines_of(pieces), ledger)


def event_codec(name: str) -> EventCodec:
    """The codec of a format that is an update stream.

    Raises:
        UnknownFormatError: there is no such format.
        UsageError: it is no stream, or is not read.
    """
    codec = registry.get(name)
    if not codec.info.reads:
        raise UsageError(f"planconv does not read {name}, it only writes it")
    if not isinstance(codec, EventCodec):
        raise UsageError(f"{name} is no stream of updates; `planconv convert` converts it")
    return codec


def chosen(events: Iterable[PlanEvent], plan_id: str | None, session: str | None) -> Iterator[PlanEvent]:
    """The events of the plans with this id and this session, where one is asked for."""
    for event in events:
        event_session, event_id = key_of(event)
        if plan_id in (None, event_id) and session in (None, event_session):
            yield event


def write_events(
    events: Iterable[PlanEvent], target: str, ledger: Ledger, *, carry: bool = False
) -> Iterator[bytes]:
    """A piece of output for each event that changes what the target shows.

    Of a format that is a stream it is what the format has for the event. Of any other it is the whole
    plan: a record, JSON on one line, or a document that a comment sets apart from the one before it; a
    removal is noted. What is lost again in the same way at the same place of a plan is noted once.

    Args:
        events: what happens, one after the other.
        target: name of the output's format.
        ledger: takes what is lost.
        carry: keep what the format has no field for in its extension point.

    Raises:
        UnknownFormatError: there is no such format.
        UsageError: with ``carry``, the format has no extension point.
        EncodeError: the format cannot hold several plans together, or a state of a plan, unless the ledger
            skips what is bad.
    """
    codec = registry.get(target)
    ledger.format = target
    changes = _changes(events, codec, ledger, carry=carry)
    written = (
        codec.encode_events((change.event for change in changes), ledger)
        if isinstance(codec, EventCodec)
        else _snapshots(changes, codec, ledger)
    )
    for piece in written:
        if carry:
            ledger.losses[:] = map(_carried, ledger.losses)
        yield piece


class _Change(NamedTuple):
    """An event of the plan that ``key`` names, with what the codec has a place for."""

    key: Key
    event: PlanEvent


def _changes(
    events: Iterable[PlanEvent], codec: Codec, ledger: Ledger, *, carry: bool
) -> Iterator[_Change]:
    """The events that change something."""
    is_stream = isinstance(codec, EventCodec)
    came: dict[Key, Plan | None] = {}
    went: dict[Key, Plan | None] = {}
    told = _Told(ledger)
    for event in events:
        key = key_of(event)
        plan = event.plan if isinstance(event, PlanUpdated) else None
        if key in came and came[key] == plan:
            continue
        came[key] = plan
        if plan is None:
            went[key] = None
            told.forget(key)
            yield _Change(key, event)
            continue
        fitted, losses = _fitted(plan, codec, ledger, carry=carry)
        if is_stream:  # events are told apart by their ids, whether these are written or not
            fitted = dataclasses.replace(fitted, id=plan.id, session=plan.session)
        if went.get(key) != fitted:
            went[key] = fitted
            told.tell(key, losses)
            yield _Change(key, PlanUpdated(fitted))


class _Told:
    """What was lost of each plan; of the next version only what is new is told."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._told: dict[Key, dict[tuple[Code, str], Loss]] = {}

    def tell(self, key: Key, losses: Iterable[Loss]) -> None:
        """Put the losses into the ledger that are not as they were."""
        known = self._told.setdefault(key, {})
        for loss in losses:
            place = (loss.code, loss.path)
            if known.get(place) != loss:
                known[place] = loss
                self._ledger.losses.append(loss)

    def forget(self, key: Key) -> None:
        """This plan is gone."""
        self._told.pop(key, None)


def _fitted(plan: Plan, codec: Codec, ledger: Ledger, *, carry: bool) -> tuple[Plan, list[Loss]]:
    """The plan without what the codec has no place for, and what that is."""
    if carry:
        from planconv.carry import pack

        plan = pack(plan, codec)
    aside = ledger.aside()
    fitted = leave_behind(plan, codec.info, aside)
    return fitted, aside.losses


def _carried(loss: Loss) -> Loss:
    kept = loss.code.kind in (Kind.DROPPED, Kind.DEGRADED) and loss.code is not REMOVAL_DROPPED
    return loss._replace(code=FIELD_CARRIED) if kept else loss


def _snapshots(changes: Iterable[_Change], codec: Codec, ledger: Ledger) -> Iterator[bytes]:
    """A stream of a format that is none: the whole plan again after each change."""
    aside = ledger.aside()
    repeats = codec.repeats(aside) if isinstance(codec, RepeatCodec) else None
    told = _Told(ledger)
    first = True
    for key, event in changes:
        match event:
            case PlanUpdated(plan):
                try:
                    written = repeats.write(plan, key) if repeats else codec.encode([plan], aside)
                except EncodeError as error:
                    if not ledger.skip_bad_records:
                        raise
                    ledger.reject(DecodeError(f"this state of the plan is not written: {error}"), b"")
                    continue
                finally:
                    told.tell(key, aside.losses)
                    aside.losses.clear()
                yield written if codec.info.records else _set_apart(written, first=first)
                first = False
            case PlanRemoved(session, id):
                ledger.note(REMOVAL_DROPPED, "/id", id, plan=Plan(id, session))
                told.forget(key)
                if repeats:
                    repeats.forget(key)


def _set_apart(written: bytes, *, first: bool) -> bytes:
    """An output of which several follow one another."""
    if written.startswith((b"{", b"[")):
        return json.dumps_line(json.loads(written))
    marker = PLAN_MARKER.encode()
    if first or written.startswith(marker):
        return written if first else b"\n" + written
    return b"\n%b\n\n%b" % (marker, written)
