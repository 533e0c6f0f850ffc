"""The box at the start of a list item, and how a text is kept from being one."""

import pytest

from planconv.markdown.boxes import Box, box_in_first_line, keep_open, read_box, without_box


@pytest.mark.parametrize(
    ("content", "line", "box"),
    [
        ("[ ] a", "- [ ] a", Box(" ", 4)),
        ("[X]  a", "> 10) [X]  a", Box("x", 5)),
        ("[ ]", "- [ ] ", Box(" ", 3)),
        ("[ ]", "- [ ]", None),
        ("[ ]\na", "- [ ]", None),
        ("[~] a", "- [~] a", Box("~", 4)),
        ("[v] a", "- [v] a", None),
        ("[x] a", "- | [x] a | b", None),
    ],
)
def test_read_box(content, line, box):
    assert read_box(content, line) == box


@pytest.mark.parametrize(
    ("text", "written"), [("[ ] a", "\\[ ] a"), ("[x]", "\\[x]"), ("[x](u)", "[x](u)"), ("[P] a", "[P] a")]
)
def test_a_text_without_a_box(text, written):
    assert without_box(text) == written


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("a `[x]` b", "a\n`[x]` b"),
        ("`[X]`", "<!-- -->\n`[X]`"),
        ("see [x](u)", "see\n[x](u)"),
        ("a\\\n`[x]`", "a\\\n`[x]`"),
        ("a", "a"),
    ],
)
def test_an_open_task_stays_open(title, written):
    assert keep_open(title) == written


def test_a_box_behind_two_markers():
    assert box_in_first_line("- 1. [ ] a")
    assert not box_in_first_line("- 1. a")
