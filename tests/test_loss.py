"""The ledger: one table of codes that never change, and what becomes of a loss."""

import ast
import re
from pathlib import Path

import pytest

import planconv as package
from planconv import loss
from planconv.errors import DecodeError, StrictError
from planconv.loss import CODES, FIELD_DROPPED, STATUS_ASSUMED, STYLE_DROPPED, Code, Kind, Ledger, Loss
from planconv.model import Plan

CONSTANTS = {name: value for name, value in vars(loss).items() if isinstance(value, Code)}
FORBIDDEN = [code for code in CODES.values() if code.forbidden]
KIND_OF_HUNDRED = {"1": Kind.DROPPED, "2": Kind.DEGRADED, "3": Kind.ASSUMED, "4": Kind.CARRIED}
PLAN = Plan("p", "s")


# --- the table ----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", CODES)
def test_number_tells_the_kind(number):
    assert re.fullmatch(r"PC[1-4]\d\d", number)
    code = CODES[number]
    assert code.number == number
    assert code.kind is KIND_OF_HUNDRED[number[2]]


def test_every_row_has_one_name():
    assert sorted(code.number for code in CONSTANTS.values()) == sorted(CODES)
    assert len({code.phrase for code in CODES.values()}) == len(CODES)


def test_no_number_is_given_twice():
    with pytest.raises(ValueError, match="PC101"):
        loss._code("PC101", Kind.DROPPED, "again", "Again.")


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_row_reads_well(code):
    assert not code.phrase.endswith(".")
    assert "\n" not in code.phrase
    assert code.explanation.endswith(".")


def names_used(path):
    tree = ast.parse(path.read_text("utf-8"))
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def test_every_code_is_used():
    sources = [path for path in Path(package.__file__).parent.rglob("*.py") if path.name != "loss.py"]
    assert CONSTANTS.keys() <= set().union(*map(names_used, sources))


def test_kinds_are_ordered_by_how_bad_they_are():
    assert sorted(Kind) == [Kind.CARRIED, Kind.ASSUMED, Kind.DEGRADED, Kind.DROPPED]
    assert [kind.word for kind in Kind] == ["carried", "assumed", "degraded", "dropped"]


# --- the ledger ---------------------------------------------------------------------------------


def test_a_loss_tells_where_it_happened():
    ledger = Ledger(input="plan.md")
    ledger.format = "slack"
    ledger.note(FIELD_DROPPED, "/tasks/3/priority", "high", plan=PLAN, line=7)
    (noted,) = ledger.losses
    assert noted == Loss(FIELD_DROPPED, "slack", "/tasks/3/priority", "high", None, "p", "s", "plan.md", 7)
    assert noted.message == "slack: a field has no place"


def test_a_note_for_one_place_is_the_same_note():
    ledger, other = Ledger(), Ledger()
    ledger.note(STYLE_DROPPED, "/title", "**a**", "a", plan=PLAN, line=2)
    other.at("/title", PLAN, 2)(STYLE_DROPPED, "**a**", "a")
    assert ledger.losses == other.losses


def test_a_loss_without_a_plan_has_no_ids():
    ledger = Ledger()
    ledger.at("/title")(STYLE_DROPPED)
    assert (ledger.losses[0].plan, ledger.losses[0].session) == (None, None)


def test_losses_keep_their_order_and_none_is_merged():
    ledger = Ledger()
    for code in (STYLE_DROPPED, FIELD_DROPPED, STYLE_DROPPED):
        ledger.note(code, "/title")
    assert [noted.code for noted in ledger.losses] == [STYLE_DROPPED, FIELD_DROPPED, STYLE_DROPPED]


def test_the_worst_is_known():
    ledger = Ledger()
    assert ledger.worst is None
    for code, worst in [
        (STATUS_ASSUMED, Kind.ASSUMED),
        (FIELD_DROPPED, Kind.DROPPED),
        (STYLE_DROPPED, Kind.DROPPED),
    ]:
        ledger.note(code, "")
        assert ledger.worst is worst


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_strict_makes_an_error_of_what_is_forbidden_and_of_nothing_else(code):
    ledger = Ledger(strict=True, input="plan.json")
    if not code.forbidden:
        ledger.note(code, "/tasks/0")
        assert len(ledger.losses) == 1
        return
    with pytest.raises(StrictError) as caught:
        ledger.note(code, "/tasks/0", line=3)
    assert str(caught.value) == f"plan.json:3: /tasks/0: {code.phrase}"
    assert not ledger.losses


def test_something_is_forbidden():
    assert FORBIDDEN


@pytest.mark.parametrize("code", FORBIDDEN, ids=lambda code: code.number)
def test_a_tolerant_ledger_keeps_what_is_forbidden(code):
    ledger = Ledger()
    ledger.note(code, "")
    assert [noted.code for noted in ledger.losses] == [code]


@pytest.mark.parametrize("code", FORBIDDEN, ids=lambda code: code.number)
def test_strict_holds_for_one_place_too(code):
    with pytest.raises(StrictError):
        Ledger(strict=True).at("/title")(code)


def test_a_bad_record_is_an_error():
    ledger, error = Ledger(input="log.ndjson"), DecodeError("torn", line=4)
    with pytest.raises(DecodeError) as caught:
        ledger.reject(error, b"{")
    assert caught.value is error
    assert str(error) == "log.ndjson:4: torn"
    assert ledger.bad_records == [(error, b"{")]


def test_a_bad_record_can_be_skipped_and_is_kept():
    ledger = Ledger(skip_bad_records=True, input="log.ndjson")
    errors = [DecodeError("torn", line=4), DecodeError("not UTF-8", line=9)]
    for error in errors:
        ledger.reject(error, b"{")
    assert [record.error for record in ledger.bad_records] == errors
    assert not ledger.losses


def test_an_error_that_knows_its_input_keeps_it():
    error = DecodeError("torn")
    error.input = "inner.json"
    Ledger(skip_bad_records=True, input="outer.ndjson").reject(error, b"")
    assert error.input == "inner.json"
