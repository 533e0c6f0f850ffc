"""Where a task stands in its plan: below which heading, and below which task."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from planconv.model import Blocks, Heading, List, Plan, Quote, TaskList
from planconv.update import wording

Group: TypeAlias = tuple[str, ...]
"""What the nearest heading and the tasks above say; empty in a flat list."""


def groups(plan: Plan) -> list[Group]:
    """The group of each task, in the order of ``plan.tasks()``."""
    return list(_below(plan.body, (), []))


def _below(blocks: Blocks, above: Group, heading: list[str]) -> Iterator[Group]:
    """The groups of the tasks in these blocks; ``heading`` holds the nearest one so far."""
    for block in blocks:
        match block:
            case Heading(_, line):
                heading[:] = [wording.whole(line)]
            case TaskList(tasks):
                for task in tasks:
                    yield (*heading, *above)
                    yield from _below(task.details, (*above, wording.key(task.title)), heading)
            case List(items):
                for item in items:
                    yield from _below(item.blocks, above, heading)
            case Quote(inner):
                yield from _below(inner, above, heading)
