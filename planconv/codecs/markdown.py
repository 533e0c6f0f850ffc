"""Markdown checklists: CommonMark with the task lists, tables and struck text of GFM."""

from __future__ import annotations

import re
from collections.abc import Sequence

from planconv.codec import FULL, NO, CodecInfo, Field, partly
from planconv.loss import Ledger
from planconv.model import Plan
from planconv.wire.carrier import into_comment, out_of_comment
from planconv.wire.json import BOM, decode_text

_LUGGAGE = "markdown"

_INFO = CodecInfo(
    name="markdown",
    summary="Markdown with task lists, as GitHub shows them",
    patterns=("*.md", "*.markdown"),
    vocabulary="gfm",
    luggage=_LUGGAGE,
    holds={
        Field.PLAN_ID: NO,
        Field.SESSION: NO,
        Field.PLAN_TITLE: FULL,
        Field.PROSE: FULL,
        Field.REFERENCE: partly("an absolute URI, in a paragraph 'Plan file: <…>'"),
        Field.TASK_TITLE: partly(
            "mentions, dates and colours are text, underlines and marks are HTML tags"
        ),
        Field.STATUS: partly("a box, and a word of letters in parentheses where a box cannot say it"),
        Field.PRIORITY: partly("a word of letters, in the same parentheses"),
        Field.TASK_ID: NO,
        Field.SUBTASKS: FULL,
        Field.DETAILS: partly("all Markdown blocks; those of other formats are code"),
        Field.OUTPUT: partly("below '**Output:**'; tasks in it are plain items"),
        Field.SOURCES: FULL,
        Field.DEPENDS_ON: NO,
    },
    carrier="HTML comments",
)

_BOX = re.compile(rb"(?m)^[ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+\[[ xX\-~/>!]\][ \t]")
_TITLE = re.compile(rb"(?m)^# \S")


class Markdown:
    """One document, which holds a plan, or several that comments set apart."""

    @property
    def info(self) -> CodecInfo:
        """What the format is and what it holds."""
        return _INFO

    def recognise(self, head: bytes, /) -> str:
        """Why an input looks like a Markdown plan: a box, or at least a title."""
        head = head.removeprefix(BOM)
        if head.lstrip()[:1] in {b"{", b"["} and not _BOX.search(head):
            return ""
        if _BOX.search(head):
            return "a list item with a box"
        return "a Markdown title" if _TITLE.search(head) else ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans of a document.

        Raises:
            DecodeError: it is not UTF-8, or lists are nested too deeply.
            NoPlanError: it holds no task, and no marker says that it is a plan.
        """
        from planconv.markdown.read import read_document

        return [out_of_comment(plan, _LUGGAGE) for plan in read_document(decode_text(data), ledger)]

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """One document with all plans.

        Raises:
            EncodeError: lists are nested more deeply than the reader reads.
        """
        from planconv.markdown.write import write_document

        return write_document([into_comment(plan, _LUGGAGE) for plan in plans], ledger).encode()


MARKDOWN = Markdown()
