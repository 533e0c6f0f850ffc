"""What is read from the logs and files of Claude Code."""

import json

import pytest

from planconv.codecs.claude_code import CLAUDE_CODE
from planconv.errors import DecodeError, EncodeError, NoPlanError, StrictError
from planconv.loss import ENTRY_DROPPED, TASK_ID_ASSUMED, Ledger
from planconv.model import Heading, Paragraph, Text, plain_text
from tests.logs_told import lines, log, plans_of, states_of, told

OLD = "7c0d1f0e-3c58-4f0e-9a55-5c3f1a7be001"
TASKS = "7c0d1f0e-3c58-4f0e-9a55-5c3f1a7be002"


def call(id, tool, input, **more):
    block = {"type": "tool_use", "id": id, "name": tool, "input": input}
    message = {"id": f"msg-{id}", "role": "assistant", "content": [block]}
    return {"type": "assistant", "sessionId": "s", "isSidechain": False, "message": message, **more}


def result(id, text="ok", is_error=None, **more):
    block = {"type": "tool_result", "tool_use_id": id, "content": text}
    if is_error is not None:
        block["is_error"] = is_error
    message = {"role": "user", "content": [block]}
    return {"type": "user", "sessionId": "s", "isSidechain": False, "message": message, **more}


def todos(*entries):
    return {"todos": [{"content": content, "status": status} for content, status in entries]}


def test_old_todos():
    ledger = Ledger()
    assert plans_of(CLAUDE_CODE, log("claude-todos-old.jsonl"), ledger) == {
        (OLD, "todos"): ["completed: Write the parser", "in_progress: Run pytest -q"],
        (OLD, "todos@u4"): ["completed: Look into tests/"],
    }
    assert [(loss.code, loss.was, loss.line) for loss in ledger.losses] == [
        (ENTRY_DROPPED, "broken_todo", 10)
    ]


def test_old_todos_have_ids_and_priorities():
    plan = CLAUDE_CODE.decode(log("claude-todos-old.jsonl"), Ledger())[0]
    assert [(task.id, task.priority) for task in plan.tasks()] == [("1", "high"), ("2", None)]


def test_todos_are_followed_as_they_change_and_copied_lines_change_nothing():
    states = states_of(CLAUDE_CODE, log("claude-todos-old.jsonl"))
    assert [id for id, _ in states] == ["todos", "todos@u4", "todos"]


def test_strict_refuses_a_todo_that_is_a_string():
    with pytest.raises(StrictError, match="10: /tasks/1"):
        CLAUDE_CODE.decode(log("claude-todos-old.jsonl"), Ledger(strict=True))


def test_tasks_are_a_fold():
    ledger = Ledger()
    (plan,) = CLAUDE_CODE.decode(log("claude-tasks.jsonl"), ledger)
    assert (plan.session, plan.id) == (TASKS, "tasks")
    assert told(plan) == ["completed: Write the migration", "pending: Deploy to staging"]
    first, second = plan.tasks()
    assert first.details == (
        Paragraph((Text("Add the column "), *first.details[0].line[1:])),
        Paragraph((Text("It may be null."),)),
    )
    assert first.extras["claude-code"] == {
        "activeForm": "Writing the migration",
        "metadata": {"area": "db"},
        "owner": "ann",
    }
    assert (second.id, second.depends_on) == ("2", ("1",))
    assert not ledger.losses


def test_a_plan_of_plan_mode_is_the_one_that_was_agreed_on():
    (plan,) = CLAUDE_CODE.decode(log("claude-plan-mode.jsonl"), Ledger())
    assert plan.id == "plan"
    assert plain_text(plan.title) == "Faster search"
    assert isinstance(plan.body[0], Heading)
    assert told(plan) == ["pending: Add an index", "completed: Measure"]


def test_a_plan_of_plan_mode_may_have_no_tasks():
    data = lines(call("a", "ExitPlanMode", {"plan": "Just think."}), result("a"))
    assert plans_of(CLAUDE_CODE, data) == {("s", "plan"): []}


def test_a_result_that_only_names_the_plan_file_gives_a_reference():
    data = lines(
        call("a", "ExitPlanMode", {}), result("a", toolUseResult={"plan": None, "filePath": "/p/a b.md"})
    )
    (plan,) = CLAUDE_CODE.decode(data, Ledger())
    assert plan.reference == "file:///p/a%20b.md"


