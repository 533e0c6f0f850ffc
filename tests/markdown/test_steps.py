"""Which headings, numbered steps and rows of tables are tasks, and what they hold."""

import pytest

from planconv.errors import NoPlanError
from planconv.loss import BOX_IGNORED, MARK_AMBIGUOUS, STATUS_FROM_MARK, TASK_ASSUMED, Kind, Ledger
from planconv.markdown.dialect import OUTLINE
from planconv.markdown.read import read_dialect, read_document
from planconv.model import Heading, List, Paragraph, Table, block_text, plain_text, walk_tasks


def read(text):
    ledger = Ledger()
    plans, _ = read_dialect(text, ledger, OUTLINE)
    return plans, ledger.losses


def one(text):
    (plan,), _ = read(text)
    return plan


def rows(text):
    """Depth as dots, status as a sign, and title of each task."""
    signs = {"pending": "", "completed": "x ", "in_progress": "> "}
    return [
        "." * depth + signs.get(task.status, task.status + " ") + plain_text(task.title)
        for depth, task in walk_tasks(one(text).body)
    ]


SHAPES = [
    # --- headings
    ("## Phase 1: Setup\n\n## Phase 2: Build\n", ["Phase 1: Setup", "Phase 2: Build"]),
    ("# T\n\n### Step 3.1 - a\n\n### Task #4: b\n", ["Step 3.1 - a", "Task #4: b"]),
    ("# T\n\n## Part II: a\n\n## Stage B\n\n## Milestone 1\n", ["Part II: a", "Stage B", "Milestone 1"]),
    ("# T\n\n## 3. Phase 2: a\n", ["3. Phase 2: a"]),
    ("# T\n\n## 🚀 Phase 1\n\n## **Phase 2**: b\n", ["🚀 Phase 1", "Phase 2: b"]),
    ("# Phase 1: a\n\n# Phase 2: b\n", ["Phase 1: a", "Phase 2: b"]),
    ("# Phase 5, in short\n\n## Phase 5.1\n", ["Phase 5.1"]),
    (
        "## Phase 1\n\n### Task 1: a\n\n### Task 2: b\n\n## Phase 2\n",
        ["Phase 1", ".Task 1: a", ".Task 2: b", "Phase 2"],
    ),
    ("## Phase 1\n\n#### Step 1\n\n### Notes\n\n## Phase 2\n", ["Phase 1", ".Step 1", "Phase 2"]),
    ("# T\n\n## Phase 1: a\n\n### 1.1 b\n\n### 1.2 c\n", ["Phase 1: a", ".1.1 b", ".1.2 c"]),
    (
        "# T\n\n### Task 1: a\n\n**Step 1: b**\n\n```sh\nx\n```\n\n**Step 2: c**\n",
        ["Task 1: a", ".Step 1: b", ".Step 2: c"],
    ),
    ("# T\n\n## Phase in the new parser\n\n## Phase 1\n", ["Phase 1"]),
    ("# T\n\n## Steps I took\n\n## Tasks 2\n\n## Phase 1\n", ["Phase 1"]),
    # --- numbered steps
    ("1. a\n2. b\n", ["a", "b"]),
    ("| Done? | What |\n| - | - |\n| ✅ | a |\n| | b |\n", ["x a", "b"]),
    ("# T\n\n## Anything\n\n1) a\n2) b\n", ["a", "b"]),
    ("1. a\n   1. b\n   2. c\n2. d\n", ["a", ".b", ".c", "d"]),
    ("1. a\n   - b\n2. c\n", ["a", "c"]),
    ("1. a\n\n```sh\nx\n```\n\n2. b\n\nText.\n", ["a", "b"]),
    ("## Phase 1\n\n1. a\n2. b\n\n## Phase 2\n\n1. c\n", ["Phase 1", ".a", ".b", "Phase 2", ".c"]),
    ("## Phase 1\n\n### Backend\n\n1. a\n\n### Risks\n\n1. b\n", ["Phase 1", ".a"]),
    ("# T\n\n## Background\n\n1. a\n2. b\n\n## Implementation Plan\n\n1. c\n", ["c"]),
    ("# T\n\n## What we saw\n\n1. a\n2. b\n\n## Next steps:\n\n1. c\n2. d\n", ["c", "d"]),
    ("# T\n\n## What we saw\n\n1. a\n2. b\n\n## 📋 2. Action items\n\n1. c\n", ["c"]),
    ("# T\n\n## Plan\n\n### Backend\n\n1. a\n\n### Open questions\n\n1. b\n", ["a"]),
    ("# T\n\n## Goals\n\n1. a\n2. b\n\n## The work\n\n1. c\n2. d\n", ["c", "d"]),
    (
        "# T\n\n## Execution order\n\n1. a\n2. b\n\n## Phase 1: c\n\n## Phase 2: d\n",
        ["Phase 1: c", "Phase 2: d"],
    ),
    ("# T\n\n## Execution order\n\n1. a\n2. b\n", ["a", "b"]),
    ("> 1. a\n> 2. b\n\n## Step 1\n", ["Step 1"]),
    # --- numbered headings
    ("# T\n\n## 1. a\n\n## 2. b\n\n1. c\n", ["1. a", "2. b", ".c"]),
    (
        "# T\n\n## 1. Overview\n\n## 2. a\n\n## 3. b\n\n## 4. Order of work\n\n1. c\n2. d\n",
        ["2. a", "3. b"],
    ),
    ("# T\n\n## Changes\n\n### 1. a\n\n## 2024 in numbers\n", ["1. a"]),
    # --- tables
    ("| Status | Task |\n| - | - |\n| ✅ | a |\n| ⏳ | b |\n| 🚧 | c |\n", ["x a", "b", "> c"]),
    (
        "| # | What to do | Status |\n| - | - | - |\n| 1 | a | Done |\n| 2 | b | Not started |\n",
        ["x a", "b"],
    ),
    ("| Task | Status |\n| - | - |\n| a | who knows |\n| b | |\n| c | [x] |\n", ["a", "b", "x c"]),
    (
        "## Phase 1\n\n| ID | Task | Status |\n| - | - | - |\n| 1.1 | a | blocked |\n",
        ["Phase 1", ".blocked a"],
    ),
    (
        "| Phase | Status |\n| - | - |\n| 1 | ✅ |\n| 2 | 🚧 |\n\n## Phase 1\n\n## Phase 2\n\n## Phase 3\n",
        ["x Phase 1", "> Phase 2", "Phase 3"],
    ),
    ("# T\n\n| Task | Status |\n| - | - |\n| a | done |\n\n## Notes\n\n1. b\n2. c\n", ["x a"]),
    # --- boxes
    ("### Task 1: a\n\n- [x] b\n- [ ] c\n\n### Task 2: d\n", ["Task 1: a", ".x b", ".c", "Task 2: d"]),
    ("- [ ] a\n\n## Findings or not\n\n1. b\n2. c\n", ["a"]),
    ("## Steps\n\n1. a\n   - [x] b\n2. c\n", ["a", ".x b", "c"]),
    ("1. [x] a\n2. b\n\n## Step 1\n", ["x a", "Step 1"]),
    # --- a document in a fence, and front matter
    ("```md\n# T\n\n## Step 1\n```\n", ["Step 1"]),
    ("---\nname: x\n---\n# T\n\n## Step 1\n", ["Step 1"]),
]


