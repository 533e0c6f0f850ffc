"""Spans to marked-up source: as few marks as the styles need, links and code kept in one piece."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from planconv.markdown.escape import escape
from planconv.markdown.inline_read import SEPARATOR
from planconv.markdown.rules import EMOJI_NAME, find_url
from planconv.model import PLAIN, Emoji, Image, Line, Link, RawSpan, Span, Style, Text, make_line

_MARKS = {
    Style.STRIKE: ("~~", "~~"),
    Style.ITALIC: ("*", "*"),
    Style.BOLD: ("**", "**"),
    Style.UNDERLINE: ("<u>", "</u>"),
    Style.HIGHLIGHT: ("<mark>", "</mark>"),
}
"""The marks of each style; of two that cover the same text the first one goes outside."""

_FLANKING = (Style.BOLD, Style.ITALIC, Style.STRIKE)
"""Styles whose marks must not touch blanks on their inner side (CommonMark §6.2)."""

_EMOJI = re.compile(f":{EMOJI_NAME}:")
_AUTOLINK = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>\x00-\x20]*")


class Separate(enum.Enum):
    """Where marks are kept apart by a comment that is not seen."""

    NOWHERE = enum.auto()
    WHERE_NEEDED = enum.auto()
    EVERYWHERE = enum.auto()


class Escaping(NamedTuple):
    """How texts are escaped: the rows of the table, whether brackets are, whether ``[x]`` is."""

    rows: re.Pattern[str]
    brackets: bool
    in_task: bool


# --- blanks -------------------------------------------------------------------------------------


def settle_blanks(line: Line) -> Line:
    """The line with the blanks at the edges of bold, italic and struck runs outside of them."""
    if not any(isinstance(span, Text) and span.style and _blank_edges(span.text) for span in line):
        return line
    settled: list[Span] = []
    for unit in _settled(_units(_cut_blanks(line))):
        alone = len(unit.spans) == 1
        parts = [unit] if alone else _settled([_Unit((span,), _style(span)) for span in unit.spans])
        settled += [_restyled(part.spans[0], part.style) for part in parts]
    return make_line(settled)


def _blank_edges(text: str) -> bool:
    return text[0].isspace() or text[-1].isspace()


class _Unit(NamedTuple):
    """Spans that are written in one piece: a link with its label, or a single span.

    ``style`` is what all of them have.
    """

    spans: tuple[Span, ...]
    style: Style
    link: Link | None = None

    @property
    def blank(self) -> bool:
        return all(isinstance(span, Text) and span.text.isspace() for span in self.spans)


def _cut_blanks(line: Line) -> list[Span]:
    """The spans with each text cut into words and the blanks at its edges."""
    cut: list[Span] = []
    for span in line:
        if not isinstance(span, Text) or span.style & Style.CODE or not span.style:
            cut.append(span)
            continue
        core = span.text.strip()
        start = span.text.find(core) if core else len(span.text)
        pieces = (span.text[:start], core, span.text[start + len(core) :])
        cut += [Text(piece, span.style, span.link) for piece in pieces if piece]
    return cut


def _units(spans: Sequence[Span]) -> list[_Unit]:
    units: list[_Unit] = []
    for link, group in groupby(spans, key=lambda span: getattr(span, "link", None)):
        members = tuple(group)
        if link is None:
            units += [_Unit((span,), _style(span)) for span in members]
        else:
            common = ~PLAIN
            for span in members:
                common &= _style(span)
            units.append(_Unit(members, common, link))
    return units


def _settled(units: list[_Unit]) -> list[_Unit]:
    """The units, a blank one with no flanking style that the words on both sides do not have."""
    before = _styles_of_words(units)
    after = _styles_of_words(units[::-1])[::-1]
    flanking = Style.BOLD | Style.ITALIC | Style.STRIKE  # as in _FLANKING
    return [
        _Unit(unit.spans, unit.style & (~flanking | (left & right)), unit.link)
        if unit.blank and not unit.style & Style.CODE
        else unit
        for unit, left, right in zip(units, before, after, strict=True)
    ]


def _styles_of_words(units: Sequence[_Unit]) -> list[Style]:
    """For each unit the style of the nearest unit before it that is not blank."""
    styles: list[Style] = []
    last = PLAIN
    for unit in units:
        styles.append(last)
        if not unit.blank or unit.style & Style.CODE:
            last = unit.style
        else:
            last &= unit.style
    return styles


def _style(span: Span) -> Style:
    match span:
        case Text(_, style) | Image(_, _, _, style) | Emoji(_, _, _, style):
            return style
    return PLAIN


def _restyled(span: Span, style: Style) -> Span:
    return Text(span.text, style, span.link) if isinstance(span, Text) else span


# --- marks --------------------------------------------------------------------------------------


def write_spans(spans: Line, escaping: Escaping, separate: Separate) -> str:
    """Spans without breaks as source, in this way of escaping and of keeping marks apart."""
    pieces = _Pieces(escaping, separate)
    pieces.add(_units(spans), PLAIN)
    return pieces.joined()


class _Mark(str):
    """A mark, as opposed to text that looks like one; ``opens`` or closes a flanking style."""

    __slots__ = ("opens",)
    opens: bool

    def __new__(cls, source: str, opens: bool) -> _Mark:
        mark = super().__new__(cls, source)
        mark.opens = opens
        return mark


class _Pieces:
    """Source under construction: texts and marks in their order."""

    def __init__(self, escaping: Escaping, separate: Separate) -> None:
        self._escaping = escaping
        self._separate = separate
        self._parts: list[str] = []

    def add(self, units: Sequence[_Unit], active: Style) -> None:
        """Write units inside the marks of the ``active`` styles, the longest run outside."""
        index = 0
        while index < len(units):
            style, end = _longest_run(units, index, active)
            if not style:
                self._add_unit(units[index], active, units[index + 1] if index + 1 < len(units) else None)
                index += 1
                continue
            opening, closing = _MARKS[style]
            self._parts.append(_Mark(opening, True) if style in _FLANKING else opening)
            self.add(units[index:end], active | style)
            self._parts.append(_Mark(closing, False) if style in _FLANKING else closing)
            index = end

    def _add_unit(self, unit: _Unit, active: Style, following: _Unit | None) -> None:
        if unit.link is None:
            self._parts.append(self._leaf(unit.spans[0], following))
            return
        bare = self._bare(unit, active, following)
        if bare:
            self._parts.append(bare)
            return
        label = _Pieces(Escaping(self._escaping.rows, True, self._escaping.in_task), self._separate)
        label.add([_Unit((span,), _style(span)) for span in unit.spans], active)
        self._parts.append(f"[{label.joined()}]({_destination(unit.link.url, unit.link.title)})")

    def _leaf(self, span: Span, following: _Unit | None) -> str:
        match span:
            case Text(text, style) if style & Style.CODE:
                return _code(text)
            case Text(text):
                before_bracket = following is not None and following.link is not None
                return escape(
                    text,
                    self._escaping.rows,
                    brackets=self._escaping.brackets,
                    link_follows=before_bracket,
                    in_task=self._escaping.in_task,
                )
            case Image(url, alt, title):
                label = escape(alt, self._escaping.rows, brackets=True)
                return f"![{label}]({_destination(url, title)})"
            case Emoji(name):
                return f":{name}:"
            case RawSpan(_, source):
                return source
        raise TypeError(f"{span!r} has no form of its own in Markdown")

    def _bare(self, unit: _Unit, active: Style, following: _Unit | None) -> str:
        """The address alone, if it is its own label: as it stands, in angle brackets, or ``""``."""
        match unit.spans:
            case (Text(text, style, Link(url, "")),) if text == url and style == active:
                pass
            case _:
                return ""
        next_text = following.spans[0] if following else None
        ends = next_text is None or (
            isinstance(next_text, Text) and re.match(r"[ \t]|[.,:;!?]+(?:[ \t]|\Z)", next_text.text)
        )
        free = self._separate is not Separate.EVERYWHERE and ends and not self._ends_with_word()
        if free and find_url(url) == url:
            return url
        angled = self._separate is not Separate.NOWHERE and _AUTOLINK.fullmatch(url)
        return f"<{url}>" if angled else ""

    def _ends_with_word(self) -> bool:
        return bool(self._parts) and self._parts[-1][-1:].isalnum()

    def joined(self) -> str:
        """The source, with separators where the marks would not be understood without them."""
        parts = [part for part in self._parts if part]
        out: list[str] = []
        for index, part in enumerate(parts):
            if index and self._apart(parts, index):
                out.append(SEPARATOR)
            out.append(part)
        return "".join(out)

    def _apart(self, parts: Sequence[str], index: int) -> bool:
        """Whether a separator goes before the part at ``index``: always outside of marks, never inside."""
        if self._separate is Separate.NOWHERE:
            return False
        left, right = parts[index - 1], parts[index]
        closing = isinstance(left, _Mark) and not left.opens
        opening = isinstance(right, _Mark) and right.opens
        if not closing and not opening:
            return _emoji_touches(left, right)
        if left[-1].isspace() or right[0].isspace():
            return False
        if isinstance(left, _Mark) and isinstance(right, _Mark) and left.opens == right.opens:
            return False
        if self._separate is Separate.EVERYWHERE or (closing and opening):
            return True
        inner = parts[index + 1][0] if opening else parts[index - 2][-1]
        return _closed_to(outer=left[-1] if opening else right[0], inner=inner)


def _longest_run(units: Sequence[_Unit], start: int, active: Style) -> tuple[Style, int]:
    """The style that the most units from ``start`` on have in common, and where its run ends."""
    best, best_end = PLAIN, start
    if not units[start].style:
        return best, best_end
    for style in _MARKS:
        if not units[start].style & style or active & style:
            continue
        end = start + 1
        while end < len(units) and units[end].style & style:
            end += 1
        if end > best_end:
            best, best_end = style, end
    if units[start].link and best_end == start + 1:
        return PLAIN, start
    return best, best_end


def _closed_to(*, outer: str, inner: str) -> bool:
    """Whether a mark between these characters does not open (or close): punctuation stands inside only.

    Symbols such as arrows are punctuation since CommonMark 0.31, and are none for cmark-gfm; the
    stricter reading is taken on either side.
    """
    return (_punctuation(inner) or _symbol(inner)) and not _punctuation(outer)


def _punctuation(char: str) -> bool:
    return unicodedata.category(char).startswith("P") or char in "$+<=>^`|~"


def _symbol(char: str) -> bool:
    return unicodedata.category(char).startswith("S")


def _emoji_touches(left: str, right: str) -> bool:
    """Whether one of two neighbours is an emoji that the other would hide."""
    if _EMOJI.fullmatch(right):
        return not _EMOJI.fullmatch(left) and (left[-1].isalnum() or left[-1] == ":")
    return bool(_EMOJI.fullmatch(left)) and (right[0].isalnum() or right[0] == ":")


# --- pieces that are literal --------------------------------------------------------------------


def _code(text: str) -> str:
    """A code span (CommonMark §6.1): ticks that the text does not hold, blanks where they are eaten."""
    runs = {len(run) for run in re.findall(r"`+", text)}
    ticks = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    eaten = text[0] == " " == text[-1] and text.strip(" ")
    pad = " " if eaten or runs else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


_BACKSLASHES = re.compile(r"\\(?=[!-/:-@\[-`{-~]|\Z)|&(?=\#|[A-Za-z])")


def _destination(url: str, title: str) -> str:
    """What stands in the parentheses of a link or picture (CommonMark §6.3)."""
    escaped = _BACKSLASHES.sub(r"\\\g<0>", url)
    if re.search(r"[\s<>]", url) or (not url and title):
        escaped = re.sub(r"[<>]", r"\\\g<0>", escaped)
        escaped = f"<{escaped}>"
    elif not _balanced(url):
        escaped = re.sub(r"[()]", r"\\\g<0>", escaped)
    if not title:
        return escaped
    quoted = _BACKSLASHES.sub(r"\\\g<0>", title).replace('"', '\\"')
    if quoted.endswith("\\"):
        # cmark-gfm takes a quote behind two backslashes for an escaped one.
        quoted = quoted.rstrip("\\") + "&#92;" * (len(title) - len(title.rstrip("\\")))
    return f'{escaped} "{quoted}"'


def _balanced(url: str) -> bool:
    depth = 0
    for char in url:
        depth += (char == "(") - (char == ")")
        if depth < 0 or depth > 30:
            return False
    return depth == 0
