"""Plan files in JSON: only the blanks between the tokens change, so that nothing else can.

Duplicate keys, numbers of any size and escapes stay as they are written.
"""

from __future__ import annotations

import re

from planconv.wire import json

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[\[\]{},:]|[^\s"\[\]{},:]++')
_STEP = "  "


def format_json(text: str, *, records: bool | None = None) -> str:
    """The text in its stable layout.

    Args:
        text: a document, or several that follow one another, with or without a byte order mark.
        records: whether it is a log of one compact record a line. ``None``: it is one if it holds several
            documents, or none that spans lines.

    Raises:
        DecodeError: it is not JSON; it says where.
    """
    mark = text[: text.startswith("\ufeff")]
    data = text.removeprefix("\ufeff").encode()
    documents = [raw.decode() for _, raw, _, _ in json.documents(data)]
    if records is None:
        records = len(documents) != 1 or "\n" not in documents[0]
    end = "\r\n" if "\r\n" in text else "\n"
    laid_out = _compact if records or len(documents) > 1 else _indented
    return mark + "".join(laid_out(document).replace("\n", end) + end for document in documents)


def _compact(document: str) -> str:
    return "".join(_TOKEN.findall(document))


def _indented(document: str) -> str:
    written: list[str] = []
    depth = 0
    before = ""
    for symbol in _TOKEN.findall(document):
        closing = symbol in {"}", "]"}
        depth -= closing
        if closing != (before in {"{", "[", ","}):
            written.append("\n" + _STEP * depth)
        written.append(": " if symbol == ":" else symbol)
        depth += symbol in {"{", "["}
        before = symbol
    return "".join(written)
