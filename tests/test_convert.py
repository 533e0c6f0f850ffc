"""Conversions as a program asks for them, and what a target has no place for."""

import dataclasses

import pytest

import planconv
from planconv import registry
from planconv.codec import ANY_LUGGAGE, NO, Extent, Field
from planconv.convert import decode_pieces, leave_behind, select
from planconv.errors import (
    DecodeError,
    EncodeError,
    NoPlanError,
    StrictError,
    UnknownFormatError,
)
from planconv.loss import FIELD_DROPPED, LUGGAGE_DROPPED, PROSE_DROPPED, Ledger
from planconv.model import (
    Item,
    List,
    Paragraph,
    Plan,
    Quote,
    Source,
    Task,
    TaskList,
    map_tasks,
    plain_text,
    text_line,
)
from tests.fakes import info

CHECKLIST = "- [x] Größe prüfen\n- [ ] Tag\n"
WITHOUT_PRIORITY = '[{"content": "a", "status": "pending"}]'


def paragraph(text):
    return Paragraph(text_line(text))


FULL_TASK = Task(
    text_line("a"),
    priority="high",
    id="1",
    output=(paragraph("done so"),),
    sources=(Source("https://example.com"),),
    depends_on=("0", "7"),
)
PLAN = Plan(
    id="p",
    session="s",
    title=text_line("A plan"),
    body=(
        paragraph("before"),
        TaskList((dataclasses.replace(FULL_TASK, details=(TaskList((FULL_TASK,)),)),)),
        Quote((TaskList((Task(text_line("quoted")),)),)),
        List((Item((paragraph("plain"), TaskList((Task(text_line("in a list")),)))),)),
    ),
    reference="file:///plan.md",
)

NOTED = {
    Field.PLAN_ID: [("/id", "p")],
    Field.SESSION: [("/session", "s")],
    Field.PLAN_TITLE: [("/title", "A plan")],
    Field.REFERENCE: [("/reference", "file:///plan.md")],
    Field.PROSE: [("/body/0", "before"), ("/body/3", "plain\nin a list")],
    Field.PRIORITY: [("/tasks/0/priority", "high"), ("/tasks/1/priority", "high")],
    Field.TASK_ID: [("/tasks/0/id", "1"), ("/tasks/1/id", "1")],
    Field.OUTPUT: [("/tasks/0/output", ["done so"]), ("/tasks/1/output", ["done so"])],
    Field.SOURCES: [
        ("/tasks/0/sources", ["https://example.com"]),
        ("/tasks/1/sources", ["https://example.com"]),
    ],
    Field.DEPENDS_ON: [("/tasks/0/depends_on", ["0", "7"]), ("/tasks/1/depends_on", ["0", "7"])],
}
"""What is noted of :data:`PLAN` where a format has no place for a field: paths and values."""


# --- a conversion -------------------------------------------------------------------------------


def test_three_lines_convert():
    result = planconv.convert(CHECKLIST, "markdown", "slack")
    assert '"Größe prüfen"' in result.text
    assert [loss.code.number for loss in result.losses] == ["PC305", "PC306", "PC306"]


def test_a_string_stands_for_its_utf_8_bytes():
    assert planconv.convert(CHECKLIST, "markdown", "acp") == planconv.convert(
        CHECKLIST.encode(), "markdown", "acp"
    )
    assert planconv.decode(CHECKLIST, "markdown") == planconv.decode(CHECKLIST.encode(), "markdown")


def test_a_conversion_is_reading_and_writing():
    ledger = planconv.Ledger()
    plans = planconv.decode(CHECKLIST, "markdown", ledger)
    data = planconv.encode(plans, "slack", ledger)
    assert planconv.convert(CHECKLIST, "markdown", "slack") == (data, tuple(plans), tuple(ledger.losses))


def test_a_conversion_tells_the_plans_that_went_through():
    (plan,) = planconv.convert(CHECKLIST, "markdown", "acp").plans
    assert [(plain_text(task.title), task.done) for task in plan.tasks()] == [
        ("Größe prüfen", True),
        ("Tag", False),
    ]


def test_text_is_the_data():
    result = planconv.convert(CHECKLIST, "markdown", "markdown")
    assert result.text == CHECKLIST
    assert result.data == CHECKLIST.encode()


def test_losses_stand_under_the_format_at_work():
    losses = planconv.convert(WITHOUT_PRIORITY, "acp", "slack").losses
    assert (losses[0].format, losses[0].path) == ("acp", "/tasks/0/priority")
    assert {loss.format for loss in losses} == {"acp", "slack"}


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("name", ["acp", "markdown"])
def test_pieces_are_read_as_the_whole(name, size):
    data = planconv.convert(CHECKLIST * 2, "markdown", name).data
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert decode_pieces(pieces, name, Ledger()) == planconv.decode(data, name)


@pytest.mark.parametrize(
    ("data", "source", "target", "error"),
    [
        (CHECKLIST, "markdwon", "acp", UnknownFormatError),
        (CHECKLIST, "markdown", "slak", UnknownFormatError),
        ("{", "acp", "markdown", DecodeError),
        (b"\xff", "markdown", "acp", DecodeError),
        ("Nothing to do", "markdown", "acp", NoPlanError),
        (CHECKLIST, "markdown", "codex", EncodeError),
    ],
)
def test_what_cannot_be_converted_is_an_error(data, source, target, error):
    with pytest.raises(error):
        planconv.convert(data, source, target)


