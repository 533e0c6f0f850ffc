"""Plan updates are found in every shape and envelope, and malformed ones are told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from planconv.errors import DecodeError, StrictError
from planconv.loss import Ledger
from planconv.wire.acp.log import Record
from planconv.wire.acp.update import Update, read_update

ENTRY = {"content": "a", "priority": "medium", "status": "pending"}
V1 = {"sessionUpdate": "plan", "entries": [ENTRY]}
PLAN = {"type": "items", "planId": "p", "entries": [ENTRY]}
V2 = {"sessionUpdate": "plan_update", "plan": PLAN}
PARAMS = {"sessionId": "s1", "update": V2}
MESSAGE = {"jsonrpc": "2.0", "method": "session/update", "params": PARAMS}


def read(value: Any, *, strict: bool = False) -> list[Update]:
    record = Record(value, json.dumps(value).encode())
    return list(read_update(record, Ledger(strict=strict, input="log")))


ENVELOPES = {
    "message": MESSAGE,
    "params": PARAMS,
    "conductor trace": {
        "type": "notification",
        "ts": 1.5,
        "protocol": "acp",
        "from": "agent",
        "to": "client",
        "method": "session/update",
        "session": "s1",
        "params": {"update": V2},
    },
    "sacp-tee": {"timestamp": "2026-11-30T12:00:00Z", "direction": "upstream", "message": MESSAGE},
    "hydra": {"method": "session/update", "params": PARAMS, "recordedAt": 1},
    "JSON in a string": {"raw": json.dumps(MESSAGE), "seq": 1},
    "acp-devtools": {
        "version": 1,
        "session": {"id": 7},
        "messages": [
            {"seq": 1, "direction": "agent-to-editor", "payload": MESSAGE, "raw": json.dumps(MESSAGE)}
        ],
    },
    "update right in params": {"method": "session/update", "params": {"sessionId": "s1", **V2}},
    "array": [{"method": "initialize"}, MESSAGE],
}


@pytest.mark.parametrize("value", ENVELOPES.values(), ids=ENVELOPES)
def test_an_update_is_found_in_any_envelope(value: Any) -> None:
    (update,) = read(value)
    assert (update.session, update.plan_id, update.type, update.entries) == ("s1", "p", "items", [ENTRY])
    assert not update.assumed
    assert not update.luggage


@pytest.mark.parametrize(
    ("value", "plan_id", "version"),
    [
        (V1, "main", 1),
        (V2, "p", 2),
        (PLAN, "p", 2),
        ({"entries": [ENTRY]}, "main", 1),
        ([ENTRY], "main", 1),
        ([{"content": "no status", "priority": "low"}], "main", 1),
    ],
)
def test_a_bare_piece_of_a_message_is_understood(value: Any, plan_id: str, version: int) -> None:
    (update,) = read(value)
    assert (update.session, update.plan_id, update.version) == (None, plan_id, version)
    assert not update.luggage


@pytest.mark.parametrize(
    "value",
    [
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"method": "session/update", "params": {"update": {"sessionUpdate": "agent_message_chunk"}}},
        {"method": "session/prompt", "params": {"prompt": [{"type": "text", "text": "plan"}]}},
        {"raw": "plan: {nothing"},
        {},
        [],
        [{"role": "user", "content": "plan"}],
        [1, [2]],
    ],
)
def test_everything_else_is_no_plan(value: Any) -> None:
    assert read(value) == []


@pytest.mark.parametrize(
    ("update", "plan_id", "contents"),
    [
        ({**V2, "plan": {"type": "items", "id": "p", "entries": [ENTRY]}}, "p", ["a"]),
        ({**V2, "plan": {"planId": "p", "entries": [ENTRY]}}, "p", ["a"]),
        ({"sessionUpdate": "plan", "plan": {"entries": [ENTRY]}}, "main", ["a"]),
        ({"sessionUpdate": "plan", "plan": [ENTRY]}, "main", ["a"]),
        ({"sessionUpdate": "plan", "plan": PLAN}, "p", ["a"]),
        ({"sessionUpdate": "plan", "steps": [{"id": 1, "text": "x"}], "status": "draft"}, "main", ["x"]),
        (
            {"sessionUpdate": "plan", "planContent": "1. read\n\n2) edit\n- [x] run"},
            "main",
            ["read", "edit", "run"],
        ),
    ],
)
def test_the_shapes_of_the_wild_are_understood_and_told(
    update: Any, plan_id: str, contents: list[str]
) -> None:
    (found,) = read(update)
    assert found.plan_id == plan_id
    assert [entry["content"] for entry in found.entries] == contents  # type: ignore[index,call-overload]
    assert len(found.assumed) == 1
    with pytest.raises(StrictError, match=r"^log:1:"):
        read(update, strict=True)


@pytest.mark.parametrize(
    ("update", "message"),
    [
        ({"sessionUpdate": "plan_update", "planEntryId": "e"}, "/plan: is missing"),
        ({"sessionUpdate": "plan_update", "plan": 7}, "/plan: 7 is not an object"),
        (
            {"sessionUpdate": "plan_update", "plan": {"type": "items", "entries": []}},
            "/plan/planId: is missing",
        ),
        (
            {"sessionUpdate": "plan_update", "plan": {"type": 1, "planId": "p"}},
            "/plan/type: 1 is not a string",
        ),
        (
            {"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": "p"}},
            "/plan/entries: is missing",
        ),
        (
            {"sessionUpdate": "plan_update", "plan": {"type": "file", "planId": "p"}},
            "/plan/uri: is missing",
        ),
        (
            {"sessionUpdate": "plan_update", "plan": {"type": "markdown", "planId": "p", "content": []}},
            "/plan/content: [] is not a string",
        ),
        ({"sessionUpdate": "plan_removed", "planId": 7}, "/planId: 7 is not a string"),
        ({"sessionUpdate": "plan"}, "/entries: is missing"),
        ({"sessionUpdate": "plan", "entries": "all"}, '/entries: "all" is not an array'),
    ],
)
def test_a_malformed_update_is_a_bad_record_and_no_custom_plan(update: Any, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read({"update": update})
    assert message in str(caught.value)
    assert caught.value.column is not None


@pytest.mark.parametrize("kind", ["_timeline", "graph"])
def test_custom_and_future_plans_are_kept_whole(kind: str) -> None:
    plan = {"type": kind, "planId": "p", "data": [1]}
    (update,) = read({"sessionUpdate": "plan_update", "plan": plan})
    assert update.type == kind
    assert update.luggage == {"acp": {"plan": {"type": kind, "data": [1]}}}


def test_unknown_keys_keep_their_level() -> None:
    (update,) = read(
        {
            "sessionId": "s",
            "_meta": 1,
            "update": {**V2, "_meta": 2, "plan": {**PLAN, "_meta": 3, "x": None}},
        }
    )
    assert update.luggage == {
        "acp": {"params": {"_meta": 1}, "update": {"_meta": 2}, "plan": {"_meta": 3, "x": None}}
    }


@pytest.mark.parametrize(
    ("update", "place"),
    [
        ({**V1, "entries": [{**ENTRY, "status": 7}]}, "/update/entries/0/status: 7 is not a string"),
        (
            {**V1, "entries": [{**ENTRY, "status": "cancelled"}]},
            "/update/entries/0/status: `cancelled` is none",
        ),
        ({**V1, "entries": [{"status": "pending"}]}, "/update/entries/0/content: is missing"),
        ({**V2, "plan": {**PLAN, "_meta": 3}}, "/update/plan/_meta"),
        ({**V2, "plan": {"type": "file", "planId": "p", "uri": "plan.md"}}, "`plan.md` is no absolute URI"),
    ],
)
def test_strict_reading_holds_updates_against_the_specification(update: Any, place: str) -> None:
    assert read({"update": update})
    with pytest.raises(StrictError) as caught:
        read({"update": update}, strict=True)
    assert place in str(caught.value)
    assert str(caught.value).startswith("log:1:")


@pytest.mark.parametrize(
    "value", [MESSAGE, V1, PLAN, [ENTRY], {"sessionUpdate": "plan_removed", "planId": "p"}]
)
def test_strict_reading_takes_what_is_right(value: Any) -> None:
    assert read(value, strict=True)


KEY = {"_meta": {"k": 1}}


@pytest.mark.parametrize(
    ("value", "luggage"),
    [
        (MESSAGE, {}),
        ({"params": {**PARAMS, **KEY}}, {"acp": {"params": KEY}}),
        ({"params": {**PARAMS, "update": {**V2, **KEY}}}, {"acp": {"update": KEY}}),
        ({"params": {**PARAMS, "update": {**V2, "plan": {**PLAN, **KEY}}}}, {"acp": {"plan": KEY}}),
        # as many keys as usual, and one of them another
        ({"sessionId": "s1", "params": {"update": V2, **KEY}}, {"acp": {"params": KEY}}),
        (
            {"params": {**PARAMS, "update": {**V2, "plan": {"planId": "p", "entries": [ENTRY], **KEY}}}},
            {"acp": {"plan": KEY}},
        ),
        (
            {"params": {**PARAMS, "update": {**V2, "plan": {"type": "_own", "planId": "p", **KEY}}}},
            {"acp": {"plan": {"type": "_own", **KEY}}},
        ),
    ],
)
def test_what_a_plan_has_no_place_for_is_kept_on_its_level(value: Any, luggage: Any) -> None:
    (update,) = read(value)
    assert update.luggage == luggage
