"""The porter: fetches a codec by its name, and imports nothing that was not asked for."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from planconv.errors import EncodeError, PlanconvError, PluginError, UnknownFormatError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from planconv.codec import Codec

GROUP = "planconv.codecs"
"""The entry point group under which packages add formats."""

BUILT_IN: Mapping[str, str] = MappingProxyType(
    {
        "acp": "planconv.codecs.acp:ACP",
        "acp-file": "planconv.codecs.acp:ACP_FILE",
        "acp-markdown": "planconv.codecs.acp:ACP_MARKDOWN",
        "acp-v1": "planconv.codecs.acp:ACP_V1",
        "claude-code": "planconv.codecs.claude_code:CLAUDE_CODE",
        "codex": "planconv.codecs.codex:CODEX",
        "conductor": "planconv.codecs.dialects:CONDUCTOR",
        "copilot": "planconv.codecs.copilot:COPILOT",
        "cursor": "planconv.codecs.cursor:CURSOR",
        "execplan": "planconv.codecs.dialects:EXECPLAN",
        "gemini": "planconv.codecs.gemini:GEMINI",
        "gitlab": "planconv.codecs.dialects:GITLAB",
        "kiro": "planconv.codecs.dialects:KIRO",
        "markdown": "planconv.codecs.markdown:MARKDOWN",
        "native": "planconv.codecs.native:NATIVE",
        "obsidian": "planconv.codecs.dialects:OBSIDIAN",
        "opencode": "planconv.codecs.opencode:OPENCODE",
        "openspec": "planconv.codecs.dialects:OPENSPEC",
        "outline": "planconv.codecs.outline:OUTLINE",
        "roo": "planconv.codecs.dialects:ROO",
        "slack": "planconv.codecs.slack:SLACK",
        "slack-stream": "planconv.codecs.slack_stream:SLACK_STREAM",
        "speckit": "planconv.codecs.dialects:SPECKIT",
        "superpowers": "planconv.codecs.dialects:SUPERPOWERS",
        "taskmaster": "planconv.codecs.taskmaster:TASKMASTER",
    }
)
"""Name to import string of each built-in codec, sorted."""


class Broken(NamedTuple):
    """A plug-in that could not be loaded, and why."""

    name: str
    package: str
    reason: str


def get(name: str) -> Codec:
    """The codec of this name; entry points are looked at only if no built-in one has it.

    Raises:
        UnknownFormatError: there is none, or its plug-in cannot be loaded; the message has
            the nearest names.
    """
    if name in BUILT_IN:
        return _load(BUILT_IN[name])
    found = [point for point in _entry_points() if point.name == name]
    if len(found) > 1:
        packages = " and ".join(sorted(_package(point) for point in found))
        raise UnknownFormatError(f"the format {name!r} is claimed by {packages}; remove one of them")
    if found:
        codec = _try_entry_point(found[0])
        if isinstance(codec, Broken):
            raise UnknownFormatError(
                f"the format {name!r} of {codec.package} cannot be loaded: {codec.reason}"
            )
        return codec
    raise UnknownFormatError(_unknown(name))


def built_in() -> list[Codec]:
    """All built-in codecs, by name."""
    return [_load(place) for place in BUILT_IN.values()]


def installed() -> tuple[list[Codec], list[Broken]]:
    """All codecs by name, built in or from other packages, and the plug-ins that cannot be loaded."""
    codecs = built_in()
    broken: list[Broken] = []
    for point in sorted(_entry_points(), key=lambda point: (point.name, _package(point))):
        codec = _try_entry_point(point)
        if isinstance(codec, Broken):
            broken.append(codec)
        elif any(codec.info.name == other.info.name for other in codecs):
            broken.append(Broken(point.name, _package(point), "another codec has this name"))
        else:
            codecs.append(codec)
    return sorted(codecs, key=lambda codec: codec.info.name), broken


@contextlib.contextmanager
def blamed(codec: Codec) -> Iterator[None]:
    """What a codec of another package raises, and should not, as an error that names the package's format.

    Raises:
        PluginError: instead of whatever the codec raised.
    """
    try:
        yield
    except PlanconvError:
        raise
    except Exception as error:  # whatever a plug-in raises, it stops nothing but itself
        if codec.info.name in BUILT_IN:
            raise
        why = f"{type(error).__name__}: {error}"
        raise PluginError(f"the plug-in of the format {codec.info.name} failed: {why}") from error


def only_read(name: str) -> EncodeError:
    """The error of a codec that is asked to write a format that is only read."""
    written = ", ".join(codec.info.name for codec in built_in() if codec.info.writes)
    return EncodeError(f"{name} is only read; formats that can be written: {written}")


def _load(place: str) -> Codec:
    module, _, attribute = place.partition(":")
    codec: Codec = getattr(importlib.import_module(module), attribute)
    return codec


def _entry_points() -> list[EntryPoint]:
    """The entry points of other packages: our own stand in the table above."""
    from importlib.metadata import entry_points  # 35 ms, paid only for names that are not built in

    return [point for point in entry_points(group=GROUP) if _package(point) != "planconv"]


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


def _try_entry_point(point: EntryPoint) -> Codec | Broken:
    try:
        codec: Codec = point.load()
        if codec.info.name != point.name:
            return Broken(point.name, _package(point), f"it calls itself {codec.info.name!r}")
    except Exception as error:  # noqa: BLE001 - whatever a plug-in raises, it stops nothing but itself
        return Broken(point.name, _package(point), f"{type(error).__name__}: {error}")
    return codec


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    names = sorted({*BUILT_IN, *(point.name for point in _entry_points())})
    near = get_close_matches(name, names, n=1)
    guess = f"; did you mean {near[0]!r}?" if near else ""
    return f"there is no format {name!r}{guess} (formats: {', '.join(names)})"
