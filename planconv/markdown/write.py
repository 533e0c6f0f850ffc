"""Plans to Markdown documents that any GFM viewer shows right."""

from __future__ import annotations

from collections.abc import Sequence

from planconv.loss import (
    DETAILS_MOVED,
    FIELD_DROPPED,
    LUGGAGE_DROPPED,
    Ledger,
    Note,
)
from planconv.markdown import sections
from planconv.markdown.block_writer import BlockWriter, spaced
from planconv.markdown.dialect import GFM, Dialect
from planconv.markdown.edges import keep_edges
from planconv.markdown.inline import write_line
from planconv.markdown.read import FRONT_MATTER
from planconv.model import JSON, Blocks, Heading, Plan, block_text, make_blocks


def write_blocks(blocks: Blocks, note: Note) -> str:
    """The blocks as Markdown, without a line break at the end.

    Raises:
        EncodeError: lists are nested more deeply than the reader reads.
    """
    return "\n".join(spaced(BlockWriter(lambda path: note).body(blocks)))  # noqa: ARG005


def write_document(
    plans: Sequence[Plan], ledger: Ledger, *, explicit: bool = False, dialect: Dialect = GFM
) -> str:
    """The plans as one document, with a line break at the end.

    Each of several plans, and one without a task, begins with a comment that says so; with
    ``explicit`` it is known that the document is a plan even without a task.

    Raises:
        EncodeError: lists are nested more deeply than the reader reads.
    """
    marked = len(plans) > 1 or not (explicit or any(True for plan in plans for _ in plan.tasks()))
    front: list[str] = []
    pieces: list[list[str]] = []
    for number, plan in enumerate(plans):
        if not number:
            front = _front_matter(plan, dialect)
        _note_luggage(plan, ledger, dialect, first=not number)
        if marked:
            pieces.append([sections.PLAN_MARKER])
        pieces += _plan(plan, ledger, dialect, at_top=explicit)
    lines = spaced([front, *pieces])
    if not front and lines[:1] == ["---"]:
        lines[0] = "***"  # at the very start, dashes would open front matter
    return "\n".join([*lines, ""]) if lines else ""


def _plan(plan: Plan, ledger: Ledger, dialect: Dialect, *, at_top: bool) -> list[list[str]]:
    writer = BlockWriter(lambda path: ledger.at(path, plan), dialect)
    note = ledger.at("/title", plan)
    heading = _heading(plan, note)
    title = [[f"# {heading}"]] if heading else []
    title_at = _title_at(plan, dialect)
    if not heading and (found := _note_heading(plan, ledger, dialect, at_top=at_top)):
        title_at = found + 1  # what is below the title stands below the heading that will be one
    if plan.reference is not None:
        paragraph = sections.write_reference(plan.reference)
        if paragraph is None:
            ledger.note(FIELD_DROPPED, "/reference", plan.reference, plan=plan)
        else:
            title.append([paragraph])
    if not title_at:
        return title + writer.body(plan.body)
    above = writer.body(plan.body[:title_at])
    return [*above, *title, *writer.body(plan.body[title_at:], title_at)]


def _heading(plan: Plan, note: Note) -> str:
    """The title as it stands in a heading; empty if nothing of it is shown."""
    return keep_edges(write_line(plan.title, note, single_line=True, in_heading=True))


def _note_heading(plan: Plan, ledger: Ledger, dialect: Dialect, *, at_top: bool) -> int:
    """An untitled plan gets the first heading of level 1 for its title when it is read.

    Returns its place in the body, 0 if there is none or it is the first block.
    """
    found = _find_title(plan.body)
    if found is None or (found and at_top):
        return 0
    words = block_text(plan.body[found])
    ledger.note(DETAILS_MOVED, "/title", None, words, plan=plan)
    for index in range(found, len(plan.body)):
        ledger.note(DETAILS_MOVED, f"/body/{index}", block_text(plan.body[index]), plan=plan)
    if found:
        ledger.note(DETAILS_MOVED, f"/extras/{dialect.name}/title_at", None, found, plan=plan)
    return found


def _find_title(blocks: Blocks) -> int | None:
    """The place of the heading that the reader takes for the title."""
    for index, block in enumerate(blocks):
        match block:
            case Heading(1, line) if line:
                beside = blocks[max(0, index - 1) : index] + blocks[index + 1 : index + 2]
                return index if not index or len(make_blocks(beside)) == len(beside) else None
    return None


# --- luggage --------------------------------------------------------------------------------------


def _title_at(plan: Plan, dialect: Dialect) -> int:
    """How many blocks of the body stand above the title, as the reader found it."""
    value = plan.extras.get(dialect.name, {}).get("title_at")
    if not isinstance(value, int) or isinstance(value, bool) or not _heading(plan, lambda *_: None):
        return 0
    return value if 0 < value <= len(plan.body) and _find_title(plan.body[:value]) is None else 0


def _front_matter(plan: Plan, dialect: Dialect) -> list[str]:
    """The lines of the front matter with its fences, if it can be read back."""
    value = plan.extras.get(dialect.name, {}).get("front_matter")
    if not isinstance(value, str):
        return []
    written = f"---\n{value}---\n"
    match = FRONT_MATTER.match(written)
    return written.removesuffix("\n").split("\n") if match and match[0] == written else []


def _note_luggage(plan: Plan, ledger: Ledger, dialect: Dialect, *, first: bool) -> None:
    for key, value in plan.extras.get(dialect.name, {}).items():
        if not _written(plan, key, value, dialect, first=first):
            ledger.note(LUGGAGE_DROPPED, f"/extras/{dialect.name}/{key}", value, plan=plan)


def _written(plan: Plan, key: str, value: JSON, dialect: Dialect, *, first: bool) -> bool:
    match key:
        case "title_at":
            return _title_at(plan, dialect) == value
        case "front_matter":
            return first and bool(_front_matter(plan, dialect))
    return False
