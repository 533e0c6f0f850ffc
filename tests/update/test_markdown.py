"""What becomes of a line: its box, the words behind the title, the title."""

import pytest

from tests.update.files import changed_lines, updated


@pytest.mark.parametrize(
    ("line", "source", "now"),
    [
        # the box, and nothing beside it
        ("- [ ] A", "- [x] A", "- [x] A"),
        ("- [X] A", "- [ ] A", "- [ ] A"),
        ("- [X] A", "- [x] A", "- [X] A"),
        ("  *   [ ]   A  \t", "- [x] A", "  *   [x]   A  \t"),
        ("> 3) [ ] A", "- [x] A", "> 3) [x] A"),
        ("- - [ ] A", "- [x] A", "- - [x] A"),
        ("- [ ] [a](b) `c` **d**", "- [x] a c d", "- [x] [a](b) `c` **d**"),
        # the words behind
        ("- [ ] A", "- [ ] A _(in progress)_", "- [ ] A _(in progress)_"),
        ("- [ ] A   _(in progress)_ ", "- [ ] A", "- [ ] A "),
        ("- [ ] A _(blocked)_", "- [x] A", "- [x] A"),
        ("- [ ] A _(blocked)_", "- [ ] A _(failed)_", "- [ ] A _(failed)_"),
        ("- [ ] A _(high priority)_", "- [ ] A _(blocked)_", "- [ ] A _(blocked, high priority)_"),
        ("- [ ] A _(blocked, low priority)_", "- [x] A", "- [x] A _(low priority)_"),
        # what is cancelled is struck out
        ("- [ ] A `b`", "- [ ] ~~A b~~ _(cancelled)_", "- [ ] ~~A `b`~~ _(cancelled)_"),
        ("- [x] A ~~b~~", "- [ ] A b _(cancelled)_", "- [ ] A ~~b~~ _(cancelled)_"),
        ("- [ ] ~~A `b`~~ _(cancelled)_", "- [ ] A b", "- [ ] A `b`"),
        ("- [ ] ~~A~~ _(cancelled)_", "- [x] A", "- [x] A"),
        # a text with a box in it, for which cmark-gfm would tick an open task
        ("- [x] A [x] b", "- [ ] A [x] b", "- [ ] A [x\\] b"),
    ],
)
def test_a_line_changes_no_more_than_it_has_to(line, source, now):
    text = f"# P\n\n{line}\n\n```\n- [ ] A\n```\n"
    assert updated(text, "markdown", source)[0] == text.replace(line, now, 1)


@pytest.mark.parametrize(
    ("form", "line", "source", "now"),
    [
        ("kiro", "- [ ] 1. A", "- [ ] A _(in progress)_", "- [-] 1. A"),
        ("kiro", "- [~] 1. A", "- [x] A", "- [x] 1. A"),
        ("kiro", "- [~] 1. A", "- [ ] A _(blocked)_", "- [~] 1. A _(blocked)_"),
        ("kiro", "- [ ]* 1.1 A", "- [x] 1.1 A", "- [x]* 1.1 A"),
        ("kiro", "- [ ]\\* 1.1 A", "- [ ] 1.1 A _(in progress)_", "- [-]\\* 1.1 A"),
        ("roo", "- [ ] A", "- [ ] A _(in progress)_", "- [-] A"),
        ("conductor", "- [ ] Task: A [a1b2c3d]", "- [ ] A _(in progress)_", "- [~] Task: A [a1b2c3d]"),
        ("conductor", "## [~] Track: A ##", "- [x] A", "## [x] Track: A ##"),
        (
            "conductor",
            "## [x] Track: A ##",
            "- [ ] A _(cancelled)_",
            "## [ ] ~~Track: A~~ _(cancelled)_ ##",
        ),
        ("conductor", "## [ ] ~~Track: A~~ _(cancelled)_", "- [x] A", "## [x] Track: A"),
        ("conductor", "## [ ] Track: A _(cancelled)_", "- [x] A", "## [x] Track: A"),
        ("obsidian", "- [?] A", "- [ ] A _(in progress)_", "- [/] A"),
        ("roo", "[ ] A", "- [ ] A _(in progress)_", "[-] A"),
        ("gitlab", "- [ ] A", "- [ ] ~~A~~ _(cancelled)_", "- [~] A"),
        ("gitlab", "- [ ] A", "- [ ] A _(in progress)_", "- [ ] A _(in progress)_"),
        ("obsidian", "- [ ] A 📅 2025-01-01", "- [ ] A _(in progress)_", "- [/] A 📅 2025-01-01"),
        ("obsidian", "- [!] A", "- [ ] A _(cancelled)_", "- [-] A"),
        ("speckit", "- [ ] T001 [P] [US1] A", "- [x] T001 A", "- [x] T001 [P] [US1] A"),
        ("openspec", "- [ ] 1.1 A", "- [x] 1.1 A", "- [x] 1.1 A"),
        ("superpowers", "- [ ] **Step 1: A**", "- [x] Step 1: A", "- [x] **Step 1: A**"),
        ("markdown", "- [-] A", "- [ ] A _(blocked)_", "- [-] A _(blocked)_"),
    ],
)
def test_a_dialect_has_its_own_marks(form, line, source, now):
    text = f"{line}\n\ntext\n\n- [ ] other\n"
    assert updated(text, form, source)[0] == text.replace(line, now, 1)


