"""The Markdown parser: markdown-it, set up for CommonMark 0.31 with the tables of GFM.

Blocks and inline text are parsed apart, because what an inline text means depends on where it
stands: in GFM ``- [ ] ## x`` is a task whose text is ``## x``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from planconv.errors import DecodeError
from planconv.markdown import rules

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.token import Token as Token  # noqa: PLC0414 - the formatter has it from here

MAX_NESTING = 100
"""How many lists and quotes may stand in each other."""

_MAX_BRACKETS = 50
"""How many brackets deep a link is looked for; behind that, brackets are text."""


class _Reference(TypedDict):
    """A link definition as markdown-it keeps it."""

    href: str
    title: str
    map: list[int]


class Definition(NamedTuple):
    """A link definition: its label (case-folded), address, title, and the line it stands on, from 1."""

    label: str
    url: str
    title: str
    line: int


class Definitions:
    """The link definitions of a document; remembers which of them some link has used."""

    def __init__(self, found: Mapping[str, _Reference] | None = None) -> None:
        self._found = dict(found or {})
        self._used: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._found)

    def get(self, label: str, default: None = None) -> _Reference | None:
        """What markdown-it asks for when it has met ``[label]``."""
        reference = self._found.get(label, default)
        if reference is not None:
            self._used.add(label)
        return reference

    def all(self) -> list[Definition]:
        """The definitions in the order of the document."""
        return self._listed(self._found)

    def unused(self) -> list[Definition]:
        """Those that no link has used so far."""
        return self._listed(label for label in self._found if label not in self._used)

    def _listed(self, labels: Iterable[str]) -> list[Definition]:
        return [
            Definition(label, found["href"], found["title"], found["map"][0] + 1)
            for label in labels
            for found in (self._found[label],)
        ]


def block_tokens(text: str) -> tuple[tuple[Token, ...], Definitions]:
    """The blocks of a document, with inline text still raw in ``content``; and its link definitions.

    Raises:
        DecodeError: lists and quotes are nested more than :data:`MAX_NESTING` levels deep.
    """
    env: dict[str, Mapping[str, _Reference]] = {}
    tokens = _block_parser().parse(text, env)
    return tuple(tokens), Definitions(env.get("references"))


def inline_tokens(source: str, definitions: Definitions | None = None) -> list[Token]:
    """The tokens of the inline text of one paragraph, links resolved by ``definitions``."""
    parser = _inline_parser()
    tokens: list[Token] = []
    return parser.inline.parse(source, parser, {"references": definitions or Definitions()}, tokens)


def plain_tokens(source: str) -> list[Token]:
    """The tokens of one line of a plain-text field, where fewer things are marks."""
    parser = _plain_parser()
    tokens: list[Token] = []
    return parser.inline.parse(source, parser, {}, tokens)


@cache
def _block_parser() -> MarkdownIt:
    # The limit of markdown-it would drop what is deeper; ours stops before it, with an error.
    parser = _verbatim(4 * MAX_NESTING).enable("table").disable(["inline", "text_join"])
    _limit_nesting(parser)
    _keep_ticked_items(parser)
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    parser = _verbatim(_MAX_BRACKETS).enable("strikethrough")
    parser.options["strikethrough_single_tilde"] = True
    parser.inline.ruler.before("newline", "emoji", rules.emoji)
    parser.inline.ruler.before("newline", "bare_url", rules.bare_url)
    return parser


@cache
def _plain_parser() -> MarkdownIt:
    parser = _verbatim(_MAX_BRACKETS).enable("strikethrough").disable(["entity", "html_inline"])
    ruler = parser.inline.ruler
    ruler.at("emphasis", rules.edge_emphasis)
    ruler.at("strikethrough", rules.edge_strikethrough)
    ruler.at("link", rules.edge_link)
    ruler.at("autolink", rules.angled)
    ruler.before("newline", "emoji", rules.emoji)
    ruler.before("newline", "bare_url", rules.bare_url)
    return parser


def _verbatim(nesting: int) -> MarkdownIt:
    """A CommonMark parser that leaves every address as it was written, whatever its scheme."""
    from markdown_it import MarkdownIt

    class Verbatim(MarkdownIt):
        def normalizeLink(self, url: str) -> str:  # noqa: N802 - the name is markdown-it's
            return url

        def normalizeLinkText(self, link: str) -> str:  # noqa: N802
            return link

        def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802
            return True

    return Verbatim("commonmark", {"maxNesting": nesting})


def _limit_nesting(parser: MarkdownIt) -> None:
    from markdown_it.rules_block import blockquote, list_block

    depth = 0

    def limited(state: StateBlock, start: int, end: int, silent: bool, *, is_list: bool) -> bool:
        nonlocal depth
        rule = list_block if is_list else blockquote
        if silent:
            return rule(state, start, end, silent)
        if depth >= MAX_NESTING and rule(state, start, end, True):
            raise DecodeError(f"lists are nested more than {MAX_NESTING} levels deep", line=start + 1)
        depth += 1
        try:
            return rule(state, start, end, silent)
        finally:
            depth -= 1

    def limited_list(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return limited(state, start, end, silent, is_list=True)

    def limited_quote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return limited(state, start, end, silent, is_list=False)

    interrupted = ["paragraph", "reference", "blockquote"]
    parser.block.ruler.at("list", limited_list, {"alt": interrupted})
    parser.block.ruler.at("blockquote", limited_quote, {"alt": [*interrupted, "list"]})


_TICKED = re.compile(r"\[[xX]\]:")


def _keep_ticked_items(parser: MarkdownIt) -> None:
    """Make ``- [x]: text`` an item that keeps its text.

    By CommonMark it is a definition of the link ``x``, and viewers show an empty item. Whoever writes
    it means a ticked box, so nothing of it may be lost.
    """
    from markdown_it.rules_block import reference

    def definition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        place = state.bMarks[start] + state.tShift[start]
        if state.parentType == "list" and _TICKED.match(state.src, place):
            return False
        return reference(state, start, end, silent)

    parser.block.ruler.at("reference", definition)
