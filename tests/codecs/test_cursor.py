"""Cursor's plans: the todos in the front matter are the tasks, and nothing else changes."""

import dataclasses

import pytest

import planconv
from planconv.loss import Ledger
from planconv.model import map_tasks, plain_text

PLAN = """---
name: Demo
overview: 'Two lists'
todos:
    - id: doc
      content: "Describe the routes"  # first
      status: pending
    - id: tests
      content: Add tests
      status: cancelled
isProject: false
---

# Another heading

- [x] Describe the routes
"""


def test_the_todos_are_the_tasks_and_boxes_below_are_text():
    (plan,) = planconv.decode(PLAN, "cursor")
    assert [(task.id, task.status) for task in plan.tasks()] == [("doc", "pending"), ("tests", "cancelled")]
    assert plain_text(plan.title) == "Demo"


@pytest.mark.parametrize("text", [PLAN, PLAN.replace("\n", "\r\n")])
def test_a_changed_status_changes_one_word(text):
    (plan,) = planconv.decode(text, "cursor")
    assert planconv.encode([plan], "cursor").decode() == text
    body = map_tasks(plan.body, lambda task: dataclasses.replace(task, status="completed"))
    new = planconv.encode([dataclasses.replace(plan, body=body)], "cursor").decode()
    assert new == text.replace("pending", "completed").replace("cancelled", "completed")


def test_yaml_that_is_not_quite_valid_is_read_and_the_line_is_named():
    ledger = Ledger()
    text = "\ufeff---\ntodos:\n  - id: a\n    content: Fix parser: keep order\n---\n"
    (plan,) = planconv.decode(text, "cursor", ledger)
    assert [plain_text(task.title) for task in plan.tasks()] == ["Fix parser: keep order"]
    assert [(loss.code.number, loss.line) for loss in ledger.losses] == [("PC310", 4), ("PC301", 3)]


def test_without_todos_there_is_no_plan():
    with pytest.raises(planconv.NoPlanError):
        planconv.decode("---\nname: x\n---\n- [ ] a\n", "cursor")


def test_a_folded_text_is_one_line():
    (plan,) = planconv.decode("---\ntodos:\n  - content: >-\n      Fold\n      it\n---\n", "cursor")
    assert [plain_text(task.title) for task in plan.tasks()] == ["Fold it"]


@pytest.mark.parametrize(
    ("status", "box", "noted"),
    [
        ("pending", "x", [("/tasks/0/status", "completed", "pending")]),
        ("completed", " ", [("/tasks/0/status", "pending", "completed")]),
        ("completed", "x", []),
        ("in_progress", " ", []),
    ],
)
def test_a_box_that_says_otherwise_than_its_todo_is_noted(status, box, noted):
    todo = f"  - id: a\n    content: Add `tests`\n    status: {status}\n"
    text = f"---\ntodos:\n{todo}---\n\n- [{box}] add `tests`\n"
    ledger = Ledger()
    (plan,) = planconv.decode(text, "cursor", ledger)
    assert [task.status for task in plan.tasks()] == [status], "the todo is the task"
    found = [(loss.path, loss.was, loss.now) for loss in ledger.losses if loss.code.number == "PC311"]
    assert found == noted
    assert planconv.encode([plan], "cursor").decode() == text


def test_boxes_with_the_same_text_decide_nothing():
    text = "---\ntodos:\n  - id: a\n    content: Add\n    status: pending\n---\n\n- [x] Add\n- [ ] Add\n"
    ledger = Ledger()
    planconv.decode(text, "cursor", ledger)
    assert not ledger.losses
