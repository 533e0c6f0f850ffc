"""The laws themselves: they hold for honest codecs and find what dishonest ones do."""

import dataclasses

import pytest
from hypothesis import given

from planconv.codec import NO
from planconv.convert import leave_behind
from planconv.differences import note_differences
from planconv.errors import EncodeError
from planconv.loss import Ledger
from planconv.model import Break, Heading, List, Paragraph, Plan, Source, Style, Task, TaskList, Text
from planconv.testing import (
    CodecLaws,
    Difference,
    LawError,
    differences,
    faults,
    honesty,
    plans,
    silence,
    stability,
    totality,
)
from tests.fakes import Crasher, Drifter, Exact, Liar, Mumbler, Plain, info

TASK = Task((Text("a"),))
URGENT = Plan(body=(TaskList((Task((Text("a"),), priority="high"),)),))


class TestExact(CodecLaws):
    codec = Exact()


class TestPlain(CodecLaws):
    codec = Plain()


@pytest.mark.parametrize(
    ("law", "codec", "message"),
    [
        (honesty, Liar(), "nothing in the ledger names\n  /tasks/0/priority\n    before: 'high'"),
        (honesty, Mumbler(), "nothing in the ledger names\n  /tasks/0/priority"),
        (silence, Liar(), "silence of liar: and yet there differ\n  /tasks/0/priority"),
        (stability, Drifter(), "the second output is not the first"),
    ],
)
def test_broken_law_is_found(law, codec, message):
    with pytest.raises(LawError) as caught:
        law(codec, [URGENT])
    assert message in str(caught.value)


@pytest.mark.parametrize("codec", [Exact(), Plain()])
@pytest.mark.parametrize("law", [honesty, silence, stability])
def test_kept_law_says_nothing(law, codec):
    law(codec, [URGENT])


def test_crash_breaks_totality():
    with pytest.raises(LawError, match="ValueError"):
        totality(Crasher(), b"\xff")


def test_codec_that_refuses_every_plan_does_not_pass():
    class Refuser(Exact):
        def encode(self, plans, ledger):
            raise EncodeError("no")

    laws = CodecLaws()
    laws.codec = Refuser()
    with pytest.raises(LawError, match="refuses to write any plan"):
        laws.test_honesty()


def test_broken_form_is_found():
    codec = Exact()
    codec.written.append([Plan(title=(Text(""),))])
    with pytest.raises(LawError, match="empty texts"):
        totality(codec, b"0")


# --- differences --------------------------------------------------------------------------------


def plan(*blocks):
    return Plan(body=blocks)


def listed(*tasks, **options):
    return TaskList(tuple(tasks), **options)


PARENT = dataclasses.replace(TASK, details=(listed(TASK),))


@pytest.mark.parametrize(
    ("before", "after", "paths"),
    [
        (plan(listed(TASK)), plan(listed(TASK)), []),
        (Plan(id="a"), Plan(id="b"), ["/id"]),
        (Plan(title=(Text("a"),)), Plan(), ["/title"]),
        (URGENT, plan(listed(TASK)), ["/tasks/0/priority"]),
        (plan(listed(TASK, TASK)), plan(listed(TASK)), ["/tasks/1"]),
        (plan(Heading(1, ()), listed(TASK)), plan(listed(TASK)), ["/body/0"]),
        (plan(listed(TASK), Heading(1, ())), plan(listed(TASK)), ["/body/1"]),
        (plan(listed(TASK)), plan(listed(TASK), Heading(1, ())), ["/body/1"]),
        (plan(listed(TASK, ordered=True)), plan(listed(TASK)), ["/tasks/0"]),
        (plan(listed(PARENT)), plan(listed(TASK, TASK)), ["/tasks/1"]),
        (
            plan(listed(dataclasses.replace(PARENT, details=(Heading(1, ()), *PARENT.details)))),
            plan(listed(TASK, TASK)),
            ["/tasks/0/details", "/tasks/1"],
        ),
        (
            plan(Paragraph((Text("a"),)), listed(TASK), Paragraph((Text("b"),))),
            plan(Paragraph((Text("a"),)), Paragraph((Text("b"),)), listed(TASK)),
            ["/body/2"],
        ),
        (Plan(extras={"acp": {"_meta": 1}}), Plan(), ["/extras/acp/_meta"]),
        (
            plan(listed(TASK)),
            plan(listed(dataclasses.replace(TASK, sources=(Source("u"),)))),
            ["/tasks/0/sources"],
        ),
    ],
)
def test_differences_have_the_paths_of_the_ledger(before, after, paths):
    assert sorted({difference.path for difference in differences(before, after)}) == sorted(paths)


def test_text_that_was_left_behind_is_noted_once():
    ledger = Ledger()
    before = plan(Heading(1, ()), listed(dataclasses.replace(TASK, priority="high")))
    left = leave_behind(before, info("flat", PROSE=NO), ledger)
    note_differences([left], [plan(listed(TASK))], ledger, len(ledger.losses))
    assert [(loss.code.number, loss.path) for loss in ledger.losses] == [
        ("PC103", "/body/0"),
        ("PC101", "/tasks/0/priority"),
    ]


@given(plans(), plans())
def test_differences_are_empty_exactly_for_equal_plans(one, other):
    assert differences(one, one) == []
    assert bool(differences(one, other)) == (one != other)


@pytest.mark.parametrize(
    ("named", "meant"),
    [
        ("/tasks/3/details", True),
        ("/tasks/3/details/0/line", True),
        ("/tasks/3", True),
        ("/body/0", True),
        ("/tasks/3/title", False),
        ("/tasks/30", False),
        ("/tasks", False),
        ("", False),
    ],
)
def test_note_speaks_for_a_field_and_never_for_everything(named, meant):
    assert Difference("/tasks/3/details", None, None, also=("/body/0",)).lies_under(named) is meant


# --- the strategies -----------------------------------------------------------------------------


@given(plans())
def test_plans_are_in_normal_form(plan):
    assert faults(plan) == []
    assert list(plan.tasks())


@pytest.mark.parametrize(
    ("made", "fault"),
    [
        (Plan(title=(Text("a"), Text("b"))), "neighbours"),
        (Plan(title=(Text("a\nb"),)), "line break"),
        (plan(Paragraph(())), "empty blocks"),
        (plan(listed(TASK), listed(TASK)), "lists that go on"),
        (plan(List((), start=2)), "empty blocks"),
        (plan(listed(dataclasses.replace(TASK, priority="medium"))), "ordinary"),
        (plan(listed(dataclasses.replace(TASK, output=(Paragraph(()),)))), "/tasks/0/output"),
        (plan(listed(TASK, start=2)), "starts at 2"),
    ],
)
def test_faults_of_form_are_found(made, fault):
    assert any(fault in found for found in faults(made))


def test_styles_and_breaks_are_no_fault():
    assert faults(Plan(title=(Text("a"), Text("b", Style.BOLD), Break()))) == []
