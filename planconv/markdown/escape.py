"""What has to be escaped in a text so that Markdown shows it as it is: tables, one comment a row.

A row is a pattern; every character that it matches gets a backslash. A row looks only at the text
around it, so it may escape more than this very place needs; the writer first tries without
:data:`ANYWHERE`, and keeps that if it is read back the same.
"""

from __future__ import annotations

import functools
import re

from planconv.markdown.rules import EMOJI_NAME

_PUNCTUATION = r"!-/:-@\[-`{-~"

_ANYWHERE = (
    # A backslash before punctuation would escape it, and at the end of a run whatever comes next.
    rf"\\(?=[{_PUNCTUATION}]|\Z)",
    # A backtick can open or close code.
    r"`",
    # A star can open or close emphasis, unless blanks stand on both sides of it.
    r"(?<![ \t])\*|\*(?![ \t])",
    # An underscore does so only at the edge of a word: `snake_case` is safe, `__init__` is not.
    r"(?<!\w)_|_(?!\w)",
    # A tilde behind a blank can only begin to strike out, and without an end it does not: `~250px`.
    r"(?<![ \t])~|~\Z",
    # A bracket and a parenthesis make a link or a picture of the text before them.
    r"\](?=\()",
    # A tag, comment, declaration or instruction of HTML, or an address in angle brackets.
    r"<(?=[A-Za-z/!?]|[^\s<>]+@)",
    # An entity is shown as the character it stands for.
    r"&(?=\#[0-9xX]|[A-Za-z][A-Za-z0-9]*;)",
    # A name between colons is an emoji.
    rf"(?<![^\W_]):(?={EMOJI_NAME}:)",
    # An address that stands in the text becomes a link (GFM §6.9).
    r"(?<=[hH][tT][tT][pP]):(?=//)|(?<=[hH][tT][tT][pP][sS]):(?=//)",
)

_IN_BRACKETS = (
    # Inside a label, and beside links, a bracket could close the label or open another one. A bare
    # address behind an open bracket is no link in cmark-gfm.
    r"[\[\]]",
)

_BEFORE_BRACKET = (
    # An exclamation mark makes a picture of the link that follows it.
    r"!\Z",
)

_IN_TASK = (
    # cmark-gfm ticks the box of a task if `[x]` stands anywhere in its first line.
    r"(?<=\[[xX])\]",
)

_EVERYTHING = (
    # The last resort: whatever can ever be markup.
    r"[\\`*_\[\]<>&~:!|#]",
)

_PLAIN = (
    # In a plain-text field every escape is seen, so a text has either none of them or all.
    rf"[{_PUNCTUATION}]",
)

_BLOCK_STARTS = (
    # A quote.
    r">",
    # A heading.
    r"\#(?=\#{0,5}(?:[ \t]|\Z))",
    # A bullet.
    r"[-+*](?=[ \t]|\Z)",
    # The delimiter behind a number makes a list of it.
    r"(?<=[0-9])[.)](?=[ \t]|\Z)",
    # A rule, or the underline of a heading: one character, repeated.
    r"(?:-(?=-+[ \t]*\Z)|([-*_])(?=[ \t]*\1(?:[ \t]*\1)+[ \t]*\Z)|=(?==*[ \t]*\Z))",
    # A fence of code: tildes, or backticks with none behind them.
    r"~(?=~~)|`(?=``+[^`]*\Z)",
    # A row of a table, or the row of dashes below its header.
    r"[|:](?=[-:| \t]*\Z)",
)

_BOXES = (
    # A box, behind a bullet.
    r"\[(?=[ \u00a0xX~/>!-]\](?:[ \t]|\Z))",
)

_DEFINITIONS = (
    # A definition of a link; it cannot interrupt a paragraph, but its label may take several lines.
    r"\[(?=(?:[^\[\]\\]|\\.)*\]:)",
)

_HEADING_ENDS = (
    # Number signs behind a heading belong to its mark.
    r"(?:(?<=[ \t])|\A)\#(?=\#*\Z)",
)


def _pattern(*rows: str) -> re.Pattern[str]:
    return re.compile("|".join(rows), re.DOTALL)


ANYWHERE = _pattern(*_ANYWHERE)
NOWHERE = _pattern(r"(?!)")
EVERYTHING = _pattern(*_EVERYTHING)
PLAIN_TEXT = _pattern(*_PLAIN)

_BLOCK_START = _pattern(*_BLOCK_STARTS)
_BOX = _pattern(*_BOXES)
_DEFINITION = _pattern(*_DEFINITIONS)
_HEADING_END = _pattern(*_HEADING_ENDS)
_NUMBER = re.compile(r"[0-9]{1,9}(?=[.)])")


def escape(
    text: str,
    rows: re.Pattern[str] = ANYWHERE,
    *,
    brackets: bool = False,
    link_follows: bool = False,
    in_task: bool = False,
) -> str:
    """``text`` with a backslash before each character that the rows match."""
    return _combined(rows, brackets, link_follows, in_task).sub(r"\\\g<0>", text)


@functools.cache
def _combined(rows: re.Pattern[str], brackets: bool, link_follows: bool, in_task: bool) -> re.Pattern[str]:
    """The rows with those that the place demands; compiled when first needed, since few ever are."""
    return _pattern(
        rows.pattern,
        *(_IN_BRACKETS if brackets else ()),
        *(_BEFORE_BRACKET if link_follows else ()),
        *(_IN_TASK if in_task else ()),
    )


def escape_start(line: str) -> str:
    """A written line that does not begin a block."""
    number = _NUMBER.match(line)
    return _escaped(line, _BLOCK_START.match(line, number.end() if number else 0))


def escape_box(paragraph: str) -> str:
    """A written paragraph that does not make a task of the item that it may stand in."""
    return _escaped(paragraph, _BOX.match(paragraph))


def escape_definition(paragraph: str) -> str:
    """A written paragraph that does not begin with the definition of a link."""
    return _escaped(paragraph, _DEFINITION.match(paragraph))


def escape_heading_end(line: str) -> str:
    """A written line that can stand behind ``#`` without losing its end."""
    return _escaped(line, _HEADING_END.search(line))


def _escaped(line: str, match: re.Match[str] | None) -> str:
    return f"{line[: match.start()]}\\{line[match.start() :]}" if match else line
