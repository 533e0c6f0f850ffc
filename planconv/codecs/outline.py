"""Markdown plans without boxes: their steps are the tasks. They are only read, and only when asked for.

What is a step, and which marks say that it is done, is told in :mod:`planconv.markdown.steps`. Tasks with
boxes are read as in plain Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence

from planconv import registry
from planconv.codec import NO, CodecInfo, Field, partly
from planconv.loss import Ledger
from planconv.model import Plan
from planconv.wire.json import BOM, decode_text

_IN_BOXES = partly("read from tasks with boxes")

_INFO = CodecInfo(
    name="outline",
    summary="Markdown whose numbered steps and `Phase/Step/Task N` headings are the tasks",
    patterns=(),
    vocabulary="outline",
    luggage="markdown",
    holds={
        Field.PLAN_ID: NO,
        Field.SESSION: NO,
        Field.PLAN_TITLE: partly("read from the first heading of level 1"),
        Field.PROSE: partly("read"),
        Field.REFERENCE: partly("read from a paragraph 'Plan file: <…>'"),
        Field.TASK_TITLE: partly("read"),
        Field.STATUS: partly(
            "read from marks such as `✅` and `(done)`, and from the Status column of a table"
        ),
        Field.PRIORITY: _IN_BOXES,
        Field.TASK_ID: partly("read from the number that a title begins with, if no other title does"),
        Field.SUBTASKS: partly("read from levels of headings, and from numbered steps below them"),
        Field.DETAILS: partly("read from what stands below a heading or step"),
        Field.OUTPUT: _IN_BOXES,
        Field.SOURCES: _IN_BOXES,
        Field.DEPENDS_ON: NO,
    },
    writes=False,
)


class Outline:
    """A document whose steps are a plan, or several plans that comments set apart."""

    @property
    def info(self) -> CodecInfo:
        """What the format is and what it holds."""
        return _INFO

    def recognise(self, _head: bytes, /) -> str:
        """Never: any document has headings and numbers, so only its reader can say that they are tasks."""
        return ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans of a document.

        Raises:
            DecodeError: it is not UTF-8, or lists are nested too deeply.
            NoPlanError: nothing in it is a step, and no marker says that it is a plan.
        """
        from planconv.markdown.dialect import OUTLINE as DIALECT
        from planconv.markdown.read import read_dialect

        return read_dialect(decode_text(data.removeprefix(BOM)), ledger, DIALECT)[0]

    def encode(self, _plans: Sequence[Plan], _ledger: Ledger, /) -> bytes:
        """Raises :class:`~planconv.errors.EncodeError`: the format is only read."""
        raise registry.only_read(_INFO.name)


OUTLINE = Outline()
