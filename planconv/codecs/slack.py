"""Slack: plan blocks and task cards in blocks, messages and responses.

What is read and written stands on Slack's pages on the plan block and the task card block
(https://docs.slack.dev/reference/block-kit/blocks/plan-block, ``…/task-card-block``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from planconv.codec import CodecInfo, Field, partly
from planconv.errors import DecodeError, NoPlanError, StrictError
from planconv.loss import BLOCK_DROPPED, LUGGAGE_DROPPED, PLAN_SPLIT, TITLE_ASSUMED, Ledger
from planconv.model import JSON, Plan
from planconv.slack_fields import FIELDS
from planconv.wire import json
from planconv.wire.carrier import metadata, out_of_metadata, with_carried
from planconv.wire.slack.find import beside_plans, block_types, find_plans, looks_like_chunks
from planconv.wire.slack.limits import pack, rejoin
from planconv.wire.slack.plan import write_plan
from planconv.wire.slack.read import read_plan
from planconv.wire.slack.repeat import Repeats
from planconv.wire.slack.rich_text_spans import LUGGAGE
from planconv.wire.slack.task import VOCABULARY

_SIMPLER = "headings, tables, pictures and rules are written as simpler text"

INFO = CodecInfo(
    name="slack",
    summary="Slack plan blocks and task cards, in blocks, messages and responses",
    patterns=("*.slack.json", "*.slack.jsonl"),
    vocabulary=VOCABULARY,
    luggage=LUGGAGE,
    holds={
        **FIELDS,
        Field.PROSE: partly("headings only decide where a plan of more than 50 tasks is cut"),
        Field.DETAILS: partly(f"as rich text: {_SIMPLER}"),
        Field.OUTPUT: partly(f"as rich text: {_SIMPLER}"),
    },
    carrier="the metadata of the message",
    records=True,
)


class SlackCodec:
    """Plan blocks in, plan blocks out."""

    info = INFO

    def recognise(self, head: bytes, /) -> str:
        """See :class:`planconv.codec.Codec`."""
        if not head.lstrip(json.BOM + b" \t\r\n").startswith((b"{", b"[")) or looks_like_chunks(head):
            return ""
        if _PLAN_BLOCK.search(head) and b'"tasks"' in head:
            return "it has a block of type `plan`"
        for name in (b"task_card", b"rich_text"):
            if b'"%s"' % name in head:
                return f"it has a `{name.decode()}`"
        return ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """See :class:`planconv.codec.Codec`; messages stand one a line, or in one document."""
        values = list(_values(data, ledger))
        found = [plan for value, _ in values for plan in find_plans(value)]
        if not found:
            if ledger.bad_records:
                return []
            raise NoPlanError(_what_was_found([value for value, _ in values]))
        if ledger.strict:
            for value, line in values:
                _check(value, line, data, ledger)
        for value, line in values:
            for pointer, block in beside_plans(value):
                ledger.note(BLOCK_DROPPED, pointer, block, line=line)
        parts = [plan.plan for plan in found]
        whole = rejoin(parts)
        if len(whole) < len(parts):
            ledger.note(TITLE_ASSUMED, "/title", len(parts), len(whole))
        plans = [read_plan(plan, ledger) for plan in whole]
        return out_of_metadata(plans, LUGGAGE, [value for value, _ in values])

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """See :class:`planconv.codec.Codec`; one message, or several, one a line, if one is too small."""
        carrying = metadata(plans, LUGGAGE)
        if carrying:
            plans = [with_carried(plan, LUGGAGE, None) for plan in plans]
        blocks = [block for plan in plans for block in write_plan(plan, ledger)]
        _make_unique(blocks, ledger)
        messages = pack(blocks)
        if len(messages) > 1:
            ledger.note(PLAN_SPLIT, "/body", len(blocks), len(messages))
        return b"".join(
            json.dumps_line({"blocks": message, **({} if number else carrying)})
            for number, message in enumerate(messages)
        )

    def repeats(self, ledger: Ledger, /) -> Repeats:
        """See :class:`planconv.codec.RepeatCodec`."""
        return Repeats(lambda plan: self.encode([plan], ledger), ledger)


SLACK = SlackCodec()

_PLAN_BLOCK = re.compile(rb'"type"\s*:\s*"plan"')


def _values(data: bytes, ledger: Ledger) -> Iterator[tuple[JSON, int | None]]:
    """The one document, or the messages of a log with their lines."""
    try:
        yield json.loads(data, at=ledger.at), None
    except DecodeError as error:
        lines = data.removeprefix(json.BOM).split(b"\n")
        if not _is_log(lines):
            raise error from None
        yield from _records(lines, ledger)


def _is_log(lines: Sequence[bytes]) -> bool:
    """Whether the first line is a document of its own, and not the last one."""
    filled = [line for line in lines if line.strip()][:2]
    try:
        return len(filled) == 2 and json.loads(filled[0]) is not None
    except DecodeError:
        return False


def _records(lines: Sequence[bytes], ledger: Ledger) -> Iterator[tuple[JSON, int]]:
    offset = 0
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield json.loads(line, ledger.at("", line=number)), number
            except DecodeError as error:
                error.line, error.offset = number, offset + (error.offset or 0)
                ledger.reject(error, line)
        offset += len(line) + 1


def _what_was_found(values: list[JSON]) -> str:
    types = ", ".join(block_types(values))
    if types:
        return f"there is no plan block and no task card among its blocks ({types})"
    return "there is no plan block and no task card in it"


def _check(value: JSON, line: int | None, data: bytes, ledger: Ledger) -> None:
    """Raise for the first thing that Slack would not take."""
    from planconv.wire.slack.shapes import problems

    for found in find_plans(value):
        for pointer, reason in problems(found):
            error = DecodeError(reason, line=line, pointer=pointer)
            if line is None:
                error.line, error.column = json.locate(data, pointer)
            error.input = ledger.input
            raise StrictError(str(error))


def _make_unique(blocks: list[dict[str, JSON]], ledger: Ledger) -> None:
    """Take block ids away that another block has already; Slack makes new ones."""
    seen: set[str] = set()
    for block in blocks:
        id = block.get("block_id")
        if isinstance(id, str) and id in seen:
            del block["block_id"]
            ledger.note(LUGGAGE_DROPPED, "/extras/slack/block_id", id)
        elif isinstance(id, str):
            seen.add(id)
