"""What is told about losses: the summary for a person, the report for a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from planconv.cli.messages import counted
from planconv.codec import Field
from planconv.loss import FIELD_DROPPED, PROSE_DROPPED, Code, Kind, Loss
from planconv.model import JSON

WORDS = 5
LETTERS = 24
"""How many words, and how long ones, the summary quotes."""

_OF_A_PLAN = {"id": Field.PLAN_ID, "session": Field.SESSION, "title": Field.PLAN_TITLE}


def report(losses: Iterable[Loss]) -> bytes:
    """The losses as JSON objects, one a line."""
    from planconv.wire import json

    return b"".join(json.dumps(_row(loss)) + b"\n" for loss in losses)


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


def summary(losses: Sequence[Loss]) -> list[str]:
    """One line for each format and code, the worst first; what is carried is not lost.

    ``slack cannot hold: priority (8 tasks) [PC101]``
    """
    groups: dict[tuple[str, Code], list[Loss]] = {}
    for loss in losses:
        if loss.code.kind is not Kind.CARRIED:
            groups.setdefault((loss.format, loss.code), []).append(loss)
    ordered = sorted(groups.items(), key=lambda group: (-group[0][1].kind, group[0][1].number, group[0][0]))
    return [_summed(format, code, group) for (format, code), group in ordered]


def _summed(format: str, code: Code, losses: list[Loss]) -> str:
    if code is FIELD_DROPPED:
        return f"{format} cannot hold: {', '.join(_fields(losses))} [{code.number}]"
    if code is PROSE_DROPPED:
        return f"{format} cannot hold: text between tasks ({counted(len(losses), 'block')}) [{code.number}]"
    return f"{format}: {code.phrase} ({_places(losses)}) [{code.number}]"


def _fields(losses: list[Loss]) -> list[str]:
    """``priority (8 tasks)`` for each field, in the order in which they first occur."""
    counts: dict[tuple[str, str], int] = {}
    for loss in losses:
        of_task = loss.path.startswith("/tasks/")
        name = loss.path.rpartition("/")[2]
        key = (_words(name, of_task=of_task), "task" if of_task else "plan")
        counts[key] = counts.get(key, 0) + 1
    return [f"{words} ({counted(count, thing)})" for (words, thing), count in counts.items()]


def _words(name: str, *, of_task: bool) -> str:
    if not of_task and name in _OF_A_PLAN:
        return _OF_A_PLAN[name].words
    values = {field.value: field.words for field in Field}
    return values.get(f"{'task' if of_task else 'plan'}.{name}", name)


def _places(losses: list[Loss]) -> str:
    """How often and where: ``3 times, first at /tasks/0/status: cancelled, blocked``."""
    first = losses[0]
    line = f"{first.input}:{first.line}" if first.input else f"line {first.line}"
    place = line if first.line is not None else first.path or "the plan"
    where = place if len(losses) == 1 else f"{len(losses)} times, first at {place}"
    words = list(dict.fromkeys(loss.was for loss in losses if _is_word(loss.was)))
    return (
        f"{where}: {', '.join(map(str, words[:WORDS]))}{', …' * (len(words) > WORDS)}" if words else where
    )


def _is_word(value: JSON) -> bool:
    return isinstance(value, str) and 0 < len(value) <= LETTERS and not re.search(r"\s", value)


def worst(losses: Iterable[Loss]) -> Kind | None:
    """The worst kind among the losses."""
    return max((loss.code.kind for loss in losses), default=None)
