"""Writing the messages of the Agent Client Protocol, with the keys that came with a plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from planconv.loss import BLOCK_SIMPLIFIED, LUGGAGE_DROPPED, PROSE_DROPPED, Ledger
from planconv.model import JSON, Extras, Plan, TaskList, block_text, walk_tasks, without_tasks

LUGGAGE = "acp"
"""Under this name a plan keeps what only ACP understands. Tasks have the keys of their entry there."""
LEVELS = ("params", "update", "plan")
"""Plans have the keys of each level of their message there."""


def notification(session: str, update: Mapping[str, JSON], params: Mapping[str, JSON]) -> dict[str, JSON]:
    """A ``session/update`` message; ``params`` are further keys beside the session and the update."""
    return {
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": session, "update": dict(update), **params},
    }


def kept(levels: Mapping[str, Mapping[str, JSON]]) -> Extras:
    """Extras with these keys on each level, where there are any."""
    found: dict[str, JSON] = {level: dict(keys) for level, keys in levels.items() if keys}
    return {LUGGAGE: found} if found else {}


def other_keys(value: Mapping[str, JSON], used: Collection[str]) -> dict[str, JSON]:
    """The keys of an object that were not used."""
    return {key: inner for key, inner in value.items() if key not in used}


def own_keys(
    extras: Extras, path: str, taken: Collection[str], plan: Plan, ledger: Ledger
) -> dict[str, JSON]:
    """The keys that a task brought along; those that its entry has anyway are noted as dropped."""
    keys = extras.get(LUGGAGE, {})
    for key in taken:
        if key in keys:
            ledger.note(LUGGAGE_DROPPED, f"{path}/extras/{LUGGAGE}/{key}", keys[key], plan=plan)
    return other_keys(keys, taken)


def level_keys(plan: Plan, level: str, taken: Collection[str], ledger: Ledger) -> dict[str, JSON]:
    """The keys that a plan brought along on one level of its message; what cannot stand there is noted."""
    value = plan.extras.get(LUGGAGE, {}).get(level, {})
    if not isinstance(value, dict):
        ledger.note(LUGGAGE_DROPPED, f"/extras/{LUGGAGE}/{level}", value, plan=plan)
        return {}
    if lost := {key: inner for key, inner in value.items() if key in taken}:
        ledger.note(LUGGAGE_DROPPED, f"/extras/{LUGGAGE}/{level}", lost, plan=plan)
    return other_keys(value, taken)


def note_unknown_levels(plan: Plan, ledger: Ledger) -> None:
    """Note what stands in the luggage of a plan on a level that no message has."""
    for level, value in plan.extras.get(LUGGAGE, {}).items():
        if level not in LEVELS:
            ledger.note(LUGGAGE_DROPPED, f"/extras/{LUGGAGE}/{level}", value, plan=plan)


def note_prose(plan: Plan, ledger: Ledger) -> None:
    """Note the blocks between the tasks, which entries have no place for."""
    for index, block in enumerate(plan.body):
        if without_tasks((block,)):
            ledger.note(PROSE_DROPPED, f"/body/{index}", block_text(block), plan=plan)
    note_order(plan, ledger)


def note_order(plan: Plan, ledger: Ledger) -> None:
    """Note the lists whose numbers are gone, and those in a quote or a plain list."""
    for index, block in enumerate(plan.body):
        if block != TaskList(block.tasks if isinstance(block, TaskList) else ()) and any(
            True for _ in walk_tasks((block,))
        ):
            ledger.note(BLOCK_SIMPLIFIED, f"/body/{index}", block_text(block), plan=plan)
