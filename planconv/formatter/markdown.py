"""Markdown files: checklists laid out anew, with a proof that nothing else has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from planconv.formatter.layout import VERBATIM, lay_out
from planconv.formatter.lines import split_lines
from planconv.formatter.proof import compare
from planconv.formatter.refusal import RefusedError
from planconv.formatter.rules import FINAL_NEWLINE, PARENT_BOX, SUMMARY, Rule
from planconv.formatter.ticks import keep_true
from planconv.markdown.outline import ListPart, Outline, Part, Quote, lists_of, read_outline

if TYPE_CHECKING:
    from planconv.markdown.parser import Token

_BOM = "\ufeff"


def format_markdown(text: str, rules: frozenset[Rule]) -> str:
    """The text with its checklists formatted; as it is if it has none.

    Raises:
        DecodeError: lists or quotes are nested too deeply.
        RefusedError: the result would not be the same page and plan, or not be final.
    """
    bom, text = text[: text.startswith(_BOM)], text.removeprefix(_BOM)
    lines, ends = split_lines(text)
    outline = read_outline(lines)
    if not any(part.checklist for part in lists_of(outline.blocks)):
        return bom + text
    if rules & {PARENT_BOX, SUMMARY}:
        outline = _kept_true(outline, rules)
    return bom + _formatted(outline, ends, rules)


def _kept_true(outline: Outline, rules: frozenset[Rule]) -> Outline:
    """The document with true boxes and counts."""
    lines = keep_true(outline, rules)
    changed = read_outline(lines)
    if compare(outline, changed, ignore_state=True) or keep_true(changed, rules) != lines:
        raise RefusedError("the boxes and counts of parents cannot be kept true", "\n".join(outline.lines))
    return changed


def _formatted(outline: Outline, ends: Sequence[str], rules: frozenset[Rule]) -> str:
    lines, kept_ends = _laid_out(outline, ends, rules)
    if lines != outline.lines:
        again = read_outline(lines)
        reason = _objection(outline, again, kept_ends, rules)
        if reason:
            raise RefusedError(reason, _smallest(outline, rules))
    return "".join(line + end for line, end in zip(lines, kept_ends, strict=True))


def _laid_out(outline: Outline, ends: Sequence[str], rules: frozenset[Rule]) -> tuple[list[str], list[str]]:
    pairs = [
        (line, end) for line, end in zip(lay_out(outline, rules), ends, strict=True) if line is not None
    ]
    if FINAL_NEWLINE in rules:
        pairs = _with_final_newline(pairs, _last_shown(outline), Counter(ends[:-1]))
    return [line for line, _ in pairs], [end for _, end in pairs]


def _last_shown(outline: Outline) -> bool:
    """Whether blank lines at the end of the document are shown, in code that is never closed."""
    end = len(outline.lines)
    while end and not outline.lines[end - 1].strip(" \t>"):
        end -= 1
    last = max(
        (token for token in outline.tokens if token.map and not token.nesting), key=_end, default=None
    )
    if last is None or last.type not in VERBATIM or _end(last) < end:
        return False
    opening, closing = outline.lines[(last.map or [0])[0]], outline.lines[end - 1]
    mark = last.markup[:1]
    # A line that is indented further may be part of the code.
    closed = (
        last.type == "fence"
        and end - 1 > (last.map or [0])[0]
        and last.markup in closing
        and not closing.strip(" \t>" + mark)
        and closing.index(mark) <= opening.index(mark)
    )
    return not closed


def _end(token: Token) -> int:
    return token.map[1] if token.map else 0


def _with_final_newline(
    pairs: list[tuple[str, str]], last_shown: bool, ends: Counter[str]
) -> list[tuple[str, str]]:
    usual = max(ends, key=lambda end: ends[end]) if ends else "\n"
    if last_shown and not pairs[-1][0].strip(" \t>"):
        return pairs
    if pairs[-1][0]:
        pairs = [*pairs[:-1], (pairs[-1][0], usual), ("", "")]
    count = len(pairs) - 1
    while not last_shown and count > 1 and not pairs[count - 1][0].strip(" \t"):
        count -= 1
    return [*pairs[:count], ("", "")]


def _objection(old: Outline, new: Outline, ends: Sequence[str], rules: frozenset[Rule]) -> str:
    """What is wrong with the result; ``""`` if it is proved to be right."""
    difference = compare(old, new)
    if difference is not None:
        return f"formatting the list at line {difference.line + 1} would change what is shown"
    if _laid_out(new, ends, rules)[0] != new.lines:
        return "a second pass would change the file again"
    return ""


# --- the smallest part that shows it -----------------------------------------------------------------


def _smallest(outline: Outline, rules: frozenset[Rule]) -> str:
    """The shortest piece of the document that cannot be formatted: an item, a list, or all of it."""
    whole = "\n".join(outline.lines)
    pieces: list[str] = []
    for part in _outermost(outline.blocks):
        pieces.append("\n".join(outline.lines[part.start : part.end]))
        pieces += ["\n".join(outline.lines[item.start : item.end]) for item in part.items]
    return min((piece for piece in pieces if _fails(piece, rules)), key=len, default=whole)


def _outermost(blocks: Sequence[Part]) -> list[ListPart]:
    found: list[ListPart] = []
    for block in blocks:
        if isinstance(block, ListPart):
            found.append(block)
        elif isinstance(block, Quote):
            found += _outermost(block.blocks)
    return found


def _fails(piece: str, rules: frozenset[Rule]) -> bool:
    outline = read_outline(piece.split("\n"))
    ends = ["\n"] * (len(outline.lines) - 1) + [""]
    lines, kept = _laid_out(outline, ends, rules)
    return bool(_objection(outline, read_outline(lines), kept, rules))
