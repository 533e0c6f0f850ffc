"""What has to change in a file so that its tasks say what those of a source say."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from planconv.align import leaves_out
from planconv.codec import CodecInfo
from planconv.loss import TASK_UNMATCHED, Ledger
from planconv.model import Line, Plan, Task, map_tasks, plain_text
from planconv.status import PENDING, write_status
from planconv.update import wording
from planconv.update.matching import match


class Source(NamedTuple):
    """A plan that a file is brought up to date with, and the format that it was read from."""

    plan: Plan
    info: CodecInfo


class Change(NamedTuple):
    """A task of the file as it is and as it shall be, and the task of the source that says so."""

    old: Task
    new: Task
    plan: Plan
    path: str

    @property
    def status(self) -> bool:
        """Whether the status changes."""
        return self.old.status != self.new.status

    @property
    def text(self) -> bool:
        """Whether the title changes."""
        return self.old.title != self.new.title


def find_changes(file: Sequence[Plan], sources: Sequence[Source], ledger: Ledger) -> dict[int, Change]:
    """Number of a task of the file, counted through all its plans, to what changes in it.

    A task of a source that the file does not have is noted. If two sources speak of one task, the first
    one is heard.
    """
    tasks = [task for plan in file for task in plan.tasks()]
    paired: set[int] = set()
    changes: dict[int, Change] = {}
    for source in sources:
        pairs = match(file, source.plan, paired, len(sources))
        for number, (task, old) in enumerate(zip(source.plan.tasks(), pairs, strict=True)):
            path = f"/tasks/{number}"
            if old is None:
                ledger.note(TASK_UNMATCHED, path, plain_text(task.title), plan=source.plan)
                continue
            paired.add(old)
            new = _changed(tasks[old], task, source.info)
            if new != tasks[old]:
                changes[old] = Change(tasks[old], new, source.plan, path)
    return changes


def with_changes(plans: Sequence[Plan], changes: Mapping[int, Change]) -> list[Plan]:
    """The plans of a file with the titles and statuses that its tasks shall have."""
    numbers = itertools.count()

    def changed(task: Task) -> Task:
        change = changes.get(next(numbers))
        if change is None:
            return task
        return dataclasses.replace(task, title=change.new.title, status=change.new.status)

    return [dataclasses.replace(plan, body=map_tasks(plan.body, changed)) for plan in plans]


def _changed(old: Task, told: Task, info: CodecInfo) -> Task:
    return dataclasses.replace(old, status=_status(old, told, info), title=_title(old, told, info))


def _status(old: Task, told: Task, info: CodecInfo) -> str:
    """The status that is told, unless it is open for want of a word for the one in the file.

    A format that planconv writes shows such a word in the text; an agent's own list shows nothing.
    """
    wordless = not write_status(info.vocabulary, old.status).exact
    if told.status == PENDING and wordless and not info.writes:
        return old.status
    return told.status


def _title(old: Task, told: Task, info: CodecInfo) -> Line:
    """The title that is told for the task of this id; that of the file if only its look is another."""
    if not _same_id(old, told, info):
        return old.title
    was, now = wording.said(old.title), wording.said(told.title)
    if not now or now in (was, wording.said(wording.first_line(old.title))):
        return old.title
    if not info.writes and leaves_out(now.casefold().split(), was.casefold().split()):
        return old.title  # an agent's own list says it with fewer words
    return wording.reworded(old.title, told.title)


def _same_id(old: Task, told: Task, info: CodecInfo) -> bool:
    """Whether an id says that they are one task; an agent's own list counts its tasks from 1."""
    ids = {id for id in (told.id, wording.id_in(told.title)) if id}
    ids = {id for id in ids if info.writes or not wording.is_counted(id)}
    return bool(ids & {old.id, wording.id_in(old.title)})
