"""What tells the dialect of a checklist by its content alone: marks that its tool writes and no other."""

from __future__ import annotations

import re

_SIGNS: dict[str, tuple[tuple[re.Pattern[bytes], str], ...]] = {
    "conductor": (
        (re.compile(rb"(?m)^#+ Phase \d+:.*\[checkpoint: [0-9a-f]+\]"), "a phase with a checkpoint"),
        (re.compile(rb"(?m)^## \[[ x~]\] Track: "), "a track with a box in its heading"),
        (re.compile(rb"(?m)^- \[[ xX~]\] \*{0,2}(?:Task|Track): "), "boxes with 'Task:'"),
    ),
    "execplan": (
        (re.compile(rb"(?ms)^## Progress[ \t]*$.*^## Decision Log"), "the sections of an ExecPlan"),
    ),
    "kiro": (
        (re.compile(rb"(?m)^[ \t]*- _Requirements: [0-9]"), "requirements below a task"),
        (re.compile(rb"(?m)^[ \t]*- \[[ xX~-]\]\\?\* \d"), "an optional task with a star"),
    ),
    "obsidian": (
        (
            re.compile(r"(?m)^[ \t>]*[-*+] \[.\] .*(?:📅|⏳|🛫|➕|🔁|⛔|🔺|⏫|🆔)".encode()),
            "a task with the signs of Obsidian Tasks",
        ),
    ),
    "openspec": (
        (
            re.compile(rb"(?ms)^## \d+\. [^\n]+\n+(?:[^#][^\n]*\n+)*?- ?\[[ xX]\] \d+\.\d+ "),
            "numbered groups with numbered boxes",
        ),
    ),
    "speckit": ((re.compile(rb"(?m)^- \[[ xX]\] (?:T|CHK)\d{3}\b"), "boxes with T001 or CHK001"),),
    "superpowers": (
        (re.compile(rb"(?m)^- \[[ xX]\] \*\*Step \d+:"), "boxes with '**Step 1:'"),
        (re.compile(rb"(?m)^> \*\*For (?:agentic workers|Claude):"), "a quote for agentic workers"),
    ),
}


def recognise(head: bytes, dialect: str) -> str:
    """Why the first bytes of an input look like this dialect; ``""`` if they do not."""
    return next((reason for sign, reason in _SIGNS.get(dialect, ()) if sign.search(head)), "")
