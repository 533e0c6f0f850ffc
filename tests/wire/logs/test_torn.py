"""Whether a line that ends in the middle of a value goes on in the next, and where an error stands."""

import pytest

from planconv.errors import DecodeError
from planconv.wire import json
from planconv.wire.logs.torn import goes_on, is_unfinished, placed


@pytest.mark.parametrize("line", [b"{\n", b"[", b'{"a": [\n', b'{"a": {"b": 1},\n', b'{"a": "b'])
def test_a_line_that_ends_in_a_value_is_unfinished(line):
    assert is_unfinished(line)


@pytest.mark.parametrize("line", [b'{"a": 1}\n', b"[1]", b"null\n", b"[agent] {", b"no JSON", b"{]\n"])
def test_a_whole_value_and_what_is_none_are_not(line):
    assert not is_unfinished(line)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (b"{\n", b'  "a": 1\n'),
        (b'{"entries": [\n', b'{"content": "a"}\n'),
        (b"[\n", b'{"content": "a"}\n'),
        (b'[{"content": "a"},\n', b'{"content": "b"}\n'),
        (b'{"entries": [{"content": "a"},\n', b'{"content": "b"},\n'),
        (b'{"a":\r\n', b"{\r\n"),
    ],
)
def test_a_document_goes_on(first, second):
    assert goes_on(first, second)


@pytest.mark.parametrize("first", [b'{"a": {"b": "c\n', b'{"a": 1,\n', b"{\n"])
def test_behind_a_torn_record_stands_a_record(first):
    assert not goes_on(first, b'{"a": 1}\n')


@pytest.mark.parametrize(
    ("raw", "place"),
    [
        (b'{"a": 1', (7, 13, 107, "the last line ends in the middle of a record")),
        (b'{"a": \n', (8, 1, 107, "the line ends in the middle of a record")),
        (b'{"a": x}\n', (7, 12, 106, None)),
        (b'{\n"a": x}\n', (8, 6, 107, None)),
    ],
)
def test_an_error_is_told_where_it_stands_in_the_input(raw, place):
    with pytest.raises(DecodeError) as caught:
        json.loads(raw)
    error = placed(caught.value, 7, 5, 100, raw)
    assert (error.line, error.column, error.offset) == place[:3]
    assert error.reason == (place[3] or caught.value.reason)
