"""Calls of tools in a log, each counted once and only if its result does not say that it failed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Generic, TypeVar

Call = TypeVar("Call")

_PLAIN_ID = re.compile(r"[A-Za-z0-9_.-]+")


class Calls(Generic[Call]):
    """The calls that wait for their results.

    A log says a call first and how it ended later; copied and resumed logs say both again. A call whose
    result never comes counts as it stands: the log is cut off there, or its writer leaves results out.
    That is known when the same speaker goes on with another turn, since every call of a turn is answered
    before the next one begins, or when the log ends. So what waits here does not grow with the log.
    """

    def __init__(self, markers: Iterable[bytes] = ()) -> None:
        self._waiting: dict[str, tuple[str, str, Call]] = {}
        self._seen: set[str] = set()
        self._fixed = tuple(markers)
        self.markers = self._fixed
        """What a line holds that may be a call (the fixed ones), or a result that is waited for."""

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
        self.markers = (*self._fixed, *map(_marker, self._waiting))


def _marker(id: str) -> bytes:
    """An id as it stands in every line that has it; one that JSON may spell otherwise could be anywhere."""
    return id.encode() if _PLAIN_ID.fullmatch(id) else b""
