"""What is written of a plan's versions is what would be written of each alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.codecs.slack import SLACK
from planconv.loss import STATUS_AS_TEXT, Ledger
from planconv.model import Paragraph, Plan, Source, Task, TaskList, text_line
from planconv.wire.slack.limits import MAX_CHARACTERS

TITLES = ["Read the code", "Read the code", "Fix `it`", "", "Long " * 500]
STATUSES = ["pending", "in_progress", "completed", "cancelled", "failed", "_odd"]
IDS = [None, None, "1", "2", "read-the-code"]


def task(title: str, status: str = "pending", id: str | None = None, **fields: object) -> Task:
    return Task(text_line(title), status, id=id, **fields)  # type: ignore[arg-type]


tasks = st.builds(
    task,
    st.sampled_from(TITLES),
    st.sampled_from(STATUSES),
    st.sampled_from(IDS),
    details=st.sampled_from([(), (), (Paragraph(text_line("more")),)]),
    sources=st.sampled_from([(), (), (Source("https://a.b", "c"),)]),
)


@st.composite
def versions(draw: st.DrawFn) -> list[Plan]:
    """A plan and what becomes of it: tasks that change, come and go."""
    rows = draw(st.lists(tasks, min_size=1, max_size=6))
    title = draw(st.sampled_from(["", "A plan"]))
    plans = []
    for _ in range(draw(st.integers(2, 5))):
        plans.append(Plan(title=text_line(title), body=(TaskList(tuple(rows)),)))
        place = draw(st.integers(0, len(rows) - 1))
        match draw(st.sampled_from(["status", "status", "task", "more", "none"])):
            case "status":
                old = rows[place]
                status = draw(st.sampled_from(STATUSES))
                rows = [*rows[:place], Task(old.title, status, id=old.id), *rows[place + 1 :]]
            case "task":
                rows = [*rows[:place], draw(tasks), *rows[place + 1 :]]
            case "more":
                rows = [*rows, draw(tasks)]
    return plans


@given(versions())
def test_each_version_is_written_as_if_it_were_alone(plans: list[Plan]) -> None:
    repeats = SLACK.repeats(Ledger())
    for plan in plans:
        assert repeats.write(plan, "key") == SLACK.encode([plan], Ledger())


def test_only_what_changed_is_noted_again() -> None:
    ledger = Ledger()
    repeats = SLACK.repeats(ledger)
    rows = [task("a", "blocked"), task("b"), task("c")]
    repeats.write(Plan(body=(TaskList(tuple(rows)),)), "key")
    ledger.losses.clear()
    repeats.write(Plan(body=(TaskList((*rows[:2], task("c", "blocked"))),)), "key")
    assert [(loss.code, loss.path) for loss in ledger.losses] == [(STATUS_AS_TEXT, "/tasks/2/status")]


@pytest.mark.parametrize("size", range(MAX_CHARACTERS - 50, MAX_CHARACTERS + 3, 4))
def test_a_plan_that_outgrows_a_message_is_cut_as_ever(size: int) -> None:
    repeats = SLACK.repeats(Ledger())
    for status in ("pending", "blocked"):  # the word stands behind the title
        rows = (task("x" * (size - 6000), status), task("y" * 6000))
        plan = Plan(body=(TaskList(rows),))
        assert repeats.write(plan, "key") == SLACK.encode([plan], Ledger())


def test_a_plan_that_is_gone_is_forgotten() -> None:
    ledger = Ledger()
    repeats = SLACK.repeats(ledger)
    plan = Plan(body=(TaskList((task("a"),)),))
    repeats.write(plan, "key")
    noted = list(ledger.losses)
    ledger.losses.clear()
    repeats.forget("key")
    repeats.write(plan, "key")
    assert ledger.losses == noted
