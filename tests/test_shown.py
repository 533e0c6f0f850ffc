"""The tables of right values hold against cmark-gfm, and the comparison sees what a reader sees."""

from __future__ import annotations

import pytest

from tests.rich_text_rows import MORE, ROWS
from tests.shown import cmark_shows, slack_shows
from tests.slack_shapes import bullets, code, link, ordered, quote, section, text

# Where rich text has another form on purpose, the two cannot show the same.
KEPT = [row for row in (*ROWS, *MORE) if not row.loses]


@pytest.mark.parametrize("row", KEPT, ids=lambda row: row.name)
def test_the_right_rich_text_shows_what_cmark_shows(row):
    assert cmark_shows(row.markdown) == slack_shows(row.elements)


DIFFERENT = [
    ("a b", [section("a\nb")]),
    ("a\\\nb", [section("a\n\nb")]),
    ("**a** b", [section(text("a b", "bold"))]),
    ("*a*", [section(text("a", "bold"))]),
    ("`a `b", [section(text("a", "code"), " b")]),
    ("[a](https://e.example)", [section(link("https://e.example/", "a"))]),
    ("2. a", [ordered("a")]),
    ("1. a\n2. b", [ordered("a"), ordered("b")]),
    ("- a", [ordered("a")]),
    ("- a\n  - b", [bullets("a", "b")]),
    ("- a\n\nb", [bullets("a\n\nb")]),
    ("- a\n- b", [bullets("a\nb")]),
    ("> a", [section("a")]),
    ("> a\n\n- b", [quote("a"), bullets("b", border=1)]),
    ("> > a", [quote("a")]),
    ("```\na\n```", [code("a", "sh")]),
    ("```\na\n\n```", [code("a")]),
    ("-\n- a", [bullets("a")]),
]


@pytest.mark.parametrize(("markdown", "elements"), DIFFERENT)
def test_what_looks_different_is_different(markdown, elements):
    assert cmark_shows(markdown) != slack_shows(elements)
