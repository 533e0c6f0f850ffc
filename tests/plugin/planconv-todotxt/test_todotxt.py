"""todo.txt: the laws, then line by line what is read, written and kept."""

import dataclasses

import pytest
from planconv_todotxt import TODOTXT

from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import Ledger
from planconv.model import Heading, Paragraph, Plan, Task, TaskList, plain_text, text_line
from planconv.status import COMPLETED
from planconv.testing import CodecLaws


class TestLaws(CodecLaws):
    codec = TODOTXT


def read(text):
    (plan,) = TODOTXT.decode(text.encode(), Ledger())
    return list(plan.tasks())


def written(*tasks):
    """The lines of these tasks, and number and path of each loss."""
    ledger = Ledger()
    data = TODOTXT.encode([Plan(body=(TaskList(tasks),))], ledger)
    return data.decode(), [(loss.code.number, loss.path) for loss in ledger.losses]


def task(title, *args, **fields):
    return Task(text_line(title), *args, **fields)


# --- reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "title", "fields"),
    [
        ("Call Mom", "Call Mom", {}),
        ("(A) Call Mom", "Call Mom", {"priority": "high"}),
        ("(B) Call Mom", "Call Mom", {}),
        ("(C) Call Mom", "Call Mom", {"priority": "low"}),
        ("(Z) Call Mom", "Call Mom", {"priority": "Z"}),
        ("(b) Call Mom", "(b) Call Mom", {}),
        ("(B)->Submit", "(B)->Submit", {}),
        ("Call Mom (A) @phone", "Call Mom (A) @phone", {}),
        ("x Call Mom", "Call Mom", {"status": COMPLETED}),
        ("x 2011-03-03 Call Mom pri:A", "Call Mom", {"status": COMPLETED, "priority": "high"}),
        ("x (A) 2011-03-03 Call Mom", "Call Mom", {"status": COMPLETED, "priority": "high"}),
        ("xylophone lesson", "xylophone lesson", {}),
        ("X 2012-01-01 Resolve", "X 2012-01-01 Resolve", {}),
        ("(A) x Find prices", "x Find prices", {"priority": "high"}),
        (
            "Sign +Sale @home id:7 after:3,a%20b",
            "Sign +Sale @home",
            {"id": "7", "depends_on": ("3", "a b")},
        ),
        ("Sign id:7 now", "Sign id:7 now", {}),
        ("Meet 10:30", "Meet 10:30", {}),
        ("See https://example.com/a", "See https://example.com/a", {}),
        ("id:7", "id:7", {}),
        ("Ask status:waiting", "Ask", {"status": "waiting"}),
        ("Ask status:in_progress", "Ask", {"status": "in_progress"}),
        ("Ask status:completed", "Ask", {}),
        ("x Ask status:blocked", "Ask", {"status": COMPLETED}),
    ],
)
def test_a_line_is_read(line, title, fields):
    (found,) = read(line)
    assert plain_text(found.title) == title
    for name in ("status", "priority", "id", "depends_on"):
        assert getattr(found, name) == fields.get(name, getattr(task(""), name))


def test_what_the_model_lacks_is_luggage():
    (found,) = read("x 2011-03-02 2011-03-01 Review rec:1w due:2011-04-01")
    assert found.extras == {
        "todotxt": {
            "completed": "2011-03-02",
            "created": "2011-03-01",
            "tags": ["rec:1w", "due:2011-04-01"],
        }
    }


def test_parts_stand_below_the_task_that_they_name():
    a, b, c, d, elsewhere = read("a id:1\nb p:1 id:2\nc p:2\nd p:1\ne p:2\n")
    assert [plain_text(below.title) for below in a.subtasks] == ["b", "d"]
    assert [plain_text(below.title) for below in b.subtasks] == ["c"]
    assert not c.subtasks
    assert not d.subtasks
    assert elsewhere.extras == {"todotxt": {"parent": "2"}}


def test_a_status_in_the_text_is_assumed():
    ledger = Ledger()
    TODOTXT.decode(b"a\n\nAsk status:waiting\n", ledger)
    assert [(loss.code.number, loss.path, loss.line) for loss in ledger.losses] == [
        ("PC307", "/tasks/1/status", 3)
    ]


