"""The three streams of a run: results go out as bytes, everything said to a person to standard error."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

from planconv.cli.messages import Paint, one_line, shown
from planconv.errors import DecodeError, PlanconvError, UsageError
from planconv.files import write_all

PIECE = 1 << 18


class Streams:
    """Standard input, output and error of one run; each is ``None`` if it is closed."""

    def __init__(self, stdin: BinaryIO | None, stdout: BinaryIO | None, stderr: TextIO | None) -> None:
        self._stdin = stdin
        self._stdout = stdout
        self._stderr = stderr
        self.reader_gone = False
        """Whether the reader of standard output went away; what is written then is written to nobody."""

    def read(self) -> bytes:
        """All of standard input.

        Raises:
            UsageError: it is closed, or is no stream of bytes (a folder).
        """
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """Standard input in the pieces in which it comes, of at most 256 KiB; raises as :meth:`read`."""
        if self._stdin is None:
            raise UsageError("standard input is closed")
        try:
            yield from _pieces(self._stdin)
        except OSError as error:
            raise UsageError(f"cannot read standard input: {reason(error)}") from error

    def write(self, data: bytes) -> None:
        """Write a result to standard output, at once.

        Raises:
            UsageError: it is closed, or the device behind it is full.
        """
        if self.reader_gone or not data:
            return
        if self._stdout is None:
            raise UsageError("standard output is closed")
        try:
            descriptor = _descriptor(self._stdout)
            if descriptor is None:
                self._stdout.write(data)
            else:
                write_all(descriptor, data)
        except BrokenPipeError:
            self.reader_gone = True
        except OSError as error:
            raise UsageError(f"cannot write to standard output: {reason(error)}") from error

    def say(self, text: str, label: str = "") -> None:
        """Say one line to the person, behind a label of our own that may be coloured."""
        if self._stderr is not None:
            # Whoever closed or filled standard error does not want to hear of it.
            with contextlib.suppress(OSError, ValueError):
                self._stderr.write(f"{label}{one_line(text)}\n")

    @property
    def watched(self) -> bool:
        """Whether a person sees standard error on a terminal."""
        return self._stderr is not None and not self._stderr.closed and self._stderr.isatty()

    def show(self, text: str) -> None:
        """Put something on the terminal of a person who watches, at once and as it stands."""
        if self._stderr is not None:
            with contextlib.suppress(OSError, ValueError):
                self._stderr.write(text)
                self._stderr.flush()

    def complain(self, error: PlanconvError | str) -> None:
        """Say what went wrong; it begins with its place in the input, or with ``planconv``."""
        placed = isinstance(error, PlanconvError) and error.input
        self.say(str(error), "" if placed else self.paint.red("planconv") + ": ")

    @property
    def paint(self) -> Paint:
        """The colours of standard error."""
        return Paint(self._stderr)

    @property
    def output_paint(self) -> Paint:
        """The colours of standard output."""
        return Paint(self._stdout)

    @contextlib.contextmanager
    def in_place_of_stdout(self) -> Iterator[None]:
        """Whatever is printed meanwhile (help, completion scripts) goes where results go, as UTF-8."""
        with contextlib.redirect_stdout(_Printed(self)):
            yield


class _Printed(io.TextIOBase):
    def __init__(self, streams: Streams) -> None:
        self._streams = streams

    def write(self, text: str, /) -> int:
        self._streams.write(text.encode("utf-8", "backslashreplace"))
        return len(text)

    def writable(self) -> bool:
        return True


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    """What there is as soon as there is something, until the end; waits where the stream does not."""
    while (piece := stream.read(PIECE)) != b"":
        if piece is None:
            import select

            select.select((stream,), (), ())
        else:
            yield piece


def reason(error: OSError | ValueError) -> str:
    """Why the system refused a file, in its own words."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


def _descriptor(stream: BinaryIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, AttributeError):
        return None


def read_file(path: str) -> bytes:
    """All of a file, a pipe or a device.

    Raises:
        UsageError: it is a folder.
        DecodeError: it cannot be read.
    """
    with _reading(path):
        return Path(path).read_bytes()


def file_pieces(path: str) -> Iterator[bytes]:
    """A file, a pipe or a device in pieces of at most 256 KiB; raises as :func:`read_file` does."""
    with _reading(path), Path(path).open("rb", buffering=0) as file:
        yield from _pieces(file)


@contextlib.contextmanager
def _reading(path: str) -> Iterator[None]:
    try:
        yield
    except IsADirectoryError as error:
        raise UsageError(f"{shown(path)} is a folder; `planconv batch` converts folders") from error
    except (OSError, ValueError) as error:  # a ValueError for a NUL in the name
        failure = DecodeError(reason(error))
        failure.input = shown(path)
        raise failure from error
