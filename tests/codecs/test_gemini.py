"""What is read from the chats of the Gemini CLI, and from the todo files of Qwen Code."""

import pytest

from planconv.codecs.gemini import GEMINI
from planconv.errors import EncodeError, NoPlanError
from planconv.loss import Ledger
from tests.logs_told import lines, log, plans_of, states_of

HEAD = {"sessionId": "s", "projectHash": "h", "kind": "main"}


def user(id):
    return {"id": id, "type": "user", "content": "go on"}


def message(id, *todo_lists, status="success"):
    calls = [
        {
            "name": "write_todos",
            "args": {"todos": [{"description": text, "status": word} for text, word in todos]},
            "status": status,
        }
        for todos in todo_lists
    ]
    return {"id": id, "type": "gemini", "content": "", "toolCalls": calls}


def test_chat_of_lines():
    assert plans_of(GEMINI, log("gemini-chat.jsonl")) == {
        ("gem-1", "todos"): ["completed: Read", "cancelled: Write"]
    }


def test_a_chat_is_followed_back_and_forth():
    assert states_of(GEMINI, log("gemini-chat.jsonl")) == [
        ("todos", ["in_progress: Read", "blocked: Write"]),
        ("todos", ["pending: Something else"]),
        ("todos", ["in_progress: Read", "blocked: Write"]),
        ("todos", ["completed: Read", "cancelled: Write"]),
    ]


def test_chat_in_one_document():
    assert plans_of(GEMINI, log("gemini-chat.json")) == {("gem-1", "todos"): ["completed: Read"]}


def test_a_message_that_is_written_again_stays_where_it_was():
    data = lines(
        HEAD,
        message("1", [("a", "pending")]),
        message("2", [("b", "pending")]),
        message("1", [("a", "completed")]),
    )
    assert plans_of(GEMINI, data) == {("s", "todos"): ["pending: b"]}


def test_rewinding_to_the_start_removes_the_plan():
    data = lines(HEAD, user("0"), message("1", [("a", "pending")]), {"$rewindTo": "0"})
    assert states_of(GEMINI, data) == [("todos", ["pending: a"]), ("todos", None)]
    with pytest.raises(NoPlanError, match="taken back"):
        GEMINI.decode(data, Ledger())


def test_rewinding_to_a_message_that_was_not_parsed():
    data = lines(
        HEAD,
        message("1", [("a", "pending")]),
        user("2"),
        message("3", [("b", "pending")]),
        {"$rewindTo": "2"},
    )
    assert plans_of(GEMINI, data) == {("s", "todos"): ["pending: a"]}


@pytest.mark.parametrize("status", ["error", "cancelled"])
def test_calls_that_did_not_happen_do_not_count(status):
    data = lines(HEAD, message("1", [("a", "pending")]), message("2", [("b", "completed")], status=status))
    assert plans_of(GEMINI, data) == {("s", "todos"): ["pending: a"]}


def test_an_empty_list_after_another_is_the_plan():
    assert plans_of(GEMINI, lines(HEAD, message("1", [("a", "pending")], []))) == {("s", "todos"): []}


def test_todo_file_of_qwen_code():
    (plan,) = GEMINI.decode(log("qwen-todos.json"), Ledger())
    assert (plan.session, plan.id) == ("qwen-1", "plan-7")
    assert [(task.id, task.status, task.depends_on) for task in plan.tasks()] == [
        ("1", "completed", ()),
        ("2", "pending", ("1",)),
    ]


def test_tracker_files():
    task = log("gemini-tracker.json")
    (plan,) = GEMINI.decode(task, Ledger())
    (read,) = plan.tasks()
    assert (plan.id, read.status, read.depends_on) == ("task-a1b2c3", "completed", ("d4e5f6",))
    joined = task + task.replace(b"a1b2c3", b"d4e5f6").replace(b"closed", b"open")
    assert plans_of(GEMINI, joined) == {(None, "tasks"): ["completed: Index", "pending: Index"]}


def test_no_plan():
    with pytest.raises(NoPlanError, match=r"3 records \(2 user, 1 of no kind\)"):
        GEMINI.decode(lines(HEAD, user("1"), user("2")), Ledger())


@pytest.mark.parametrize(
    "name", ["gemini-chat.jsonl", "gemini-chat.json", "gemini-tracker.json", "qwen-todos.json"]
)
def test_it_is_recognised(name):
    assert GEMINI.recognise(log(name))


def test_a_document_is_recognised_by_its_start():
    assert GEMINI.recognise(log("gemini-chat.json")[:200])


def test_it_is_only_read():
    with pytest.raises(EncodeError, match="only read"):
        GEMINI.encode([], Ledger())
