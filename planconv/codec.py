"""The codec protocol: what every format brings, and what it tells about itself."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from planconv.loss import Ledger
from planconv.model import Plan, PlanEvent

if TYPE_CHECKING:
    from planconv.wire.logs.lines import Line


class Field(enum.Enum):
    """The fields of the model, as far as formats differ in them."""

    PLAN_ID = "plan.id"
    SESSION = "plan.session"
    PLAN_TITLE = "plan.title"
    PROSE = "plan.body"
    REFERENCE = "plan.reference"
    TASK_TITLE = "task.title"
    STATUS = "task.status"
    PRIORITY = "task.priority"
    TASK_ID = "task.id"
    SUBTASKS = "task.subtasks"
    DETAILS = "task.details"
    OUTPUT = "task.output"
    SOURCES = "task.sources"
    DEPENDS_ON = "task.depends_on"

    @property
    def words(self) -> str:
        """As people call it, in tables and summaries."""
        return _WORDS[self]


_WORDS = {
    Field.PLAN_ID: "plan id",
    Field.SESSION: "session",
    Field.PLAN_TITLE: "plan title",
    Field.PROSE: "text between tasks",
    Field.REFERENCE: "file reference",
    Field.TASK_TITLE: "title",
    Field.STATUS: "status",
    Field.PRIORITY: "priority",
    Field.TASK_ID: "task id",
    Field.SUBTASKS: "subtasks",
    Field.DETAILS: "details",
    Field.OUTPUT: "output",
    Field.SOURCES: "sources",
    Field.DEPENDS_ON: "dependencies",
}


class Extent(enum.Enum):
    """How much of a field a format holds."""

    FULL = "yes"
    PARTLY = "partly"
    NO = "no"


class Held(NamedTuple):
    """How much of a field is held; of ``PARTLY`` one sentence says how much."""

    extent: Extent
    sentence: str = ""


FULL = Held(Extent.FULL)
NO = Held(Extent.NO)


def partly(sentence: str) -> Held:
    """Held in part; the sentence says what comes back and what does not."""
    return Held(Extent.PARTLY, sentence)


ANY_LUGGAGE = "*"
"""The luggage of a format that keeps the extras of all others too."""


class CodecInfo(NamedTuple):
    """Everything that is told about a format; documentation and reports are made from it.

    ``patterns`` are file name patterns (:mod:`fnmatch`), the most telling first. ``vocabulary`` is the
    column of the status table; another package adds its own (:func:`planconv.status.add_vocabulary`).
    ``luggage`` is the key of the format's own extras, or :data:`ANY_LUGGAGE`. ``holds`` has an entry for
    every :class:`Field`. ``carrier`` says in a few words where ``--carry`` puts what the format has no
    field for, ``""`` if nowhere. ``several`` tells whether one output holds several plans.
    """

    name: str
    summary: str
    patterns: tuple[str, ...]
    vocabulary: str
    luggage: str
    holds: Mapping[Field, Held]
    carrier: str = ""
    reads: bool = True
    writes: bool = True
    several: bool = True
    records: bool = False
    """Whether an output is a sequence of lines that can be joined with others."""


class Codec(Protocol):
    """A format: a stateless value that turns bytes into plans and plans into bytes."""

    @property
    def info(self) -> CodecInfo:
        """What the format is and what it holds."""

    def recognise(self, head: bytes, /) -> str:
        """Why the first 64 KiB of an input look like this format, in a few words; ``""`` if not."""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans in ``data``; of an update stream the final state of each.

        Raises:
            DecodeError: the data is not of this format.
            NoPlanError: it is, and holds no plan.
            StrictError: the ledger is strict and the data breaks the format's specification.
        """

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """``plans`` in this format, UTF-8, with a line break at the end.

        Raises:
            EncodeError: the format cannot hold these plans together, or is only read.
        """


@runtime_checkable
class PieceCodec(Codec, Protocol):
    """A format whose inputs are too long to be held as a whole."""

    def decode_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> list[Plan]:
        """What :meth:`Codec.decode` gives for the joined pieces; raises as it does."""

    def decode_event_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """What :meth:`EventCodec.decode_events` gives for the lines of the joined pieces."""


@runtime_checkable
class EventCodec(Codec, Protocol):
    """A format that is a stream of updates, one a line."""

    def decode_events(self, lines: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """The updates that these lines tell, one after the other, as soon as they are known."""

    def encode_events(self, events: Iterable[PlanEvent], ledger: Ledger, /) -> Iterator[bytes]:
        """A piece of output for each event that has something to say."""


@runtime_checkable
class SplitCodec(PieceCodec, Protocol):
    """A format of which a log may be cut at line ends, and its parts be looked through side by side."""

    def shorten(self, pieces: Iterable[bytes], /, *, begun: bool) -> tuple[list[Line], int]:
        """The lines of a part that decide on the final state, and how many line breaks the part has.

        Args:
            pieces: the part.
            begun: it is not the first one.

        Raises:
            DecodeError: this is no log.
        """

    def decode_lines(self, lines: Iterable[Line], ledger: Ledger, /) -> list[Plan]:
        """What :meth:`Codec.decode` gives for the log of which these are the lines that decide."""


class PlanRepeats(Protocol):
    """Writes one version of a plan after the other, and remembers the last of each."""

    def write(self, plan: Plan, key: object, /) -> bytes:
        """The plan, as :meth:`Codec.encode` writes it; ``key`` says of which plan it is the next version.

        What was lost at a place that did not change since need not be noted again.
        """

    def forget(self, key: object, /) -> None:
        """There will be no further version."""


@runtime_checkable
class RepeatCodec(Codec, Protocol):
    """A format that is written faster if most of a plan was written before."""

    def repeats(self, ledger: Ledger, /) -> PlanRepeats:
        """A writer for the versions of plans."""
