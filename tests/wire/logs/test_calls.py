"""Calls that wait for their results."""

from planconv.wire.logs.calls import Calls


def test_a_call_is_handed_out_with_its_answer_and_once():
    calls = Calls()
    assert calls.ask("1", "a") == []
    assert calls.answer("2") is None
    assert calls.answer("1") == "a"
    assert calls.answer("1") is None
    assert calls.ask("1", "a again") == []
    assert calls.unanswered() == []


def test_the_next_turn_of_a_speaker_settles_what_was_not_answered():
    calls = Calls()
    calls.ask("1", "a", speaker="x", turn="t1")
    assert calls.ask("2", "b", speaker="x", turn="t1") == []
    assert calls.ask("3", "c", speaker="y", turn="t2") == []
    assert calls.ask("4", "d", speaker="x", turn="t3") == ["a", "b"]
    assert calls.unanswered() == ["c", "d"]


def test_a_call_without_an_id_counts_at_once():
    assert Calls().ask(None, "a") == ["a"]


def test_markers_are_the_fixed_ones_and_the_ids_that_are_waited_for():
    calls = Calls([b"tool"])
    calls.ask("id-1", "a", turn="t")
    calls.ask("id.2", "b", turn="t")
    assert set(calls.markers) == {b"tool", b"id-1", b"id.2"}
    calls.answer("id-1")
    assert set(calls.markers) == {b"tool", b"id.2"}


def test_an_id_that_json_may_spell_otherwise_could_stand_in_every_line():
    calls = Calls()
    calls.ask("é", "a")
    assert any(marker in b'{"id":"\\u00e9"}' for marker in calls.markers)


def test_what_waits_does_not_grow_with_a_log_without_results():
    calls = Calls()
    for number in range(1000):
        calls.ask(str(number), number, turn=str(number))
    assert len(calls.markers) == 1
