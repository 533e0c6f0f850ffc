"""Which marks beside a step say what, and that nothing else does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.markdown.inline import parse_line
from planconv.markdown.step_marks import read_label, read_marks, status_line, status_of
from planconv.model import plain_text, text_line
from planconv.status import COMPLETED, KNOWN

MARKS = [
    ("Phase 1 ✅", "Phase 1", "completed"),
    ("✅ Phase 1", "Phase 1", "completed"),
    ("✔️ Phase 1: a", "Phase 1: a", "completed"),
    ("Phase 1 ✅: a", "Phase 1: a", "completed"),
    ("Phase 1: ✅ a", "Phase 1: a", "completed"),
    ("Phase 1 ✅ — a", "Phase 1 — a", "completed"),
    ("Phase 1: a — ✅ COMPLETE", "Phase 1: a", "completed"),
    ("Phase 1: a - Done", "Phase 1: a", "completed"),
    ("Phase 1: a (done)", "Phase 1: a", "completed"),
    ("Phase 1: a [DONE]", "Phase 1: a", "completed"),
    ("[done] Phase 1", "Phase 1", "completed"),
    ("[x] Phase 1", "Phase 1", "completed"),
    ("[ ] Phase 1", "Phase 1", "pending"),
    ("Phase 1 (✅ 2026-01-02)", "Phase 1", "completed"),
    ("Phase 1 :white_check_mark:", "Phase 1", "completed"),
    ("🚧 Phase 1 (in progress)", "Phase 1", "in_progress"),
    ("Phase 1 ✅ (in progress)", "Phase 1", "in_progress"),
    ("Phase 1 [WIP]", "Phase 1", "in_progress"),
    ("Phase 1 (skipped)", "Phase 1", "cancelled"),
    ("Phase 1 ⛔", "Phase 1", "blocked"),
    ("Phase 1 ⏸️", "Phase 1", "deferred"),
    # what says nothing, or is not known, stays
    ("⏳ Phase 1", "⏳ Phase 1", None),
    ("Phase 1 (planned)", "Phase 1 (planned)", None),
    ("Phase 1 🎯", "Phase 1 🎯", None),
    ("Phase 1 ❌", "Phase 1 ❌", None),
    ("[~] Phase 1", "[~] Phase 1", None),
    ("Phase 1: Done", "Phase 1: Done", None),
    ("Phase 1 (mostly done)", "Phase 1 (mostly done)", None),
    ("Phase 1 (3/5 done)", "Phase 1 (3/5 done)", None),
    ("Phase 1: solve for (x)", "Phase 1: solve for (x)", None),
    ("Phase 1: show ✅ in the list", "Phase 1: show ✅ in the list", None),
    ("Phase 1 ✅ tests remain", "Phase 1 ✅ tests remain", None),
]


@pytest.mark.parametrize(("text", "title", "status"), MARKS)
def test_marks_in_titles(text, title, status):
    marked = read_marks(text_line(text))
    assert (plain_text(marked.title), marked.status) == (title, status)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("Status: done", ("completed", "done")),
        ("status : ✅ Complete", ("completed", "✅ Complete")),
        ("**Status**: ✅ Complete\n**Due date**: today", ("completed", "✅ Complete")),
        ("**Status:** in progress  \nOwner: me", ("in_progress", "in progress")),
        ("**Status:** **Done**\n**Owner:** me", ("completed", "Done")),
        ("Status: todo", ("pending", "todo")),
        ("Status: done Owner: me", None),
        ("Status: ✅ Partly Owner: me", None),
        ("**Status:** ✅ Partly\n**Owner:** me", None),
        ("Status: Design Complete, Awaiting Implementation", None),
        ("Status: ✅ Design, ⏳ code", None),
        ("**Status:**", None),
        ("The status: done", None),
    ],
)
def test_lines_that_say_the_status(source, said):
    assert status_line(parse_line(source)) == said


@given(
    st.text(max_size=12) | st.sampled_from([*KNOWN, "❌", "🔴", "[~]", "(x)"]).map(lambda word: f"{word}?")
)
def test_only_known_words_are_done(word):
    if status_of(word) == COMPLETED:
        kept = "".join(char for char in word.lower() if char.isalpha() or char in "✅✔☑✓")
        assert kept in {
            *("done", "completed", "complete", "finished", "implemented", "x", "✅", "✔", "☑", "✓"),
            *(
                f"{sign}{word}"
                for sign in "✅✔☑✓"
                for word in ("done", "completed", "complete", "finished")
            ),
        }


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Phase 2: a", "Phase 2"),
        ("step 3.1a", "step 3.1a"),
        ("Task #4", "Task 4"),
        ("Phase-1", "Phase 1"),
        ("Part IV: a", "Part IV"),
        ("Part I think is hard", ""),
        ("Tasks 3", ""),
        ("Phase", ""),
        ("A phase 1", ""),
    ],
)
def test_labels(text, label):
    assert read_label(text) == label
