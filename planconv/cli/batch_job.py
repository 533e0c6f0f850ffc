"""One input of a batch, from its file to its result; this is what runs in a process of its own."""

from __future__ import annotations

import io
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from planconv.batch import NO_PLAN, OK, SKIPPED, Job, Row, state_of
from planconv.cli.convert import chosen, encoded
from planconv.cli.inputs import Inputs, ShortLog, with_inputs
from planconv.cli.messages import shown
from planconv.cli.options import Reading
from planconv.cli.streams import Streams
from planconv.cli.streams import reason as reason_of
from planconv.cli.telling import kept, write_file
from planconv.errors import NoPlanError, PlanconvError, UsageError
from planconv.loss import CODES, Ledger, Loss
from planconv.model import Plan
from planconv.status import FAILED


class Work(NamedTuple):
    """What is the same for all inputs; ``options`` is the fingerprint of it."""

    reading: Reading
    target: str
    plan: str | None
    session: str | None
    options: str


class Outcome(NamedTuple):
    """What has become of an input; losses as they can be sent from process to process."""

    row: Row
    said: str
    unread: bytes
    sent: list[tuple[str, Loss]]

    @property
    def losses(self) -> list[Loss]:
        """The losses, with the codes of this process."""
        return [loss._replace(code=CODES[number]) for number, loss in self.sent]


def run(work: Work, job: Job, log: ShortLog | None = None) -> Outcome:
    """Convert one input; whatever goes wrong with it is told by the outcome.

    Args:
        work: how.
        job: which input.
        log: the lines of it that decide, if they are known already.
    """
    started = time.perf_counter()
    said = io.StringIO()
    streams = Streams(None, None, said)
    state = state_of(job.input)
    inputs = Inputs(streams, work.reading)
    ledger = Ledger(strict=work.reading.strict)
    plans: list[Plan] = []
    size, status, reason = 0, OK, ""
    try:
        plans = _plans(inputs, work, job.input, log)
        data = encoded(plans, work.target, ledger, carry=work.reading.carry)
        _write(job.output, data)
        size = len(data)
    except NoPlanError as error:
        if log:
            return run(work, job)  # which tells what there is instead
        status, reason = NO_PLAN, str(error)
    except UsageError as error:
        untold = not job.named and not inputs.read and not work.reading.format
        status, reason = SKIPPED if untold else FAILED, str(error)
    except PlanconvError as error:
        status, reason = FAILED, str(error)
    except (OSError, MemoryError, RecursionError) as error:
        status, reason = FAILED, f"{type(error).__name__}: {error}"
    name = shown(job.input)
    losses = inputs.losses + with_inputs(ledger.losses, {(plan.session, plan.id): name for plan in plans})
    row: Row = {
        "input": job.input,
        "output": job.output,
        "status": status,
        "plans": len(plans),
        "losses": dict(sorted(Counter(loss.code.kind.word for loss in losses).items())),
        "unread": sum(failure.thing == "record" for failure in inputs.failures),
        "bytes": size,
        "seconds": round(time.perf_counter() - started, 3),
        "reason": reason,
        **state,
        "options": work.options,
    }
    if status == FAILED or (status == NO_PLAN and job.named):
        whole = reason if reason.startswith(name) else f"{name}: {reason}"
        if whole not in said.getvalue():
            streams.say(whole)
    sent = [(loss.code.number, loss) for loss in losses]
    return Outcome(row, said.getvalue(), kept(inputs.failures), sent)


def _plans(inputs: Inputs, work: Work, path: str, log: ShortLog | None) -> list[Plan]:
    """The plans of an input, or its first error; nothing is skipped but records.

    Raises:
        PlanconvError: the input cannot be read.
    """
    plans = inputs.plans(path, log)
    if not inputs.read:
        raise next(failure.error for failure in inputs.failures if failure.thing == "input")
    name = shown(path)
    return [inputs.finished(plan, name) for plan in chosen(plans, work.target, work.plan, work.session)]


_writing = threading.Lock()
"""Held while a result is written: whoever ends this process waits, so that no torn file stays behind."""


def _write(path: str, data: bytes) -> None:
    """Write a result into its folder, which is made.

    Raises:
        UsageError: it cannot be written.
    """
    with _writing:
        try:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot write {shown(path)}: {reason_of(error)}") from error
        write_file(path, data)


def begin() -> None:
    """Prepare a process for its work: it ends with the one that began it, and Ctrl-C is for that one."""
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=_end, daemon=True).start())
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=[parent.join], daemon=True).start()


def _end_with(wait: Callable[[], None]) -> None:
    wait()
    _end()


def _end() -> None:
    with _writing:
        os._exit(1)
