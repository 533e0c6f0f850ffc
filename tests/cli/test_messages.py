import io

import pytest

from planconv.cli.messages import Paint, one_line, shown


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain ✓ 完了", "plain ✓ 完了"),
        ("a\nb\tc\rd", "a\\nb\\tc\\rd"),
        ("\x1b[2J\x9b2J\x7f", "\\x1b[2J\\x9b2J\\x7f"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\ud800", "\\ud800"),
        ("a\\nb", "a\\nb"),
    ],
)
def test_nothing_in_a_message_commands_a_terminal(text, safe):
    assert one_line(text) == safe


def test_names_are_shown_as_utf8_and_other_bytes_spelled_out():
    assert shown("ü") == "ü"
    assert shown("\udcc3\udcbc") == "ü", "as Python sees it in a locale without UTF-8"
    assert shown("a\udcff") == "a\\xff"


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("environ", "terminal", "on"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_who_decides_on_colour(monkeypatch, environ, terminal, on):
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    paint = Paint(Terminal() if terminal else io.StringIO())
    assert paint.on == on
    assert ("\x1b" in paint.red("x")) == on
