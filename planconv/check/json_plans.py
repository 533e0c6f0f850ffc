"""What can be wrong in a plan file in JSON, read from the values as they stand there.

Every finding begins as a fault at a JSON pointer; the pointers of a record are looked up together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from planconv.check import acp, native, slack, taskmaster
from planconv.check.findings import DUPLICATE_KEY, Finding, Place
from planconv.check.places import places
from planconv.check.tasks import Fault
from planconv.loss import DUPLICATE_KEY as REPEATED
from planconv.loss import Code, Note
from planconv.model import JSON
from planconv.wire import json
from planconv.wire.acp.log import Record

_FAMILIES: Mapping[str, Callable[[Record], Iterator[Fault[str]]]] = {
    **dict.fromkeys(("acp", "acp-v1", "acp-markdown", "acp-file"), acp.faults),
    **dict.fromkeys(("slack", "slack-stream"), slack.faults),
    "native": native.faults,
    "taskmaster": taskmaster.faults,
}

JSON_FORMATS = frozenset(_FAMILIES)
"""The formats in JSON whose files are checked."""


def check_json(data: bytes, form: str) -> list[Finding]:
    """The findings of a document, or of a log with one record a line.

    Raises:
        DecodeError: it is not JSON, or a record is not what the format demands.
    """
    repeated: list[Fault[str]] = []

    def at(pointer: str) -> Note:
        def note(code: Code, was: JSON = None, now: JSON = None, /) -> None:  # noqa: ARG001
            if code is REPEATED:
                repeated.append(Fault(DUPLICATE_KEY, "the key stands here a second time", pointer))

        return note

    found: list[Finding] = []
    seen = column = 0
    for value, raw, line, offset in json.documents(data, at):
        _, newline, before = data[seen:offset].rpartition(b"\n")
        column = len(before.decode()) + (0 if newline else column)
        seen = offset
        record = Record(value, raw, line, column, offset)
        found += _placed([*repeated, *_FAMILIES[form](record)], record)
        repeated.clear()
    return found


def _placed(faults: list[Fault[str]], record: Record) -> Iterator[Finding]:
    if not faults:
        return
    where = places(record.raw.decode(), {fault.at for fault in faults})
    for fault in faults:
        line, column, pointer = where[fault.at]
        before = record.column if line == 1 else 0
        yield Finding(fault.check, fault.message, Place(record.line + line - 1, before + column, pointer))
