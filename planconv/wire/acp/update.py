"""Finding the plan updates of the Agent Client Protocol in JSON, and making sure of their shape.

A message wraps an update, and the update of version 2 wraps a plan (version 1 has both in one)::

    {"jsonrpc", "method": "session/update",
     "params": {"sessionId", "update": {"sessionUpdate", "plan": {"type", "planId", "entries"}}}}

Sources: the JSON schemas of https://github.com/agentclientprotocol/agent-client-protocol, v1 and v2,
stable and unstable, and its RFD "plan-variants" (docs/rfds/v2/plan-variants.mdx), whose examples spell
``planId`` as ``id``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from planconv.errors import DecodeError, StrictError
from planconv.loss import SHAPE_ASSUMED, Ledger
from planconv.model import JSON, Extras, Plan
from planconv.status import COMPLETED, PENDING
from planconv.wire import json
from planconv.wire.acp.log import Record
from planconv.wire.acp.message import kept, other_keys
from planconv.wire.acp.usual import ITEMS, PLAN_UPDATE, usual_message

MAIN = "main"
"""The id of a version 1 plan, which has none: a session holds one (RFD "plan-variants", Compatibility)."""

MARKDOWN, FILE = "markdown", "file"
KNOWN_TYPES = (ITEMS, MARKDOWN, FILE)
DEMANDED = {ITEMS: "entries", MARKDOWN: "content", FILE: "uri"}
"""The key that holds what a plan of a known type is made of."""

_PLAN, _PLAN_REMOVED = "plan", "plan_removed"


_NOTHING_ELSE = ({"sessionId", "update"}, {"sessionUpdate", "plan"}, {"type", "planId", "entries"})
"""The keys of the params, the update and the plan of a message that brings nothing along."""
_USED_IN_UPDATE = ("sessionUpdate", "plan", "entries", "steps", "planContent")


class Update(NamedTuple):
    """What one message says about one plan: its new state, or that it is removed.

    ``type`` is the kind of plan, a known one or any other. ``params``, ``update`` and ``plan`` are the
    objects of the message (in version 1 ``plan`` is empty); ``entries`` or ``text`` (Markdown, or the URI
    of a file) are what its type demands, and ``place`` is a JSON pointer to them. ``assumed`` has the
    places where a shape of the wild was understood, and what it was.
    """

    session: str | None
    plan_id: str
    type: str
    version: int
    removed: bool
    params: Mapping[str, JSON]
    update: Mapping[str, JSON]
    plan: Mapping[str, JSON]
    entries: list[JSON]
    text: str
    place: str
    assumed: tuple[tuple[str, str], ...]
    record: Record

    @property
    def luggage(self) -> Extras:
        """The keys of the message that a plan has no place for; of a custom plan, all of it."""
        objects = (self.params, self.update, self.plan)
        if all(inner.keys() == keys for inner, keys in zip(objects, _NOTHING_ELSE, strict=True)):
            return {}  # nearly always, and at once
        in_update = _USED_IN_UPDATE if self.params else (*_USED_IN_UPDATE, "sessionId", "session")
        in_plan = ["planId" if "planId" in self.plan else "id"]
        if self.type in KNOWN_TYPES:
            in_plan += ["type", DEMANDED[self.type]]
        return kept(
            {
                "params": other_keys(self.params, ("sessionId", "update")),
                "update": other_keys(self.update, in_update),
                "plan": other_keys(self.plan, in_plan),
            }
        )


def read_update(record: Record, ledger: Ledger) -> Iterator[Update]:
    """The plan updates in a record, in their order; none if it is about something else.

    Raises:
        DecodeError: an update of a plan is malformed, and bad records are not skipped.
        StrictError: the ledger is strict, and an update is not what the specification says.
    """
    if record.hasty:
        understood, update = _glance(record, ledger)
        if update is not None:
            if update.removed:
                note_assumed(update, ledger)
            yield update
        if understood:
            return
        record = record.exact()
    elif not ledger.strict and (usual := _usual_update(record)) is not None:
        yield usual
        return
    for found in _find(record.value, "", None):
        try:
            update = _Shape(found, record, ledger).read()
        except DecodeError as error:
            ledger.reject(error, record.raw)
        else:
            if ledger.strict:
                _check_strictly(found, record, ledger)
            if update.removed:
                note_assumed(update, ledger)
            yield update


def _usual_update(record: Record) -> Update | None:
    """The update of the usual message; ``None`` if it takes a closer look."""
    if (found := usual_message(record.value)) is None:
        return None
    session, plan_id, params, update, plan, entries = found
    place = "/params/update/plan/entries"
    return Update(session, plan_id, ITEMS, 2, False, params, update, plan, entries, "", place, (), record)


def exact_update(last: Update | Record, ledger: Ledger) -> Update:
    """An update, or the only one of a hasty record, read with care."""
    record = last.record if isinstance(last, Update) else last
    if isinstance(last, Update) and not record.hasty:
        return last
    (exact,) = read_update(record.exact(), ledger)
    return exact


def _glance(record: Record, ledger: Ledger) -> tuple[bool, Update | None]:
    """The only update of a hasty record, if there is one, and whether that is all there is to say."""
    found = list(_find(record.value, "", None))
    if len(found) > 1:
        return False, None
    try:
        return True, _Shape(found[0], record, ledger).read() if found else None
    except DecodeError:
        return False, None


def note_assumed(update: Update, ledger: Ledger, plan: Plan | None = None) -> None:
    """Tell which shapes of the wild were understood; of a plan only once it is known to stay."""
    for pointer, what in update.assumed:
        ledger.note(SHAPE_ASSUMED, pointer, what, plan=plan, line=update.record.line)


def strict_error(record: Record, ledger: Ledger, pointer: str, reason: str) -> StrictError:
    """What is said under ``--strict``: the place in the input, and what is wrong there."""
    error = record.error(pointer, reason)
    error.input = ledger.input
    return StrictError(str(error))


# --- where updates stand ------------------------------------------------------------------------


class _Found(NamedTuple):
    """An object that says something about a plan; ``bare`` if no ``sessionUpdate`` says so."""

    session: str | None
    params: Mapping[str, JSON]
    update: Mapping[str, JSON]
    pointer: str
    bare: str = ""


_WRAPPERS = ("message", "payload", "object", "raw")
"""Where recorders put the message: sacp-tee, acp-devtools, acp.el, acp-devtools again."""


def _find(value: JSON, pointer: str, session: str | None) -> Iterator[_Found]:
    if isinstance(value, list):
        if _are_entries(value):
            yield _Found(session, {}, {"entries": value}, pointer, bare="entries")
            return
        for number, inner in enumerate(value):
            if isinstance(inner, dict):
                yield from _find(inner, f"{pointer}/{number}", session)
    elif isinstance(value, dict):
        yield from _find_in_object(value, pointer, session)


def _are_entries(value: list[JSON]) -> bool:
    """Whether an array is the bare entries of a plan, and no array of messages."""
    return any(
        isinstance(inner, dict) and "content" in inner and ("status" in inner or "priority" in inner)
        for inner in value
    )


def _find_in_object(value: dict[str, JSON], pointer: str, session: str | None) -> Iterator[_Found]:
    session = _text(value, "sessionId") or _text(value, "session") or session
    params, update = value.get("params"), value.get("update")
    if isinstance(params, dict) and ("update" in params or "sessionUpdate" in params):
        yield from _find_in_object(params, f"{pointer}/params", session)
    elif isinstance(update, dict) and "sessionUpdate" in update:
        if update["sessionUpdate"] in (_PLAN, PLAN_UPDATE, _PLAN_REMOVED):
            yield _Found(session, value, update, f"{pointer}/update")
    elif "sessionUpdate" in value:
        if value["sessionUpdate"] in (_PLAN, PLAN_UPDATE, _PLAN_REMOVED):
            yield _Found(session, {}, value, pointer)
    elif isinstance(messages := value.get("messages"), list):
        yield from _find(messages, f"{pointer}/messages", session)
    elif isinstance(value.get("entries"), list) or (
        isinstance(value.get("type"), str) and isinstance(value.get("planId"), str)
    ):
        yield _Found(session, {}, value, pointer, bare="plan")
    else:
        yield from _unwrap(value, pointer, session)


def _unwrap(value: dict[str, JSON], pointer: str, session: str | None) -> Iterator[_Found]:
    """What the first envelope holds that holds anything: some recorders keep a message twice."""
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, str) and inner.lstrip()[:1] in ("{", "["):
            try:
                inner = json.loads(inner.encode())
            except DecodeError:
                continue
        if isinstance(inner, dict | list) and (found := list(_find(inner, f"{pointer}/{key}", session))):
            yield from found
            return


def _text(value: Mapping[str, JSON], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


# --- what they say ------------------------------------------------------------------------------


class _Shape:
    """Reads one update: what its kind demands has to be there, or evidently under another name."""

    def __init__(self, found: _Found, record: Record, ledger: Ledger) -> None:
        self._found = found
        self._record = record
        self._ledger = ledger
        self._pointer = found.pointer
        self._assumed: list[tuple[str, str]] = []

    def read(self) -> Update:
        """The update.

        Raises:
            DecodeError: it is malformed.
            StrictError: the ledger is strict, and it has a shape that no specification has.
        """
        update = self._found.update
        kind = update.get("sessionUpdate")
        if self._found.bare:
            is_v1 = "type" not in update and "planId" not in update
            return self._items_v1(update) if is_v1 else self._plan(update, self._pointer)
        if kind == _PLAN_REMOVED:
            return self._made(plan_id=self._plan_id(update, self._pointer), version=2, removed=True)
        if kind == _PLAN:
            return self._items_v1(update)
        plan = update.get("plan")
        if not isinstance(plan, dict):
            raise self._error("/plan", _fault(update, "plan", "an object"))
        return self._plan(plan, f"{self._pointer}/plan")

    def _items_v1(self, update: Mapping[str, JSON]) -> Update:
        """A version 1 plan, its entries right in the update."""
        if isinstance(entries := update.get("entries"), list):
            place = self._pointer if self._found.bare == "entries" else f"{self._pointer}/entries"
            return self._made(entries=entries, place=place)
        return self._wild_v1(update)

    def _wild_v1(self, update: Mapping[str, JSON]) -> Update:
        """A version 1 plan in one of the shapes that some agents send and no specification has."""
        match update:
            case {"plan": dict() as plan} if "planId" in plan or "type" in plan:
                self._assume("/sessionUpdate", "the update is called `plan`, not `plan_update`")
                return self._plan(plan, f"{self._pointer}/plan")
            case {"plan": dict() as plan} if isinstance(entries := plan.get("entries"), list):
                self._assume("/plan", "the entries stand in a `plan` of their own")
                return self._made(plan=plan, entries=entries, place=f"{self._pointer}/plan/entries")
            case {"plan": list(entries)}:
                self._assume("/plan", "the entries are called `plan`")
                return self._made(entries=entries, place=f"{self._pointer}/plan")
            case {"steps": list(steps)}:
                self._assume("/steps", "the entries are called `steps`")
                entries = [_entry_of_step(step) for step in steps]
                return self._made(entries=entries, place=f"{self._pointer}/steps")
            case {"planContent": str(text)}:
                self._assume("/planContent", "the entries are lines of text")
                return self._made(entries=_entries_of_text(text), place=f"{self._pointer}/planContent")
        raise self._error("/entries", _fault(update, "entries", "an array"))

    def _plan(self, plan: Mapping[str, JSON], pointer: str) -> Update:
        """A version 2 plan of a known type, which then has to match it, or of any other."""
        plan_id = self._plan_id(plan, pointer)
        kind = plan.get("type")
        if kind is None and isinstance(plan.get("entries"), list):
            self._assume_at(f"{pointer}/type", "the type is missing; the plan has entries")
            kind = ITEMS
        if not isinstance(kind, str):
            raise self._record.error(f"{pointer}/type", _fault(plan, "type", "a string"))
        if kind not in KNOWN_TYPES:
            return self._made(plan_id=plan_id, type=kind, version=2, plan=plan, place=pointer)
        key = DEMANDED[kind]
        place, demanded = f"{pointer}/{key}", plan.get(key)
        if kind == ITEMS and isinstance(demanded, list):
            return self._made(plan_id=plan_id, version=2, plan=plan, entries=demanded, place=place)
        if kind != ITEMS and isinstance(demanded, str):
            return self._made(plan_id=plan_id, type=kind, version=2, plan=plan, text=demanded, place=place)
        raise self._record.error(place, _fault(plan, key, "an array" if kind == ITEMS else "a string"))

    def _plan_id(self, holder: Mapping[str, JSON], pointer: str) -> str:
        if "planId" not in holder and (other := _text(holder, "id")) is not None:
            self._assume_at(f"{pointer}/id", "the plan's id is called `id`, not `planId`")
            return other
        plan_id = _text(holder, "planId")
        if plan_id is None:
            raise self._record.error(f"{pointer}/planId", _fault(holder, "planId", "a string"))
        return plan_id

    def _made(
        self,
        *,
        plan_id: str = MAIN,
        type: str = ITEMS,
        version: int = 1,
        removed: bool = False,
        plan: Mapping[str, JSON] | None = None,
        entries: list[JSON] | None = None,
        text: str = "",
        place: str = "",
    ) -> Update:
        found = self._found
        return Update(
            session=found.session,
            plan_id=plan_id,
            type=type,
            version=version,
            removed=removed,
            params=found.params,
            update={} if found.bare and version == 2 else found.update,
            plan=plan or {},
            entries=entries or [],
            text=text,
            place=place,
            assumed=tuple(self._assumed),
            record=self._record,
        )

    def _assume(self, step: str, what: str) -> None:
        self._assume_at(self._pointer + step, what)

    def _assume_at(self, pointer: str, what: str) -> None:
        if self._ledger.strict:
            raise strict_error(self._record, self._ledger, pointer, what)
        self._assumed.append((pointer, what))

    def _error(self, step: str, reason: str) -> DecodeError:
        return self._record.error(self._pointer + step, reason)


def _fault(holder: Mapping[str, JSON], key: str, wanted: str) -> str:
    return f"{_shown(holder[key])} is not {wanted}" if key in holder else "is missing"


def _shown(value: JSON) -> str:
    """A value in a message, short."""
    text = json.dumps(value).decode()
    return text if len(text) <= 40 else text[:37] + "…"


def _entry_of_step(step: JSON) -> JSON:
    """A step as an entry: its text may have several names."""
    if not isinstance(step, dict) or "content" in step:
        return step
    for key in ("text", "step", "title", "description"):
        if isinstance(step.get(key), str):
            return {"content": step[key], **{name: value for name, value in step.items() if name != key}}
    return step


_MARKER = re.compile(r"\s*(?:[-*+]|\d+[.)])?\s*(?:\[([ xX])\]\s+)?(.*\S)\s*")


def _entries_of_text(text: str) -> list[JSON]:
    """The lines of a text as entries, without bullets, numbers and boxes before them."""
    entries: list[JSON] = []
    for line in text.splitlines():
        if match := _MARKER.fullmatch(line):
            status = COMPLETED if match[1] in ("x", "X") else PENDING
            entries.append({"content": match[2], "status": status})
    return entries


def _check_strictly(found: _Found, record: Record, ledger: Ledger) -> None:
    """Hold an update against the published shapes."""
    from planconv.wire.acp import shapes as acp  # pydantic is slow to import

    if fault := acp.first_fault(found.update, found.bare):
        pointer = "" if found.bare == "entries" else found.pointer
        steps = fault.steps[1:] if found.bare == "entries" else fault.steps
        raise strict_error(record, ledger, "/".join((pointer, *map(str, steps))), fault.reason)
