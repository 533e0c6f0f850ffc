"""``planconv stream``: a log while it is written, each change of a plan at once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Annotated

import typer

from planconv import registry
from planconv.cli import options
from planconv.cli.convert import POINTERS
from planconv.cli.inputs import Inputs, checked_root, checked_source, input_name, told
from planconv.cli.live import Live
from planconv.cli.streams import Streams, file_pieces
from planconv.compressed import expanded
from planconv.detect import HEAD
from planconv.errors import DecodeError, NoPlanError, UsageError
from planconv.loss import Ledger
from planconv.model import Plan, PlanEvent, PlanUpdated
from planconv.stream import chosen, key_of, read_events, write_events

EXAMPLES = """Examples:

\b
  tail -f session.ndjson | planconv stream -f acp -t slack-stream
  planconv stream -t markdown session.jsonl
  planconv stream -t acp --report losses.ndjson < session.jsonl
"""


def stream(
    context: typer.Context,
    input: Annotated[
        str, typer.Argument(metavar="[INPUT]", help="The log to follow; none, or -: standard input.")
    ] = "-",
    source: options.From = "",
    target: options.NeededTo = "",
    carry: options.Carry = False,
    report: options.Report = "",
    fail_on_loss: options.FailOnLoss = None,
    strict: options.Strict = False,
    on_error: options.OnError = None,
    errors_to: options.ErrorsTo = "",
    root: options.Root = "",
    plan: options.PlanId = None,
    session: options.SessionId = None,
    mentions: options.Mentions = False,
    quiet: options.Quiet = False,
) -> int:
    """Follow a log, and write each change of a plan at once.

    One record is written for each update, as soon as its line has been read. Records that cannot be read
    are told and gone past, unless --on-error fail says otherwise.
    """
    streams: Streams = context.obj
    _check_target(target)
    reading = options.Reading(
        checked_source(source), strict, on_error != "fail", mentions, checked_root(root), carry
    )
    telling = options.Telling(report, fail_on_loss, errors_to, quiet)
    with contextlib.closing(_Run(streams, reading, telling, input)) as run:
        try:
            run.write(target, plan, session)
        except NoPlanError as error:
            run.settle()
            streams.complain(error)
            return max(run.finish(), error.exit_status)
        except KeyboardInterrupt:
            run.settle()
            run.finish()
            raise
        finally:
            run.settle()
        return run.finish()


def _check_target(target: str) -> None:
    if not target:
        raise UsageError("name the output's format with --to")
    if not registry.get(target).info.writes:
        raise UsageError(f"planconv does not write {target}, it only reads it")
    if target in POINTERS:
        raise UsageError(f"{target} points to a file, which only `planconv convert -o` writes")


class _Run:
    """One input on its way to the output, with the ledgers of both sides."""

    def __init__(
        self, streams: Streams, reading: options.Reading, telling: options.Telling, path: str
    ) -> None:
        name = input_name(path)
        self._streams = streams
        self._reading = reading
        self._path = path
        self._of_input = Ledger(strict=reading.strict, skip_bad_records=reading.skip, input=name)
        self._of_output = Ledger(strict=reading.strict, skip_bad_records=reading.skip, input=name)
        self._inputs = Inputs(streams, reading)
        self._live = Live(streams, telling, skip=reading.skip)
        self._seen: dict[tuple[str | None, str | None], None] = {}

    def write(self, target: str, plan_id: str | None, session: str | None) -> None:
        """Write what there is to be written, until the input ends or nobody reads the output any more.

        Raises:
            PlanconvError: the input cannot be read, or the output not be written.
        """
        events = self._finished(chosen(self._events(), plan_id, session))
        try:
            for piece in write_events(events, target, self._of_output, carry=self._reading.carry):
                self._streams.write(piece)
                self.settle()
                if self._streams.reader_gone:
                    return
        except DecodeError as error:
            error.input = error.input or self._of_input.input
            raise
        self._check_found(plan_id, session)

    def _check_found(self, plan_id: str | None, session: str | None) -> None:
        """Raise if there was no plan in the input, or none that was asked for."""
        if any(plan_id in (None, id) and session in (None, of) for of, id in self._seen):
            return
        there = ", ".join(sorted(f"{id} (session {of})" for of, id in self._seen))
        left = f"no plan is left by --plan and --session; there are: {there}"
        error = NoPlanError(left if there else "there is no plan in the input")
        error.input = self._of_input.input
        raise error

    def settle(self) -> None:
        """Tell what has happened since the last time."""
        self._live.settle((self._of_input, self._of_output), self._inputs)

    def finish(self) -> int:
        """Sum up, and return the exit status."""
        return self._live.finish()

    def close(self) -> None:
        """Close the report and the file of bad records."""
        self._live.close()

    def _events(self) -> Iterator[PlanEvent]:
        pieces = self._settled(
            expanded(self._streams.pieces() if self._path == "-" else file_pieces(self._path))
        )
        format = self._reading.format
        if not format:
            format, pieces = self._told(pieces)
        self._of_input.format = format
        for event in read_events(pieces, format, self._of_input):
            self._seen[key_of(event)] = None
            yield event

    def _finished(self, events: Iterable[PlanEvent]) -> Iterator[PlanEvent]:
        """The plans with what was carried, what their references point to, and their mentions."""
        for event in events:
            match event:
                case PlanUpdated(plan):
                    yield PlanUpdated(self._inputs.finished(self._unpacked(plan), self._of_input.input))
                case _:
                    yield event

    def _unpacked(self, plan: Plan) -> Plan:
        if not self._reading.carry:
            return plan
        from planconv.carry import unpack

        try:
            return unpack(plan, registry.get(self._of_input.format).info.luggage, self._of_input)
        except DecodeError as error:
            self._of_input.reject(error, b"")
            return plan

    def _settled(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """The input; before it is waited for, everything is told that is known."""
        for piece in pieces:
            yield piece
            self.settle()

    def _told(self, pieces: Iterator[bytes]) -> tuple[str, Iterator[bytes]]:
        """The format of the input, as soon as its name or its first whole lines tell it, and the input."""
        come: list[bytes] = []
        for piece in chain([b""], pieces):
            come.append(piece)
            head = b"".join(come)
            with contextlib.suppress(UsageError):
                return told(self._path, head[: head.rfind(b"\n") + 1]).format, chain(come, pieces)
            if len(head) >= HEAD:
                break
        return told(self._path, b"".join(come)).format, chain(come, pieces)
