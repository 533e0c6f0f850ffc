"""What is told while a stream runs: bad records and the report at once, the sum of losses at the end.

Nothing is kept but counts, so that a stream may go on for ever.
"""

from __future__ import annotations

import contextlib
import io
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from planconv.cli.inputs import Failure, Inputs
from planconv.cli.losses import Tally, report
from planconv.cli.messages import shown
from planconv.cli.options import Telling
from planconv.cli.streams import Streams, reason
from planconv.cli.telling import kept, sum_up
from planconv.errors import UsageError
from planconv.files import write_all
from planconv.loss import REMOVAL_DROPPED, Ledger, Loss


class Live:
    """Empties ledgers as they fill."""

    def __init__(self, streams: Streams, telling: Telling, *, skip: bool) -> None:
        self._streams = streams
        self._telling = telling
        self._skip = skip
        self._tally = Tally()
        self._failed: Counter[str] = Counter()
        self._report = _Log(telling.report if telling.report != "-" else "")
        self._errors = _Log(telling.errors_to)

    def settle(self, ledgers: Sequence[Ledger], inputs: Inputs) -> None:
        """Tell what the ledgers hold, and what following a reference met with, and empty them.

        Raises:
            UsageError: the report or the file of bad records cannot be written.
        """
        for ledger in ledgers:
            if ledger.losses:
                self._tell(ledger.losses)
                ledger.losses.clear()
            for record in ledger.bad_records:
                if self._skip:
                    self._streams.complain(record.error)
                self._fail(Failure(ledger.input, record.error, "record", record.raw))
            ledger.bad_records.clear()
        if inputs.losses:
            self._tell(inputs.losses)
            inputs.losses.clear()
        for failure in inputs.failures:
            self._fail(failure)
        inputs.failures.clear()

    def close(self) -> None:
        """Close the files."""
        self._report.close()
        self._errors.close()

    def finish(self) -> int:
        """Sum up, and return the exit status: 0 or 1."""
        return sum_up(self._streams, self._telling, self._tally, self._failed)

    def _tell(self, losses: Sequence[Loss]) -> None:
        if self._telling.report == "-":
            for line in report(losses).decode().splitlines():
                self._streams.say(line)
        elif self._telling.report:
            self._report.write(report(losses))
        for loss in losses:
            self._tally.add(loss)
            if loss.code is REMOVAL_DROPPED and not self._telling.quiet:
                of_session = f" of session {loss.session}" if loss.session else ""
                name = loss.plan or "without an id"
                self._streams.say(f"the plan {name}{of_session} was removed", "planconv: ")

    def _fail(self, failure: Failure) -> None:
        self._failed[failure.thing] += 1
        if self._telling.errors_to:
            self._errors.write(kept([failure]))


class _Log:
    """A file that is written as things happen."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._file: io.FileIO | None = None
        if path:
            with self._refusals():
                self._file = io.FileIO(Path(path), "wb")

    def write(self, data: bytes) -> None:
        if self._file is not None:
            with self._refusals():
                write_all(self._file.fileno(), data)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    @contextlib.contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            raise UsageError(f"cannot write {shown(self._path)}: {reason(error)}") from error
