"""Lines of a text, their ends, and a cursor that reads the indentation of a line column by column."""

from __future__ import annotations

import re

TAB = 4
"""Tabs reach to the next multiple of this column (CommonMark §2.2)."""

_ENDS = re.compile(r"(\r\n|\r|\n)")


def split_lines(text: str) -> tuple[list[str], list[str]]:
    """The lines of a text, the last one possibly empty, and the line end of each (the last has none)."""
    parts = _ENDS.split(text)
    return parts[::2], [*parts[1::2], ""]


class Cursor:
    """A line that is read from the left while ``out`` grows: what will stand there instead.

    ``moved`` says whether anything in ``out`` is other than what was read; if not, the line stays as it
    is, tabs and all. ``lazy`` lines continue a paragraph without the indentation of their containers
    (CommonMark §5.2).
    """

    __slots__ = ("_column", "_spare", "lazy", "moved", "out", "position", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.out = ""
        self.moved = False
        self.lazy = False
        self._column = 0
        self._spare = 0  # columns of a tab that was read in part

    def copy(self) -> Cursor:
        """A cursor at the same place, to look ahead with."""
        other = Cursor(self.text)
        other.position, other._column, other._spare = self.position, self._column, self._spare
        return other

    @property
    def rest(self) -> str:
        """What has not been read yet, without the rest of a tab."""
        return self.text[self.position :]

    @property
    def blank(self) -> bool:
        """Whether nothing but blanks is left."""
        return not self.rest.strip(" \t")

    def indent(self) -> int:
        """Columns of blanks before the next character."""
        width = self._spare
        for character in self.text[self.position :]:
            if character == " ":
                width += 1
            elif character == "\t":
                width += TAB - (self._column + width) % TAB
            else:
                break
        return width

    def skip(self, columns: int) -> int:
        """Read blanks, at most so many columns, and tell how many there were."""
        left = columns
        while left:
            if not self._spare and not self._next_blank():
                break
            step = min(left, self._spare)
            self._spare -= step
            self._column += step
            left -= step
        return columns - left

    def _next_blank(self) -> bool:
        character = self.text[self.position : self.position + 1]
        if character == " ":
            self._spare = 1
        elif character == "\t":
            self._spare = TAB - self._column % TAB
        else:
            return False
        self.position += 1
        return True

    def take(self, length: int) -> str:
        """Read so many characters that are no blanks."""
        taken = self.text[self.position : self.position + length]
        self.position += length
        self._column += length
        return taken

    def put(self, text: str, was: str | int) -> None:
        """Write ``text`` in place of what was just read: characters, or so many columns of blanks."""
        self.out += text
        self.moved = self.moved or text != (" " * was if isinstance(was, int) else was)

    def keep_indent(self, most: int) -> None:
        """Read and write blanks, at most so many columns."""
        read = self.skip(most)
        self.put(" " * read, read)

    def replace_rest(self, text: str) -> None:
        """Let ``text`` stand for what has not been read yet."""
        if text != self.rest:
            self.text = self.text[: self.position] + text
            self.moved = True

    def finished(self) -> str:
        """The line as it will stand: unread blanks and characters are kept."""
        if not self.moved:
            return self.text
        return self.out + " " * self._spare + self.rest
