"""Plans without boxes: read when they are asked for by name, never otherwise, and never written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import planconv
from planconv import registry
from planconv.codecs.markdown import MARKDOWN
from planconv.codecs.outline import OUTLINE
from planconv.detect import detect
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import TASK_ASSUMED, Ledger
from planconv.model import Plan, plain_text

PLAN = """\
---
owner: me
---
# Search

Why we need it.

## Phase 1: Index ✅

1. Read the files
2. Write the index

## Phase 2: Query

Text.
"""
PIECES = st.sampled_from(
    [
        *("# ", "## ", "Phase 1", "Step 2: a", "1. ", "2. ", "- [x] ", "- ", "   ", "> ", "✅", "~~", "**"),
        *("(done)", "Status: done", "a", "\0", "é", "---\n", "\n", "\n\n", "```\n"),
        "| Status | Task |\n| - | - |\n| ✅ | a |\n",
        *("# T\n\n", "3) ", "## Notes\n\n", "## Plan\n\n", "- []z"),
    ]
)


def titles(plans):
    return [plain_text(task.title) for plan in plans for task in plan.tasks()]


def test_an_outline_is_read():
    ledger = Ledger()
    (plan,) = OUTLINE.decode(PLAN.encode(), ledger)
    assert plain_text(plan.title) == "Search"
    assert titles([plan]) == ["Phase 1: Index", "Read the files", "Write the index", "Phase 2: Query"]
    assert [loss.code for loss in ledger.losses].count(TASK_ASSUMED) == 4


def test_it_becomes_a_checklist_with_its_front_matter():
    result = planconv.convert(PLAN.encode(), "outline", "markdown")
    assert result.data.decode() == (
        "---\nowner: me\n---\n\n# Search\n\nWhy we need it.\n\n"
        "- [x] Phase 1: Index\n  1. [ ] Read the files\n  2. [ ] Write the index\n\n"
        "- [ ] Phase 2: Query\n\n  Text.\n"
    )


def test_it_becomes_entries():
    line = planconv.convert(PLAN.encode(), "outline", "acp").data
    entries = json.loads(line)["params"]["update"]["plan"]["entries"]
    assert [entry["status"] for entry in entries] == ["completed", "pending", "pending", "pending"]


@pytest.mark.parametrize("name", ["plan.md", "outline.md", "outline", "", "notes.txt"])
def test_it_is_never_taken_unasked(name):
    assert OUTLINE.recognise(PLAN.encode()) == ""
    assert detect(name, PLAN.encode(), registry.built_in()).format == "markdown"
    with pytest.raises(NoPlanError) as caught:
        MARKDOWN.decode(PLAN.encode(), Ledger())
    assert "--from outline" in str(caught.value)


def test_a_document_without_a_step_says_so():
    with pytest.raises(NoPlanError) as caught:
        OUTLINE.decode(b"# T\n\n- a\n- b\n", Ledger())
    assert "neither a heading such as 'Phase 1'" in str(caught.value)
    assert caught.value.exit_status == 1


def test_the_todos_of_cursor_are_named():
    with pytest.raises(NoPlanError) as caught:
        OUTLINE.decode(b"---\nname: x\ntodos:\n  - a\n---\n# T\n", Ledger())
    assert "--from cursor" in str(caught.value)


def test_an_empty_plan_that_says_so_is_one():
    assert OUTLINE.decode(b"<!-- planconv:plan -->\n", Ledger()) == [Plan()]


def test_several_plans():
    plans = OUTLINE.decode(
        b"<!-- planconv:plan -->\n\n# A\n\n## Step 1\n\n<!-- planconv:plan -->\n\n1. b\n2. c\n", Ledger()
    )
    assert [titles([plan]) for plan in plans] == [["Step 1"], ["b", "c"]]


def test_byte_order_mark_and_line_ends():
    assert titles(OUTLINE.decode(b"\xef\xbb\xbf## Step 1\r\n\r\n1. a\r\n", Ledger())) == ["Step 1", "a"]


@pytest.mark.parametrize("data", [b"\xff\xfe#\0", b"## Step 1\n\xff", b"> " * 300 + b"a"])
def test_what_cannot_be_read_is_an_error(data):
    with pytest.raises(DecodeError):
        OUTLINE.decode(data, Ledger())


def test_it_is_only_read():
    assert not OUTLINE.info.writes
    with pytest.raises(EncodeError, match="outline is only read"):
        OUTLINE.encode([], Ledger())


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text_gives_plans_or_an_error(text):
    ledger = Ledger()
    try:
        plans = OUTLINE.decode(text.encode(), ledger)
    except DecodeError:
        return
    numbers = [loss.path for loss in ledger.losses if loss.code is TASK_ASSUMED]
    assert len(set(numbers)) == len(numbers) <= len(titles(plans))
    assert planconv.decode(planconv.encode(plans, "native"), "native") == plans


@given(st.lists(PIECES, max_size=30).map("".join))
def test_the_hint_is_given_exactly_when_something_would_be_found(text):
    try:
        MARKDOWN.decode(text.encode(), Ledger())
    except NoPlanError as error:
        hinted = "--from outline" in str(error)
    except DecodeError:
        return
    else:
        return
    try:
        found = bool(titles(OUTLINE.decode(text.encode(), Ledger())))
    except NoPlanError:
        found = False
    assert hinted == found or (found and text.startswith("```")), "only an outline is taken out of a fence"


@given(st.binary(max_size=200))
def test_any_bytes_give_plans_or_an_error(data):
    try:
        OUTLINE.decode(data, Ledger())
    except DecodeError:
        return
