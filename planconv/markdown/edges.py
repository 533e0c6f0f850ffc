"""No-break and other wide spaces at the edge of a text.

CommonMark trims blanks and tabs only; markdown-it trims whatever Unicode calls a space.
"""

from __future__ import annotations

_SPACES = (
    " \t\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All that Unicode calls a space, but for the line break: a backslash before it makes it a break."""


def keep_edges(source: str) -> str:
    """A written text whose spaces at the edges are entities, which no parser trims."""
    if source.strip() == source:
        return source
    start = len(source) - len(source.lstrip(_SPACES))
    inner = source[start:].rstrip(_SPACES)
    behind = source[start + len(inner) :]
    # A lone backslash stands for itself before a space, but would make a character of an entity's mark.
    lone = behind and (len(inner) - len(inner.rstrip("\\"))) % 2
    return _entities(source[:start]) + inner + ("\\" if lone else "") + _entities(behind)


def _entities(spaces: str) -> str:
    return "".join("&nbsp;" if space == "\xa0" else f"&#{ord(space)};" for space in spaces)
