"""``planconv fmt``: checklists and plan files in their one layout."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from planconv.cli.chosen_files import ChosenFiles, split
from planconv.cli.messages import counted, shown
from planconv.cli.streams import Streams, reason
from planconv.errors import PlanconvError, UsageError
from planconv.settings import FILE, Chosen

if TYPE_CHECKING:
    from planconv.cli.format_file import Done, Job
    from planconv.formatter.rules import Rule

STDIN = "<stdin>"

ALONE = 2_000_000
"""Bytes of files that one process formats faster than others can be started."""

PIECE_LINES = 20
"""How many lines of the part that cannot be formatted are shown."""

EXAMPLES = """Examples:

\b
  planconv fmt PLAN.md
  planconv fmt --check --diff docs
  planconv fmt --stdin-filename PLAN.md - < PLAN.md
"""


def fmt(
    context: typer.Context,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Files, folders, wildcards, or -; none: this folder."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file would be changed.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; print what would be changed.")
    ] = False,
    stdin_filename: Annotated[
        str, typer.Option("--stdin-filename", metavar="NAME", help="What standard input would be called.")
    ] = "",
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULE", help="Only these rules: codes, names, ALL; by commas."),
    ] = None,
    extend_select: Annotated[
        list[str] | None,
        typer.Option("--extend-select", metavar="RULE", help="These rules besides the usual ones."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULE", help="Not these rules.")
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="PATTERN", help="Leave these out, as .gitignore would."),
    ] = None,
    force_exclude: Annotated[
        bool, typer.Option("--force-exclude", help="Leave out also files that are named here.")
    ] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="No summary.")] = False,
) -> int:
    """Format the checklists of Markdown files, and plan files in JSON.

    Only markers, boxes, indentation, blank lines and numbers of checklists change; everything else stays
    byte for byte. A file is written if it is proved that it shows the same page and holds the same plan.
    """
    streams: Streams = context.obj
    run = _Run(
        streams,
        Chosen(split(select), split(extend_select), split(ignore)),
        split(exclude),
        force_exclude,
    )
    paths = paths or ["."]
    if "-" in paths:
        if len(paths) > 1:
            raise UsageError("standard input is formatted alone, without other files")
        return run.filter(stdin_filename, check=check, diff=diff)
    if stdin_filename:
        raise UsageError("--stdin-filename needs the path -")
    return run.format(paths, write=not (check or diff), diff=diff, check=check, quiet=quiet)


class _Run:
    """One call of the command."""

    def __init__(
        self, streams: Streams, chosen: Chosen, exclude: tuple[str, ...] | None, force_exclude: bool
    ) -> None:
        self._streams = streams
        self._chosen = chosen
        self._files = ChosenFiles(exclude, force_exclude=force_exclude)
        self._rules: dict[Chosen, frozenset[Rule]] = {}

    # --- standard input ------------------------------------------------------------------------------

    def filter(self, name: str, *, check: bool, diff: bool) -> int:
        """Format standard input to standard output.

        Raises:
            PlanconvError: it cannot be formatted; nothing has been written.
        """
        from planconv.cli.format_file import form_of
        from planconv.formatter import formatted

        before = self._streams.read()
        called = shown(name) or STDIN
        form = form_of(name, before)
        if form is None:
            raise UsageError(f"{called} is neither Markdown nor a plan in JSON that fmt knows")
        try:
            after = formatted(before, form, name, self._rules_of(name))
        except PlanconvError as error:
            error.input = error.input or called
            self._tell(error)
            return error.exit_status
        if diff:
            self._print_diff(called, before, after)
        elif not check:
            self._streams.write(after)
        return int((check or diff) and before != after)

    # --- files -----------------------------------------------------------------------------------------

    def format(self, paths: list[str], *, write: bool, diff: bool, check: bool, quiet: bool) -> int:
        """Format files, or say which would be changed.

        Raises:
            UsageError: a path is not there, or a setting is wrong.
        """
        changed = unchanged = failed = 0
        for done in _all(self._jobs(paths)):
            if done.skipped:
                continue
            error = done.error or (self._write(done) if write and done.changed else None)
            if error is not None:
                error.input = error.input or shown(done.path)
                self._tell(error)
                failed += 1
                continue
            changed += done.changed
            unchanged += not done.changed
            if done.changed and check:
                self._streams.say(f"would reformat: {shown(done.path)}")
            if done.changed and diff:
                self._print_diff(shown(done.path), done.before, done.after)
        for folder in self._files.unreadable:
            self._streams.complain(folder)
            failed += 1
        if not quiet:
            self._streams.say(_summary(changed, unchanged, failed, write=write))
        return 2 if failed else int(bool(changed) and not write)

    def _jobs(self, paths: list[str]) -> list[Job]:
        from planconv.cli.format_file import Job

        found = self._files.found(paths)
        return [Job(file.path, file.named, self._rules_of(file.path)) for file in found]

    def _write(self, done: Done) -> PlanconvError | None:
        from planconv.files import replace_file

        try:
            replace_file(done.path, done.after, done.before)
        except OSError as error:
            return UsageError(f"cannot write {shown(done.path)}: {reason(error)}")
        return None

    # --- settings --------------------------------------------------------------------------------------

    def _rules_of(self, path: str) -> frozenset[Rule]:
        from planconv.formatter.rules import choose

        settings = self._files.settings_of(path)
        chosen = self._chosen.over(settings.fmt)
        if chosen not in self._rules:
            try:
                choose(settings.fmt.select, settings.fmt.extend, settings.fmt.ignore)
            except UsageError as error:
                raise UsageError(f"{Path(settings.folder) / FILE}: [tool.planconv.fmt] {error}") from error
            self._rules[chosen] = choose(chosen.select, chosen.extend, chosen.ignore)
        return self._rules[chosen]

    # --- what is said ----------------------------------------------------------------------------------

    def _print_diff(self, name: str, before: bytes, after: bytes) -> None:
        from planconv.cli.diffs import unified

        self._streams.write(unified(name, before, after, self._streams.output_paint))

    def _tell(self, error: PlanconvError) -> None:
        from planconv.formatter import RefusedError

        self._streams.complain(error)
        if isinstance(error, RefusedError):
            lines = error.piece.split("\n")
            for line in lines[:PIECE_LINES]:
                self._streams.say(f"  | {line}")
            if len(lines) > PIECE_LINES:
                self._streams.say(f"  | and {counted(len(lines) - PIECE_LINES, 'line')} more")


def _all(jobs: list[Job]) -> Iterator[Done]:
    """What comes of all jobs, in their order; in several processes where that pays."""
    from planconv.cli.format_file import format_file

    workers = min(len(jobs), os.cpu_count() or 1)
    if workers > 1 and _size(jobs) > ALONE:
        from concurrent.futures import ProcessPoolExecutor

        with ProcessPoolExecutor(workers) as pool:
            yield from pool.map(format_file, jobs, chunksize=max(1, len(jobs) // (workers * 8)))
    else:
        yield from map(format_file, jobs)


def _size(jobs: Iterable[Job]) -> int:
    total = 0
    for job in jobs:
        try:
            total += os.stat(job.path).st_size  # noqa: PTH116 - nothing but a number is wanted
        except (OSError, ValueError):
            continue
    return total


def _summary(changed: int, unchanged: int, failed: int, *, write: bool) -> str:
    parts = []
    if changed:
        parts.append(f"{counted(changed, 'file')} {'reformatted' if write else 'would be reformatted'}")
    if unchanged:
        parts.append(f"{counted(unchanged, 'file')} {'left unchanged' if write else 'already formatted'}")
    if failed:
        parts.append(f"{counted(failed, 'file')} could not be formatted")
    return ", ".join(parts) or "no plan files found"
