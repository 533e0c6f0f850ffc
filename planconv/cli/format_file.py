"""Formatting one file: from its name to what it should hold, or to why it cannot be formatted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from planconv import registry
from planconv.cli.messages import shown
from planconv.cli.streams import reason
from planconv.errors import DecodeError, PlanconvError, UsageError
from planconv.formatter import JSON_FORMATS, formatted

if TYPE_CHECKING:
    from planconv.formatter.rules import Rule

MARKDOWN = (".md", ".markdown")
JSON = (".json", ".ndjson", ".jsonl")


@dataclass(frozen=True, slots=True)
class Job:
    """A file to format; ``named`` if it was asked for by its name, so that it has to be a plan."""

    path: str
    named: bool
    rules: frozenset[Rule]


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a job: the content before and after, or the error."""

    path: str
    before: bytes = b""
    after: bytes = b""
    error: PlanconvError | None = None
    skipped: bool = False

    @property
    def changed(self) -> bool:
        """Whether the file is not formatted yet."""
        return self.before != self.after


def format_file(job: Job) -> Done:
    """Read a file and format it; nothing is written, and no error is raised."""
    name = shown(job.path)
    try:
        head = _head(job.path)
        form = form_of(job.path, head)
        if form is None and not job.named:
            return Done(job.path, skipped=True)
        if form is None:
            raise DecodeError("it is neither Markdown nor a plan in JSON that fmt knows")
        data = Path(job.path).read_bytes()
        return Done(job.path, data, formatted(data, form, name, job.rules))
    except PlanconvError as error:
        error.input = error.input or name
        return Done(job.path, error=error)
    except (OSError, ValueError) as error:
        return Done(job.path, error=DecodeError(reason(error)))


def _head(path: str) -> bytes:
    from planconv.detect import HEAD

    with Path(path).open("rb") as file:
        return file.read(HEAD)


def form_of(name: str, head: bytes) -> str | None:
    """The format that a file is formatted in; ``None`` if it is no plan file that ``fmt`` knows.

    Args:
        name: the name of the file, ``""`` if it has none.
        head: its first bytes.
    """
    lowered = name.lower()
    if lowered.endswith(MARKDOWN):
        return "markdown"
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if not lowered.endswith(JSON) and start not in {b"{", b"["}:
        return "markdown" if not name or _looks_like(name, head) == "markdown" else None
    told = _looks_like(name, head)
    if told in JSON_FORMATS:
        return told
    if lowered.endswith("tasks.json") and b'"tasks"' in head:
        return "taskmaster"
    return "markdown" if told == "markdown" else None


def _looks_like(name: str, head: bytes) -> str:
    from planconv.detect import detect

    try:
        return detect(shown(name), head, registry.installed()[0]).format
    except UsageError:
        return ""
