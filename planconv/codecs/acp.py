"""The Agent Client Protocol, in four variants that read alike and write differently.

``acp`` writes version 2 with entries, ``acp-v1`` version 1, ``acp-markdown`` and ``acp-file`` the drafts
of version 2 in which a plan is Markdown or a file. The shapes are those of
https://agentclientprotocol.com/protocol/v2/draft/agent-plan and, for version 1,
https://agentclientprotocol.com/protocol/agent-plan; :mod:`planconv.wire.acp.update` finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from planconv.codec import FULL, NO, CodecInfo, Field, Held, partly
from planconv.errors import EncodeError
from planconv.loss import REMOVAL_DROPPED, Ledger
from planconv.model import JSON, Plan, PlanEvent, PlanRemoved, PlanUpdated
from planconv.wire import json
from planconv.wire.acp.final import final_plans, needed_lines
from planconv.wire.acp.ids import SESSION, with_id, with_ids, with_session
from planconv.wire.acp.log import Survey, read_lines, read_records
from planconv.wire.acp.message import LUGGAGE, level_keys, note_unknown_levels, notification
from planconv.wire.acp.read import read_plan
from planconv.wire.acp.update import MAIN, read_update
from planconv.wire.acp.v1 import refuse_two_of_a_session
from planconv.wire.acp.write import write_file, write_markdown, write_v1, write_v2
from planconv.wire.carrier import into_meta
from planconv.wire.logs.lines import Line

Object: TypeAlias = dict[str, JSON]
Writer: TypeAlias = Callable[[Plan, Ledger], Object | None]
"""Makes the update that tells of a plan; ``None``, with a note, if the variant has none for it."""


class AcpCodec(NamedTuple):
    """One variant: ``write`` makes its updates, ``removes`` tells whether it has one for a removal."""

    info: CodecInfo
    write: Writer
    removes: bool = True

    def recognise(self, head: bytes, /) -> str:
        """ACP is told by its own words; which variant is to be written nobody can tell."""
        if self.info.name != "acp":
            return ""
        if b'"sessionUpdate"' in head or b'"session/update"' in head:
            return "it has ACP session updates"
        bare = head.removeprefix(json.BOM).lstrip()[:1] in (b"{", b"[")
        if bare and b'"content"' in head and b'"status"' in head and b'"priority"' in head:
            return "it has the entries of an ACP plan"
        return ""

    def decode(self, data: bytes, ledger: Ledger, /) -> list[Plan]:
        """The plans that are there at the end: an update replaces, a removal removes."""
        return self.decode_pieces([data], ledger)

    def decode_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> list[Plan]:
        """The same, of an input that comes in pieces; of a log only the plans are held."""
        survey = Survey()
        return final_plans(read_records(pieces, ledger, survey), ledger, survey)

    def shorten(self, pieces: Iterable[bytes], /, *, begun: bool) -> tuple[list[Line], int]:
        """See :class:`planconv.codec.SplitCodec`."""
        return needed_lines(pieces, begun=begun)

    def decode_lines(self, lines: Iterable[Line], ledger: Ledger, /) -> list[Plan]:
        """See :class:`planconv.codec.SplitCodec`."""
        return final_plans(read_lines(lines, ledger, hasty=not ledger.strict), ledger, Survey())

    def decode_events(self, lines: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """One event for each update, as it comes."""
        return self.decode_event_pieces(lines, ledger)

    def decode_event_pieces(self, pieces: Iterable[bytes], ledger: Ledger, /) -> Iterator[PlanEvent]:
        """The same, of an input that comes in pieces."""
        for record in read_records(pieces, ledger):
            for update in read_update(record, ledger):
                if update.removed:
                    yield PlanRemoved(update.session, update.plan_id)
                else:
                    yield from map(PlanUpdated, read_plan(update, ledger))

    def encode(self, plans: Sequence[Plan], ledger: Ledger, /) -> bytes:
        """One message a line for each plan."""
        plans = [with_session(plan, ledger) for plan in plans]
        if self.removes:
            plans = with_ids(plans, ledger)
        else:
            refuse_two_of_a_session(plans)
        messages = [message for plan in plans for message in self._message(plan, ledger)]
        if plans and not messages:
            raise EncodeError(f"{self.info.name} can write none of these plans: they are of a custom type")
        return b"".join(messages)

    def encode_events(self, events: Iterable[PlanEvent], ledger: Ledger, /) -> Iterator[bytes]:
        """One message for each event."""
        made: dict[tuple[str | None, str | None], str | None] = {}
        for event in events:
            match event:
                case PlanUpdated(plan):
                    named = with_session(plan, ledger)
                    if self.removes:
                        named = with_id(named, ledger)
                    made[plan.session, plan.id] = named.id
                    if not self.removes:
                        refuse_two_of_a_session([Plan(id, session) for session, id in made])
                    yield from self._message(named, ledger)
                case PlanRemoved(session, id):
                    name = made.pop((session, id), id) or MAIN
                    if self.removes:
                        removal: Object = {"sessionUpdate": "plan_removed", "planId": name}
                        yield json.dumps_line(notification(session or SESSION, removal, {}))
                    else:
                        ledger.note(REMOVAL_DROPPED, "/id", name, plan=Plan(id, session))

    def _message(self, plan: Plan, ledger: Ledger) -> Iterator[bytes]:
        plan = into_meta(plan, LUGGAGE, "plan" if self.removes else "update")
        note_unknown_levels(plan, ledger)
        update = self.write(plan, ledger)
        if update is not None:
            params = level_keys(plan, "params", ("sessionId", "update"), ledger)
            yield json.dumps_line(notification(plan.session or SESSION, update, params))


# --- the variants -------------------------------------------------------------------------------

_PLAIN = partly("Markdown within a line; what has no Markdown (mentions, dates, colours) is plain text")
_ENTRIES: Mapping[Field, Held] = {
    Field.SESSION: FULL,
    Field.PLAN_ID: FULL,
    Field.PLAN_TITLE: partly("only as the plan id that is made from it where there is none"),
    Field.PROSE: partly("only of plans without a task, which are written as Markdown (draft)"),
    Field.REFERENCE: partly("only of plans without a task, which are written as files (draft)"),
    Field.TASK_TITLE: _PLAIN,
    Field.STATUS: partly("words of one's own begin with `_`"),
    Field.PRIORITY: partly("words of one's own begin with `_`"),
    Field.TASK_ID: NO,
    Field.SUBTASKS: partly("after their parent, on its level"),
    Field.DETAILS: partly("paragraphs, lists, quotes and code, as text below the title"),
    Field.OUTPUT: NO,
    Field.SOURCES: NO,
    Field.DEPENDS_ON: NO,
}
_ENTRIES_V1: Mapping[Field, Held] = {
    **_ENTRIES,
    Field.PLAN_ID: partly("every plan is `main`, one a session"),
    Field.PLAN_TITLE: NO,
    Field.PROSE: NO,
    Field.REFERENCE: partly("not at all, but a plan that is only a reference is refused"),
    Field.STATUS: partly(
        "others than its three words stand behind the title, as in `Ask again (cancelled)`"
    ),
    Field.PRIORITY: partly("other words than high, medium and low become medium"),
}
_MARKDOWN: Mapping[Field, Held] = {
    **dict.fromkeys(Field, FULL),
    Field.REFERENCE: partly("an absolute URI, in a paragraph 'Plan file: <…>'"),
    Field.TASK_TITLE: partly("what has no Markdown (mentions, dates, colours) is plain text"),
    Field.STATUS: partly("a box, and a word of letters in parentheses where a box cannot say it"),
    Field.PRIORITY: partly("a word of letters, in the same parentheses"),
    Field.TASK_ID: NO,
    Field.DETAILS: partly("all Markdown blocks; those of other formats are code"),
    Field.OUTPUT: partly("below '**Output:**'; tasks in it are plain items"),
    Field.DEPENDS_ON: NO,
}
_FILE: Mapping[Field, Held] = {
    name: FULL
    if name in (Field.SESSION, Field.PLAN_ID, Field.REFERENCE)
    else partly("in the file that it points to, not in the message")
    for name in Field
}


def _info(
    name: str,
    summary: str,
    holds: Mapping[Field, Held],
    patterns: tuple[str, ...] = (),
    vocabulary: str = "acp",
) -> CodecInfo:
    return CodecInfo(
        name=name,
        summary=summary,
        patterns=patterns,
        vocabulary=vocabulary,
        luggage=LUGGAGE,
        holds=holds,
        carrier="`_meta`, under the key `planconv`",
        records=True,
    )


_PATTERNS = ("*.acp.json", "*.acp.jsonl", "*.acp.ndjson", "*.ndjson", "*.jsonl")

ACP = AcpCodec(
    _info("acp", "Agent Client Protocol; writes version 2 plan updates with entries", _ENTRIES, _PATTERNS),
    write_v2,
)
ACP_V1 = AcpCodec(
    _info("acp-v1", "Agent Client Protocol; writes version 1 plans", _ENTRIES_V1, vocabulary="acp-v1"),
    write_v1,
    removes=False,
)
ACP_MARKDOWN = AcpCodec(
    _info(
        "acp-markdown",
        "Agent Client Protocol; writes the plan as Markdown (draft of version 2)",
        _MARKDOWN,
        vocabulary="gfm",
    ),
    write_markdown,
)
ACP_FILE = AcpCodec(
    _info("acp-file", "Agent Client Protocol; writes a pointer to a file (draft of version 2)", _FILE),
    write_file,
)
