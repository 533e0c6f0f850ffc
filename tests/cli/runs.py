"""Runs of the command line inside this process."""

import io
import signal
from dataclasses import dataclass

from planconv.cli.main import run


@dataclass
class Result:
    status: int
    out: str
    err: str

    def __iter__(self):
        return iter((self.status, self.out, self.err))


def planconv(*args, stdin=b""):
    out, err = io.BytesIO(), io.StringIO()
    status = run([str(arg) for arg in args], io.BytesIO(stdin), out, err)
    return Result(status, out.getvalue().decode(), err.getvalue())


def heed_interrupts():
    """Run in a new process: one that was started in the background inherits that interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
