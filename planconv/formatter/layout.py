"""The formatter's work on Markdown: checklists are laid out anew, everything else stays as it is.

Each line is read container by container while its replacement grows beside it, so that an item can move
and take along whatever stands in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from planconv.formatter import doubts, markers
from planconv.formatter.lines import Cursor
from planconv.formatter.markers import Marker
from planconv.formatter.rules import BLANK_LINES, BOX_MARK, BOX_SPACE, BULLET, INDENT, NUMBERING, Rule
from planconv.markdown.outline import Item, Leaf, ListPart, Outline, Part, Quote

VERBATIM = {"fence", "code_block", "html_block"}
"""Leaves whose blanks and blank lines are shown."""

_IN_PLACE = {"code_block", "html_block"}
"""Leaves whose own indentation is shown, or makes them what they are."""

_CODE = 4
"""Columns that make an indented line code (CommonMark §4.4)."""

_BEGINS = re.compile(r"\d+[.)]|[^\w \t]")
"""How a line begins that may be more than text."""

_FENCE = re.compile("```|~~~")
_LINK = re.compile(r"\[[xX]\]:")
_MARKER = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_BOX = re.compile(r"(\[.\])([ \t]+)(?=[^ \t])")


@dataclass(slots=True)
class _Plan:
    """What becomes of a list: where each marker goes, what it will be, and the blanks behind it."""

    old: list[Marker]
    new: list[Marker]


def lay_out(outline: Outline, rules: frozenset[Rule]) -> list[str | None]:
    """The lines of the document as they will be; ``None`` for one that goes."""
    if any("]:" in line and _LINK.search(line) for line in outline.lines):
        rules -= {BOX_MARK}  # a reader that does not know boxes shows `[X]` as a link there
    left_alone = set(doubts.left_alone(outline.blocks, outline.lines))
    while True:
        work = _Layout(outline.lines, rules, frozenset(left_alone))
        work.blocks(outline.blocks, inside=False)
        doubtful = set(doubts.with_next(outline.blocks, work.doubtful)) - left_alone
        if not doubtful:
            break
        left_alone |= doubtful
    formatted = [block for block in outline.blocks if id(block) not in left_alone]
    gone = _surplus(formatted, outline.lines) if BLANK_LINES in rules else set()
    return [None if n in gone else line.finished() for n, line in enumerate(work.lines)]


class _Layout:
    def __init__(self, lines: Sequence[str], rules: frozenset[Rule], left_alone: frozenset[int]) -> None:
        self.lines = [Cursor(line) for line in lines]
        self._rules = rules
        self._left_alone = left_alone
        self._outermost: int | None = None
        self.doubtful: set[int] = set()
        """The outermost blocks that hold a marker so far to the right that viewers may see none."""

    def blocks(self, blocks: Sequence[Part], *, inside: bool) -> None:
        """Lay out the blocks of one container; ``inside`` says that a checklist item holds them."""
        plans = self._plans(blocks, inside=inside)
        outermost = self._outermost
        for block in blocks:
            if id(block) in self._left_alone:
                continue
            self._outermost = outermost or id(block)
            if isinstance(block, Leaf):
                self._leaf(block, inside=inside)
            elif isinstance(block, Quote):
                self._quote(block, inside=inside)
            else:
                self._list(block, plans[id(block)], inside=inside)
        self._outermost = outermost

    # --- what lists will be ------------------------------------------------------------------------

    def _plans(self, blocks: Sequence[Part], *, inside: bool) -> dict[int, _Plan]:
        """What becomes of each list, decided from the last to the first.

        A list must not reach as far to the left as what follows it, since it would draw that in.
        """
        bullets = self._bullets(blocks)
        plans: dict[int, _Plan] = {}
        follows = -1
        for block in reversed(blocks):
            if isinstance(block, ListPart):
                plan = self._plan(block, bullets.get(id(block), ""), follows, inside=inside)
                plans[id(block)] = plan
                follows = plan.new[0].indent
            else:
                indent = self.lines[block.start].indent()
                shift = self._shift(block) if inside and self._indents else 0
                follows = indent - shift
        return plans

    @property
    def _indents(self) -> bool:
        return INDENT in self._rules

    def _bullets(self, blocks: Sequence[Part]) -> dict[int, str]:
        """The bullet of each bullet list that is a checklist."""
        lists = [
            (block, self._neighbour(blocks, n, -1), self._neighbour(blocks, n, 1))
            for n, block in enumerate(blocks)
            if isinstance(block, ListPart)
        ]
        # Of lists with the same marker, cmark-gfm may see one where the parser sees two.
        free = {
            id(part)
            for part, before, after in lists
            if self._may(BULLET, part)
            and not part.ordered
            and part.marker not in {other.marker for other in (before, after) if other}
        }
        chosen: dict[int, str] = {}
        for part, before, after in lists:
            if id(part) in free:
                above = chosen.get(id(before), before.marker) if before else ""
                below = after.marker if after and id(after) not in free else ""
                rests = [self._marker(item.start).rest for item in part.items]
                chosen[id(part)] = markers.bullet(part.marker, above, below, rests)
        return chosen

    def _neighbour(self, blocks: Sequence[Part], n: int, step: int) -> ListPart | None:
        """The nearest list above or below, if no other block stands between, or no blank line."""
        other = n + step
        while 0 <= other < len(blocks):
            block = blocks[other]
            upper, lower = blocks[min(other, other - step)], blocks[max(other, other - step)]
            touching = upper.end == lower.start and not self.lines[lower.start - 1].blank
            if isinstance(block, ListPart) and (touching or other == n + step):
                return block
            if not touching:
                return None
            other += step
        return None

    def _may(self, rule: Rule, part: ListPart) -> bool:
        return rule in self._rules and part.checklist and id(part) not in self._left_alone

    def _plan(self, part: ListPart, bullet: str, follows: int, *, inside: bool) -> _Plan:
        old = [self._marker(item.start) for item in part.items]
        if any(marker.indent >= _CODE for marker in old):
            self.doubtful.add(self._outermost or id(part))
        texts = [bullet or marker.text for marker in old]
        if part.ordered and self._may(NUMBERING, part):
            counted = markers.numbers([marker.text[:-1] for marker in old])
            texts = [number + part.marker for number in counted]
        moves = self._may(INDENT, part) or (inside and self._indents)
        paddings = [marker.padding for marker in old]
        if self._may(INDENT, part) and not _holds_code(part):
            paddings = markers.paddings(old, texts, ordered=part.ordered)
        new = [
            Marker(0 if moves else marker.indent, text, padding, marker.rest, marker.loose)
            for marker, text, padding in zip(old, texts, paddings, strict=True)
        ]
        if new[-1].width <= follows or self._would_begin(part, old, new):
            kept = [marker.text if part.ordered else bullet or marker.text for marker in old]
            new = [
                Marker(marker.indent, text, marker.padding, marker.rest, marker.loose)
                for marker, text in zip(old, kept, strict=True)
            ]
        return _Plan(old, new)

    def _would_begin(self, part: ListPart, old: Sequence[Marker], new: Sequence[Marker]) -> bool:
        """Whether a line that goes on with a paragraph might begin a block where it would have to go.

        It is indented less than its item, and more than the item will be.
        """
        for item, before, after in zip(part.items, old, new, strict=True):
            for number in range(item.start + 1, item.end if after.width < before.width else 0):
                line = self.lines[number]
                text = line.rest.lstrip(" \t")
                if after.width <= line.indent() < before.width and (_BEGINS.match(text) or "|" in text):
                    return True
        return False

    def _marker(self, line: int) -> Marker:
        ahead = self.lines[line].copy()
        indent = ahead.indent()
        ahead.skip(indent)
        text = markers.read_marker(ahead.rest)
        ahead.take(len(text))
        padding = ahead.indent()
        rest = ahead.rest
        loose = 0 < padding <= _CODE and not ahead.blank
        return Marker(indent, text, padding if loose else 1, rest, loose)

    # --- lists and what they hold ------------------------------------------------------------------

    def _list(self, part: ListPart, plan: _Plan, *, inside: bool) -> None:
        for item, old, new in zip(part.items, plan.old, plan.new, strict=True):
            self._begin_item(self.lines[item.start], old, new)
            for number in range(item.start + 1, item.end):
                _go_below(self.lines[number], old.width, new.width)
            if item.box:
                self._box(item)
            self.blocks(item.blocks, inside=inside or part.checklist)

    def _begin_item(self, line: Cursor, old: Marker, new: Marker) -> None:
        line.skip(old.indent)
        line.put(" " * new.indent, old.indent)
        line.put(new.text, line.take(len(old.text)))
        if old.loose:
            before = line.rest[: len(line.rest) - len(line.rest.lstrip(" \t"))]
            line.skip(old.padding)
            line.put(" " * new.padding, before)
        elif not line.blank:
            line.keep_indent(1)

    def _box(self, item: Item) -> None:
        line = self.lines[item.start]
        seen = _MARKER.fullmatch(line.text, 0, line.position)  # cmark-gfm sees no box in quotes
        if BOX_MARK in self._rules and seen and line.rest.startswith("[X]"):
            line.replace_rest("[x]" + line.rest[3:])
        if BOX_SPACE in self._rules and getattr(item.blocks[0], "kind", "") == "paragraph_open":
            line.replace_rest(_BOX.sub(r"\1 ", line.rest, count=1) if _BOX.match(line.rest) else line.rest)

    def _quote(self, quote: Quote, *, inside: bool) -> None:
        shift = self._shift(quote) if inside and self._indents else 0
        for number in range(quote.start, quote.end):
            line = self.lines[number]
            if line.lazy:
                continue
            indent = line.indent()
            line.skip(indent)
            line.put(" " * max(0, indent - shift), indent)
            if line.rest.startswith(">"):
                line.put(">", line.take(1))
                line.keep_indent(1)
            else:
                line.lazy = True
        self.blocks(quote.blocks, inside=inside)

    def _shift(self, leaf: Leaf | Quote) -> int:
        """By how many columns a block goes to the left, so that it begins below the text of its item."""
        shift = self.lines[leaf.start].indent()
        if isinstance(leaf, Quote):
            return shift
        if leaf.kind in _IN_PLACE:
            return 0
        begins = _FENCE if leaf.kind == "fence" else _BEGINS
        for line in self.lines[leaf.start : leaf.end] if shift else ():
            if _CODE <= line.indent() < _CODE + shift and begins.match(line.rest.lstrip(" \t")):
                return 0  # the line is only text because it stands so far to the right
        return shift

    def _leaf(self, leaf: Leaf, *, inside: bool) -> None:
        shift = self._shift(leaf) if inside and self._indents else 0
        for number in range(leaf.start, leaf.end):
            line = self.lines[number]
            if line.lazy:
                continue
            indent = line.indent()
            if leaf.kind == "code_block":
                line.keep_indent(_CODE)
            elif leaf.kind == "html_block":
                line.keep_indent(indent if number == leaf.start else 0)
            elif leaf.kind == "fence":
                away = line.skip(min(shift, indent))
                line.put("", away)
            else:
                line.skip(indent)
                line.put(" " * max(0, indent - shift), indent)


def _go_below(line: Cursor, old: int, new: int) -> None:
    """Read the indentation of a line in an item: ``old`` columns, to be ``new`` ones."""
    if line.lazy:
        return
    indent = line.indent()
    if indent >= old:
        line.skip(old)
        line.put(" " * new, old)
    elif line.blank:
        line.skip(indent)
        line.put(" " * min(indent, new), indent)
    else:
        line.skip(indent)
        line.put(" " * min(indent, new - 1), indent)
        line.lazy = True


def _holds_code(part: ListPart) -> bool:
    """Whether indented code stands directly in an item."""
    return any(isinstance(b, Leaf) and b.kind == "code_block" for item in part.items for b in item.blocks)


# --- blank lines -----------------------------------------------------------------------------------


def _surplus(blocks: Sequence[Part], lines: Sequence[str]) -> set[int]:
    """The blank lines of checklists behind another blank line, outside of code and HTML."""
    gone: set[int] = set()
    _collect(blocks, lines, gone, inside=False)
    return gone


def _collect(blocks: Sequence[Part], lines: Sequence[str], gone: set[int], *, inside: bool) -> None:
    for block in blocks:
        if isinstance(block, Quote):
            _collect(block.blocks, lines, gone, inside=inside)
        elif isinstance(block, ListPart):
            if block.checklist and not inside:
                gone.update(_blank_behind_blank(block, lines))
            else:
                for item in block.items:
                    _collect(item.blocks, lines, gone, inside=inside or block.checklist)


def _blank_behind_blank(part: ListPart, lines: Sequence[str]) -> set[int]:
    shown = _shown(part)
    end = part.end
    while end > part.start and not lines[end - 1].strip(" \t"):
        end -= 1
    blank = [not lines[n].strip(" \t") and n not in shown for n in range(part.start, end)]
    return {part.start + n for n in range(1, len(blank)) if blank[n] and blank[n - 1]}


def _shown(part: ListPart) -> set[int]:
    """The lines of code and HTML in a list."""
    found: set[int] = set()
    waiting: list[Part] = [part]
    while waiting:
        block = waiting.pop()
        if isinstance(block, ListPart):
            waiting += [inner for item in block.items for inner in item.blocks]
        elif isinstance(block, Quote):
            waiting += block.blocks
        elif block.kind in VERBATIM:
            found.update(range(block.start, block.end))
    return found
