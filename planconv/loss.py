"""The ledger: everything that did not survive a conversion, and everything that was invented.

:data:`CODES` is the one table of what can happen. Each code has a number that never changes, a kind, a
sentence for the summary, and the text of ``planconv explain``. A :class:`Ledger` collects
:class:`Loss` values; whether and how they are shown is the command line's business.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol

from planconv.errors import DecodeError, StrictError
from planconv.model import JSON, Plan


class Kind(enum.IntEnum):
    """How bad it is; a higher kind is worse."""

    CARRIED = 1
    ASSUMED = 2
    DEGRADED = 3
    DROPPED = 4

    @property
    def word(self) -> str:
        """As it stands in reports and behind ``--fail-on-loss``."""
        return self.name.lower()


class Code(NamedTuple):
    """One row of the table.

    ``phrase`` goes on after "slack" in ``slack: 8 × the priority has no place``; ``forbidden`` says that
    a specification does not allow it, so that ``--strict`` makes an error of it.
    """

    number: str
    kind: Kind
    phrase: str
    explanation: str
    forbidden: bool = False


_codes: dict[str, Code] = {}


def _code(number: str, kind: Kind, phrase: str, explanation: str, *, forbidden: bool = False) -> Code:
    if number in _codes:
        raise ValueError(f"{number} stands in the table twice")
    _codes[number] = Code(number, kind, phrase, explanation, forbidden)
    return _codes[number]


# --- dropped: it is gone ------------------------------------------------------------------------

FIELD_DROPPED = _code(
    "PC101",
    Kind.DROPPED,
    "a field has no place",
    "The format has no place for this field of the plan, so its value is gone. `planconv formats"
    " NAME` lists what a format holds. Choose a richer format, or give `--carry` where the format has"
    " an extension point.",
)
ENTRY_DROPPED = _code(
    "PC102",
    Kind.DROPPED,
    "an entry cannot be read",
    "An entry of the plan is not what the format demands (it has no text, say), so it was left out"
    " and the good entries were kept. Readers that follow the ACP schema skip such entries without a"
    " word. With `--strict` this is an error.",
    forbidden=True,
)
PROSE_DROPPED = _code(
    "PC103",
    Kind.DROPPED,
    "text between the tasks has no place",
    "The format is a list of tasks: headings, paragraphs and other blocks between them are gone."
    " What stands below a task, as its details, is kept where the format has details.",
)
LUGGAGE_DROPPED = _code(
    "PC104",
    Kind.DROPPED,
    "fields of another format have no place",
    "The source format has fields (`_meta`, unknown keys, block ids) that only it understands. They"
    " come back when the plan is written in the same format, and are gone in any other.",
)
DUPLICATE_KEY = _code(
    "PC105",
    Kind.DROPPED,
    "a duplicate key: only the last value in the object was taken",
    "A JSON object names a key more than once. The last value was taken, as most readers do, and the"
    " earlier ones are gone. RFC 8259 §4 leaves open what a reader does with them.",
)
WORD_BESIDE_TICK = _code(
    "PC106",
    Kind.DROPPED,
    "a ticked box has another status beside it",
    "A box is ticked and the text beside it names another status, as `[x] … _(blocked)_` does. The tick"
    " wins; the word is gone.",
)
DEFINITION_DROPPED = _code(
    "PC107",
    Kind.DROPPED,
    "a link definition is used by nothing",
    "A Markdown link definition (`[name]: address`) is not used by any link. Nothing of it is ever"
    " shown, and it is not written again.",
)
UPDATE_DROPPED = _code(
    "PC108",
    Kind.DROPPED,
    "a kind of plan is not known here",
    "The plan is of a custom or future type (`_timeline`, say) that only its own format can pass on.",
)

REMOVAL_DROPPED = _code(
    "PC109",
    Kind.DROPPED,
    "the removal of a plan has no place",
    "The format can say what a plan is, not that it is gone (ACP version 1 cannot). What was written of"
    " the plan before stays as it was.",
)

TASK_UNMATCHED = _code(
    "PC110",
    Kind.DROPPED,
    "a task of the source is not in the file",
    "`--update` changes the tasks that a file has. This one was found neither by its id nor by its text, or"
    " more than one task of the file comes into question, so nothing of it was written. A task is never"
    " taken for another because it stands in the same place. Add it to the file, or make the texts agree.",
)

BLOCK_DROPPED = _code(
    "PC111",
    Kind.DROPPED,
    "a block beside the plan is no part of it",
    "A message of Slack's shows further blocks beside its plan (a section, buttons). Only plans and task"
    " cards are read.",
)

# --- degraded: it is still there, in a poorer form ----------------------------------------------

STATUS_AS_TEXT = _code(
    "PC201",
    Kind.DEGRADED,
    "a status is only shown as a word in the text",
    "The format has no such status. The nearest honest one was written, never one that means done,"
    " and the word was put into the text, where planconv finds it again.",
)
STATUS_RENAMED = _code(
    "PC202",
    Kind.DEGRADED,
    "a status of one's own got an underscore",
    "ACP v2 reserves unknown words for its future: a word of one's own must begin with `_`.",
)
PRIORITY_REPLACED = _code(
    "PC203",
    Kind.DEGRADED,
    "a priority was replaced by another word",
    "The format's priorities are closed, or demand a word of another form; the nearest was written.",
)
NESTING_FLATTENED = _code(
    "PC204",
    Kind.DEGRADED,
    "subtasks stand after their parent, on its level",
    "The format is a flat list. All tasks are there, in the order of the page; which task stood below"
    " which is no longer told.",
)
STYLE_DROPPED = _code(
    "PC205",
    Kind.DEGRADED,
    "text lost its styles",
    "The text is plain in this format, or cannot have this style: the characters are all there, their"
    " look (bold, struck, a link's label) is not.",
)
BLOCK_SIMPLIFIED = _code(
    "PC206",
    Kind.DEGRADED,
    "a block was written as a simpler one",
    "The format does not know this kind of block (a table, a heading, a picture, a list in a list"
    " item). Its text was kept in the nearest kind that it knows.",
)
PLAN_SPLIT = _code(
    "PC207",
    Kind.DEGRADED,
    "a plan was split",
    "The format limits how much one plan or message holds (Slack: 50 tasks a plan, 50 blocks and about"
    " 13,200 characters a message). All tasks are there, in several plans or messages.",
)
ID_CHANGED = _code(
    "PC208",
    Kind.DEGRADED,
    "an id was changed",
    "The format demands ids that are unique, or of another form. The second use of an id got a suffix.",
)
CHARACTER_REPLACED = _code(
    "PC209",
    Kind.DEGRADED,
    "a character was replaced",
    "Half a UTF-16 pair became U+FFFD, a control character its visible picture (`␛`): the first cannot be"
    " written as UTF-8, the second could command a terminal.",
)
INDENT_CLAMPED = _code(
    "PC210",
    Kind.DEGRADED,
    "a list is less indented than it was",
    "Slack indents lists at most 8 levels deep. Deeper items stand on level 8; none is lost.",
)
TITLE_SHORTENED = _code(
    "PC211",
    Kind.DEGRADED,
    "further lines of a title stand in the details",
    "A title is one line in this format. The lines after the first were moved to the details.",
)
BLANKS_TRIMMED = _code(
    "PC212",
    Kind.DEGRADED,
    "blanks at the edge of a text are gone",
    "The format does not keep blanks at the start or the end of a line.",
)
LINK_MOVED = _code(
    "PC213",
    Kind.DEGRADED,
    "the address of a link in a title stands elsewhere",
    "A title is plain text in this format. The label stayed; the address went to the task's sources, or"
    " to its details if it is no absolute URL.",
)
DETAILS_MOVED = _code(
    "PC214",
    Kind.DEGRADED,
    "text stands in another place than it did",
    "The format has no place of its own for this part; it stands beside the rest, where a reader still"
    " sees it.",
)
MENTION_AS_TEXT = _code(
    "PC215",
    Kind.DEGRADED,
    "a mention, date, colour or emoji is only text here",
    "The format shows it as characters (`<@U012AB3CD>`, `:wave:`) and reads it back as text, unless"
    " `--mentions` asks for Slack's mentions: a plan must not be able to ping anybody unasked.",
)

KEPT_IN_STREAM = _code(
    "PC216",
    Kind.DEGRADED,
    "what a stream has shown cannot be taken back",
    "Chunks of a Slack stream add rows and text, and replace titles and statuses. A row cannot go or move,"
    " its details, output and sources cannot get shorter or be rewritten. What was sent stays on the page,"
    " and nothing is sent in its place: it would stand behind the old text. Post the plan anew to have it"
    " right.",
)
ROW_NOT_SHOWN = _code(
    "PC217",
    Kind.DEGRADED,
    "a task is sent, but not shown",
    "Slack takes more than 50 tasks in a stream and shows the first 50 of them.",
)

READ_OTHERWISE = _code(
    "PC218",
    Kind.DEGRADED,
    "what was written means something else to this format's readers",
    "The format takes some texts for more than text: a number that a title begins with is an id, what"
    " stands below a task belongs to it. The output was read back, and this came back otherwise.",
)

# --- assumed: we decided, or made it up ---------------------------------------------------------

STATUS_ASSUMED = _code(
    "PC301",
    Kind.ASSUMED,
    "a missing status was taken for pending",
    "The format demands a status and there was none that can be read. Work is never taken for done.",
    forbidden=True,
)
PRIORITY_ASSUMED = _code(
    "PC302",
    Kind.ASSUMED,
    "a missing priority was taken for the ordinary one",
    "The format demands a priority and there was none that can be read.",
    forbidden=True,
)
PLAN_ID_ASSUMED = _code(
    "PC303",
    Kind.ASSUMED,
    "a plan id was made",
    "The format demands an id and the source has none. It is made from the plan's title, else it is"
    " `main`; the same plan gets the same id again.",
)
SESSION_ASSUMED = _code(
    "PC304",
    Kind.ASSUMED,
    "a session id was made",
    "ACP demands a session and the source has none; `planconv` stands in its place.",
)
TITLE_ASSUMED = _code(
    "PC305",
    Kind.ASSUMED,
    "a title was made",
    "The format demands a title and the plan or task has none.",
)
TASK_ID_ASSUMED = _code(
    "PC306",
    Kind.ASSUMED,
    "task ids were made",
    "The format demands an id for each task and the source has none. An id is made from the title, so the"
    " same plan gets the same ids again, and equal titles different ones.",
)
STATUS_FROM_TEXT = _code(
    "PC307",
    Kind.ASSUMED,
    "a status was read from the text",
    "The text of an open task ends with a status that the format has no word for, as `Ask again"
    " (cancelled)` does. It was taken for the task's status.",
)
MARK_AMBIGUOUS = _code(
    "PC308",
    Kind.ASSUMED,
    "a mark means different things in different tools",
    "`[-]`, `[~]`, `[/]`, `[>]` and `[!]` stand for work in progress, cancelled, queued, forwarded or"
    " important, depending on the tool. Plain Markdown reads them as tasks that are not done and keeps the"
    " mark. Name the tool's format with `--from` to have them read as it means them.",
)
BOX_IGNORED = _code(
    "PC309",
    Kind.ASSUMED,
    "what looks like a box was read as text",
    "`[x ]`, `[]` and `[x]text` are no boxes by the GitHub rules: a box is `[ ]` or `[x]` with a blank"
    " after it. The line was read as text, as every viewer does.",
)
SHAPE_ASSUMED = _code(
    "PC310",
    Kind.ASSUMED,
    "a shape that no specification has was understood",
    "Some agents send plans under other names (`id` for `planId`, `steps` for `entries`). What they"
    " evidently mean was read. With `--strict` this is an error.",
    forbidden=True,
)
BOX_DISAGREES = _code(
    "PC311",
    Kind.ASSUMED,
    "a box in the text says otherwise than the todo",
    "The tasks of a Cursor plan are the todos of its front matter. A box below has the text of a todo, and"
    " one of the two is done while the other is open. The todo was taken: tick the box, or change it.",
)
LEFT_OPEN = _code(
    "PC312",
    Kind.ASSUMED,
    "tasks are still open at the end: the stream was taken to go on",
    "A Slack stream that is stopped while a task is pending or in progress gets the title 'Something went"
    " wrong'. planconv closes no task that the plan has not closed, and a row cannot be removed: before"
    " `chat.stopStream`, send each of them a last status.",
)
LONG_TEXT = _code(
    "PC313",
    Kind.ASSUMED,
    "a text is longer than Slack documents; it was sent whole",
    "Slack's documentation gives the fields of chunks 256 characters; texts of many thousands were taken"
    " when this was tried. All texts of a stream together must stay below about 10,600 bytes, details and"
    " output counted twice, if the message has a body text, or it is refused (`msg_too_long`).",
)
SOURCES_JOINED = _code(
    "PC314",
    Kind.ASSUMED,
    "sources that came one after the other were joined",
    "Slack does not say whether the sources of a later chunk replace or join those of an earlier one. They"
    " were joined, each once, so that none is lost.",
)

TASK_ASSUMED = _code(
    "PC315",
    Kind.ASSUMED,
    "headings, numbered steps or rows of tables were taken for tasks",
    "The document has no box there: what looks like a step of a plan was read as a task, because"
    " `--from outline` asks for it. A task without a mark that says otherwise is pending. What is no step"
    " stays text.",
)
STATUS_FROM_MARK = _code(
    "PC316",
    Kind.ASSUMED,
    "a status was read from a mark beside a step",
    "People mark steps in many ways: `✅`, struck text, `(done)`, a line `Status: done`, a column of a"
    " table. A mark that is known was taken for the status of the task, and a mark in a title was taken out"
    " of it. A mark that is not known stays text, and the task is pending.",
)

# --- carried: it travels in the format's extension point ----------------------------------------

FIELD_CARRIED = _code(
    "PC401",
    Kind.CARRIED,
    "a field travels in the extension point",
    "With `--carry`, what the format has no field for is kept in its extension point and is unpacked on"
    " the way back.",
)

TEXT_CHANGED = _code(
    "PC402",
    Kind.CARRIED,
    "what was carried gave way to a changed text",
    "Somebody changed what is seen in the place of a carried field. What a person wrote wins: it was kept,"
    " and the carried value of this one field was left out; everything else was put back.",
)

CODES: Mapping[str, Code] = MappingProxyType(_codes)
"""Number to row, in the order of the numbers."""


# --- what is collected --------------------------------------------------------------------------


class Loss(NamedTuple):
    """One thing that happened.

    ``path`` is a JSON pointer into the plan (``/tasks/3/priority``, tasks counted from 0 as
    ``Plan.tasks()`` yields them), ``plan`` and ``session`` are the plan's ids, ``line`` is the line of
    the input that it came from, where that is known.
    """

    code: Code
    format: str
    path: str
    was: JSON = None
    now: JSON = None
    plan: str | None = None
    session: str | None = None
    input: str = ""
    line: int | None = None

    @property
    def message(self) -> str:
        """One sentence for a person."""
        return f"{self.format}: {self.code.phrase}"


class BadRecord(NamedTuple):
    """A record of a log that could not be read: why, where, and its bytes."""

    error: DecodeError
    raw: bytes


class Note(Protocol):
    """Notes what happened at one place of a plan: the code, what was there, what is there now."""

    def __call__(self, code: Code, was: JSON = None, now: JSON = None, /) -> None:
        """Keep it; raises as :meth:`Ledger.note` does."""


class Ledger:
    """Collects what a conversion lost, and decides what is an error instead.

    ``strict`` turns what a specification forbids into a :class:`StrictError`; ``skip_bad_records`` goes
    past records that cannot be read instead of raising their error; ``bad_records`` has them either way.
    ``input`` and ``format`` are the name of the input and of the codec at work; every loss is noted
    under them.
    """

    def __init__(self, *, strict: bool = False, skip_bad_records: bool = False, input: str = "") -> None:
        self.strict = strict
        self.skip_bad_records = skip_bad_records
        self.input = input
        self.format = ""
        self.losses: list[Loss] = []
        self.bad_records: list[BadRecord] = []

    def note(
        self,
        code: Code,
        path: str,
        was: JSON = None,
        now: JSON = None,
        *,
        plan: Plan | None = None,
        line: int | None = None,
    ) -> None:
        """Keep a loss at ``path`` of ``plan``.

        Raises:
            StrictError: the ledger is strict and the specification forbids it.
        """
        loss = Loss(
            code,
            self.format,
            path,
            was,
            now,
            plan.id if plan else None,
            plan.session if plan else None,
            self.input,
            line,
        )
        if self.strict and code.forbidden:
            error = StrictError(strict_message(loss))
            error.input = loss.input
            raise error
        self.losses.append(loss)

    def at(self, path: str, plan: Plan | None = None, line: int | None = None) -> Note:
        """:meth:`note` for one place, for whoever does not know where its piece of the plan stands."""

        def note(code: Code, was: JSON = None, now: JSON = None) -> None:
            self.note(code, path, was, now, plan=plan, line=line)

        return note

    def aside(self) -> Ledger:
        """An empty ledger of the same input and format, for losses that are looked at before they count."""
        ledger = Ledger(strict=self.strict, input=self.input)
        ledger.format = self.format
        return ledger

    def reject(self, error: DecodeError, raw: bytes) -> None:
        """Set a record aside that cannot be read.

        Raises:
            DecodeError: ``error``, unless bad records are skipped.
        """
        error.input = error.input or self.input
        self.bad_records.append(BadRecord(error, raw))
        if not self.skip_bad_records:
            raise error

    @property
    def worst(self) -> Kind | None:
        """The worst kind of loss so far."""
        return max((loss.code.kind for loss in self.losses), default=None)


def strict_message(loss: Loss) -> str:
    """Where it is and what is wrong, as an error message."""
    place = ":".join(str(part) for part in (loss.input, loss.line) if part)
    return ": ".join(part for part in (place, loss.path, loss.code.phrase) if part)
