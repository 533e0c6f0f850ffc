"""Judges from outside: cmark-gfm on Markdown, jsonschema and the ACP and Slack SDKs on what is written."""

import copy
import dataclasses
import html
import json
import re

import jsonschema
import pytest
from hypothesis import given, reject, settings

import planconv
from planconv import registry
from planconv.errors import EncodeError
from planconv.loss import Ledger
from planconv.model import PlanRemoved, PlanUpdated, plain_text
from planconv.testing.plans import plan_groups, plans
from tests.acp_schema import MESSAGE_V1, MESSAGE_V2

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
    literal = planconv.decode(acp([entry(text)]), "acp")
    (task,) = literal[0].tasks()
    page = cmarkgfm.github_flavored_markdown_to_html(planconv.encode(literal, "markdown").decode())
    shown = html.unescape(re.sub(r"<[^>]+>", "", page)).strip()
    assert shown == plain_text(task.title)


ACP_CODECS = {"acp": MESSAGE_V2, "acp-markdown": MESSAGE_V2, "acp-file": MESSAGE_V2, "acp-v1": MESSAGE_V1}
VALIDATORS = {name: jsonschema.Draft202012Validator(schema) for name, schema in ACP_CODECS.items()}


REFERENCE = "file:///home/me/plan.md"


def pointing(plan):
    """The plan, pointing to a file as ``acp-file`` demands."""
    return dataclasses.replace(plan, reference=plan.reference or REFERENCE)


def assert_valid(names, write):
    """What is written keeps the schema; where a format refuses to write there is nothing to judge."""
    for name in names:
        try:
            data = write(name)
        except EncodeError:
            reject()
        lines = data.splitlines()
        assert lines
        for line in lines:
            VALIDATORS[name].validate(json.loads(line))


# Making plans takes longest, so the formats that refuse the same ones share them.
BY_VERSION = pytest.mark.parametrize("names", [["acp-v1"], ["acp", "acp-markdown", "acp-file"]])


@BY_VERSION
@given(group=plan_groups())
@settings(max_examples=50)
def test_acp_schema_takes_every_plan_that_is_written(names, group):
    assert_valid(names, lambda name: planconv.encode(list(map(pointing, group)), name))


@BY_VERSION
@given(before=plans(), after=plans())
@settings(max_examples=50)
def test_acp_schema_takes_every_update_that_is_written(names, before, after):
    events = [PlanUpdated(pointing(before)), PlanUpdated(pointing(after))]
    if "acp-v1" not in names:
        events.append(PlanRemoved(before.session, before.id))
    assert_valid(names, lambda name: b"".join(registry.get(name).encode_events(events, Ledger())))


def v1(entries):
    message = json.loads(acp([]))
    message["params"]["update"] = {"sessionUpdate": "plan", "entries": entries}
    return message


def changed(message, path, value=None):
    """The message with another value at a path, or without what is there."""
    message = copy.deepcopy(message)
    *way, last = path
    place = message
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return message


UPDATE = ("params", "update")
PLAN = (*UPDATE, "plan")
ITEMS = json.loads(acp([entry("a")]))
MARKDOWN = changed(ITEMS, PLAN, {"type": "markdown", "planId": "p", "content": "- [ ] a"})
FILE = changed(ITEMS, PLAN, {"type": "file", "planId": "p", "uri": "file:///plan.md"})
REMOVED = changed(ITEMS, UPDATE, {"sessionUpdate": "plan_removed", "planId": "p"})
VERSION_1 = v1([entry("a")])
META = {"planconv": {"version": 1}}


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (MESSAGE_V1, VERSION_1),
        (MESSAGE_V1, v1([])),
        (MESSAGE_V1, changed(VERSION_1, (*UPDATE, "_meta"), META)),
        (MESSAGE_V2, ITEMS),
        (MESSAGE_V2, MARKDOWN),
        (MESSAGE_V2, FILE),
        (MESSAGE_V2, REMOVED),
        (MESSAGE_V2, changed(ITEMS, (*PLAN, "entries"), [])),
        (MESSAGE_V2, changed(ITEMS, (*PLAN, "entries", 0, "status"), "_waiting")),
        (MESSAGE_V2, changed(ITEMS, (*PLAN, "entries", 0, "_meta"), META)),
        (MESSAGE_V2, changed(ITEMS, PLAN, {"type": "_timeline", "planId": "p", "days": 3})),
    ],
)
def test_the_schema_takes_what_the_protocol_shows(schema, message):
    jsonschema.validate(message, schema)


ENTRY = (*PLAN, "entries", 0)
ENTRY_V1 = (*UPDATE, "entries", 0)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (MESSAGE_V1, ITEMS),
        (MESSAGE_V2, VERSION_1),
        *((MESSAGE_V1, changed(VERSION_1, (*ENTRY_V1, key))) for key in ("content", "status", "priority")),
        *((MESSAGE_V2, changed(ITEMS, (*ENTRY, key))) for key in ("content", "status", "priority")),
        (MESSAGE_V1, changed(VERSION_1, (*ENTRY_V1, "status"), "cancelled")),
        (MESSAGE_V1, changed(VERSION_1, (*ENTRY_V1, "priority"), "_urgent")),
        (MESSAGE_V2, changed(ITEMS, (*ENTRY, "status"), "waiting")),
        (MESSAGE_V2, changed(ITEMS, (*ENTRY, "priority"), "urgent")),
        (MESSAGE_V2, changed(ITEMS, (*ENTRY, "content"), 7)),
        (MESSAGE_V2, changed(ITEMS, (*ENTRY, "_meta"), "text")),
        *((MESSAGE_V2, changed(ITEMS, (*PLAN, key))) for key in ("type", "planId", "entries")),
        (MESSAGE_V2, changed(MARKDOWN, (*PLAN, "content"))),
        (MESSAGE_V2, changed(FILE, (*PLAN, "uri"))),
        (MESSAGE_V2, changed(FILE, (*PLAN, "uri"), "plan.md")),
        (MESSAGE_V2, changed(REMOVED, (*UPDATE, "planId"))),
        (MESSAGE_V2, changed(ITEMS, ("params", "sessionId"))),
        (MESSAGE_V2, changed(ITEMS, ("method",), "session/prompt")),
        (MESSAGE_V2, changed(ITEMS, ("jsonrpc",), "1.0")),
        (MESSAGE_V2, {**ITEMS, "id": 1}),
    ],
)
def test_the_schema_takes_nothing_else(schema, message):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(message, schema)


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
