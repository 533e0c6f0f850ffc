"""Finding the files that a command is to work on: files, folders, and patterns with wildcards.

In folders, what is hidden, what git ignores and what the settings exclude is left out. A file that is named
is taken in any case, unless that is forced to give way, too.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from planconv.errors import UsageError
from planconv.ignores import Patterns

_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class Found:
    """A file, under the name that the person knows; ``named`` if it was asked for by that name."""

    path: str
    named: bool


def is_pattern(path: str) -> bool:
    """Whether a path has wildcards in it."""
    return _WILD.search(path) is not None


def _refuse(error: UsageError) -> None:
    raise error


@dataclass(slots=True)
class Walk:
    """How files are found.

    Attributes:
        wanted: whether a file of this name, met in a folder, is of the right kind.
        exclude: patterns as in ``.gitignore``, from ``root`` on.
        root: the folder of the settings, or the current one.
        force_exclude: whether ``exclude`` and ignore files hold for named files, too.
        unreadable: is told of a folder that cannot be looked into; unless it raises, the walk goes on.
    """

    wanted: Callable[[str], bool]
    exclude: Iterable[str] = ()
    root: str = "."
    force_exclude: bool = False
    unreadable: Callable[[UsageError], None] = _refuse
    _excluded: Patterns = field(init=False)
    _root: Path = field(init=False)
    _read: dict[Path, Patterns | None] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        """Read the patterns once."""
        self._excluded = Patterns(self.exclude)
        self._root = Path(self.root).resolve()

    def files(self, paths: Iterable[str]) -> Iterator[Found]:
        """The files of all paths, each once; those of a folder in the order of their names.

        Raises:
            UsageError: a path is not there, a pattern fits nothing, or a folder is not readable.
        """
        seen: set[str] = set()
        for found in self._found(paths):
            real = os.path.realpath(found.path)
            if real not in seen:
                seen.add(real)
                yield found

    def _found(self, paths: Iterable[str]) -> Iterator[Found]:
        for path in paths:
            if os.path.isdir(path):  # noqa: PTH112 - a name with a NUL is an answer, no error
                yield from self._below(path)
            elif os.path.lexists(path):
                if not (self.force_exclude and self._left_out_above(Path(path), hidden=False)):
                    yield Found(path, named=True)
            elif is_pattern(path):
                yield from self._fitting(path)
            else:
                raise UsageError(f"there is no file {path}")

    def _fitting(self, pattern: str) -> Iterator[Found]:
        import glob

        matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - it takes absolute ones, too
        if not matches:
            raise UsageError(f"no file fits {pattern}")
        for match in matches:
            if os.path.isfile(match) and not self._left_out_above(Path(match)):  # noqa: PTH113
                yield Found(match, named=False)

    def _below(self, folder: str) -> Iterator[Found]:
        if self.force_exclude and self._left_out_above(Path(folder)):
            return
        yield from self._walk(folder, self._chain(Path(folder).resolve()))

    def _walk(self, folder: str, chain: list[tuple[Path, Patterns]]) -> Iterator[Found]:
        waiting = [(folder, chain)]
        while waiting:
            folder, chain = waiting.pop()
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError as error:
                self.unreadable(UsageError(f"{folder}: {error.strerror}"))
                continue
            here = Path(folder).resolve()
            inner: list[tuple[str, list[tuple[Path, Patterns]]]] = []
            for entry in entries:
                is_folder = entry.is_dir(follow_symlinks=False)
                if entry.name.startswith(".") or self._left_out(
                    here / entry.name, chain, is_folder=is_folder
                ):
                    continue
                path = os.path.join(folder, entry.name) if folder != "." else entry.name  # noqa: PTH118
                if is_folder:
                    inner.append((path, self._deeper(here / entry.name, chain)))
                elif self.wanted(entry.name) and self._is_file(entry, path):
                    yield Found(path, named=False)
            waiting += reversed(inner)

    def _is_file(self, entry: os.DirEntry[str], path: str) -> bool:
        try:
            return entry.is_file()
        except OSError as error:
            if error.errno != errno.ELOOP:  # a link that leads in a circle is one that leads nowhere
                self.unreadable(UsageError(f"{path}: {error.strerror}"))
            return False

    def _left_out(self, path: Path, chain: list[tuple[Path, Patterns]], *, is_folder: bool) -> bool:
        """Whether a path is excluded or ignored; the deepest ignore file that speaks decides."""
        if path.is_relative_to(self._root):
            relative = path.relative_to(self._root).as_posix()
            if self._excluded.decision(relative, is_folder=is_folder):
                return True
        for folder, patterns in reversed(chain):
            decision = patterns.decision(path.relative_to(folder).as_posix(), is_folder=is_folder)
            if decision is not None:
                return decision
        return False

    def _left_out_above(self, path: Path, *, hidden: bool = True) -> bool:
        """Whether a path, or a folder that it stands in, is excluded, ignored or (``hidden``) hidden."""
        path = Path(os.path.abspath(path))  # noqa: PTH100 - a link is ignored by its own name
        top = _repository(path.parent) or self._root
        if not path.is_relative_to(top):
            top = path.parent
        parts = path.relative_to(top).parts
        for count in range(1, len(parts) + 1):
            here = top.joinpath(*parts[:count])
            is_folder = count < len(parts) or os.path.isdir(here)  # noqa: PTH112 - it may be out of sight
            if (hidden and here.name.startswith(".")) or self._left_out(
                here, self._chain(here.parent), is_folder=is_folder
            ):
                return True
        return False

    def _chain(self, folder: Path) -> list[tuple[Path, Patterns]]:
        """The ignore files that hold in a folder, from that of the repository down to its own."""
        top = _repository(folder) or folder
        chain: list[tuple[Path, Patterns]] = []
        if (patterns := self._patterns(top / ".git" / "info" / "exclude")) is not None:
            chain.append((top, patterns))
        for place in reversed([folder, *folder.parents]):
            if place.is_relative_to(top):
                chain = self._deeper(place, chain)
        return chain

    def _deeper(self, folder: Path, chain: list[tuple[Path, Patterns]]) -> list[tuple[Path, Patterns]]:
        patterns = self._patterns(folder / ".gitignore")
        return chain if patterns is None else [*chain, (folder, patterns)]

    def _patterns(self, file: Path) -> Patterns | None:
        if file not in self._read:
            try:
                text = file.read_bytes().decode("utf-8", "surrogateescape")
            except OSError:
                self._read[file] = None
            else:
                self._read[file] = Patterns(text.split("\n"))
        return self._read[file]


def _repository(folder: Path) -> Path | None:
    """The top folder of the git repository that a folder stands in."""
    places = (folder, *folder.parents)
    # Where nobody may look there is no repository, and no error either.
    return next((place for place in places if os.path.exists(place / ".git")), None)  # noqa: PTH110
