"""Plans to try a codec on: hypothesis strategies that yield normal forms of the model, and broken bytes.

They are small, and as nasty as plans in the wild: text that looks like markup, blanks at edges, words that
no vocabulary has, every span and block, lists in lists, tasks in quotes and in plain items.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from planconv.model import (
    Block,
    Blocks,
    Break,
    Code,
    Color,
    Date,
    Emoji,
    Heading,
    Image,
    Item,
    Line,
    Link,
    List,
    Mention,
    Paragraph,
    Plan,
    Quote,
    Raw,
    RawSpan,
    Rule,
    Source,
    Span,
    Style,
    Table,
    Task,
    TaskList,
    Text,
    make_blocks,
    make_line,
)
from planconv.status import KNOWN, PRIORITIES

_WORDS = (
    "Read the code",
    "Ship it",
    "x",
    "1.2 Write `T001`",
    "完了しました",
    "中",
    "🚀",
    "👩‍👩‍👧",
    "naïve café",
    "a long title " * 12 + "ends here",
)
_LIKE_MARKUP = (
    *(
        "# heading",
        "- dash",
        "+ plus",
        "1. one",
        "2) two",
        "> quoted",
        "---",
        "===",
        "```js",
        "~~~",
        "    four",
    ),
    *(
        "[ ] box",
        "[x] box",
        "[x]",
        "[-] mark",
        "[link]: https://example.com",
        "[a](b)",
        "![a](b)",
        "[a][b]",
    ),
    *(
        "**bold**",
        "*it*",
        "__init__",
        "_x_",
        "~~gone~~",
        "2*3*4",
        "src/**/*.ts",
        "a`b",
        "`code`",
        "``",
        "\\",
    ),
    *(
        "C:\\*.tmp",
        "&amp;",
        "&#35;",
        "<T>",
        "<!-- note -->",
        "<b>",
        "<https://example.com>",
        "| a | b |",
        "a|b",
    ),
    *("https://example.com/a_b", "www.example.com", "me@example.com", ":wave:", "10:30:45", "<!channel>"),
    *("<@U012AB3CD>", "(cancelled)", "_(blocked)_", "_(in progress, high priority)_", "**Output:**"),
    *(
        "**Sources:**",
        "<!-- planconv:plan -->",
        "{=html}",
        "$x$",
        "^note",
        "[^1]",
        "\\[x\\]",
        "a\\",
        "!",
        "*",
        "_",
    ),
)
_EDGES = (" ", "  ", " x", "x ", "\t", "a\tb", "\u00a0", "\u3000", ".", ",", "(", ")", '"', ":")

_TEXTS = st.one_of(
    st.sampled_from(_WORDS),
    st.sampled_from(_LIKE_MARKUP),
    st.sampled_from(_EDGES),
    st.text("ab*_~`[]()<>\\&!#-+.1 :|\"'中🚀", min_size=1, max_size=8),
)


@st.composite
def _texts(draw: st.DrawFn) -> str:
    """A composite, like all strategies here that others are built from: its name is all that is printed."""
    return draw(_TEXTS)


_styles = st.one_of(
    st.just(Style.PLAIN),
    st.sampled_from([Style.BOLD, Style.ITALIC, Style.STRIKE, Style.CODE]),
    st.integers(0, 63).map(Style),
)
_urls = st.sampled_from(
    [
        "https://example.com",
        "https://example.com/a_(b)?c=d&e=f#g",
        "https://例え.jp/道",
        "mailto:me@example.com",
        "docs/plan.md",
        "#top",
        "a b",
    ]
)
_links = st.builds(Link, _urls, st.sampled_from(["", "", "a title", 'with "quotes"']))


# --- lines --------------------------------------------------------------------------------------

_plain_spans = st.builds(Text, _texts())
_styled_spans = st.builds(Text, _texts(), _styles, st.none() | _links)
_rare_spans: st.SearchStrategy[Span] = st.one_of(
    st.just(Break()),
    _urls.map(lambda url: Text(url, link=Link(url))),
    st.builds(Image, _urls, _texts(), st.sampled_from(["", "a title"]), _styles, st.none() | _links),
    st.sampled_from(
        [
            Mention("user", "U012AB3CD"),
            Mention("user", "U012AB3CD", "ada", Style.BOLD),
            Mention("channel", "C012AB3CD", "general"),
            Mention("group", "S012AB3CD"),
            Mention("team", "T012AB3CD"),
            Mention("broadcast", "here"),
            Emoji("wave", "1f44b"),
            Emoji("wave::skin-tone-3", "1f44b-1f3fc", style=Style.ITALIC),
            Emoji("party_parrot", url="https://example.com/parrot.gif"),
            Date(1767225600, "{date_num} {time}", "1 January 2026"),
            Date(1767225600, "{date_long}", "", "https://example.com", "Europe/Berlin", Style.BOLD),
            Color("#2EB67D"),
            Color("#000000", Style.STRIKE),
            RawSpan("html", "<kbd>"),
            RawSpan("html", "<!-- note -->"),
            RawSpan("slack", '{"type":"file","file_id":"F012AB3CD"}'),
        ]
    ),
)
_plain_lines = st.lists(_plain_spans, min_size=1, max_size=2)
_rich_lines = st.lists(
    st.one_of(_plain_spans, _styled_spans, _styled_spans, _rare_spans), min_size=1, max_size=4
)
_filled_lines = st.one_of(_plain_lines, _rich_lines)
_any_lines = st.one_of(_filled_lines, st.lists(_plain_spans, max_size=0))


@st.composite
def lines(draw: st.DrawFn, *, empty: bool = False) -> Line:
    """What stands in a paragraph or a title; with ``empty``, nothing too."""
    return make_line(draw(_any_lines if empty else _filled_lines))


# --- blocks -------------------------------------------------------------------------------------

_CODE = ("print('hi')", "a\n\n  b", "```\ninner\n```", "~~~", "- [ ] no task", "", " ", "\n", "<b>&amp;")
_codes = st.builds(Code, st.sampled_from(_CODE), st.sampled_from(["", "python", "js title=x", "c++"]))
_raws = st.sampled_from(
    [
        Raw("html", "<div>\nx\n</div>"),
        Raw("html", "<!-- note -->"),
        Raw("slack", '{"type":"rich_text_future","elements":[]}'),
    ]
)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 3))
    row = st.lists(lines(empty=True), min_size=width, max_size=width).map(tuple)
    align = st.lists(st.sampled_from(["", "left", "right", "center"]), min_size=width, max_size=width)
    return Table(draw(row), tuple(draw(st.lists(row, max_size=2))), tuple(draw(align)))


_STARTS = st.sampled_from([None, None, None, 1, 3])
"""Where a list counts from; ``None`` is a bullet list."""

_flat_blocks: st.SearchStrategy[Block] = st.one_of(
    lines().map(Paragraph),
    lines().map(Paragraph),
    st.builds(Heading, st.integers(1, 6), lines(empty=True)),
    _codes,
    _tables(),
    st.just(Rule()),
    _raws,
)


@st.composite
def blocks(draw: st.DrawFn, *, depth: int = 2, max_size: int = 3) -> Blocks:
    """What stands below a title or between tasks, lists and tasks in it at most ``depth`` levels deep."""
    return make_blocks(draw(st.lists(_block(depth), max_size=max_size)))


@cache
def _block(depth: int) -> st.SearchStrategy[Block]:
    if depth <= 0:
        return _flat_blocks
    return st.one_of(_flat_blocks, _flat_blocks, _lists(depth), task_lists(depth=depth), _quotes(depth))


@st.composite
def _quotes(draw: st.DrawFn, depth: int) -> Block:
    inside = draw(blocks(depth=depth - 1, max_size=2)) or (draw(task_lists(depth=depth)),)
    return Quote(inside)


@st.composite
def _lists(draw: st.DrawFn, depth: int) -> Block:
    item = st.builds(Item, blocks(depth=depth - 1, max_size=2))
    start = draw(_STARTS)
    return List(tuple(draw(st.lists(item, min_size=1, max_size=3))), start is not None, start or 1)


@st.composite
def task_lists(draw: st.DrawFn, *, depth: int = 2) -> Block:
    """A list of one to three tasks, with tasks at most ``depth - 1`` levels below them."""
    rows = draw(st.lists(tasks(depth=depth - 1), min_size=1, max_size=3))
    start = draw(_STARTS)
    return TaskList(tuple(rows), start is not None, start or 1)


# --- tasks and plans ----------------------------------------------------------------------------

_statuses = st.one_of(
    st.sampled_from(KNOWN),
    st.sampled_from(KNOWN),
    st.sampled_from(["_waiting", "review", "on hold", "完了待ち"]),
)
_priorities = st.sampled_from([None, None, *PRIORITIES, "_urgent", "P0"])
_ids = st.sampled_from([None, None, "1", "T001", "a b/c~d", "x" * 60])
_sources = st.builds(
    Source,
    st.sampled_from(["https://example.com", "https://example.com/a_(b)?c&d", "docs/x.md"]),
    st.sampled_from(["", "Docs", "a [b] *c*"]),
)


@st.composite
def tasks(draw: st.DrawFn, *, depth: int = 2) -> Task:
    """A task with anything it may have, and tasks at most ``depth`` levels below it."""
    title, status, priority = draw(lines(empty=True)), draw(_statuses), draw(_priorities)
    if draw(st.booleans()):
        return Task(title, status, priority)
    return Task(
        title,
        status,
        priority,
        id=draw(_ids),
        details=draw(blocks(depth=depth, max_size=2)) if draw(st.booleans()) else (),
        output=draw(blocks(depth=0, max_size=2)) if draw(st.booleans()) else (),
        sources=tuple(draw(st.lists(_sources, max_size=2))),
        depends_on=tuple(draw(st.lists(st.sampled_from(["1", "T001", "other"]), max_size=2, unique=True))),
        extras=draw(st.sampled_from([{}, {}, {"elsewhere": {"key": 1}}])),
    )


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A plan with at least one task."""
    before = draw(blocks(max_size=2)) if draw(st.booleans()) else ()
    after = draw(blocks(max_size=2)) if draw(st.booleans()) else ()
    body = (*before, draw(task_lists()), *after)
    return Plan(
        id=draw(st.sampled_from([None, None, "main", "p-1", "the plan/2"])),
        session=draw(st.sampled_from([None, "s1", "planconv"])),
        title=draw(lines(empty=True)),
        body=make_blocks(body),
        reference=draw(st.sampled_from([None, None, None, "file:///home/ann/plan.md"])),
        extras=draw(st.sampled_from([{}, {}, {"elsewhere": {"a/b": [1, {"c": None}]}}])),
    )


