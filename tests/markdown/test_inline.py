"""Inline Markdown against the specification's rules, and against cmark-gfm as the oracle."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.loss import (
    BLANKS_TRIMMED,
    CHARACTER_REPLACED,
    MENTION_AS_TEXT,
    STYLE_DROPPED,
    Ledger,
)
from planconv.markdown.inline import parse_line, write_line
from planconv.markdown.inline_read import line_spans, trim_line
from planconv.markdown.parser import block_tokens, inline_tokens
from planconv.model import (
    PLAIN,
    Break,
    Color,
    Date,
    Emoji,
    Image,
    Link,
    Mention,
    RawSpan,
    Style,
    Text,
    make_line,
    plain_text,
)
from tests.markdown.viewer import html, seen, shown, shown_task

BOLD, ITALIC, STRIKE, CODE = Style.BOLD, Style.ITALIC, Style.STRIKE, Style.CODE
UNDERLINE, HIGHLIGHT = Style.UNDERLINE, Style.HIGHLIGHT
URL = "https://e.com/a"
LINK = Link(URL)


def write(line, **place):
    ledger = Ledger()
    source = write_line(make_line(line), ledger.at("/title"), **place)
    return source, [loss.code for loss in ledger.losses]


def link(text, style=PLAIN):
    return Text(text, style, LINK)


# --- reading ------------------------------------------------------------------------------------

READ = [
    ("plain text", [Text("plain text")]),
    ("  blanks at the edges\t", [Text("blanks at the edges")]),
    ("", []),
    ("**b** __b__ *i* _i_", [Text("b", BOLD), Text(" "), Text("b", BOLD), Text(" "), Text("i", ITALIC),
                             Text(" "), Text("i", ITALIC)]),
    ("***b** i*", [Text("b", BOLD | ITALIC), Text(" i", ITALIC)]),
    ("~~two~~ ~one~ ~~~x~~~", [Text("two", STRIKE), Text(" "), Text("one", STRIKE), Text(" ~~~x~~~")]),
    ("`` a`b `` `*`", [Text("a`b", CODE), Text(" "), Text("*", CODE)]),
    ("**`c`**", [Text("c", CODE | BOLD)]),
    ('[a **b**](u "t")', [Text("a ", PLAIN, Link("u", "t")), Text("b", BOLD, Link("u", "t"))]),
    ("[](u)", [Text("u", PLAIN, Link("u"))]),
    ("![*alt* :wave:](p 't')", [Image("p", "alt :wave:", "t")]),
    ("[![a](p)](u)", [Image("p", "a", link=Link("u"))]),
    ("&lt;b&gt; &amp; &#35;", [Text("<b> & #")]),
    ("one\ntwo", [Text("one two")]),
    ("one\\\ntwo  \n3<br>4<br/>5<br />6",
     [Text("one"), Break(), Text("two"), Break(), Text("3"), Break(), Text("4"), Break(), Text("5"),
      Break(), Text("6")]),
    ("<br>a \\\n b<br>", [Text("a"), Break(), Text("b")]),
    ("**a**<!-- -->b", [Text("a", BOLD), Text("b")]),
    ("<u>a **b**</u> <ins>c</ins> <mark>d</mark>",
     [Text("a ", UNDERLINE), Text("b", BOLD | UNDERLINE), Text(" "), Text("c", UNDERLINE), Text(" "),
      Text("d", HIGHLIGHT)]),
    ("<u>a **b</u>**", [RawSpan("html", "<u>"), Text("a "), Text("b", BOLD), RawSpan("html", "</u>")]),
    ("<kbd>k</kbd>", [RawSpan("html", "<kbd>"), Text("k"), RawSpan("html", "</kbd>")]),
    (":wave: :+1: :wave::skin-tone-2:",
     [Emoji("wave"), Text(" "), Emoji("+1"), Text(" "), Emoji("wave::skin-tone-2")]),
    (":a::b:", [Emoji("a"), Emoji("b")]),
    ("**:tada:**", [Emoji("tada", style=BOLD)]),
    ("10:30:45 a:b:c ::x:: `:wave:` \\:wave:",
     [Text("10:30:45 a:b:c ::x:: "), Text(":wave:", CODE), Text(" :wave:")]),
    ("[:wave:](u)", [Text(":wave:", PLAIN, Link("u"))]),
    ("(https://e.com/a)", [Text("("), link(URL), Text(")")]),
    ("<https://e.com/a>x", [link(URL), Text("x")]),
    ("http\\://e.com", [Text("http://e.com")]),
    ("[file](file:///etc/x) [js](javascript:x)",
     [Text("file", PLAIN, Link("file:///etc/x")), Text(" "), Text("js", PLAIN, Link("javascript:x"))]),
    ("[ä](ü%20y)", [Text("ä", PLAIN, Link("ü%20y"))]),
    ("[a [b](c) d](e)", [Text("[a "), Text("b", PLAIN, Link("c")), Text(" d](e)")]),
    ("a\u00a0b\u2028c\u200dd", [Text("a\u00a0b\u2028c\u200dd")]),
    ("nul\0 \r\nnext", [Text("nul\ufffd next")]),
]  # fmt: skip


@pytest.mark.parametrize(("source", "spans"), READ)
def test_reading(source, spans):
    assert parse_line(source) == make_line(spans)


def test_links_are_resolved_by_definitions_and_what_no_link_uses_is_known():
    tokens, definitions = block_tokens("[a] and [text][B]\n\n[a]: u 't'\n[b]: v\n[c]: w\n")
    source = next(token.content for token in tokens if token.type == "inline")
    line = (Text("a", PLAIN, Link("u", "t")), Text(" and "), Text("text", PLAIN, Link("v")))
    assert parse_line(source, definitions) == line
    assert [(unused.label, unused.url, unused.line) for unused in definitions.unused()] == [("C", "w", 5)]


URLS = [
    "http://e.com.", "https://e.com/a_b), x", "(http://e.com/x(y))", "http://e.com/a;", "http://e.com/&copy;",
    "http://e.com/&x=1 y", "http://e.com<b", "**http://e.com/a**", "*http://e.com*", "http://a_b.com",
    "http://a_b.c.com", "xhttp://e.com", "1http://e.com", "HTTPS://E.com", "http://localhost:80/x?", "http://",
    "http://-", "https://e.com/~a~", "a\u00a0http://e.com\u00a0b", "http://e.com'\"", "http://e.com/`a`",
]  # fmt: skip


@pytest.mark.parametrize("source", URLS)
def test_bare_addresses_are_found_where_cmark_finds_them(source):
    assert parse_line(source) == shown(source)


# --- writing ------------------------------------------------------------------------------------

PLAIN_TEXTS = [
    # What a text is, and how it is written; nothing is escaped that does not need it.
    ("snake_case and a * b", "snake_case and a * b"),
    ("[P] [US1] (x) #12 @me", "[P] [US1] (x) #12 @me"),
    (r"C:\dir", r"C:\dir"),
    ("10:30:45, 5 > 3 & 2 < 4!", "10:30:45, 5 > 3 & 2 < 4!"),
    ("one ` tick, ~/a and ~/b", "one ` tick, ~/a and ~/b"),
    ("Ends with backslash \\", "Ends with backslash \\"),
    ("<@U1>", "<@U1>"),
    ("2*3*4", r"2\*3\*4"),
    ("__init__", r"\_\_init\_\_"),
    (r"C:\*.tmp", r"C:\\\*.tmp"),
    ("&amp; vs &", r"\&amp; vs &"),
    ("a <T>", r"a \<T>"),
    ("<!here>", r"\<!here>"),
    ("`code`", r"\`code\`"),
    ("~~old~~", r"\~\~old\~\~"),
    ("a ~~old~~", r"a ~\~old\~\~"),
    ("[a](b)", r"[a\](b)"),
    ("![a](b)", r"![a\](b)"),
    ("say :wave:", r"say \:wave:"),
    ("see http://e.com", r"see http\://e.com"),
    ("# no heading", r"\# no heading"),
    ("- no item", r"\- no item"),
    ("+ no item", r"\+ no item"),
    ("1. no item", r"1\. no item"),
    ("1.5 times", "1.5 times"),
    ("> no quote", r"\> no quote"),
    ("---", r"\---"),
    ("===", r"\==="),
    ("```js", r"\```js"),
    ("| a | b |", "| a | b |"),
    ("[ ] no box", r"\[ ] no box"),
    ("[a]: b", r"\[a]: b"),
    ("<!-- gone? -->", r"\<!-- gone? -->"),
]


@pytest.mark.parametrize(("text", "source"), PLAIN_TEXTS)
def test_texts_stay_what_they_are(text, source):
    assert write([Text(text)]) == (source, [])
    assert parse_line(source) == (Text(text),)
    assert shown(source) == (Text(text),)


TASK_TEXTS = [
    ("## Goal", "## Goal"),
    ("1. Why now", "1. Why now"),
    ("- dash", "- dash"),
    ("[ ] box", "[ ] box"),
    ("[link]: http://e.com", r"\[link]: http\://e.com"),
    ("tick [x] and [X]", r"tick [x\] and [X\]"),
    ("| a | b |", "| a | b |"),
]


@pytest.mark.parametrize(("text", "source"), TASK_TEXTS)
def test_behind_a_box_no_block_begins_and_no_text_ticks_it(text, source):
    assert write([Text(text)], in_task=True) == (source, [])
    assert shown_task(source) == (False, (Text(text),))


@pytest.mark.parametrize(
    ("text", "source"), [("C #", r"C \#"), ("C#", "C#"), ("##", r"\##"), ("1. a", "1. a")]
)
def test_behind_a_heading_mark_only_its_end_is_escaped(text, source):
    assert write([Text(text)], in_heading=True) == (source, [])
    assert text in html(f"# {source}")


STYLED = [
    ([Text("Status:", BOLD), Text("OK")], "**Status:**<!-- -->OK"),
    ([Text("Status:", BOLD), Text(" OK")], "**Status:** OK"),
    ([Text("中"), Text("「a」", BOLD), Text("文")], "中<!-- -->**「a」**<!-- -->文"),
    ([Text("中"), Text("国", BOLD), Text("文")], "中**国**文"),
    ([Text("a", BOLD), Text("b", BOLD | ITALIC), Text("c", ITALIC)], "**a*b***<!-- -->*c*"),
    ([Text("a", STRIKE | BOLD), Text("b")], "~~**a**~~<!-- -->b"),
    ([Text("x", STRIKE | ITALIC | BOLD | CODE)], "~~***`x`***~~"),
    ([Text("see ", BOLD), link("it", BOLD), Text(" now", BOLD)], f"**see [it]({URL}) now**"),
    ([link("a "), link("b", BOLD)], f"[a **b**]({URL})"),
    ([link("a", BOLD)], f"[**a**]({URL})"),
    ([Text("!"), link("x")], f"\\![x]({URL})"),
    ([link(URL), Text(" ok")], f"{URL} ok"),
    ([Text("("), link(URL), Text(")")], f"(<{URL}>)"),
    ([link(URL), Text("ok")], f"<{URL}>ok"),
    ([Text(URL, PLAIN, Link(URL, "t"))], f'[https\\://e.com/a]({URL} "t")'),
    ([Text("l]", PLAIN, Link("a b(", 't"'))], '[l\\]](<a b(> "t\\"")'),
    ([Text("l", PLAIN, Link("a(b"))], "[l](a\\(b)"),
    ([Text("l", PLAIN, Link("a(b)/../c#d"))], "[l](a(b)/../c#d)"),
    ([Text("l", PLAIN, Link(""))], "[l]()"),
    ([Text("`", CODE), Text(" "), Text(" a ", CODE), Text(" "), Text("  ", CODE)], "`` ` `` `  a  ` `  `"),
    ([Text("a", UNDERLINE), Text("b", HIGHLIGHT | BOLD)], "<u>a</u>**<mark>b</mark>**"),
    ([Text("b", BOLD), Text(" ~250px")], "**b** ~250px"),
    ([Text("one"), Break(), Text("- two"), Break(), Text("===")], "one\\\n\\- two\\\n\\==="),
    ([Text("a", BOLD), Break(), Text("b", BOLD)], "**a**\\\n**b**"),
    ([Text("x"), Emoji("wave"), Emoji("+1a"), Text("y")], "x<!-- -->:wave::+1a:<!-- -->y"),
    ([Image("p", "al]t", "t")], '![al\\]t](p "t")'),
    ([Image("p", "a", style=BOLD, link=LINK)], f"[**![a](p)**]({URL})"),
    ([RawSpan("html", "<kbd>"), Text("k"), RawSpan("html", "</kbd>")], "<kbd>k</kbd>"),
    ([Text("→"), Text('"b"', BOLD)], '→<!-- -->**"b"**'),
]


@pytest.mark.parametrize(("spans", "source"), STYLED)
def test_styles_come_back(spans, source):
    assert write(spans) == (source, [])
    assert parse_line(source) == make_line(spans)
    assert shown(source) == seen(make_line(spans))


def test_breaks_on_a_single_line():
    assert write([Text("a"), Break(), Text("b")], single_line=True) == ("a<br>b", [])
    assert parse_line("a<br>b") == (Text("a"), Break(), Text("b"))


GIVEN_UP = [
    # What cannot be held, what is written instead, and how it is called.
    ([Text("Note: ", BOLD), Text("x")], "**Note:** x", STYLE_DROPPED),
    ([Text(" x "), Break(), Text("y ")], "x\\\ny", BLANKS_TRIMMED),
    ([Text("a\x1b[31m\x7f\x85\n")], "a␛[31m␡\ufffd ", CHARACTER_REPLACED),
    ([Text("a", PLAIN, Link("u\x1b"))], "[a](u%1B)", CHARACTER_REPLACED),
    ([RawSpan("html", "<div>"), Text("x "), Text("b", BOLD)], "\\<div>x **b**", STYLE_DROPPED),
    ([RawSpan("slack", "{}")], "{}", STYLE_DROPPED),
    ([Mention("user", "U1", "ann")], "<@U1|ann>", MENTION_AS_TEXT),
    ([Mention("channel", "C1")], "<#C1>", MENTION_AS_TEXT),
    ([Mention("group", "S1")], r"\<!subteam^S1>", MENTION_AS_TEXT),
    ([Mention("broadcast", "here", style=BOLD)], r"**\<!here>**", MENTION_AS_TEXT),
    ([Mention("team", "T1")], "@T1", MENTION_AS_TEXT),
    (
        [Date(7, "{date_num}", "then", "https://e.com")],
        r"\<!date^7^{date_num}^https\://e.com|then>",
        MENTION_AS_TEXT,
    ),
    ([Color("#00FF00")], "#00FF00", MENTION_AS_TEXT),
    ([Emoji("wave", "1f44b")], ":wave:", MENTION_AS_TEXT),
    ([Emoji("Odd Name")], ":Odd Name:", MENTION_AS_TEXT),
]


@pytest.mark.parametrize(("spans", "source", "code"), GIVEN_UP)
def test_what_cannot_be_held_is_noted(spans, source, code):
    written, codes = write(spans)
    assert (written.rstrip(), codes[0]) == (source.rstrip(), code)
    assert set(codes) <= {code, BLANKS_TRIMMED}


# --- laws ---------------------------------------------------------------------------------------

SNIPPETS = [
    "a",
    "http://e.com",
    "[x]",
    "1. ",
    "- ",
    "<b>",
    "&amp;",
    ":wave:",
    "snake_case",
    "](u)",
    "\u00a0",
]
words = st.text("*_~`[]()<>&!\\#:.-=+|\"' ab1é→中", min_size=1, max_size=8) | st.sampled_from(SNIPPETS)
styles = st.sampled_from(
    [PLAIN, PLAIN, BOLD, ITALIC, STRIKE, BOLD | ITALIC, CODE, CODE | BOLD, UNDERLINE, HIGHLIGHT | BOLD]
)
links = st.sampled_from([None, None, None, LINK, Link("a(b"), Link("x y", 't"i\\')])
spans = st.one_of(
    st.builds(Text, words, styles, links),
    st.builds(Text, words, styles),
    st.just(Break()),
    st.just(link(URL)),
    st.builds(Emoji, st.sampled_from(["wave", "+1a"]), style=st.sampled_from([PLAIN, BOLD])),
    st.builds(Image, st.just("u"), words, link=links),
    st.sampled_from([RawSpan("html", "<kbd>"), RawSpan("html", "</kbd>")]),
)
lines = st.lists(spans, min_size=1, max_size=6).map(make_line)


@given(lines)
def test_what_is_written_is_what_viewers_show(line):
    source, codes = write(line)
    back = parse_line(source)
    assert codes or back == line
    assert plain_text(back) == plain_text(trim_line(line))
    assert shown(source) == seen(back)


@given(lines)
def test_behind_a_box_viewers_show_it_too(line):
    source, _ = write(line, in_task=True)
    ticked, there = shown_task(source)
    assert there == seen(parse_line(source, None))
    # In code and pictures `[x]` cannot be escaped.
    assert not ticked or any("[x]" in f"{span}" for span in line if span != Text(plain_text((span,))))


@given(lines)
def test_writing_again_changes_nothing(line):
    source, _ = write(line)
    assert write(parse_line(source)) == (source, [])


@given(st.text("*_~`[]()<>&!\\#:.- ab1\n" + string.punctuation, max_size=20))
def test_texts_without_markup_need_no_parser(source):
    assert parse_line(source) == trim_line(line_spans(inline_tokens(source.strip(" \t\n"))))
