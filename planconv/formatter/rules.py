"""The rules of the formatter: each with a code that never changes, a sentence, and its explanation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from planconv.errors import UsageError


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of the table.

    ``name`` is its other name in settings and options; ``default`` says whether it works without being
    asked for.
    """

    number: str
    name: str
    phrase: str
    explanation: str
    default: bool = True


BULLET = Rule(
    "PF001",
    "bullet",
    "items of checklists begin with `-`",
    "Of `-`, `*` and `+`, the dash is what agents, GitHub and most formatters write. Two lists that"
    " stand directly below each other are told apart by their bullets alone, so the second has another.",
)
BOX_MARK = Rule(
    "PF002",
    "box-mark",
    "a ticked box is `[x]`",
    "`[X]` means the same to every reader of GitHub's Markdown, and nothing to some scripts. Marks that"
    " only some tools know (`[-]`, `[~]`, `[/]`, `[>]`, `[!]`) stay, and so does `[x ]`, which is none.",
)
BOX_SPACE = Rule(
    "PF003",
    "box-space",
    "one blank stands between a box and its text",
    "Further blanks and tabs behind the box show nowhere. Blanks further on in the text stay.",
)
INDENT = Rule(
    "PF004",
    "indent",
    "items stand below the text of their parent, and so do paragraphs and code",
    "One blank follows the marker of a list item, and what belongs to the item begins in the column of its"
    " text. Of numbered lists, texts that are aligned with each other stay so. Where less indentation would"
    " draw what follows the list into it, the list stays as it is.",
)
BLANK_LINES = Rule(
    "PF005",
    "blank-lines",
    "one blank line is enough inside a checklist",
    "Of several blank lines one stays. No blank line is ever put in or taken away altogether, since that is"
    " what makes a list loose or tight. Blank lines in code stay.",
)
NUMBERING = Rule(
    "PF006",
    "numbering",
    "the numbers of ordered tasks go up by one",
    "Viewers count on from the first number, whatever the others are; they are made what is shown. A list"
    " whose numbers are all the same, or all 1 behind the first, is meant so and stays.",
)
FINAL_NEWLINE = Rule(
    "PF007",
    "final-newline",
    "the file ends with one line break",
    "A file that holds a checklist or a plan ends with a line break, of the kind that the file has, and"
    " without blank lines before it.",
)
JSON_LAYOUT = Rule(
    "PF008",
    "json-layout",
    "plan files in JSON have a stable layout",
    "A document is indented by two blanks a level; of a log, and of a message on one line, each record is"
    " one compact line. Keys keep their order, numbers and texts their spelling.",
)
PARENT_BOX = Rule(
    "PF101",
    "parent-box",
    "the box of a task with subtasks is ticked when all of them are",
    "Off unless asked for, because it changes what the file says. A task whose subtasks are marked with"
    " something else than `[ ]` and `[x]` keeps its box.",
    default=False,
)
SUMMARY = Rule(
    "PF102",
    "summary",
    "a count such as `(3/7)` at the end of a task or heading tells what is done",
    "Off unless asked for, because it changes what the file says. Counted are the tasks directly below a"
    " task or, at a heading, those of its section; where it was of all, however deep, it stays so.",
    default=False,
)

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.number: rule
        for rule in (
            BULLET,
            BOX_MARK,
            BOX_SPACE,
            INDENT,
            BLANK_LINES,
            NUMBERING,
            FINAL_NEWLINE,
            JSON_LAYOUT,
            PARENT_BOX,
            SUMMARY,
        )
    }
)
"""Code to rule, in the order of the codes."""

DEFAULTS = frozenset(rule for rule in RULES.values() if rule.default)


def choose(
    select: Iterable[str] | None, extend: Iterable[str] | None, ignore: Iterable[str] | None
) -> frozenset[Rule]:
    """The rules that work: ``select`` (without it the usual ones) and ``extend`` without ``ignore``.

    Raises:
        UsageError: a word names no rule.
    """
    chosen = DEFAULTS if select is None else find_rules(select)
    return (chosen | find_rules(extend or ())) - find_rules(ignore or ())


def find_rules(words: Iterable[str]) -> frozenset[Rule]:
    """The rules that are named by code, by the beginning of codes (``PF1``), by name, or by ``ALL``.

    Raises:
        UsageError: a word names no rule.
    """
    found: set[Rule] = set()
    for word in words:
        named = [
            rule
            for rule in RULES.values()
            if word in {"ALL", rule.name} or (word[:2] == "PF" and rule.number.startswith(word))
        ]
        if not named:
            raise UsageError(f"there is no rule {word!r}; `planconv explain` lists all")
        found.update(named)
    return frozenset(found)
