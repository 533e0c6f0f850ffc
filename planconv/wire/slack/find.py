"""Where plans and task cards stand in what Slack sends: blocks, messages, responses, histories."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from planconv.model import JSON

TEXT, TITLE, TASK, BLOCKS = "markdown_text", "plan_update", "task_update", "blocks"
"""The types of the chunks of a stream (https://docs.slack.dev/reference/methods/chat.appendStream)."""

_CHUNK = re.compile(
    rb'"type"\s*:\s*"(?:markdown_text|plan_update|task_update)"|"type"\s*:\s*"blocks"\s*,\s*"blocks"'
)


@dataclass(frozen=True, slots=True)
class Found:
    """A plan block, or a row of standalone task cards as a plan without a title.

    ``pointers`` are the JSON pointers of the block, or of each card.
    """

    plan: dict[str, JSON]
    pointers: tuple[str, ...]
    standalone: bool = False


def find_plans(value: JSON, pointer: str = "") -> Iterator[Found]:
    """The plans of a document in their order; task cards that follow one another are one plan."""
    if isinstance(value, dict):
        yield from _find_in_object(value, pointer)
    elif isinstance(value, list):
        yield from _find_in_array(value, pointer)


def _find_in_object(value: dict[str, JSON], pointer: str) -> Iterator[Found]:
    if value.get("type") == "plan" and isinstance(value.get("tasks", []), list):
        yield Found(value, (pointer,))
    elif _is_card(value):
        yield _cards([(value, pointer)])
    else:
        for key, inner in value.items():
            token = key.replace("~", "~0").replace("/", "~1")
            yield from find_plans(inner, f"{pointer}/{token}")


def _find_in_array(value: list[JSON], pointer: str) -> Iterator[Found]:
    cards: list[tuple[JSON, str]] = []
    for index, inner in enumerate(value):
        if _is_card(inner):
            cards.append((inner, f"{pointer}/{index}"))
            continue
        if cards:
            yield _cards(cards)
            cards = []
        yield from find_plans(inner, f"{pointer}/{index}")
    if cards:
        yield _cards(cards)


def beside_plans(value: JSON, pointer: str = "") -> Iterator[tuple[str, JSON]]:
    """The blocks that stand beside a plan or a task card and are neither, with their JSON pointers.

    A divider shows nothing that could be lost.
    """
    if isinstance(value, dict):
        for key, inner in value.items():
            token = key.replace("~", "~0").replace("/", "~1")
            yield from beside_plans(inner, f"{pointer}/{token}")
    elif isinstance(value, list):
        has_plan = any(_is_card(inner) or _type(inner) == "plan" for inner in value)
        for index, inner in enumerate(value):
            if has_plan and _type(inner) not in ("plan", "task_card", "divider", ""):
                yield f"{pointer}/{index}", inner
            elif not has_plan:
                yield from beside_plans(inner, f"{pointer}/{index}")


def _is_card(value: JSON) -> bool:
    return isinstance(value, dict) and value.get("type") == "task_card"


def _cards(cards: list[tuple[JSON, str]]) -> Found:
    return Found({"tasks": [card for card, _ in cards]}, tuple(pointer for _, pointer in cards), True)


def block_types(value: JSON) -> list[str]:
    """The types of the blocks of a document, each once, for a message that says what was there."""
    types: dict[str, None] = {}
    waiting: list[JSON] = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, list):
            waiting.extend(found)
        elif isinstance(found, dict):
            blocks = found.get("blocks")
            types.update(dict.fromkeys(map(_type, blocks if isinstance(blocks, list) else [])))
            waiting.extend(inner for key, inner in found.items() if key != "blocks")
    return [name for name in types if name]


def _type(block: JSON) -> str:
    name = block.get("type") if isinstance(block, dict) else None
    return name if isinstance(name, str) else ""


def looks_like_chunks(head: bytes) -> str:
    """The first type of chunk that an input names, ``""`` if it names none."""
    match = _CHUNK.search(head)
    return "" if match is None else match[0].split(b'"')[3].decode()
