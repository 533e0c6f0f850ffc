"""Markdown documents to plans.

A list item with a box is a task; everything else keeps its place around the tasks. The first heading
of level 1 is the plan's title; where it stood, if other blocks come before it, is kept for the way
back. Front matter is kept as it is. ``<!-- planconv:plan -->`` on a line of its own begins a plan.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from planconv.errors import NoPlanError
from planconv.loss import CHARACTER_REPLACED, DEFINITION_DROPPED, Ledger, Note
from planconv.markdown import sections
from planconv.markdown.block_reader import BlockReader, Head, Notice, Piece
from planconv.markdown.dialect import GFM, Dialect
from planconv.markdown.parser import Definitions, block_tokens
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Heading,
    Line,
    Plan,
    Raw,
    make_blocks,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

FRONT_MATTER = re.compile(
    r"""---[ \t]*\n
    ((?:[ \t]*\n)*                         # some tools leave blank lines above the first key
    [\w"'][^\n:]*:(?:[ \t].*)?\n(?:.*\n)*?)
    ---[ \t]*(?:\n|\Z)""",
    re.VERBOSE,
)
"""YAML between two lines of dashes at the start of a document; it begins with a key.

Tasks between two rules are no front matter, since a list or a heading is no key.
"""


@dataclass(slots=True)
class _Part:
    """The blocks of one plan of a document, in the order in which they were read."""

    pieces: list[Piece] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)


def read_blocks(text: str, note: Note, dialect: Dialect = GFM) -> Blocks:
    """All blocks of a text, task lists included.

    Raises:
        DecodeError: lists or quotes are nested too deeply.
    """
    text = _normal_text(text)
    tokens, definitions = block_tokens(text)
    reader = BlockReader(tokens, definitions, text.split("\n"), dialect)
    pieces = [piece for pieces in reader.top_level() for piece in pieces]
    for notice in reader.notices:
        note(notice.code, notice.was, notice.now)
    for definition in definitions.unused():
        note(DEFINITION_DROPPED, f"[{definition.label}]: {definition.url}")
    return make_blocks(piece.block for piece in pieces)


def read_document(text: str, ledger: Ledger, *, explicit: bool = False) -> list[Plan]:
    """The plans of a document; with ``explicit`` it is known to be a plan even without a task.

    The title is the first heading of level 1; with ``explicit`` only if it stands at the top, since no
    luggage remembers its place.

    Raises:
        NoPlanError: it has neither a task nor a marker that says it is a plan.
        DecodeError: lists or quotes are nested too deeply.
    """
    return read_dialect(text, ledger, GFM, explicit=explicit)[0]


def read_dialect(
    text: str, ledger: Ledger, dialect: Dialect, *, explicit: bool = False
) -> tuple[list[Plan], list[Head]]:
    """The plans of a document in a dialect, and for each task where it was read from.

    Raises:
        NoPlanError: it has neither a task nor a marker that says it is a plan.
        DecodeError: lists or quotes are nested too deeply.
    """
    text = _normal_text(text, ledger)
    if dialect.fenced:
        from planconv.markdown.dialect_shape import unwrapped

        text = unwrapped(text)
    if dialect.unlisted:
        from planconv.markdown.dialect_shape import listed

        text = listed(text, dialect)
    front, text = _split_front_matter(text)
    tokens, definitions = block_tokens(text)
    reader = BlockReader(tokens, definitions, text.split("\n"), dialect)
    parts, marked = _parts(reader)
    plans = [
        _plan(part, front if not number else None, ledger, dialect, at_top=explicit)
        for number, part in enumerate(parts)
    ]
    _note_unused(definitions, plans, ledger)
    if not (explicit or marked or any(True for _ in plans[0].tasks())):
        raise NoPlanError(_what_is_there(tokens, front, plans, dialect))
    return plans, reader.heads


def _normal_text(text: str, ledger: Ledger | None = None) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if "\0" in text:
        if ledger is not None:
            line = text.count("\n", 0, text.index("\0")) + 1
            ledger.note(CHARACTER_REPLACED, "", "\0", "\ufffd", line=line)
        text = text.replace("\0", "\ufffd")  # CommonMark §2.3
    return text


def _split_front_matter(text: str) -> tuple[str | None, str]:
    """Front matter, and the text with empty lines in its place, so that lines keep their numbers."""
    match = FRONT_MATTER.match(text)
    if match is None:
        return None, text
    return match[1], "\n" * match[0].count("\n") + text[match.end() :]


def _parts(reader: BlockReader) -> tuple[list[_Part], bool]:
    """What stands between the markers, and whether there are any; nothing before the first is no plan."""
    parts = [_Part()]
    marked = False
    for pieces in reader.top_level():
        if pieces and pieces[0].block == Raw("html", sections.PLAN_MARKER):
            parts[-1].notices = reader.notices
            if marked or parts[-1].pieces:
                parts.append(_Part())
            marked = True
            reader.start_plan()
        else:
            parts[-1].pieces += pieces
    parts[-1].notices = reader.notices
    return parts, marked


def _plan(part: _Part, front: str | None, ledger: Ledger, dialect: Dialect, *, at_top: bool) -> Plan:
    if dialect is not GFM:
        from planconv.markdown.dialect_shape import take_in

        take_in(part.pieces, dialect)
    keys: dict[str, JSON] = {} if front is None else {"front_matter": front}
    title_at = _find_title(part.pieces, at_top=at_top)
    title: Line = ()
    reference: str | None = None
    kept: list[int] = []
    for index, piece in enumerate(part.pieces):
        if index == title_at and isinstance(piece.block, Heading):
            title = piece.block.line
        elif reference is None and (uri := sections.read_reference(piece.source)):
            reference = uri
        else:
            kept.append(index)
    body = make_blocks(part.pieces[index].block for index in kept)
    if dialect is not GFM:
        from planconv.markdown.dialect_shape import shaped

        body = shaped(body, dialect)
    if above := make_blocks(part.pieces[index].block for index in kept if index < title_at):
        keys["title_at"] = len(above)
    plan = Plan(title=title, body=body, reference=reference, extras={dialect.name: keys} if keys else {})
    if not dialect.steps:
        _note_all(part, kept, plan, ledger)
        return plan
    from planconv.markdown.steps import read_steps

    steps = read_steps(plan)
    for assumed in steps.assumed:
        ledger.note(*assumed, plan=steps.plan)
    _note_all(part, kept, steps.plan, ledger, steps.moved)
    return steps.plan


def _find_title(pieces: Sequence[Piece], *, at_top: bool) -> int:
    """The index of the first heading of level 1 that says something; -1 if there is none.

    A heading that sets two lists apart, which would be one without it, is no title but a heading of theirs.
    """
    above: list[Block] = []
    for index, piece in enumerate(pieces):
        match piece.block:
            case Heading(1, line) if line:
                return -1 if above and _goes_on(above[-1], pieces[index + 1 :]) else index
        if not sections.read_reference(piece.source):
            if at_top:
                break
            above.append(piece.block)
    return -1


def _goes_on(block: Block, pieces: Sequence[Piece]) -> bool:
    """Whether a block and the first one of some pieces would become one."""
    first = next((piece.block for piece in pieces if not sections.read_reference(piece.source)), None)
    return first is not None and len(make_blocks((block, first))) == 1


def _note_all(
    part: _Part,
    kept: list[int],
    plan: Plan,
    ledger: Ledger,
    moved: Callable[[str], str] = lambda path: path,
) -> None:
    places = _places_in_body(part, kept) if part.notices else {}
    for notice in part.notices:
        path = moved(notice.path or f"/body/{places[notice.block]}")
        ledger.note(notice.code, path, notice.was, notice.now, plan=plan, line=notice.line)


def _places_in_body(part: _Part, kept: list[int]) -> dict[int, int]:
    """Where each block as it was read stands in the body, in which lists are joined."""
    places: dict[int, int] = {}
    body: list[Block] = []
    for index in kept:
        joined = make_blocks((*body[-1:], part.pieces[index].block))
        body[-1:] = joined
        places[index] = max(0, len(body) - 1)
    return places


def _note_unused(definitions: Definitions, plans: list[Plan], ledger: Ledger) -> None:
    for definition in definitions.unused():
        was = f"[{definition.label}]: {definition.url}"
        ledger.note(DEFINITION_DROPPED, "/body", was, plan=plans[0], line=definition.line)


# --- a document without a plan --------------------------------------------------------------------

_TODOS = re.compile(r"(?m)^todos:(?P<none>[ \t]*\[[ \t]*\][ \t]*$)?")


def _what_is_there(
    tokens: Sequence[Token], front: str | None, plans: Sequence[Plan], dialect: Dialect
) -> str:
    """Why a document is no plan, what it holds instead, and which format reads that."""
    reason = "no task list: no list item begins with a box ('- [ ] …')"
    if dialect.steps:
        reason = (
            "no step: neither a heading such as 'Phase 1', nor numbered steps, nor a table with a status"
        )
    todos = _TODOS.search(front) if front is not None else None
    found = "" if dialect.steps else _steps(plans)
    if found and (todos is None or todos["none"]):
        return f"{reason}; found {found}, which --from outline reads"
    if todos:
        return f"{reason}; found front matter with todos, which --from cursor reads"
    if front is not None:
        return f"{reason}; found front matter without todos"
    return reason if tokens else "the document is empty"


def _steps(plans: Sequence[Plan]) -> str:
    from planconv.markdown.steps import read_steps

    return next((words for plan in plans if (words := read_steps(plan).words())), "")
