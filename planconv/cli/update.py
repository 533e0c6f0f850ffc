"""``planconv convert --update``: a plan file that is there gets the statuses and texts of other plans."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from planconv import registry
from planconv.cli.messages import counted, shown
from planconv.cli.streams import Streams, read_file
from planconv.cli.telling import write_file
from planconv.detect import HEAD, detect
from planconv.errors import DecodeError, EncodeError, NoPlanError, UsageError
from planconv.loss import Ledger
from planconv.update import Source, check_format, update


class PlanFile(NamedTuple):
    """A file to be brought up to date: its path, its format, and what it holds."""

    path: str
    form: str
    data: bytes


def open_file(path: str, form: str) -> PlanFile:
    """The file behind ``-o``; without a ``form`` its name and content tell the format.

    Raises:
        UsageError: there is no such file, or its format cannot be told or changed in place.
        DecodeError: it cannot be read.
    """
    if not path:
        raise UsageError("--update changes a plan file: name it with -o")
    name = shown(path)
    if not Path(path).is_file():
        raise UsageError(f"{name} is no file; --update changes a plan file that is there")
    data = read_file(path)
    try:
        form = form or detect(name, data[:HEAD], registry.installed()[0], option="--to").format
    except UsageError as error:
        raise _placed(UsageError, name, str(error)) from None
    registry.get(form)
    try:
        check_format(form)
    except UsageError as error:
        raise _placed(UsageError, name, str(error)) from None
    return PlanFile(path, form, data)


def update_file(
    streams: Streams, file: PlanFile, sources: Sequence[Source], ledger: Ledger, *, quiet: bool
) -> None:
    """Change what has to change in the file, and say how much that was.

    Raises:
        UsageError: the file holds no plan, or cannot be written.
        DecodeError: it is not of its format.
        EncodeError: it cannot be proved that nothing else would change.
    """
    name = shown(file.path)
    try:
        done = update(file.data, file.form, sources, ledger)
    except NoPlanError as error:
        raise _placed(UsageError, name, error.reason) from error
    except DecodeError as error:
        error.input = name
        raise
    except EncodeError as error:
        raise _placed(EncodeError, name, str(error)) from error
    write_file(file.path, done.data, expected=file.data)
    if not quiet:
        counts = ((done.statuses, "status", "statuses"), (done.texts, "text", "texts"))
        parts = [f"{counted(*count)} changed" for count in counts if count[0]]
        streams.say(f"{name}: {', '.join(parts) or 'nothing to change'}", "planconv: ")


def _placed(kind: type[UsageError] | type[EncodeError], name: str, reason: str) -> UsageError | EncodeError:
    error = kind(f"{name}: {reason}")
    error.input = name
    return error
