"""The rules about tasks: ticks above open boxes, ids, and what depends on what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, NamedTuple

from planconv.check.findings import CIRCLE, DUPLICATE_ID, MISSING_DEPENDENCY, TICKED_PARENT, Check
from planconv.check.rows import At, Row
from planconv.status import CANCELLED, COMPLETED


class Fault(NamedTuple, Generic[At]):
    """What a rule found; its place is still told as its row tells it."""

    check: Check
    message: str
    at: At


def check_tasks(rows: Sequence[Row[At]]) -> Iterator[Fault[At]]:
    """What is wrong with the tasks of one plan."""
    every = list(_all(rows))
    yield from _ticked_parents(every)
    yield from _ids(every)
    yield from _dependencies(every)
    yield from _circles(every)


def _all(rows: Sequence[Row[At]]) -> Iterator[Row[At]]:
    for row in rows:
        yield row
        yield from _all(row.subtasks)


def _ticked_parents(rows: Sequence[Row[At]]) -> Iterator[Fault[At]]:
    for row in rows:
        if row.status != COMPLETED:
            continue
        count = sum(inner.status not in {None, COMPLETED, CANCELLED} for inner in row.subtasks)
        if count:
            subtasks = "subtask is" if count == 1 else "subtasks are"
            message = f"the task is finished, but {count} {subtasks} still open"
            yield Fault(TICKED_PARENT, message, row.at)


def _ids(rows: Sequence[Row[At]]) -> Iterator[Fault[At]]:
    seen: set[str] = set()
    for row in rows:
        if row.id in seen:
            yield Fault(DUPLICATE_ID, f"the id {row.id!r} belongs to an earlier task", row.at)
        elif row.id is not None:
            seen.add(row.id)


def _dependencies(rows: Sequence[Row[At]]) -> Iterator[Fault[At]]:
    ids = {row.id for row in rows}
    for row in rows:
        for id, at in row.depends_on:
            if id not in ids:
                yield Fault(MISSING_DEPENDENCY, f"there is no task with the id {id!r}", at)


def _circles(rows: Sequence[Row[At]]) -> Iterator[Fault[At]]:
    """Each circle once, at the dependency that closes it, in one walk over the graph."""
    needed = {row.id: row.depends_on for row in reversed(rows) if row.id is not None}
    done: set[str] = set()
    for start in (row.id for row in rows if row.id is not None):
        path: dict[str, Iterator[tuple[str, At]]] = {}
        id: str | None = start if start not in done else None
        while id is not None or path:
            if id is not None:
                path[id] = iter(needed[id])
            current = next(reversed(path))
            id = None
            for other, at in path[current]:
                if other in path:
                    yield Fault(CIRCLE, _circle_told(path, other), at)
                elif other in needed and other not in done:
                    id = other
                    break
            if id is None:
                done.add(current)
                del path[current]


_SHOWN = 6
"""How many tasks of a circle are named."""


def _circle_told(path: dict[str, Iterator[tuple[str, At]]], last: str) -> str:
    """The circle that ends a path when its end depends on ``last``."""
    ids = [last]
    for id in reversed(path):
        ids.append("…" if len(ids) > _SHOWN and id != last else id)
        if id == last or ids[-1] == "…":
            break
    if len(ids) == 2:
        return f"the task {last!r} depends on itself"
    if ids[-1] != last:
        ids.append(last)
    return f"a circle of dependencies: {' → '.join(reversed(ids))}"
