"""Plans to documents: what comes back is the plan, and cmark-gfm shows its boxes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.errors import EncodeError
from planconv.loss import (
    BLOCK_SIMPLIFIED,
    CHARACTER_REPLACED,
    DETAILS_MOVED,
    FIELD_DROPPED,
    LUGGAGE_DROPPED,
    STATUS_AS_TEXT,
    STYLE_DROPPED,
    Ledger,
)
from planconv.markdown.read import read_document
from planconv.markdown.write import write_blocks, write_document
from planconv.model import (
    PLAIN,
    Code,
    Heading,
    Item,
    Link,
    List,
    Paragraph,
    Plan,
    Quote,
    Raw,
    Rule,
    Source,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    make_blocks,
    text_line,
)
from tests.markdown.viewer import html


def p(text):
    return Paragraph(text_line(text))


def items(*texts, **options):
    return List(tuple(Item((p(text),) if text else ()) for text in texts), **options)


def tasks(*titles, **options):
    return TaskList(tuple(Task(text_line(title)) for title in titles), **options)


def with_details(*blocks):
    return TaskList((Task(text_line("t"), details=blocks), Task(text_line("next"))))


def write(*plans, **options):
    ledger = Ledger()
    return write_document(plans, ledger, **options), ledger.losses


def boxes(text):
    return ["checked" in box for box in re.findall(r'<input type="checkbox"[^>]*>', html(text))]


# --- what it looks like -------------------------------------------------------------------------

LOOKS = [
    ((tasks("a", "b"),), "- [ ] a\n- [ ] b\n"),
    ((tasks("a", "b", ordered=True, start=9),), "9. [ ] a\n10. [ ] b\n"),
    ((with_details(tasks("sub")),), "- [ ] t\n  - [ ] sub\n- [ ] next\n"),
    ((with_details(p("text")),), "- [ ] t\n\n  text\n\n- [ ] next\n"),
    (
        (with_details(items("a"), Code("x = 1", "py")),),
        "- [ ] t\n  - a\n\n  ```py\n  x = 1\n  ```\n\n- [ ] next\n",
    ),
    ((TaskList((Task(text_line("t"), details=(tasks("sub"),)),), True, 10),), "10. [ ] t\n    - [ ] sub\n"),
    ((tasks("a"), items("b"), tasks("c")), "- [ ] a\n- b\n- [ ] c\n"),
    ((tasks("a", ordered=True), items("b", ordered=True, start=2)), "1. [ ] a\n2. b\n"),
    (
        (tasks("a", ordered=True), tasks("b", ordered=True), tasks("c", ordered=True)),
        "1. [ ] a\n\n1) [ ] b\n\n1. [ ] c\n",
    ),
    ((p("intro"), tasks("a"), p("outro")), "intro\n\n- [ ] a\n\noutro\n"),
    ((tasks("a", "b\nc"),), "- [ ] a\n- [ ] b\\\n  c\n"),
    ((tasks("", "a"),), "- [ ] \n- [ ] a\n"),
    (
        (tasks("# a", "1. b", "- c", "> d", "[ ] e"),),
        "- [ ] # a\n- [ ] 1. b\n- [ ] - c\n- [ ] > d\n- [ ] [ ] e\n",
    ),
    ((items("[x] a", "[ ]", "--"), tasks("t")), "- \\[x] a\n- \\[ ]\n- \\--\n- [ ] t\n"),
    (
        (List((Item((tasks("a"),)), Item((items("b"),)), Item((Rule(),)), Item())), tasks("t")),
        "-\n  - [ ] a\n- - b\n- ***\n-\n- [ ] t\n",
    ),
    ((Rule(), tasks("a"), Rule()), "***\n\n- [ ] a\n\n---\n"),
    ((Quote((p("a\nb"), items("c"))), tasks("t")), "> a\\\n> b\n>\n> - c\n\n- [ ] t\n"),
    (
        (Code("```\nx", "a`b"), Code("```"), Code(""), tasks("t")),
        "~~~a`b\n```\nx\n~~~\n\n````\n```\n````\n\n```\n```\n\n- [ ] t\n",
    ),
    ((Heading(2, text_line("a\nb #")), tasks("t")), "## a<br>b \\#\n\n- [ ] t\n"),
    (
        (Table((text_line("a|b"), text_line("c\nd")), ((text_line("1"), ()),), ("right", "")), tasks("t")),
        "| a\\|b | c<br>d |\n| ---: | --- |\n| 1 |  |\n\n- [ ] t\n",
    ),
    ((Raw("html", "<details>"), tasks("t")), "<details>\n\n- [ ] t\n"),
]


@pytest.mark.parametrize(("body", "text"), LOOKS)
def test_looks_and_comes_back(body, text):
    written, losses = write(Plan(body=body))
    assert (written, losses) == (text, [])
    assert [plan.body for plan in read_document(written, Ledger())] == [body]


STATUSES = [
    (Task(text_line("a"), "completed"), "[x] a"),
    (Task(text_line("a"), "in_progress"), "[ ] a _(in progress)_"),
    (Task(text_line("a"), "failed", "high"), "[ ] a _(failed, high priority)_"),
    (Task(text_line("a"), "completed", "low"), "[x] a _(low priority)_"),
    (Task(text_line("a"), "cancelled"), "[ ] ~~a~~ _(cancelled)_"),
    (Task(text_line("a"), "_waiting"), "[ ] a _(\\_waiting)_"),
    (Task((), "blocked"), "[ ] _(blocked)_"),
    (Task((Text("a "), Text("(blocked)", Style.ITALIC))), "[ ] a *(blocked)*"),
    (Task(text_line("a _(blocked)_")), "[ ] a \\_(blocked)\\_"),
    (Task(text_line("tick [x] it")), "[ ] tick [x\\] it"),
    (Task((Text("tick "), Text("[x]", Style.CODE))), "[ ] tick\n  `[x]`"),
    (Task((Text("[x]", Style.CODE),)), "[ ] <!-- -->\n  `[x]`"),
    (Task((), details=(p("d"),)), "[ ] <!-- -->\n\n  d"),
    (Task(text_line("a"), extras={"markdown": {"mark": "~"}}), "[~] a"),
    (Task(text_line("a\u00a0")), "[ ] a&nbsp;"),
]


@pytest.mark.parametrize(("task", "text"), STATUSES)
def test_tasks(task, text):
    written, losses = write(Plan(body=(TaskList((task,)),)))
    assert written == f"- {text}\n"
    assert losses == []
    assert list(read_document(written, Ledger())[0].tasks()) == [task]
    assert boxes(written) == ([] if task.extras else [task.done])


def test_output_and_sources():
    task = Task(
        text_line("a"),
        details=(Paragraph((Text("Output:", Style.BOLD),)), tasks("sub")),
        output=(p("made"), items("x")),
        sources=(Source("https://e.com/1", "one"), Source("https://e.com/2")),
    )
    written, losses = write(Plan(body=(TaskList((task,)),)))
    assert written == (
        "- [ ] a\n\n  **Output\\:**\n  - [ ] sub\n\n  **Output:**\n\n  made\n  - x\n\n"
        "  **Sources:**\n  - [one](https://e.com/1)\n  - https://e.com/2\n"
    )
    assert losses == []
    assert next(read_document(written, Ledger())[0].tasks()) == task


# --- whole documents ----------------------------------------------------------------------------


def test_title_reference_and_front_matter():
    plan = Plan(
        title=text_line("T"),
        body=(p("intro"), tasks("a")),
        reference="file:///p.md",
        extras={"markdown": {"front_matter": "a: b\n", "title_at": 1}},
    )
    written, losses = write(plan)
    assert written == "---\na: b\n---\n\nintro\n\n# T\n\nPlan file: <file:///p.md>\n\n- [ ] a\n"
    assert losses == []
    assert read_document(written, Ledger()) == [plan]


def test_a_paragraph_that_reads_like_a_reference_stays_text():
    link = Text("file:///p.md", PLAIN, Link("file:///p.md"))
    plan = Plan(body=(Paragraph((Text("Plan file: "), link)), tasks("a")))
    written, losses = write(plan)
    assert losses == []
    assert read_document(written, Ledger()) == [plan]


def test_several_plans_and_an_empty_one():
    plans = [Plan(title=text_line("A"), body=(tasks("a"),)), Plan(), Plan(body=(p("text"),))]
    written, losses = write(*plans)
    assert written.count("<!-- planconv:plan -->") == 3
    assert losses == []
    assert read_document(written, Ledger()) == plans


def test_an_explicit_plan_has_no_marker():
    assert write(Plan(title=text_line("T")), explicit=True)[0] == "# T\n"


NOTED = [
    (Plan(body=(Raw("mermaid", "a --> b"), tasks("t"))), {("/body/0", BLOCK_SIMPLIFIED)}),
    (Plan(body=(Raw("html", "<!-- open"), tasks("t"))), {("/body/0", BLOCK_SIMPLIFIED)}),
    (Plan(body=(Raw("html", "<!-- planconv:plan -->"), tasks("t"))), {("/body/0", BLOCK_SIMPLIFIED)}),
    (Plan(body=(tasks("t"), items("a", ordered=True, start=-1))), {("/body/1", BLOCK_SIMPLIFIED)}),
    (Plan(body=(with_details(Code("\x1b[31m")),)), {("/tasks/0/details", CHARACTER_REPLACED)}),
    (
        Plan(body=(TaskList((Task(text_line("t"), "odd!"),)),)),
        {("/tasks/0/status", STATUS_AS_TEXT), ("/tasks/0/title", STATUS_AS_TEXT)},
    ),
    (
        Plan(body=(TaskList((Task(text_line("t"), priority="a, b"),)),)),
        {("/tasks/0/priority", FIELD_DROPPED)},
    ),
    (
        Plan(body=(TaskList((Task((Text("t", Style.STRIKE),), "cancelled"),)),)),
        {("/tasks/0/title", STYLE_DROPPED)},
    ),
    (
        Plan(body=(TaskList((Task(text_line("t"), output=(tasks("x"),)),)),)),
        {("/tasks/0/output", BLOCK_SIMPLIFIED)},
    ),
    (
        Plan(body=(TaskList((Task(text_line("t"), "completed", extras={"markdown": {"mark": "~"}}),)),)),
        {("/tasks/0/extras/markdown/mark", LUGGAGE_DROPPED)},
    ),
    (Plan(body=(tasks("t"),), reference="no uri"), {("/reference", FIELD_DROPPED)}),
    (
        Plan(body=(tasks("t"),), extras={"markdown": {"front_matter": "- x\n"}}),
        {("/extras/markdown/front_matter", LUGGAGE_DROPPED)},
    ),
    (
        Plan(body=(Heading(1, text_line("H")), tasks("t"))),
        {("/title", DETAILS_MOVED), ("/body/0", DETAILS_MOVED), ("/body/1", DETAILS_MOVED)},
    ),
]


@pytest.mark.parametrize(("plan", "expected"), NOTED)
def test_what_cannot_be_held_is_noted(plan, expected):
    written, losses = write(plan)
    assert {(loss.path, loss.code) for loss in losses} == expected
    assert boxes(written) == [task.done for task in plan.tasks()]


def test_control_characters_never_reach_the_page():
    written, _ = write(Plan(body=(Code("a\x1b\x7f\x9b"), tasks("t"))))
    assert "a␛␡\ufffd" in written


def test_nesting_has_a_limit():
    body = ()
    for _ in range(101):
        body = (TaskList((Task(text_line("t"), details=body),)),)
    with pytest.raises(EncodeError, match="nested"):
        write(Plan(body=body))
    written, _ = write(Plan(body=body[0].tasks[0].details))
    assert len(list(read_document(written, Ledger())[0].tasks())) == 100


# --- laws ---------------------------------------------------------------------------------------

words = st.sampled_from(
    [
        "text",
        "two words",
        "[x] a",
        "- a",
        "1. b",
        "# h",
        "---",
        "--",
        "***",
        "_(blocked)_",
        "<div>",
        "[a]: u",
        "```",
        "| a | b |",
        "a_b_",
        "*",
        "\\",
        "&amp;",
        "Plan file: <file:///a>",
        "\u00a0",
    ]
)
leaves = st.one_of(
    st.builds(Paragraph, words.map(text_line)),
    st.builds(Heading, st.integers(2, 6), words.map(text_line)),
    st.builds(
        Code, st.text("a`~ \n\t-[]x>", max_size=8), st.sampled_from(["", "py", "a`b", "~x", "a\\*b"])
    ),
    st.builds(lambda cell: Table((cell,), ((cell,),), ("",)), words.map(text_line)),
    st.just(Rule()),
    st.just(Raw("html", "<div>\nx\n</div>")),
)


def containers(inner):
    blocks = st.lists(inner, max_size=3).map(make_blocks)
    some_items = st.lists(st.builds(Item, blocks), min_size=1, max_size=3).map(tuple)
    status = st.sampled_from(["pending", "completed", "cancelled", "in_progress", "_x"])
    title = st.builds(text_line, words | st.just(""))
    task = st.builds(
        lambda title, status, details, output: Task(title, status, details=details, output=output),
        title,
        status,
        blocks,
        st.just(()) | st.lists(leaves, max_size=2).map(make_blocks),
    )
    some_tasks = st.lists(task, min_size=1, max_size=3).map(tuple)
    start = st.sampled_from([1, 1, 2, 0, 9])
    return st.one_of(
        st.builds(List, some_items),
        st.builds(List, some_items, st.just(True), start),
        st.builds(TaskList, some_tasks),
        st.builds(TaskList, some_tasks, st.just(True), start),
    )


bodies = st.lists(st.recursive(leaves, containers, max_leaves=8), max_size=4).map(make_blocks)


@given(bodies)
def test_plans_come_back(body):
    plan = Plan(title=text_line("T"), body=body)
    written, losses = write(plan)
    (back,) = read_document(written, Ledger())
    if not losses:
        assert back == plan
    assert [task.done for task in back.tasks()] == [task.done for task in plan.tasks()]
    assert boxes(written) == [task.done for task in plan.tasks()]
    assert write(back)[0] == written


def test_write_blocks_notes_with_the_note_it_is_given():
    ledger = Ledger()
    text = write_blocks((p("a"), Raw("x", "y"), tasks("t")), ledger.at("/tasks/4/details"))
    assert text == "a\n\n```x\ny\n```\n\n- [ ] t"
    assert [loss.path for loss in ledger.losses] == ["/tasks/4/details"]
