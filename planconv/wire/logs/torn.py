"""Lines that end in the middle of a JSON value: of a document that goes on, or of a record that is torn."""

from __future__ import annotations

from planconv.errors import DecodeError
from planconv.wire import json


def is_unfinished(line: bytes) -> bool:
    """Whether a value begins in a line and does not end there."""
    if json.glance(line) is not None:
        return False
    try:
        json.loads(line)
    except json.UnfinishedError:
        return True
    except DecodeError:
        return False
    return False


def goes_on(first: bytes, second: bytes) -> bool:
    """Whether an unfinished line goes on in the next one; if not, it is torn.

    Behind a torn record the next line is a record in itself. So may be an item of an array, but the line
    above that begins or ends with the bracket.
    """
    if first.startswith(b"[") or first.rstrip().endswith(b"["):
        return True
    return not (second.startswith(b"{") and _is_whole(second))


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except DecodeError:
        return False
    return True


def placed(error: DecodeError, line: int, before: int, offset: int, raw: bytes) -> DecodeError:
    """An error that counts from the start of a record, counted from the start of the input.

    Args:
        error: what is wrong.
        line: the line that the record begins on.
        before: how many characters stand before the record on that line.
        offset: how many bytes of the input stand before the record.
        raw: the line, or the lines of a document.
    """
    reason = error.reason
    if isinstance(error, json.UnfinishedError) and raw.count(b"\n") < 2:
        last = "" if raw.endswith(b"\n") else "last "
        reason = f"the {last}line ends in the middle of a record"
    below = (error.line or 1) - 1
    return DecodeError(
        reason,
        line=line + below,
        column=(error.column or 1) + (0 if below else before),
        offset=offset + (error.offset or 0),
    )
