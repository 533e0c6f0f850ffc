"""The dialects of checklists that tools keep: one codec, whose values differ in their row of the table."""

from __future__ import annotations

from collections.abc import Sequence

from planconv.codec import FULL, NO, CodecInfo, Field, partly
from planconv.loss import Ledger
from planconv.markdown.dialect import DIALECTS, Dialect
from planconv.markdown.recognise import recognise
from planconv.model import Plan
from planconv.wire.json import BOM, decode_text


def _info(dialect: Dialect) -> CodecInfo:
    ids = partly("read from the number that a title begins with") if dialect.id else NO
    return CodecInfo(
        name=dialect.name,
        summary=dialect.summary,
        patterns=dialect.patterns,
        vocabulary=dialect.vocabulary,
        luggage=dialect.name,
        holds={
            Field.PLAN_ID: NO,
            Field.SESSION: NO,
            Field.PLAN_TITLE: partly("a heading; a box in it is a task to some")
            if dialect.heading_tasks
            else FULL,
            Field.PROSE: partly("what stands right below a task becomes its details")
            if dialect.holds_column_zero or dialect.heading_tasks
            else FULL,
            Field.REFERENCE: partly("an absolute URI, in a paragraph 'Plan file: <…>'"),
            Field.TASK_TITLE: partly(
                "mentions, dates and colours are text, underlines and marks are HTML tags"
            ),
            Field.STATUS: partly(
                "a mark in a box, and a word in parentheses where there is no mark for it"
            ),
            Field.PRIORITY: partly("a word of letters, in the same parentheses"),
            Field.TASK_ID: ids,
            Field.SUBTASKS: partly("below the task that their number names")
            if dialect.nested_by_number
            else FULL,
            Field.DETAILS: partly("all Markdown blocks; those of other formats are code"),
            Field.OUTPUT: partly("below '**Output:**'; tasks in it are plain items"),
            Field.SOURCES: FULL,
            Field.DEPENDS_ON: partly("read from '(depends on …)' in a title") if dialect.id else NO,
        },
    )


class DialectFile:
    """A file in one dialect; it holds a plan, or several that comments set apart."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._info = _info(dialect)

    @property
    def info(self) -> CodecInfo:
        """What the format is and what it holds."""
        return self._info

    def recognise(self, head: bytes, /) -> str:
        """Why an input looks like a file of this dialect."""
        return recognise(head, self._dialect.name)

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans of a file.

        Raises:
            DecodeError: it is not UTF-8, or lists are nested too deeply.
            NoPlanError: it holds no task, and no marker says that it is a plan.
        """
        from planconv.markdown.dialect_file import read_file

        return read_file(decode_text(data.removeprefix(BOM)), self._dialect, ledger)

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """One file with all plans.

        Raises:
            EncodeError: lists are nested too deeply, or the dialect would not read all tasks.
        """
        from planconv.markdown.dialect_file import write_file

        return write_file(plans, self._dialect, ledger).encode()


CONDUCTOR = DialectFile(DIALECTS["conductor"])
EXECPLAN = DialectFile(DIALECTS["execplan"])
GITLAB = DialectFile(DIALECTS["gitlab"])
KIRO = DialectFile(DIALECTS["kiro"])
OBSIDIAN = DialectFile(DIALECTS["obsidian"])
OPENSPEC = DialectFile(DIALECTS["openspec"])
ROO = DialectFile(DIALECTS["roo"])
SPECKIT = DialectFile(DIALECTS["speckit"])
SUPERPOWERS = DialectFile(DIALECTS["superpowers"])
