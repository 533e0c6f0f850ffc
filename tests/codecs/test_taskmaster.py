"""Task Master's files: tags, subtasks, and everything that is not ours."""

import json

import pytest

import planconv

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
