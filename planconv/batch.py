"""Converting many files: where each result goes, and a manifest that says what became of each input.

The manifest is a file of JSON objects, one an input. While a batch runs, a line is added as soon as an
input is done; at the end the file is replaced by one in the order of the inputs. So it is true at any
moment, and a second run can leave out what is done and has not changed.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import BinaryIO, NamedTuple, TypeAlias

from planconv.codec import CodecInfo
from planconv.compressed import plain_name
from planconv.errors import DecodeError, UsageError
from planconv.files import replace_file, write_all
from planconv.model import JSON
from planconv.walk import Found, Walk, is_pattern
from planconv.wire import json

Row: TypeAlias = dict[str, JSON]
"""What the manifest says of an input."""

OK, SKIPPED, NO_PLAN = "ok", "skipped", "no-plan"
"""What becomes of an input, beside `FAILED`; it is skipped if no format fits a file met in a folder."""


class Job(NamedTuple):
    """An input and the file that its plans go to; ``named`` if somebody asked for this very file."""

    input: str
    output: str
    named: bool


# --- what goes where ----------------------------------------------------------------------------


def plan_jobs(
    inputs: Iterable[str], folder: str, target: CodecInfo, unreadable: Callable[[UsageError], None]
) -> list[Job]:
    """The files of all inputs, and where in ``folder`` their results go: the tree of each is mirrored.

    The last suffix of a name gives way to that of the target. Where two names would then be the same, both
    keep what they had: ``a.md`` and ``a.jsonl`` become ``a.md.json`` and ``a.jsonl.json``, and beside the
    latter ``a.jsonl.gz`` becomes ``a.jsonl.gz.json``.

    An input that is not there is a job too, which fails.

    Args:
        inputs: files, folders and patterns with wildcards.
        folder: where the results go.
        target: the format that is written.
        unreadable: is told of a folder that cannot be looked into, and of a pattern that fits nothing.

    Raises:
        UsageError: two results would be one file.
    """
    suffix = suffix_of(target)
    found = [(path, place, named) for path, place, named in _found(inputs, folder, unreadable)]
    names = [(_renamed(place, suffix), plain_name(place) + suffix, place + suffix) for _, place, _ in found]
    counts = [Counter(map(os.path.normcase, alike)) for alike in zip(*names, strict=True)]
    jobs: list[Job] = []
    taken: dict[str, str] = {}
    for (path, _, named), choice in zip(found, names, strict=True):
        alone = (
            name for name, count in zip(choice, counts, strict=True) if count[os.path.normcase(name)] == 1
        )
        name = next(alone, choice[-1])
        other = taken.setdefault(os.path.normcase(name), path)
        if other != path:
            raise UsageError(f"{other} and {path} would both become {name}: convert them into two folders")
        jobs.append(Job(path, str(PurePath(folder, name)), named))
    return jobs


def suffix_of(target: CodecInfo) -> str:
    """How the names of a format's files end."""
    patterns = [pattern.rpartition("/")[2] for pattern in target.patterns]
    ends = [pattern[1:] for pattern in patterns if pattern.startswith("*.")]
    if target.records:
        return next((end for end in ends if end.endswith(("jsonl", "ndjson"))), ".ndjson")
    if ends:
        return ends[0]
    return PurePath(patterns[0]).suffix if patterns else ".md"


def _found(
    inputs: Iterable[str], folder: str, unreadable: Callable[[UsageError], None]
) -> Iterator[tuple[str, str, bool]]:
    """Path, place below its input, and whether it was named; what lies in the output folder is no input."""
    output = os.path.realpath(folder)
    walk = Walk(lambda _: True, unreadable=unreadable)
    seen: set[str] = set()
    for path in inputs:
        top = path if os.path.isdir(path) else ""  # noqa: PTH112 - a name with a NUL is an answer, no error
        for file in _files(walk, path, unreadable):
            real = os.path.realpath(file.path)
            inside = not file.named and real.startswith(output + os.sep)
            if real not in seen and not inside:
                seen.add(real)
                place = os.path.relpath(file.path, top) if top else PurePath(file.path).name
                yield file.path, place, file.named


def _files(walk: Walk, path: str, unreadable: Callable[[UsageError], None]) -> Iterator[Found]:
    if not os.path.lexists(path) and not is_pattern(path):
        yield Found(path, named=True)  # converting it tells what is wrong
        return
    try:
        yield from walk.files([path])
    except UsageError as error:
        unreadable(error)


def _renamed(place: str, suffix: str) -> str:
    plain = plain_name(place)
    if plain.endswith(suffix):
        return plain
    return str(PurePath(plain).with_suffix("")) + suffix


# --- what was done ------------------------------------------------------------------------------


def fingerprint(options: Mapping[str, JSON]) -> str:
    """A short name for the options that a result depends on."""
    return hashlib.sha256(json.dumps(dict(options))).hexdigest()[:16]


def state_of(path: str) -> Row:
    """Size and time of a file, by which a change is noticed; nothing if it cannot be seen."""
    try:
        stat = Path(path).stat()
    except (OSError, ValueError):
        return {}
    return {"size": stat.st_size, "mtime": stat.st_mtime_ns}


def read_manifest(path: str) -> dict[str, Row]:
    """The last row of each input, by its :func:`written_name`; a torn line says nothing.

    Raises:
        OSError: there is a file and it cannot be read.
    """
    if not Path(path).is_file():  # a device may have no end
        return {}
    data = Path(path).read_bytes()
    rows: dict[str, Row] = {}
    for line in data.splitlines():
        try:
            row = json.loads(line)
        except DecodeError:
            continue
        if isinstance(row, dict) and isinstance(name := row.get("input"), str):
            rows[name] = row
    return rows


def is_done(row: Row | None, job: Job, options: str) -> bool:
    """Whether a row tells of this job, done with these options, and neither side changed since."""
    if row is None or row.get("status") not in (OK, NO_PLAN, SKIPPED):
        return False
    if row.get("output") != written_name(job.output) or row.get("options") != options:
        return False
    state = state_of(job.input)
    if not state or any(row.get(key) != value for key, value in state.items()):
        return False
    return row["status"] != OK or state_of(job.output).get("size") == row.get("bytes")


class Manifest:
    """Writes the manifest while a batch runs."""

    def __init__(self, path: str, kept: Iterable[Row]) -> None:
        """Begin with the rows that are still true.

        Raises:
            OSError: the file cannot be written.
        """
        self._path = path
        replace_file(path, _lines(kept))
        self._file: BinaryIO = Path(path).open("ab", buffering=0)  # noqa: SIM115 - closed in finish

    def add(self, row: Row) -> None:
        """Add what has become of an input; raises as :meth:`finish` does."""
        try:
            write_all(self._file.fileno(), _lines([row]))
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from error

    def finish(self, rows: Sequence[Row]) -> None:
        """Put all rows into their order.

        Raises:
            UsageError: the file cannot be written.
        """
        self._file.close()
        try:
            replace_file(self._path, _lines(rows))
        except OSError as error:
            raise UsageError(f"cannot write {self._path}: {error.strerror}") from error


def written_name(path: str) -> str:
    """A path as a manifest has it: bytes that are no UTF-8 as ``\\xNN``."""
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _lines(rows: Iterable[Row]) -> bytes:
    return b"".join(json.dumps_line({key: _written(value) for key, value in row.items()}) for row in rows)


def _written(value: JSON) -> JSON:
    return written_name(value) if isinstance(value, str) else value
