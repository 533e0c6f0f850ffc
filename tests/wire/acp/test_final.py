"""What is left of a log at its end, whether it is read in one piece or in parts."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.codecs.acp import ACP
from planconv.errors import DecodeError, NoPlanError
from planconv.loss import Ledger, Loss
from planconv.model import Plan


def line(session: str, **update: object) -> bytes:
    params = {"sessionId": session, "update": update}
    return json.dumps({"method": "session/update", "params": params}).encode() + b"\n"


def shown(session: str, id: str, *titles: str, **more: object) -> bytes:
    entries = [{"content": title, "status": "pending", **more} for title in titles]
    return line(
        session, sessionUpdate="plan_update", plan={"type": "items", "planId": id, "entries": entries}
    )


LINES = [
    *(shown(session, id, title) for session in "st" for id in "ab" for title in "xy"),
    shown("s", "a"),
    shown("s", "a", "no priority", status=7),
    line("s", sessionUpdate="plan_removed", planId="a"),
    line("t", sessionUpdate="plan_removed", planId="b"),
    line("s", sessionUpdate="plan", entries=[{"content": "one", "status": "pending", "priority": "high"}]),
    line("s", sessionUpdate="agent_message_chunk", content={"text": "a \u001b plan"}),
    b'{"plan": torn\n',
    b"\n",
    b"[agent] " + shown("s", "b", "behind a word"),
]


def told(plans: list[Plan], ledger: Ledger) -> tuple[list[Plan], list[Loss], list[str]]:
    return plans, ledger.losses, [str(record.error) for record in ledger.bad_records]


def whole(data: bytes) -> tuple[list[Plan], list[Loss], list[str]] | str:
    ledger = Ledger(skip_bad_records=True)
    try:
        return told(ACP.decode(data, ledger), ledger)
    except NoPlanError:
        return "no plan"


def in_parts(data: bytes, places: list[int]) -> tuple[list[Plan], list[Loss], list[str]] | str:
    ends = sorted({0, len(data), *(data.find(b"\n", place % len(data)) + 1 for place in places)})
    lines = []
    breaks = 0
    for start, end in pairwise(ends):
        kept, more = ACP.shorten([data[start:end]], begun=start > 0)
        lines += [one._replace(number=one.number + breaks, offset=one.offset + start) for one in kept]
        breaks += more
    assert breaks == data.count(b"\n")
    ledger = Ledger(skip_bad_records=True)
    try:
        return told(ACP.decode_lines(lines, ledger), ledger)
    except NoPlanError:
        return "no plan"


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=14), st.lists(st.integers(0), max_size=3))
def test_parts_tell_what_the_whole_tells(lines: list[bytes], places: list[int]) -> None:
    data = shown("s", "first", "a") + b"".join(lines)
    assert in_parts(data, places) == whole(data)


def test_of_many_versions_few_lines_are_needed() -> None:
    data = b"".join(shown("s", "a", str(number)) for number in range(1000))
    lines, breaks = ACP.shorten([data], begun=False)
    assert ([one.number for one in lines], breaks) == ([1, 1000], 1000)


def test_a_document_is_not_cut() -> None:
    data = json.dumps(json.loads(LINES[0]), indent=2).encode()
    with pytest.raises(DecodeError, match="no log"):
        ACP.shorten([data], begun=False)
