"""Snapshots of plans become events, or the final state of each plan."""

import dataclasses

import pytest

from planconv.errors import NoPlanError
from planconv.loss import ENTRY_DROPPED, Ledger
from planconv.model import PlanRemoved, PlanUpdated, text_line
from planconv.wire.logs import follow as logs
from planconv.wire.logs.follow import Snapshot


class Follower:
    """Of ``[id, title]`` the plan of this id gets this title; without a title it is gone."""

    sought = "pair"

    def wants(self, raw):
        return True

    def follow(self, record):
        if not isinstance(record.value, list):
            return
        id, title = record.value

        def fill(plan, ledger, line):
            ledger.note(ENTRY_DROPPED, f"/{title}", plan=plan, line=line)
            return dataclasses.replace(plan, title=text_line(title))

        yield Snapshot("s", id, record, fill if title else None)

    def finish(self):
        yield from ()


DATA = b'["a","1"]\n["b","2"]\n["a","3"]\n["b",""]\n["c","4"]\n'


def test_events_are_told_one_after_the_other():
    ledger = Ledger()
    events = list(logs.decode_events(DATA.splitlines(keepends=True), Follower(), ledger))
    assert [type(event) for event in events] == [PlanUpdated] * 3 + [PlanRemoved, PlanUpdated]
    assert [loss.path for loss in ledger.losses] == ["/1", "/2", "/3", "/4"]


def test_only_final_states_are_made_and_only_their_losses_told():
    ledger = Ledger()
    plans = logs.decode(DATA.splitlines(keepends=True), Follower(), ledger)
    assert [(plan.id, plan.title) for plan in plans] == [("a", text_line("3")), ("c", text_line("4"))]
    assert [(loss.path, loss.line) for loss in ledger.losses] == [("/3", 3), ("/4", 5)]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "it is empty"),
        (
            b'{"type":"x"}\n{"type":"x"}\n{"role":"y"}\n{}\n1\n',
            "5 records (2 x, 1 y, 1 of no kind, 1 scalar)",
        ),
        (b'{"payload":{"type":"x"}}\n', "1 record (1 x), and no pair"),
        (b'["a","1"]\n["a",""]\n', "taken back"),
    ],
)
def test_no_plan_says_what_there_is_instead(data, message):
    with pytest.raises(NoPlanError) as caught:
        logs.decode(data.splitlines(keepends=True), Follower(), Ledger())
    assert message in str(caught.value)


def test_a_stream_that_ends_without_a_plan_says_so():
    with pytest.raises(NoPlanError, match="no pair"):
        list(logs.decode_events([b"{}\n"], Follower(), Ledger()))