@pytest.mark.parametrize(("text", "found"), SHAPES)
def test_what_is_a_task(text, found):
    assert rows(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "just text",
        "# Phase 1\n\nText.\n",
        "- a\n- b\n",
        "1. a\n",
        "# T\n\n## Risks\n\n1. a\n2. b\n",
        "# T\n\n## 1. a\n",
        "> 1. a\n> 2. b\n",
        "```sh\n## Phase 1\n1. a\n2. b\n```\nend\n",
        "| Endpoint | Status |\n| - | - |\n| /a | 200 |\n",
        "| Task | Owner |\n| - | - |\n| a | b |\n",
        "**Step 1** is done by hand.\n",
    ],
)
def test_what_is_no_plan(text):
    with pytest.raises(NoPlanError) as caught:
        read(text)
    assert "--from outline" not in str(caught.value)
    with pytest.raises(NoPlanError) as caught:
        read_document(text, Ledger())
    assert "--from outline" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## ~~Phase 1: a~~\n", ["x Phase 1: a"]),
        ("## ~~Phase 1: a~~ (dropped)\n", ["cancelled Phase 1: a"]),
        ("## Phase 1: ~~a~~ b\n", ["Phase 1: a b"]),
        ("1. ~~a~~ ✅\n2. ~~b~~ for now\n", ["x a", "b for now"]),
        ("1. `a (done)`\n2. b **(done)**\n", ["a (done)", "x b"]),
        ("## Phase 1\n\n**Status:** ✅ Complete\n**Owner:** me\n", ["x Phase 1"]),
        ("## Phase 1\n\nStatus: done, but not reviewed\n", ["Phase 1"]),
        ("## Phase 1\n\nText.\n\nStatus: in progress\n", ["> Phase 1"]),
        ("## Phase 1\n\n- [x] a\n- **Status:** in_progress\n", ["> Phase 1", ".x a"]),
        ("## Phase 1\n\n- Status: unclear\n\n1. a\n\nStatus: done\n", ["Phase 1", ".a"]),
        ("1. a\n   - Status: done\n2. b\n\n   Status: ✅\n", ["x a", "x b"]),
        ("## Phase 1 (blocked)\n\nStatus: done\n", ["blocked Phase 1"]),
        ("## Phase 1 ✅\n\n1. a\n", ["x Phase 1", ".a"]),
    ],
)
def test_marks_in_documents(text, found):
    assert rows(text) == found


