"""What Slack refuses, as far as it is documented or was reported; its own slack_sdk checks little of it.

Sources: docs.slack.dev, the pages of the plan, task card and rich text blocks and of the elements in
them; public reports for what the pages leave out (empty texts and element lists are refused, and with
them the whole message; indent ends at 8).
"""

from __future__ import annotations

import re

STATUSES = ("pending", "in_progress", "complete", "error")

ANY = {"bold", "italic", "strike", "underline", "highlight", "client_highlight", "unlink"}
SHOWN = {"bold", "italic", "strike", "underline", "highlight", "client_highlight"}
INLINES = {
    # type: (required, optional, styles)
    "text": ({"text"}, set(), ANY | {"code"}),
    "link": ({"url"}, {"text", "unsafe"}, ANY | {"code"}),
    "emoji": ({"name"}, {"unicode", "skin_tone", "url"}, ANY),
    "user": ({"user_id"}, set(), ANY),
    "usergroup": ({"usergroup_id"}, set(), ANY),
    "channel": ({"channel_id"}, set(), ANY),
    "team": ({"team_id"}, set(), ANY),
    "broadcast": ({"range"}, set(), ANY),
    "date": ({"timestamp", "format"}, {"timezone", "url", "fallback"}, SHOWN),
    "color": ({"value"}, set(), SHOWN),
}
CONTAINERS = {
    "rich_text_section": (set(), set()),
    "rich_text_quote": (set(), {"border"}),
    "rich_text_preformatted": (set(), {"border", "language"}),
    "rich_text_list": ({"style"}, {"indent", "offset", "border"}),
}
FORMS = {
    "name": r"[a-z0-9_+'-]+(::skin-tone-[2-6])?",
    "user_id": r"[UW][A-Z0-9]+",
    "channel_id": r"[CGD][A-Z0-9]+",
    "usergroup_id": r"S[A-Z0-9]+",
    "team_id": r"T[A-Z0-9]+",
    "range": r"here|channel|everyone",
    "value": r"#[0-9A-Fa-f]{6}",
}


def problems(document):
    """Everything that Slack would refuse in a message of plan blocks, each with its JSON pointer."""
    blocks = document["blocks"]
    found = [] if 1 <= len(blocks) <= 50 else [f"/blocks: {len(blocks)} blocks"]
    for number, block in enumerate(blocks):
        found += plan_problems(block, f"/blocks/{number}")
    return found


def plan_problems(plan, at):
    found = shape_problems(plan, {"type", "title", "tasks"}, {"block_id"}, at)
    tasks = plan.get("tasks", [])
    if not 1 <= len(tasks) <= 50:
        found.append(f"{at}/tasks: {len(tasks)} tasks")
    ids = [task.get("task_id") for task in tasks]
    found += [f"{at}/tasks: two tasks are {id!r}" for id in sorted(set(ids)) if ids.count(id) > 1]
    for number, task in enumerate(tasks):
        found += task_problems(task, f"{at}/tasks/{number}")
    return found


def task_problems(task, at):
    optional = {"details", "output", "sources", "block_id", "hide_title", "icon"}
    found = shape_problems(task, {"task_id", "title", "status"}, optional, at)
    if task.get("status") not in STATUSES:
        found.append(f"{at}/status: {task.get('status')!r}")
    for part in ("details", "output"):
        if part in task:
            found += rich_text_problems(task[part], f"{at}/{part}")
    return found


def rich_text_problems(block, at=""):
    """Everything that Slack would refuse in a ``rich_text`` block."""
    if not isinstance(block, dict) or block.get("type") != "rich_text":
        return [f"{at}: no rich_text block"]
    found = shape_problems(block, {"type", "elements"}, {"block_id"}, at)
    for number, element in enumerate(block.get("elements", [])):
        found += container_problems(element, f"{at}/elements/{number}")
    return found


def container_problems(element, at):
    kind = element.get("type")
    if kind not in CONTAINERS:
        return [f"{at}: {kind!r} is no container"]
    required, optional = CONTAINERS[kind]
    found = shape_problems(element, required | {"type", "elements"}, optional, at)
    if element.get("border", 0) not in (0, 1):
        found.append(f"{at}/border: {element['border']!r}")
    if kind == "rich_text_list":
        found += list_problems(element, at)
    for number, inner in enumerate(element.get("elements", [])):
        place = f"{at}/elements/{number}"
        if kind == "rich_text_list":
            is_section = inner.get("type") == "rich_text_section"
            found += container_problems(inner, place) if is_section else [f"{place}: no section"]
        else:
            found += inline_problems(inner, place)
            if kind == "rich_text_preformatted" and inner.get("type") not in ("text", "link"):
                found.append(f"{place}: {inner.get('type')!r} in preformatted text")
    return found


def list_problems(element, at):
    found = [] if element.get("style") in ("bullet", "ordered") else [f"{at}/style"]
    if not (is_count(element.get("indent", 0)) and element.get("indent", 0) <= 8):
        found.append(f"{at}/indent: {element['indent']!r}")
    if not is_count(element.get("offset", 0)):
        found.append(f"{at}/offset: {element['offset']!r}")
    return found


def inline_problems(inline, at):
    kind = inline.get("type")
    if kind not in INLINES:
        return [f"{at}: {kind!r} is no inline element"]
    required, optional, styles = INLINES[kind]
    found = shape_problems(inline, required | {"type"}, optional | {"style"}, at)
    style = inline.get("style", {})
    if not style.keys() <= styles or not all(value is True for value in style.values()):
        found.append(f"{at}/style: {style!r}")
    for field, form in FORMS.items():
        if field in required and not re.fullmatch(form, str(inline.get(field))):
            found.append(f"{at}/{field}: {inline.get(field)!r}")
    if kind == "date" and not is_count(inline.get("timestamp")):
        found.append(f"{at}/timestamp: {inline.get('timestamp')!r}")
    return found


def shape_problems(value, required, optional, at):
    """Missing and unknown fields, and fields with nothing in them."""
    found = [f"{at}: {field} is missing" for field in sorted(required - value.keys())]
    found += [f"{at}: {field} is not known" for field in sorted(value.keys() - required - optional)]
    found += [
        f"{at}/{field}: nothing in it" for field, inner in value.items() if inner in ("", [], {}, None)
    ]
    return found


def is_count(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
