"""What makes a list item a task: the box at its start.

A box is ``[ ]``, ``[x]`` or ``[X]`` on the line of the list marker, with a blank after it (GitHub
Flavored Markdown, "Task list items (extension)"). Where the text of that specification and cmark-gfm
differ, cmark-gfm is followed, because that is what people see: a box that only a line break follows
is text, and so is one that stands on the line below its marker.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from planconv.markdown.inline import parse_line
from planconv.markdown.parser import block_tokens

MARKS = {
    "-": "kiro, roo, obsidian",
    "~": "kiro, roo, conductor, gitlab",
    "/": "obsidian",
    ">": "obsidian",
    "!": "obsidian",
}
"""Each mark that only some tools know, and the formats that say what it means."""

NOTHING = "<!-- -->"
"""Stands where a title must not be empty; no viewer shows it, and the reader drops it."""

_KNOWN = f"[ xX{re.escape(''.join(MARKS))}]"
_BOX = re.compile(rf"\[({_KNOWN})\](?:[ \t\v\f]+|\Z)")
_ANY_BOX = re.compile(r"\[(.)\](?:[ \t\v\f]+|\Z)")
_STARRED = re.compile(rf"\[({_KNOWN})\]\\?\*(?:[ \t\v\f]+|\Z)")
"""An optional task of Kiro: a star behind the box, which formatters escape."""
_MARKERS = re.compile(r"[ \t>*+\-0-9.)]*[ \t]")
_NEARLY = re.compile(r"\[(?: ?[xX] ?| *)\](?![(:\[])")
_IN_WRITTEN_TEXT = re.compile(rf"\[{_KNOWN}\](?:[ \t\v\f]|\Z)")
_BOX_IN_FIRST_LINE = re.compile(r"(?:(?:[-*+]|\d+[.)]|>) +)*(?:[-*+]|\d+[.)]) +\[[ xX]\] ")


class Box(NamedTuple):
    """A box: what stands in it, and how many characters of the paragraph it takes."""

    mark: str
    length: int
    starred: bool = False

    @property
    def ambiguous(self) -> bool:
        """Whether the mark means different things in different tools."""
        return self.mark not in {" ", "x"}


def read_box(content: str, line: str, *, starred: bool = False, marks: str = "") -> Box | None:
    """The box that a list item begins with.

    Args:
        content: the first paragraph of the item, without the blanks around it.
        line: the line of the document that it begins on, from its start.
        starred: whether a star behind the box makes an optional task.
        marks: what may stand in a box beside the marks that every reader knows.
    """
    if content[:1] != "[":
        return None
    plain = _BOX.match(content)
    if plain is None and content[1:2] and content[1] in marks:
        plain = _ANY_BOX.match(content)
    match = plain or (_STARRED.match(content) if starred else None)
    if match is None:
        return None
    begin = line.find(content.partition("\n")[0])
    if _MARKERS.fullmatch(line, 0, begin) is None:
        return None  # a no-break space or the edge of a table stands before the box
    if match.end() == len(content) and not line[begin + 3 :].lstrip("\\*")[:1].isspace():
        return None
    return Box(match[1].lower(), match.end(), plain is None)


def looks_like_box(content: str) -> bool:
    """Whether a person may take the start of this text for a box, although it is none."""
    return content[:1] == "[" and _NEARLY.match(content) is not None


def without_box(text: str) -> str:
    """A written text that does not begin with a box, whatever its first characters are."""
    return "\\" + text if _IN_WRITTEN_TEXT.match(text) else text


def box_in_first_line(line: str) -> bool:
    """Whether this line begins with list markers and a box.

    cmark-gfm sees no box that stands behind two markers, so such a line must begin a list by itself.
    """
    return _BOX_IN_FIRST_LINE.match(line) is not None


_TICK = re.compile(r"\[[xX]\]")


def keep_open(title: str) -> str:
    """The written title of an open task, for which cmark-gfm shows no tick.

    It looks for ``[x]`` anywhere in the first line, also in code and links, where nothing can be
    escaped. So the line is broken before that, which means a blank to every viewer.
    """
    found = _TICK.search(title.partition("\n")[0])
    if found is None:
        return title
    blank = title.rfind(" ", 0, found.start())
    broken = f"{title[:blank]}\n{title[blank + 1 :]}" if blank > 0 else f"{NOTHING}\n{title}"
    tokens, _ = block_tokens(f"[ ] {broken}")
    return broken if len(tokens) == 3 and parse_line(broken) == parse_line(title) else title
