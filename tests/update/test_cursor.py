"""Todos in front matter, changed where they stand."""

import pytest

from planconv.errors import EncodeError
from tests.update.files import changed_lines, updated

PLAN = """\ufeff---
name: Shop
overview: it has a colon: here   # and a comment
todos:
  # the first
  - id: write-it
    content: 'Write `it`'  # quoted
    status: todo
  -   id: ship
      content: Ship it
  - {id: tell, content: "Tell: all"}
  - id: folded
    content: >-
      Fold
      it
    status: pending
isProject: false
---

# Shop

- [ ] Write it
"""


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("- [x] Write it", ["    status: completed"]),
        ("- [ ] Write it _(in progress)_", ["    status: in_progress"]),
        ("- [ ] Write it _(blocked)_", ['    content: "Write `it` (blocked)"  # quoted']),
        ("- [x] Ship it", ["      status: completed"]),
        ("- [x] Tell: all", ['  - {id: tell, content: "Tell: all", status: completed}']),
        ("- [x] Fold it", ["    status: completed"]),
        ("- [ ] Ship it\n- [ ] Fold it", []),
    ],
)
def test_a_todo_changes_its_own_lines(source, lines, end):
    text = PLAN.replace("\n", end)
    new, (statuses, _), _ = updated(text, "cursor", source)
    assert [line.rstrip("\r") for line in changed_lines(text, new)] == lines
    assert statuses == bool(lines)
    assert new.count("\r") == new.count("\n") * (end == "\r\n")


def test_a_text_of_the_same_id_changes():
    source = "---\ntodos:\n  - id: ship\n    content: Ship all of it\n    status: completed\n---\n"
    new, counts, _ = updated(PLAN, "cursor", source, "cursor")
    assert changed_lines(PLAN, new) == ["      content: Ship all of it", "      status: completed"]
    assert counts == (1, 1)


def test_a_status_that_cursor_does_not_have_is_told():
    assert updated(PLAN, "cursor", "- [ ] Write it _(failed)_")[2] == [("PC201", "/tasks/0/status")]


def test_a_todo_that_is_no_mapping_is_left_alone():
    with pytest.raises(EncodeError, match="no mapping"):
        updated("---\ntodos:\n  - Just a text\n---\n", "cursor", "- [x] Just a text")
