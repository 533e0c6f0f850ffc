"""The checker of Slack's rules sees what Slack was reported to refuse."""

from __future__ import annotations

import pytest

from tests.slack_shapes import bullets, code, emoji, link, message, ordered, quote, section, text
from tests.slack_validity import problems

GOOD = [
    section("a", text("b", "bold", "code"), link("https://e.example"), emoji("wave::skin-tone-2")),
    bullets("a", ("b", "c"), indent=8),
    ordered("a", offset=10**9, border=1),
    quote("a"),
    code("a", "python"),
]

BAD = {
    "no text": section(text("")),
    "no elements": {"type": "rich_text_section", "elements": []},
    "empty quote": {"type": "rich_text_quote", "elements": []},
    "empty code": code(""),
    "empty list": bullets(),
    "empty item": bullets(()),
    "indent 9": bullets("a", indent=9),
    "indent -1": bullets("a", indent=-1),
    "offset as text": ordered("a", offset="1"),
    "list of another kind": {**bullets("a"), "style": "dash"},
    "list in a list": {**bullets("a"), "elements": [bullets("a")]},
    "text in a list": {**bullets("a"), "elements": [text("a")]},
    "list in a section": {**section("a"), "elements": [bullets("a")]},
    "text beside the sections": text("a"),
    "emoji in code": {**code("a"), "elements": [emoji("wave")]},
    "style that is off": section({"type": "text", "text": "a", "style": {"bold": False}}),
    "empty style": section({"type": "text", "text": "a", "style": {}}),
    "code on an emoji": section(emoji("wave", "code")),
    "colons in a name": section(emoji(":wave:")),
    "link without an address": section(link("")),
    "channel as a user": section({"type": "user", "user_id": "C012AB3CD"}),
    "broadcast to nobody": section({"type": "broadcast", "range": "nobody"}),
    "date as text": section({"type": "date", "timestamp": "1", "format": "{date}"}),
    "border 2": quote("a") | {"border": 2},
    "unknown field": section(text("a") | {"colour": "red"}),
}


def test_what_slack_takes_is_good():
    assert problems(message(*GOOD)) == []


@pytest.mark.parametrize("element", BAD.values(), ids=BAD)
def test_what_slack_refuses_is_found(element):
    assert len(problems(message(*GOOD, element))) == 1


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ({"tasks": []}, 2),
        ({"tasks": [{"task_id": str(n), "title": "a", "status": "pending"} for n in range(51)]}, 1),
        ({"tasks": [{"task_id": "t", "title": "a", "status": "error"}] * 2}, 1),
        ({"tasks": [{"task_id": "t", "title": "", "status": "complete"}]}, 1),
        ({"tasks": [{"task_id": "t", "title": "a", "status": "completed"}]}, 1),
        ({"tasks": [{"task_id": "t", "title": "a", "status": "pending", "details": "a"}]}, 1),
        ({"title": ""}, 1),
    ],
)
def test_rules_of_the_plan(change, found):
    document = message(section("a"))
    document["blocks"][0].update(change)
    assert len(problems(document)) == found
