"""The model: one normal form, walks in the order of the page, and the fold of updates."""

import dataclasses
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.model import (
    Break,
    Code,
    Emoji,
    Heading,
    Item,
    Link,
    List,
    Paragraph,
    Plan,
    PlanRemoved,
    PlanUpdated,
    Quote,
    Rule,
    Style,
    Task,
    TaskList,
    Text,
    fold,
    make_blocks,
    make_line,
    map_tasks,
    plain_text,
    text_line,
    walk_tasks,
    without_tasks,
)

BOLD = Style.BOLD
LINK = Link("https://example.com")


def task(title, *details, **fields):
    return Task(text_line(title), details=details, **fields)


def tasks(*titles, **fields):
    return TaskList(tuple(map(task, titles)), **fields)


def items(*texts, **fields):
    return List(tuple(Item((paragraph(text),)) for text in texts), **fields)


def paragraph(text):
    return Paragraph(text_line(text))


def outline(blocks):
    return [(depth, plain_text(one.title)) for depth, one in walk_tasks(blocks)]


# --- values -------------------------------------------------------------------------------------


def test_equal_means_the_same_kind_and_the_same_fields():
    assert Text("a", BOLD) == Text("a", BOLD)
    assert Text("a", BOLD) != Text("a")
    assert hash(Text("a", link=LINK)) == hash(Text("a", link=Link("https://example.com")))
    assert Break() == Break()
    assert Break() != Rule()
    assert Quote(()) != Paragraph(())


def test_values_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Plan().id = "p"


def test_values_print_as_they_are_made():
    value = Plan("p", title=(Text("a", BOLD, LINK), Break()), body=(tasks("x"), Code("y", "sh")))
    assert "Text(text='a', style=<Style.BOLD: 1>, link=Link(url='https://example.com', title=''))" in repr(
        value
    )
    assert repr(Break()) == "Break()"


# --- lines --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spans", "line"),
    [
        ([], ()),
        ([Text("")], ()),
        ([Text("a"), Text("b")], (Text("ab"),)),
        ([Text("a"), Text("", BOLD), Text("b")], (Text("ab"),)),
        ([Text("a", BOLD), Text("b")], (Text("a", BOLD), Text("b"))),
        ([Text("a", link=LINK), Text("b", link=LINK)], (Text("ab", link=LINK),)),
        ([Text("a", link=LINK), Text("b")], (Text("a", link=LINK), Text("b"))),
        ([Text("a"), Break(), Text("b")], (Text("a"), Break(), Text("b"))),
        ([Break(), Break()], (Break(), Break())),
        ([Emoji("wave"), Emoji("wave")], (Emoji("wave"), Emoji("wave"))),
    ],
)
def test_normal_form_of_a_line(spans, line):
    assert make_line(spans) == line


SPANS = st.lists(
    st.one_of(
        st.builds(
            Text,
            st.text("ab", max_size=2),
            st.sampled_from([Style.PLAIN, BOLD]),
            st.sampled_from([None, LINK]),
        ),
        st.just(Break()),
    )
)


@given(SPANS)
def test_a_line_is_normal_says_the_same_and_stays_so(spans):
    line = make_line(spans)
    assert plain_text(line) == plain_text(tuple(spans))
    assert make_line(line) == line
    assert all(span.text for span in line if isinstance(span, Text))
    for one, next_one in pairwise(line):
        if isinstance(one, Text) and isinstance(next_one, Text):
            assert (one.style, one.link) != (next_one.style, next_one.link)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ()),
        ("a", (Text("a"),)),
        ("a\nb", (Text("a"), Break(), Text("b"))),
        ("a\r\nb\rc", (Text("a"), Break(), Text("b"), Break(), Text("c"))),
        ("\n", (Break(),)),
    ],
)
def test_line_of_a_plain_text(text, line):
    assert text_line(text) == line
    assert plain_text(line) == text.replace("\r\n", "\n").replace("\r", "\n")


# --- blocks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("blocks", "normal"),
    [
        ([], ()),
        ([Paragraph(()), List(()), TaskList(()), Quote(())], ()),
        ([items("a"), items("b")], (items("a", "b"),)),
        ([tasks("a"), tasks("b"), tasks("c")], (tasks("a", "b", "c"),)),
        ([tasks("a"), Paragraph(()), tasks("b")], (tasks("a", "b"),)),
        ([tasks("a"), Rule(), tasks("b")], (tasks("a"), Rule(), tasks("b"))),
        ([tasks("a"), items("b")], (tasks("a"), items("b"))),
        ([tasks("a", ordered=True), tasks("b")], (tasks("a", ordered=True), tasks("b"))),
        (
            [tasks("a", "b", ordered=True, start=4), tasks("c", ordered=True, start=6)],
            (tasks("a", "b", "c", ordered=True, start=4),),
        ),
        (
            [items("a", ordered=True), items("b", ordered=True)],
            (items("a", ordered=True), items("b", ordered=True)),
        ),
        ([paragraph("a"), paragraph("a")], (paragraph("a"), paragraph("a"))),
        ([List((Item(),))], (List((Item(),)),)),
    ],
)
def test_normal_form_of_blocks(blocks, normal):
    assert make_blocks(blocks) == normal
    assert make_blocks(normal) == normal


# --- walks --------------------------------------------------------------------------------------

