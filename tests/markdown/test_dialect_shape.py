"""Which text a dialect takes for tasks, and what belongs to each."""

import pytest

import planconv
from planconv.loss import Ledger
from planconv.markdown.dialect import DIALECTS
from planconv.markdown.dialect_shape import listed, unwrapped
from planconv.model import plain_text, walk_tasks


def tasks(text, dialect, ledger=None):
    (plan,) = planconv.decode(text, dialect, ledger)
    return [(depth, task.status, plain_text(task.title)) for depth, task in walk_tasks(plan.body)]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```md\n# A\n```\n", "\n# A\n"),
        ("\n\n~~~~markdown\n# A\n~~~~\n\n", "\n\n\n# A\n"),
        ("```\n# A\n\n```bash\nmake\n```\n\nb\n```", "\n# A\n\n```bash\nmake\n```\n\nb\n"),
        ("````md\n# A\n```\nb\n```\n````\n", "\n# A\n```\nb\n```\n"),
    ],
)
def test_a_document_in_one_fence_is_what_stands_in_it(text, inside):
    assert unwrapped(text) == inside


@pytest.mark.parametrize(
    "text",
    [
        "```md\n# A\n```\n\nText\n\n```\nb\n```\n",
        "```python\n# A\n```\n",
        "Text\n\n```md\n# A\n```\n",
        "```md\n# A\n",
    ],
)
def test_any_other_document_with_fences_stays_as_it_is(text):
    assert unwrapped(text) == text


def test_roo_reads_boxes_without_bullets():
    text = "[x] Read\n[-] Set\n  [~] Trim\n[ ] Weigh\n"
    assert tasks(text, "roo") == [
        (0, "completed", "Read"),
        (0, "in_progress", "Set"),
        (1, "in_progress", "Trim"),
        (0, "pending", "Weigh"),
    ]
    assert planconv.convert(text, "roo", "roo").text == text


def test_openspec_reads_a_box_right_behind_its_bullet():
    text = "## 1. Yard\n\n- [x] 1.1 Clear\n-[ ] 1.2 Set\n*[x] 1.3 Paint\n"
    assert [status for _, status, _ in tasks(text, "openspec")] == ["completed", "pending", "completed"]
    assert planconv.convert(text, "openspec", "openspec").text == text


@pytest.mark.parametrize("name", ["roo", "openspec"])
def test_what_stands_in_a_fence_is_no_task(name):
    text = "```\n[x] a\n-[ ] b\n```\n~~~~\n```\n[ ] c\n~~~~\n"
    assert listed(text, DIALECTS[name]) == text


def test_obsidian_has_marks_of_its_own():
    ledger = Ledger()
    text = "- [<] Scheduled\n- [?] Question\n- [*] Star\n- [l] a place\n- [ ] Open\n"
    assert tasks(text, "obsidian", ledger) == [
        (0, "pending", title) for title in ("Scheduled", "Question", "Star", "Open")
    ]
    assert not ledger.losses
    assert planconv.convert(text, "obsidian", "obsidian").text == text
    assert tasks(text, "markdown") == [(0, "pending", "Open")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- [ ] 1. A\n- [ ] 1.1 B\n- [ ] 1.1.1 C\n- [ ] 2. D\n", [0, 1, 2, 0]),
        ("- [ ] 1. A\n- [ ] 11. B\n- [ ] 1.2 C\n", [0, 0, 0]),
        ("- [ ] 1. A\n  - [ ] 2.1 B\n", [0, 1]),
        ("- [ ] 1.1 A\n- [ ] 1.2 B\n", [0, 0]),
    ],
)
def test_a_number_says_under_which_task_another_stands(text, expected):
    assert [depth for depth, _, _ in tasks(text, "kiro")] == expected


def test_only_a_tick_in_a_heading_says_that_a_track_is_done():
    text = "## [ ] Nets _(completed)_\n\n## [ ] ~~Ropes~~ _(cancelled)_\n"
    assert tasks(text, "conductor") == [(0, "pending", "Nets (completed)"), (0, "cancelled", "Ropes")]
