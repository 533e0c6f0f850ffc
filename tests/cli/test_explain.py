import pytest

from planconv.check.findings import CHECKS
from planconv.formatter.rules import RULES
from planconv.loss import CODES
from tests.cli.runs import planconv


@pytest.mark.parametrize("code", CODES.values(), ids=CODES)
def test_every_code_is_explained(code):
    status, out, err = planconv("explain", code.number.lower())
    assert (status, err) == (0, "")
    assert out.startswith(f"{code.number} ({code.kind.word}): {code.phrase}\n\n")
    assert code.explanation.split()[-1] in out
    assert ("with --strict it is an error" in out) == code.forbidden
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_every_rule_is_explained(rule):
    status, out, err = planconv("explain", rule.number.lower())
    assert (status, err) == (0, "")
    assert out.startswith(f"{rule.number} {rule.name} (fmt): {rule.phrase}\n\n")
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS)
def test_every_check_is_explained(check):
    status, out, err = planconv("explain", check.number.lower())
    assert (status, err) == (0, "")
    assert out.startswith(f"{check.number} {check.name} (check): {check.phrase}\n\n")
    assert out.endswith(f"\nWhat to do: {check.hint}.\n")
    assert max(map(len, out.splitlines())) <= 100


def test_a_name_is_as_good_as_a_number():
    assert planconv("explain", "parent-box") == planconv("explain", "PF101")
    assert planconv("explain", "Ticked-parent") == planconv("explain", "CK101")


def test_without_a_code_all_are_listed():
    status, out, _ = planconv("explain")
    assert status == 0
    assert [line.split()[0] for line in out.splitlines()] == [*sorted(CODES), *RULES, *CHECKS]
    assert "PF006  fmt       numbering: the numbers of ordered tasks go up by one\n" in out


def test_an_unknown_code_gets_near_ones():
    status, out, err = planconv("explain", "PC119")
    assert (status, out) == (2, "")
    assert err.startswith("planconv: there is no code PC119; did you mean PC")
    assert planconv("explain", "nonsense").err == (
        "planconv: there is no code nonsense; `planconv explain` lists all\n"
    )
