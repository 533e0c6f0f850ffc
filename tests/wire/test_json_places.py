"""Where the values of objects stand in a JSON text."""

import pytest

from planconv.wire.json_places import places


@pytest.mark.parametrize(
    ("text", "path", "value", "behind_key"),
    [
        ('{"a": "b"}', ("a",), '"b"', '"a": "b"}'),
        ('{"a" :\n true }', ("a",), "true", '"a" :\n true }'),
        ('[1, {"a": [[2], {"b": -1.5e3}]}]', (1, "a", 1, "b"), "-1.5e3", '"b": -1.5e3}]}]'),
        (r'{"\u0061\"": "\\\"}{,:"}', ('a"',), r'"\\\"}{,:"', r'"\u0061\"": "\\\"}{,:"}'),
        ('{"a": 1, "a": 2}', ("a",), "2", '"a": 2}'),
        ('{"": {"": null}}', ("", ""), "null", '"": null}}'),
        ('{"a": {"x": []}, "b": "c"}', ("b",), '"c"', '"b": "c"}'),
    ],
)
def test_a_value_is_found(text, path, value, behind_key):
    place = places(text)[path]
    assert text[place.start : place.end] == value
    assert text[place.key :] == behind_key


def test_what_stands_in_no_object_has_no_key():
    assert places('["a", 1, [], {}]') == {}
    assert places('"a"') == {}
