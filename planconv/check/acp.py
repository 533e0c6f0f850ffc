"""What can be wrong in the plan updates of the Agent Client Protocol.

That readers skip invalid entries stands in the schemas of
https://github.com/agentclientprotocol/agent-client-protocol (``x-deserialize-skip-invalid-items``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from planconv.check.findings import DROPPED_ENTRY, RELATIVE_URI, UNKNOWN_STATUS
from planconv.check.tasks import Fault
from planconv.loss import Ledger
from planconv.model import JSON
from planconv.status import OPEN_VOCABULARIES, ORDINARY_PRIORITY, PRIORITIES, knows
from planconv.wire.acp.log import Record
from planconv.wire.acp.update import FILE, read_update

_DEMANDED = ("content", "priority", "status")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_FILE = re.compile(r"(?i:file):(?://[^/?#]*/[^?#]+|/(?!/)[^?#]+)(?:#.*)?")


def faults(record: Record) -> Iterator[Fault[str]]:
    """What is wrong with the plans in a record.

    Raises:
        DecodeError: an update of a plan is malformed.
    """
    for update in read_update(record, Ledger()):
        if update.type == FILE:
            yield from uri_faults(update.text, update.place)
        for number, entry in enumerate(update.entries):
            yield from _entry(entry, f"{update.place}/{number}", update.version)


def uri_faults(uri: str, pointer: str) -> Iterator[Fault[str]]:
    """Whether the URI of a plan file leads to the same place for everybody (RFC 3986 §4.3, RFC 8089)."""
    if _SCHEME.match(uri) is None:
        yield Fault(RELATIVE_URI, f"{uri!r} is not absolute: it has no scheme", pointer)
    elif uri[:5].lower() == "file:" and _FILE.fullmatch(uri) is None:
        yield Fault(RELATIVE_URI, f"{uri!r} is not absolute: its path does not begin with a slash", pointer)


def _entry(entry: JSON, pointer: str, version: int) -> Iterator[Fault[str]]:
    if not isinstance(entry, dict):
        yield Fault(DROPPED_ENTRY, "readers skip this entry: it is no object", pointer)
        return
    for key in _DEMANDED:
        if not isinstance(entry.get(key), str):
            what = f"its {key} is no string" if key in entry else f"it has no {key}"
            place = f"{pointer}/{key}" if key in entry else pointer
            yield Fault(DROPPED_ENTRY, f"readers skip this entry: {what}", place)
    status, priority = entry.get("status"), entry.get("priority")
    vocabulary = "acp-v1" if version == 1 else "acp"
    if isinstance(status, str) and not _is_status(vocabulary, status):
        skipped = (
            ", so readers skip this entry" if version == 1 else "; a word of one's own begins with `_`"
        )
        message = f"ACP version {version} does not know the status {status!r}{skipped}"
        yield Fault(UNKNOWN_STATUS, message, f"{pointer}/status")
    if version == 1 and isinstance(priority, str) and priority not in (*PRIORITIES, ORDINARY_PRIORITY):
        message = f"readers skip this entry: ACP version 1 does not know the priority {priority!r}"
        yield Fault(DROPPED_ENTRY, message, f"{pointer}/priority")


def _is_status(vocabulary: str, word: str) -> bool:
    return knows(vocabulary, word) or (vocabulary in OPEN_VOCABULARIES and word.startswith("_"))
