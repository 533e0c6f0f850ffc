import pytest

from planconv.errors import UsageError
from planconv.formatter.rules import DEFAULTS, RULES, choose, find_rules
from planconv.loss import CODES


def test_codes_are_sorted_and_nobody_elses():
    assert list(RULES) == sorted(RULES)
    assert not RULES.keys() & CODES.keys()
    assert len({rule.name for rule in RULES.values()}) == len(RULES)


@pytest.mark.parametrize(
    ("word", "numbers"),
    [
        ("PF001", {"PF001"}),
        ("indent", {"PF004"}),
        ("PF1", {"PF101", "PF102"}),
        ("ALL", set(RULES)),
    ],
)
def test_rules_are_named_by_code_by_its_beginning_and_by_name(word, numbers):
    assert {rule.number for rule in find_rules([word])} == numbers


@pytest.mark.parametrize("word", ["PF9", "pf001", "", "bulle", "PC101"])
def test_a_word_that_names_no_rule(word):
    with pytest.raises(UsageError, match="there is no rule"):
        find_rules([word])


def test_choosing():
    assert choose(None, None, None) == DEFAULTS
    assert choose(None, ["summary"], ["bullet"]) == (DEFAULTS | find_rules(["PF102"])) - find_rules(
        ["PF001"]
    )
    assert choose(["ALL"], None, ["PF"]) == frozenset()
