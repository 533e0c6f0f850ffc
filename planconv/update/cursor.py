"""Changing todos in the front matter of Cursor's plans; the codec knows where each of them stands."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from planconv.codecs.cursor import CURSOR
from planconv.errors import EncodeError
from planconv.loss import LUGGAGE_DROPPED, Ledger
from planconv.model import Plan, map_tasks
from planconv.update.changes import Change
from planconv.update.plain import holds_in_text


def read(text: str, form: str) -> list[Plan]:  # noqa: ARG001 - there is one format
    """The plan of a file.

    Raises:
        NoPlanError: it has no todos.
        DecodeError: its front matter is no YAML and cannot be made one.
    """
    return CURSOR.decode(text.encode(), Ledger())


def holds(form: str, status: str) -> bool:  # noqa: ARG001 - there is one format
    """Whether a word, or one in parentheses, can say this."""
    return holds_in_text(CURSOR.info.vocabulary, status)


def write(text: str, form: str, changes: Mapping[int, Change], ledger: Ledger) -> str:
    """The text with these changes; what a todo loses is noted under ``/tasks/<number>``.

    Raises:
        EncodeError: a todo cannot be changed where it stands.
    """
    (plan,) = read(text, form)
    titles = iter(range(sum(1 for _ in plan.tasks())))
    body = map_tasks(
        plan.body,
        lambda task: (
            dataclasses.replace(task, title=changes[number].new.title, status=changes[number].new.status)
            if (number := next(titles)) in changes
            else task
        ),
    )
    changed = CURSOR.encode([dataclasses.replace(plan, body=body)], ledger).decode()
    if any(loss.code is LUGGAGE_DROPPED for loss in ledger.losses):
        raise EncodeError("a todo cannot be changed where it stands: it is no mapping with a content")
    return changed
