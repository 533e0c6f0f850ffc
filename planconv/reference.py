"""Where a plan's reference leads: to a file below a root that the user named, or nowhere."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from planconv.errors import DecodeError
from planconv.model import Block, Heading, Plan, make_blocks

_FILE_URI = re.compile(r"(?i:file):(?://(?P<host>[^/?#]*))?(?P<path>/[^?#]*)(?:#.*)?")


def path_below(uri: str, root: str) -> str:
    """The real path of the file behind a ``file:`` URI (RFC 8089), if it lies under ``root``.

    Both are compared after every link is resolved; nothing is opened.

    Raises:
        DecodeError: the URI is none of a file of this machine, or the file lies elsewhere.
    """
    match = _FILE_URI.fullmatch(uri)
    if match is None or not uri.isprintable() or "\\" in uri:
        raise DecodeError(f"{uri} is not read: it is no absolute file: URI", pointer="/reference")
    if (match["host"] or "").lower() not in ("", "localhost"):
        raise DecodeError(f"{uri} is not read: it names another machine", pointer="/reference")
    path = unquote_to_bytes(match["path"])
    if b"\0" in path:
        raise DecodeError(f"{uri} is not read: no file name has a NUL", pointer="/reference")
    real, real_root = os.path.realpath(os.fsdecode(path)), os.path.realpath(root)
    if real == real_root or os.path.commonpath((real, real_root)) != real_root:
        raise DecodeError(f"{uri} is not read: it does not lie under --root {root}", pointer="/reference")
    return real


def file_uri(path: str) -> str:
    """The absolute ``file:`` URI (RFC 8089) of a path, percent-encoded (RFC 3986 §2.1)."""
    place = Path(path)
    folder = os.path.realpath(place.parent)  # `..` behind a link is the parent of its target
    return "file://" + quote_from_bytes(os.fsencode(Path(folder, place.name)))


def filled(plan: Plan, inside: Sequence[Plan]) -> Plan:
    """The plan with what the file behind its reference holds; its id, session and own title stay.

    Several plans in one file follow one another, each further one under its title.
    """
    body: list[Block] = list(plan.body)
    for number, part in enumerate(inside):
        if number and part.title:
            body.append(Heading(1, part.title))
        body.extend(part.body)
    title = plan.title or (inside[0].title if inside else ())
    return replace(plan, title=title, body=make_blocks(body), reference=None)
