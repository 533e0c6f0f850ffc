"""What a format has no field for travels in its extension point, and is put back on the way home.

:func:`pack` looks at what the format itself gives back for a plan and writes down the rest: every field
that would come back differently, beside a short hash of what a reader sees in its place. :func:`unpack`
puts a field back where that hash still fits; where a person changed what is seen, the person's text wins
and everything else is put back all the same. Text is repeated only where the format does not show it, and
the nesting of tasks only where the format is flat.

What is carried (:mod:`planconv.carried`) stands as JSON in ``plan.extras[info.luggage]["carried"]``; the
codec writes it to its extension point and finds it there again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planconv import registry
from planconv.align import align
from planconv.carried import PROSE, TEXT, Carried, hash_of, plan_hash, sign_of, task_hash
from planconv.codec import Codec
from planconv.convert import leave_behind
from planconv.errors import EncodeError, UsageError
from planconv.loss import FIELD_CARRIED, TEXT_CHANGED, Kind, Ledger
from planconv.model import Blocks, Plan, Task
from planconv.task_tree import fill, places, replant, texts
from planconv.wire.carrier import carried as carried_by
from planconv.wire.carrier import with_carried


def pack(plan: Plan, codec: Codec) -> Plan:
    """The plan with everything in its luggage that the codec would not give back.

    Raises:
        UsageError: the format has no extension point.
        EncodeError: the plan cannot be written in this format, or not be put together again.
    """
    info = codec.info
    plan = with_carried(plan, info.luggage, None)
    seen = _seen(plan, codec)
    if seen == plan:
        return plan
    if not info.carrier:
        raise UsageError(f"{info.name} has no place to carry anything in: leave out --carry")
    for with_tree in (False, True):
        carried = Carried.of(plan, seen, with_tree=with_tree)
        if carried is None:
            continue
        value = carried.as_json()
        if _restore(seen, Carried.from_json(value), Ledger()) == plan:
            return with_carried(plan, info.luggage, value)
    raise EncodeError(f"{info.name} cannot carry this plan: what it shows does not tell the tasks apart")


def unpack(plan: Plan, luggage: str, ledger: Ledger) -> Plan:
    """The plan as it was before :func:`pack`, with what a person has changed since then.

    Raises:
        DecodeError: what is carried is broken, or of a later version.
    """
    value = carried_by(plan, luggage)
    if value is None:
        return plan
    return _restore(with_carried(plan, luggage, None), Carried.from_json(value), ledger)


def encode_carrying(plans: Sequence[Plan], target: str, ledger: Ledger) -> bytes:
    """``plans`` in the format ``target``, with what it cannot hold in its extension point.

    What would be lost without is noted as carried.

    Raises:
        UsageError, EncodeError: see :func:`pack`.
    """
    codec = registry.get(target)
    ledger.format = target
    inner = ledger.aside()
    packed = [pack(plan, codec) for plan in plans]
    data = codec.encode([leave_behind(plan, codec.info, inner) for plan in packed], inner)
    for loss in inner.losses:
        kept = loss.code.kind in (Kind.DROPPED, Kind.DEGRADED)
        ledger.losses.append(loss._replace(code=FIELD_CARRIED) if kept else loss)
    return data


def _seen(plan: Plan, codec: Codec) -> Plan:
    """What the codec gives back of a plan by itself."""
    shown = codec.decode(codec.encode([leave_behind(plan, codec.info, Ledger())], Ledger()), Ledger())
    if len(shown) != 1:
        raise EncodeError(
            f"{codec.info.name} cannot carry this plan: it shows {len(shown)} plans in its place"
        )
    return shown[0]


# --- putting it back ----------------------------------------------------------------------------


def _restore(plan: Plan, carried: Carried, ledger: Ledger) -> Plan:
    """``plan`` as it is seen now, with what is carried put back where it still fits."""
    shown = list(plan.tasks())
    pairs = align([mark.sign for mark in carried.marks], [sign_of(task) for task in shown])
    rests = carried.tasks
    tasks = []
    for number, (task, old) in enumerate(zip(shown, pairs, strict=True)):
        alone = dataclasses.replace(task, details=texts(task.details))
        if old is not None:
            place = _Place(f"/tasks/{number}", plan, ledger)
            if "title" not in carried.marks[old].seen:
                place.fits("title", carried.marks[old].sign.title, sign_of(task).title)
            alone = _restore_task(alone, rests[old], carried.marks[old].seen, place)
        tasks.append(alone)
    whole = _Place("", plan, ledger)
    prose = texts(plan.body)
    if PROSE in carried.seen:
        prose = whole.put_back(PROSE, prose, carried.prose, carried.seen[PROSE])
    tree = places(plan.body) if carried.tree is None else carried.tree
    if carried.tree is not None and pairs != list(range(len(carried.marks))):
        tree = replant(tree, pairs)
    fields = {
        name: getattr(carried.plan, name)
        for name, hash in carried.seen.items()
        if name != PROSE and whole.fits(name, hash, plan_hash(plan, name))
    }
    return dataclasses.replace(plan, body=fill(tree, prose, iter(tasks)), **fields)


def _restore_task(task: Task, rest: Task, seen: Mapping[str, str], place: _Place) -> Task:
    """The task, whose details are its own text only, with its carried fields."""
    own = task.details
    if TEXT in seen:
        own = place.put_back(TEXT, own, rest.details, seen[TEXT])
    fields = {
        name: getattr(rest, name)
        for name, hash in seen.items()
        if name != TEXT and place.fits(name, hash, task_hash(task, name))
    }
    return dataclasses.replace(task, details=own, **fields)


@dataclass(frozen=True, slots=True)
class _Place:
    """A plan or a task on the way back; what a person changed in it is noted."""

    path: str
    plan: Plan
    ledger: Ledger

    def fits(self, name: str, then: str, now: str) -> bool:
        """Whether what is seen of a field is still what it was."""
        if then != now:
            self.ledger.note(TEXT_CHANGED, f"{self.path}/{name}", plan=self.plan)
        return then == now

    def put_back(self, name: str, now: Blocks, then: Blocks, hash: str) -> Blocks:
        """The carried blocks, or those that are seen now if somebody changed them."""
        return then if self.fits(name, hash, hash_of(now)) else now
