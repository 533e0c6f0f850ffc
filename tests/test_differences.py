"""Two plans are compared in the words of the ledger."""

import dataclasses

import pytest

from planconv.differences import differences, note_differences
from planconv.loss import Ledger
from planconv.model import Heading, Paragraph, Plan, Source, Task, TaskList, Text, make_line


def line(text):
    return make_line([Text(text)])


def words(text):
    return Paragraph(line(text))


INNER = Task(line("Inner"))
OUTER = Task(line("Outer"), details=(words("why"), TaskList((INNER,))))
LAST = Task(line("Last"), priority="high", depends_on=("1",))
PLAN = Plan("p", title=line("Title"), body=(words("above"), TaskList((OUTER, LAST)), words("below")))


def with_tasks(*tasks):
    return dataclasses.replace(PLAN, body=(words("above"), TaskList(tasks), words("below")))


CHANGES = {
    "nothing": (PLAN, []),
    "the id": (dataclasses.replace(PLAN, id=None), ["/id"]),
    "the title": (dataclasses.replace(PLAN, title=()), ["/title"]),
    "luggage of a plan": (dataclasses.replace(PLAN, extras={"acp": {"k": 1}}), ["/extras/acp/k"]),
    "a status": (with_tasks(OUTER, dataclasses.replace(LAST, status="completed")), ["/tasks/2/status"]),
    "a priority": (with_tasks(OUTER, dataclasses.replace(LAST, priority=None)), ["/tasks/2/priority"]),
    "sources": (with_tasks(OUTER, dataclasses.replace(LAST, sources=(Source("u"),))), ["/tasks/2/sources"]),
    "a need": (with_tasks(OUTER, dataclasses.replace(LAST, depends_on=())), ["/tasks/2/depends_on"]),
    "an inner title": (
        with_tasks(
            dataclasses.replace(
                OUTER, details=(words("why"), TaskList((dataclasses.replace(INNER, title=line("X")),)))
            ),
            LAST,
        ),
        ["/tasks/1/title"],
    ),
    "prose": (dataclasses.replace(PLAN, body=(*PLAN.body[:2], words("other"))), ["/body/2"]),
}


@pytest.mark.parametrize(("changed", "paths"), CHANGES.values(), ids=CHANGES)
def test_a_difference_has_the_path_of_its_field(changed, paths):
    assert [found.path for found in differences(PLAN, changed)] == paths


def test_a_task_that_is_gone_is_named():
    assert any(found.lies_under("/tasks/2") for found in differences(PLAN, with_tasks(OUTER)))


def test_a_flattened_list_differs_in_the_place_of_its_tasks_only():
    flat = with_tasks(dataclasses.replace(OUTER, details=(words("why"),)), INNER, LAST)
    assert {found.path for found in differences(PLAN, flat)} == {"/tasks/1"}


@pytest.mark.parametrize(
    ("named", "covered"),
    [
        ("/tasks/2/status", True),
        ("/tasks/2", True),
        ("/tasks/1", False),
        ("/tasks/20", False),
        ("/tasks", False),
        ("", False),
    ],
)
def test_a_note_speaks_for_what_lies_under_its_path(named, covered):
    (found,) = differences(PLAN, with_tasks(OUTER, dataclasses.replace(LAST, status="completed")))
    assert found.lies_under(named) is covered


def test_only_what_no_note_has_named_is_noted():
    after = dataclasses.replace(
        with_tasks(OUTER, dataclasses.replace(LAST, priority=None)),
        body=(
            Heading(2, line("above")),
            TaskList((OUTER, dataclasses.replace(LAST, priority=None))),
            words("below"),
        ),
    )
    ledger = Ledger()
    note_differences([PLAN], [after], ledger)
    found = [loss.path for loss in ledger.losses]
    assert "/tasks/2/priority" in found
    assert "/body/0" in found
    note_differences([PLAN], [after], ledger)
    assert [loss.path for loss in ledger.losses] == found
