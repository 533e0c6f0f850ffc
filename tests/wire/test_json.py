"""Exact JSON: what is read is written as it was, and what had to give is told."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.errors import DecodeError, EncodeError
from planconv.loss import CHARACTER_REPLACED, DUPLICATE_KEY, Ledger
from planconv.model import JSON, Verbatim
from planconv.wire.json import UnfinishedError, documents, dumps, dumps_indented, loads, locate

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_what_is_written_is_read_back(value: JSON) -> None:
    assert loads(dumps(value)) == value
    assert loads(dumps_indented(value)) == value


@given(values, st.sampled_from([None, 1, 4, "\t"]), st.booleans())
def test_any_writer_is_read_without_a_loss(value: JSON, indent: int | str | None, ascii_only: bool) -> None:
    ledger = Ledger()
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    read = loads(text, at=ledger.at)
    assert json.loads(dumps(read)) == value
    assert not ledger.losses


@pytest.mark.parametrize(
    "text",
    [
        "1.50",
        "-0",
        "1e400",
        "1E5",
        "12345678901234567890123",
        "-9223372036854775809",
        "0.1000000000000000055511151231257827",
        "123456789.1234567890",
    ],
)
def test_numbers_that_python_would_change_are_kept_as_they_are(text: str) -> None:
    assert loads(text.encode()) == Verbatim(text)
    assert dumps(loads(f'{{"cost":[{text}]}}'.encode())) == f'{{"cost":[{text}]}}'.encode()


@pytest.mark.parametrize("text", ["0", "-1", "18446744073709551615", "-9223372036854775808", "0.1", "1e-7"])
def test_other_numbers_are_numbers(text: str) -> None:
    assert loads(text.encode()) == json.loads(text)


def test_the_last_of_two_equal_keys_counts_and_the_first_is_told() -> None:
    ledger = Ledger()
    assert loads(b'{"a/b":[{"k":1,"k":2}]}', at=ledger.at) == {"a/b": [{"k": 2}]}
    (loss,) = ledger.losses
    assert (loss.code, loss.path, loss.was, loss.now) == (DUPLICATE_KEY, "/a~1b/0/k", 1, 2)
    assert "duplicate" in loss.message


def test_half_a_utf_16_pair_is_replaced_and_told() -> None:
    ledger = Ledger()
    assert loads(rb'["\ud83d\ude80 \ud800"]', at=ledger.at) == ["🚀 \ufffd"]
    assert [(loss.code, loss.path) for loss in ledger.losses] == [(CHARACTER_REPLACED, "/0")]


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert loads(b"\xef\xbb\xbf[1]") == [1]


@pytest.mark.parametrize(("open_mark", "close_mark"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [99, 100, 101, 300, 5000])
def test_deep_nesting_comes_back_and_is_no_burden(open_mark: str, close_mark: str, depth: int) -> None:
    text = open_mark * depth + "1" + close_mark * depth
    value = loads(text.encode())
    assert dumps(value) == text.encode()
    seen = 0
    while isinstance(value, list | dict):
        seen += 1
        value = value[0] if isinstance(value, list) else value["a"]
    assert seen == min(depth, 100)


def test_deep_nesting_stays_on_one_line() -> None:
    text = "[ " * 120 + '"a b",\n 1' + " ]" * 120
    assert dumps(loads(text.encode())) == b"[" * 120 + b'"a b",1' + b"]" * 120


def test_deep_values_of_a_program_are_written() -> None:
    value: JSON = []
    for _ in range(400):
        value = [value, {"k": 1 << 70}]
    assert loads(dumps(value), deepest=1000) == loads(dumps_indented(value), deepest=1000)


@pytest.mark.parametrize(
    ("data", "where", "reason"),
    [
        (b"", (1, 1, 0), "ends in the middle"),
        (b'{"a": NaN}', (1, 7, 6), "NaN is no JSON"),
        (b"[-Infinity]", (1, 2, 1), "-Infinity is no JSON"),
        (b"[1,\n 2,]", (2, 4, 7), "a value is expected here, not ']'"),
        ('{"é": 1 "b": 2}'.encode(), (1, 9, 9), "',' or '}' is expected here"),
        (b"{a: 1}", (1, 2, 1), "a key is expected here"),
        (b"{1: 1}", (1, 2, 1), "a key in double quotes"),
        (b'{"a" 1}', (1, 6, 5), "':' is expected here"),
        (b"[01]", (1, 2, 1), "a value is expected"),
        (b'["a\tb"]', (1, 4, 3), "control character"),
        (rb'["a\x"]', (1, 4, 3), "no escape"),
        (b"{} {}", (1, 4, 3), "follows after the end"),
        (b'{"a": "\xff"}', (1, 8, 7), "0xff is not UTF-8"),
        (b'[1]\n["\xc3"]', (2, 3, 6), "0xc3 is not UTF-8"),
        ("[1]".encode("utf-16"), (1, 1, 0), "UTF-16; convert it to UTF-8"),
        ("[1]".encode("utf-16-le"), (1, 1, 0), "UTF-16"),
        ("[1]".encode("utf-16-be"), (1, 1, 0), "UTF-16"),
        ("[1]".encode("utf-32"), (1, 1, 0), "UTF-32"),
    ],
)
def test_what_is_no_json_is_refused_with_its_place(
    data: bytes, where: tuple[int, int, int], reason: str
) -> None:
    with pytest.raises(DecodeError) as caught:
        loads(data)
    assert reason in caught.value.reason
    assert (caught.value.line, caught.value.column, caught.value.offset) == where


@given(values.filter(lambda value: not isinstance(value, int | float)), st.data())
def test_a_text_that_was_cut_is_called_unfinished(value: JSON, data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False)
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(UnfinishedError):
        loads(text[:cut].encode())


@given(st.binary(max_size=40) | st.text('[]{},:"\\u0eE-1 tn', max_size=20).map(str.encode))
def test_any_bytes_are_read_or_refused_as_python_does(data: bytes) -> None:
    try:
        ours: object = json.loads(dumps(loads(data)))
    except DecodeError:
        ours = None
    try:
        theirs = json.loads(data.decode("utf-8-sig"), parse_constant=lambda _: 1 / 0)
    except (ValueError, ZeroDivisionError):
        theirs = None
    if "\\u" not in repr(data):
        assert ours == theirs


def test_values_that_follow_one_another_are_read_one_by_one() -> None:
    text = b'{"a": 1}\n[2]\n\n"x"\n'
    assert list(documents(text)) == [
        ({"a": 1}, b'{"a": 1}', 1, 0),
        ([2], b"[2]", 2, 9),
        ("x", b'"x"', 4, 14),
    ]


def test_a_note_without_a_place_is_taken_too() -> None:
    ledger = Ledger()
    loads(b'{"k":1,"k":2}', ledger.at("/here"))
    assert [(loss.code, loss.path) for loss in ledger.losses] == [(DUPLICATE_KEY, "/here")]


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", (1, 1)),
        ("/a", (2, 8)),
        ("/a/1", (2, 13)),
        ("/x~1y", (3, 10)),
        ("/a/7", (2, 8)),
        ("/no", (1, 1)),
    ],
)
def test_a_pointer_leads_to_a_line_and_a_column(pointer: str, place: tuple[int, int]) -> None:
    assert locate(b'{\n  "a": [10, 20],\n  "x/y": null\n}', pointer) == place


def test_half_a_pair_in_a_programs_text_is_refused() -> None:
    with pytest.raises(EncodeError):
        dumps({"a": "\ud800"})


@pytest.mark.parametrize("unit", ["[", '{"a":', '"\\\\', "1.0 ", '{"k":1,"k":1},'])
def test_time_is_linear(unit: str) -> None:
    def seconds(count: int) -> float:
        begin = time.process_time()
        with pytest.raises(DecodeError):
            loads(("[" + unit * count).encode())
        return time.process_time() - begin

    seconds(1000)
    assert seconds(40_000) < 40 * seconds(4_000) + 0.2


def test_a_string_that_was_cut_in_an_escape_is_called_unfinished() -> None:
    with pytest.raises(UnfinishedError):
        loads(rb'{"": "\u')
