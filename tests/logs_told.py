"""Logs for the tests of the codecs that only read them, and their plans told in short."""

from __future__ import annotations

import json
from pathlib import Path

from planconv.codec import Codec, EventCodec
from planconv.loss import Ledger
from planconv.model import Plan, PlanUpdated, plain_text

FOLDER = Path(__file__).parent / "logs"


def log(name: str) -> bytes:
    """A log as an agent writes it."""
    return (FOLDER / name).read_bytes()


def lines(*values: object) -> bytes:
    """Values as the lines of a log."""
    return "".join(json.dumps(value) + "\n" for value in values).encode()


def told(plan: Plan) -> list[str]:
    """The tasks of a plan: status and title of each."""
    return [f"{task.status}: {plain_text(task.title)}" for task in plan.tasks()]


def plans_of(
    codec: Codec, data: bytes, ledger: Ledger | None = None
) -> dict[tuple[str | None, str | None], list[str]]:
    """Session and id of each plan, with its tasks."""
    plans = codec.decode(data, ledger or Ledger())
    return {(plan.session, plan.id): told(plan) for plan in plans}


def states_of(codec: EventCodec, data: bytes) -> list[tuple[str | None, list[str] | None]]:
    """The id of the plan of each event, with its tasks; ``None`` for a removal."""
    return [
        (event.plan.id, told(event.plan)) if isinstance(event, PlanUpdated) else (event.id, None)
        for event in codec.decode_events(data.splitlines(keepends=True), Ledger())
    ]
