"""Which markers the items of a checklist get: bullets and numbers, and the blanks behind them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_MARKER = re.compile(r"([-*+])|(\d{1,9})([.)])")
_RULE = re.compile(r"[ \t]*([-*_])[ \t]*(?:\1[ \t]*){2,}")
_LONGEST = 9
"""Digits of a number (CommonMark §5.2)."""


@dataclass(slots=True)
class Marker:
    """The start of an item: blanks before the marker, the marker, blanks behind it, all in columns.

    ``rest`` is the text of the line behind the marker. Of an item that begins with an empty line or with
    indented code ``padding`` is 1, whatever stands there.
    """

    indent: int
    text: str
    padding: int
    rest: str
    loose: bool
    """Whether the blanks behind the marker may change in number."""

    @property
    def width(self) -> int:
        """Where the content begins, in columns from where the list may begin."""
        return self.indent + len(self.text) + self.padding


def read_marker(text: str) -> str:
    """The list marker that a text begins with.

    Raises:
        ValueError: there is none.
    """
    match = _MARKER.match(text)
    if match is None:
        raise ValueError(f"{text!r} begins with no list marker")
    return str(match[0])


def is_rule(text: str) -> bool:
    """Whether a viewer would show a line of this text as a rule."""
    return _RULE.fullmatch(text) is not None


def bullet(own: str, before: str, after: str, rests: Sequence[str]) -> str:
    """The bullet of a list.

    Args:
        own: the bullet it has.
        before: the bullet of the list directly above it, as it will be; ``""`` if there is none.
        after: the bullet of the list directly below it, if that one does not change.
        rests: what stands behind the markers of its items.
    """
    for candidate in ("-", own, "*", "+"):
        free = candidate == own or not any(is_rule(candidate + rest) for rest in rests)
        if free and candidate not in {before, after}:
            return candidate
    return own


def numbers(own: Sequence[str]) -> list[str]:
    """The numbers of an ordered list, in place of those it has."""
    found = [int(number) for number in own]
    first = found[0]
    second = found[1] if len(found) > 1 else first + 1
    if second == first or (second in {0, 1} and first > second):
        wanted = [first] + [second] * (len(found) - 1)
    elif found[1:] == [1] * (len(found) - 1):
        wanted = found
    else:
        wanted = list(range(first, first + len(found)))
    if wanted == found or len(str(wanted[-1])) > _LONGEST or len(str(max(wanted))) > _LONGEST:
        return list(own)
    digits = len(own[0]) if own[0].startswith("0") else 0
    return [own[0], *(str(number).zfill(digits) for number in wanted[1:])]


def paddings(markers: Sequence[Marker], texts: Sequence[str], *, ordered: bool) -> list[int]:
    """The blanks behind each marker, where ``texts`` will be the markers.

    Of ordered lists, texts that are aligned with each other, on an even column that is not wider than a
    tab, stay aligned.
    """
    widths = {marker.width - marker.indent for marker in markers if marker.loose}
    if ordered and len(widths) == 1:
        width = widths.pop()
        if width % 2 == 0 and width <= max(4, 1 + max(map(len, texts))) and width > max(map(len, texts)):
            return [
                width - len(text) if m.loose else m.padding for m, text in zip(markers, texts, strict=True)
            ]
    return [1 if marker.loose else marker.padding for marker in markers]