def test_only_the_progress_of_an_execplan_holds_tasks():
    text = "````md\n# E\n\n## Progress\n\n- [ ] A\n\n## Validation\n\n- [ ] A\n````\n"
    assert updated(text, "execplan", "- [x] A")[0] == text.replace("- [ ] A", "- [x] A", 1)


@pytest.mark.parametrize(
    ("line", "source", "now"),
    [
        ("- [ ] T001 [P] [US1] Write **it**", "- [ ] T001 Write that", "- [ ] T001 [P] [US1] Write that"),
        ("- [ ] T001 Write **it**", "- [ ] T001 Write it", "- [ ] T001 Write **it**"),
        ("- [ ] T001 Do (depends on T002)", "- [ ] T001 Do that", "- [ ] T001 Do that (depends on T002)"),
        ("- [ ] T001 Do _(blocked)_", "- [x] T001 Do `that`", "- [x] T001 Do `that`"),
        ("- [ ] T001 Do", "- [ ] T001 Do [x] twice", "- [ ] T001 Do [x\\] twice"),
        ("- [ ] T001 Do", "- [ ] ~~T001 Do that~~ _(cancelled)_", "- [ ] ~~T001 Do that~~ _(cancelled)_"),
        ("- [ ] Do it now", "- [ ] Do it", "- [ ] Do it now"),
        ("- [ ] **T001** Do", "- [ ] T001 Do that", "- [ ] **T001** Do that"),
    ],
)
def test_the_text_of_the_same_id_changes_and_no_other(line, source, now):
    text = f"{line}\n- [ ] T002 Stay\n"
    assert updated(text, "speckit", source)[0] == text.replace(line, now, 1)


WRAPPED = "- [ ] A title that\r\n  goes on  \r\n  > and is text\r\n\r\n  Details.\r\n"


def test_a_title_on_several_lines_changes_where_it_has_to():
    text, counts, _ = updated(WRAPPED, "markdown", "- [ ] A title that goes on _(in progress)_")
    assert changed_lines(WRAPPED, text) == ["  goes on _(in progress)_  \r"]
    assert counts == (1, 0)
    assert updated(text, "markdown", "- [ ] A title that goes on")[0] == WRAPPED
    done = "- [x] A title that\n  goes on\n\n  **Output:**\n"
    assert changed_lines(WRAPPED, updated(WRAPPED, "markdown", done)[0]) == ["- [x] A title that\r"]


def test_words_on_a_line_of_their_own_go_with_it():
    assert updated("- [ ] A\n  _(blocked)_\n- [ ] B", "markdown", "- [x] A")[0] == "- [x] A\n- [ ] B"


def test_a_parent_is_never_ticked_by_its_children():
    text = "- [ ] Parent\n  - [ ] One\n  - [ ] Two\n"
    assert updated(text, "markdown", "- [x] One\n- [x] Two\n")[0].startswith("- [ ] Parent\n  - [x] One")


def test_everything_else_stays_byte_for_byte():
    text = "\ufeff---\r\na: 1\r\n---\r\n\r\n# P  \r\n<!-- - [ ] A -->\r\n* [ ] A\r\n\r\n\r\n\tcode\r\nend"
    assert updated(text, "markdown", "- [x] A")[0] == text.replace("* [ ]", "* [x]")
