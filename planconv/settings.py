"""The settings of ``fmt`` and ``check``: ``[tool.planconv]`` of the nearest ``pyproject.toml``.

::

    [tool.planconv]
    exclude = ["vendor", "docs/old/*.md"]

    [tool.planconv.fmt]
    extend-select = ["parent-box"]
    ignore = ["numbering", "PF005"]
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from planconv.errors import DecodeError, UsageError

FILE = "pyproject.toml"

_Table: TypeAlias = Mapping[str, object]
_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_COMMANDS = ("fmt", "check")
_KEYS = ("select", "extend-select", "ignore")


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which rules of a command work: codes, beginnings of codes, or names; ``None`` where nothing is said.

    Without ``select``, a command has its own choice. ``extend`` is added to that, ``ignore`` taken away.
    """

    select: tuple[str, ...] | None = None
    extend: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None

    def over(self, other: Chosen) -> Chosen:
        """This choice, and the other one wherever this says nothing."""
        if self.select is not None:
            return Chosen(self.select, self.extend, self.ignore)
        extend = other.extend if self.extend is None else self.extend
        return Chosen(other.select, extend, other.ignore if self.ignore is None else self.ignore)


@dataclass(frozen=True, slots=True)
class Settings:
    """What a settings file says; ``folder`` is where it stands, ``""`` if there is none.

    ``exclude`` are patterns as in ``.gitignore``, from ``folder`` on.
    """

    folder: str = ""
    exclude: tuple[str, ...] = ()
    fmt: Chosen = Chosen()
    check: Chosen = Chosen()


def read_settings(folder: str) -> Settings:
    """The settings for the files of a folder: of the nearest file from there upwards that has any.

    Raises:
        UsageError: the file cannot be read, or says what is none of our settings.
    """
    start = Path(folder).resolve()
    for place in (start, *start.parents):
        file = place / FILE
        if file.is_file() and (settings := _read(file)) is not None:
            return settings
    return Settings()


def _read(file: Path) -> Settings | None:
    try:
        document = tomllib.loads(file.read_bytes().decode())
    except tomllib.TOMLDecodeError as error:
        raise _broken(file, str(error)) from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{file}: it is not UTF-8") from error
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}") from error
    tool = document.get("tool")
    if not isinstance(tool, dict) or "planconv" not in tool:
        return None
    return _checked(file, tool["planconv"])


def _broken(file: Path, message: str) -> DecodeError:
    place = _PLACE.search(message)
    reason = _PLACE.sub("", message)
    line, column = (int(place[1]), int(place[2])) if place else (None, None)
    error = DecodeError(f"{reason[:1].lower()}{reason[1:]}", line=line, column=column)
    error.input = str(file)
    return error


def _checked(file: Path, table: object) -> Settings:
    place = f"{file}: [tool.planconv"
    known = _table(table, f"{place}]", ("exclude", *_COMMANDS))
    chosen: dict[str, Chosen] = {}
    for command in _COMMANDS:
        name = f"{place}.{command}]"
        words = _table(known.get(command, {}), name, _KEYS)
        lists = (_words(words[key], f"{name} {key}") if key in words else None for key in _KEYS)
        chosen[command] = Chosen(*lists)
    exclude = _words(known.get("exclude", []), f"{place}] exclude")
    return Settings(str(file.parent), exclude, chosen["fmt"], chosen["check"])


def _table(value: object, place: str, keys: tuple[str, ...]) -> _Table:
    if not isinstance(value, dict):
        raise UsageError(f"{place} must be a table")
    unknown = [key for key in value if key not in keys]
    if unknown:
        raise UsageError(f"{place} has no setting {unknown[0]!r}; there are {', '.join(keys)}")
    return value


def _words(value: object, place: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise UsageError(f"{place} must be a list of strings")
    return tuple(value)
