"""What tells the dialect of a text that has no telling name, and what does not."""

import pytest

from planconv import registry
from planconv.detect import detect

CODECS = [registry.get(name) for name in registry.BUILT_IN]

TELLING = [
    ("conductor", "# Plan\n\n## Phase 1: Nets [checkpoint: a1b2c3d]\n\n- [x] Task: Tie knots a88d85d\n"),
    ("conductor", "# Tracks\n\n---\n\n## [~] Track: Nets\n*Link: [./nets](./nets)*\n"),
    ("conductor", "- [ ] **Track: Nets**\n"),
    ("execplan", "# Boats\n\n## Progress\n\n- [x] (2025-10-01 13:00Z) Keel.\n\n## Decision Log\n"),
    ("execplan", "```md\n# Boats\n\n## Progress\n\n- [ ] Keel.\n\n## Decision Log\n```\n"),
    ("kiro", "# Implementation Plan\n\n- [ ] 1. Sails\n  - _Requirements: 1.1, 2.3_\n"),
    ("kiro", "- [ ] 1. Sails\n- [ ]* 1.1 Test them\n"),
    ("kiro", "- [ ] 1. Sails\n- [ ]\\* 1.1 Test them\n"),
    ("obsidian", "- [ ] Buy rope 📅 2026-03-01\n"),
    ("obsidian", "> - [x] Buy rope ✅ 2026-03-01\n"),
    ("obsidian", "- [ ] Buy rope 🆔 rope1\n- [ ] Tie it ⛔ rope1\n"),
    ("obsidian", "1. [ ] Buy rope 🔁 every week\n"),
    ("obsidian", "- [ ] Buy rope [due:: 2026-03-01]\n"),
    ("obsidian", "- [ ] #task Buy rope\n"),
    ("obsidian", "# Open\n\n```tasks\nnot done\n```\n"),
    ("openspec", "## 1. Nets\n\n- [ ] 1.1 Tie knots\n- [x] 1.2 Count them\n"),
    ("openspec", "# Tasks\n\n## 1. Nets\n-[ ] 1.1 Tie knots\n"),
    ("roo", "[x] Read the chart\n[-] Set the sails\n[ ] Weigh anchor\n"),
    ("speckit", "## Phase 1: Setup\n\n- [X] T001 [P] [US1] Make `src/boat.py`\n"),
    ("speckit", "- [ ] CHK001 Is the hull tight? [Gap]\n"),
    ("superpowers", "### Task 1: Nets\n\n- [ ] **Step 1: Write the test**\n"),
    ("superpowers", "# Nets\n\n> **For agentic workers:** read on\n\n- [ ] Tie knots\n"),
]

PLAIN = {
    "a checklist": "# Boats\n\n- [ ] Sails\n- [x] Keel\n",
    "groups with numbers, as OpenSpec has them, whose tasks have none": "## 1. Nets\n- [x] Tie knots\n\n"
    "## 2. Sails\n- [x] Sew them\n",
    "tasks with numbers, as Kiro has them, and nothing else of Kiro": "- [ ] 1. Sails\n- [ ] 1.1 Sew\n",
    "marks that several tools have": "- [-] Sails\n- [~] Keel\n- [/] Rope\n- [!] Anchor\n- [>] Net\n",
    "a picture alone": "- [ ] ⏳ waiting for rope\n- [ ] ⛔ no smoking\n- [ ] 📅 calendar\n",
    "a tag that only begins like it": "- [ ] #tasks to do\n",
    "a progress section alone": "# Boats\n\n## Progress\n\n- [x] Keel\n",
    "a track that is no box": "# Notes\n\n## Track: Nets\n",
    "a star behind a word": "- [ ] Sails *1.1*\n",
    "requirements that are no numbers": "- [ ] Sails\n  - _Requirements: wind_\n",
    "an example in a fence": "# How to\n\n- [ ] Read this\n\n```md\n- [ ] T001 Make it\n"
    "- [ ] **Step 1: Test**\n  - _Requirements: 1.1_\n```\n",
    "an example in a longer fence": "# How to\n\n- [ ] Read\n\n````\n```\n- [ ] T001 Do it\n```\n````\n",
    "boxes without bullets in a text": "# Boats\n\nWrite\n[ ] for open\n[x] for done\n\n- [ ] Sails\n",
    "a design without steps, in the folder of Superpowers' plans": "# Boats Design\n\n**Status:** Draft\n",
    "a plan made by hand in Cursor's folder, without front matter": "# Boats\n\n## Context\n\n1. Sails\n",
    "the rules for ExecPlans, whose skeleton is an example": "# ExecPlans\n\n- [ ] like this\n\n"
    "```md\n# Boats\n\n## Progress\n\n- [ ] Keel.\n\n## Decision Log\n```\n",
    "a note of a vault that has no tasks": "# Boats\n\n## Some header\n",
    "the list of a template, which has nothing of spec-kit": "# Tasks\n\n- [ ] Task 1\n- [ ] Task 2\n",
    "signs of two dialects": "- [ ] T001 Sails\n- [ ] **Step 1: Sew**\n",
}


@pytest.mark.parametrize(("dialect", "text"), TELLING)
@pytest.mark.parametrize("name", ["", "notes.md"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_dialect_is_told_by_its_own_marks(name, newline, dialect, text):
    assert detect(name, text.replace("\n", newline).encode(), CODECS).format == dialect


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
@pytest.mark.parametrize("name", ["", "notes.md"])
def test_what_several_tools_write_is_plain_markdown(name, text):
    assert detect(name, text.encode(), CODECS).format == "markdown"


@pytest.mark.parametrize(
    ("path", "dialect"),
    [
        ("conductor/tracks.md", "conductor"),
        ("conductor/tracks/nets_20260101/plan.md", "conductor"),
        ("conductor/archive/nets_20260101/plan.md", "conductor"),
        (".agent/plans/001-boat.md", "execplan"),
        (".agent/execplans/boat.md", "execplan"),
        ("docs/exec-plans/boat.md", "execplan"),
        (".kiro/specs/boat/tasks.md", "kiro"),
        ("openspec/changes/add-boat/tasks.md", "openspec"),
        ("openspec/changes/archive/2026-01-01-add-boat/tasks.md", "openspec"),
        ("documentation/openspec/changes/archive/2026-01-01-add-boat/tasks.md", "openspec"),
        ("specs/001-boat/tasks.md", "speckit"),
        ("specs/001-boat/checklists/hull.md", "speckit"),
        (".specify/templates/tasks-template.md", "speckit"),
        ("docs/superpowers/plans/2026-01-01-boat.md", "superpowers"),
        (".cursor/plans/boat_1a2b3c4d.plan.md", "cursor"),
        (".taskmaster/tasks/tasks.json", "taskmaster"),
        (".claude/plans/boat.md", "markdown"),
        ("docs/plans/2026-01-01-boat.md", "markdown"),
        ("IMPLEMENTATION_PLAN.md", "markdown"),
        ("TODO.md", "markdown"),
    ],
)
def test_a_path_tells_its_tool_before_anything_is_read(path, dialect):
    assert detect(f"/home/me/boat/{path}", b"- [ ] Sails\n", CODECS).format == dialect


def test_a_long_line_of_ticks_hides_nothing_before_it():
    assert detect("", b"- [ ] T001 Sails\n" + b"`" * 65_000, CODECS).format == "speckit"