@st.composite
def plan_groups(draw: st.DrawFn, *, several: bool = True) -> list[Plan]:
    """Plans that can stand together: no two have the same session and id."""
    first = draw(plans())
    if not several or draw(st.integers(0, 3)):
        return [first]
    other = draw(plans().filter(lambda plan: (plan.session, plan.id) != (first.session, first.id)))
    return [first, other]


# --- bytes that nobody should have to read ------------------------------------------------------

_SCRAPS = (
    *(b"{", b"}", b"[", b"]", b'"', b",", b":", b"null", b"NaN", b"1e999", b"-", b"\xff", b"\xed\xa0\x80"),
    *(
        b"\n",
        b"\r\n",
        b"\x00",
        b"\xef\xbb\xbf",
        b"- [ ] ",
        b"> ",
        b"```\n",
        b"    ",
        b"\t",
        b"|",
        b"<!--",
        b"\\",
    ),
    *(
        b'"\\ud800"',
        b'{"a":1,"a":2}',
        b'"status":7',
        b'"entries":',
        b'"tasks":',
        b'"type":"plan"',
        b"[" * 3000,
    ),
)


def broken(outputs: st.SearchStrategy[bytes]) -> st.SearchStrategy[bytes]:
    """Any bytes, scraps of formats, and these outputs with a piece cut out, doubled or replaced."""
    scraps = st.lists(st.sampled_from(_SCRAPS), max_size=8).map(b"".join)
    return st.one_of(st.binary(max_size=60), scraps, _mutated(outputs), _mutated(outputs))


@st.composite
def _mutated(draw: st.DrawFn, outputs: st.SearchStrategy[bytes]) -> bytes:
    data = draw(outputs)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 20)))
        piece = draw(st.one_of(st.just(b""), st.just(data[start:end] * 2), st.sampled_from(_SCRAPS)))
        data = data[:start] + piece + data[end:]
    return data
