"""From the name of an input to its plans: read, detect, decode, follow references."""

from __future__ import annotations

import contextlib
import io
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from planconv import registry
from planconv.cli.messages import shown
from planconv.cli.options import Reading
from planconv.cli.streams import Streams, file_pieces
from planconv.codec import PieceCodec, SplitCodec
from planconv.compressed import expanded, plain_name
from planconv.convert import decode, decode_pieces
from planconv.detect import HEAD
from planconv.errors import DecodeError, PlanconvError, UsageError
from planconv.loss import Ledger, Loss
from planconv.model import Plan

if TYPE_CHECKING:
    from planconv.detect import Detected
    from planconv.wire.logs.lines import Line

STDIN = "<stdin>"

Origins: TypeAlias = dict[tuple[str | None, str | None], str]
"""Session and id of a plan, to the name of the input that it came from; ``""`` if it is not certain."""


def input_name(path: str) -> str:
    """What an input is called in messages and reports."""
    return STDIN if path == "-" else shown(path)


def checked_source(name: str) -> str:
    """The format behind ``--from``, which may be ``""``.

    Raises:
        UsageError: there is no such format, or it is not read.
    """
    if name and not registry.get(name).info.reads:
        raise UsageError(f"planconv does not read {name}, it only writes it")
    return name


def checked_root(path: str) -> str:
    """The folder behind ``--root``, which may be ``""``.

    Raises:
        UsageError: it is no folder.
    """
    if path and not os.path.isdir(path):  # noqa: PTH112 - where nobody may look is none either
        raise UsageError(f"--root {shown(path)} is no folder")
    return path


def told(path: str, data: bytes) -> Detected:
    """What the format of an input is.

    Raises:
        UsageError: it cannot be told; the message begins with the input's name.
    """
    from planconv.detect import detect

    name = input_name(path)
    try:
        return detect("" if path == "-" else plain_name(name), data[:HEAD], registry.installed()[0])
    except UsageError as error:
        placed = UsageError(f"{name}: {error}")
        placed.input = name
        raise placed from None


class Failure(NamedTuple):
    """An input, a ``record`` in it (``raw`` are its bytes) or a ``reference`` that could not be read."""

    input: str
    error: PlanconvError
    thing: str = "input"
    raw: bytes | None = None


class ShortLog(NamedTuple):
    """The lines of a log that decide on its plans; see :class:`planconv.codec.SplitCodec`."""

    format: str
    lines: list[Line]


@dataclass(slots=True)
class Inputs:
    """Reads one input after the other, and remembers what was lost and what could not be read."""

    streams: Streams
    reading: Reading
    losses: list[Loss] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    read: int = 0
    """How many inputs could be read."""
    formats: dict[str, str] = field(default_factory=dict)
    """The name of an input, to the format that it was read in."""

    def plans(self, path: str, log: ShortLog | None = None) -> list[Plan]:
        """The plans of an input (``-``: standard input); none if it cannot be read and that may be.

        With ``log`` the input is not opened.

        Raises:
            PlanconvError: it cannot be read, unless failures are skipped. Wrong use is never skipped.
        """
        name = input_name(path)
        try:
            plans = self._decoded(path, name, log)
        except UsageError:
            raise
        except PlanconvError as error:
            self._skip(Failure(name, error))
            return []
        self.read += 1
        return plans

    def finished(self, plan: Plan, name: str) -> Plan:
        """A plan of the input of this name with its reference followed and its mentions read, if asked for.

        Raises:
            PlanconvError: the file behind the reference cannot be read, unless failures are skipped.
        """
        if self.reading.root and plan.reference is not None:
            plan = self._followed(plan, plan.reference, name)
        if self.reading.mentions:
            from planconv.mentions import read_mentions

            plan = read_mentions(plan)
        return plan

    def formats_of(self, plans: list[Plan], origins: Origins) -> list[str]:
        """The format of each plan; that of the first input where it is not certain."""
        first = next(iter(self.formats.values()), "")
        return [self.formats.get(origins[plan.session, plan.id], first) for plan in plans]

    def _skip(self, failure: Failure) -> None:
        error = failure.error
        error.input = error.input or failure.input
        if not any(known.error is error for known in self.failures):
            self.failures.append(failure)
        if not self.reading.skip:
            raise error
        self.streams.complain(error)

    def _decoded(self, path: str, name: str, log: ShortLog | None) -> list[Plan]:
        source, pieces = (log.format, iter([])) if log else self._opened(path)
        self.formats[name] = source
        whole = b""
        codec = registry.get(source)
        if not isinstance(codec, PieceCodec):
            whole = b"".join(pieces)
            pieces = iter([whole])
        ledger = Ledger(strict=self.reading.strict, skip_bad_records=self.reading.skip, input=name)
        try:
            if log and isinstance(codec, SplitCodec):
                ledger.format = source
                plans = codec.decode_lines(log.lines, ledger)
            else:
                plans = decode_pieces(pieces, source, ledger)
            return self._unpacked(plans, source, ledger) if self.reading.carry else plans
        except DecodeError as error:
            raise located(error, whole) from error
        finally:
            self.losses += ledger.losses
            for record in ledger.bad_records:
                if self.reading.skip:
                    self.streams.complain(record.error)
                self.failures.append(Failure(name, record.error, "record", record.raw))

    def _opened(self, path: str) -> tuple[str, Iterator[bytes]]:
        """The format of an input, and the input in pieces."""
        pieces = expanded(self.streams.pieces() if path == "-" else file_pieces(path))
        if self.reading.format:
            return self.reading.format, pieces
        head: list[bytes] = []
        for piece in pieces:
            head.append(piece)
            if sum(map(len, head)) >= HEAD:
                break
        return told(path, b"".join(head)).format, chain(head, pieces)

    def _unpacked(self, plans: list[Plan], source: str, ledger: Ledger) -> list[Plan]:
        from planconv.carry import unpack

        luggage = registry.get(source).info.luggage
        return [unpack(plan, luggage, ledger) for plan in plans]

    def _followed(self, plan: Plan, uri: str, name: str) -> Plan:
        """The plan with the file that it points to; as it is if that cannot be read and that may be."""
        from planconv.reference import filled, path_below

        try:
            path = path_below(uri, self.reading.root)
            data = _read_regular(path, uri)
            name = shown(path)  # what is wrong from here on is wrong in that file
            ledger = Ledger(strict=self.reading.strict, input=name)
            inside = decode(data, told(path, data).format, ledger)
        except PlanconvError as error:
            self._skip(Failure(name, error, "reference"))
            return plan
        self.losses += ledger.losses
        return filled(plan, inside)


def located(error: DecodeError, data: bytes) -> DecodeError:
    """The error with line and column, where only the JSON pointer of the place is known."""
    if data and error.pointer and error.line is None:
        from planconv.wire import json

        # In a log of several documents the pointer has to do.
        with contextlib.suppress(DecodeError, LookupError, ValueError):
            error.line, error.column = json.locate(data, error.pointer)
    return error


def _read_regular(path: str, uri: str) -> bytes:
    """The content of the resolved path, if it still is a plain file: no link, no pipe, no device."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with io.FileIO(descriptor) as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise DecodeError(f"{uri} is not read: it is no plain file", pointer="/reference")
            return file.readall()
    except OSError as error:
        raise DecodeError(f"{uri} cannot be read: {error.strerror}", pointer="/reference") from error


def with_inputs(losses: list[Loss], origins: Origins) -> list[Loss]:
    """The losses of writing, each under the input that its plan came from, where that is certain."""
    return [loss._replace(input=origins.get((loss.session, loss.plan), "")) for loss in losses]
