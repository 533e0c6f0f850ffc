"""``planconv check``: what is wrong in checklists and plan files."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planconv import __version__
from planconv.cli.chosen_files import ChosenFiles, split
from planconv.cli.messages import counted, one_line, shown
from planconv.cli.streams import Streams, read_file
from planconv.errors import PlanconvError, UsageError
from planconv.settings import FILE, Chosen

if TYPE_CHECKING:
    from planconv.check import Check, Finding

STDIN = "<stdin>"

EXAMPLES = """Examples:

\b
  planconv check PLAN.md
  planconv check --output-format github docs
  planconv check --stdin-filename tasks.json - < tasks.json
"""


class OutputFormat(enum.StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


def check(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Files, folders, wildcards, or -; none: this folder."),
    ] = None,
    source: Annotated[
        str, typer.Option("-f", "--from", metavar="FORMAT", help="The format; without it, it is told.")
    ] = "",
    output_format: Annotated[
        OutputFormat, typer.Option("--output-format", help="How findings are written.")
    ] = OutputFormat.TEXT,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help="What standard input would be called.")
    ] = "",
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="CODE", help="Only these: codes, their beginnings, names, ALL."),
    ] = None,
    extend_select: Annotated[
        list[str] | None,
        typer.Option("--extend-select", metavar="CODE", help="These besides the usual ones."),
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="CODE", help="Not these.")] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="PATTERN", help="Leave these out, as .gitignore would."),
    ] = None,
    force_exclude: Annotated[
        bool, typer.Option("--force-exclude", help="Leave out also files that are named here.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No summary.")] = False,
) -> int:
    """Find what is wrong in checklists and plan files.

    Nothing is changed. A finding in Markdown is taken back by `<!-- planconv: ignore CK101 -->` on its
    line or the one above. `planconv explain CODE` says more about each.
    """
    streams: Streams = context.obj
    paths = paths or ["."]
    if "-" in paths and len(paths) > 1:
        raise UsageError("standard input is checked alone, without other files")
    if stdin_filename and paths != ["-"]:
        raise UsageError("--stdin-filename needs the path -")
    files = ChosenFiles(split(exclude), force_exclude=force_exclude)
    run = _Run(streams, files, Chosen(split(select), split(extend_select), split(ignore)), source)
    if paths == ["-"]:
        run.check(stdin_filename, streams.read(), shown(stdin_filename) or STDIN)
    else:
        run.check_files(paths)
    streams.write(_written(run.found, output_format))
    if not quiet:
        streams.say(run.summary())
    return 2 if run.failed else int(bool(run.found))


class _Run:
    """One call of the command: what it found, and how many files it read or could not read."""

    def __init__(self, streams: Streams, files: ChosenFiles, chosen: Chosen, source: str) -> None:
        from planconv.check import JSON_FORMATS
        from planconv.cli.inputs import checked_source
        from planconv.detect import GENERAL, IN_MARKDOWN

        if checked_source(source) and source not in {*JSON_FORMATS, *IN_MARKDOWN, GENERAL}:
            raise UsageError(f"check does not know the format {source}")
        self.found: list[Finding] = []
        self.read = self.failed = 0
        self._streams = streams
        self._files = files
        self._chosen = chosen
        self._source = source
        self._checks: dict[Chosen, frozenset[Check]] = {}

    def check_files(self, paths: list[str]) -> None:
        """Check files one after the other; what cannot be read is told, and the next one checked.

        Raises:
            UsageError: a path is not there, or a setting is wrong.
        """
        for file in self._files.found(paths):
            self._checks_of(file.path)  # a wrong setting ends the run
            try:
                data = read_file(file.path)
            except PlanconvError as error:
                self._fail(error, shown(file.path))
                continue
            self.check(file.path, data, shown(file.path), named=file.named)
        for folder in self._files.unreadable:
            self._streams.complain(folder)
            self.failed += 1

    def check(self, path: str, data: bytes, name: str, *, named: bool = True) -> None:
        """Check the content of a file; what is no plan file counts only if it was ``named``."""
        from planconv.check import check as findings

        checks = self._checks_of(path)
        form = self._source or _form(path, data)
        if form is None:
            if named:
                self._fail(UsageError("it is neither Markdown nor a plan in JSON that check knows"), name)
            return
        try:
            self.found += findings(data, form, name, checks)
        except PlanconvError as error:
            self._fail(error, name)
        else:
            self.read += 1

    def summary(self) -> str:
        """What was found, in one line."""
        parts = []
        if self.found:
            files = counted(len({finding.path for finding in self.found}), "file")
            parts.append(f"{counted(len(self.found), 'finding')} in {files}")
        if self.read:
            parts.append(f"{counted(self.read, 'file')} checked")
        if self.failed:
            parts.append(f"{counted(self.failed, 'file')} could not be read")
        return ", ".join(parts) or "no plan files found"

    def _fail(self, error: PlanconvError, name: str) -> None:
        if not error.input:
            error = error if hasattr(error, "reason") else UsageError(f"{name}: {error}")
            error.input = name
        self._streams.complain(error)
        self.failed += 1

    def _checks_of(self, path: str) -> frozenset[Check]:
        from planconv.check.findings import choose

        settings = self._files.settings_of(path)
        chosen = self._chosen.over(settings.check)
        if chosen not in self._checks:
            try:
                choose(settings.check.select, settings.check.extend, settings.check.ignore)
            except UsageError as error:
                place = Path(settings.folder) / FILE
                raise UsageError(f"{place}: [tool.planconv.check] {error}") from error
            self._checks[chosen] = choose(chosen.select, chosen.extend, chosen.ignore)
        return self._checks[chosen]


def _form(path: str, data: bytes) -> str | None:
    """The format that a file is checked in; ``None`` if it is no plan file that ``check`` knows."""
    from planconv.cli.format_file import form_of
    from planconv.cli.inputs import told
    from planconv.detect import HEAD, IN_MARKDOWN

    form = form_of(path, data[:HEAD])
    if form != "markdown":
        return form
    try:
        told_form = told(path or "-", data).format
    except UsageError:
        return form
    return told_form if told_form in IN_MARKDOWN else form


def _written(found: list[Finding], output_format: OutputFormat) -> bytes:
    from planconv.check import github, text
    from planconv.check.listing import listing
    from planconv.check.sarif import sarif

    if output_format is OutputFormat.JSON:
        return listing(found)
    if output_format is OutputFormat.SARIF:
        return sarif(found, __version__)
    lines = text.lines(found) if output_format is OutputFormat.TEXT else github.lines(found)
    return "".join(f"{one_line(line)}\n" for line in lines).encode()
