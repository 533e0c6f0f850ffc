"""Front matter: values with their places, near-YAML that is understood, and texts as YAML."""

import json

import pytest

from planconv.errors import DecodeError
from planconv.wire import front_matter


def read(text):
    told = []
    return front_matter.read(text, lambda *change: told.append(change)), told


@pytest.mark.parametrize(
    ("yaml", "value"),
    [
        ("a: text", "text"),
        ("a: 'it''s'", "it's"),
        ('a: "x\\ty"', "x\ty"),
        ("a: 7", 7),
        ('a: "7"', "7"),
        ("a: 007", "007"),
        ("a: 1.5", 1.5),
        ("a: true", True),
        ("a: no", "no"),
        ("a: ~", None),
        ("a:", None),
        ("a: []", []),
        ("a: [b, 1]", ["b", 1]),
        ("a: {b: c}", {"b": "c"}),
        ("a:\n  - b\n  - c: d", ["b", {"c": "d"}]),
        ("a: >-\n  one\n  two", "one two"),
        ("a: |\n  one\n  two", "one\ntwo\n"),
        ("x: &x [1]\na: *x", [1]),
        ("a: !tag text", "text"),
    ],
)
def test_a_value_means_what_yaml_says(yaml, value):
    document, told = read(f"---\n{yaml}\n---\nbody\n")
    assert document.top.keys["a"].value == value
    assert document.text[document.body_at :] == "body\n"
    assert not told


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_value_knows_its_place(newline):
    text = newline.join(["---", "a: 'x'  # why", "b:", "  - c: y", "---", "body", ""])
    document, _ = read(text)
    places = [document.top.keys["a"], document.top.keys["b"].items[0].keys["c"]]
    assert [document.text[place.start : place.end] for place in places] == ["'x'", "y"]
    assert [place.line for place in places] == [2, 4]


@pytest.mark.parametrize(
    "text", ["", "# A\n", "---\n", "---\na: b\n", "text\n---\na: b\n---\n", "--- \n\n"]
)
def test_a_text_without_front_matter(text):
    assert read(text) == (None, [])


def test_a_colon_in_a_plain_text_is_understood_and_told():
    document, told = read("---\nname: A\noverview: Fix this: keep that\n---\nbody\n")
    assert document.top.keys["overview"].value == "Fix this: keep that"
    assert told == [(3, "overview: Fix this: keep that", 'overview: "Fix this: keep that"')]
    assert document.text[document.body_at :] == "body\n"


@pytest.mark.parametrize(
    ("yaml", "line"), [("a: [", 3), ("a: b\n\tc: d", 3), ("a: 'b", 3), ("a: b\na: {", 4)]
)
def test_what_is_no_yaml_is_an_error_at_its_line(yaml, line):
    with pytest.raises(DecodeError, match="no YAML") as error:
        read(f"---\n{yaml}\n---\n")
    assert error.value.line is not None
    assert abs(error.value.line - line) <= 1


def test_aliases_that_multiply_are_refused():
    lines = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(DecodeError, match="repeats itself"):
        read("\n".join(["---", *lines, "---", ""]))


@pytest.mark.parametrize(
    "text",
    [
        *("", "Fix it", "a: b", "a #b", "#a", "- a", "yes", "No", "null", "1", "1.5", "~", "'", '"', "\\"),
        *(
            "a\nb",
            " a",
            "a ",
            "[a]",
            "{a",
            "*a",
            "&a",
            "!a",
            "@a",
            "`a",
            "%a",
            "---",
            "é",
            "📅",
            "\u2028",
            "\x7f",
        ),
    ],
)
def test_any_text_is_written_so_that_it_is_read_back(text):
    document, told = read(f"---\na: {front_matter.scalar(text)}\nb: {front_matter.quoted(text)}\n---\n")
    assert (document.top.keys["a"].value, document.top.keys["b"].value) == (text, text), json.dumps(text)
    assert not told
