"""Where the values of a JSON text stand, many of them in one walk.

:func:`planconv.wire.json.locate` finds one value in one walk, which would be slow for many findings.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Collection

from planconv.check.findings import Place

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)


class _Frame:
    """An open object or array: its pointer, and where in it the walk is."""

    __slots__ = ("expects_key", "is_object", "number", "pointer", "step")

    def __init__(self, pointer: str, *, is_object: bool) -> None:
        self.pointer = pointer
        self.is_object = is_object
        self.expects_key = is_object
        self.number = 0
        self.step = ""

    def inner(self) -> str:
        """The pointer of the value that comes next."""
        return f"{self.pointer}/{self.step if self.is_object else self.number}"


def places(text: str, pointers: Collection[str]) -> dict[str, Place]:
    """Line and column of the values that JSON pointers lead to in valid JSON, each under its pointer.

    Where a pointer leads to nothing, it is the place of what should hold it.
    """
    wanted = {ancestor for pointer in pointers for ancestor in _with_ancestors(pointer)}
    offsets = _offsets(text, wanted)
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    found: dict[str, Place] = {}
    for pointer in pointers:
        offset = next(offsets[place] for place in _with_ancestors(pointer) if place in offsets)
        line = bisect_right(starts, offset)
        found[pointer] = Place(line, offset - starts[line - 1] + 1, pointer)
    return found


def _with_ancestors(pointer: str) -> list[str]:
    """The pointer, that of the value around it, and so on up to the whole text."""
    steps = pointer.split("/")
    return ["/".join(steps[:count]) for count in range(len(steps), 0, -1)]


def _offsets(text: str, wanted: set[str]) -> dict[str, int]:
    offsets: dict[str, int] = {"": len(text) - len(text.lstrip())}
    stack: list[_Frame] = []
    # What is not sought holds nothing that is: its pointer is not made, so deep texts cost no more.
    skipped = 0
    for match in _TOKEN.finditer(text):
        symbol = match[0]
        if skipped:
            skipped += (symbol in "[{") - (symbol in "]}")
        elif symbol in "]}":
            stack.pop()
        elif symbol == ",":
            stack[-1].number += 1
            stack[-1].expects_key = stack[-1].is_object
        elif symbol == ":":
            stack[-1].expects_key = False
        elif stack and stack[-1].expects_key:
            stack[-1].step = json.loads(symbol, strict=False).replace("~", "~0").replace("/", "~1")
        else:
            pointer = stack[-1].inner() if stack else ""
            if pointer in wanted:
                offsets[pointer] = match.start()
            if symbol in "[{":
                if pointer in wanted:
                    stack.append(_Frame(pointer, is_object=symbol == "{"))
                else:
                    skipped = 1
    return offsets
