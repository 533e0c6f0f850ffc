"""A file in its dialect is changed no more than its plan, and written anew in that dialect's form."""

import dataclasses

import pytest

import planconv
from planconv.loss import Ledger
from planconv.model import TaskList, Text, make_line, map_tasks, plain_text

TRACKS = """# Tracks

Words above.

---

## [x] Track: Nets
*Link: [./nets](./nets)*

---

## [~] Track: Ropes

- [ ] Twist them

---

- [ ] **Track: Sails**
"""


def with_status(plan, title, status):
    return dataclasses.replace(
        plan,
        body=map_tasks(
            plan.body,
            lambda task: (
                dataclasses.replace(task, status=status) if plain_text(task.title) == title else task
            ),
        ),
    )


@pytest.mark.parametrize(
    ("dialect", "text", "status", "now"),
    [
        ("roo", "[ ] A\n[ ] B\n", "in_progress", "[-] A\n[ ] B\n"),
        ("openspec", "-[ ] A\n\n\n* [ ] B\n", "completed", "-[x] A\n\n\n* [ ] B\n"),
        ("obsidian", "* [<] A\n- [ ] B\n", "cancelled", "* [-] A\n- [ ] B\n"),
        ("gitlab", "+ [ ] A\n", "cancelled", "+ [~] A\n"),
        ("kiro", "- [ ]* A\n\n\n- [ ] B\n", "in_progress", "- [-]* A\n\n\n- [ ] B\n"),
        (
            "execplan",
            "```md\n## Progress\n\n- [ ] A\n```\n",
            "completed",
            "```md\n## Progress\n\n- [x] A\n```\n",
        ),
        ("conductor", "## [ ] A\nText\n", "in_progress", "## [~] A\nText\n"),
        ("speckit", "* [ ] A\r\n", "completed", "* [x] A\r\n"),
        ("superpowers", "* [ ] A\n\nText\n", "blocked", "* [ ] A _(blocked)_\n\nText\n"),
    ],
)
def test_a_changed_status_changes_its_box_only(dialect, text, status, now):
    (plan,) = planconv.decode(text, dialect)
    assert planconv.encode([with_status(plan, "A", status)], dialect).decode() == now


def test_tracks_that_were_added_to_keep_their_headings():
    (plan,) = planconv.decode(TRACKS, "conductor")
    new = planconv.Task(make_line([Text("Track: Masts")]))
    body = tuple(
        TaskList((*block.tasks, dataclasses.replace(new, extras=block.tasks[-1].extras)))
        if isinstance(block, TaskList) and plain_text(block.tasks[-1].title) == "Track: Ropes"
        else block
        for block in plan.body
    )
    ledger = Ledger()
    text = planconv.encode([dataclasses.replace(plan, body=body)], "conductor", ledger).decode()
    assert text.split("\n") == [
        *TRACKS.replace("Nets\n*", "Nets\n\n*").split("---\n\n- [ ] **Track")[0].split("\n")[:-1],
        "## [ ] Track: Masts",
        "",
        "---",
        "",
        "- [ ] **Track: Sails**",
        "",
    ]
    assert [loss.path for loss in ledger.losses] == ["/extras/conductor/source"]


def test_tasks_outside_the_only_section_are_refused():
    (plan,) = planconv.decode("## Progress\n\n- [ ] A\n", "markdown")
    plain = planconv.decode("## Progress\n\n- [ ] A\n\n## Later\n\n- [ ] B\n", "markdown")
    assert planconv.encode([plan], "execplan")
    with pytest.raises(planconv.EncodeError, match="progress"):
        planconv.encode(plain, "execplan")


def test_a_track_below_a_task_cannot_be_a_heading_and_that_is_noted():
    track = planconv.Task(make_line([Text("Track: Nets")]), extras={"conductor": {"heading": 2}})
    outer = planconv.Task(make_line([Text("All")]), details=(TaskList((track,)),))
    ledger = Ledger()
    text = planconv.encode([planconv.Plan(body=(TaskList((outer,)),))], "conductor", ledger).decode()
    assert text == "- [ ] All\n  - [ ] Track: Nets\n"
    assert "/tasks/1/extras/conductor/heading" in [loss.path for loss in ledger.losses]
