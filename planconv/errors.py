"""The errors that planconv raises, each knowing the exit status it stands for."""

from __future__ import annotations


class PlanconvError(Exception):
    """Anything that a user or an input did wrong; ``str`` of it is a message for a person.

    ``exit_status`` is what the command line ends with: 2 for wrong use and unreadable input,
    1 where the input could be read but did not hold what was asked for.
    """

    exit_status = 2
    input = ""
    """The name of the input that the message begins with, if it does."""


class UsageError(PlanconvError):
    """The call asks for something that cannot be done: an unknown format, a folder to convert."""


class UnknownFormatError(UsageError):
    """No codec has this name, or its plug-in cannot be loaded."""


class DecodeError(PlanconvError):
    """The input is not what its format demands.

    ``line`` and ``column`` count from 1 (columns in characters), ``offset`` is in bytes from the
    start of the input, ``pointer`` is a JSON pointer (RFC 6901) into the document or record.
    Each is ``None`` where it is not known.
    """

    def __init__(
        self,
        reason: str,
        *,
        line: int | None = None,
        column: int | None = None,
        offset: int | None = None,
        pointer: str | None = None,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line
        self.column = column
        self.offset = offset
        self.pointer = pointer
        self.input = ""

    def __str__(self) -> str:
        """``plan.json:1:87: /params/update: 7 is not an object``, as far as it is known."""
        place = [self.input] if self.input else []
        if self.line is not None:
            place.append(str(self.line) if self.input else f"line {self.line}")
            if self.column is not None:
                place.append(str(self.column))
        parts = [":".join(place)] if place else []
        if self.pointer:
            parts.append(self.pointer)
        return ": ".join([*parts, self.reason])


class NoPlanError(DecodeError):
    """The input could be read and holds no plan; the reason says what was found instead."""

    exit_status = 1


class EncodeError(PlanconvError):
    """The plans do not fit the format, and the format does not allow for less."""


class StrictError(PlanconvError):
    """Under ``--strict``: something that the specification forbids, or that the target cannot hold."""


class PluginError(PlanconvError):
    """The codec of another package failed in a way that no codec should."""
