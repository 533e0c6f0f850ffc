"""Slack streams: the chunks of ``chat.startStream``, ``chat.appendStream`` and ``chat.stopStream``.

A stream shows one plan. What chunks hold and what becomes of them stands on Slack's pages on these methods
(https://docs.slack.dev/reference/methods/chat.appendStream); :mod:`planconv.wire.slack.chunks` reads them,
:mod:`planconv.wire.slack.rows` writes them.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

from planconv.codec import CodecInfo, Field, partly
from planconv.errors import EncodeError, NoPlanError
from planconv.loss import REMOVAL_DROPPED, Ledger
from planconv.model import JSON, Plan, PlanEvent, PlanRemoved, PlanUpdated
from planconv.slack_fields import FIELDS
from planconv.wire import json
from planconv.wire.logs.records import Record, read_records
from planconv.wire.slack.chunks import Chunks
from planconv.wire.slack.find import looks_like_chunks
from planconv.wire.slack.rich_text_spans import LUGGAGE
from planconv.wire.slack.rows import Rows
from planconv.wire.slack.task import VOCABULARY

_AS_MARKDOWN = "as Markdown, to which a stream can only add; those of other formats are code"

INFO = CodecInfo(
    name="slack-stream",
    summary="Slack streams: the chunks of chat.appendStream; of a live plan only what changed",
    patterns=("*.slack-stream.jsonl", "*.slack-stream.ndjson", "*.slack-stream.json"),
    vocabulary=VOCABULARY,
    luggage=LUGGAGE,
    holds={
        **FIELDS,
        Field.PROSE: partly("all of it as one text, above or below the tasks"),
        Field.DETAILS: partly(_AS_MARKDOWN),
        Field.OUTPUT: partly(_AS_MARKDOWN),
    },
    several=False,
    records=True,
)


class SlackStreamCodec:
    """Chunks in, chunks out, one a line."""

    info = INFO

    def recognise(self, head: bytes, /) -> str:
        """See :class:`planconv.codec.Codec`."""
        if not head.lstrip(json.BOM + b" \t\r\n").startswith((b"{", b"[")):
            return ""
        kind = looks_like_chunks(head)
        return f"it has a chunk of type `{kind}`" if kind else ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plan that the stream shows at its end; plans in blocks are further ones."""
        chunks = Chunks(ledger)
        for record in read_records(io.BytesIO(data), ledger):
            _take(chunks, record, ledger)
        plans = chunks.plans()
        if not plans and not ledger.bad_records:
            raise NoPlanError(_what_was_found(chunks))
        return plans

    def decode_events(self, lines: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """The plan as it stands after each line that changes it."""
        chunks = Chunks(ledger)
        last: dict[int, Plan] = {}
        for record in read_records(lines, ledger):
            for place in _take(chunks, record, ledger):
                plan = chunks.plan(place)
                if last.get(place) != plan and (place in last or plan in chunks.plans()):
                    last[place] = plan
                    yield PlanUpdated(plan)
        if not last and not ledger.bad_records:
            raise NoPlanError(_what_was_found(chunks))

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """All chunks that a stream of this plan needs, one a line."""
        if len(plans) > 1:
            raise EncodeError(_one_plan(f"there are {len(plans)}"))
        rows = Rows(ledger)
        written = b"".join(_line(chunk) for plan in plans for chunk in rows.update(plan))
        rows.close()
        return written

    def encode_events(self, events: Iterable[PlanEvent], ledger: Ledger, /) -> Iterator[bytes]:
        """For each event the chunks that it adds to the stream, one a line; nothing if there are none."""
        rows = Rows(ledger)
        there: tuple[str | None, str | None] | None = None
        for event in events:
            match event:
                case PlanUpdated(plan):
                    key = (plan.session, plan.id)
                    if there not in (None, key):
                        raise EncodeError(
                            _one_plan(f"{_called(*key)} came beside {_called(*(there or key))}")
                        )
                    there = key
                    written = b"".join(map(_line, rows.update(plan)))
                    if written:
                        yield written
                case PlanRemoved(session, id) if (session, id) == there:
                    ledger.note(REMOVAL_DROPPED, "/id", id, plan=Plan(id, session))
                    rows.close()
                    rows.forget()
                    there = None
        rows.close()


SLACK_STREAM = SlackStreamCodec()


def _take(chunks: Chunks, record: Record, ledger: Ledger) -> list[int]:
    changed = chunks.take(record.value, record.line)
    if changed:
        record.tell(ledger, Plan())
    return changed


def _line(chunk: Mapping[str, JSON]) -> bytes:
    return json.dumps_line({**chunk})


def _one_plan(what: str) -> str:
    return f"a Slack stream shows one plan, and {what}: choose with --plan or --session"


def _called(session: str | None, id: str | None) -> str:
    return f"plan {id or 'without id'} (session {session or 'none'})"


def _what_was_found(chunks: Chunks) -> str:
    found = ", ".join(f"{count} × {kind}" for kind, count in chunks.types.most_common(6))
    if not found:
        return "there is no chunk of a stream in it"
    return f"there is no task and no plan title among its chunks ({found})"
