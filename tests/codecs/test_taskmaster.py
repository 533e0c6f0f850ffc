"""Task Master's files: tags, subtasks, and everything that is not ours."""

import dataclasses
import json

import pytest

import planconv
from planconv.loss import Ledger
from planconv.model import map_tasks

TASK = {
    "id": 3,
    "title": "Build",
    "description": "Short.",
    "status": "in-progress",
    "dependencies": [1, "2.1"],
    "priority": "high",
    "details": "Long.\n\n- a\n- b",
    "testStrategy": "Run it.",
    "subtasks": [
        {"id": 1, "title": "One", "description": "", "status": "done", "dependencies": []},
        {"id": 2, "title": "Two", "status": "review", "dependencies": [1], "parentTaskId": 3},
    ],
    "complexity": 7,
}
FILES = {
    "tagged": {"master": {"tasks": [TASK], "metadata": {"created": "x"}}, "next": {"tasks": []}},
    "legacy": {"tasks": [TASK], "metadata": {}},
    "stray": {"version": "1.0", "tags": {"master": {"name": "m", "tasks": [TASK]}}},
    "strings": {"master": {"tasks": [{**TASK, "id": "3", "details": None}]}},
}


@pytest.mark.parametrize("value", FILES.values(), ids=FILES)
def test_a_file_comes_back_as_it_was(value):
    text = json.dumps(value, indent=2) + "\n"
    assert planconv.convert(text, "taskmaster", "taskmaster").text == text


def test_subtasks_have_the_ids_of_their_parents():
    (plan,) = planconv.decode(json.dumps(FILES["legacy"]), "taskmaster")
    assert [(task.id, task.status, task.depends_on) for task in plan.tasks()] == [
        ("3", "in_progress", ("1", "2.1")),
        ("3.1", "completed", ()),
        ("3.2", "review", ("3.1",)),
    ]


@pytest.mark.parametrize(
    ("odd", "change", "was", "now"),
    [
        ({"status": "completed"}, {"status": "pending"}, "completed", "pending"),
        ({"priority": ""}, {"priority": "high"}, "", "high"),
        ({"dependencies": ["1", None]}, {"depends_on": ("2",)}, ["1", None], [2]),
    ],
)
def test_an_odd_value_that_gives_way_to_a_change_is_noted(odd, change, was, now):
    text = json.dumps({"master": {"tasks": [{**TASK, **odd, "subtasks": []}]}}, indent=2) + "\n"
    (plan,) = planconv.decode(text, "taskmaster")
    unchanged = Ledger()
    assert planconv.encode([plan], "taskmaster", unchanged).decode() == text
    assert not unchanged.losses
    body = map_tasks(plan.body, lambda task: dataclasses.replace(task, **change))
    ledger = Ledger()
    planconv.encode([dataclasses.replace(plan, body=body)], "taskmaster", ledger)
    (key,) = odd
    assert [(loss.code.number, loss.path, loss.was, loss.now) for loss in ledger.losses] == [
        ("PC104", "/tasks/0/extras/taskmaster/as_written", {key: was}, {key: now})
    ]
