"""``planconv batch``: many files and folders, in parallel, each into a file of its own."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated

import typer

from planconv import __version__, registry
from planconv.batch import (
    NO_PLAN,
    Job,
    Manifest,
    Row,
    fingerprint,
    is_done,
    plan_jobs,
    read_manifest,
    written_name,
)
from planconv.cli import options
from planconv.cli.batch_job import Outcome, Work, run
from planconv.cli.convert import POINTERS
from planconv.cli.inputs import checked_root, checked_source
from planconv.cli.losses import Tally, report
from planconv.cli.messages import counted, shown
from planconv.cli.streams import Streams, reason
from planconv.cli.telling import sum_up, write_file
from planconv.errors import UsageError
from planconv.loss import Kind
from planconv.status import FAILED

EXAMPLES = """Examples:

\b
  planconv batch -t markdown -o plans sessions/
  planconv batch -f claude-code -t slack -o out --manifest done.ndjson ~/logs *.jsonl.gz
"""
FEW_FILES, FEW_BYTES = 4, 32 << 20
"""Fewer files than this, if they are not larger than that, are not worth a second process."""


def batch(
    context: typer.Context,
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help="Files and folders to convert.")],
    folder: Annotated[str, typer.Option("-o", "--output", metavar="DIR", help="Write below DIR.")],
    target: options.NeededTo = "",
    source: options.From = "",
    processes: Annotated[
        int, typer.Option("-j", "--jobs", metavar="N", min=0, help="Processes; 0: one for each core.")
    ] = 0,
    manifest: Annotated[
        str,
        typer.Option(
            "--manifest", metavar="FILE", help="What has become of each input; done work is not done again."
        ),
    ] = "",
    report: options.Report = "",
    fail_on_loss: options.FailOnLoss = None,
    strict: options.Strict = False,
    on_error: options.OnError = None,
    errors_to: options.ErrorsTo = "",
    root: options.Root = "",
    plan: options.PlanId = None,
    session: options.SessionId = None,
    mentions: options.Mentions = False,
    carry: options.Carry = False,
    quiet: options.Quiet = False,
) -> int:
    """Convert many files and folders, each into its own file below DIR.

    The folders' trees are mirrored. An input that cannot be read stops no other one. With --manifest, a
    second run leaves out what is done and unchanged.
    """
    streams: Streams = context.obj
    _check_target(target)
    reading = options.Reading(
        checked_source(source), strict, on_error != "fail", mentions, checked_root(root), carry
    )
    chosen = {"plan": plan, "session": session, "version": __version__}
    work = Work(
        reading, target, plan, session, fingerprint({**reading._asdict(), "target": target, **chosen})
    )
    if os.path.lexists(folder) and not os.path.isdir(folder):  # noqa: PTH112
        raise UsageError(f"-o {shown(folder)} is no folder")
    unreadable: list[UsageError] = []
    jobs = plan_jobs(inputs, folder, registry.get(target).info, unreadable.append)
    for error in unreadable:
        streams.complain(error)
    if not jobs:
        same = any(os.path.realpath(input) == os.path.realpath(folder) for input in inputs)
        hint = f", but for the results: -o {shown(folder)} is one of them, name another one" if same else ""
        raise UsageError(f"there is no file in these folders{hint}")
    if not any(os.path.lexists(job.input) for job in jobs):
        raise UsageError(f"there is no file {shown(jobs[0].input)}")
    rows = _kept_rows(manifest, jobs, work)
    kept = dict(rows)
    waiting = [job for job in jobs if job.input not in rows]
    outcomes = _Outcomes(streams, len(waiting), quiet=quiet)
    written = _begun(manifest, jobs, rows) if manifest else None
    for outcome in _run_all(work, waiting, processes or os.cpu_count() or 1):
        row = outcome.row
        rows[str(row["input"])] = row
        if written:
            written.add(row)
        outcomes.add(outcome)
        if on_error == "fail" and row["status"] == FAILED:
            break
    outcomes.end()
    if written:
        written.finish([rows[job.input] for job in jobs if job.input in rows])
    telling = options.Telling(report, fail_on_loss, errors_to, quiet)
    recalled = _recall(streams, jobs, kept, telling)
    status = max(recalled, outcomes.tell(streams, telling, waiting))
    return max(status, int(bool(unreadable)), *(_status(job, rows.get(job.input)) for job in jobs))


def _check_target(target: str) -> None:
    if not target:
        raise UsageError("name the output's format with --to")
    if not registry.get(target).info.writes:
        raise UsageError(f"planconv does not write {target}, it only reads it")
    if target in POINTERS:
        raise UsageError(f"{target} points to a file, which only `planconv convert -o` writes")


def _kept_rows(manifest: str, jobs: Sequence[Job], work: Work) -> dict[str, Row]:
    """What the manifest says of the inputs that are done."""
    if not manifest:
        return {}
    try:
        before = read_manifest(manifest)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {shown(manifest)}: {reason(error)}") from error
    known = {job.input: before.get(written_name(job.input)) for job in jobs}
    return {job.input: row for job in jobs if (row := known[job.input]) and is_done(row, job, work.options)}


def _begun(manifest: str, jobs: Sequence[Job], rows: dict[str, Row]) -> Manifest:
    try:
        return Manifest(manifest, [rows[job.input] for job in jobs if job.input in rows])
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {shown(manifest)}: {reason(error)}") from error


def _run_all(work: Work, jobs: Sequence[Job], processes: int) -> Iterator[Outcome]:
    """The outcomes as they come; in this process if there is little to do."""
    if processes < 2 or (len(jobs) < FEW_FILES and _bytes(jobs) < FEW_BYTES):
        yield from map(partial(run, work), jobs)
        return
    from planconv.cli.batch_pool import run_all

    yield from run_all(work, jobs, processes)


def _bytes(jobs: Sequence[Job]) -> int:
    return sum(os.path.getsize(job.input) for job in jobs if os.path.isfile(job.input))  # noqa: PTH113, PTH202


def _recall(streams: Streams, jobs: Sequence[Job], kept: dict[str, Row], telling: options.Telling) -> int:
    """Say again of inputs that were done before what makes the exit status 1, and return that status."""
    status = 0
    for job in jobs:
        row = kept.get(job.input, {})
        if row and _status(job, row):
            unread = row.get("unread")
            records = counted(unread if isinstance(unread, int) else 0, "record")
            why = row.get("reason") or f"{shown(job.input)}: {records} could not be read, as before"
            streams.say(str(why))
            status = 1
        if _lost_too_much(row, telling.fail_on_loss):
            streams.say(f"{shown(job.input)}: something was lost, as before")
            status = 1
    return status


def _lost_too_much(row: Row, limit: str | None) -> bool:
    """Whether a loss of an input is of the kind, or a worse one, that makes the exit status 1."""
    losses = row.get("losses")
    if not limit or not isinstance(losses, dict):
        return False
    return any(losses.get(kind.word) for kind in Kind if kind >= Kind[limit.upper()])


def _status(job: Job, row: Row | None) -> int:
    """1 if an input has failed, in whole or in part, or was asked for and holds no plan."""
    if row is None or row["status"] == FAILED or row.get("unread"):
        return 1
    return int(job.named and row["status"] == NO_PLAN)


class _Outcomes:
    """Gathers what there is to tell at the end, and shows on a terminal how far the batch is."""

    def __init__(self, streams: Streams, total: int, *, quiet: bool) -> None:
        self._streams = streams
        self._total = total
        self._bar = not quiet and streams.watched
        self._by_input: dict[str, Outcome] = {}

    def add(self, outcome: Outcome) -> None:
        """Take one."""
        self._by_input[str(outcome.row["input"])] = outcome
        if self._bar:
            done = len(self._by_input)
            filled = 30 * done // self._total
            bar = "#" * filled + "." * (30 - filled)
            self._streams.show(f"\r[{bar}] {done} of {self._total}")

    def end(self) -> None:
        """Take the bar away."""
        if self._bar and self._by_input:
            self._streams.show("\r\x1b[K")

    def tell(self, streams: Streams, telling: options.Telling, jobs: Sequence[Job]) -> int:
        """Tell everything, in the order of the inputs, and return the exit status."""
        ordered = [self._by_input[job.input] for job in jobs if job.input in self._by_input]
        for outcome in ordered:
            for line in outcome.said.splitlines():
                streams.say(line)
        tally = Tally()
        told = b""
        for outcome in ordered:
            for loss in outcome.losses:
                tally.add(loss)
            if telling.report:
                told += report(outcome.losses)
        if telling.report == "-":
            for line in told.decode().splitlines():
                streams.say(line)
        elif telling.report:
            write_file(telling.report, told)
        if telling.errors_to:
            write_file(telling.errors_to, b"".join(outcome.unread for outcome in ordered))
        failed = Counter(
            {
                "input": sum(outcome.row["status"] == FAILED for outcome in ordered),
                "record": sum(int(str(outcome.row["unread"])) for outcome in ordered),
            }
        )
        return sum_up(streams, telling, tally, +failed)
