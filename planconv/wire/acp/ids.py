"""Sessions and plan ids for plans that come without, or with one that is taken."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence

from planconv.loss import ID_CHANGED, PLAN_ID_ASSUMED, SESSION_ASSUMED, Ledger
from planconv.model import Plan, plain_text
from planconv.wire.acp.update import MAIN

SESSION = "planconv"
"""The session of a plan that has none."""

_LONGEST = 60


def with_session(plan: Plan, ledger: Ledger) -> Plan:
    """The plan in its session, or in one that is made."""
    if plan.session is not None:
        return plan
    ledger.note(SESSION_ASSUMED, "/session", None, SESSION, plan=plan)
    return dataclasses.replace(plan, session=SESSION)


def with_id(plan: Plan, ledger: Ledger) -> Plan:
    """The plan under its id, or under one made from its title; the same title makes the same id."""
    if plan.id is not None:
        return plan
    made = made_id(plan)
    ledger.note(PLAN_ID_ASSUMED, "/id", None, made, plan=plan)
    return dataclasses.replace(plan, id=made)


def with_ids(plans: Sequence[Plan], ledger: Ledger) -> list[Plan]:
    """The plans under ids that are unique in each session; of two equal ones the second is changed."""
    taken = {(plan.session, plan.id) for plan in plans}
    given: set[tuple[str | None, str | None]] = set()
    named: list[Plan] = []
    for plan in plans:
        if plan.id is not None and (plan.session, plan.id) not in given:
            given.add((plan.session, plan.id))
            named.append(plan)
            continue
        name = next(name for name in _names(plan) if (plan.session, name) not in taken)
        taken.add((plan.session, name))
        given.add((plan.session, name))
        ledger.note(PLAN_ID_ASSUMED if plan.id is None else ID_CHANGED, "/id", plan.id, name, plan=plan)
        named.append(dataclasses.replace(plan, id=name))
    return named


def _names(plan: Plan) -> Iterator[str]:
    wanted = made_id(plan) if plan.id is None else plan.id
    yield wanted
    number = 2
    while True:
        yield f"{wanted}-{number}"
        number += 1


def made_id(plan: Plan) -> str:
    """The title in small letters with dashes, cut at a word, else ``main``."""
    words = re.findall(r"\w+", plain_text(plan.title).casefold())
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word
        if len(longer) > _LONGEST:
            break
        name = longer
    return name or "".join(words)[:_LONGEST] or MAIN
