"""The dialects of checklists, each with what it alone means."""

import dataclasses
import difflib

import pytest

import planconv
from planconv.model import map_tasks, plain_text, walk_tasks

KIRO = """# Implementation Plan

- [x] 1. Set up
  - Make folders
  - _Requirements: 1.1, 1.2_

- [ ] 2. Core
- [-] 2.1 Models
  
- [~] 2.2 Queued
- [ ]* 2.3 Property test

- [ ] 3. Checkpoint
"""  # noqa: W293 - blanks on an empty line come back too
SUPERPOWERS = """### Task 1: Server

- [ ] **Step 1: Write the test**

```js
- [ ] no task
```

Run: `npm test`

- [ ] **Step 2: Make it pass**
"""
CONDUCTOR = """# Tracks

---

## [~] Track: Nets
*Link: [./tracks/nets](tracks/nets)*

---

## [x] Track: Ropes
"""
EXECPLAN = """## Progress

- [x] (2025-10-01 13:00Z) Done step.
- [ ] Next step.

## Validation

- [ ] no task
"""
SPECKIT = """## Phase 1: Setup (Priority: P1)

- [X] T001 [P] [US1] Make `src/a.py`
- [ ] T014 Join (depends on T012, T013)

## Notes

- [P] tasks = different files
"""


def tasks(text, dialect):
    (plan,) = planconv.decode(text, dialect)
    return [(depth, task.status, task.id, plain_text(task.title)) for depth, task in walk_tasks(plan.body)]


def test_kiro_takes_the_place_of_a_task_from_its_number():
    assert tasks(KIRO, "kiro") == [
        (0, "completed", "1", "1. Set up"),
        (0, "pending", "2", "2. Core"),
        (1, "in_progress", "2.1", "2.1 Models"),
        (1, "pending", "2.2", "2.2 Queued"),
        (1, "pending", "2.3", "2.3 Property test"),
        (0, "pending", "3", "3. Checkpoint"),
    ]


def test_speckit_has_ids_and_what_they_depend_on():
    (plan,) = planconv.decode(SPECKIT, "speckit")
    assert [(task.id, task.status, task.depends_on) for task in plan.tasks()] == [
        ("T001", "completed", ()),
        ("T014", "pending", ("T012", "T013")),
    ]


def test_superpowers_keeps_unindented_text_with_its_step():
    (plan,) = planconv.decode(SUPERPOWERS, "superpowers")
    assert [len(task.details) for task in plan.tasks()] == [2, 0]


def test_conductor_reads_the_box_of_a_heading():
    assert [status for _, status, _, _ in tasks(CONDUCTOR, "conductor")] == ["in_progress", "completed"]


@pytest.mark.parametrize("text", [EXECPLAN, f"````md\n{EXECPLAN}````\n"])
def test_execplan_has_tasks_in_its_progress_only(text):
    assert [status for _, status, _, _ in tasks(text, "execplan")] == ["completed", "pending"]


@pytest.mark.parametrize(
    ("dialect", "mark", "status"),
    [
        ("kiro", "-", "in_progress"),
        ("kiro", "~", "pending"),
        ("roo", "~", "in_progress"),
        ("conductor", "~", "in_progress"),
        ("gitlab", "~", "cancelled"),
        ("obsidian", "-", "cancelled"),
        ("obsidian", "/", "in_progress"),
        ("openspec", "~", "pending"),
        ("execplan", "~", "pending"),
    ],
)
def test_a_mark_means_what_its_tool_means(dialect, mark, status):
    text = f"- [{mark}] A task\n"
    (plan,) = planconv.decode(text, dialect)
    assert [task.status for task in plan.tasks()] == [status]
    assert planconv.encode([plan], dialect).decode() == text


FILES = [
    (KIRO, "kiro"),
    (SUPERPOWERS, "superpowers"),
    (CONDUCTOR, "conductor"),
    (EXECPLAN, "execplan"),
    (SPECKIT, "speckit"),
]


@pytest.mark.parametrize(("text", "dialect"), FILES)
def test_a_file_comes_back_as_it_was(text, dialect):
    assert planconv.convert(text, dialect, dialect).text == text


@pytest.mark.parametrize(("text", "dialect"), FILES)
def test_a_changed_status_changes_one_line(text, dialect):
    (plan,) = planconv.decode(text, dialect)
    last = list(plan.tasks())[-1]
    changed = "pending" if last.done else "completed"
    body = map_tasks(
        plan.body,
        lambda task: dataclasses.replace(task, status=changed) if task.title == last.title else task,
    )
    new = planconv.encode([dataclasses.replace(plan, body=body)], dialect).decode()
    lines = [line for line in difflib.ndiff(text.split("\n"), new.split("\n")) if line[0] in "+-"]
    assert [line[0] for line in lines] == ["-", "+"]
