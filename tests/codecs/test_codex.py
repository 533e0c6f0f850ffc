"""What is read from the logs of the Codex CLI."""

import json

import pytest

from planconv.codecs.codex import CODEX
from planconv.errors import EncodeError, NoPlanError
from planconv.loss import ENTRY_DROPPED, Ledger
from planconv.model import Paragraph, Text, plain_text
from tests.logs_told import lines, log, plans_of, states_of

SESSION = "0199b9a1-aaaa-7000-8000-000000000001"


def item(payload, type="response_item"):
    return {"timestamp": "2026-01-01T00:00:00Z", "type": type, "payload": payload}


def call(id, arguments):
    return item({"type": "function_call", "name": "update_plan", "call_id": id, "arguments": arguments})


def output(id, said):
    return item({"type": "function_call_output", "call_id": id, "output": said})


def steps(*words):
    return json.dumps({"plan": [{"step": word, "status": "pending"} for word in words]})


def test_rollout():
    assert plans_of(CODEX, log("codex-rollout.jsonl")) == {
        (SESSION, "todos"): ["completed: Read the code", "in_progress: Fix it"],
        (SESSION, "plan"): ["pending: Split the file"],
    }


def test_the_explanation_stands_above_the_steps():
    plan, proposed = CODEX.decode(log("codex-rollout.jsonl"), Ledger())
    assert plan.body[0] == Paragraph((Text("The first is done."),))
    assert plain_text(proposed.title) == "Rework"


def test_old_rollout_without_envelopes():
    assert plans_of(CODEX, log("codex-bare.jsonl")) == {("old-session", "todos"): ["pending: Only step"]}


def test_exec_tells_only_done_and_not_done():
    assert states_of(CODEX, log("codex-exec.jsonl")) == [
        ("todos", ["pending: Read", "pending: Write"]),
        ("todos", ["completed: Read", "pending: Write"]),
        ("plan", []),
    ]


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("Plan updated", True),
        ({"content": "Plan updated", "success": True}, True),
        ("failed to parse function arguments: missing field `step`", False),
        ({"content": "Plan updated", "success": False}, False),
        ("update_plan is a TODO/checklist tool and is not allowed in Plan mode", False),
    ],
)
def test_a_call_counts_unless_its_output_says_that_it_failed(said, counts):
    data = lines(
        call("a", steps("x")), output("a", "Plan updated"), call("b", steps("y")), output("b", said)
    )
    assert plans_of(CODEX, data) == {(None, "todos"): ["pending: y" if counts else "pending: x"]}


def test_a_call_is_not_told_before_its_output():
    data = lines(call("a", steps("x")), output("a", "Plan updated"), output("b", "done"))
    unread = iter(data.splitlines(keepends=True))
    next(CODEX.decode_events(unread, Ledger()))
    assert len(list(unread)) == 1


def test_arguments_that_are_no_json_are_reported():
    ledger = Ledger()
    data = lines(call("a", steps("x")), output("a", "Plan updated"), call("b", '{"plan":[{"st'))
    assert plans_of(CODEX, data, ledger) == {(None, "todos"): ["pending: x"]}
    assert [(loss.code, loss.line) for loss in ledger.losses] == [(ENTRY_DROPPED, 3)]


def test_a_fork_goes_on_under_its_own_name():
    data = lines(
        item({"id": "child", "forked_from_id": "parent"}, "session_meta"),
        item({"id": "parent"}, "session_meta"),
        call("a", steps("x")),
    )
    assert plans_of(CODEX, data) == {("child", "todos"): ["pending: x"]}


def test_only_the_agent_proposes_plans():
    said = [{"type": "input_text", "text": "<proposed_plan># Mine</proposed_plan>"}]
    with pytest.raises(NoPlanError, match="1 message"):
        CODEX.decode(lines(item({"type": "message", "role": "user", "content": said})), Ledger())


def test_an_empty_plan_is_a_plan():
    assert plans_of(CODEX, lines(call("a", {"plan": []}))) == {(None, "todos"): []}


@pytest.mark.parametrize("name", ["codex-rollout.jsonl", "codex-bare.jsonl", "codex-exec.jsonl"])
def test_it_is_recognised(name):
    assert CODEX.recognise(log(name))


def test_it_is_only_read():
    with pytest.raises(EncodeError, match="only read"):
        CODEX.encode_events([], Ledger())
