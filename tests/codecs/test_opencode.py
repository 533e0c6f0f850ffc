"""What is read from the exports and events of opencode."""

import pytest

from planconv.codecs.opencode import OPENCODE
from planconv.errors import EncodeError, NoPlanError
from planconv.loss import Ledger
from tests.logs_told import lines, log, plans_of, states_of


def event(status, id="c1", **todo):
    state = {"status": status, "input": {"todos": [{"content": "x", "status": "pending", **todo}]}}
    part = {"type": "tool", "tool": "todowrite", "callID": id, "sessionID": "s", "state": state}
    return {"type": "message.part.updated", "properties": {"part": part}}


def test_only_completed_calls_of_an_export_count():
    assert plans_of(OPENCODE, log("opencode-export.json")) == {
        ("ses_1", "todos"): ["cancelled: Read", "someday: Write"]
    }


def test_priorities():
    (plan,) = OPENCODE.decode(log("opencode-export.json"), Ledger())
    assert [task.priority for task in plan.tasks()] == [None, "low"]


def test_events():
    assert states_of(OPENCODE, log("opencode-events.jsonl")) == [
        ("todos", ["in_progress: Read"]),
        ("todos", ["completed: Read"]),
    ]


def test_a_part_is_told_once_when_it_is_completed():
    data = lines(event("running"), event("completed"), event("completed"), event("error", "c2"))
    assert states_of(OPENCODE, data) == [("todos", ["pending: x"])]


def test_no_plan():
    with pytest.raises(NoPlanError, match=r"1 record \(1 user\).*todowrite"):
        OPENCODE.decode(lines({"info": {"id": "s"}, "messages": [{"info": {"role": "user"}}]}), Ledger())


@pytest.mark.parametrize("name", ["opencode-export.json", "opencode-events.jsonl"])
def test_it_is_recognised(name):
    assert OPENCODE.recognise(log(name))


def test_it_is_only_read():
    with pytest.raises(EncodeError, match="only read"):
        OPENCODE.encode([], Ledger())
