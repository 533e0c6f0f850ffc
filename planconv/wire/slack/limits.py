"""How much a Slack message takes, and plans cut so that they fit.

50 tasks a plan (https://docs.slack.dev/reference/block-kit/blocks/plan-block), 50 blocks a message; more
than about 13,200 characters over all blocks are refused as ``msg_blocks_too_long``
(https://github.com/slackapi/bolt-js/issues/2509).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from planconv.errors import EncodeError
from planconv.model import JSON

MAX_TASKS = 50
MAX_BLOCKS = 50
MAX_CHARACTERS = 13_200
MAX_BLOCK_ID = 255

PlanTask = dict[str, JSON]
_ROOM_FOR_COUNT = len(" (1234/1234)")


def characters(value: JSON) -> int:
    """How many characters (code points) of titles and texts a part of a message shows."""
    count = 0
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str):
                count += len(inner) if key in ("title", "text") else 0
            elif isinstance(inner, dict | list):
                count += characters(inner)
    elif isinstance(value, list):
        for inner in value:
            count += characters(inner)
    return count


def room_below(title: str) -> int:
    """How many characters the tasks of one plan may have together."""
    return MAX_CHARACTERS - len(title) - _ROOM_FOR_COUNT


def cut_tasks(title: str, groups: Iterable[Sequence[PlanTask]]) -> list[list[PlanTask]]:
    """Tasks in as few plans as they need, cut between the groups wherever a group fits into one plan.

    Raises:
        EncodeError: a task alone is more than a message takes.
    """
    room = room_below(title)
    parts: list[list[PlanTask]] = [[]]
    size = 0
    for group in groups:
        sizes = [characters(task) for task in group]
        fits_below = len(parts[-1]) + len(group) <= MAX_TASKS and size + sum(sizes) <= room
        if not fits_below and parts[-1]:
            parts.append([])
            size = 0
        for task, more in zip(group, sizes, strict=True):
            if more > room:
                raise EncodeError(_too_long(task, more, len(title)))
            if len(parts[-1]) == MAX_TASKS or size + more > room:
                parts.append([])
                size = 0
            parts[-1].append(task)
            size += more
    return parts


def _too_long(task: PlanTask, size: int, title: int) -> str:
    start = str(task.get("title"))[:60]
    return (
        f"the task {start!r} has {size:,} characters with its details, its plan's title {title:,}; a Slack"
        f" message takes {MAX_CHARACTERS:,}: shorten the task, or make several of it"
    )


def pack(blocks: Iterable[PlanTask]) -> list[list[JSON]]:
    """Blocks in as few messages as they need, in their order.

    Raises:
        EncodeError: a block alone is more than a message takes.
    """
    messages: list[list[JSON]] = []
    left = 0
    for block in blocks:
        size = characters(block)
        if size > MAX_CHARACTERS:
            raise EncodeError(
                f"a plan's title has {size:,} characters; a Slack message takes {MAX_CHARACTERS:,}"
            )
        if not messages or size > left or len(messages[-1]) == MAX_BLOCKS:
            messages.append([])
            left = MAX_CHARACTERS
        messages[-1].append(block)
        left -= size
    return messages


def part_title(title: str, number: int, count: int) -> str:
    """The title of one of the plans that a plan was cut into."""
    return f"{title} ({number}/{count})" if count > 1 else title


_PART = re.compile(r"(?s)(.+) \(([1-9]\d*)/([1-9]\d*)\)")


def rejoin(plans: Sequence[Mapping[str, JSON]]) -> list[Mapping[str, JSON]]:
    """The plans, those that :func:`part_title` numbers from first to last as the one they were."""
    joined: list[Mapping[str, JSON]] = []
    index = 0
    while index < len(plans):
        parts = _parts(plans, index)
        joined.append(_as_one(parts) if len(parts) > 1 else plans[index])
        index += max(len(parts), 1)
    return joined


def _parts(plans: Sequence[Mapping[str, JSON]], start: int) -> Sequence[Mapping[str, JSON]]:
    """The parts of a plan that begin here; none if there are not all of them."""
    match = _PART.fullmatch(str(plans[start].get("title")))
    if match is None or match[2] != "1" or len(match[3]) > 6:
        return ()
    parts = plans[start : start + int(match[3])]
    titles = [part_title(match[1], number + 1, int(match[3])) for number in range(len(parts))]
    plain = all(part.keys() <= {"type", "title", "tasks"} for part in parts[1:])
    whole = len(parts) == int(match[3]) and [part.get("title") for part in parts] == titles
    return parts if whole and plain else ()


def _as_one(parts: Sequence[Mapping[str, JSON]]) -> Mapping[str, JSON]:
    tasks: list[JSON] = []
    for part in parts:
        if isinstance(found := part.get("tasks"), list):
            tasks.extend(found)
    title = str(parts[0]["title"]).rpartition(" (")[0]
    return {**parts[0], "title": title, "tasks": tasks}
