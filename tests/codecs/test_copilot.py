"""What is read from the chats of GitHub Copilot and the events of Copilot CLI."""

import json

import pytest

from planconv.codecs.copilot import COPILOT
from planconv.errors import EncodeError, NoPlanError
from planconv.loss import Ledger
from planconv.model import Code, plain_text
from tests.logs_told import lines, log, plans_of, states_of


def event(type, id="e", **data):
    return {"type": type, "id": id, "data": data}


def start(call, todos):
    return event(
        "tool.execution_start", toolCallId=call, toolName="update_todo", arguments={"todos": todos}
    )


def test_chat_of_vs_code():
    (plan,) = COPILOT.decode(log("copilot-chat.json"), Ledger())
    assert (plan.session, plan.id) == ("vs-1", "todos")
    first, second = plan.tasks()
    assert (first.id, first.status, plain_text(first.title)) == ("1", "completed", "Read")
    assert plain_text(first.details[0].line) == "Read all of it"
    assert (second.status, second.details) == ("in_progress", ())


def test_what_a_chat_showed_counts_where_it_has_no_rounds():
    shown = {"kind": "todoList", "todoList": [{"id": 1, "title": "x", "status": "not-started"}]}
    part = {"kind": "toolInvocationSerialized", "toolSpecificData": shown}
    chat = {"version": 3, "sessionId": "s", "requests": [{"requestId": "r", "response": [part]}]}
    assert plans_of(COPILOT, lines(chat)) == {("s", "todos"): ["pending: x"]}


def test_a_call_that_stands_in_three_events_counts_once():
    assert states_of(COPILOT, log("copilot-transcript.jsonl")) == [("todos", ["completed: Read"])]


def test_markdown_of_the_cli():
    (plan,) = COPILOT.decode(log("copilot-events.jsonl"), Ledger())
    assert plain_text(plan.title) == "Release"
    assert [(task.status, plain_text(task.title)) for task in plan.tasks()] == [
        ("completed", "Tag it\nand push"),
        ("in_progress", "Announce"),
        ("in_progress", "Blog"),
        ("pending", "Rest"),
        ("pending", "Ask"),
    ]
    assert plan.body[-1] == Code("- [x] not a task")


def test_only_line_ends_end_a_line_of_markdown():
    data = lines(start("a", "- [ ] one\u2028still one\r\n- [x] two\r- [>] three"))
    (plan,) = COPILOT.decode(data, Ledger())
    assert [task.status for task in plan.tasks()] == ["pending", "completed", "in_progress"]


def test_a_call_that_failed_does_not_count():
    data = lines(
        start("a", "- [ ] x"),
        event("tool.execution_complete", toolCallId="a", success=True),
        start("b", "- [x] x"),
        event("tool.execution_complete", toolCallId="b", success=False),
    )
    assert plans_of(COPILOT, data) == {(None, "todos"): ["pending: x"]}


def test_arguments_may_be_a_string():
    request = {"toolCallId": "a", "name": "update_todo", "arguments": json.dumps({"todos": "- [ ] x"})}
    data = lines(event("assistant.message", toolRequests=[request]))
    assert plans_of(COPILOT, data) == {(None, "todos"): ["pending: x"]}


def test_reading_the_list_is_no_plan():
    arguments = {"operation": "read"}
    call = event("tool.execution_start", toolCallId="a", toolName="manage_todo_list", arguments=arguments)
    with pytest.raises(NoPlanError, match=r"tool\.execution_start"):
        COPILOT.decode(lines(call), Ledger())


@pytest.mark.parametrize("name", ["copilot-chat.json", "copilot-events.jsonl", "copilot-transcript.jsonl"])
def test_it_is_recognised(name):
    assert COPILOT.recognise(log(name))


def test_it_is_only_read():
    with pytest.raises(EncodeError, match="only read"):
        COPILOT.encode([], Ledger())
