"""What version 1 has no word for stands behind the title, and is read back from there."""

from __future__ import annotations

import pytest

from planconv.loss import BLANKS_TRIMMED, STATUS_AS_TEXT, Ledger
from planconv.model import Break, Line, Plan, Style, Text
from planconv.wire.acp.ids import made_id, with_ids
from planconv.wire.acp.v1 import read_suffix, shield, write_suffix

BOLD = Text("Ask", Style.BOLD)


@pytest.mark.parametrize(
    ("title", "status", "written"),
    [
        ((Text("Ask again"),), "cancelled", (Text("Ask again (cancelled)"),)),
        ((BOLD,), "blocked", (BOLD, Text(" (blocked)"))),
        ((Text("a"), Break()), "failed", (Text("a"), Break(), Text("(failed)"))),
        ((), "deferred", (Text("(deferred)"),)),
        ((Text("x"),), "_waiting", (Text("x (_waiting)"),)),
        ((Text("x (blocked)"),), "cancelled", (Text("x (blocked) (cancelled)"),)),
    ],
)
def test_a_status_behind_a_title_comes_back(title: Line, status: str, written: Line) -> None:
    ledger = Ledger()
    assert write_suffix(title, status, ledger.at("/title")) == written
    assert read_suffix(written) == (title, status)
    assert not ledger.losses


@pytest.mark.parametrize(
    ("title", "status", "code"),
    [((Text("x"),), "on hold", STATUS_AS_TEXT), ((Text("x "),), "blocked", BLANKS_TRIMMED)],
)
def test_what_does_not_come_back_is_told(title: Line, status: str, code: object) -> None:
    ledger = Ledger()
    write_suffix(title, status, ledger.at("/title"))
    assert [loss.code for loss in ledger.losses] == [code]


@pytest.mark.parametrize("text", ["Ask (maybe)", "Ask(cancelled)", "Ask", "", "(cancelled) first"])
def test_other_titles_have_no_suffix(text: str) -> None:
    title = (Text(text),) if text else ()
    assert read_suffix(title) == (title, None)
    assert shield(title, Ledger().at("")) == title


def test_a_pending_title_that_looks_like_one_with_a_suffix_stays_what_it_is() -> None:
    title = (Text("Explain (cancelled)"),)
    shielded = shield(title, Ledger().at(""))
    assert read_suffix(shielded) == (title, "pending")


@pytest.mark.parametrize(
    ("title", "plan_id"),
    [
        ("", "main"),
        ("…", "main"),
        ("Ship  the *thing*!", "ship-the-thing"),
        ("Größe prüfen", "grösse-prüfen"),
        ("word " * 30, "-".join(["word"] * 12)),
        ("x" * 100, "x" * 60),
    ],
)
def test_ids_are_made_from_titles(title: str, plan_id: str) -> None:
    assert made_id(Plan(title=(Text(title),) if title else ())) == plan_id


def test_ids_are_unique_in_a_session() -> None:
    same = Plan(session="s", title=(Text("A plan"),))
    plans = [same, Plan("a-plan", "s"), same, Plan("x", "s"), Plan("x", "s"), Plan("x", "other")]
    named = with_ids(plans, Ledger())
    assert [plan.id for plan in named] == ["a-plan-2", "a-plan", "a-plan-3", "x", "x-2", "x"]
