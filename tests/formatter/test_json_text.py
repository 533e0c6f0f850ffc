import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.errors import DecodeError
from planconv.formatter import formatted
from planconv.formatter.json_text import format_json

ODD = '{"a":1.0e5, "a" : 12345678901234567890123,"u":"\\u00e9\\ud800 \\"x\\\\", "e":{ },"f":[\n] , "n":-0}'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{"b": [1,{"a":null}],\n"c":{}}',
            '{\n  "b": [\n    1,\n    {\n      "a": null\n    }\n  ],\n  "c": {}\n}\n',
        ),
        ('{"b": 1}\n\n{"a" :2}', '{"b":1}\n{"a":2}\n'),
        ('\ufeff{"b":\r\n1}', '\ufeff{\r\n  "b": 1\r\n}\r\n'),
        ('{"b": 1}', '{"b":1}\n'),
        ("[ ]\n", "[]\n"),
        ("", ""),
    ],
)
def test_layout(before, after):
    assert format_json(before) == after
    assert format_json(after) == after


def test_numbers_keys_and_texts_stay_as_they_are_written():
    out = format_json(ODD, records=False)
    assert "".join(out.split()).replace(" ", "") == "".join(ODD.split()).replace(" ", "")
    assert format_json(ODD, records=True).count("\n") == 1


@pytest.mark.parametrize("text", ["{", '{"a":NaN}', "nothing", '{"a":1}}', '["\t"]'])
def test_what_is_no_json_is_an_error(text):
    with pytest.raises(DecodeError):
        format_json(text)


def test_deep_nesting_is_no_limit():
    text = "[" * 20_000 + "]" * 20_000
    assert format_json(text) == text + "\n"


@pytest.mark.parametrize(
    ("form", "name", "lines"),
    [("acp", "a.ndjson", 1), ("taskmaster", "tasks.json", 3), ("slack", "a.json", 1)],
)
def test_what_a_line_of_json_is_told_by_its_format_and_name(form, name, lines):
    assert formatted(b'{"a": 1}', form, name).count(b"\n") == lines


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda t: st.lists(t) | st.dictionaries(st.text(), t),
)


@given(trees, st.sampled_from([None, 1, 2]))
def test_the_value_stays(tree, indent):
    text = json.dumps(tree, indent=indent)
    for records in (None, True, False):
        out = format_json(text, records=records)
        assert json.loads(out) == tree
        assert format_json(out, records=records) == out
    assert format_json(text, records=False) == json.dumps(tree, indent=2) + "\n"
