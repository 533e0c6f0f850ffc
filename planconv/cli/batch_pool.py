"""The inputs of a batch on several processes; a large log is cut at line ends and looked through by all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import pairwise
from multiprocessing import get_context, util
from pathlib import Path
from typing import BinaryIO, NamedTuple

from planconv import registry
from planconv.batch import Job, Row, state_of
from planconv.cli.batch_job import Outcome, Work, begin, run
from planconv.cli.inputs import ShortLog, told
from planconv.cli.messages import shown
from planconv.cli.streams import PIECE
from planconv.codec import SplitCodec
from planconv.compressed import is_compressed
from planconv.detect import HEAD
from planconv.errors import DecodeError, PlanconvError
from planconv.status import FAILED
from planconv.wire.logs.lines import Line

SMALLEST_PART = 16 << 20
"""Bytes of a log that are worth a process of their own."""
_MOST_KEPT = 64 << 20
"""Bytes; a part that tells more than this of plans is better read in place."""


def run_all(work: Work, jobs: Sequence[Job], processes: int) -> Iterator[Outcome]:
    """The outcomes as they come."""
    processes = min(processes, max(len(jobs), sum(_size(job.input) for job in jobs) // SMALLEST_PART))
    # A copy of this process is there at once; elsewhere than on Linux that is not safe.
    how = get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(processes, how, begin) as pool:
        try:
            yield from _Running(pool, work, processes).all(jobs)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    # This process ends without taking itself apart: the locks have to go back to the system before.
    util._run_finalizers(0)  # type: ignore[attr-defined]  # typeshed leaves it out


class _Part(NamedTuple):
    """A part of a log: from where to where, in bytes."""

    path: str
    format: str
    start: int
    end: int


class _Shortened(NamedTuple):
    """The lines of a part that decide, and its line breaks; not ``whole`` if the lines are too many."""

    lines: list[Line]
    breaks: int
    whole: bool


class _Whole(NamedTuple):
    """An input to be converted; ``log`` is what is known of it already."""

    job: Job
    log: ShortLog | None


class _Cut(NamedTuple):
    """A log that is looked through in parts, and the state of the file before that."""

    job: Job
    state: Row
    parts: list[Future[Outcome | _Shortened]]
    format: str


class _Running:
    """What the processes are at."""

    def __init__(self, pool: ProcessPoolExecutor, work: Work, processes: int) -> None:
        self._pool = pool
        self._work = work
        self._processes = processes
        self._tasks: dict[Future[Outcome | _Shortened], Job | _Cut] = {}

    def all(self, jobs: Sequence[Job]) -> Iterator[Outcome]:
        """The outcomes of all jobs."""
        for job in jobs:
            try:
                self._begin(job)
            except BrokenProcessPool:
                yield from self._lost(job)
        while self._tasks:
            done, _ = wait(self._tasks, return_when=FIRST_COMPLETED)
            for future in done:
                task = self._tasks.pop(future)
                try:
                    result = future.result()
                    if isinstance(task, _Cut):
                        self._put_together(task)
                except BrokenProcessPool:
                    yield from self._lost(task)
                else:
                    if isinstance(result, Outcome):
                        yield result

    def _begin(self, job: Job) -> None:
        state = state_of(job.input)
        parts = _parts_of(job.input, self._work, self._processes)
        if parts:
            futures = [self._submit(part) for part in parts]
            self._tasks |= dict.fromkeys(futures, _Cut(job, state, futures, parts[0].format))
        else:
            self._tasks[self._submit(_Whole(job, None))] = job

    def _put_together(self, cut: _Cut) -> None:
        """Convert what the parts of a log tell, as soon as all of them have."""
        if not all(part.done() for part in cut.parts):
            return
        parts = [part.result() for part in cut.parts]
        lines: list[Line] = []
        breaks = 0
        sound = state_of(cut.job.input) == cut.state
        for part in parts:
            if isinstance(part, Outcome) or not part.whole:
                sound = False
                break
            lines += [line._replace(number=line.number + breaks) for line in part.lines]
            breaks += part.breaks
        log = ShortLog(cut.format, lines) if sound else None
        self._tasks[self._submit(_Whole(cut.job, log))] = cut.job

    def _submit(self, task: _Part | _Whole) -> Future[Outcome | _Shortened]:
        return self._pool.submit(_do, self._work, task)

    def _lost(self, task: Job | _Cut) -> Iterator[Outcome]:
        """What is told of an input whose process was ended from outside; once of each."""
        job = task.job if isinstance(task, _Cut) else task
        others = [other.job if isinstance(other, _Cut) else other for other in self._tasks.values()]
        if job in others:
            return
        why = "a process of the batch was ended from outside; run it again"
        row: Row = {"input": job.input, "output": job.output, "status": FAILED, "plans": 0, "losses": {}}
        row |= {"unread": 0, "bytes": 0, "seconds": 0.0, "reason": why, "options": self._work.options}
        yield Outcome(row, f"{shown(job.input)}: {why}\n", b"", [])


# --- what a process does ------------------------------------------------------------------------


def _do(work: Work, task: _Part | _Whole) -> Outcome | _Shortened:
    return _look_through(task) if isinstance(task, _Part) else run(work, task.job, task.log)


def _look_through(part: _Part) -> _Shortened:
    codec = registry.get(part.format)
    nothing = _Shortened([], 0, whole=False)
    if not isinstance(codec, SplitCodec):
        return nothing
    try:
        lines, breaks = codec.shorten(_pieces(part), begun=part.start > 0)
    except (OSError, DecodeError):  # reading all of it tells what is wrong
        return nothing
    if sum(len(line.raw) for line in lines) > _MOST_KEPT:
        return nothing
    return _Shortened(
        [line._replace(offset=line.offset + part.start) for line in lines], breaks, whole=True
    )


def _pieces(part: _Part) -> Iterator[bytes]:
    with Path(part.path).open("rb", buffering=0) as file:
        file.seek(part.start)
        left = part.end - part.start
        while left > 0 and (piece := file.read(min(PIECE, left))):
            left -= len(piece)
            yield piece


# --- where a log is cut -------------------------------------------------------------------------


def _parts_of(path: str, work: Work, processes: int) -> list[_Part]:
    """The parts of a large log, one for each process; none if it is read as a whole.

    A strict reader wants to see every record.
    """
    count = min(processes, _size(path) // SMALLEST_PART)
    if count < 2 or work.reading.strict:
        return []
    try:
        with Path(path).open("rb") as file:
            head = file.read(HEAD)
            if is_compressed(head):
                return []
            format = work.reading.format or told(path, head).format
            if not isinstance(registry.get(format), SplitCodec):
                return []
            ends = [_line_end(file, _size(path) * number // count) for number in range(1, count)]
    except (OSError, PlanconvError):  # reading it tells what is wrong
        return []
    places = sorted({0, *ends, _size(path)})
    return [_Part(path, format, start, end) for start, end in pairwise(places)]


def _line_end(file: BinaryIO, place: int) -> int:
    file.seek(place)
    file.readline()
    return file.tell()


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0  # noqa: PTH113, PTH202 - out of sight: none
