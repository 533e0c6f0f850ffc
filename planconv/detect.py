"""Telling the format of an input: by its name, else by what it holds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from planconv import registry
from planconv.codec import Codec
from planconv.errors import DecodeError, PluginError, UsageError
from planconv.markdown.dialect import DIALECTS

HEAD = 65_536
"""How many bytes of an input are looked at."""

GENERAL = "markdown"
"""The format whose files may be those of a dialect: what tells that decides, and nothing else does."""

IN_MARKDOWN = frozenset({*DIALECTS, "cursor"})
"""The formats whose files are Markdown with a meaning of its own."""


class Detected(NamedTuple):
    """A format's name, and what told it: a few words."""

    format: str
    reason: str


def detect(name: str, head: bytes, codecs: Iterable[Codec], *, option: str = "--from") -> Detected:
    """The format of an input.

    The file name decides if the most telling pattern that fits it belongs to one format; if it belongs
    to several, or to none, the content decides among those, or among all.

    Args:
        name: path of the input, ``""`` if it has none (standard input).
        head: its first :data:`HEAD` bytes.
        codecs: all formats there are.
        option: the option that would tell it, for the message.

    Raises:
        UsageError: it cannot be told; the message lists what it could be.
    """
    readers = [codec for codec in codecs if codec.info.reads]
    named = _by_name(name, readers) if name else []
    if len(named) == 1 and named[0][0].info.name == GENERAL:
        looks = _by_content(head, [codec for codec in readers if codec.info.name in IN_MARKDOWN])
        return looks[0] if len(looks) == 1 else Detected(GENERAL, f"its name is like {named[0][1]}")
    if len(named) == 1:
        return Detected(named[0][0].info.name, f"its name is like {named[0][1]}")
    looks = _by_content(head, [codec for codec, _ in named]) or _by_content(head, readers)
    general = [look for look in looks if look.format == GENERAL]
    if len(looks) == 2 and general:
        return next(look for look in looks if look.format != GENERAL)
    if len(looks) == 1 or general:
        return (general or looks)[0]
    if looks:
        could = ", ".join(f"{look.format} ({look.reason})" for look in looks)
        raise UsageError(f"it could be {could}; say which with {option}")
    if named:
        could = ", ".join(codec.info.name for codec, _ in named)
        raise UsageError(
            f"by its name it could be {could}, but nothing in it tells which; say so with {option}"
        )
    raise UsageError(
        f"neither name nor content tells the format{_broken(head)}; say it with {option}"
        f" (formats: {', '.join(codec.info.name for codec in readers)})"
    )


def _broken(head: bytes) -> str:
    """That an input which begins as JSON is none, as far as its first line tells."""
    from planconv.wire import json

    if not head.startswith((b"{", b"[")) or len(head) >= HEAD:
        return ""
    try:
        deque(json.documents(head), maxlen=0)
    except DecodeError as error:
        return f", and as JSON it is broken ({error})"
    return ""


def detect_output(name: str, codecs: Iterable[Codec]) -> str:
    """The format that an output of this name is to be written in.

    Raises:
        UsageError: the name does not tell; the message lists what it could be.
    """
    writers = [codec for codec in codecs if codec.info.writes]
    named = _by_name(name, writers)
    if len(named) == 1:
        return named[0][0].info.name
    could = [codec.info.name for codec, _ in named] or [codec.info.name for codec in writers]
    raise UsageError(f"the output's name does not tell its format; say it with --to ({', '.join(could)})")


def _by_name(name: str, codecs: Sequence[Codec]) -> list[tuple[Codec, str]]:
    """The formats with the most telling pattern that fits the name, each with that pattern."""
    path = name.replace("\\", "/").lower()
    fitting = [
        (codec, pattern) for codec in codecs for pattern in codec.info.patterns if _fits(path, pattern)
    ]
    most = max((_telling(pattern) for _, pattern in fitting), default=0)
    best = {codec.info.name: (codec, pattern) for codec, pattern in fitting if _telling(pattern) == most}
    return list(best.values())


def _fits(path: str, pattern: str) -> bool:
    """A pattern fits as many of the path's last parts as it has parts of its own."""
    parts = pattern.count("/") + 1
    return fnmatchcase("/".join(path.split("/")[-parts:]), pattern.lower())


def _telling(pattern: str) -> int:
    """How many characters of a name the pattern fixes."""
    return len(pattern) - pattern.count("*") - pattern.count("?")


def _by_content(head: bytes, codecs: Iterable[Codec]) -> list[Detected]:
    head = head[:HEAD]
    return [Detected(codec.info.name, reason) for codec in codecs if (reason := _reason(head, codec))]


def _reason(head: bytes, codec: Codec) -> str:
    try:
        with registry.blamed(codec):
            return codec.recognise(head)
    except PluginError:  # it does not know the input, then
        return ""
