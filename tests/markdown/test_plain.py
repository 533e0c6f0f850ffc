"""Plain-text fields: what is read there, what stays text, and that reading and writing are inverse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.loss import (
    BLANKS_TRIMMED,
    BLOCK_SIMPLIFIED,
    DETAILS_MOVED,
    MENTION_AS_TEXT,
    STYLE_DROPPED,
    Ledger,
)
from planconv.markdown.plain import read_plain, read_plain_line, write_plain, write_plain_line
from planconv.model import (
    PLAIN,
    Break,
    Code,
    Emoji,
    Heading,
    Image,
    Item,
    Link,
    List,
    Mention,
    Paragraph,
    Quote,
    RawSpan,
    Rule,
    Style,
    Task,
    TaskList,
    Text,
    make_line,
    plain_text,
)

BOLD, ITALIC, STRIKE, CODE = Style.BOLD, Style.ITALIC, Style.STRIKE, Style.CODE


def write_line(line):
    ledger = Ledger()
    return write_plain_line(make_line(line), ledger.at("/title")), [loss.code for loss in ledger.losses]


def write(title, details):
    ledger = Ledger()
    return write_plain(title, details, ledger.at("")), [loss.code for loss in ledger.losses]


MARKUP = [
    ("`code`", [Text("code", CODE)]),
    ("`` a`b ``", [Text("a`b", CODE)]),
    ("**b** *i* ~~s~~", [Text("b", BOLD), Text(" "), Text("i", ITALIC), Text(" "), Text("s", STRIKE)]),
    ("(**a**), '*b*': ***c***!", [Text("("), Text("a", BOLD), Text("), '"), Text("b", ITALIC), Text("': "),
                                  Text("c", BOLD | ITALIC), Text("!")]),
    ('[a **b**](u "t")', [Text("a ", PLAIN, Link("u", "t")), Text("b", BOLD, Link("u", "t"))]),
    ("see https://e.com.", [Text("see "), Text("https://e.com", PLAIN, Link("https://e.com")), Text(".")]),
    ("done :wave:", [Text("done "), Emoji("wave")]),
    ("a\n**b**\n", [Text("a"), Break(), Text("b", BOLD), Break()]),
    ("List<T> of __init__ in `x`", [Text("List<T> of __init__ in "), Text("x", CODE)]),
    ("\\*\\*no mark\\*\\*", [Text("**no mark**")]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "spans"), MARKUP)
def test_markup_is_read(text, spans):
    assert read_plain_line(text) == make_line(spans)
    assert write_line(spans) == (text, [])


LITERAL = [
    "plain", "  blanks  ", "2*3*4", "a * b", "src/**/*.ts lib/**/*.ts", "*.ts and *.js", "_x_ and __init__",
    r"C:\*.tmp\_x and \[done\]", "&amp; vs &", "<T>", "<https://e.com>", "rows[0](x)", "![a](u)", "**open",
    "in**mid**word", "中**文**字", "`open", "~one~ ~/a", "10:30:45", r"\_", "<!-- gone? -->",
    "a\\", "__b__", "- [ ] box", "# h", "``a``", "* a * b*",
]  # fmt: skip


@pytest.mark.parametrize("text", LITERAL)
def test_everything_else_is_the_characters_that_it_is(text):
    assert read_plain_line(text) == (Text(text),)
    assert write_line([Text(text)]) == (text, [])


GIVEN_UP = [
    ([Text("in"), Text("mid", BOLD), Text("word")], "inmidword", STYLE_DROPPED),
    ([Text("a", Style.UNDERLINE)], "a", STYLE_DROPPED),
    ([Text("Note: ", BOLD), Text("x")], "**Note:** x", STYLE_DROPPED),
    ([Text("f"), Text("x", PLAIN, Link("u"))], "fx (u)", STYLE_DROPPED),
    ([Image("u", "alt")], "[alt](u)", BLOCK_SIMPLIFIED),
    ([RawSpan("html", "<b>"), Text("x")], "<b>x", STYLE_DROPPED),
    ([Mention("broadcast", "here")], "<!here>", MENTION_AS_TEXT),
]


@pytest.mark.parametrize(("spans", "text", "code"), GIVEN_UP)
def test_what_has_no_form_is_noted_and_keeps_its_characters(spans, text, code):
    assert write_line(spans) == (text, [code])


DETAILS = [
    ("t\n\np **b**\nq", (Paragraph((Text("p "), Text("b", BOLD), Break(), Text("q"))),)),
    ("t\n\np\n\nq", (Paragraph((Text("p"),)), Paragraph((Text("q"),)))),
    (
        "t\n\n- a\n- `b`",
        (List((Item((Paragraph((Text("a"),)),)), Item((Paragraph((Text("b", CODE),)),)))),),
    ),
    ("t\n\n> q", (Quote((Paragraph((Text("q"),)),)),)),
    ("t\n\n```py\nx\n```", (Code("x", "py"),)),
    ("t\n\n* a", (Paragraph((Text("* a"),)),)),
    ("t\n\n- [ ] task", (Paragraph((Text("- [ ] task"),)),)),
    ("t\n\n# heading", (Paragraph((Text("# heading"),)),)),
    ("t\n\n- a <T>", (Paragraph((Text("- a <T>"),)),)),
    ("t\n\n- 2*3*4", (Paragraph((Text("- 2*3*4"),)),)),
    ("t\n\n---", (Paragraph((Text("---"),)),)),
]


@pytest.mark.parametrize(("text", "details"), DETAILS)
def test_details_stand_behind_the_first_blank_line(text, details):
    assert read_plain(text) == ((Text("t"),), details)
    assert write((Text("t"),), details) == (text, [])


def test_blocks_without_a_form_are_noted():
    for block in (
        Heading(2, (Text("h"),)),
        TaskList((Task((Text("x"),)),)),
        Paragraph((Text("- a"),)),
        Rule(),
    ):
        text, codes = write((Text("t"),), (block,))
        assert text.startswith("t\n\n")
        assert BLOCK_SIMPLIFIED in codes


def test_a_title_that_cannot_be_told_from_the_details_is_noted():
    assert write((), (Paragraph((Text("d"),)),)) == ("\n\nd", [DETAILS_MOVED])
    assert write((Text("a"), Break(), Break(), Text("b")), ()) == ("a\nb", [BLANKS_TRIMMED])


# --- laws ---------------------------------------------------------------------------------------

SNIPPETS = ["a", "http://e.com", "<b>", "&amp;", ":wave:", "snake_case", "](u)", "**b**", "`c`", " "]
words = st.text("*_~`[]()<>&\\!#:.- ab1/", min_size=1, max_size=8) | st.sampled_from(SNIPPETS)
styles = st.sampled_from([PLAIN, PLAIN, BOLD, ITALIC, STRIKE, BOLD | ITALIC, CODE, CODE | BOLD])
links = st.sampled_from([None, None, None, Link("https://e.com/x"), Link("x y", 't"i\\')])
spans = st.builds(Text, words, styles, links) | st.sampled_from([Break(), Emoji("wave"), Image("u", "a")])
BLOCK_STARTS = ["- a\n", "  - b\n", "1. x\n", "> q\n", "```\n", "\n", "\n", "t", "* z\n", "- [ ] t\n",
                "# h\n", "| a | b |\n", "| - | - |\n", "---\n", "<b>", "**b** "]  # fmt: skip


@given(st.text("*_~`[]()<>&\\!#:.- ab1/\n", max_size=20) | st.lists(words, max_size=5).map("".join))
def test_reading_and_writing_a_line_is_exact(text):
    assert write_line(read_plain_line(text)) == (text, [])


@given(
    st.text("*_~`[]()<>&\\!#:.- ab1|\n\n\n", max_size=30)
    | st.lists(st.sampled_from(BLOCK_STARTS), max_size=8).map("".join)
)
def test_reading_and_writing_a_field_is_exact(text):
    assert write(*read_plain(text)) == (text, [])


@given(st.lists(spans, min_size=1, max_size=6).map(make_line))
def test_writing_is_honest_and_keeps_all_characters(line):
    text, codes = write_line(line)
    back = read_plain_line(text)
    assert codes or back == line
    for span in line:
        assert not isinstance(span, Text) or span.text in plain_text(back)
