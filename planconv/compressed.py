"""Inputs that are compressed are read as they are: gzip, and zstd where a library for it is installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from planconv.errors import DecodeError

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_PORTION = 1 << 16
"""How many compressed bytes are expanded at once: a small file may hold a very large one."""

SUFFIXES = (".gz", ".zst")


class _Expander(Protocol):
    """One compressed stream; ``unused_data`` is what follows its end."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def plain_name(name: str) -> str:
    """The name that a file would have if it were not compressed."""
    for suffix in SUFFIXES:
        if name.lower().endswith(suffix):
            return name[: -len(suffix)]
    return name


def is_compressed(head: bytes) -> bool:
    """Whether the first bytes of an input say that it is compressed."""
    return head.startswith((_GZIP, _ZSTD))


def expanded(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """An input in pieces, expanded if its first bytes say that it is compressed.

    Raises:
        DecodeError: the compressed data is broken or cut off, or there is no library for it.
    """
    pieces = iter(pieces)
    head = b""
    for piece in pieces:
        head += piece
        if not (_GZIP.startswith(head[:2]) or _ZSTD.startswith(head[:4])):
            break
        if len(head) >= len(_ZSTD):
            break
    if head.startswith(_GZIP):
        yield from _expanded(head, pieces, "gzip")
    elif head.startswith(_ZSTD):
        yield from _expanded(head, pieces, "zstd")
    else:
        if head:
            yield head
        yield from pieces


def _expanded(head: bytes, pieces: Iterator[bytes], kind: str) -> Iterator[bytes]:
    """Streams that follow one another, as ``cat`` joins them."""
    expander = _expander(kind)
    begun = True
    for portion in _portions(head, pieces):
        rest = portion
        while rest:
            if expander.eof:
                rest = rest.lstrip(b"\0")  # some writers fill up the last block
                if not rest:
                    break
                expander, begun = _expander(kind), True
            data = _step(expander, rest, kind)
            rest = expander.unused_data if expander.eof else b""
            begun = not expander.eof
            if data:
                yield data
    if begun:
        raise DecodeError(f"the {kind} data is cut off")


def _step(expander: _Expander, data: bytes, kind: str) -> bytes:
    try:
        return expander.decompress(data)
    except Exception as error:  # each library has an error of its own
        raise DecodeError(f"the {kind} data is broken: {error}") from error


def _portions(head: bytes, pieces: Iterator[bytes]) -> Iterator[bytes]:
    piece: bytes | None = head
    while piece is not None:
        for start in range(0, len(piece), _PORTION):
            yield piece[start : start + _PORTION]
        piece = next(pieces, None)


def _expander(kind: str) -> _Expander:
    if kind == "gzip":
        import zlib

        return zlib.decompressobj(wbits=31)
    from importlib import import_module

    try:
        expander: _Expander = import_module("compression.zstd").ZstdDecompressor()
    except ImportError:
        try:
            expander = import_module("zstandard").ZstdDecompressor().decompressobj()
        except ImportError:
            raise DecodeError(
                "this is compressed with zstd: install the package zstandard to read it"
            ) from None
    return expander
