"""Judges from outside: cmark-gfm on Markdown, the ACP and Slack SDKs as peers on what is written."""

import json
import re

import pytest

import planconv
from planconv.loss import Ledger

cmarkgfm = pytest.importorskip("cmarkgfm")

NASTY = [
    "[ ] box",
    "# heading",
    "1. one",
    "- dash",
    "> quoted",
    "---",
    "a * b * c __init__ _x_",
    "C:\\*.tmp &amp; <T>",
    "[a](b) ~~x~~",
    "| a | b |",
    "```js",
    "中 🚀",
    "[x]: https://example.com",
]
STATUSES = ["pending", "in_progress", "completed", "cancelled", "_waiting"]


def acp(entries):
    update = {"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p", "entries": entries}}
    message = {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}}
    return json.dumps(message) + "\n"


def entry(content, status="pending", priority="medium"):
    return {"content": content, "status": status, "priority": priority}


@pytest.mark.parametrize("status", STATUSES)
def test_cmark_shows_a_box_for_every_task_and_ticks_what_is_done(status):
    markdown = planconv.convert(acp([entry(text, status) for text in NASTY]), "acp", "markdown").text
    page = cmarkgfm.github_flavored_markdown_to_html(markdown)
    assert page.count('type="checkbox"') == len(NASTY)
    assert page.count("checked") == (len(NASTY) if status == "completed" else 0)


@pytest.mark.parametrize("text", NASTY)
def test_cmark_shows_the_text_that_acp_had(text):
    import html

    literal = planconv.decode(acp([entry(text)]), "acp")
    (task,) = literal[0].tasks()
    from planconv.model import plain_text

    page = cmarkgfm.github_flavored_markdown_to_html(planconv.encode(literal, "markdown").decode())
    shown = html.unescape(re.sub(r"<[^>]+>", "", page)).strip()
    assert shown == plain_text(task.title)


def test_acp_sdk_drops_entries_that_are_kept_here():
    schema = pytest.importorskip("acp.schema")
    entries = [entry("a"), entry("b", "cancelled"), entry("c", priority="_urgent")]
    peer = schema.AgentPlanUpdate.model_validate({"sessionUpdate": "plan", "entries": entries})
    assert [kept.content for kept in peer.entries] == ["a"]
    (plan,) = planconv.decode(json.dumps(entries), "acp")
    assert [(task.status, task.priority) for task in plan.tasks()] == [
        ("pending", None),
        ("cancelled", None),
        ("pending", "_urgent"),
    ]


@pytest.mark.parametrize("status", STATUSES)
def test_acp_sdk_keeps_every_entry_of_a_version_1_plan(status):
    schema = pytest.importorskip("acp.schema")
    entries = [entry(text, status, "_urgent") for text in NASTY]
    update = json.loads(planconv.convert(acp(entries), "acp", "acp-v1").data)["params"]["update"]
    assert len(schema.AgentPlanUpdate.model_validate(update).entries) == len(NASTY)


def test_slack_sdk_loses_what_is_kept_here():
    blocks = pytest.importorskip("slack_sdk.models.blocks")
    details = {
        "type": "rich_text",
        "elements": [
            {
                "type": "rich_text_preformatted",
                "language": "python",
                "elements": [{"type": "text", "text": "x"}],
            }
        ],
    }
    peer = blocks.Block.parse(details).to_dict()
    assert "language" not in peer["elements"][0]
    task = {"task_id": "1", "title": "a", "status": "complete", "details": details}
    message = json.dumps({"blocks": [{"type": "plan", "title": "T", "tasks": [task]}]})
    conversion = planconv.convert(message, "slack", "slack")
    assert json.loads(conversion.data) == json.loads(message)


@pytest.mark.parametrize("status", STATUSES)
def test_slack_sdk_takes_every_task_card(status):
    blocks = pytest.importorskip("slack_sdk.models.blocks")
    ledger = Ledger()
    message = planconv.encode(
        planconv.decode(acp([entry(text, status) for text in NASTY]), "acp", ledger), "slack", ledger
    )
    (plan,) = json.loads(message)["blocks"]
    for task in plan["tasks"]:
        blocks.TaskCardBlock(**task).validate_json()
    assert len(plan["tasks"]) == len(NASTY)
