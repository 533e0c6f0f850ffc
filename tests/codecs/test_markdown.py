"""The codec around the Markdown reader and writer: bytes, recognition, what it says of itself."""

import pytest

from planconv.codec import Field
from planconv.codecs.markdown import MARKDOWN
from planconv.errors import DecodeError, NoPlanError
from planconv.loss import Ledger
from planconv.model import plain_text


def decode(data):
    return MARKDOWN.decode(data, Ledger())


def test_there_and_back():
    data = "# Plän\n\n- [ ] á\n- [x] b\n".encode()
    assert MARKDOWN.encode(decode(data), Ledger()) == data


def test_a_byte_order_mark_is_dropped():
    (plan,) = decode(b"\xef\xbb\xbf# T\n\n- [ ] a\n")
    assert plain_text(plan.title) == "T"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"- [ ] a\n- \xc3\xa4\xff", (2, 4, 12)),
        (b"\xef\xbb\xbfa\xff", (1, 2, 4)),
        (b"\xff", (1, 1, 0)),
    ],
)
def test_what_is_not_utf_8_is_told_with_its_place(data, place):
    with pytest.raises(DecodeError, match="not UTF-8") as caught:
        decode(data)
    assert (caught.value.line, caught.value.column, caught.value.offset) == place


@pytest.mark.parametrize("data", ["- [ ] a".encode("utf-16"), b"\xfe\xff\0a"])
def test_utf_16_is_named(data):
    with pytest.raises(DecodeError, match="UTF-16"):
        decode(data)


def test_no_plan():
    with pytest.raises(NoPlanError):
        decode(b"text\n")


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"- [ ] a\n", "a list item with a box"),
        (b"\xef\xbb\xbftext\n\n  3) [X] a\n", "a list item with a box"),
        (b"> * [x] a\n", "a list item with a box"),
        (b"# Title\n\ntext", "a Markdown title"),
        (b"plain text", ""),
        (b'{"plan": {}}', ""),
        (b"", ""),
    ],
)
def test_recognise(head, reason):
    assert MARKDOWN.recognise(head) == reason


def test_it_says_something_of_every_field():
    assert set(MARKDOWN.info.holds) == set(Field)
