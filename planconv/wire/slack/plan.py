"""A plan as plan blocks of Slack's (https://docs.slack.dev/reference/block-kit/blocks/plan-block)."""

from __future__ import annotations

from collections.abc import Iterator

from planconv.loss import (
    BLOCK_SIMPLIFIED,
    NESTING_FLATTENED,
    PLAN_SPLIT,
    PROSE_DROPPED,
    STYLE_DROPPED,
    TITLE_ASSUMED,
    Ledger,
    Note,
)
from planconv.model import (
    JSON,
    Block,
    Heading,
    Plan,
    TaskList,
    block_text,
    plain_text,
    walk_tasks,
    without_tasks,
)
from planconv.wire.slack.limits import PlanTask, cut_tasks, part_title
from planconv.wire.slack.rich_text_spans import LUGGAGE
from planconv.wire.slack.task import TaskWriter, unpack
from planconv.wire.slack.title import write_title

UNTITLED = "Plan"
"""The title of a plan that has none, because Slack demands one."""


def write_plan(plan: Plan, ledger: Ledger) -> list[dict[str, JSON]]:
    """The plan as one block, or as several with numbered titles if it does not fit into one.

    Raises:
        EncodeError: a task alone is more than a message takes.
    """
    title = plan_title(plan, ledger.at("/title", plan))
    parts = cut_tasks(title, _groups(plan, ledger))
    if len(parts) > 1:
        ledger.note(PLAN_SPLIT, "/body", sum(map(len, parts)), len(parts), plan=plan)
    blocks: list[dict[str, JSON]] = [
        {"type": "plan", "title": part_title(title, number, len(parts)), "tasks": [*part]}
        for number, part in enumerate(parts, 1)
    ]
    unpack(blocks[0], plan.extras, lambda key: ledger.at(f"/extras/{LUGGAGE}/{key}", plan))
    return blocks


def plan_title(plan: Plan, note: Note) -> str:
    """The title of a plan as plain text; what it cannot hold has no other place, and is noted."""
    title = write_title(plan.title, note)
    gone = [*(link.url for link in title.links), *title.references, plain_text(title.rest)]
    if any(gone):
        note(PROSE_DROPPED, "\n".join(filter(None, gone)))
    if title.text.strip():
        return title.text
    note(TITLE_ASSUMED, title.text, UNTITLED)
    return UNTITLED


def _groups(plan: Plan, ledger: Ledger) -> Iterator[list[PlanTask]]:
    """The tasks in the order of the page, those below one heading together."""
    writer = TaskWriter(plan, ledger)
    group: list[PlanTask] = []
    number = 0
    for index, block in enumerate(plan.body):
        _note_around(block, ledger.at(f"/body/{index}", plan))
        if isinstance(block, Heading) and group:
            yield group
            group = []
        parents: list[int] = []  # the numbers of the tasks that the last one stands in, and its own
        for depth, task in walk_tasks((block,)):
            if depth == len(parents) and depth:
                path = f"/tasks/{parents[-1]}/details"
                ledger.note(NESTING_FLATTENED, path, plain_text(task.title), plan=plan)
            parents[depth:] = [number]
            group.append(writer.write(task, f"/tasks/{number}"))
            number += 1
    if group:
        yield group


def _note_around(block: Block, note: Note) -> None:
    """Note what a row of tasks has no place for: text between them, their numbers, a list around them."""
    text = "\n".join(map(block_text, without_tasks((block,))))
    if isinstance(block, TaskList):
        if block.ordered:
            note(STYLE_DROPPED, block.start)
    elif text or not any(walk_tasks((block,))):
        note(PROSE_DROPPED, text)
    else:
        note(BLOCK_SIMPLIFIED, block_text(block))
