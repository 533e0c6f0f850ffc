"""The sections of a document, and what their headings say about the numbers below them."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from planconv.markdown.step_marks import read_label, read_marks
from planconv.model import PLAIN, Block, Heading, Line, Paragraph, Style, plain_text

NUMBERED = re.compile(r"(?:[^\w\s]{1,8}\s+)?(?:(\d+(?:\.\d+)+)[.):]?|(\d+)[.):])\s+\S")
"""A heading with a number: ``1.2 Title`` or ``3. Title``, perhaps behind a sign."""

_PLAN_NAME = re.compile(
    r"""(?:the\s+)?
    (?:(?:proposed|implementation|development|migration|refactor(?:ing)?|execution|rollout|detailed|concrete
       |next|action|work|development|high-level)\s+)*
    (?:plan(?:\s+of\s+(?:work|action))?|steps?|tasks?|to-?\s?dos?|to-?\s?do\s+list|phases|milestones|roadmap
       |implementation|approach|changes|actions|work\s+items|action\s+items|procedure)""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_NAME = re.compile(
    r"""(?:.*\s)?(?:background|context|motivation|summary|overview|introduction|findings|conclusions?|decisions?
    |references|sources|links|related|risks?|mitigations?|(?:open\s+)?questions|alternatives|assumptions
    |constraints|principles|(?:non-?)?goals?|objectives?|definition\s+of\s+done|out\s+of\s+scope|scope
    |notes?|glossary|appendix|faq|verification|validation|testing|test\s+plan|criteria|requirements|troubleshooting|examples?)
    (?:\s+(?:and|&|/)\s.*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_ORDER_NAME = re.compile(
    r"(?:.*\s)?order(?:\s+of\s+\w+)?|(?:.*\s)?(?:table\s+of\s+contents|contents)", re.IGNORECASE
)
_SIGNS = re.compile(r"\A\W+|[\s:]+\Z")
_BOLD_LEVEL = 7
"""A paragraph in bold that is a heading stands below all headings."""


class Scope(enum.Enum):
    """What is said about the numbered steps of a section by the headings above them."""

    TASK = enum.auto()
    PLAN = enum.auto()
    UNSAID = enum.auto()
    OTHER = enum.auto()


SAID = (Scope.TASK, Scope.PLAN)
"""Where numbered steps are tasks because the headings say so."""


@dataclass(slots=True)
class Section:
    """A heading with what stands below it; the document itself has none."""

    heading: Block | None = None
    line: Line = ()
    level: int = 0
    own: list[Block] = field(default_factory=list)
    below: list[Section] = field(default_factory=list)


def read_sections(blocks: Iterable[Block]) -> Section:
    """The document as a section, with the sections below it, each with those of deeper levels in it."""
    open = [Section()]
    for block in blocks:
        level = heading_level(block)
        if not level or not isinstance(block, Heading | Paragraph):
            open[-1].own.append(block)
            continue
        while open[-1].level >= level:
            open.pop()
        section = Section(block, block.line, level)
        open[-1].below.append(section)
        open.append(section)
    return open[0]


def heading_level(block: Block) -> int:
    """The level of a heading, 0 of any other block; ``**Step 1: …**`` alone in a paragraph is a heading."""
    match block:
        case Heading(level):
            return level
        case Paragraph(line) if _begins_bold(line):
            title = read_marks(line).title
            return _BOLD_LEVEL if read_label(plain_text(title)) and _is_bold(title) else 0
    return 0


def _begins_bold(line: Line) -> bool:
    """Whether one of the first spans is bold; a mark may stand before it."""
    return _is_bold(line[:1]) or _is_bold(line[1:2])


def _is_bold(line: Line) -> bool:
    return bool(line) and all(getattr(span, "style", PLAIN) & Style.BOLD for span in line)


def block_label(block: Block) -> str:
    """``phase 2``, if a block is a heading that says so."""
    if not isinstance(block, Heading | Paragraph) or not heading_level(block):
        return ""
    return read_label(plain_text(read_marks(block.line).title)).lower()


def _name(title: str) -> str:
    """What a heading says, without its number and the signs around it."""
    number = NUMBERED.match(title)
    name = title[number.end() - 1 :] if number else title
    return _SIGNS.sub("", name)


def scope_below(title: str, outer: Scope) -> Scope:
    """What a heading says about the numbers below it, where ``outer`` is what those above it say."""
    name = _name(title)
    if _PLAN_NAME.fullmatch(name):
        return outer if outer is Scope.TASK else Scope.PLAN
    return Scope.OTHER if _OTHER_NAME.fullmatch(name) else outer


def only_orders(title: str) -> bool:
    """Whether a section says again in which order the steps are to be done, which other headings name."""
    return _ORDER_NAME.fullmatch(_name(title)) is not None
