"""One format to another: decode, leave behind what the target has no place for, encode."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from planconv import registry
from planconv.codec import ANY_LUGGAGE, CodecInfo, Extent, Field, PieceCodec
from planconv.errors import NoPlanError
from planconv.loss import FIELD_DROPPED, LUGGAGE_DROPPED, PROSE_DROPPED, Ledger, Loss
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Extras,
    List,
    Plan,
    Quote,
    Source,
    Task,
    TaskList,
    block_text,
    map_tasks,
    plain_text,
)


class Conversion(NamedTuple):
    """What came out (UTF-8), the plans that went through, and everything that was lost on the way."""

    data: bytes
    plans: tuple[Plan, ...]
    losses: tuple[Loss, ...]

    @property
    def text(self) -> str:
        """The output as a string."""
        return self.data.decode()


def convert(data: bytes | str, source: str, target: str, *, strict: bool = False) -> Conversion:
    """Convert ``data`` from one format to another.

    Args:
        data: the input; a string stands for its UTF-8 bytes.
        source: name of the input's format, as ``planconv formats`` lists them.
        target: name of the output's format.
        strict: make an error of what the formats' specifications forbid.

    Raises:
        UnknownFormatError: there is no such format.
        DecodeError: the input is not of the source format, or holds no plan.
        EncodeError: the plans do not fit the target together.
        StrictError: with ``strict``, the input breaks its specification.
        PluginError: the codec of another package fails.
    """
    ledger = Ledger(strict=strict)
    plans = decode(data, source, ledger)
    output = encode(plans, target, ledger)
    return Conversion(output, tuple(plans), tuple(ledger.losses))


def decode(data: bytes | str, source: str, ledger: Ledger | None = None) -> list[Plan]:
    """The plans in ``data``, which is in the format ``source``; raises as :func:`convert` does."""
    ledger = ledger or Ledger()
    codec = registry.get(source)
    ledger.format = source
    with registry.blamed(codec):
        return codec.decode(data.encode() if isinstance(data, str) else data, ledger)


def decode_pieces(pieces: Iterable[bytes], source: str, ledger: Ledger) -> list[Plan]:
    """The plans of an input that comes in pieces, held as a whole only if its format demands it."""
    codec = registry.get(source)
    ledger.format = source
    if isinstance(codec, PieceCodec):
        return codec.decode_pieces(pieces, ledger)
    with registry.blamed(codec):
        return codec.decode(b"".join(pieces), ledger)


def encode(plans: Sequence[Plan], target: str, ledger: Ledger | None = None) -> bytes:
    """``plans`` in the format ``target``; raises as :func:`convert` does."""
    ledger = ledger or Ledger()
    codec = registry.get(target)
    ledger.format = target
    with registry.blamed(codec):
        return codec.encode([leave_behind(plan, codec.info, ledger) for plan in plans], ledger)


def select(plans: Iterable[Plan], plan_id: str | None = None, session: str | None = None) -> list[Plan]:
    """The plans with this id and this session, where one is asked for.

    Raises:
        NoPlanError: there is none; the message names those that are there.
    """
    plans = list(plans)
    chosen = [plan for plan in plans if plan_id in (None, plan.id) and session in (None, plan.session)]
    if plans and not chosen:
        there = ", ".join(sorted({f"{plan.id} (session {plan.session})" for plan in plans}))
        raise NoPlanError(f"no plan is left by --plan and --session; there are: {there}")
    return chosen


# --- what the target has no place for -----------------------------------------------------------


def leave_behind(plan: Plan, info: CodecInfo, ledger: Ledger) -> Plan:
    """The plan without the fields that the format does not hold at all, each of them noted."""

    def lacks(name: Field) -> bool:
        return info.holds[name].extent is Extent.NO

    changes: dict[str, Any] = {}
    for name, attribute, nothing in _LEFT_OUT_OF_PLAN:
        value = getattr(plan, attribute)
        if value != nothing and lacks(name):
            was = value if isinstance(value, str) else plain_text(value)
            ledger.note(FIELD_DROPPED, f"/{attribute}", was, plan=plan)
            changes[attribute] = nothing
    if lacks(Field.PROSE):
        for index, block in enumerate(plan.body):
            if not _only_tasks(block):
                ledger.note(PROSE_DROPPED, f"/body/{index}", block_text(block), plan=plan)
    extras = _own_luggage(plan.extras, "", info, plan, ledger)
    if extras is not plan.extras:
        changes["extras"] = extras
    if not _are_bare(plan.body):
        body = _tasks_left_behind(plan, info, ledger)
        if body != plan.body:
            changes["body"] = body
    return dataclasses.replace(plan, **changes) if changes else plan


_LEFT_OUT_OF_PLAN: tuple[tuple[Field, str, None | tuple[()]], ...] = (
    (Field.PLAN_ID, "id", None),
    (Field.SESSION, "session", None),
    (Field.PLAN_TITLE, "title", ()),
    (Field.REFERENCE, "reference", None),
)
"""Fields of a plan that a format may lack, their names in the model, and what stands for nothing."""


def _are_bare(blocks: Blocks) -> bool:
    """Whether all tasks right in these blocks have only what every format holds; ``False`` if in doubt."""
    for block in blocks:
        if isinstance(block, List | Quote):
            return False
        for task in block.tasks if isinstance(block, TaskList) else ():
            if task.details or task.priority or task.id or task.output or task.sources:
                return False
            if task.depends_on or task.extras:
                return False
    return True


def _tasks_left_behind(plan: Plan, info: CodecInfo, ledger: Ledger) -> Blocks:
    missing = {name for name, held in info.holds.items() if held.extent is Extent.NO}
    number = -1

    def change(task: Task) -> Task:
        nonlocal number
        number += 1
        return _task_left_behind(task, f"/tasks/{number}", missing, info, plan, ledger)

    return map_tasks(plan.body, change)


def _only_tasks(block: Block) -> bool:
    match block:
        case TaskList():
            return True
        case List(items):
            return all(item.blocks and all(map(_only_tasks, item.blocks)) for item in items)
        case Quote(blocks):
            return all(map(_only_tasks, blocks))
    return False


def _task_left_behind(
    task: Task, path: str, missing: set[Field], info: CodecInfo, plan: Plan, ledger: Ledger
) -> Task:
    changes: dict[str, Any] = {}
    for name, attribute, nothing in _LEFT_OUT:
        value = getattr(task, attribute)
        if value and name in missing:
            ledger.note(FIELD_DROPPED, f"{path}/{attribute}", _as_json(value), plan=plan)
            changes[attribute] = nothing
    extras = _own_luggage(task.extras, path, info, plan, ledger)
    if extras is not task.extras:
        changes["extras"] = extras
    return dataclasses.replace(task, **changes) if changes else task


_LEFT_OUT: tuple[tuple[Field, str, None | tuple[()]], ...] = (
    (Field.PRIORITY, "priority", None),
    (Field.TASK_ID, "id", None),
    (Field.OUTPUT, "output", ()),
    (Field.SOURCES, "sources", ()),
    (Field.DEPENDS_ON, "depends_on", ()),
)
"""Fields of a task that a format may lack, their names in the model, and what stands for nothing."""


def _as_json(value: str | Blocks | tuple[Source, ...] | tuple[str, ...]) -> JSON:
    if isinstance(value, str):
        return value
    return [
        part if isinstance(part, str) else part.url if isinstance(part, Source) else block_text(part)
        for part in value
    ]


def _own_luggage(extras: Extras, path: str, info: CodecInfo, plan: Plan, ledger: Ledger) -> Extras:
    if info.luggage == ANY_LUGGAGE or extras.keys() <= {info.luggage}:
        return extras
    for codec, values in extras.items():
        if codec != info.luggage:
            for key, value in values.items():
                ledger.note(LUGGAGE_DROPPED, f"{path}/extras/{codec}/{key}", value, plan=plan)
    return {codec: values for codec, values in extras.items() if codec == info.luggage}
