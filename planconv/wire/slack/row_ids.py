"""The ids of a stream's rows: a task keeps its row when its title changes, whether it has an id or not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from planconv.align import Sign, align
from planconv.loss import ID_CHANGED, TASK_ID_ASSUMED, Note
from planconv.model import Task, plain_text
from planconv.wire.slack.rich_text_spans import shown
from planconv.wire.slack.task import TaskIds, made_id


class RowNames:
    """The names given so far, and the tasks that have them."""

    def __init__(self) -> None:
        self._signs: list[Sign] = []
        self._names: list[str] = []
        self._titles: dict[str, str] = {}  # of all names ever given

    def of(self, tasks: Sequence[Task], note_at: Callable[[str], Note]) -> list[str]:
        """A name for each task: its own id, that of the same task before, or one made from the title.

        No two have the same. What is made or changed is noted once, where ``note_at`` a path says.
        """
        signs = [Sign(task.id, plain_text(task.title)) for task in tasks]
        if signs != self._signs:
            before = align(self._signs, signs) if self._signs else [None] * len(signs)
            self._names = self._give(signs, before, note_at)
            self._signs = signs
            self._titles |= zip(self._names, (sign.title for sign in signs), strict=True)
        return self._names

    def forget(self) -> None:
        """No task is there any more; whoever has the title of a former one gets its name again."""
        self._signs, self._names = [], []

    def _give(
        self, signs: Sequence[Sign], before: Sequence[int | None], note_at: Callable[[str], Note]
    ) -> list[str]:
        ids = TaskIds([*self._titles, *(sign.id for sign in signs)])
        current = {self._names[old] for old in before if old is not None}
        gone = {title: name for name, title in self._titles.items() if name not in current}
        taken: set[str] = set()
        names: list[str] = []
        for number, (sign, old) in enumerate(zip(signs, before, strict=True)):
            note = note_at(f"/tasks/{number}/id")
            wanted = shown(sign.id or "", note)
            known = self._known(wanted, sign, old, gone)
            name = ids.take(known) if known and known not in taken else ""
            if not name:
                name = ids.take(wanted) if wanted else ids.make(made_id(sign.title))
            if not sign.id and name not in self._titles:
                note(TASK_ID_ASSUMED, sign.id, name)
            elif sign.id and name != sign.id:
                note(ID_CHANGED, sign.id, name)
            taken.add(name)
            names.append(name)
        return names

    def _known(self, wanted: str, sign: Sign, old: int | None, gone: dict[str, str]) -> str:
        """The name that a task should have, if it is not taken; an id of its own is not given up."""
        if wanted in self._titles or (old is None and wanted):
            return wanted
        if old is not None and not (sign.id and self._signs[old].id):
            return self._names[old]
        return wanted or gone.get(sign.title, "")
