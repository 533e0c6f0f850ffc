"""The end of a run: its losses and failures are told and kept, and make its exit status."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from planconv.cli.inputs import Failure
from planconv.cli.losses import Tally, report
from planconv.cli.messages import counted, shown
from planconv.cli.options import Telling
from planconv.cli.streams import Streams, reason
from planconv.errors import DecodeError, UsageError
from planconv.files import replace_file
from planconv.loss import Kind, Loss
from planconv.model import JSON


def tell(streams: Streams, telling: Telling, losses: Sequence[Loss], failures: Sequence[Failure]) -> int:
    """Say what was lost, write what was asked for, and return the exit status: 0 or 1.

    Raises:
        UsageError: the report or the file of bad records cannot be written.
    """
    if telling.report == "-":
        for line in report(losses).decode().splitlines():
            streams.say(line)
    elif telling.report:
        write_file(telling.report, report(losses))
    tally = Tally()
    for loss in losses:
        tally.add(loss)
    if telling.errors_to:
        write_file(telling.errors_to, kept(failures))
    return sum_up(streams, telling, tally, Counter(failure.thing for failure in failures))


def sum_up(streams: Streams, telling: Telling, tally: Tally, failed: Counter[str]) -> int:
    """Say how much was lost and how many things could not be read, and return the exit status: 0 or 1."""
    if not telling.quiet and telling.report != "-":
        for text in tally.lines():
            streams.say(text, f"{streams.paint.yellow('planconv')}: ")
    if failed:
        things = " and ".join(counted(failed[thing], thing) for thing in sorted(failed))
        streams.complain(f"{things} could not be read")
    limit = Kind[telling.fail_on_loss.upper()] if telling.fail_on_loss else None
    over = limit is not None and tally.worst is not None and tally.worst >= limit
    return int(bool(failed) or over)


def kept(failures: Sequence[Failure]) -> bytes:
    """What could not be read, as JSON objects, one a line; bytes that are no UTF-8 become ``\\xNN``."""
    from planconv.wire import json

    return b"".join(json.dumps_line(_row(failure)) for failure in failures)


def _row(failure: Failure) -> dict[str, JSON]:
    error = failure.error
    place = error if isinstance(error, DecodeError) else None
    why = place.reason if place else str(error)
    return {
        "file": failure.input,
        "line": place.line if place else None,
        "offset": place.offset if place else None,
        "reason": f"{place.pointer}: {why}" if place and place.pointer else why,
        "raw": None if failure.raw is None else failure.raw.decode("utf-8", "backslashreplace"),
    }


def write_file(path: str, data: bytes, expected: bytes | None = None) -> None:
    """Replace a file, which holds what is ``expected``, as far as that is known.

    Raises:
        UsageError: it cannot be written, or holds something else by now; it is as it was.
    """
    try:
        replace_file(path, data, expected)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot write {shown(path)}: {reason(error)}") from error
