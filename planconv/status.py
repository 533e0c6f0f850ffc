"""The table of status words: what each vocabulary calls each status, and whether it really has it.

A row is a status of the model, a column is a vocabulary. A plain cell is *exact*: the word stands
for that status and for no other. A cell that begins with ``~`` is *near*: the vocabulary has no such
status, the word after the ``~`` is the closest honest one, and the status itself is kept visible in
the text beside it (``Ask again (cancelled)``). Decoding uses the exact cells, encoding all of them.
Where an exact cell lists several words with bars between, all of them are read and the first is written.

Only finished work is ever near to a word for finished work, and no row but ``completed`` has one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

PENDING = "pending"
IN_PROGRESS = "in_progress"
COMPLETED = "completed"
CANCELLED = "cancelled"
FAILED = "failed"
BLOCKED = "blocked"
DEFERRED = "deferred"

VOCABULARIES = (
    *("acp", "acp-v1", "slack", "gfm"),
    *("claude-code", "gemini", "opencode", "copilot"),
    *("kiro", "roo", "conductor", "gitlab", "obsidian", "cursor", "taskmaster"),
    "outline",
)

_ROWS = {
    # status       acp            acp-v1         slack          gfm (the mark in the box)
    PENDING: ("pending", "pending", "pending", " "),
    IN_PROGRESS: ("in_progress", "in_progress", "in_progress", "~ "),
    COMPLETED: ("completed", "completed", "complete", "x"),
    CANCELLED: ("cancelled", "~pending", "~pending", "~ "),
    FAILED: ("_failed", "~pending", "error", "~ "),
    BLOCKED: ("_blocked", "~pending", "~pending", "~ "),
    DEFERRED: ("_deferred", "~pending", "~pending", "~ "),
}
_ROWS_ONLY_READ = {
    # status     claude-code           gemini         opencode       copilot (words, and marks in boxes)
    PENDING: ("pending", "pending|open", "pending", "not-started| "),
    IN_PROGRESS: ("in_progress", "in_progress", "in_progress", "in-progress|>|~"),
    COMPLETED: ("completed|complete", "completed|closed", "completed", "completed|x|X"),
    CANCELLED: ("cancelled", "cancelled", "cancelled", "~not-started"),
    FAILED: ("~pending", "~pending", "~pending", "~not-started"),
    BLOCKED: ("~pending", "blocked", "~pending", "~not-started"),
    DEFERRED: ("~pending", "~pending", "~pending", "~not-started"),
}
_ROWS_OF_FILES = {
    # status     kiro    roo    conductor gitlab obsidian (marks)  cursor (words)  taskmaster (words)
    PENDING: (" |~", " ", " ", " ", " |>|!|<|?|*", "pending|todo", "pending"),
    IN_PROGRESS: ("-", "-|~", "~", "~ ", "/", "in_progress|in-progress", "in-progress"),
    COMPLETED: ("x", "x", "x", "x", "x", "completed|done", "done|completed"),
    CANCELLED: ("~ ", "~ ", "~ ", "~", "-", "cancelled|canceled", "cancelled"),
    FAILED: ("~ ", "~ ", "~ ", "~ ", "~ ", "~pending", "~pending"),
    BLOCKED: ("~ ", "~ ", "~ ", "~ ", "~ ", "~pending", "blocked"),
    DEFERRED: ("~ ", "~ ", "~ ", "~ ", "~ ", "~pending", "deferred"),
}
_ROWS_OF_OUTLINES = {
    # what people write beside a step, in small letters; none of it is ever written
    PENDING: "pending|todo|to do|to-do|not started|planned|open|⏳|⬜|🔲|☐|📋",
    IN_PROGRESS: "in progress|in-progress|in_progress|wip|doing|started|ongoing|active|🚧|🔄",
    COMPLETED: "done|completed|complete|finished|implemented|x|✅|✔|☑|✓|:white_check_mark:",
    CANCELLED: "cancelled|canceled|dropped|abandoned|skipped",
    FAILED: "failed",
    BLOCKED: "blocked|⛔",
    DEFERRED: "deferred|postponed|on hold|paused|⏸",
}
KNOWN = tuple(_ROWS)
_CELLS = {
    status: (
        *_ROWS[status],
        *_ROWS_ONLY_READ[status],
        *_ROWS_OF_FILES[status],
        _ROWS_OF_OUTLINES[status],
    )
    for status in KNOWN
}


def _is_near(cell: str) -> bool:
    """Whether a cell is near; a ``~`` alone is GitLab's and Conductor's mark."""
    return cell.startswith("~") and cell != "~"


def _near(cell: str) -> str:
    return cell[1:] if _is_near(cell) else cell


class Cell(NamedTuple):
    """A status in one vocabulary: its word there, and whether that word means exactly this."""

    word: str
    exact: bool


_table: dict[str, Mapping[str, Cell]] = {
    vocabulary: MappingProxyType(
        {
            status: Cell(_near(cell).partition("|")[0], not _is_near(cell))
            for status, cells in _CELLS.items()
            for cell in (cells[column],)
        }
    )
    for column, vocabulary in enumerate(VOCABULARIES)
}
TABLE: Mapping[str, Mapping[str, Cell]] = MappingProxyType(_table)
"""Vocabulary, then status of the model, to its cell."""

_EXACT = {
    vocabulary: {
        word: status
        for status, cells in _CELLS.items()
        if not _is_near(cells[column])
        for word in cells[column].split("|")
    }
    for column, vocabulary in enumerate(VOCABULARIES)
}

OPEN_VOCABULARIES = frozenset({"acp"})
"""Vocabularies in which a word of one's own may stand, if it begins with an underscore."""

