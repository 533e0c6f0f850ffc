"""Where the command starts and ends: the streams of the process, its last errors, its exit status."""

from __future__ import annotations

import contextlib
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import BinaryIO, NoReturn, TextIO

INTERRUPTED = 130
GARBAGE = 200_000
"""Objects to be made before a search for garbage: more than a start makes, which saves it 10 ms."""


def main() -> NoReturn:
    """Run the command line of this process and end it."""
    gc.set_threshold(GARBAGE)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminate)
    try:
        status = run(sys.argv[1:], _binary(sys.stdin, 0, "rb"), _binary(sys.stdout, 1, "wb"), sys.stderr)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except _TerminatedError:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTERM)  # whoever waits for this process sees how it ended
    if sys.stderr is not None:
        with contextlib.suppress(OSError):
            sys.stderr.flush()
    # Results are written unbuffered, so nothing is lost by not taking every module apart: 10 ms.
    os._exit(status)


class _TerminatedError(BaseException):
    """The process is to end: what it is writing is taken away before."""


def _terminate(number: int, _: object) -> None:
    from multiprocessing import parent_process

    if parent_process() is None:
        raise _TerminatedError
    signal.signal(number, signal.SIG_DFL)  # a process that works for another one has nothing to take away
    signal.raise_signal(number)


def run(args: Sequence[str], stdin: BinaryIO | None, stdout: BinaryIO | None, stderr: TextIO | None) -> int:
    """Run one command line and return its exit status; a stream that is closed is ``None``."""
    # Nothing of ours is loaded before this, so that an early Ctrl-C finds somebody who catches it.
    from planconv.cli.messages import shown
    from planconv.cli.streams import Streams
    from planconv.errors import PlanconvError

    streams = Streams(stdin, stdout, stderr)
    try:
        from planconv.cli.app import call

        with streams.in_place_of_stdout():
            return call(list(args), streams)
    except PlanconvError as error:
        streams.complain(error)
        return error.exit_status
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:  # of no input and no output: the working folder is gone, say
        streams.complain(f"{shown(str(error.filename or 'the working folder'))}: {error.strerror}")
        return 2
    except RecursionError:
        streams.complain("the input is nested too deeply")
        return 2
    except MemoryError:
        streams.complain("there is not enough memory for this input")
        return 2


def _binary(text: TextIO | None, descriptor: int, mode: str) -> BinaryIO | None:
    """The unbuffered stream below, so that nothing is left to be flushed into a closed pipe at the end.

    Python sets a standard stream to ``None`` if the process was started without it; its number may by
    then belong to another file.
    """
    return None if text is None else io.FileIO(descriptor, mode, closefd=False)
