"""The parser's own rules: what it keeps that markdown-it would drop, and where it stops."""

import pytest

from planconv.errors import DecodeError
from planconv.markdown.parser import MAX_NESTING, block_tokens
from tests.markdown.viewer import html


def contents(text):
    tokens, _ = block_tokens(text)
    return [token.content for token in tokens if token.type == "inline"]


def test_inline_text_is_left_raw():
    assert contents("- [ ] ## x\n- [x] *y*\n") == ["[ ] ## x", "[x] *y*"]


@pytest.mark.parametrize("item", ["[x]: text", "[X]: text", "[ ]: text"])
@pytest.mark.parametrize("bullet", ["- ", "1. ", "> - "])
def test_an_item_that_begins_like_a_box_is_no_definition(bullet, item):
    assert contents(bullet + item) == [item]


def test_outside_of_items_it_is_one():
    _, definitions = block_tokens("- [x] a\n\n[x]: /u\n")
    assert [(found.label, found.url, found.line) for found in definitions.all()] == [("X", "/u", 3)]
    assert 'checkbox" checked' in html("- [x] a\n\n[x]: /u\n")


NESTED = {
    "lists": lambda depth: "".join("  " * level + "- a\n" for level in range(depth)),
    "lists in one line": lambda depth: "- " * depth + "a\n",
    "quotes": lambda depth: ">" * depth + " a\n",
}


@pytest.mark.parametrize("shape", NESTED)
def test_nesting_up_to_the_limit_is_read_from_deep_in_a_program(shape):
    def deeper(frames):
        return block_tokens(NESTED[shape](MAX_NESTING)) if frames == 0 else deeper(frames - 1)

    tokens, _ = deeper(200)
    assert max(token.level for token in tokens) >= MAX_NESTING


@pytest.mark.parametrize("shape", NESTED)
@pytest.mark.parametrize("depth", [MAX_NESTING + 1, 5 * MAX_NESTING])
def test_nesting_beyond_it_is_an_error(shape, depth):
    with pytest.raises(DecodeError, match="more than 100 levels deep") as caught:
        block_tokens("text\n\n" + NESTED[shape](depth))
    assert caught.value.line == (MAX_NESTING + 3 if shape == "lists" else 3)
    assert contents("- a") == ["a"]


def test_lines_may_end_in_any_way():
    assert contents("- a\r\n- b\r- c\0\n") == ["a", "b", "c\ufffd"]