PRIORITIES = ("high", "low")
"""The priorities that are not ordinary; ordinary (``medium``) is ``None`` in the model."""
ORDINARY_PRIORITY = "medium"


def add_vocabulary(name: str, words: Mapping[str, str]) -> None:
    """Give a format of another package a column of its own.

    ``words`` has the exact words of each status that the format has, bars between them, as a cell of the
    table. Every other status becomes near to the first word for pending. To add the same column again
    changes nothing.

    Raises:
        ValueError: another column has this name, there is no word for pending, a status is not in the
            table, or a word stands for two statuses.
    """
    exact = {word: status for status, cell in words.items() for word in cell.split("|")}
    if PENDING not in words or not words.keys() <= _ROWS.keys():
        raise ValueError(f"the column {name!r} needs words for {PENDING}, and for known statuses only")
    if len(exact) < sum(cell.count("|") + 1 for cell in words.values()):
        raise ValueError(f"in the column {name!r} a word stands twice")
    if _EXACT.get(name, exact) != exact:
        raise ValueError(f"there is another column {name!r}")
    if name not in _table:
        open_word = words[PENDING].partition("|")[0]
        _EXACT[name] = exact
        _table[name] = MappingProxyType(
            {
                status: Cell(words.get(status, open_word).partition("|")[0], status in words)
                for status in KNOWN
            }
        )


def read_status(vocabulary: str, word: str) -> str:
    """The status that ``word`` stands for; a word that is not in the table stays what it is."""
    return _EXACT[vocabulary].get(word, word)


def knows(vocabulary: str, word: str) -> bool:
    """Whether the table of a vocabulary has this word."""
    return word in _EXACT[vocabulary]


def words_for(vocabulary: str, status: str) -> list[str]:
    """All words of a vocabulary that stand for exactly this status, the one that is written first."""
    return [word for word, meant in _EXACT[vocabulary].items() if meant == status]


def write_status(vocabulary: str, status: str) -> Cell:
    """How a vocabulary spells a status; of a near cell the caller keeps the status visible."""
    known = TABLE[vocabulary].get(status)
    if known is not None:
        return known
    if vocabulary in OPEN_VOCABULARIES:
        return Cell(status, True) if status.startswith("_") else Cell("_" + status, False)
    return Cell(TABLE[vocabulary][PENDING].word, False)


def read_priority(word: str) -> str | None:
    """A priority in its normal form."""
    return None if word == ORDINARY_PRIORITY else word


def write_priority(vocabulary: str, priority: str | None) -> Cell:
    """How an ACP vocabulary spells a priority: v2 takes words of one's own, v1 only its three."""
    if priority is None:
        return Cell(ORDINARY_PRIORITY, True)
    if priority in PRIORITIES:
        return Cell(priority, True)
    if vocabulary in OPEN_VOCABULARIES:
        return Cell(priority, True) if priority.startswith("_") else Cell("_" + priority, False)
    return Cell(ORDINARY_PRIORITY, False)


def spoken(status: str) -> str:
    """A status as people write it in a text: the underscores of the known words are blanks."""
    return status.replace("_", " ") if status in _ROWS else status


def unspoken(words: str) -> str:
    """The status that :func:`spoken` gave these words for."""
    known = words.replace(" ", "_")
    return known if known in _ROWS else words


_SUFFIX = re.compile(r"(?s)(.*\S|) ?\(([^()\n]+)\)\Z")


def add_suffix(text: str, status: str) -> str:
    """``Ask again (cancelled)``: a plain text with a status that its vocabulary does not have."""
    return f"{text} ({spoken(status)})" if text else f"({spoken(status)})"


def split_suffix(text: str) -> tuple[str, str | None]:
    """A plain text without its status suffix, and the status; only known and ``_`` words are read."""
    match = _SUFFIX.match(text)
    if match is None or (match[1] and text[len(match[1])] != " "):
        return text, None
    status = unspoken(match[2])
    if status in _ROWS or re.fullmatch(r"_\w+", status):
        return match[1], status
    return text, None
