"""The usual message of a log: the update that shows all entries of a plan, in its JSON-RPC notification.

Nearly all plans of a log come so, and nearly all are replaced soon. It is told apart here at little cost;
of everything else :mod:`planconv.wire.acp.update` finds out what it is.
"""

from __future__ import annotations

from typing import NamedTuple

from planconv.model import JSON

PLAN_UPDATE, ITEMS = "plan_update", "items"


class UsualMessage(NamedTuple):
    """Session and id of the plan, and the objects that the message is made of."""

    session: str
    plan_id: str
    params: dict[str, JSON]
    update: dict[str, JSON]
    plan: dict[str, JSON]
    entries: list[JSON]


def usual_message(value: JSON) -> UsualMessage | None:
    """The parts of a value, if it is the usual message; ``None`` says nothing."""
    params = value.get("params") if isinstance(value, dict) else None
    if not isinstance(params, dict) or "params" in params:
        return None
    session, update = params.get("sessionId"), params.get("update")
    if not isinstance(session, str) or not isinstance(update, dict):
        return None
    plan = update.get("plan")
    if update.get("sessionUpdate") != PLAN_UPDATE or not isinstance(plan, dict):
        return None
    plan_id, entries = plan.get("planId"), plan.get("entries")
    if plan.get("type") != ITEMS or not isinstance(entries, list) or not isinstance(plan_id, str):
        return None
    return UsualMessage(session, plan_id, params, update, plan, entries)
