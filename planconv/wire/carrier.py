"""Where each kind of format keeps what is carried: a comment, ``_meta``, or the metadata of a message.

In the model it stands under one key of the codec's luggage; a codec that is a carrier calls one pair of
these functions, on a plan before it writes and after it has read.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from planconv.errors import DecodeError
from planconv.model import JSON, Blocks, Plan, Raw, make_blocks
from planconv.wire import json

KEY = "carried"
"""Of a codec's luggage: what is to be carried, or was."""
NAME = "planconv"
"""Under this name it stands in ``_meta`` and in metadata."""


def carried(plan: Plan, luggage: str) -> JSON:
    """What stands in the luggage of a plan to be carried, ``None`` if nothing does."""
    return plan.extras.get(luggage, {}).get(KEY)


def with_carried(plan: Plan, luggage: str, value: JSON) -> Plan:
    """The plan with this in its luggage to be carried; with ``None`` there is nothing any more."""
    values = {key: inner for key, inner in plan.extras.get(luggage, {}).items() if key != KEY}
    if value is not None:
        values[KEY] = value
    return _with_luggage(plan, luggage, values)


def _with_luggage(plan: Plan, luggage: str, values: Mapping[str, JSON]) -> Plan:
    extras = {codec: inner for codec, inner in plan.extras.items() if codec != luggage}
    return dataclasses.replace(plan, extras={**extras, luggage: values} if values else extras)


# --- an HTML comment, the last block of a plan --------------------------------------------------

_START, _END = "<!-- planconv:carry ", " -->"


def into_comment(plan: Plan, luggage: str) -> Plan:
    """The plan with a comment at its end for what is to be carried."""
    value = carried(plan, luggage)
    if value is None:
        return plan
    # Two dashes would end the comment; in JSON they stand in strings only.
    text = json.dumps(value).decode().replace("--", "-\\u002d").replace(">", "\\u003e")
    comment = Raw("html", f"{_START}{text}{_END}")
    return dataclasses.replace(with_carried(plan, luggage, None), body=(*plan.body, comment))


def out_of_comment(plan: Plan, luggage: str) -> Plan:
    """The plan without its comment; one that somebody has broken stays a comment."""
    for index, block in enumerate(plan.body):
        match block:
            case Raw("html", source) if source.startswith(_START) and source.endswith(_END):
                value = _read(source.removeprefix(_START).removesuffix(_END))
                if value is not None:
                    body: Blocks = make_blocks((*plan.body[:index], *plan.body[index + 1 :]))
                    return with_carried(dataclasses.replace(plan, body=body), luggage, value)
    return plan


def _read(text: str) -> JSON:
    try:
        return json.loads(text.encode())
    except DecodeError:
        return None


# --- `_meta` on a level of an ACP message -------------------------------------------------------


def into_meta(plan: Plan, luggage: str, level: str) -> Plan:
    """The plan whose luggage has what is to be carried in the ``_meta`` of a level of its message."""
    value = carried(plan, luggage)
    if value is None:
        return plan
    plan = with_carried(plan, luggage, None)
    values = dict(plan.extras.get(luggage, {}))
    keys, meta = _object(values.get(level)), _object(_object(values.get(level)).get("_meta"))
    values[level] = {**keys, "_meta": {**meta, NAME: value}}
    return _with_luggage(plan, luggage, values)


def out_of_meta(plan: Plan, luggage: str, levels: Sequence[str]) -> Plan:
    """The plan whose ``_meta`` carries nothing any more, on whichever of these levels it did."""
    if luggage not in plan.extras:
        return plan
    values = dict(plan.extras[luggage])
    for level in levels:
        keys, meta = _object(values.get(level)), _object(_object(values.get(level)).get("_meta"))
        if NAME in meta:
            values[KEY] = meta.pop(NAME)
            keys = {**keys, "_meta": meta} if meta else {k: v for k, v in keys.items() if k != "_meta"}
            values = {**values, level: keys} if keys else {k: v for k, v in values.items() if k != level}
    return _with_luggage(plan, luggage, values) if KEY in values else plan


def _object(value: JSON) -> dict[str, JSON]:
    return dict(value) if isinstance(value, dict) else {}


# --- the metadata of a Slack message ------------------------------------------------------------


def metadata(plans: Sequence[Plan], luggage: str) -> dict[str, JSON]:
    """The ``metadata`` of a message for these plans, empty if nothing is to be carried.

    Source: https://docs.slack.dev/messaging/message-metadata
    """
    values = [carried(plan, luggage) for plan in plans]
    if not any(value is not None for value in values):
        return {}
    return {"metadata": {"event_type": NAME, "event_payload": {"plans": values}}}


def out_of_metadata(plans: Sequence[Plan], luggage: str, documents: Sequence[JSON]) -> list[Plan]:
    """The plans with what the metadata of their messages carries, if it is as many as there are plans."""
    found = [value for document in documents for value in _payload(document)]
    if len(found) != len(plans):
        return list(plans)
    return [
        plan if value is None else with_carried(plan, luggage, value)
        for plan, value in zip(plans, found, strict=True)
    ]


def _payload(document: JSON) -> list[JSON]:
    match document:
        case {"metadata": {"event_type": "planconv", "event_payload": {"plans": list(values)}}}:
            return values
        case {"message": dict(message)}:
            return _payload(message)
    return []
