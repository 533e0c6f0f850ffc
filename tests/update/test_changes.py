"""What a source is believed: an agent's own list has fewer words than a file, in both senses."""

import json

import pytest

from planconv import registry
from planconv.loss import Ledger
from planconv.model import Plan, Task, TaskList, text_line
from planconv.update import Source, update
from tests.update.files import updated


def log(*todos):
    return json.dumps([{"content": text, "status": status, "activeForm": text} for text, status in todos])


@pytest.mark.parametrize(
    ("line", "todo", "now"),
    [
        # it ticks, and does not shorten what the file says
        ("- [ ] T001 [P] Do the job", ("T001: Do job", "completed"), "- [x] T001 [P] Do the job"),
        ("- [ ] T001 Write the parser", ("T001: Write a printer", "pending"), "- [ ] T001 Write a printer"),
        # it has no word for what is blocked, and does not unblock it
        ("- [ ] Write _(blocked)_", ("Write", "pending"), "- [ ] Write _(blocked)_"),
        ("- [ ] Write _(blocked)_", ("Write", "in_progress"), "- [ ] Write _(in progress)_"),
        # what it has a word for, it takes back
        ("- [x] Write", ("Write", "pending"), "- [ ] Write"),
        ("- [ ] Write _(in progress)_", ("Write", "pending"), "- [ ] Write"),
    ],
)
def test_a_list_of_an_agent(line, todo, now):
    assert updated(f"{line}\n", "speckit", log(todo), "claude-code")[0] == f"{now}\n"


def test_a_plan_that_people_edit_says_it_all():
    text = "- [ ] T001 Write the parser _(blocked)_\n"
    assert updated(text, "speckit", "- [ ] T001 Write parser")[0] == "- [ ] T001 Write parser\n"


def test_the_counts_of_an_agent_are_no_ids_of_the_file():
    tasks = [
        {"id": "1", "subject": "Build my shop", "description": "", "status": "completed"},
        {"id": "2", "subject": "Set up the shop on Monday", "description": "", "status": "in_progress"},
    ]
    text = "- [ ] 1. Set up the shop\n- [ ] 2. Build the shop\n"
    for task in tasks:
        text, _, _ = updated(text, "kiro", json.dumps(task), "claude-code")
    assert text == "- [-] 1. Set up the shop\n- [x] 2. Build the shop\n"


def test_the_first_source_that_speaks_of_a_task_is_heard():
    info = registry.get("native").info
    plans = [
        Plan(id, body=(TaskList((Task(text_line("Ship"), status),)),))
        for id, status in (("a", "completed"), ("b", "failed"))
    ]
    ledger = Ledger()
    done = update(b"- [ ] Ship\n", "markdown", [Source(plan, info) for plan in plans], ledger)
    assert done.data == b"- [x] Ship\n"
    assert [(loss.plan, loss.path, loss.was) for loss in ledger.losses] == [("b", "/tasks/0", "Ship")]


def test_what_loses_styles_on_the_way_does_not_take_them_from_the_file():
    text = "- [ ] T001 Read [the **docs**](https://example.com/a) and `run`\n"
    card = {"type": "task_card", "task_id": "T001", "title": "T001 Read the docs and `run`"}
    slack = json.dumps({"type": "plan", "title": "P", "tasks": [{**card, "status": "complete"}]})
    assert updated(text, "speckit", slack, "slack")[0] == text.replace("[ ]", "[x]")