def shape(blocks):
    return [type(block).__name__ for block in blocks]


def test_what_stands_below_a_heading_are_its_details_in_order():
    plan = one(
        "# T\n\nIntro.\n\n## Phase 1\n\nWhy.\n\n1. a\n\n#### Files\n\n- f\n\n---\n\n## Notes\n\nEnd.\n"
    )
    assert plain_text(plan.title) == "T"
    assert shape(plan.body) == ["Paragraph", "TaskList", "Rule", "Heading", "Paragraph"]
    (phase,) = (task for depth, task in walk_tasks(plan.body) if not depth)
    assert shape(phase.details) == ["Paragraph", "TaskList", "Heading", "List"]


def test_what_stands_between_steps_that_go_on_belongs_to_the_first():
    plan = one("1. a\n\n```sh\nx\n```\n\nText.\n\n2. b\n\nEnd.\n\n1. c\n")
    assert shape(plan.body) == ["TaskList", "Paragraph", "TaskList"]
    assert [shape(task.details) for task in plan.tasks()] == [["Code", "Paragraph"], [], []]
    assert [(block.ordered, block.start) for block in plan.body[::2]] == [(True, 1), (True, 1)]


def test_an_item_without_text_stays_an_item():
    plan = one("1. a\n2.\n3. b\n")
    assert shape(plan.body) == ["TaskList", "List", "TaskList"]
    assert [block.start for block in plan.body] == [1, 2, 3]


def test_the_other_cells_of_a_row_are_details():
    plan = one(
        "| ID | Task | Files | Status |\n| - | - | - | - |\n| T1 | a | `x.py` | ✅ |\n| T2 | b | | odd |\n"
    )
    first, second = plan.tasks()
    assert (first.id, second.id) == ("T1", "T2")
    assert [block_text(block) for block in first.details] == ["Files: x.py"]
    assert [block_text(block) for block in second.details] == ["Status: odd"]


