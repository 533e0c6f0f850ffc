"""Text that is safe to show: one line, no control characters, colours only where they are wanted."""

from __future__ import annotations

import os
import re
from typing import IO

_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def shown(name: str) -> str:
    """A file name as text: UTF-8 whatever the locale, bytes that are no UTF-8 as ``\\xNN``."""
    try:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:  # a lone surrogate that never was a byte
        return name


def one_line(text: str) -> str:
    """The text with its control characters, line breaks and direction marks spelled out."""
    return _UNSAFE.sub(_spelled, text)


def _spelled(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def counted(number: int, thing: str, things: str = "") -> str:
    """``1 task``, ``8 tasks``."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"


class Paint:
    """Colours for a stream: ``NO_COLOR`` turns them off, ``FORCE_COLOR`` on, else a terminal has them."""

    def __init__(self, stream: IO[str] | IO[bytes] | None) -> None:
        environ = os.environ
        if environ.get("NO_COLOR"):
            self.on = False
        elif environ.get("FORCE_COLOR"):
            self.on = True
        else:
            terminal = stream is not None and not stream.closed and stream.isatty()
            self.on = terminal and environ.get("TERM") != "dumb"

    def bold(self, text: str) -> str:
        """A heading, a name."""
        return f"\x1b[1m{text}\x1b[0m" if self.on else text

    def red(self, text: str) -> str:
        """An error."""
        return f"\x1b[1;31m{text}\x1b[0m" if self.on else text

    def yellow(self, text: str) -> str:
        """A loss."""
        return f"\x1b[33m{text}\x1b[0m" if self.on else text
