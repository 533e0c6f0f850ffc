"""The laws of bringing a file up to date, for every format and every status."""

import dataclasses

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import planconv
from planconv import registry
from planconv.convert import encode
from planconv.errors import DecodeError, EncodeError, UsageError
from planconv.loss import Ledger
from planconv.markdown.dialect import DIALECTS
from planconv.model import Plan, Task, TaskList, map_tasks, text_line
from planconv.status import CANCELLED, COMPLETED, KNOWN, PENDING, write_status
from planconv.testing.plans import plan_groups
from planconv.update import FORMATS, Source, update
from tests.formatter.pieces import documents
from tests.update.files import changed_lines

IN_MARKDOWN = ["markdown", *DIALECTS]
PECULIAR = ["markdown", "kiro", "openspec", "conductor", "execplan"]
"""One dialect for each habit of reading."""
few = settings(max_examples=12)
NATIVE = registry.get("native").info


def brought_up(data, form, plans, info):
    ledger = Ledger()
    return update(data, form, [Source(plan, info) for plan in plans], ledger), ledger.losses


def with_statuses(plans, statuses):
    """The plans in which the tasks of these numbers have these statuses."""
    numbers = iter(range(1_000_000))

    def change(task):
        number = next(numbers)
        return dataclasses.replace(task, status=statuses[number]) if number in statuses else task

    return [dataclasses.replace(plan, body=map_tasks(plan.body, change)) for plan in plans]


# --- a file is up to date with itself -----------------------------------------------------------------


def assert_up_to_date(data, form):
    try:
        plans = planconv.decode(data, form)
    except DecodeError:
        return
    done, losses = brought_up(data, form, plans, registry.get(form).info)
    assert (form, *done) == (form, data, 0, 0)
    assert not losses, form


@few
@given(documents())
def test_no_document_changes_by_itself(text):
    for form in PECULIAR:
        assert_up_to_date(text.encode(), form)


@few
@given(plan_groups(), st.sampled_from([b"", b"\xef\xbb\xbf"]), st.sampled_from([b"\n", b"\r\n"]))
def test_no_file_changes_by_itself(plans, bom, end):
    for form in FORMATS:
        try:
            data = encode(plans, form)
        except EncodeError:
            continue
        assert_up_to_date(bom + data.replace(b"\n", end), form)


# --- changing one status changes one line -------------------------------------------------------------


@pytest.mark.parametrize("form", IN_MARKDOWN)
@few
@given(st.lists(st.tuples(st.sampled_from(KNOWN), st.sampled_from(KNOWN)), min_size=1, max_size=6))
def test_as_many_lines_change_as_statuses(form, statuses):
    tasks = [Task(text_line(f"Task number {n}"), was) for n, (was, _) in enumerate(statuses)]
    file = encode([Plan(title=text_line("Plan"), body=(TaskList(tuple(tasks)),))], form)
    data = b"---\r\nkey: value\r\n---\r\n" + file.replace(b"\n", b"\r\n") + b"\r\n    code  "
    plans = planconv.decode(data, form)
    wanted = with_statuses(plans, {n: now for n, (_, now) in enumerate(statuses)})
    done, losses = brought_up(data, form, wanted, NATIVE)
    count = sum(was != now for was, now in statuses)
    assert (done.statuses, done.texts, losses) == (count, 0, [])
    assert len(changed_lines(data.decode(), done.data.decode())) == count
    after = [task.status for plan in planconv.decode(done.data, form) for task in plan.tasks()]
    assert after == [now for _, now in statuses]


@pytest.mark.parametrize("form", PECULIAR)
@few
@given(documents(), st.data())
def test_a_document_says_what_it_is_told(form, text, data):
    try:
        plans = planconv.decode(text, form)
    except DecodeError:
        assume(False)
    count = sum(1 for plan in plans for _ in plan.tasks())
    statuses = data.draw(st.dictionaries(st.integers(0, max(count - 1, 0)), st.sampled_from(KNOWN)))
    wanted = with_statuses(plans, statuses)
    done, _ = brought_up(text.encode(), form, wanted, NATIVE)
    back = planconv.decode(done.data, form)
    assert [t.status for p in back for t in p.tasks()] == [t.status for p in wanted for t in p.tasks()]


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("now", KNOWN)
def test_every_status_can_become_every_other(form, now):
    tasks = [Task(text_line(f"Read part {number}"), was) for number, was in enumerate(KNOWN)]
    file = encode([Plan(body=(TaskList((*tasks, Task(text_line("Stay")))),))], form)
    plans = planconv.decode(file, form)
    wanted = with_statuses(plans, dict.fromkeys(range(len(KNOWN)), now))
    done, _ = brought_up(file, form, wanted, NATIVE)
    (plan,) = planconv.decode(done.data, form)
    assert [task.status for task in plan.tasks()] == [now] * len(KNOWN) + [PENDING]
    assert (now == COMPLETED) == any(
        mark in done.data for mark in (b"[x]", b"status: completed", b'"done"')
    )
    back, _ = brought_up(done.data, form, plans, NATIVE)
    assert back.data == file


def test_what_no_vocabulary_has_is_said_and_not_written():
    file = b"- [ ] Read it\n"
    told = Plan(body=(TaskList((Task(text_line("Read it"), "_50%"),)),))
    done, losses = brought_up(file, "markdown", [told], NATIVE)
    assert done == (file, 0, 0)
    assert [(loss.code.number, loss.path, loss.was) for loss in losses] == [
        ("PC101", "/tasks/0/status", "_50%")
    ]


@pytest.mark.parametrize("form", ["acp", "slack", "native", "claude-code"])
def test_other_formats_cannot_be_changed_in_place(form):
    with pytest.raises(UsageError, match=f"a file in {form} cannot be changed in place; these can: con"):
        update(b"{}", form, [], Ledger())


def test_a_mark_is_near_or_exact_as_the_table_says():
    file = b"- [ ] Read it\n"
    told = Plan(body=(TaskList((Task(text_line("Read it"), CANCELLED),)),))
    for form in IN_MARKDOWN:
        done, _ = brought_up(file, form, [told], NATIVE)
        cell = write_status(registry.get(form).info.vocabulary, CANCELLED)
        behind = " Read it" if cell.exact else " ~~Read it~~ _(cancelled)_"
        assert done.data.decode() == f"- [{cell.word}]{behind}\n", form