def test_a_table_that_tells_about_headings_stays():
    text = "# T\n\n| Status | Phase | Text |\n| - | - | - |\n| ✅ | 1 | a |\n\n## Phase 1\n"
    assert isinstance(one(text).body[0], Table)
    several = "| Phase | Task | Status |\n| - | - | - |\n| 1 | a | done |\n| 1 | b | todo |\n\n## Phase 1\n"
    assert rows(several) == ["Phase 1"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("## Phase 1\n\n## Phase 2\n", ["Phase 1", "Phase 2"]),
        ("## Phase 1\n\n### Task 1\n", ["Phase 1", "Task 1"]),
        (
            "## Phase 1\n\n### Step 1\n\n## Phase 2\n\n### Step 1\n\n### Step 2\n",
            ["Phase 1", None, "Phase 2", None, None],
        ),
        ("## Plan\n\n### 1. a\n\n### 1.1 b\n\n### 1.1 c\n", ["1", None, None]),
        (
            "1. T001 a\n2. 1.2 b\n3. ABC-12 c\n4. Step 7 d\n5. e\n",
            ["T001", "1.2", "ABC-12", "Step 7", None],
        ),
    ],
)
def test_ids_are_copies_of_what_titles_begin_with(text, ids):
    assert [task.id for task in one(text).tasks()] == ids


def test_a_title_that_is_a_step_is_a_task():
    plan = one("Intro.\n\n# Phase 1\n\na\n\n# Phase 2\n")
    assert (plan.title, plan.extras) == ((), {})
    assert shape(plan.body) == ["Paragraph", "TaskList"]


def test_the_title_keeps_its_place():
    plan = one("## Step 1\n\na\n\n- b\n\n# T\n\n## Step 2\n")
    assert plan.extras == {"markdown": {"title_at": 1}}
    assert plain_text(plan.title) == "T"
    assert len(list(plan.tasks())) == 2


def test_what_is_assumed_is_noted():
    _, losses = read(
        "# T\n\n## Phase 1 ✅\n\n1. a\n\n- [ ] b\n\n| Task | State |\n| - | - |\n| c | done |\n"
    )
    assert [(loss.code, loss.path, loss.was, loss.now) for loss in losses] == [
        (TASK_ASSUMED, "/tasks/0", "heading", "task"),
        (STATUS_FROM_MARK, "/tasks/0/status", "✅", "completed"),
        (TASK_ASSUMED, "/tasks/1", "numbered step", "task"),
        (TASK_ASSUMED, "/tasks/3", "table row", "task"),
        (STATUS_FROM_MARK, "/tasks/3/status", "done", "completed"),
    ]
    assert {loss.code.kind for loss in losses} == {Kind.ASSUMED}


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("## Step 1\n\n- [-] a\n", MARK_AMBIGUOUS, "/tasks/1/status"),
        ("- [ ] a\n\n## Step 1\n\n- [-] b\n", MARK_AMBIGUOUS, "/tasks/2/status"),
        ("# T\n\nText.\n\n- []a\n\n## Step 1\n", BOX_IGNORED, "/body/1"),
        ("# T\n\n## Step 1\n\n- []a\n", BOX_IGNORED, "/tasks/0/details"),
        ("## Step 1\n\n- [ ] a\n\n  - []b\n", BOX_IGNORED, "/tasks/1/details"),
        ("1. []a\n2. b\n", BOX_IGNORED, "/body"),
    ],
)
def test_what_the_reader_notes_is_named_where_it_stands_now(text, code, path):
    _, losses = read(text)
    assert [loss.path for loss in losses if loss.code is code] == [path]


@pytest.mark.parametrize("text", [text for text, _ in SHAPES if "|" not in text])
def test_no_text_is_lost(text):
    def words(blocks):
        for block in blocks:
            match block:
                case Paragraph(line) | Heading(_, line):
                    yield plain_text(line)
                case List(items):
                    for item in items:
                        yield from words(item.blocks)
                case _:
                    yield block_text(block)
        for depth, task in walk_tasks(blocks):
            yield from words(task.details) if not depth else ()

    plan = one(text)
    (plain,), _ = read_dialect(text, Ledger(), OUTLINE._replace(steps=False), explicit=True)
    before, after = (
        " ".join([plain_text(found.title), *words(found.body)]).split() for found in (plain, plan)
    )
    assert sorted(before) == sorted(after)
