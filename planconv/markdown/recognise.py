"""What tells the dialect of a checklist by its content alone: marks that its tool writes and no other."""

from __future__ import annotations

import re

_SIGNED = (
    r"(?:(?:📅|⏳|🛫|➕|✅|❌) ?\d{4}-\d\d-\d\d|🔁 ?every |🆔 ?[\w-]+|⛔ ?[\w-]+ *$"
    r"|[\[(](?:due|scheduled|start|created|completion):: ?\d{4}-\d\d-\d\d)"
)
"""Signs with what belongs to them: alone, such a picture is only a picture."""

_SIGNS: dict[str, tuple[tuple[re.Pattern[bytes], str], ...]] = {
    "conductor": (
        (re.compile(rb"(?m)^#+ Phase \d+:.*\[checkpoint: [0-9a-f]+\]"), "a phase with a checkpoint"),
        (re.compile(rb"(?m)^## \[[ x~]\] Track: "), "a track with a box in its heading"),
        (re.compile(rb"(?m)^- \[[ xX~]\] \*{0,2}(?:Task|Track): "), "boxes with 'Task:'"),
    ),
    "execplan": (
        (
            re.compile(rb"(?ms)\A(?=.*?^## Progress[ \t]*$).*?^## Decision Log"),
            "the sections of an ExecPlan",
        ),
    ),
    "kiro": (
        (re.compile(rb"(?m)^[ \t]*- _Requirements: [0-9]"), "requirements below a task"),
        (re.compile(rb"(?m)^[ \t]*- \[[ xX~-]\]\\?\* \d"), "an optional task with a star"),
    ),
    "obsidian": (
        (
            re.compile(rf"(?m)^[ \t>]*(?:[-*+]|\d+[.)]) +\[.\] .*{_SIGNED}".encode()),
            "a task with the signs of Obsidian Tasks",
        ),
        (re.compile(rb"(?m)^[ \t>]*(?:[-*+]|\d+[.)]) +\[.\] #task "), "tasks with the tag #task"),
        (re.compile(rb"(?m)^[ \t>]*```tasks[ \t]*$"), "a query of Obsidian Tasks"),
    ),
    "openspec": (
        (
            re.compile(rb"(?ms)^## \d+\. [^\n]+\n+(?:[^#][^\n]*\n+)*?- ?\[[ xX]\] \d+\.\d+ "),
            "numbered groups with numbered boxes",
        ),
    ),
    "roo": (
        (
            re.compile(rb"\A(?:\[[ xX~-]\] [^\n]+(?:\n|\Z))+\s*\Z"),
            "boxes without bullets, and nothing else",
        ),
    ),
    "speckit": ((re.compile(rb"(?m)^- \[[ xX]\] (?:T|CHK)\d{3}\b"), "boxes with T001 or CHK001"),),
    "superpowers": (
        (re.compile(rb"(?m)^- \[[ xX]\] \*\*Step \d+:"), "boxes with '**Step 1:'"),
        (re.compile(rb"(?m)^> \*\*For (?:agentic workers|Claude):"), "a quote for agentic workers"),
    ),
}


_FENCE = re.compile(rb"[ \t>]*(`{3,}|~{3,})[ \t]*([^`\r\n]*)\s*")
_QUERY = b"tasks"
"""What Obsidian Tasks calls the fence of a query, which is no example."""


def recognise(head: bytes, dialect: str) -> str:
    """Why the first bytes of an input look like this dialect; ``""`` if they do not.

    What stands in a fence is an example, of another dialect perhaps; only a document that begins with one
    is what stands in it.
    """
    signs = _SIGNS.get(dialect, ())
    head = head.replace(b"\r\n", b"\n")
    if not any(sign.search(head) for sign, _ in signs):
        return ""
    text = _without_examples(head)
    return next((reason for sign, reason in signs if sign.search(text)), "")


def _without_examples(head: bytes) -> bytes:
    kept: list[bytes] = []
    fence = b""
    for line in head.lstrip().splitlines(keepends=True):
        match = _FENCE.fullmatch(line)
        if match is None:
            kept += [] if fence else [line]
        elif fence:
            fence = b"" if match[1].startswith(fence) and not match[2] else fence
        elif match[2].strip() == _QUERY:
            kept.append(line)
            fence = match[1]
        elif kept or match[2].strip() not in {b"", b"md", b"markdown"}:
            fence = match[1]
    return b"".join(kept)
