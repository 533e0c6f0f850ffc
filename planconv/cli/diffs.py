"""Unified diffs, as ``diff -u`` and ``git apply`` have them."""

from __future__ import annotations

from difflib import unified_diff

from planconv.cli.messages import Paint

_MISSING = "\n\\ No newline at end of file\n"
_COLOURS = {"---": "1", "+++": "1", "@": "36", "-": "31", "+": "32"}


def unified(name: str, before: bytes, after: bytes, paint: Paint) -> bytes:
    """What changes in a file of this name, UTF-8; nothing if nothing does."""
    lines = unified_diff(_lines(before), _lines(after), name, name)
    text = "".join(line if line.endswith("\n") else line + _MISSING for line in lines)
    if paint.on:
        text = "\n".join(_coloured(line) for line in text.split("\n"))
    return text.encode("utf-8", "surrogateescape")


def _lines(data: bytes) -> list[str]:
    """The lines with their ends; only LF ends one here, as in every other diff."""
    *lines, last = data.decode("utf-8", "surrogateescape").split("\n")
    return [line + "\n" for line in lines] + ([last] if last else [])


def _coloured(line: str) -> str:
    for start, colour in _COLOURS.items():
        if line.startswith(start):
            return f"\x1b[{colour}m{line}\x1b[0m"
    return line
