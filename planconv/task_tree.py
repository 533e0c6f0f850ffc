"""Where the tasks of a plan stand, apart from what they and the text around them say.

A *tree* is a plan's blocks with everything blanked out: each block without tasks is :data:`BLANK`, each
task has nothing but the lists below it. :func:`places` makes a tree, :func:`fill` puts text and tasks into
one, :func:`replant` changes one after somebody added, removed or moved tasks in a list that shows no tree.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from planconv.model import (
    Block,
    Blocks,
    Item,
    List,
    Quote,
    Raw,
    Task,
    TaskList,
    make_blocks,
    walk_tasks,
    without_tasks,
)

BLANK = Raw("planconv", "")


def texts(blocks: Blocks) -> Blocks:
    """The blocks without the tasks in them, each for itself: lists that a task parted stay apart."""
    return tuple(text for block in blocks for text in without_tasks((block,)))


def places(blocks: Blocks) -> Blocks:
    """The tree of these blocks."""
    return tuple(_place(block) for block in blocks)


def _place(block: Block) -> Block:
    match block:
        case TaskList(tasks, ordered, start):
            return TaskList(tuple(Task((), details=places(task.details)) for task in tasks), ordered, start)
        case List(items, ordered, start) if _holds_tasks(block):
            return List(tuple(Item(places(item.blocks)) for item in items), ordered, start)
        case Quote(inner) if _holds_tasks(block):
            return Quote(places(inner))
    return BLANK


def _holds_tasks(block: Block) -> bool:
    return next(walk_tasks((block,)), None) is not None


# --- filling a tree -----------------------------------------------------------------------------


def fill(tree: Blocks, text: Blocks, tasks: Iterator[Task]) -> Blocks:
    """The tree with ``text`` in its blanks and ``tasks`` in its places, both in order.

    A task's own details are its text, without the tasks below it. Where there is more or less text than
    blanks, somebody changed it: then all of it comes first.
    """
    blanks = sum(1 for block in tree if _shows_text(block))
    if blanks != len(text):
        lists = [block for block in tree if _holds_tasks(block)]
        return make_blocks([*text, *(_fill_block(block, None, tasks) for block in lists)])
    rest = iter(text)
    return make_blocks(
        _fill_block(block, next(rest) if _shows_text(block) else None, tasks) for block in tree
    )


def _shows_text(block: Block) -> bool:
    return block == BLANK or bool(without_tasks((block,)))


def _fill_block(block: Block, text: Block | None, tasks: Iterator[Task]) -> Block:
    match block:
        case TaskList(inner, ordered, start):
            return TaskList(tuple(_fill_task(task, tasks) for task in inner), ordered, start)
        case List(items, ordered, start):
            rest = iter(text.items if isinstance(text, List) else ())
            filled = [
                Item(fill(item.blocks, next(rest, Item()).blocks if _item_shows_text(item) else (), tasks))
                for item in items
            ]
            return List((*filled, *rest), ordered, start)
        case Quote(inner):
            return Quote(fill(inner, text.blocks if isinstance(text, Quote) else (), tasks))
    return block if text is None else text


def _item_shows_text(item: Item) -> bool:
    return not item.blocks or any(map(_shows_text, item.blocks))


def _fill_task(place: Task, tasks: Iterator[Task]) -> Task:
    task = next(tasks)
    return dataclasses.replace(task, details=fill(place.details, task.details, tasks))


# --- changing a tree ----------------------------------------------------------------------------


def replant(tree: Blocks, pairs: Sequence[int | None]) -> Blocks:
    """The tree after its tasks were changed in a flat list, its places in the order of that list.

    ``pairs`` has for each task that is there now the number of the place that it had in the tree, or
    ``None`` for a new one. Tasks that kept their order keep their places; the subtasks of a task that was
    removed take its place; a task that was added or moved stands beside the task before it, or first below
    that task if its subtasks follow.
    """
    return _Gardener(tree, pairs).replanted()


class _Gardener:
    def __init__(self, tree: Blocks, pairs: Sequence[int | None]) -> None:
        self.tree = tree
        self.pairs = pairs
        self.depths = [depth for depth, _ in walk_tasks(tree)]
        self.staying = _longest_in_order(pairs)
        self.olds, self.news = list(self.staying), list(self.staying.values())
        self.number = -1
        """The number of the place that the walk came to last."""

    def replanted(self) -> Blocks:
        blocks = self._walk(self.tree)
        return _put_first(blocks, self._grown(range(self._next_staying(-1))))

    def _walk(self, blocks: Blocks) -> Blocks:
        changed: list[Block] = []
        for block in blocks:
            match block:
                case TaskList(tasks, ordered, start):
                    kept = tuple(new for task in tasks for new in self._kept(task))
                    changed.append(TaskList(kept, ordered, start))
                case List(items, ordered, start):
                    entries = tuple(Item(self._walk(item.blocks)) for item in items)
                    changed.append(List(entries, ordered, start))
                case Quote(inner):
                    changed.append(Quote(self._walk(inner)))
                case _:
                    changed.append(block)
        return make_blocks(changed)

    def _kept(self, place: Task) -> list[Task]:
        """What stands in this place now: the task and its followers, or its subtasks if it is gone."""
        self.number += 1
        number = self.number
        below = self._walk(place.details)
        if number not in self.staying:
            return [task for depth, task in walk_tasks(below) if depth == 0]
        now = self.staying[number]
        followers = self._grown(range(now + 1, self._next_staying(now)))
        next_old = bisect_right(self.olds, number)
        if next_old < len(self.olds) and self.olds[next_old] <= self.number:
            return [Task((), details=_put_first(below, followers))]
        return [Task((), details=below), *followers]

    def _next_staying(self, now: int) -> int:
        place = bisect_right(self.news, now)
        return self.news[place] if place < len(self.news) else len(self.pairs)

    def _grown(self, added: Sequence[int]) -> list[Task]:
        """Places for tasks that were added or moved; a moved one keeps its moved subtasks."""
        roots: list[tuple[int | None, list[int]]] = []
        for new in added:
            old = self.pairs[new]
            depth = None if old is None else self.depths[old]
            top = roots[-1] if roots else None
            if top and top[0] is not None and depth is not None and depth > top[0]:
                top[1].append(new)
            else:
                roots.append((depth, []))
        return [Task((), details=make_blocks([TaskList(tuple(self._grown(below)))])) for _, below in roots]


def _longest_in_order(pairs: Sequence[int | None]) -> dict[int, int]:
    """Old number to new number of as many tasks as possible that are still in the old order."""
    ends: list[int] = []
    chains: list[tuple[int, int, int | None]] = []
    best: list[int] = []
    for new, old in enumerate(pairs):
        if old is None:
            continue
        place = bisect_left(ends, old)
        before = best[place - 1] if place else None
        chains.append((old, new, before))
        link = len(chains) - 1
        ends[place : place + 1] = [old]
        best[place : place + 1] = [link]
    found: dict[int, int] = {}
    at = best[-1] if best else None
    while at is not None:
        old, new, at = chains[at]
        found[old] = new
    return dict(sorted(found.items()))


def _put_first(blocks: Blocks, tasks: Sequence[Task]) -> Blocks:
    """These tasks before all others, in the list where the first of the others stands."""
    if not tasks:
        return blocks
    for index, block in enumerate(blocks):
        match block:
            case TaskList(others, ordered, start):
                first: Block = TaskList((*tasks, *others), ordered, start)
            case Quote(inner) if _holds_tasks(block):
                first = Quote(_put_first(inner, tasks))
            case List(items, ordered, start) if _holds_tasks(block):
                at = next(n for n, item in enumerate(items) if any(map(_holds_tasks, item.blocks)))
                entry = Item(_put_first(items[at].blocks, tasks))
                first = List((*items[:at], entry, *items[at + 1 :]), ordered, start)
            case _:
                continue
        return (*blocks[:index], first, *blocks[index + 1 :])
    return (*blocks, TaskList(tuple(tasks)))
