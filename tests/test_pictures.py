"""What stands in the place of characters that must not reach a page or a terminal."""

import pytest

from planconv.pictures import PICTURES, UNSAFE


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31m", "a␛[31m"),
        ("\x00\r\x7f", "␀␍␡"),
        ("\x85\x9b", "\ufffd\ufffd"),
        ("\ud800x\udfff", "\ufffdx\ufffd"),
    ],
)
def test_what_is_unsafe_is_shown(text, shown):
    assert UNSAFE.search(text)
    assert text.translate(PICTURES) == shown
    assert shown.isprintable()


@pytest.mark.parametrize("text", ["a\tb\nc", "naïve 🎉 ␛ \u2028"])
def test_other_text_stays(text):
    assert not UNSAFE.search(text)
    assert text.translate(PICTURES) == text


def test_just_what_is_unsafe_has_a_picture():
    assert {chr(code) for code in PICTURES} == {c for c in map(chr, range(0x110000)) if UNSAFE.match(c)}
