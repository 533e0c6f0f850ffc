"""The plan updates of the Agent Client Protocol as its specification has them.

They are for strict reading and for tests of what is written; tolerant reading is in
:mod:`planconv.wire.acp.update`. Sources: ``schema/v1/schema.json``, ``schema/v2/schema.json`` and
``schema/v2/schema.unstable.json`` of https://github.com/agentclientprotocol/agent-client-protocol, and
https://agentclientprotocol.com/protocol/v2/draft/agent-plan. Importing this module imports pydantic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from planconv.model import JSON
from planconv.status import TABLE

Meta = dict[str, Any] | None
"""``_meta``, the extension point of every object: anything may stand in it."""


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="allow", alias_generator=to_camel)

    meta: Meta = Field(default=None, alias="_meta")


_V1_STATUSES = [cell.word for cell in TABLE["acp-v1"].values() if cell.exact]


def _known_status(word: str) -> str:
    if word not in _V1_STATUSES:
        raise ValueError(word)
    return word


class PlanEntryV1(_Shape):
    """``PlanEntry`` of version 1, whose words are closed."""

    content: str
    priority: Literal["high", "medium", "low"]
    status: Annotated[str, AfterValidator(_known_status)]


class PlanV1(_Shape):
    """``Plan`` of version 1: a ``session/update`` with ``sessionUpdate: "plan"``."""

    session_update: Literal["plan"] = "plan"
    entries: list[PlanEntryV1]


class PlanEntry(_Shape):
    """``PlanEntry`` of version 2; words of one's own begin with ``_``, others are for future versions."""

    content: str
    priority: str
    status: str


class PlanItems(_Shape):
    """A plan of entries."""

    type: Literal["items"]
    plan_id: str
    entries: list[PlanEntry]


class PlanMarkdown(_Shape):
    """A plan that is a text (draft)."""

    type: Literal["markdown"]
    plan_id: str
    content: str


class PlanFile(_Shape):
    """A plan that is in a file (draft); "plan file URIs MUST be absolute"."""

    type: Literal["file"]
    plan_id: str
    uri: Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:")]


class PlanOther(_Shape):
    """A custom plan, whose type begins with ``_``, or one of a future version."""

    type: str
    plan_id: str


class PlanUpdate(_Shape):
    """``PlanUpdate`` of version 2: the new state of one plan."""

    session_update: Literal["plan_update"]
    plan: PlanItems | PlanMarkdown | PlanFile | PlanOther


class PlanRemoved(_Shape):
    """``PlanRemoved`` of version 2 (draft): one plan is gone."""

    session_update: Literal["plan_removed"]
    plan_id: str


@dataclass(frozen=True, slots=True)
class Fault:
    """The first thing in which an update is not what the specification says, and the way to it."""

    steps: tuple[str | int, ...]
    reason: str


_UPDATES: Mapping[str, type[_Shape]] = {
    "plan": PlanV1,
    "plan_update": PlanUpdate,
    "plan_removed": PlanRemoved,
}
_PLANS: Mapping[str, type[_Shape]] = {"items": PlanItems, "markdown": PlanMarkdown, "file": PlanFile}


def first_fault(update: Mapping[str, JSON], bare: str = "") -> Fault | None:
    """What is wrong with an update, or with a bare plan or bare entries; ``None`` if nothing is."""
    if bare:
        kind = update.get("type")
        return _fault(_PLANS.get(str(kind), PlanOther) if kind is not None else PlanV1, update, ())
    kind = update.get("sessionUpdate")
    if kind == "plan_update" and isinstance(plan := update.get("plan"), dict):
        return _fault(_PLANS.get(str(plan.get("type")), PlanOther), plan, ("plan",))
    return _fault(_UPDATES[str(kind)], update, ())


def _fault(shape: type[_Shape], value: Mapping[str, JSON], steps: tuple[str | int, ...]) -> Fault | None:
    try:
        shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return Fault((*steps, *first["loc"]), _reason(first["type"], first["msg"], first["input"]))
    return None


def _reason(kind: str, message: str, value: object) -> str:
    shown = repr(value) if not isinstance(value, str) else f"`{value}`"
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    match kind:
        case "missing":
            return "is missing"
        case "string_type":
            return f"{shown} is not a string"
        case "literal_error" if not isinstance(value, str):
            return f"{shown} is not a string"
        case "literal_error" | "value_error":
            return f"{shown} is none of the words that version 1 has"
        case "string_pattern_mismatch":
            return f"{shown} is no absolute URI"
        case "list_type":
            return f"{shown} is not an array"
    return f"{shown}: {message.lower()}"
