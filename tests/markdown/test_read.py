"""Documents to plans: what is a task, what stands around it; cmark-gfm is the oracle for boxes."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from planconv.errors import DecodeError, NoPlanError
from planconv.loss import (
    BLOCK_SIMPLIFIED,
    BOX_IGNORED,
    CHARACTER_REPLACED,
    DEFINITION_DROPPED,
    MARK_AMBIGUOUS,
    STATUS_FROM_TEXT,
    WORD_BESIDE_TICK,
    Ledger,
)
from planconv.markdown.read import read_blocks, read_document
from planconv.model import (
    Code,
    Heading,
    Item,
    Link,
    List,
    Paragraph,
    Quote,
    Raw,
    Source,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    plain_text,
    text_line,
    walk_tasks,
)
from tests.markdown.viewer import html


def read(text, **options):
    ledger = Ledger()
    return read_document(text, ledger, **options), ledger.losses


def one(text):
    (plan,), _ = read(text)
    return plan


def rows(text):
    return [(depth, task.done, plain_text(task.title)) for depth, task in walk_tasks(one(text).body)]


def task(text):
    (only,) = one(text).tasks()
    return only


def paragraph(text):
    return Paragraph(text_line(text))


# --- which items are tasks ----------------------------------------------------------------------

TASKS = [
    ("- [ ] a\n* [x] b\n+ [X] c\n1. [x] d\n2) [ ] e\n", [False, True, True, True, False]),
    ("- [x] loose\n\n- [ ] list\n", [True, False]),
    ("- [x] parent\n    - [ ] four spaces\n    - [x] and its sibling\n", [True, False, True]),
    ("- [ ] top\n\t- [ ] tab\n\t\t- [x] two tabs\n", [False, False, True]),
    ("- plain\n  - [x] inside\n", [True]),
    ("> - [x] quoted\n", [True]),
    ("- [ ]\ttab behind the box\n", [False]),
    ("- [ ] [Try] this\n- [x] [Docs](https://e.com)\n- [ ] (maybe)\n", [False, True, False]),
    ("- [x] real\n\n[x]: https://e.com\n", [True]),
    ("- [ ] Tick with [x]\n- [ ] `[x]`\n", [False, False]),
    ("- [ ] a\n\n  ```\n  - [ ] code\n  ```\n", [False]),
    ("- [x] \n- [ ] \n", [True, False]),
]


@pytest.mark.parametrize(("text", "done"), TASKS)
def test_tasks(text, done):
    assert [task.done for task in one(text).tasks()] == done


NO_TASKS = [
    "- [x](https://e.com)",
    "- [x][ref]\n\n[ref]: /u",
    "- [x]text",
    "- [x ] text",
    "- [ x] text",
    "- [] text",
    "- [P] text",
    "- [l] text",
    "- [x]",
    "- [ ]\n  text",
    "-\n  [x] text",
    "- \\[x] text",
    "- [ ]\u00a0text",
    "- \u2003[x] text",
    "- # [x] heading",
    "[x] paragraph",
    "    - [ ] code",
]


@pytest.mark.parametrize("text", NO_TASKS)
def test_text_that_is_no_task(text):
    (plan,), _ = read(text, explicit=True)
    assert list(plan.tasks()) == []


@pytest.mark.parametrize(
    "text", ["[x]text", "[x ] text", "[ x] text", "[] text", "[x]", "[ ]", "[ ]* kiro"]
)
def test_a_near_box_is_noted_with_its_line(text):
    _, (loss,) = read(f"- [ ] a\n- {text}\n")
    assert (loss.code, loss.was, loss.line, loss.path) == (BOX_IGNORED, text, 2, "/body/1")


@pytest.mark.parametrize("text", ["[x](u)", "[P] text", "\\[x] text"])
def test_what_is_clearly_text_is_not_noted(text):
    assert read(f"- [ ] a\n- {text}\n")[1] == []


@pytest.mark.parametrize(
    ("mark", "format"),
    [("-", "kiro"), ("~", "gitlab"), ("/", "obsidian"), (">", "obsidian"), ("!", "obsidian")],
)
def test_marks_that_mean_different_things(mark, format):
    (plan,), (loss,) = read(f"text\n\n- [{mark}] a\n")
    (only,) = plan.tasks()
    assert (only.status, only.extras) == ("pending", {"markdown": {"mark": mark}})
    assert (loss.code, loss.path, loss.was, loss.line) == (
        MARK_AMBIGUOUS,
        "/tasks/0/status",
        f"[{mark}]",
        3,
    )
    assert format in loss.now


PIECES = (
    "- |* |+ |1. |2) |  |   |    |\t|\n|\n\n|[ ] |[x] |[X] |[ ]|[x]|[ ]\t|text|# |```\n|---\n|===\n"
    "|a / b\n|/--/--/\n|[x](u)|\\| \u00a0|<div>\n|<!-- c -->|\n- |\n  - |\n- [ ] |\n  - [x] "
    "|\n1. [x] |**b**|`c`"
)
DOUBTFUL = re.compile(
    r"\[[ xX]\].*\[[xX]\]"  # cmark-gfm looks for the tick anywhere in the line,
    r"|^\s*([-*+]|\d+[.)])[ \t]+([-*+]|\d+[.)])[ \t]",  # and for a box only behind the first marker
    re.MULTILINE,
)


@given(
    st.lists(st.sampled_from([p.replace("/", "|") for p in PIECES.split("|")]), max_size=14).map("".join)
)
@example("- [x] a\n  ===\n- [ ] a | b\n  --|--\n")
@example("-  \u00a0  [ ]\t")
def test_cmark_gfm_shows_the_same_boxes(text):
    if not DOUBTFUL.search(text):
        boxes = re.findall(r'<input type="checkbox"[^>]*>', html(text))
        (plan,), _ = read(text, explicit=True)
        assert [task.done for task in plan.tasks()] == ["checked" in box for box in boxes]


# --- what a task holds --------------------------------------------------------------------------

TITLES = [
    ("[ ] a _(in progress)_", ("in_progress", None, "a")),
    ("[ ] a _(in_progress)_", ("in_progress", None, "a")),
    ("[ ] a _(in progress, high priority)_", ("in_progress", "high", "a")),
    ("[x] a _(low priority)_", ("completed", "low", "a")),
    ("[ ] a _(medium priority)_", ("pending", None, "a")),
    ("[ ] a _(\\_waiting)_", ("_waiting", None, "a")),
    ("[ ] a _(needs another review)_", ("needs another review", None, "a")),
    ("[ ] _(blocked)_", ("blocked", None, "")),
    ("[ ] ~~a **b**~~ _(cancelled)_", ("cancelled", None, "a b")),
    ("[ ] a *(blocked)*", ("pending", None, "a (blocked)")),
    ("[ ] a (blocked)", ("pending", None, "a (blocked)")),
    ("[ ] a \\_(blocked)\\_", ("pending", None, "a _(blocked)_")),
    ("[ ] a_(blocked)_", ("pending", None, "a_(blocked)_")),
    ("[ ] a _(completed)_", ("pending", None, "a (completed)")),
    ("[ ] a _(see §4.2)_", ("pending", None, "a (see §4.2)")),
    ("[ ] a _(more than three words here)_", ("pending", None, "a (more than three words here)")),
    ("[ ] wrapped\n  line", ("pending", None, "wrapped line")),
    ("[ ] lazy\nline", ("pending", None, "lazy line")),
    ("[ ] two\\\n  lines", ("pending", None, "two\nlines")),
    ("[ ] # 1. - text", ("pending", None, "# 1. - text")),
    ("[ ] <!-- -->\n\n  details", ("pending", None, "")),
]


@pytest.mark.parametrize(("source", "expected"), TITLES)
def test_title_status_and_priority(source, expected):
    read_back = task(f"- {source}\n")
    assert (read_back.status, read_back.priority, plain_text(read_back.title)) == expected


def test_a_cancelled_title_is_not_struck():
    styles = [span.style for span in task("- [ ] ~~a **b**~~ _(cancelled)_\n").title]
    assert styles == [Style.PLAIN, Style.BOLD]


def test_a_tick_wins_over_a_word():
    (plan,), (loss,) = read("- [x] a _(blocked)_\n")
    assert [task.status for task in plan.tasks()] == ["completed"]
    assert (loss.code, loss.path, loss.was) == (WORD_BESIDE_TICK, "/tasks/0/status", "blocked")


def test_a_word_of_nobody_is_read_and_noted():
    _, (loss,) = read("- [ ] a _(optional)_\n")
    assert (loss.code, loss.path) == (STATUS_FROM_TEXT, "/tasks/0/status")


def test_details_output_and_sources():
    text = (
        "- [ ] a\n\n  before\n  - [x] sub\n\n  **Output:**\n\n  made\n  - x\n\n"
        "  **Sources:**\n  - [one](https://e.com/1)\n  - <https://e.com/2>\n"
    )
    first, sub = one(text).tasks()
    assert first.details == (paragraph("before"), TaskList((sub,)))
    assert first.output == (paragraph("made"), List((Item((paragraph("x"),)),)))
    assert first.sources == (Source("https://e.com/1", "one"), Source("https://e.com/2"))


@pytest.mark.parametrize("text", ["**Output\\:**", "**Output**:", "**Sources:**\n\n  none", "**Output:**"])
def test_what_is_no_section_stays_in_the_details(text):
    read_back = task(f"- [ ] a\n\n  {text}\n")
    assert read_back.details
    assert not read_back.output
    assert not read_back.sources


def test_an_underlined_title_is_a_title():
    (plan,), (loss,) = read("- [ ] a\n  ---\n")
    assert [plain_text(task.title) for task in plan.tasks()] == ["a"]
    assert (loss.code, loss.path) == (BLOCK_SIMPLIFIED, "/tasks/0/title")


# --- what stands around the tasks ---------------------------------------------------------------


def test_a_mixed_list_is_cut_into_pieces_that_go_on():
    body = one("3. [ ] a\n4. b\n5. [x] c\n").body
    assert body == (
        TaskList((Task(text_line("a")),), True, 3),
        List((Item((paragraph("b"),)),), True, 4),
        TaskList((Task(text_line("c"), "completed"),), True, 5),
    )


def test_every_kind_of_block():
    text = (
        "# T\n\n## H\n\np [l][r]\n\n> q\n\n```py x\ncode\n```\n\n    more\n\n<!-- c -->\n\n"
        "| a | b |\n|:-:|---|\n| 1 \\| 2 | |\n\n- [ ] t\n\n[r]: /u\n"
    )
    plan = one(text)
    assert plan.title == text_line("T")
    assert plan.body == (
        Heading(2, text_line("H")),
        Paragraph((Text("p "), Text("l", link=Link("/u")))),
        Quote((paragraph("q"),)),
        Code("code", "py x"),
        Code("more"),
        Raw("html", "<!-- c -->"),
        Table((text_line("a"), text_line("b")), ((text_line("1 | 2"), ()),), ("center", "")),
        TaskList((Task(text_line("t")),)),
    )


def test_the_first_title_is_the_title_wherever_it_stands():
    plan = one("intro\n\n# T\n\n- [ ] a\n\n# Second\n")
    assert plan.title == text_line("T")
    assert plan.body[0] == paragraph("intro")
    assert plan.extras == {"markdown": {"title_at": 1}}
    assert plan.body[-1] == Heading(1, text_line("Second"))


@pytest.mark.parametrize("inside", ["a: b\n", "\na: b\n\n- [ ] x\n", "todos:\n  - c: d\n"])
def test_front_matter_is_kept_as_it_is(inside):
    plan = one(f"---\n{inside}---\n\n- [ ] a\n")
    assert plan.extras == {"markdown": {"front_matter": inside}}
    assert [plain_text(task.title) for task in plan.tasks()] == ["a"]


@pytest.mark.parametrize(
    "text", ["---\n\n- [ ] a\n\n---\n", "---\n# T\n- [ ] a\n---\n", "---\na: b\n\n- [ ] a\n"]
)
def test_rules_are_no_front_matter(text):
    plan = one(text)
    assert "markdown" not in plan.extras or "front_matter" not in plan.extras["markdown"]
    assert len(list(plan.tasks())) == 1


def test_the_file_of_a_plan():
    plan = one("# T\n\nPlan file: <file:///p.md>\n\n- [ ] a\n\nPlan file: <file:///q.md>\n")
    assert plan.reference == "file:///p.md"
    assert len(plan.body) == 2


def test_several_plans():
    text = "<!-- planconv:plan -->\n\n# A\n\n- [ ] a\n- [ ]b\n\n<!-- planconv:plan -->\n\n- [x]c\n\n# B\n"
    plans, losses = read(text)
    assert [plain_text(plan.title) for plan in plans] == ["A", "B"]
    assert [loss.path for loss in losses] == ["/body/1", "/body/0"]


def test_a_marker_makes_a_plan_of_a_document_without_tasks():
    assert [plan.body for plan in read("<!-- planconv:plan -->\n")[0]] == [()]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["empty"]),
        ("just text", ["no list item begins with a box"]),
        ("---\nname: x\ntodos:\n  - a\n---\n# T\n", ["front matter with todos", "--from cursor"]),
        ("---\ntodos:\n  - a\n---\n1. a\n2. b\n", ["front matter with todos", "--from cursor"]),
        ("---\ntodos: []\n---\n1. a\n2. b\n", ["2 numbered steps, which --from outline"]),
        ("---\ntodos: []\n---\n1. a\n", ["front matter with todos", "--from cursor"]),
        ("---\nname: x\n---\n1. a\n", ["front matter without todos"]),
        ("1. a\n2. b\n", ["2 numbered steps", "--from outline"]),
        (
            "1. a\n\n## Step 1\n\n1. b\n\n| Task | Status |\n| - | - |\n| c | done |\n",
            ['1 numbered step, headings such as "Step 1" and 1 table row with a status, which'],
        ),
        ("# T\n\n## Phase 2: x\n", ['headings such as "Phase 2"', "--from outline"]),
    ],
)
def test_a_document_without_a_plan_says_what_it_holds(text, words):
    with pytest.raises(NoPlanError) as caught:
        read(text)
    assert all(word in str(caught.value) for word in words)
    assert caught.value.exit_status == 1


def test_an_unused_definition_is_noted():
    _, (loss,) = read("---\na: b\n---\n- [ ] a\n\n[r]: /u\n")
    assert (loss.code, loss.line) == (DEFINITION_DROPPED, 6)
    assert "/u" in loss.was


def test_line_ends_marks_and_nul():
    text = "\ufeff# T\r\n\r\n- [ ] a\r- [x] b\0\r\n"
    plans, (loss,) = read(text)
    assert [plain_text(task.title) for task in plans[0].tasks()] == ["a", "b\ufffd"]
    assert (loss.code, loss.line) == (CHARACTER_REPLACED, 4)


def test_nesting_has_a_limit():
    def nested(levels):
        return "".join("  " * level + "- [ ] a\n" for level in range(levels))

    assert len(rows(nested(100))) == 100
    with pytest.raises(DecodeError, match="nested") as caught:
        read("---\na: b\n---\n" + nested(101))
    assert caught.value.line == 104


def test_read_blocks_notes_with_the_note_it_is_given():
    ledger = Ledger()
    blocks = read_blocks("- [ ] a\n- []b\n", ledger.at("/tasks/4/details"))
    assert [type(block) for block in blocks] == [TaskList, List]
    assert [loss.path for loss in ledger.losses] == ["/tasks/4/details"]
