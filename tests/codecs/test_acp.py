"""The four variants of ACP: what they read alike, and what each writes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from planconv.codec import Codec, Extent
from planconv.codecs.acp import ACP, ACP_FILE, ACP_MARKDOWN, ACP_V1, AcpCodec
from planconv.convert import leave_behind
from planconv.errors import DecodeError, EncodeError, NoPlanError, StrictError
from planconv.loss import Ledger
from planconv.model import Plan, PlanRemoved, PlanUpdated, plain_text

# The rules of the published schemas that a plan update has to keep, v1 and v2.
ENTRY_V2 = {
    "type": "object",
    "required": ["content", "priority", "status"],
    "properties": {
        "content": {"type": "string"},
        "priority": {"type": "string", "pattern": "^(high|medium|low|_.*)$"},
        "status": {"type": "string", "pattern": "^(pending|in_progress|completed|cancelled|_.*)$"},
        "_meta": {"type": ["object", "null"]},
    },
}
ENTRY_V1 = {
    **ENTRY_V2,
    "properties": {
        "content": {"type": "string"},
        "priority": {"enum": ["high", "medium", "low"]},
        "status": {"enum": ["pending", "in_progress", "completed"]},
    },
}


def envelope(update: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["jsonrpc", "method", "params"],
        "properties": {
            "jsonrpc": {"const": "2.0"},
            "method": {"const": "session/update"},
            "params": {
                "type": "object",
                "required": ["sessionId", "update"],
                "properties": {"sessionId": {"type": "string"}, "update": update},
            },
        },
    }


SCHEMA_V1 = envelope(
    {
        "required": ["sessionUpdate", "entries"],
        "properties": {"sessionUpdate": {"const": "plan"}, "entries": {"type": "array", "items": ENTRY_V1}},
    }
)


def v2_plan(kind: str, required: str, shape: dict[str, Any]) -> dict[str, Any]:
    return {
        "required": ["type", "planId", required],
        "properties": {"type": {"const": kind}, "planId": {"type": "string"}, required: shape},
    }


SCHEMA_V2 = envelope(
    {
        "required": ["sessionUpdate"],
        "oneOf": [
            {
                "required": ["plan"],
                "properties": {
                    "sessionUpdate": {"const": "plan_update"},
                    "plan": {
                        "oneOf": [
                            v2_plan("items", "entries", {"type": "array", "items": ENTRY_V2}),
                            v2_plan("markdown", "content", {"type": "string"}),
                            v2_plan("file", "uri", {"type": "string", "pattern": "^[a-z]+:"}),
                            {
                                "required": ["type", "planId"],
                                "properties": {"type": {"type": "string", "pattern": "^_"}},
                            },
                        ]
                    },
                },
            },
            {
                "required": ["planId"],
                "properties": {"sessionUpdate": {"const": "plan_removed"}, "planId": {"type": "string"}},
            },
        ],
    }
)


def entry(content: Any = "a", **more: Any) -> dict[str, Any]:
    return {"content": content, "priority": "medium", "status": "pending", **more}


def items(*entries: Any, plan_id: str = "p", session: str = "s1", **more: Any) -> dict[str, Any]:
    plan = {"type": "items", "planId": plan_id, "entries": list(entries), **more}
    return message({"sessionUpdate": "plan_update", "plan": plan}, session)


def message(update: dict[str, Any], session: str = "s1", **params: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": session, "update": update, **params},
    }


def v1(*entries: Any, session: str = "s1", **more: Any) -> dict[str, Any]:
    return message({"sessionUpdate": "plan", "entries": list(entries), **more}, session)


def removed(plan_id: str, session: str = "s1") -> dict[str, Any]:
    return message({"sessionUpdate": "plan_removed", "planId": plan_id}, session)


def log(*messages: Any) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


def read(*messages: Any, ledger: Ledger | None = None) -> list[Plan]:
    return ACP.decode(log(*messages), ledger or Ledger())


def write(codec: Codec, plans: list[Plan], ledger: Ledger | None = None) -> list[Any]:
    ledger = ledger or Ledger()
    left = [leave_behind(plan, codec.info, ledger) for plan in plans]
    written = [json.loads(line) for line in codec.encode(left, ledger).splitlines()]
    for one in written:
        jsonschema.validate(one, SCHEMA_V1 if codec is ACP_V1 else SCHEMA_V2)
    return written


def codes(ledger: Ledger) -> list[tuple[str, str]]:
    return [(loss.code.number, loss.path) for loss in ledger.losses]


def titles(plan: Plan) -> list[str]:
    return [plain_text(task.title) for task in plan.tasks()]


# --- reading ------------------------------------------------------------------------------------


def test_the_last_snapshot_of_each_plan_stands() -> None:
    first, second = read(
        items(entry("a"), entry("b")),
        items(entry("other"), session="s2"),
        items(entry("c", status="completed")),
    )
    assert (first.session, first.id, titles(first)) == ("s1", "p", ["c"])
    assert (second.session, second.id, titles(second)) == ("s2", "p", ["other"])


def test_a_removal_removes_one_plan_of_one_session_and_an_update_brings_it_back() -> None:
    plans = read(
        items(entry("main 1"), plan_id="main"),
        items(entry("sub 1"), plan_id="sub"),
        removed("main"),
        removed("never seen"),
        items(entry("main 2"), plan_id="main"),
        removed("sub", session="other"),
    )
    assert {plan.id: titles(plan) for plan in plans} == {"sub": ["sub 1"], "main": ["main 2"]}


def test_a_log_without_a_plan_says_what_it_has_instead() -> None:
    with pytest.raises(NoPlanError, match="3 × agent_message_chunk"):
        read(*[message({"sessionUpdate": "agent_message_chunk"})] * 3)
    with pytest.raises(NoPlanError, match="every plan in it was removed again"):
        read(items(entry()), removed("p"))


def test_an_explicitly_empty_plan_is_a_plan() -> None:
    (plan,) = read(items())
    assert write(ACP, [plan]) == [items()]


def test_good_entries_are_kept_and_broken_ones_are_told() -> None:
    ledger = Ledger()
    broken = [entry(7), {"status": "pending"}, "text", {"content": "b"}, entry("c", status=7, priority="")]
    (plan,) = read({}, items(entry("a"), *broken), ledger=ledger)
    assert titles(plan) == ["a", "b", "c"]
    assert {task.status for task in plan.tasks()} == {"pending"}
    assert codes(ledger) == [
        *[("PC102", f"/params/update/plan/entries/{number}") for number in (1, 2, 3)],
        *[("PC301", "/tasks/1/status"), ("PC302", "/tasks/1/priority")],
        *[("PC301", "/tasks/2/status"), ("PC302", "/tasks/2/priority")],
    ]
    assert {loss.line for loss in ledger.losses} == {2}


def test_strict_reading_names_the_place_of_a_broken_entry() -> None:
    with pytest.raises(StrictError, match="/params/update/plan/entries/1/content: 7 is not a string"):
        read(items(entry(), entry(7)), ledger=Ledger(strict=True))


def test_losses_of_states_that_were_replaced_are_not_told() -> None:
    ledger = Ledger()
    read(items(entry(7)), items(entry("a")), ledger=ledger)
    assert not ledger.losses


def test_a_duplicate_key_in_a_plan_is_told_and_elsewhere_means_nothing() -> None:
    ledger = Ledger()
    noise = b'{"jsonrpc":"2.0","method":"plan/x","method":"plan/y"}\n'
    data = log(v1(entry())).replace(b'"status"', b'"status": "completed", "status"')
    ACP.decode(noise + data, ledger)
    assert codes(ledger) == [("PC105", "/params/update/entries/0/status")]
    assert ledger.losses[0].line == 2


def test_a_record_that_cannot_be_read_stops_or_is_set_aside() -> None:
    bad = message({"sessionUpdate": "plan_update", "planEntryId": "e"})
    with pytest.raises(DecodeError, match="/params/update/plan: is missing"):
        read(items(entry()), bad)
    ledger = Ledger(skip_bad_records=True, input="x.ndjson")
    assert len(read(items(entry()), bad, ledger=ledger)) == 1
    (record,) = ledger.bad_records
    assert str(record.error).startswith("x.ndjson:2:")
    assert json.loads(record.raw) == bad


@pytest.mark.parametrize("word", ["_waiting", "future", "cancelled"])
def test_words_of_the_status_and_priority_stay_what_they_are(word: str) -> None:
    (plan,) = read(items(entry(status=word, priority="_urgent")))
    (task,) = plan.tasks()
    assert (task.status, task.priority) == (word, "_urgent")


def test_a_suffix_is_read_as_a_status_in_version_1_on_a_pending_task_only() -> None:
    ledger = Ledger()
    texts = [entry("a (cancelled)"), entry("b (cancelled)", status="completed")]
    (old,) = read(v1(*texts), ledger=ledger)
    (new,) = read(items(*texts))
    assert [(plain_text(task.title), task.status) for task in old.tasks()] == [
        ("a", "cancelled"),
        ("b (cancelled)", "completed"),
    ]
    assert titles(new) == ["a (cancelled)", "b (cancelled)"]
    assert codes(ledger) == [("PC307", "/tasks/0/status")]


def test_a_markdown_plan_is_read_as_markdown() -> None:
    text = "# Title\n\nWhy.\n\n- [x] done\n- [ ] open\n"
    (plan,) = read(message({"sessionUpdate": "plan_update", "plan": markdown_plan(text)}))
    assert (plan.id, plan.session, plain_text(plan.title)) == ("m", "s1", "Title")
    assert [task.status for task in plan.tasks()] == ["completed", "pending"]
    (written,) = write(ACP_MARKDOWN, [plan])
    assert written["params"]["update"]["plan"] == markdown_plan(text)


def test_a_markdown_plan_without_a_task_is_a_plan_and_goes_through() -> None:
    update = {"sessionUpdate": "plan_update", "plan": markdown_plan("Just think.\n")}
    (plan,) = read(message(update))
    assert not list(plan.tasks())
    assert write(ACP, [plan])[0]["params"]["update"] == update
    with pytest.raises(EncodeError, match="has no tasks, but only text"):
        write(ACP_V1, [plan])


def markdown_plan(text: str) -> dict[str, Any]:
    return {"type": "markdown", "planId": "m", "content": text}


def test_a_file_plan_is_a_reference() -> None:
    file = {"type": "file", "planId": "f", "uri": "file:///x/plan.md"}
    (plan,) = read(message({"sessionUpdate": "plan_update", "plan": file}))
    assert plan.reference == "file:///x/plan.md"
    for codec in (ACP, ACP_FILE):
        ledger = Ledger()
        assert write(codec, [plan], ledger)[0]["params"]["update"]["plan"] == file
        assert not ledger.losses
    with pytest.raises(EncodeError, match="--root"):
        write(ACP_V1, [plan])


# --- writing ------------------------------------------------------------------------------------


def test_a_custom_plan_goes_through_version_2_and_is_told_elsewhere() -> None:
    custom = {"type": "_timeline", "planId": "t", "at": [1, 2]}
    plans = read(message({"sessionUpdate": "plan_update", "plan": custom}), items(entry()))
    assert write(ACP, plans)[0]["params"]["update"]["plan"] == custom
    ledger = Ledger()
    assert len(write(ACP_MARKDOWN, plans, ledger)) == 1
    assert ("PC108", "/extras/acp/plan") in codes(ledger)
    with pytest.raises(EncodeError, match="custom type"):
        write(ACP_V1, plans[:1])


def test_version_1_to_2_and_back_is_the_same_message() -> None:
    old = v1(entry("a", priority="high", _meta={"k": 1.5}), _meta={"trace": "t"})
    old["params"]["_meta"] = {"n": 1}
    (new,) = write(ACP, read(old))
    update = new["params"]["update"]
    assert (update["sessionUpdate"], update["plan"]["planId"]) == ("plan_update", "main")
    assert update["_meta"] == {"trace": "t"}
    ledger = Ledger()
    assert write(ACP_V1, read(new), ledger) == [old]
    assert not ledger.losses


def test_version_2_keeps_what_it_cannot_know() -> None:
    new = items(entry(status="_x", _meta={"a": [{}]}, x=1), y=2, _meta={"b": None})
    new["params"]["update"]["z"] = 3
    new["params"]["_meta"] = {"c": "d"}
    ledger = Ledger()
    assert write(ACP, read(new), ledger) == [new]
    assert not ledger.losses


def test_numbers_of_any_size_pass_through() -> None:
    data = b'{"type":"items","planId":"p","entries":[],"_meta":{"n":[1.50,12345678901234567890123]}}'
    assert b'"n":[1.50,12345678901234567890123]' in ACP.encode(ACP.decode(data, Ledger()), Ledger())


@pytest.mark.parametrize(
    ("inner", "outer", "told"),
    [
        ({"a": 1}, {}, ["/extras/acp/plan", "/extras/acp/update"]),
        ({}, {"a": 1}, []),
        ({"a": 1}, {"a": 1}, ["/extras/acp/plan"]),
    ],
)
def test_both_levels_of_version_2_become_the_one_of_version_1(
    inner: dict[str, Any], outer: dict[str, Any], told: list[str]
) -> None:
    ledger = Ledger()
    plan = items(entry(), plan_id="main", _meta=inner) if inner else items(entry(), plan_id="main")
    if outer:
        plan["params"]["update"]["_meta"] = outer
    (written,) = write(ACP_V1, read(plan), ledger)
    assert written["params"]["update"]["_meta"] == {"a": 1}
    assert [path for _, path in codes(ledger)] == told


def test_two_different_levels_do_not_fit_version_1() -> None:
    plan = items(entry(), plan_id="main", _meta={"a": 1})
    plan["params"]["update"]["_meta"] = {"a": 2}
    ledger = Ledger()
    (written,) = write(ACP_V1, read(plan), ledger)
    assert written["params"]["update"]["_meta"] == {"a": 2}
    assert ("PC104", "/extras/acp/plan") in codes(ledger)
    with pytest.raises(StrictError):
        write(ACP_V1, read(plan), Ledger(strict=True))


def test_version_1_shows_what_it_has_no_word_for() -> None:
    ledger = Ledger()
    entries = [
        entry("b", status="cancelled"),
        entry("c", status="_blocked"),
        entry("d", priority="_urgent"),
    ]
    (written,) = write(ACP_V1, read(items(*entries, plan_id="main")), ledger)
    assert [one["content"] for one in written["params"]["update"]["entries"]] == [
        "b (cancelled)",
        "c (blocked)",
        "d",
    ]
    assert codes(ledger) == [
        ("PC201", "/tasks/0/status"),
        ("PC201", "/tasks/1/status"),
        ("PC203", "/tasks/2/priority"),
    ]
    (back,) = read(written)
    assert [task.status for task in back.tasks()] == ["cancelled", "blocked", "pending"]


@pytest.mark.parametrize(
    "plan",
    [
        items(entry(status="cancelled"), plan_id="main"),
        items(entry(priority="_urgent"), plan_id="main"),
        items(entry(), plan_id="other"),
    ],
)
def test_strict_writing_of_version_1_refuses_what_it_cannot_say(plan: Any) -> None:
    with pytest.raises(StrictError, match="version 1 of ACP cannot say"):
        write(ACP_V1, read(plan), Ledger(strict=True))


def test_a_plan_without_an_id_fits_version_1() -> None:
    ledger = Ledger(strict=True)
    write(ACP_V1, [Plan(session="s1")], ledger)
    assert codes(ledger) == [("PC303", "/id")]


def test_two_plans_of_a_session_do_not_fit_version_1() -> None:
    plans = read(items(entry(), plan_id="main"), items(entry(), plan_id="sub"))
    with pytest.raises(EncodeError, match="session s1 has two, main and sub: choose one with --plan"):
        write(ACP_V1, plans)
    assert len(write(ACP_V1, read(v1(entry()), v1(entry(), session="s2")))) == 2


def test_acp_file_wants_a_file() -> None:
    with pytest.raises(EncodeError, match="-o PATH"):
        write(ACP_FILE, read(items(entry())))


def test_sessions_and_ids_are_made_and_told() -> None:
    ledger = Ledger()
    plans = ACP.decode(b'{"entries":[]}', Ledger())
    (written,) = write(ACP, [Plan(), *plans][:1], ledger)
    assert written["params"]["sessionId"] == "planconv"
    assert written["params"]["update"]["plan"]["planId"] == "main"
    assert codes(ledger) == [("PC304", "/session"), ("PC303", "/id")]


# --- events -------------------------------------------------------------------------------------


def test_each_update_is_an_event() -> None:
    lines = log(items(entry("a")), removed("p"), {"id": 1}, items(entry("b"))).splitlines(keepends=True)
    events = list(ACP.decode_events(lines, Ledger()))
    assert [type(event) for event in events] == [PlanUpdated, PlanRemoved, PlanUpdated]
    assert events[1] == PlanRemoved("s1", "p")
    assert b"".join(ACP.encode_events(events, Ledger())).count(b"\n") == 3


def test_version_1_cannot_tell_a_removal() -> None:
    ledger = Ledger()
    events = list(ACP.decode_events(log(v1(entry()), removed("main")).splitlines(keepends=True), Ledger()))
    assert len(list(ACP_V1.encode_events(events, ledger))) == 1
    assert [loss.code.number for loss in ledger.losses] == ["PC109"]


def test_a_removal_names_the_id_that_was_made() -> None:
    events = [PlanUpdated(Plan(title=ACP_TITLE)), PlanRemoved(None, None)]
    written = [json.loads(line) for line in ACP.encode_events(events, Ledger())]
    assert written[0]["params"]["update"]["plan"]["planId"] == "a-plan"
    assert written[1]["params"]["update"]["planId"] == "a-plan"


ACP_TITLE = ACP.decode(log(items(entry("A plan"))), Ledger())[0].body[0].tasks[0].title  # type: ignore[union-attr]


# --- what it says about itself ------------------------------------------------------------------


@pytest.mark.parametrize("codec", [ACP, ACP_V1, ACP_MARKDOWN, ACP_FILE])
def test_every_part_has_its_sentence(codec: AcpCodec) -> None:
    for held in codec.info.holds.values():
        assert (held.extent is Extent.PARTLY) == bool(held.sentence)


@pytest.mark.parametrize(
    "make", [lambda: log(items(entry())), lambda: log(v1()), lambda: json.dumps([entry()]).encode()]
)
def test_acp_is_recognised_by_its_words(make: Callable[[], bytes]) -> None:
    assert ACP.recognise(make())
    assert not ACP_V1.recognise(make())
    assert not ACP.recognise(b"- [ ] a task about a plan\n")


def test_the_sdk_for_python_reads_what_version_1_writes() -> None:
    from acp.schema import SessionNotification

    plan = items(entry("a", status="cancelled"), entry("b", priority="_urgent"), plan_id="main")
    (written,) = write(ACP_V1, read(plan))
    update = SessionNotification.model_validate(written["params"]).update
    assert [one.content for one in update.entries] == ["a (cancelled)", "b"]
