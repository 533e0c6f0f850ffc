"""Compressed inputs: read as what they hold, or refused with the reason."""

from __future__ import annotations

import gzip

import pytest

from planconv.compressed import expanded, plain_name
from planconv.errors import DecodeError

TEXT = b'{"a": 1}\n' * 50_000


@pytest.mark.parametrize("size", [1, 3, 1000, 1 << 20])
def test_gzip_comes_back_whatever_pieces_it_comes_in(size: int) -> None:
    data = gzip.compress(TEXT[:9000])
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert b"".join(expanded(pieces)) == TEXT[:9000]


def test_joined_gzip_files_are_one_input() -> None:
    assert b"".join(expanded([gzip.compress(b"one\n") + gzip.compress(b"two\n")])) == b"one\ntwo\n"


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_noughts_behind_the_data_fill_up_the_last_block(size: int) -> None:
    data = gzip.compress(b"one\n") + bytes(20) + gzip.compress(b"two\n") + bytes(500)
    pieces = [data[start : start + size] for start in range(0, len(data), size)]
    assert b"".join(expanded(pieces)) == b"one\ntwo\n"


def test_what_is_not_compressed_passes() -> None:
    for pieces in ([], [b"\x1f"], [b"{", b"}\n"], [b"- [ ] a"]):
        assert b"".join(expanded(pieces)) == b"".join(pieces)


def test_a_small_file_that_holds_much_comes_in_portions() -> None:
    data = gzip.compress(b"\0" * (1 << 27))
    assert max(map(len, expanded([data]))) < 1 << 27


@pytest.mark.parametrize(
    ("data", "why"), [(gzip.compress(TEXT)[:-9], "cut off"), (b"\x1f\x8b\x08\0" + b"x" * 50, "broken")]
)
def test_damaged_data_is_an_error(data: bytes, why: str) -> None:
    with pytest.raises(DecodeError, match=f"the gzip data is {why}"):
        list(expanded([data]))


def test_zstd_is_read_or_says_what_is_missing() -> None:
    try:
        import zstandard
    except ImportError:
        with pytest.raises(DecodeError, match="install the package zstandard"):
            list(expanded([b"\x28\xb5\x2f\xfd rest"]))
        return
    compressor = zstandard.ZstdCompressor()
    assert b"".join(expanded([compressor.compress(TEXT)] * 2)) == TEXT * 2


def test_the_name_of_a_compressed_file_tells_what_is_in_it() -> None:
    assert [plain_name(name) for name in ("a.jsonl.gz", "b.md.ZST", "c.md")] == ["a.jsonl", "b.md", "c.md"]