def test_blank_lines_are_no_plan():
    with pytest.raises(NoPlanError, match="no line with a task"):
        TODOTXT.decode(b" \r\n\n", Ledger())


def test_other_bytes_than_utf_8_are_named():
    with pytest.raises(DecodeError, match="line 2: byte 0xff is not UTF-8") as caught:
        TODOTXT.decode(b"a\n\xff\n", Ledger())
    assert caught.value.offset == 2


@pytest.mark.parametrize(
    ("head", "so"),
    [
        (b"(A) Call Mom\n", True),
        (b"\xef\xbb\xbf\n\nx 2011-03-03 Call Mom\n", True),
        (b"Call Mom\n(A) Call Dad\n", False),
        (b"- [x] Call Mom\n", False),
        (b"", False),
    ],
)
def test_only_a_telling_first_line_is_recognised(head, so):
    assert bool(TODOTXT.recognise(head)) is so


# --- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (task("Tag"), "Tag"),
        (task("Tag", priority="high"), "(A) Tag"),
        (task("Tag", COMPLETED, "low"), "x Tag pri:C"),
        (task("Tag", priority="P0"), "Tag pri:P0"),
        (task("Tag", id="a b", depends_on=("1", "c,d")), "Tag id:a%20b after:1,c%2Cd"),
        (task("x Tag"), "(B) x Tag"),
        (task("(A) Tag"), "(B) (A) Tag"),
        (task("x Tag", priority="high"), "(A) x Tag"),
        (task("x Tag", COMPLETED), "x x Tag"),
    ],
)
def test_a_task_is_written_so_that_it_comes_back(given, line):
    assert written(given) == (f"{line}\n", [])
    assert dataclasses.replace(read(line)[0], extras={}) == given


@pytest.mark.parametrize(
    ("given", "lines", "losses"),
    [
        (task("Ask", "blocked"), "Ask status:blocked\n", [("PC201", "/tasks/0/status")]),
        (task("Ask", "on hold"), "Ask status:on%20hold\n", [("PC201", "/tasks/0/status")]),
        (task(" Ask "), "Ask\n", [("PC212", "/tasks/0/title")]),
        (task(""), "Task\n", [("PC305", "/tasks/0/title")]),
        (task("a\nb"), "a b\n", [("PC205", "/tasks/0/title")]),
        (task("a\x1bb"), "a␛b\n", [("PC209", "/tasks/0/title")]),
        (task("Ask", details=(Paragraph(text_line("why")),)), "Ask\n", [("PC101", "/tasks/0/details")]),
        (
            task("a", details=(TaskList((task("b"),)),)),
            "a id:1\nb p:1\n",
            [("PC306", "/tasks/0/id")],
        ),
        (
            task("Fix due:soon"),
            "Fix due:soon\n",
            [("PC218", "/tasks/0/title"), ("PC218", "/tasks/0/extras/todotxt/tags")],
        ),
    ],
)
def test_what_is_lost_is_told(given, lines, losses):
    assert written(given) == (lines, losses)


def test_text_between_tasks_is_left_out_once():
    ledger = Ledger()
    plan = Plan(body=(Heading(2, text_line("Now")), TaskList((task("a"),), ordered=True)))
    assert TODOTXT.encode([plan], ledger) == b"a\n"
    assert [(loss.code.number, loss.path) for loss in ledger.losses] == [("PC206", "/tasks/0")]


def test_one_plan_is_written():
    with pytest.raises(EncodeError, match="holds one plan, there are 2"):
        TODOTXT.encode([Plan(), Plan()], Ledger())
    assert TODOTXT.encode([Plan()], Ledger()) == b""


# --- there and back -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "(B) Schedule pickup @phone ",
        "x (A) 2011-03-03 Call Mom",
        "x Call Mom created:2011-03-01 due:2011-03-02",
        "Ask status:waiting p:9 id:2 rec:1w id:1",
        "Ask after:1 after:2",
        "pri:A  b:c",
    ],
)
def test_a_line_comes_back_as_it_was(line):
    assert written(*read(line))[0] == f"{line}\n"


def test_a_changed_task_keeps_what_it_had_beside():
    (found,) = read("(B) 2011-03-01 Call Mom  due:2011-04-01")
    done = dataclasses.replace(found, status=COMPLETED)
    assert written(done)[0] == "x Call Mom due:2011-04-01 created:2011-03-01\n"
