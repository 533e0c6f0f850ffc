"""Cutting an input that comes in pieces where its lines end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces, cut anew so that each is made of whole lines; only the last one may lack its line break.

    A line that is longer than a piece comes as soon as it is whole, with the lines behind it.
    """
    torn: list[bytes] = []
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        torn.append(piece[:end] if end else piece)
        if end:
            block = b"".join(torn) if len(torn) > 1 else torn[0]
            torn = [piece[end:]] if end < len(piece) else []
            yield block
    if rest := b"".join(torn):
        yield rest