def test_a_plan_of_plan_mode_that_cannot_be_read_is_a_bad_record():
    deep = "\n".join("  " * depth + "- x" for depth in range(150))
    data = lines(call("a", "TodoWrite", todos(("x", "pending"))), call("b", "ExitPlanMode", {"plan": deep}))
    with pytest.raises(DecodeError, match=r"line 2: .*nested"):
        CLAUDE_CODE.decode(data, Ledger())
    ledger = Ledger(skip_bad_records=True)
    assert plans_of(CLAUDE_CODE, data, ledger) == {("s", "todos"): ["pending: x"]}
    assert [bad.error.line for bad in ledger.bad_records] == [2]


def test_stream_json_keeps_sub_agents_apart():
    assert plans_of(CLAUDE_CODE, log("claude-stream.jsonl")) == {
        ("S4", "todos"): ["in_progress: Main"],
        ("S4", "todos@toolu_task"): ["pending: Sub"],
    }


def test_the_messages_of_a_run_may_stand_in_one_array():
    values = [json.loads(line) for line in log("claude-stream.jsonl").splitlines()]
    array = json.dumps(values).encode()
    assert plans_of(CLAUDE_CODE, array) == plans_of(CLAUDE_CODE, log("claude-stream.jsonl"))
    assert CLAUDE_CODE.recognise(array)


def test_todo_and_task_files():
    assert plans_of(CLAUDE_CODE, log("claude-todos.json")) == {(None, "todos"): ["pending: Main"]}
    (plan,) = CLAUDE_CODE.decode(log("claude-task.json"), Ledger())
    (task,) = plan.tasks()
    assert (plan.id, task.id, task.depends_on) == ("task-4", "4", ("3",))


def test_a_list_in_the_middle_of_a_log_is_noise():
    data = lines(call("a", "TodoWrite", todos(("x", "pending"))), [], [1, 2])
    assert plans_of(CLAUDE_CODE, data) == {("s", "todos"): ["pending: x"]}


@pytest.mark.parametrize("compact", [True, False])
def test_joined_task_files_are_one_plan(compact):
    task = log("claude-task.json")
    one = lines(json.loads(task)) if compact else task
    other = one.replace(b'"4"', b'"5"').replace(b"Write", b"Read")
    assert plans_of(CLAUDE_CODE, one + other) == {
        (None, "tasks"): ["in_progress: Write docs", "in_progress: Read docs"]
    }


def test_sub_agent_files_name_their_agent():
    data = lines(call("a", "TodoWrite", todos(("x", "pending")), isSidechain=True, agentId="a1b2"))
    assert plans_of(CLAUDE_CODE, data) == {("s", "todos@a1b2"): ["pending: x"]}


@pytest.mark.parametrize("empty", [b"[]", lines(call("a", "TodoWrite", {"todos": []}), result("a"))])
def test_an_empty_list_is_a_plan(empty):
    assert list(plans_of(CLAUDE_CODE, empty).values()) == [[]]


def test_no_plan_is_told_apart_from_an_empty_one():
    data = lines(call("a", "Read", {}), result("a"), result("b"), 3)
    with pytest.raises(NoPlanError, match=r"4 records \(2 user, 1 assistant, 1 scalar\).*TodoWrite"):
        CLAUDE_CODE.decode(data, Ledger())
    with pytest.raises(NoPlanError, match="TodoWrite"):
        states_of(CLAUDE_CODE, data)
    with pytest.raises(NoPlanError, match="empty"):
        CLAUDE_CODE.decode(b"\n", Ledger())


