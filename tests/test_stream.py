import json

import pytest

from planconv import registry
from planconv.errors import EncodeError, UsageError
from planconv.loss import FIELD_DROPPED, REMOVAL_DROPPED, Ledger
from planconv.model import Plan, PlanRemoved, PlanUpdated, Task, TaskList, text_line
from planconv.stream import chosen, event_codec, write_events


def update(title, status="pending", id="main", session="s", **fields):
    extras = fields.pop("extras", {})
    tasks = TaskList((Task(text_line(title), status, **fields),))
    return PlanUpdated(Plan(id=id, session=session, body=(tasks,), extras=extras))


def written(events, target, **options):
    ledger = Ledger()
    return [piece.decode() for piece in write_events(events, target, ledger, **options)], ledger


# --- lines --------------------------------------------------------------------------------------


# --- events -------------------------------------------------------------------------------------


def test_an_unchanged_plan_is_said_once():
    events = [update("a"), update("a"), update("a", "completed"), update("a", "completed"), update("a")]
    assert len(written(events, "acp")[0]) == 3
    assert len(written(events, "markdown")[0]) == 3


def test_what_the_target_cannot_show_is_no_change():
    marked = [update("a", extras={"acp": {"params": {"_meta": {"at": n}}}}) for n in range(3)]
    pieces, ledger = written([update("a"), *marked], "markdown")
    assert pieces == ["- [ ] a\n"]
    assert {loss.code for loss in ledger.losses} == {FIELD_DROPPED}, (
        "only what was written has lost anything"
    )


def test_plans_are_told_apart_by_session_and_id():
    events = [update("a", id=id, session=session) for id in "xy" for session in "st"]
    assert len(written([*events, *events], "acp")[0]) == 4


def test_a_removal_is_a_record_where_the_format_has_one():
    events = [update("a"), PlanRemoved("s", "main"), PlanRemoved("s", "main"), update("a")]
    pieces, ledger = written(events, "acp")
    kinds = [json.loads(piece)["params"]["update"]["sessionUpdate"] for piece in pieces]
    assert kinds == ["plan_update", "plan_removed", "plan_update"]
    assert not ledger.losses
    for target in ("markdown", "slack", "acp-v1", "slack-stream"):
        _, ledger = written(events, target)
        assert [loss.plan for loss in ledger.losses if loss.code is REMOVAL_DROPPED] == ["main"], target


def test_documents_are_set_apart():
    pieces, _ = written([update("a"), update("b"), update("c")], "markdown")
    assert "".join(pieces) == (
        "- [ ] a\n\n<!-- planconv:plan -->\n\n- [ ] b\n\n<!-- planconv:plan -->\n\n- [ ] c\n"
    )
    plans = registry.get("markdown").decode("".join(pieces).encode(), Ledger())
    assert len(plans) == 3


def test_an_empty_plan_among_documents_is_one_of_its_own():
    empty = PlanUpdated(Plan(id="main", session="s"))
    for events in ([empty, update("a"), empty], [update("a"), empty, update("b")]):
        text = "".join(written(events, "markdown")[0])
        assert len(registry.get("markdown").decode(text.encode(), Ledger())) == 3, text


def test_json_documents_are_one_a_line():
    pieces, _ = written([update("a"), update("b")], "native")
    assert [piece.count("\n") for piece in pieces] == [1, 1]
    assert [json.loads(piece)["plans"][0]["id"] for piece in pieces] == ["main", "main"]


def test_a_stream_sends_only_what_changed():
    pieces, _ = written([update("a"), update("a", "completed")], "slack-stream")
    assert [len(piece.splitlines()) for piece in pieces] == [2, 1]


def test_two_plans_are_no_slack_stream_even_if_it_shows_no_ids():
    with pytest.raises(EncodeError, match="choose with --plan"):
        written([update("a"), update("b", id="other")], "slack-stream")


def test_what_is_carried_is_no_loss():
    pieces, ledger = written([update("a", depends_on=("b",))], "acp", carry=True)
    assert '"_meta"' in pieces[0]
    assert {loss.code.kind.word for loss in ledger.losses} <= {"carried"}
    with pytest.raises(UsageError, match="no place to carry"):
        written([update("a", depends_on=("b",))], "slack-stream", carry=True)


def test_plans_can_be_chosen():
    events = [update("a", id="x"), update("b", id="y", session="t"), PlanRemoved("t", "y")]
    assert list(chosen(events, None, None)) == events
    assert list(chosen(events, "x", None)) == events[:1]
    assert list(chosen(events, None, "t")) == events[1:]
    assert not list(chosen(events, "x", "t"))


def test_only_streams_can_be_followed():
    assert event_codec("acp").info.name == "acp"
    with pytest.raises(UsageError, match="`planconv convert`"):
        event_codec("markdown")