def test_strict_is_asked_for():
    assert planconv.convert(WITHOUT_PRIORITY, "acp", "markdown").text == "- [ ] a\n"
    with pytest.raises(StrictError):
        planconv.convert(WITHOUT_PRIORITY, "acp", "markdown", strict=True)


# --- which plans --------------------------------------------------------------------------------

FIRST, SECOND, THIRD = Plan("a", "s"), Plan("b", "s"), Plan("a", "t")


@pytest.mark.parametrize(
    ("chosen", "plans"),
    [
        ({}, [FIRST, SECOND, THIRD]),
        ({"plan_id": "a"}, [FIRST, THIRD]),
        ({"session": "s"}, [FIRST, SECOND]),
        ({"plan_id": "a", "session": "t"}, [THIRD]),
    ],
)
def test_plans_are_chosen_by_id_and_session(chosen, plans):
    assert select([FIRST, SECOND, THIRD], **chosen) == plans


def test_plans_may_come_one_by_one():
    assert select(iter([FIRST, SECOND]), "b") == [SECOND]


@pytest.mark.parametrize("chosen", [{"plan_id": "c"}, {"session": "u"}, {"plan_id": "b", "session": "t"}])
def test_a_choice_of_nothing_names_what_is_there(chosen):
    with pytest.raises(NoPlanError, match=r"a \(session s\), a \(session t\), b \(session s\)"):
        select([FIRST, SECOND, THIRD], **chosen)


def test_of_no_plans_none_is_chosen():
    assert select([], "a") == []


# --- what is left behind ------------------------------------------------------------------------


def left(plan, codec_info):
    ledger = Ledger()
    rest = leave_behind(plan, codec_info, ledger)
    return rest, ledger.losses


def value_of(plan, field):
    """What the plan has in a field: its own, or that of all tasks."""
    name = {Field.PLAN_TITLE: "title", Field.PROSE: "body"}.get(field, field.value.partition(".")[2])
    if field.value.startswith("plan."):
        return getattr(plan, name)
    return [getattr(task, name) for task in plan.tasks()]


@pytest.mark.parametrize("field", NOTED, ids=lambda field: field.value)
def test_a_field_without_a_place_is_noted_where_it_stood(field):
    rest, losses = left(PLAN, info("x", **{field.name: NO}))
    code = PROSE_DROPPED if field is Field.PROSE else FIELD_DROPPED
    assert [(loss.path, loss.was) for loss in losses] == NOTED[field]
    assert all((loss.code, loss.plan, loss.session) == (code, "p", "s") for loss in losses)
    if field is not Field.PROSE:  # where text has no place, writers look at the tasks only
        assert (
            not any(value_of(rest, field)) if field.value.startswith("task.") else not value_of(rest, field)
        )
    others = NOTED.keys() - {field, Field.PROSE}
    assert [value_of(rest, other) for other in others] == [value_of(PLAN, other) for other in others]


def test_a_format_that_holds_everything_gets_the_plan_itself():
    rest, losses = left(PLAN, info("x"))
    assert rest is PLAN
    assert not losses


def test_nothing_is_noted_of_what_is_not_there():
    empty = Plan(body=(TaskList((Task(text_line("a")),)),))
    rest, losses = left(empty, info("x", **{field.name: NO for field in NOTED}))
    assert rest == empty
    assert not losses


WRITTEN = [codec for codec in registry.built_in() if codec.info.writes]
MISSING = [
    pytest.param(codec.info, field, id=f"{codec.info.name}-{field.value}")
    for codec in WRITTEN
    for field, held in codec.info.holds.items()
    if held.extent is Extent.NO
]


@pytest.mark.parametrize(("codec_info", "field"), MISSING)
def test_every_no_of_a_built_in_format_is_noted(codec_info, field):
    noted = [(loss.path, loss.was) for loss in left(PLAN, codec_info)[1]]
    assert [pair for pair in noted if pair in NOTED[field]] == NOTED[field]


LUGGAGE = {"slack": {"block_id": "B"}, "acp": {"_meta": {"k": 1}}}


def with_luggage(extras):
    body = map_tasks(PLAN.body, lambda task: dataclasses.replace(task, extras=extras))
    return dataclasses.replace(PLAN, body=body, extras=extras)


def test_luggage_of_others_is_left_behind_and_ones_own_is_kept():
    rest, losses = left(with_luggage(LUGGAGE), info("slack"))
    assert rest == with_luggage({"slack": {"block_id": "B"}})
    places = ["", *(f"/tasks/{number}" for number in range(4))]
    assert sorted((loss.path, loss.was) for loss in losses) == [
        (f"{place}/extras/acp/_meta", {"k": 1}) for place in places
    ]
    assert {loss.code for loss in losses} == {LUGGAGE_DROPPED}


def test_some_formats_carry_the_luggage_of_all():
    plan = with_luggage(LUGGAGE)
    rest, losses = left(plan, info("x")._replace(luggage=ANY_LUGGAGE))
    assert rest is plan
    assert not losses
