"""Where the values of JSON objects stand in their text, so that one can be changed and the rest stays."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s"\[\]{},:]+', re.DOTALL)


class Place(NamedTuple):
    """The characters of a value, and where its key begins."""

    start: int
    end: int
    key: int


def places(text: str) -> dict[Path, Place]:
    """The places of all values in objects that are no objects and arrays themselves.

    ``text`` is valid JSON. Of a key that stands twice it is the last value.
    """
    found: dict[Path, Place] = {}
    path: list[str | int] = []
    key_at = 0
    is_key = False
    for match in _TOKEN.finditer(text):
        symbol = match[0]
        if symbol in "{[":
            path.append("" if symbol == "{" else 0)
            is_key = symbol == "{"
        elif symbol in "}]":
            path.pop()
            is_key = False
        elif symbol == ",":
            last = path[-1]
            is_key = isinstance(last, str)
            path[-1] = last if isinstance(last, str) else last + 1
        elif symbol == ":":
            is_key = False
        elif is_key:
            path[-1], key_at = json.loads(symbol), match.start()
        elif path and isinstance(path[-1], str):
            found[tuple(path)] = Place(match.start(), match.end(), key_at)
    return found
