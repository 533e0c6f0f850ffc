"""What the codecs of session logs have in common: they read a log with a follower, and write nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from planconv import registry
from planconv.codec import CodecInfo
from planconv.loss import Ledger
from planconv.model import Plan, PlanEvent
from planconv.wire.logs import follow as logs
from planconv.wire.logs.lines import lines_of


class LogCodec:
    """A codec of an agent's session logs.

    ``recognise`` says why an input looks like such a log, as :meth:`planconv.codec.Codec.recognise` does;
    ``follower`` makes the reader of one log, which notes its losses in the ledger that it is given.
    """

    def __init__(
        self,
        info: CodecInfo,
        recognise: Callable[[bytes], str],
        follower: Callable[[Ledger], logs.Follower],
    ) -> None:
        self.info = info
        self._recognise = recognise
        self._follower = follower

    def recognise(self, head: bytes, /) -> str:
        """Why such a log begins here, in a few words; ``""`` if it does not."""
        return self._recognise(head)

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The final state of each plan; raises as :func:`planconv.wire.logs.follow.decode` does."""
        return self.decode_pieces([data], ledger)

    def decode_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> list[Plan]:
        """The same, of a log that comes in pieces, of which only what is needed is held."""
        return logs.decode(lines_of(pieces), self._follower(ledger), ledger)

    def decode_events(self, lines: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """Each change of a plan; raises as :func:`planconv.wire.logs.follow.decode_events` does."""
        return logs.decode_events(lines, self._follower(ledger), ledger)

    def decode_event_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """The same, of a log that comes in pieces."""
        return self.decode_events(lines_of(pieces), ledger)

    def encode(self, _plans: Sequence[Plan], _ledger: Ledger, /) -> bytes:
        """Raises :class:`~planconv.errors.EncodeError`: the format is only read."""
        raise registry.only_read(self.info.name)

    def encode_events(self, _events: Iterable[PlanEvent], _ledger: Ledger, /) -> Iterator[bytes]:
        """Raises :class:`~planconv.errors.EncodeError`: the format is only read."""
        raise registry.only_read(self.info.name)
