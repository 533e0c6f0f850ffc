"""No-break and other wide spaces at the edge of a text.

CommonMark trims blanks and tabs only; markdown-it trims whatever Unicode calls a space.
"""

from __future__ import annotations


def keep_edges(source: str) -> str:
    """A written text whose spaces at the edges are entities, which no parser trims."""
    if source.strip() == source:
        return source
    inner = source.strip()
    start = source.index(inner) if inner else len(source)
    backslashes = len(inner) - len(inner.rstrip("\\"))
    behind = _entities(source[start + len(inner) :])
    # A lone backslash stands for itself before a space, but would make a character of an entity's mark.
    between = "\\" if behind and backslashes % 2 else ""
    return _entities(source[:start]) + inner + between + behind


def _entities(spaces: str) -> str:
    return "".join("&nbsp;" if space == "\xa0" else f"&#{ord(space)};" for space in spaces)
