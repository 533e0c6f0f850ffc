"""Calls of tools in a log, each counted once and only if its result does not say that it failed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Generic, TypeVar

Call = TypeVar("Call")


class Calls(Generic[Call]):
    """The calls that wait for their results.

    A log says a call first and how it ended later; copied and resumed logs say both again. A call whose
    result never comes counts as it stands: the log is cut off there, or its writer leaves results out.
    That is known when the same speaker goes on with another turn, since every call of a turn is answered
    before the next one begins, or when the log ends. So what waits here does not grow with the log.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, tuple[str, str, Call]] = {}
        self._seen: set[str] = set()
        self.markers: Collection[bytes] = ()
        """The ids that are waited for, as they stand in the line with the result."""

    def ask(self, id: str | None, call: Call, *, speaker: str = "", turn: str = "") -> list[Call]:
        """A call is made; returns the earlier ones of this speaker that nobody will answer any more.

        A call without an id can never be answered and is returned at once. A call that was seen before
        is none.
        """
        if id in self._seen:
            return []
        settled = [
            key
            for key, (other, its_turn, _) in self._waiting.items()
            if other == speaker and (its_turn != turn or not turn)
        ]
        ready = [self._waiting.pop(key)[2] for key in settled]
        if id is None:
            ready.append(call)
        else:
            self._seen.add(id)
            self._waiting[id] = (speaker, turn, call)
        self._remember_markers()
        return ready

    def answer(self, id: str | None) -> Call | None:
        """The call that this result belongs to, if one waits for it."""
        found = self._waiting.pop(id, None) if id is not None else None
        if found is None:
            return None
        self._remember_markers()
        return found[2]

    def unanswered(self) -> list[Call]:
        """The log ends: the calls that still wait, in their order."""
        calls = [call for _, _, call in self._waiting.values()]
        self._waiting.clear()
        self._remember_markers()
        return calls

    def _remember_markers(self) -> None:
        self.markers = [id.encode() for id in self._waiting]