PAGE = (
    Heading(1, text_line("First")),
    TaskList((task("a", paragraph("why"), tasks("a1"), Quote((tasks("a2"),))), task("b"))),
    List((Item((paragraph("no task"), TaskList((task("c", tasks("c1")),)))), Item())),
    Quote((tasks("d"), Rule())),
    tasks("e", ordered=True, start=3),
)
OUTLINE = [(0, "a"), (1, "a1"), (1, "a2"), (0, "b"), (0, "c"), (1, "c1"), (0, "d"), (0, "e")]


def test_tasks_are_walked_in_the_order_of_the_page():
    assert outline(PAGE) == OUTLINE
    assert [plain_text(one.title) for one in Plan(body=PAGE).tasks()] == [title for _, title in OUTLINE]


def test_depth_may_begin_anywhere():
    assert [depth for depth, _ in walk_tasks(PAGE, 2)] == [depth + 2 for depth, _ in OUTLINE]


def test_subtasks_are_those_right_below():
    first = next(
        Plan(
            body=(TaskList((task("a", tasks("a1"), items("x"), TaskList((task("a2", tasks("no")),))),)),)
        ).tasks()
    )
    assert [plain_text(one.title) for one in first.subtasks] == ["a1", "a2"]


def test_map_goes_in_the_order_of_the_walk_and_keeps_everything_else():
    seen = []

    def look(one):
        seen.append(plain_text(one.title))
        return one

    assert map_tasks(PAGE, look) == PAGE
    assert seen == [title for _, title in OUTLINE]


def test_map_changes_every_task_and_nothing_else():
    loud = map_tasks(
        PAGE, lambda one: dataclasses.replace(one, title=text_line(plain_text(one.title).upper()))
    )
    assert outline(loud) == [(depth, title.upper()) for depth, title in OUTLINE]
    assert without_tasks(loud) == without_tasks(PAGE)


def test_map_walks_below_what_it_changed():
    added = map_tasks(
        (tasks("a"),),
        lambda one: (
            dataclasses.replace(one, details=(tasks("new"),)) if plain_text(one.title) == "a" else one
        ),
    )
    assert outline(added) == [(0, "a"), (1, "new")]
    renamed = map_tasks((tasks("a"),), lambda one: dataclasses.replace(one, status="blocked"))
    assert [one.status for _, one in walk_tasks(renamed)] == ["blocked"]


@pytest.mark.parametrize(
    ("blocks", "left"),
    [
        (PAGE, (PAGE[0], List((Item((paragraph("no task"),)), Item())), Quote((Rule(),)))),
        ((tasks("a"),), ()),
        ((List((Item((tasks("a"),)),)), Quote((tasks("b"),))), ()),
        ((items("x"), tasks("a"), items("y")), (items("x", "y"),)),
        ((items("x", ordered=True), tasks("a", ordered=True, start=2)), (items("x", ordered=True),)),
        ((paragraph("a"), Code("b"), Rule()), (paragraph("a"), Code("b"), Rule())),
    ],
)
def test_blocks_without_their_tasks(blocks, left):
    assert without_tasks(blocks) == left


def calls_of(function, *arguments):
    """How many Python functions are called on the way."""
    count = 0

    def count_calls(frame, event, _):
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(count_calls)
    try:
        function(*arguments)
    finally:
        sys.setprofile(before)
    return count


def nested(depth):
    blocks = (paragraph("end"), tasks("a"))
    for _ in range(depth):
        blocks = (List((Item((Quote(blocks), tasks("b"))),)),)
    return blocks


def test_without_tasks_takes_time_in_proportion_to_the_depth():
    once, twice = (calls_of(without_tasks, nested(depth)) for depth in (40, 80))
    assert twice < 2.2 * once


# --- update streams -----------------------------------------------------------------------------


def plan(id="p", session="s", *titles):
    return Plan(id, session, body=make_blocks([tasks(*titles)]))


def updated(*arguments):
    return PlanUpdated(plan(*arguments))


@pytest.mark.parametrize(
    ("events", "plans"),
    [
        ([], []),
        ([updated("p", "s", "a", "b"), updated("p", "s", "c")], [plan("p", "s", "c")]),
        ([updated("p", "s", "a"), updated("p", "s")], [plan("p", "s")]),
        ([updated(), PlanRemoved("s", "p")], []),
        ([updated(), PlanRemoved("s", "p"), updated("p", "s", "again")], [plan("p", "s", "again")]),
        ([PlanRemoved("s", "p")], []),
        ([updated("p", "s"), PlanRemoved("other", "p"), PlanRemoved("s", "q")], [plan("p", "s")]),
        ([updated("p", "s", "a"), updated("p", "t", "b")], [plan("p", "s", "a"), plan("p", "t", "b")]),
        ([updated("p", None), updated(None, "s"), PlanRemoved(None, "p")], [plan(None, "s")]),
        ([updated("p"), updated("q"), updated("p", "s", "new")], [plan("p", "s", "new"), plan("q")]),
    ],
    ids=[
        "nothing",
        "replace",
        "replace by nothing",
        "remove",
        "revive",
        "remove what is not there",
        "remove another",
        "sessions apart",
        "no id and no session are keys too",
        "order of appearance",
    ],
)
def test_the_state_is_the_fold_of_the_events(events, plans):
    assert fold(events) == plans
