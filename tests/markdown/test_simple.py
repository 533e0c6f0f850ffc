"""Lines that need no parser are read and written as the parser would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.markdown.inline_read import is_text, line_spans
from planconv.markdown.parser import inline_tokens, plain_tokens
from planconv.markdown.plain import _is_text
from planconv.markdown.simple import read_simple, write_simple
from planconv.model import Line, Link, Style, Text, make_line

SOURCES = st.lists(
    st.sampled_from([*"`` `` ab_*().,:!?<>&~#-+=\\[]|", " ", "code", "https://x.y", "x_y", "é", "中"]),
    max_size=14,
).map(lambda parts: "".join(parts).strip(" "))


@given(SOURCES)
def test_inline_markdown_is_read_as_the_parser_reads_it(source: str) -> None:
    line = read_simple(source, is_text)
    assert line is None or line == make_line(line_spans(inline_tokens(source, None)))


@given(SOURCES)
def test_plain_fields_are_read_as_the_parser_reads_them(source: str) -> None:
    line = read_simple(source, _is_text)
    assert line is None or line == make_line(line_spans(plain_tokens(source)))


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("", ()),
        ("plain text", (Text("plain text"),)),
        ("`code`", (Text("code", Style.CODE),)),
        ("See `a.py`, (`b_c.py`) and `*.md`!", None),
        ("no`space`", None),
        ("``two``", None),
        ("` edge `", None),
        ("`open", None),
        ("*bold* `code`", None),
    ],
)
def test_what_is_simple(source: str, line: Line | None) -> None:
    found = read_simple(source, is_text)
    if line is not None:
        assert found == line
    elif "(" in source:
        assert found is not None
    else:
        assert found is None


@given(SOURCES)
def test_a_simple_line_is_written_as_it_stood(source: str) -> None:
    line = read_simple(source, is_text)
    assert line is None or write_simple(line, is_text) == source


def test_a_line_with_a_link_is_not_simple() -> None:
    assert write_simple((Text("a", link=Link("u")),), is_text) is None
