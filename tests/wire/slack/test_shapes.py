"""The shapes that Slack's pages describe, and the pointers to what is otherwise."""

import pytest

from planconv.wire.slack.find import Found, find_plans
from planconv.wire.slack.shapes import problems


def rich_text(*elements):
    return {"type": "rich_text", "elements": list(elements)}


def section(*elements):
    return {"type": "rich_text_section", "elements": list(elements)}


TEXT = {"type": "text", "text": "a", "style": {"bold": True, "client_highlight": True}}


def found_with(details):
    task = {"task_id": "a", "title": "A", "status": "pending", "details": details}
    return Found({"type": "plan", "title": "P", "tasks": [task]}, ("/blocks/0",))


@pytest.mark.parametrize(
    "element",
    [
        TEXT,
        {"type": "link", "url": "https://a.example", "unsafe": True},
        {"type": "emoji", "name": "wave", "skin_tone": 3},
        {"type": "user", "user_id": "U1"},
        {"type": "broadcast", "range": "here"},
        {"type": "date", "timestamp": 0, "format": "{date}"},
        {"type": "color", "value": "#aabbcc"},
        {"type": "canvas", "file_id": "F1"},
    ],
)
def test_what_slack_sends_is_no_problem(element):
    assert list(problems(found_with(rich_text(section(element))))) == []


@pytest.mark.parametrize(
    ("details", "pointer"),
    [
        ("- a", ""),
        (rich_text(), "/elements"),
        (rich_text(section()), "/elements/0/elements"),
        (rich_text(section({**TEXT, "text": ""})), "/elements/0/elements/0/text"),
        (rich_text(section({**TEXT, "style": {"bold": 1}})), "/elements/0/elements/0/style/bold"),
        (rich_text(section({"type": "broadcast", "range": "all"})), "/elements/0/elements/0/range"),
        (rich_text(section({"type": "no_such"})), "/elements/0/elements/0"),
        (rich_text({"type": "rich_text_list", "elements": [section(TEXT)]}), "/elements/0/style"),
        (
            rich_text(
                {"type": "rich_text_list", "style": "bullet", "indent": 9, "elements": [section(TEXT)]}
            ),
            "/elements/0/indent",
        ),
        (
            rich_text({"type": "rich_text_preformatted", "elements": [{"type": "user", "user_id": "U1"}]}),
            "/elements/0/elements/0",
        ),
    ],
)
def test_what_slack_refuses_is_pointed_at(details, pointer):
    (problem,) = problems(found_with(details))
    assert problem[0] == "/blocks/0/tasks/0/details" + pointer


def test_each_of_several_cards_has_its_own_pointer():
    card = {"type": "task_card", "task_id": "a", "title": "A", "status": "pending"}
    (found,) = find_plans({"blocks": [card, card]})
    assert [pointer for pointer, _ in problems(found)] == ["/blocks/0/status", "/blocks/1/status"]