CALLS = {
    "without a result it counts": (
        [call("a", "TodoWrite", todos(("x", "pending")))],
        ["pending: x"],
    ),
    "an error does not": (
        [call("a", "TodoWrite", todos(("x", "pending"))), result("a"),
         call("b", "TodoWrite", todos(("y", "completed"))), result("b", is_error=True)],
        ["pending: x"],
    ),
    "parallel calls are answered one by one": (
        [call("a", "TodoWrite", todos(("x", "pending")), message={"id": "m", "content": [
            {"type": "tool_use", "id": "a", "name": "TodoWrite", "input": todos(("x", "pending"))},
            {"type": "tool_use", "id": "b", "name": "TodoWrite", "input": todos(("y", "pending"))}]}),
         result("b", is_error=True), result("a")],
        ["pending: x"],
    ),
    "the newer one wins, whatever it says": (
        [call("a", "TodoWrite", todos(("x", "completed"))),
         call("b", "TodoWrite", todos(("x", "waiting")))],
        ["waiting: x"],
    ),
    "merge changes by id": (
        [call("a", "TodoWrite", {"merge": False, "todos": [
            {"id": "1", "content": "x", "status": "pending"},
            {"id": "2", "content": "y", "status": "pending"}]}),
         result("a"),
         call("b", "TodoWrite", {"merge": True, "todos": [{"id": 2, "status": "cancelled"}]}), result("b")],
        ["pending: x", "cancelled: y"],
    ),
    "created tasks are numbered where no result tells the id": (
        [call("a", "TaskCreate", {"subject": "x"}), call("b", "TaskCreate", {"subject": "y"}),
         call("c", "TaskUpdate", {"taskId": "2", "status": "completed"})],
        ["pending: x", "completed: y"],
    ),
    "what a gateway lost stands in the result": (
        [call("a", "TaskCreate", {}), result("a", "Task #7 created successfully: x"),
         call("b", "TaskUpdate", {"status": "in_progress"}), result("b", "Updated task #7 status")],
        ["in_progress: x"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_which_calls_count(case):
    records, expected = CALLS[case]
    assert list(plans_of(CLAUDE_CODE, lines(*records)).values()) == [expected]


def test_made_task_ids_are_told():
    ledger = Ledger()
    CLAUDE_CODE.decode(lines(call("a", "TaskCreate", {"subject": "x"})), ledger)
    assert [(loss.code, loss.path, loss.now) for loss in ledger.losses] == [
        (TASK_ID_ASSUMED, "/tasks/0/id", "1")
    ]


def test_deleted_tasks_are_no_plan_without_tasks_but_an_empty_one():
    data = lines(
        call("a", "TaskCreate", {"subject": "x"}),
        result("a", "Task #1 created successfully: x"),
        call("b", "TaskUpdate", {"taskId": 1, "status": "deleted"}),
        result("b"),
    )
    assert states_of(CLAUDE_CODE, data) == [("tasks", ["pending: x"]), ("tasks", [])]


def test_a_side_chain_changes_the_main_agents_tasks_and_keeps_its_own():
    data = lines(
        call("a", "TaskCreate", {"subject": "main"}),
        result("a", "Task #1 created successfully: main"),
        call("b", "TaskCreate", {"subject": "side"}, agentId="x"),
        result("b", "Task #2 created successfully: side", agentId="x"),
        call("c", "TaskUpdate", {"taskId": "1", "status": "completed"}, agentId="x"),
        result("c", agentId="x"),
    )
    assert plans_of(CLAUDE_CODE, data) == {
        ("s", "tasks"): ["completed: main"],
        ("s", "tasks@x"): ["pending: side"],
    }


def test_letters_may_be_escaped():
    data = lines({"type": "user"}, call("a", "TodoWrite", todos(("x", "pending"))), result("a"))
    data = data.replace(b"TodoWrite", b"\\u0054odo\\u0057rite")
    assert plans_of(CLAUDE_CODE, data) == {("s", "todos"): ["pending: x"]}


def test_a_torn_last_line_is_a_bad_record():
    whole = lines(call("a", "TodoWrite", todos(("x", "pending"))), result("a"))
    data = whole + b'{"type":"assistant","mess'
    with pytest.raises(DecodeError) as caught:
        CLAUDE_CODE.decode(data, Ledger())
    assert caught.value.line == 3
    ledger = Ledger(skip_bad_records=True)
    assert plans_of(CLAUDE_CODE, data, ledger) == {("s", "todos"): ["pending: x"]}
    assert [(bad.error.line, bad.raw) for bad in ledger.bad_records] == [(3, data[len(whole) :])]


def test_losses_are_those_of_the_final_state():
    ledger = Ledger()
    data = lines(
        call("a", "TodoWrite", {"todos": [{"content": "x"}]}),
        call("b", "TodoWrite", todos(("x", "pending"))),
    )
    CLAUDE_CODE.decode(data, ledger)
    assert not ledger.losses


@pytest.mark.parametrize(
    "name",
    [
        "claude-todos-old.jsonl",
        "claude-tasks.jsonl",
        "claude-stream.jsonl",
        "claude-todos.json",
        "claude-task.json",
    ],
)
def test_it_is_recognised(name):
    assert CLAUDE_CODE.recognise(log(name))


def test_it_is_only_read():
    with pytest.raises(EncodeError, match=r"only read.*native"):
        CLAUDE_CODE.encode([], Ledger())
