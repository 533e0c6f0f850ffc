"""The one table of the dialects in which people keep checklists: what each adds to GFM.

A dialect is GFM with marks of its own (the columns of :mod:`planconv.status`), ids that stand in the
text, and habits about what belongs to an item. Everything that is not in its row is as in GFM.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Dialect(NamedTuple):
    """How a tool keeps its checklists.

    ``vocabulary`` is the column of the status table, whose words are the marks in boxes; ``id`` finds the
    id that a title begins with (group 1). The flags: ``nested_by_number`` puts ``2.1`` under ``2``
    wherever it stands; ``starred`` reads ``[ ]*`` as an optional task; ``heading_tasks`` reads
    ``## [ ] Title``; ``holds_column_zero`` gives what follows a task, unindented, to that task;
    ``marks`` are characters in a box that make a task to this tool alone; ``unlisted`` finds the start of a
    line that is a task without being a list item; ``section`` is the only section whose boxes are tasks;
    ``fenced`` unwraps a document that is one fence; without ``boxes``, a box is text; ``steps`` reads
    headings, numbered steps and rows of tables as tasks.
    """

    name: str
    summary: str = ""
    vocabulary: str = "gfm"
    patterns: tuple[str, ...] = ()
    id: re.Pattern[str] | None = None
    nested_by_number: bool = False
    starred: bool = False
    marks: str = ""
    unlisted: re.Pattern[str] | None = None
    heading_tasks: bool = False
    holds_column_zero: bool = False
    section: str = ""
    fenced: bool = False
    boxes: bool = True
    steps: bool = False

    @property
    def plain(self) -> bool:
        """Whether this is GFM itself."""
        return self.name == "markdown"


GFM = Dialect("markdown")
TEXT = Dialect("text", boxes=False)
"""Markdown in which a box is text: the tasks stand elsewhere."""
OUTLINE = Dialect("markdown", fenced=True, steps=True)
"""Markdown whose steps are tasks too; front matter and the place of the title are those of Markdown."""

_NUMBER = re.compile(r"(\d+(?:\.\d+)*)\.?(?=\s|\Z)")
_SUBNUMBER = re.compile(r"(\d+(?:\.\d+)+)\.?(?=\s|\Z)")
TASK_NUMBER = r"(?:T|CHK)\d{3,}[a-z]?"
"""What spec-kit numbers tasks and the items of checklists with."""

DIALECTS: Mapping[str, Dialect] = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            Dialect(
                "conductor",
                "plans and the list of tracks of Gemini's Conductor",
                "conductor",
                (
                    "conductor/tracks.md",
                    "conductor/tracks/*/plan.md",
                    "conductor/archive/*/plan.md",
                ),
                heading_tasks=True,
            ),
            Dialect(
                "execplan",
                "Codex ExecPlans, whose tasks stand in their Progress section",
                "gfm",
                (".agent/plans/*.md", ".agent/execplans/*.md", "docs/exec-plans/*.md"),
                section="progress",
                fenced=True,
            ),
            Dialect("gitlab", "Markdown with GitLab's task lists", "gitlab"),
            Dialect(
                "kiro",
                "tasks.md of Kiro's specs",
                "kiro",
                (".kiro/specs/*/tasks.md",),
                id=_NUMBER,
                nested_by_number=True,
                starred=True,
            ),
            Dialect("obsidian", "Markdown with the marks of Obsidian Tasks", "obsidian", marks="<?*"),
            Dialect(
                "openspec",
                "tasks.md of OpenSpec's changes",
                "gfm",
                ("openspec/changes/*/tasks.md", "openspec/changes/archive/*/tasks.md"),
                id=_SUBNUMBER,
                nested_by_number=True,
                holds_column_zero=True,
                unlisted=re.compile(r"[ \t]*[-*](?=\[[ xX]\])"),
            ),
            Dialect(
                "roo",
                "todo lists of Roo Code",
                "roo",
                unlisted=re.compile(r"[ \t]*(?=\[[ xX~-]\][ \t]+\S)"),
            ),
            Dialect(
                "speckit",
                "tasks.md and checklists of GitHub's spec-kit",
                "gfm",
                ("specs/*/tasks.md", "specs/*/checklists/*.md", ".specify/templates/tasks-template.md"),
                id=re.compile(rf"({TASK_NUMBER})\b"),
            ),
            Dialect(
                "superpowers",
                "plans written by the Superpowers skills",
                "gfm",
                ("docs/superpowers/plans/*.md",),
                holds_column_zero=True,
            ),
        )
    }
)
"""Name to row, sorted."""
