"""Entries of todo lists as tasks."""

import pytest

from planconv.loss import ENTRY_DROPPED, PRIORITY_ASSUMED, STATUS_ASSUMED, Ledger
from planconv.model import Heading, Paragraph, Plan, Rule, Text, text_line
from planconv.wire.logs.todos import Shape, entries_of, fill_document, fill_plan, read_blocks


def read_text(text):
    title, _, below = text.partition("\n\n")
    return text_line(title), tuple(Paragraph(text_line(part)) for part in below.split("\n\n") if part)


SHAPE = Shape("own", "claude-code", ("content", "title"), read_text, left_out=("blocks",))


def read(*entries):
    ledger = Ledger()
    plan = fill_plan(Plan("p", "s"), entries, SHAPE, ledger, 7)
    return list(plan.tasks()), [(loss.code, loss.path, loss.was, loss.line) for loss in ledger.losses]


@pytest.mark.parametrize(
    ("entry", "attribute", "value"),
    [
        ({}, "title", (Text("x"),)),
        ({"status": "complete"}, "status", "completed"),
        ({"status": "someday"}, "status", "someday"),
        ({"priority": "medium"}, "priority", None),
        ({"priority": "urgent"}, "priority", "urgent"),
        ({"id": 7}, "id", "7"),
        ({"id": ""}, "id", None),
        ({"blockedBy": [1, "2", None, 1]}, "depends_on", ("1", "2")),
        ({"description": "more"}, "details", (Paragraph((Text("more"),)),)),
        ({"blocks": ["1"], "owner": "ann"}, "extras", {"own": {"owner": "ann"}}),
        ({"description": 7, "id": [1]}, "extras", {"own": {"description": 7, "id": [1]}}),
    ],
)
def test_fields_of_an_entry(entry, attribute, value):
    (task,), losses = read({"content": "x", "status": "pending", **entry})
    assert getattr(task, attribute) == value
    assert not losses


@pytest.mark.parametrize("entry", ["broken", None, 7, [], {}, {"content": 7}, {"status": "completed"}])
def test_an_entry_without_a_text_is_dropped_and_reported(entry):
    tasks, losses = read(entry, {"content": "x", "status": "pending"})
    assert [task.title for task in tasks] == [(Text("x"),)]
    assert losses == [(ENTRY_DROPPED, "/tasks/0", entry, 7)]


@pytest.mark.parametrize("status", [None, 7, "", {}])
def test_work_without_a_status_is_not_done(status):
    (task,), losses = read({"content": "x", "status": status})
    assert task.status == "pending"
    assert losses == [(STATUS_ASSUMED, "/tasks/0/status", status, 7)]


def test_a_priority_that_is_no_word():
    (task,), losses = read({"content": "x", "status": "pending", "priority": 1})
    assert task.priority is None
    assert losses == [(PRIORITY_ASSUMED, "/tasks/0/priority", 1, 7)]


def test_the_text_below_a_title_stands_before_the_description():
    (task,), _ = read({"content": "x\n\nbelow", "status": "pending", "description": "more"})
    assert task.details == (Paragraph((Text("below"),)), Paragraph((Text("more"),)))


def test_no_entries_are_a_plan_without_tasks():
    assert read() == ([], [])


@pytest.mark.parametrize(
    ("todos", "entries", "codes"),
    [
        ([1], [1], []),
        ("[1]", [1], []),
        ([], [], []),
        ("no json", None, [ENTRY_DROPPED]),
        ({}, None, [ENTRY_DROPPED]),
        (None, None, [ENTRY_DROPPED]),
    ],
)
def test_a_list_may_be_written_as_a_string(todos, entries, codes):
    ledger = Ledger()
    assert entries_of(todos, ledger.at("/tasks")) == entries
    assert [loss.code for loss in ledger.losses] == codes


def test_a_text_as_blocks():
    assert read_blocks(" \n", read_text) == ()
    assert read_blocks("\na\n\nb", read_text) == (Paragraph((Text("a"),)), Paragraph((Text("b"),)))


def test_the_heading_at_the_start_of_a_document_is_the_title():
    title = (Text("T"),)
    assert fill_document(Plan("p"), (Heading(1, title), Rule())) == Plan("p", title=title, body=(Rule(),))
    assert fill_document(Plan("p"), (Heading(2, title),)) == Plan("p", body=(Heading(2, title),))
