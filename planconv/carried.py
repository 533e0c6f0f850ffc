"""What is carried of a plan: the fields that a format does not give back, and hashes of what it shows.

It is JSON, the values in the form of the ``native`` format::

    {"version": 1,
     "seen": {field of the plan: hash},
     "tasks": [{"sketch": a hash for each word of the title, "id": as seen, "seen": {field: hash}}],
     "plan": the fields that are carried; in its body the text between tasks, then all tasks in one list,
     "tree": the lists of tasks with nothing but their places, or null if the format shows them}
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from planconv.align import Sign
from planconv.errors import DecodeError
from planconv.model import JSON, Block, Blocks, Plan, Task, TaskList, make_blocks, plain_text, walk_tasks
from planconv.task_tree import BLANK, places, texts
from planconv.wire import json
from planconv.wire.native import read_plan, write_plan

VERSION = 1

TEXT = "details"
"""The field of a task that stands for the blocks of its details that hold no tasks."""
PROSE = "body"
"""The same for a plan."""
PLAN_FIELDS = ("id", "session", "title", "reference", "extras")
TASK_FIELDS = ("title", "status", "priority", "id", "output", "sources", "depends_on", "extras")


@dataclass(frozen=True, slots=True)
class TaskMark:
    """How a task is known again, and a hash of what is seen of each of its carried fields."""

    sign: Sign
    seen: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Carried:
    """What is carried, see the head of this file; ``plan`` and ``tree`` in the model's terms."""

    seen: Mapping[str, str]
    marks: Sequence[TaskMark]
    plan: Plan
    tree: Blocks | None

    @classmethod
    def of(cls, plan: Plan, seen: Plan, *, with_tree: bool) -> Carried | None:
        """What ``seen`` lacks of ``plan``; ``None`` if it does not show the same number of tasks."""
        tasks, shown = list(plan.tasks()), list(seen.tasks())
        if len(tasks) != len(shown):
            return None
        marks, rests = [], []
        for task, other in zip(tasks, shown, strict=True):
            fields = [name for name in TASK_FIELDS if getattr(task, name) != getattr(other, name)]
            rest = dataclasses.replace(Task(()), **{name: getattr(task, name) for name in fields})
            hashes = {name: task_hash(other, name) for name in fields}
            if (text := texts(task.details)) != (text_seen := texts(other.details)):
                rest = dataclasses.replace(rest, details=_apart(text))
                hashes[TEXT] = hash_of(text_seen)
            marks.append(TaskMark(sign_of(other), hashes))
            rests.append(rest)
        fields = [name for name in PLAN_FIELDS if getattr(plan, name) != getattr(seen, name)]
        hashes = {name: plan_hash(seen, name) for name in fields}
        prose: Blocks = ()
        if (text := texts(plan.body)) != (text_seen := texts(seen.body)):
            prose, hashes[PROSE] = _apart(text), hash_of(text_seen)
        body = (*prose, TaskList(tuple(rests)))
        carried = dataclasses.replace(Plan(body=body), **{name: getattr(plan, name) for name in fields})
        return cls(hashes, marks, carried, places(plan.body) if with_tree else None)

    def as_json(self) -> JSON:
        """The form in which it travels."""
        return {
            "version": VERSION,
            "seen": dict(self.seen),
            "tasks": [
                {"sketch": mark.sign.title, "id": mark.sign.id, "seen": dict(mark.seen)}
                for mark in self.marks
            ],
            "plan": write_plan(self.plan),
            "tree": None if self.tree is None else write_plan(Plan(body=self.tree)),
        }

    @classmethod
    def from_json(cls, value: JSON) -> Carried:
        """What :meth:`as_json` wrote.

        Raises:
            DecodeError: it is broken, or of a later version.
        """
        match value:
            case {"version": int(version)} if version != VERSION:
                raise DecodeError(f"what is carried is of version {version}; this planconv reads {VERSION}")
            case {"seen": dict(seen), "tasks": list(tasks), "plan": plan, "tree": tree}:
                marks = [_read_mark(task) for task in tasks]
                blocks = None if tree is None else read_plan(tree, "/tree").body
                carried = cls(_read_hashes(seen), marks, read_plan(plan, "/plan"), blocks)
                if len(carried.tasks) == len(marks):
                    return carried
        raise DecodeError("what is carried is broken; take its comment, `_meta` or metadata out by hand")

    @property
    def tasks(self) -> Sequence[Task]:
        """The carried fields of each task, in the order of the page."""
        return [
            dataclasses.replace(task, details=_together(task.details))
            for _, task in walk_tasks(self.plan.body[-1:])
        ]

    @property
    def prose(self) -> Blocks:
        """The carried text between the tasks."""
        return _together(self.plan.body[:-1])


def _apart(blocks: Blocks) -> Blocks:
    """The blocks with a blank one between any two that would become one."""
    apart: list[Block] = []
    for block in blocks:
        if apart and len(make_blocks((apart[-1], block))) == 1:
            apart.append(BLANK)
        apart.append(block)
    return tuple(apart)


def _together(blocks: Blocks) -> Blocks:
    return tuple(block for block in blocks if block != BLANK)


def _read_mark(value: JSON) -> TaskMark:
    match value:
        case {"sketch": str(sketch), "id": None | str() as id, "seen": dict(seen)}:
            return TaskMark(Sign(id, sketch), _read_hashes(seen))
    raise DecodeError("what is carried of a task is broken")


def _read_hashes(value: Mapping[str, JSON]) -> Mapping[str, str]:
    return {name: str(hash) for name, hash in value.items()}


def sign_of(task: Task) -> Sign:
    """The id, and a short hash for every word of the title: enough to find a changed title again."""
    words = plain_text(task.title).split()
    return Sign(task.id, " ".join(_digest(word.encode())[:4] for word in words))


def task_hash(task: Task, name: str) -> str:
    """A short hash of one field of a task."""
    alone = dataclasses.replace(Task(()), **{name: getattr(task, name)})
    return hash_of((TaskList((alone,)),))


def plan_hash(plan: Plan, name: str) -> str:
    """A short hash of one field of a plan."""
    alone = dataclasses.replace(Plan(), **{name: getattr(plan, name)})
    return _digest(json.dumps(write_plan(alone)))


def hash_of(blocks: Blocks) -> str:
    """A short hash of some blocks."""
    return _digest(json.dumps(write_plan(Plan(body=blocks))))


def _digest(data: bytes) -> str:
    return hashlib.blake2s(data, digest_size=4).hexdigest()
