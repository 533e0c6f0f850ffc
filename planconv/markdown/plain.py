r"""Plain-text fields that people write Markdown in: nothing is read that we would not write ourselves.

A line is read as Markdown only if writing what was read gives the very same line; else it is the
characters that it is. So ``**bold**`` and ``[text](address)`` work, while ``__init__``, ``C:\*.tmp``
and ``&amp;`` stay what they are, and reading and writing undo each other exactly.

A mark counts only at the edge of a word, a line break is a line break, and what stands behind the
first blank line are the details: paragraphs under the same rule, or lists, quotes, code and tables
that would be written as they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from planconv.loss import BLANKS_TRIMMED, BLOCK_SIMPLIFIED, DETAILS_MOVED, STYLE_DROPPED, Ledger, Note
from planconv.markdown import escape, marks
from planconv.markdown.inline_read import line_spans
from planconv.markdown.parser import plain_tokens
from planconv.markdown.rules import EMOJI_NAME
from planconv.markdown.simple import read_simple, write_simple
from planconv.markdown.substitutes import as_text
from planconv.model import (
    Block,
    Blocks,
    Break,
    Code,
    Color,
    Date,
    Emoji,
    Image,
    Line,
    Link,
    List,
    Mention,
    Paragraph,
    Quote,
    RawSpan,
    Span,
    Style,
    Table,
    Text,
    block_text,
    make_line,
    plain_text,
)

_MARKUP = re.compile(rf"(?=[\\`*~\]:])(?:[\\`*]|~~|\]\(|://|:{EMOJI_NAME}:)")
"""What a line has to hold if it is to be more than text. It may match too much, never too little."""

_STYLES = Style.BOLD | Style.ITALIC | Style.STRIKE | Style.CODE
"""The styles that plain text has marks for."""

_PARAGRAPH_END = re.compile(r"(?<=[^\n])\n\n(?=\n*[^\n])")


def read_plain(text: str) -> tuple[Line, Blocks]:
    """The title and the details in a plain-text field; :func:`write_plain` gives ``text`` back."""
    text = _unix(text)
    end = _PARAGRAPH_END.search(text)
    if end is None:
        return read_plain_line(text), ()
    return read_plain_line(text[: end.start()]), _read_details(text[end.end() :])


def write_plain(title: Line, details: Blocks, note: Note) -> str:
    """A title and its details as the text of a plain-text field.

    ``note`` is told of everything that :func:`read_plain` does not give back. All characters are kept.
    """
    if _PARAGRAPH_END.search(plain_text(title)):
        whole = _without_empty_lines(title)
        note(BLANKS_TRIMMED, plain_text(title), plain_text(whole))
        title = whole
    first = write_plain_line(title, note)
    text = f"{first}\n\n{_write_details(details, note)}" if details else first
    end = _PARAGRAPH_END.search(text)
    if (end and end.start()) != (len(first) if details else None):
        # The title is empty, or has a blank line in it.
        note(DETAILS_MOVED, plain_text(title), text)
    return text


def _without_empty_lines(title: Line) -> Line:
    """The title without what would end it: a blank line behind which it goes on."""
    kept: list[Span] = []
    for span in title:
        if not (isinstance(span, Break) and kept and isinstance(kept[-1], Break)):
            kept.append(span)
    return tuple(kept)


# --- lines --------------------------------------------------------------------------------------


def read_plain_line(text: str) -> Line:
    """The spans in one paragraph of plain text; :func:`write_plain_line` gives ``text`` back."""
    spans: list[Span] = []
    for number, piece in enumerate(_unix(text).split("\n")):
        if number:
            spans.append(Break())
        spans += _read(piece)
    return make_line(spans)


def write_plain_line(line: Line, note: Note) -> str:
    """One paragraph as plain text; ``note`` is told of what reading it does not give back."""
    spans = (_known(span, note) for span in line)
    return "\n".join(_write(part, note) for part in _lines(spans))


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _is_text(source: str) -> bool:
    return not _MARKUP.search(source)


def _read(source: str) -> Line:
    simple = read_simple(source, _is_text)
    if simple is not None:
        return simple
    line = _parsed(source)
    match line:
        case () | (Text(_, Style.PLAIN, None),):
            text = plain_text(line)
            # A text is escaped only if it would be read as something else without.
            escaped = escape.escape(text, escape.PLAIN_TEXT) == source and _read(text) != line
            return line if text == source or escaped else _literal(source)
    return line if _marked(line) == source else _literal(source)


def _write(line: Line, note: Note) -> str:
    """One line of a paragraph, in the first form that is read back the same."""
    settled = marks.settle_blanks(line)
    for tried in (settled, _code_only(settled), _unmarked(line)):
        source = _form(tried)
        if source is not None:
            break
    else:
        raise AssertionError("a text without marks has a form")
    if tried != line:
        note(STYLE_DROPPED, plain_text(line), source)
    return source


def _form(line: Line) -> str | None:
    """The one form in which this line is written, or ``None`` if plain text cannot hold it."""
    match line:
        case () | (Text(_, Style.PLAIN, None),):
            text = plain_text(line)
            return text if _read(text) == line else escape.escape(text, escape.PLAIN_TEXT)
    return _marked(line)


def _marked(line: Line) -> str | None:
    simple = write_simple(line, _is_text)
    if simple is not None:
        return simple
    for rows in (escape.NOWHERE, escape.PLAIN_TEXT):
        if any(isinstance(span, Image | RawSpan) for span in line):
            return None
        source = marks.write_spans(line, marks.Escaping(rows, False, False), marks.Separate.NOWHERE)
        if _parsed(source) == line:
            return source
    return None


def _parsed(source: str) -> Line:
    return make_line(line_spans(plain_tokens(source)))


def _literal(text: str) -> Line:
    return (Text(text),) if text else ()


def _code_only(line: Line) -> Line:
    return make_line(
        Text(span.text, span.style & Style.CODE, span.link) if isinstance(span, Text) else span
        for span in line
    )


def _unmarked(line: Line) -> Line:
    return _literal("".join(_bare_text(span) for span in line))


def _bare_text(span: Span) -> str:
    match span:
        case Text(text, _, Link(url)) if url not in ("", text):
            return f"{text} ({url})"
    return plain_text((span,))


def _known(span: Span, note: Note) -> Span:
    """The span as one of those that plain text has a form for."""
    match span:
        case Text(text, style, link) if style & ~_STYLES:
            note(STYLE_DROPPED, text, text)
            return Text(text, style & _STYLES, link)
        case Image(url, alt):
            note(BLOCK_SIMPLIFIED, alt or url, f"[{alt or url}]({url})")
            return Text(alt or url, link=Link(url))
        case RawSpan(_, source):
            note(STYLE_DROPPED, source, source)
            return Text(source)
        case Emoji(name, "", "", style) if re.fullmatch(EMOJI_NAME, name) and not style & ~_STYLES:
            return span
        case Mention() | Date() | Color() | Emoji():
            characters = as_text(span, note, visible=False)
            return Text(characters.text, characters.style & _STYLES)
    return span


def _lines(spans: Iterator[Span]) -> Iterator[Line]:
    part: list[Span] = []
    for span in spans:
        if isinstance(span, Break):
            yield make_line(part)
            part = []
        else:
            part.append(span)
    yield make_line(part)


# --- details ------------------------------------------------------------------------------------


def _read_details(text: str) -> Blocks:
    from planconv.markdown.read import read_blocks
    from planconv.markdown.write import write_blocks

    if _BLOCK_MARK.search(text):
        ledger = Ledger()
        blocks = read_blocks(text, ledger.at(""))
        written = write_blocks(blocks, ledger.at("")).rstrip("\n") if _has_form(blocks) else None
        if written == text and not ledger.losses:
            return blocks
    return tuple(Paragraph(read_plain_line(piece)) for piece in _PARAGRAPH_END.split(text))


_BLOCK_MARK = re.compile(r"(?m)^(?:[->|`~]|[0-9]{1,9}[.)])")
"""How a list, quote, code or table begins if we write it."""


def _write_details(blocks: Blocks, note: Note) -> str:
    from planconv.markdown.write import write_blocks

    if all(isinstance(block, Paragraph) for block in blocks):
        text = "\n\n".join(
            write_plain_line(block.line, note) for block in blocks if isinstance(block, Paragraph)
        )
    else:
        text = write_blocks(blocks, note).rstrip("\n")
    if _read_details(text) != blocks:
        note(BLOCK_SIMPLIFIED, "\n\n".join(map(block_text, blocks)), text)
    return text


def _has_form(blocks: Blocks) -> bool:
    """Whether blocks hold nothing but what plain text may hold, and something more than paragraphs."""
    return not all(isinstance(block, Paragraph) for block in blocks) and all(map(_allowed, blocks))


def _allowed(block: Block) -> bool:
    match block:
        case Paragraph(line):
            return _holds(line)
        case List(items):
            return all(_allowed(inner) for item in items for inner in item.blocks)
        case Quote(blocks):
            return all(map(_allowed, blocks))
        case Table(header, rows):
            return all(_holds(cell) for row in (header, *rows) for cell in row)
        case Code():
            return True
    return False


def _holds(line: Line) -> bool:
    losses = Ledger()
    write_plain_line(line, losses.at(""))
    return not losses.losses
