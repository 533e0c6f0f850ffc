"""Records of logs: which lines are read, and where what is wrong with them is."""

import json

import pytest

from planconv.errors import DecodeError
from planconv.loss import DUPLICATE_KEY, Ledger
from planconv.model import Plan
from planconv.wire.logs.records import has_keys, id_at, may_hold, member, read_records, text_at, unwrapped

MARKERS = (b"plan", b"update_todo")


@pytest.mark.parametrize(
    ("line", "looked_at"),
    [
        (rb'{"a":"a plan"}', True),
        (rb'{"a":"nothing"}', False),
        (rb'{"a":"\u0070lan"}', True),
        (rb'{"a":"update\u005ftodo"}', True),
        (rb'{"a":"update\u005Ftodo"}', True),
        (rb'{"a":"\u001b[1m \u003cb\u003e \u00e9 \u4e2d \ud83d\ude00"}', False),
        (b'{"a":1', True),
        (b'{"a":1}{"b', True),
        (b"17", True),
        (b"a line of noise", True),
        (b"  ", True),
    ],
)
def test_which_lines_are_looked_at(line, looked_at):
    assert may_hold(line + b"\n", MARKERS) is looked_at
    assert may_hold(line + b"\r\n", MARKERS) is looked_at


def test_a_line_without_its_end_is_looked_at():
    assert may_hold(b'{"a":1}', MARKERS)


@pytest.mark.parametrize("word", ["plan", "update_todo"])
def test_no_way_to_escape_a_marker_hides_it(word):
    for place in range(len(word)):
        for digits in (f"{ord(word[place]):04x}", f"{ord(word[place]):04X}"):
            escaped = f"{word[:place]}\\u{digits}{word[place + 1 :]}"
            assert json.loads(f'"{escaped}"') == word
            assert may_hold(f'{{"name":"{escaped}"}}\n'.encode(), MARKERS)


def read(data, wanted=lambda _: True, **how):
    ledger = Ledger(**how)
    records = [(record.value, record.line, record.offset) for record in read_records(data, ledger, wanted)]
    return records, [(bad.error.line, bad.error.offset) for bad in ledger.bad_records]


def lines_of(data):
    return data.splitlines(keepends=True)


@pytest.mark.parametrize(
    ("data", "records"),
    [
        (b"", []),
        (b"\n \n", []),
        (b"\xef\xbb\xbf", []),
        (b'{"a":1}\n\n{"b":2}\r\n3', [({"a": 1}, 1, 0), ({"b": 2}, 3, 9), (3, 4, 18)]),
        (b'\xef\xbb\xbf{"a":1}\n[2]\n', [({"a": 1}, 1, 3), ([2], 2, 11)]),
        (b'{\n  "a": 1\n}\n', [({"a": 1}, 1, 0)]),
        (b'\n{ "a":\n\n 1}', [({"a": 1}, 2, 1)]),
        (b'[\n{"a":1},\n{"b":2}\n]\n', [([{"a": 1}, {"b": 2}], 1, 0)]),
        (b'{\n"a": 1\n}{\n"b": 2\n}\n', [({"a": 1}, 1, 0), ({"b": 2}, 3, 10)]),
    ],
)
def test_records_and_their_places(data, records):
    assert read(lines_of(data)) == (records, [])


def test_the_first_record_is_always_read():
    data = lines_of(b'{"a":1}\n{"b":2}\n{"plan":3}\n')
    records, _ = read(data, lambda raw: may_hold(raw, MARKERS))
    assert [value for value, _, _ in records] == [{"a": 1}, {"plan": 3}]


def test_a_record_is_there_before_the_next_line_is_read():
    lines = iter([b'{"a":1}\n', b'{"b":2}\n'])
    next(read_records(lines, Ledger()))
    assert list(lines) == [b'{"b":2}\n']


@pytest.mark.parametrize(
    ("data", "good", "bad"),
    [
        (b'{"a":1}\nnoise\n{"b":2}\n', [1, 3], [(2, 8)]),
        (b'{"a":1}\n{"b":', [1], [(2, 13)]),
        (b'{"a":\n{"b":2}\n', [2], [(1, 5)]),
        (b'{"a":1}\n{"b":"\xff"}\n{"c":3}\n', [1, 3], [(2, 14)]),
        (b'{"a":', [], [(1, 5)]),
        (b'{\n"a": 1,\n"b"\n', [], [(3, 13)]),
    ],
)
def test_bad_records_are_set_aside_with_their_place(data, good, bad):
    records, rejected = read(lines_of(data), skip_bad_records=True)
    assert [line for _, line, _ in records] == good
    assert [line for line, _ in rejected] == [line for line, _ in bad]
    assert all(
        abs(offset - expected) <= 1 for (_, offset), (_, expected) in zip(rejected, bad, strict=True)
    )


def test_a_bad_record_stops_everything_unless_it_is_to_be_skipped():
    with pytest.raises(DecodeError, match="line 2") as caught:
        read(lines_of(b'{"a":1}\n{"b":'))
    assert caught.value.reason == "the last line ends in the middle of a record"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_other_encodings_are_named(encoding):
    data = '{"a":1}\n{"b":2}\n'.encode(encoding)
    with pytest.raises(DecodeError, match=encoding[:6].upper()):
        read(lines_of(data))


def test_what_json_gave_up_is_told_only_of_records_that_matter():
    ledger = Ledger()
    records = list(read_records([b'{"a":1,"a":2}\n', b'{"b":1,"b":2}\n'], ledger))
    assert not ledger.losses
    records[1].tell(ledger, Plan("p", "s"))
    assert [(loss.code, loss.was, loss.plan, loss.line) for loss in ledger.losses] == [
        (DUPLICATE_KEY, 1, "p", 2)
    ]


def test_looking_into_values():
    value = {"a": {"b": "c", "n": 7, "t": True, "e": ""}}
    assert member(value, "a", "b") == text_at(value, "a", "b") == "c"
    assert member(value, "a", "x", "y") is None
    assert member(None, "a") is None
    assert text_at(value, "a", "n") is None
    assert [id_at(value, "a", key) for key in "bnte"] == ["c", "7", None, None]


@pytest.mark.parametrize(
    ("value", "inner"), [([1], [1]), ("[1]", [1]), ("[1", None), ("", None), (None, None)]
)
def test_json_in_a_string(value, inner):
    assert unwrapped(value) == inner


def test_keys_of_a_document_that_is_cut_off():
    assert has_keys(b'\xef\xbb\xbf {\n "a" : 1, "b": [', "a", "b")
    assert not has_keys(b'{"a": "b"', "a", "b")
    assert not has_keys(b'# "a": 1', "a")
