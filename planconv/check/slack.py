"""What can be wrong in Slack's plan blocks and task cards, and what is too much for a message.

Limits and required fields: https://docs.slack.dev/reference/block-kit/blocks/plan-block and
https://docs.slack.dev/reference/block-kit/blocks/task-card-block.
"""

from __future__ import annotations

from collections.abc import Iterator

from planconv.check.findings import TOO_LONG, TOO_MANY_TASKS, UNKNOWN_STATUS
from planconv.check.rows import Row
from planconv.check.tasks import Fault, check_tasks
from planconv.model import JSON
from planconv.status import knows
from planconv.wire.acp.log import Record
from planconv.wire.slack.find import TASK, find_plans
from planconv.wire.slack.limits import MAX_BLOCKS, MAX_CHARACTERS, MAX_TASKS, characters

_SLACK = "slack"


def faults(record: Record) -> Iterator[Fault[str]]:
    """What is wrong with the plans in a message, a list of blocks, or the chunks of a stream."""
    for found in find_plans(record.value):
        cards = found.plan.get("tasks")
        tasks = cards if isinstance(cards, list) else []
        first = found.pointers[0]
        pointers = found.pointers if found.standalone else [f"{first}/tasks/{n}" for n in range(len(tasks))]
        rows: list[Row[str]] = []
        for task, pointer in zip(tasks, pointers, strict=True):
            if isinstance(task, dict):
                rows.append(_row(task, pointer))
                yield from _status(task, pointer)
        yield from check_tasks(rows)
        if not found.standalone and len(tasks) > MAX_TASKS:
            message = f"{len(tasks)} tasks are more than the {MAX_TASKS} that Slack takes in a plan"
            yield Fault(TOO_MANY_TASKS, message, f"{first}/tasks")
    yield from _messages(record.value, "")


def _row(task: dict[str, JSON], pointer: str) -> Row[str]:
    id = task.get("task_id")
    return Row(f"{pointer}/task_id", id=id if isinstance(id, str) and id else None)


def _status(task: dict[str, JSON], pointer: str) -> Iterator[Fault[str]]:
    word = task.get("status")
    if isinstance(word, str) and knows(_SLACK, word):
        return
    if word is not None:
        message = (
            f"Slack does not know the status {word!r}" if isinstance(word, str) else "a status is a string"
        )
        yield Fault(UNKNOWN_STATUS, message, f"{pointer}/status")


def _messages(value: JSON, pointer: str) -> Iterator[Fault[str]]:
    """What is wrong with the messages and chunks, wherever they stand."""
    inner: list[tuple[str, JSON]] = []
    if isinstance(value, list):
        inner = [(f"{pointer}/{number}", part) for number, part in enumerate(value)]
        if not pointer:
            yield from _size(value, pointer)
    elif isinstance(value, dict):
        if value.get("type") == TASK:
            yield from _status(value, pointer)
        blocks = value.get("blocks")
        if isinstance(blocks, list):
            yield from _size(blocks, f"{pointer}/blocks")
        containers = ("message", "messages", "chunks")
        inner = [(f"{pointer}/{key}", value[key]) for key in containers if key in value]
    for place, part in inner:
        if isinstance(part, dict | list):
            yield from _messages(part, place)


def _size(blocks: list[JSON], pointer: str) -> Iterator[Fault[str]]:
    if not all(isinstance(block, dict) and _is_block(block) for block in blocks):
        return
    if len(blocks) > MAX_BLOCKS:
        message = f"{len(blocks)} blocks are more than the {MAX_BLOCKS} that Slack takes in a message"
        yield Fault(TOO_LONG, message, pointer)
    count = characters(blocks)
    if count > MAX_CHARACTERS:
        message = f"{count:,} characters are more than the {MAX_CHARACTERS:,} that Slack takes in a message"
        yield Fault(TOO_LONG, message, pointer)


def _is_block(block: dict[str, JSON]) -> bool:
    """Whether it is no message and no chunk, which have types of their own."""
    kind = block.get("type")
    return isinstance(kind, str) and kind not in {"message", TASK, "plan_update", "markdown_text", "blocks"}
