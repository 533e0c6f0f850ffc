"""What a title says, apart from numbers, signs and styles."""

import pytest

from planconv.model import Style, Text, plain_text, text_line
from planconv.update.wording import id_in, key, parts, reworded, said


@pytest.mark.parametrize(
    ("text", "before", "core", "behind"),
    [
        ("Write it", "", "Write it", ""),
        ("T012 [P] [US1] Write it", "T012 [P] [US1] ", "Write it", ""),
        ("[T012] Write it (depends on T001, T002)", "[T012] ", "Write it", " (depends on T001, T002)"),
        ("CHK001 Is it clear? [Gap]", "CHK001 ", "Is it clear? [Gap]", ""),
        ("1. Set up", "1. ", "Set up", ""),
        ("1.2.3 Set up", "1.2.3 ", "Set up", ""),
        ("3 ways to do it", "", "3 ways to do it", ""),
        ("2024 budget", "", "2024 budget", ""),
        ("Step 1: Write the test", "Step 1: ", "Write the test", ""),
        ("Task: Nets [a1b2c3d]", "Task: ", "Nets", " [a1b2c3d]"),
        ("Pay 📅 2025-01-01 🆔 abc", "", "Pay", " 📅 2025-01-01 🆔 abc"),
        ("T012", "", "T012", ""),
        ("1.2", "", "1.2", ""),
        ("", "", "", ""),
    ],
)
def test_a_title_has_three_parts(text, before, core, behind):
    assert parts(text) == (before, core, behind)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("T001 Make `a.py`.", "make a.py", True),
        ("1.2 Run **all** tests!", "Run  all tests", True),
        ("Keep __init__", "Keep init", False),
        ("Ship v1", "Ship v2", False),
        ("…", "?", False),
    ],
)
def test_titles_are_alike_whatever_they_look_like(one, other, alike):
    assert (key(text_line(one)) == key(text_line(other))) is alike


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("T001 Make it", "T001"),
        ("Task T001: make it", "T001"),
        ("[T001] Make it", "T001"),
        ("1.2 Make it", "1.2"),
        ("2.10. Make it", "2.10"),
        ("1. Make it", None),
        ("T1 helper", None),
        ("1.2-beta is out", None),
        ("Make T001", None),
    ],
)
def test_an_id_is_what_nobody_counts_up_to_by_chance(text, id):
    assert id_in(text_line(text)) == id


def test_another_text_keeps_number_signs_and_style():
    old = text_line("T001 [P] Make it (depends on T000)")
    assert plain_text(reworded(old, text_line("T001 Make that"))) == "T001 [P] Make that (depends on T000)"
    bold = (Text("Step 1: Make it", Style.BOLD),)
    assert reworded(bold, text_line("Make that")) == (Text("Step 1: Make that", Style.BOLD),)
    styled = (Text("Make ", Style.PLAIN), Text("that", Style.CODE))
    assert reworded(bold, styled) == (Text("Step 1: ", Style.BOLD), *styled)
    assert said(reworded(old, styled)) == "Make that"
