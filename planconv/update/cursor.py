"""Changing todos in the front matter of Cursor's plans; the codec knows where each of them stands."""

from __future__ import annotations

from collections.abc import Mapping

from planconv.codecs.cursor import CURSOR
from planconv.errors import EncodeError
from planconv.loss import LUGGAGE_DROPPED, Ledger
from planconv.model import Plan
from planconv.update.changes import Change, with_changes
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
    changed = CURSOR.encode(with_changes(read(text, form), changes), ledger).decode()
    if any(loss.code is LUGGAGE_DROPPED for loss in ledger.losses):
        raise EncodeError("a todo cannot be changed where it stands: it is no mapping with a content")
    return changed
