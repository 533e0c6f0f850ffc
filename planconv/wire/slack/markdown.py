"""The Markdown that stands in the chunks of a Slack stream: body text, details and output of tasks.

Slack reads it as Markdown and, like all text of messages, looks for ``<@U…>``, ``<#C…>`` and ``<!here>`` in
it (https://docs.slack.dev/messaging/formatting-message-text). Where a text of the plan only looks like
that, its ``<`` is written as ``&lt;``, which both rules read as the character.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from planconv.loss import BLOCK_SIMPLIFIED, MENTION_AS_TEXT, SHAPE_ASSUMED, Code, Note
from planconv.model import (
    JSON,
    Block,
    Blocks,
    Heading,
    Image,
    Item,
    Line,
    Link,
    List,
    Mention,
    Paragraph,
    Quote,
    Raw,
    RawSpan,
    Span,
    Style,
    Table,
    Text,
    make_blocks,
    make_line,
    map_tasks,
    plain_text,
    text_line,
)
from planconv.model import (
    Code as CodeBlock,
)
from planconv.wire.slack.mentions import read_line, with_mentions
from planconv.wire.slack.rich_text import read_rich_text
from planconv.wire.slack.title import MENTION_FORMS

_LIKE_A_MENTION = re.compile(r"<(?=[@#]|!(?!--))")
_NO_MENTION = re.compile("&lt;(?=[@#!])")
_DECLARATION = re.compile(r"(?<!\S)<(?=!(?:here|channel|everyone|subteam\^|date\^)[^<>\n]*>)")
"""A mention that would be a block of HTML to Markdown, and with it the line that it begins."""
_STAND_INS = (0x2E2E, *range(0x2E30, 0x2E50), *range(0xE000, 0xF900))
"""Rare punctuation, which marks stand beside as beside a ``<``, and characters that mean nothing."""


def read_markdown(value: JSON, note: Note) -> Blocks:
    """The blocks of a text, with its mentions; a rich text object, which no chunk has, is read too."""
    from planconv.markdown.read import read_blocks

    if not isinstance(value, str):
        if value is not None:
            note(SHAPE_ASSUMED, value)
        return read_rich_text(value, note)
    if not _LIKE_A_MENTION.search(value):
        return read_blocks(value, note)
    character, declaration = _absent(value, 2)
    shielded = _DECLARATION.sub(declaration, _NO_MENTION.sub(character, value))
    return _with_mentions(
        read_blocks(shielded, note), _Unshield(declaration, "<"), _Unshield(character, "&lt;")
    )


def _with_mentions(blocks: Blocks, before: _Unshield, after: _Unshield) -> Blocks:
    """Mentions where the text spells them, in tasks too; what was shielded comes back before or after."""

    def change(inner: Blocks) -> Blocks:
        return make_blocks(after.block(with_mentions(before.block(block))) for block in inner)

    return map_tasks(
        change(blocks),
        lambda task: replace(
            task,
            title=after.line(read_line(before.line(task.title))),
            details=change(task.details),
        ),
    )


def write_markdown(blocks: Blocks, note: Note) -> str:
    """The blocks as Markdown in which nothing but a mention is read as one.

    Raises:
        EncodeError: lists are nested more deeply than the Markdown reader reads.
    """
    return write_body(blocks, lambda _: note)


def write_body(blocks: Blocks, note_at: Callable[[int], Note]) -> str:
    """The same for the text of a plan; ``note_at`` gives the note for the block at a place."""
    notes: list[Callable[[], None]] = []

    def wait(place: int) -> Note:
        def note(code: Code, was: JSON = None, now: JSON = None) -> None:
            notes.append(lambda: note_at(place)(code, was, now))

        return note

    text = _written(blocks, wait)
    if not _LIKE_A_MENTION.search(text):
        for note in notes:
            note()
        return text
    character, mention = _absent(repr(blocks), 2)
    shielded = (
        _Shield(character, mention, note_at(place)).block(block) for place, block in enumerate(blocks)
    )
    text = _written(make_blocks(shielded), note_at)
    return text.replace(character, "&lt;").replace(mention, "<")


def _written(blocks: Blocks, note_at: Callable[[int], Note]) -> str:
    from planconv.markdown.block_writer import BlockWriter, spaced

    writer = BlockWriter(lambda path: note_at(int(path.rpartition("/")[2] or 0)))
    return "\n".join(spaced(writer.body(blocks)))


def _absent(text: str, count: int) -> list[str]:
    """Characters that are not in a text."""
    return list(islice((chr(code) for code in _STAND_INS if chr(code) not in text), count))


class _Rewriter:
    """Changes the spans of blocks, and blocks that have none; tasks in them stay as they are."""

    def block(self, block: Block) -> Block:
        match block:
            case Paragraph(line):
                return Paragraph(self.line(line))
            case Heading(level, line):
                return Heading(level, self.line(line))
            case List(items, ordered, start):
                changed = tuple(Item(tuple(map(self.block, item.blocks))) for item in items)
                return List(changed, ordered, start)
            case Quote(inner):
                return Quote(tuple(map(self.block, inner)))
            case Table(header, rows, align):
                changed_rows = tuple(tuple(map(self.line, row)) for row in rows)
                return Table(tuple(map(self.line, header)), changed_rows, align)
        return self.leaf(block)

    def line(self, line: Line) -> Line:
        return make_line(map(self.span, line))

    def leaf(self, block: Block) -> Block:
        return block

    def span(self, span: Span) -> Span:
        return span


class _Shield(_Rewriter):
    """Puts ``character`` where a ``<`` only looks like that of a mention, ``mention`` where it is one."""

    def __init__(self, character: str, mention: str, note: Note) -> None:
        self._character = character
        self._mention = mention
        self._note = note

    def leaf(self, block: Block) -> Block:
        match block:
            case Raw("html", source) if _LIKE_A_MENTION.search(source):
                self._note(BLOCK_SIMPLIFIED, source)
                return Paragraph(self.line(text_line(source.rstrip("\n"))))
        return block

    def span(self, span: Span) -> Span:
        match span:
            case Text(text, style) if not style & Style.CODE:
                return replace(span, text=self._shielded(text))
            case Image(_, alt):
                return replace(span, alt=self._shielded(alt))
            case RawSpan("html", source) if _LIKE_A_MENTION.search(source):
                self._note(BLOCK_SIMPLIFIED, source)
                return Text(self._shielded(source))
            case Mention(kind, id) if kind in MENTION_FORMS:
                return self._spelled(span, MENTION_FORMS[kind].format(id))
        return span

    def _shielded(self, text: str) -> str:
        return _LIKE_A_MENTION.sub(self._character, text)

    def _spelled(self, mention: Mention, form: str) -> Text:
        if read_line((Text(form, mention.style),)) != (mention,):
            self._note(MENTION_AS_TEXT, plain_text((mention,)), form)
        return Text(form.replace("<", self._mention, 1), mention.style)


class _Unshield(_Rewriter):
    """Puts back what a character stands for: a ``<``, and ``literal`` where entities are no characters."""

    def __init__(self, character: str, literal: str) -> None:
        self._character = character
        self._entity = literal

    def _shown(self, text: str) -> str:
        return text.replace(self._character, "<")

    def _literal(self, text: str) -> str:
        return text.replace(self._character, self._entity)

    def leaf(self, block: Block) -> Block:
        match block:
            case CodeBlock(text, info):
                return CodeBlock(self._literal(text), self._shown(info))
            case Raw(format, source):
                return Raw(format, self._literal(source))
        return block

    def span(self, span: Span) -> Span:
        match span:
            case Text(text, style, link):
                shown = self._literal(text) if style & Style.CODE else self._shown(text)
                return Text(shown, style, link and Link(self._shown(link.url), self._shown(link.title)))
            case Image(url, alt, title):
                return replace(span, url=self._shown(url), alt=self._shown(alt), title=self._shown(title))
            case RawSpan(format, source):
                return RawSpan(format, self._literal(source))
        return span
