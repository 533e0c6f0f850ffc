"""The parenthesis behind a title: what is read from it, and that writing and reading agree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.markdown.notes import StatusNote, holds_note, split_note, write_note


@pytest.mark.parametrize(
    ("status", "priority", "written"),
    [
        ("in_progress", None, "_(in progress)_"),
        ("blocked", "high", "_(blocked, high priority)_"),
        (None, "low", "_(low priority)_"),
        ("_waiting", "_urgent", "_(\\_waiting, \\_urgent priority)_"),
        ("a_b", None, "_(a_b)_"),
        (None, None, ""),
    ],
)
def test_write_and_split(status, priority, written):
    assert write_note(status, priority) == written
    if written:
        assert split_note(f"title {written}") == ("title", StatusNote(status, priority))


@pytest.mark.parametrize(
    "status", ["", "in progress", "high priority", "a, b", "odd!", "one two three four", "(a)"]
)
def test_what_a_note_cannot_say(status):
    assert not holds_note(status, None)


@pytest.mark.parametrize(
    "source",
    [
        *("a", "a_(b)_", "a \\_(b)_", "a _(b)", "a _(_b)_", "a _(b.)_", "a *(b)*", "a _(b, c)_", "a _()_"),
        *("a _(b\\\nc)_", "a _(b  \nc)_", "a _(b\n\nc)_"),
    ],
)
def test_text_that_is_no_note(source):
    assert split_note(source) == (source, None)


@pytest.mark.parametrize(
    "source", ["title\n_(in progress, high priority)_", "title _(in progress,\n  high priority)_"]
)
def test_a_note_that_a_formatter_has_wrapped(source):
    assert split_note(source) == ("title", StatusNote("in_progress", "high"))


@given(st.text("ab_- \\()é", max_size=8), st.none() | st.sampled_from(["high", "_x"]))
def test_what_is_held_comes_back(status, priority):
    if holds_note(status, None):
        assert split_note(f"a {write_note(status, priority)}") == ("a", StatusNote(status, priority))
