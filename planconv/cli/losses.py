"""What is told about losses: the summary for a person, the report for a program."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from planconv.cli.messages import counted
from planconv.codec import Field
from planconv.loss import FIELD_DROPPED, PROSE_DROPPED, TASK_UNMATCHED, Code, Kind, Loss
from planconv.model import JSON

WORDS = 5
LETTERS = 24
"""How many words, and how long ones, the summary quotes."""
TITLE = 60
"""How much of a title it quotes."""

_OF_A_PLAN = {"id": Field.PLAN_ID, "session": Field.SESSION, "title": Field.PLAN_TITLE}


def report(losses: Iterable[Loss]) -> bytes:
    """The losses as JSON objects, one a line."""
    from planconv.wire import json

    return b"".join(json.dumps_line(_row(loss)) for loss in losses)


def _row(loss: Loss) -> dict[str, JSON]:
    return {
        "code": loss.code.number,
        "kind": loss.code.kind.word,
        "format": loss.format,
        "session": loss.session,
        "plan": loss.plan,
        "path": loss.path,
        "was": loss.was,
        "now": loss.now,
        "message": loss.message,
        "input": loss.input or None,
        "line": loss.line,
    }


def summary(losses: Iterable[Loss]) -> list[str]:
    """One line for each format and code, the worst first; what is carried is not lost.

    ``slack cannot hold: priority (8 tasks) [PC101]``
    """
    tally = Tally()
    for loss in losses:
        tally.add(loss)
    return tally.lines()


class Tally:
    """Losses that are counted and not kept, so that there may be any number of them."""

    def __init__(self) -> None:
        self.worst: Kind | None = None
        self._groups: dict[tuple[str, Code], _Group] = {}

    def add(self, loss: Loss) -> None:
        """Count a loss."""
        kind = loss.code.kind
        self.worst = kind if self.worst is None else max(self.worst, kind)
        if kind is not Kind.CARRIED:
            group = self._groups.get((loss.format, loss.code))
            if group is None:
                group = self._groups[loss.format, loss.code] = _Group(loss)
            group.add(loss)

    def lines(self) -> list[str]:
        """See :func:`summary`."""
        ordered = sorted(
            self._groups.values(),
            key=lambda group: (-group.first.code.kind, group.first.code.number, group.first.format),
        )
        return [group.line() for group in ordered]


class _Group:
    """The losses of one code and format: how many, the first, and what the summary says of the others."""

    def __init__(self, first: Loss) -> None:
        self.first = first
        self._count = 0
        self._fields: Counter[tuple[str, str]] = Counter()
        self._words: dict[str, None] = {}

    def add(self, loss: Loss) -> None:
        self._count += 1
        if loss.code is FIELD_DROPPED:
            of_task = loss.path.startswith("/tasks/")
            self._fields[loss.path.rpartition("/")[2], "task" if of_task else "plan"] += 1
        elif len(self._words) <= WORDS and isinstance(loss.was, str):
            if loss.code is TASK_UNMATCHED:
                self._words[_quoted(loss.was)] = None
            elif _is_word(loss.was):
                self._words[loss.was] = None

    def line(self) -> str:
        code, format = self.first.code, self.first.format
        if code is FIELD_DROPPED:
            return f"{format} cannot hold: {self._told_fields()} [{code.number}]"
        if code is PROSE_DROPPED:
            blocks = counted(self._count, "block")
            return f"{format} cannot hold: text between tasks ({blocks}) [{code.number}]"
        if code is TASK_UNMATCHED:
            tasks = counted(self._count, "task")
            return f"{format}: {tasks} of the source found no match: {self._told_words()} [{code.number}]"
        return f"{format}: {code.phrase} ({self._told_places()}) [{code.number}]"

    def _told_fields(self) -> str:
        """``priority (8 tasks)`` for each field, in the order in which they first occur."""
        return ", ".join(
            f"{_words(name, of_task=thing == 'task')} ({counted(count, thing)})"
            for (name, thing), count in self._fields.items()
        )

    def _told_places(self) -> str:
        """How often and where: ``3 times, first at /tasks/0/status: cancelled, blocked``."""
        first = self.first
        line = f"{first.input}:{first.line}" if first.input else f"line {first.line}"
        place = line if first.line is not None else first.path or "the plan"
        where = place if self._count == 1 else f"{self._count} times, first at {place}"
        return f"{where}: {self._told_words()}" if self._words else where

    def _told_words(self) -> str:
        words = list(self._words)
        more = ", …" if len(words) > WORDS else ""
        return f"{', '.join(words[:WORDS])}{more}"


def _words(name: str, *, of_task: bool) -> str:
    if not of_task and name in _OF_A_PLAN:
        return _OF_A_PLAN[name].words
    values = {field.value: field.words for field in Field}
    return values.get(f"{'task' if of_task else 'plan'}.{name}", name)


def _quoted(title: str) -> str:
    return f'"{title if len(title) <= TITLE else title[: TITLE - 1] + "…"}"'


def _is_word(value: str) -> bool:
    return 0 < len(value) <= LETTERS and not re.search(r"\s", value)
