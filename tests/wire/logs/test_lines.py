"""Cutting a log into lines, and finding those that have to be read."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.wire.logs.lines import LinesToRead, Marks, blocks_of, lines_of


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([], []),
        ([b""], []),
        ([b"a\nb\n"], [b"a\n", b"b\n"]),
        ([b"a", b"b", b"\nc"], [b"ab\n", b"c"]),
        ([b"a\n", b"\n", b"b"], [b"a\n", b"\n", b"b"]),
        ([b"a\r\nb\x0bc\x1cd\n"], [b"a\r\n", b"b\x0bc\x1cd\n"]),
        ([b"a\nb", b"c\nd\ne", b"f"], [b"a\n", b"bc\n", b"d\n", b"ef"]),
        ([b"\n", b"a\n"], [b"\n", b"a\n"]),
    ],
)
def test_lines_of_pieces(pieces, lines):
    assert list(lines_of(pieces)) == lines


def test_lines_come_as_soon_as_they_are_whole():
    asked = []

    def pieces():
        for piece in (b"a\nb\nc", b"d\n", b"e"):
            asked.append(piece)
            yield piece

    lines = lines_of(pieces())
    assert [next(lines), next(lines), len(asked)] == [b"a\n", b"b\n", 1]
    assert [next(lines), len(asked)] == [b"cd\n", 2]


def test_a_long_line_is_put_together_once():
    pieces = [b"x" * 1000] * 100_000
    assert [len(line) for line in lines_of([*pieces, b"\n"])] == [100_000_001]


# --- the lines that have to be read -------------------------------------------------------------

MARKS = Marks(b'"plan', b'"entries')
READ = [
    b'{"plan":1}',
    b'{"a":{"entries":[]},"plan":"planId"}',
    b'{"entries":[]}',
    b'{"raw":"{\\"plan\\":1}"}',
    rb'{"\u0070lan":1}',
    rb'{"raw":"{\u0022plan\u0022:1}"}',
    rb'{"raw":"{\"\u005cu0070lan\":1}"}',
    b'{"torn":',
    b"1}",
    b'[{"content":""}]',
    b"agent ! +1ms",
    b'{"a":"\xff"}',
    b' {"plan":1}',
]
"""Lines that a plan may stand in, or that may be damaged."""
LEFT = [b'{"a":1}', b'{"a":"\\u001b plan"}', '{"ä":"é"}'.encode(), b"", b"  ", b'{"b":{}}\r']
"""Lines that need not be read."""


def found(pieces: list[bytes]) -> list[tuple[int, int, bytes]]:
    return [tuple(line) for line in LinesToRead(blocks_of(pieces), MARKS)]


@pytest.mark.parametrize("line", READ)
def test_a_line_that_may_hold_a_plan_is_read(line: bytes) -> None:
    data = b'{"a":1}\n{"b":2}\n' + line + b'\n{"c":3}\n'
    assert found([data])[1:] == [(3, 16, line + b"\n")]


@pytest.mark.parametrize("line", LEFT)
def test_a_line_that_holds_none_is_not(line: bytes) -> None:
    assert found([b'{"plan":1}\n' + line + b'\n{"c":3}\n']) == [(1, 0, b'{"plan":1}\n')]


@pytest.mark.parametrize("line", [*READ, *LEFT[:3]])
def test_the_first_line_is_read_whatever_it_holds(line: bytes) -> None:
    assert found([b"\n\r\n" + line + b"\n"]) == [(3, 3, line + b"\n")]


@given(
    st.lists(st.sampled_from(READ + LEFT * 3), max_size=12),
    st.sampled_from([b"", b"\n"]),
    st.lists(st.integers(0, 200), max_size=5),
)
def test_pieces_of_any_size_give_the_same_lines(lines: list[bytes], end: bytes, cuts: list[int]) -> None:
    data = b"\n".join(lines) + end
    places = sorted({0, *(cut for cut in cuts if cut < len(data)), len(data)})
    pieces = [data[start:stop] for start, stop in pairwise(places)]
    assert found(pieces) == found([data])
    numbers = [number for number, _, _ in found(pieces)]
    wanted = [number for number, line in enumerate(lines, 1) if line in READ]
    assert set(wanted) <= set(numbers)
    for number, offset, raw in found(pieces):
        assert data[offset : offset + len(raw)] == raw
        assert data.count(b"\n", 0, offset) == number - 1
