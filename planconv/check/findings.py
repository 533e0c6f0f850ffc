"""What ``check`` can find: the one table of its codes, and how a choice among them is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from planconv.errors import UsageError


@dataclass(frozen=True, slots=True)
class Check:
    """One row of the table.

    ``name`` is its other name in settings and options, ``phrase`` what is wrong, ``hint`` what to do.
    """

    number: str
    name: str
    phrase: str
    explanation: str
    hint: str


TICKED_PARENT = Check(
    "CK101",
    "ticked-parent",
    "a finished task has open subtasks",
    "The task says that all is done, and one of its subtasks is not. One of the two is wrong, and which of"
    " them only a person knows. Cancelled subtasks are no open ones.",
    "finish the subtasks, or open the task again",
)
DUPLICATE_ID = Check(
    "CK102",
    "duplicate-id",
    "two tasks of a plan have the same id",
    "Ids tell tasks apart when a plan is changed, and dependencies name them. Slack demands that the"
    " `task_id`s of a plan differ.",
    "give the second task an id of its own",
)
MISSING_DEPENDENCY = Check(
    "CK103",
    "missing-dependency",
    "a task depends on a task that is not there",
    "The plan has no task with this id, so whoever waits for it waits for ever.",
    "correct the id, or take the dependency away",
)
CIRCLE = Check(
    "CK104",
    "circular-dependency",
    "tasks depend on each other in a circle",
    "Each of these tasks waits for the next one, and the last for the first: none of them can be begun.",
    "take one of these dependencies away",
)
UNKNOWN_MARK = Check(
    "CK201",
    "unknown-mark",
    "a box has a mark that means different things in different tools",
    "`[-]`, `[~]`, `[/]`, `[>]` and `[!]` stand for work in progress, cancelled, queued, forwarded or"
    " important, depending on the tool; GitHub shows them as text. In files of a tool whose marks are known"
    " by the place of the file, or named with `--from`, only those are found that it does not have.",
    "write [ ] or [x], and the status as a word behind the text: _(in progress)_",
)
UNKNOWN_STATUS = Check(
    "CK202",
    "unknown-status",
    "a status is none that the format knows",
    "Readers show a task with an unknown status as open, or not at all: those of ACP version 1 skip the"
    " whole entry without a word. ACP version 2 leaves words that begin with `_` to everybody.",
    "use a status of the format; `planconv formats NAME` lists them",
)
NEARLY_BOX = Check(
    "CK203",
    "nearly-a-box",
    "what looks like a box is none",
    "A box is `[ ]` or `[x]` with a blank behind it. `[]`, `[x ]` and `[x]text` are text to GitHub and to"
    " every other viewer, so the item is no task.",
    "write `- [ ] text` or `- [x] text`",
)
RELATIVE_URI = Check(
    "CK301",
    "relative-uri",
    "the URI of a plan file is not absolute",
    "An ACP plan of the type `file` points to its file by an absolute URI (RFC 3986 §4.3), as in"
    " `file:///home/me/plan.md`. A relative one means nothing to a client that runs in another folder.",
    "write the whole URI, scheme and path",
)
TOO_MANY_TASKS = Check(
    "CK302",
    "too-many-tasks",
    "a plan has more tasks than Slack takes",
    "Slack takes 50 tasks in a plan block and refuses the whole message if there are more.",
    "make several plans of it, or let `planconv convert -t slack` cut it",
)
TOO_LONG = Check(
    "CK303",
    "too-long",
    "a message is longer than Slack takes",
    "Slack takes 50 blocks in a message and, in all of them together, about 13,200 characters"
    " (`msg_blocks_too_long`). It refuses the whole message if there is more.",
    "post several messages, or let `planconv convert -t slack` cut it",
)
FRONT_MATTER = Check(
    "CK304",
    "front-matter",
    "the front matter cannot be read",
    "What stands between the `---` lines at the top is no YAML, so tools take nothing from it, or refuse"
    " the file. The usual reason is a text with a colon and a blank in it that is not in quotes.",
    "put the value in quotes",
)
DROPPED_ENTRY = Check(
    "CK305",
    "dropped-entry",
    "readers drop an entry of the plan without a word",
    "An ACP entry must have a `content`, a `status` and a `priority`, all of them strings. The schema marks"
    " entries as skipped if they are invalid, and the SDKs do so: the task is not shown, nobody is told.",
    "write what is missing",
)
DUPLICATE_KEY = Check(
    "CK306",
    "duplicate-key",
    "an object has the same key twice",
    "Most readers take the last value of a key and lose the first one; RFC 8259 §4 leaves it open.",
    "take one of the two away",
)

CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        check.number: check
        for check in (
            *(TICKED_PARENT, DUPLICATE_ID, MISSING_DEPENDENCY, CIRCLE),
            *(UNKNOWN_MARK, UNKNOWN_STATUS, NEARLY_BOX),
            *(RELATIVE_URI, TOO_MANY_TASKS, TOO_LONG, FRONT_MATTER, DROPPED_ENTRY, DUPLICATE_KEY),
        )
    }
)
"""Code to row, in the order of the codes."""


class Place(NamedTuple):
    """Line and column in a file, from 1, in characters; in JSON also the pointer (RFC 6901)."""

    line: int = 1
    column: int = 1
    pointer: str = ""


class Finding(NamedTuple):
    """Something that is wrong at a place; ``message`` says what, about this very place."""

    check: Check
    message: str
    place: Place
    path: str = ""


def choose(
    select: Iterable[str] | None, extend: Iterable[str] | None, ignore: Iterable[str] | None
) -> frozenset[Check]:
    """The checks that are made: ``select`` (without it all) and ``extend`` without ``ignore``.

    Raises:
        UsageError: a word names no check.
    """
    chosen = frozenset(CHECKS.values()) if select is None else _named(select)
    return (chosen | _named(extend or ())) - _named(ignore or ())


def _named(words: Iterable[str]) -> frozenset[Check]:
    """The checks that are named by code, by the beginning of codes (``CK1``), by name, or by ``ALL``."""
    found: set[Check] = set()
    for word in words:
        named = [
            check
            for check in CHECKS.values()
            if word in {"ALL", check.name} or (word[:2] == "CK" and check.number.startswith(word))
        ]
        if not named:
            raise UsageError(f"there is no check {word!r}; `planconv explain` lists all")
        found.update(named)
    return frozenset(found)
