"""Patterns that leave files out, as ``.gitignore`` has them (gitignore(5), "Pattern format")."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """One line of an ignore file; ``again`` takes back in what an earlier pattern left out."""

    expression: re.Pattern[str]
    again: bool
    folders_only: bool


class Patterns:
    """The patterns of one file; they are about paths below the folder that it stands in."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._patterns = [pattern for line in lines if (pattern := read_pattern(line)) is not None]

    def decision(self, path: str, *, is_folder: bool) -> bool | None:
        """Whether a path (relative, with ``/``) is left out; ``None`` if no pattern is about it.

        The last pattern that fits decides.
        """
        for pattern in reversed(self._patterns):
            if pattern.folders_only and not is_folder:
                continue
            if pattern.expression.fullmatch(path):
                return not pattern.again
        return None


def read_pattern(line: str) -> Pattern | None:
    """The pattern of a line; ``None`` for a comment, a blank line, and what can fit nothing."""
    line = line.rstrip("\r\n")
    line = re.sub(r"(?<!\\)[ \t]+$", "", line)
    if not line or line.startswith("#"):
        return None
    again = line.startswith("!")
    line = line[1:] if again else line
    folders_only = line.endswith("/")
    line = line.rstrip("/") if folders_only else line
    anchored = "/" in line
    line = line.removeprefix("/")
    if not line:
        return None
    try:
        expression = re.compile(_translated(line, anchored=anchored), re.DOTALL)
    except re.error:  # a range such as [z-a]
        return None
    return Pattern(expression, again, folders_only)


def _translated(glob: str, *, anchored: bool) -> str:
    """A pattern as a regular expression for a whole relative path."""
    parts = glob.split("/")
    written = "" if anchored else "(?:.*/)?"
    for n, part in enumerate(parts):
        last = n == len(parts) - 1
        if part == "**":
            written += ".+" if last else "(?:[^/]+/)*"
        else:
            written += _part(part) + ("" if last else "/")
    return written


def _part(glob: str) -> str:
    """One part of a path: ``*``, ``?``, ``[…]``, and characters behind a backslash."""
    written, at = "", 0
    while at < len(glob):
        character = glob[at]
        at += 1
        if character == "*":
            while glob.startswith("*", at):
                at += 1
            written += "[^/]*"
        elif character == "?":
            written += "[^/]"
        elif character == "\\" and at < len(glob):
            written += re.escape(glob[at])
            at += 1
        elif character == "[" and (end := _closing(glob, at)) > 0:
            inner = glob[at:end].replace("\\", "\\\\").replace("[", "\\[")
            inner = "^/" + inner[1:] if inner[0] in "!^" else inner
            written += f"[{inner}]"
            at = end + 1
        else:
            written += re.escape(character)
    return written


def _closing(glob: str, at: int) -> int:
    """Where the bracket expression that was opened before ``at`` ends; -1 if it does not."""
    begin = at + 1 if glob[at : at + 1] in {"!", "^"} else at
    return glob.find("]", begin + 1)
