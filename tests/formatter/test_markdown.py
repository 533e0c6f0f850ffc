import re

import pytest
from hypothesis import given

from planconv.convert import decode
from planconv.errors import DecodeError, PlanconvError
from planconv.formatter import RefusedError
from planconv.formatter.markdown import format_markdown
from planconv.formatter.rules import DEFAULTS, RULES, choose
from tests.formatter.pieces import documents, page


def fmt(text, rules=DEFAULTS):
    once = format_markdown(text, rules)
    assert format_markdown(once, rules) == once
    return once


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("*  [ ] a\n+  [ ] b\n", "- [ ] a\n+ [ ] b\n", id="two lists stay two"),
        pytest.param("* [ ] a\n* b\n", "- [ ] a\n- b\n", id="plain items of a checklist"),
        pytest.param("* a\n* [ ] b\n", "- a\n- [ ] b\n", id="the task is the second item"),
        pytest.param("- [X] a\n", "- [x] a\n", id="capital"),
        pytest.param("- [ ]   a  b\n- [x]\tc\td\n", "- [ ] a  b\n- [x] c\td\n", id="blanks behind the box"),
        pytest.param("- [ ] a\n    - [ ] b\n", "- [ ] a\n  - [ ] b\n", id="four blanks"),
        pytest.param("- [ ] a\n\t- [ ] b\n\t\t- c\n", "- [ ] a\n  - [ ] b\n    - c\n", id="tabs"),
        pytest.param(" - [ ] a\n - [ ] b\n", "- [ ] a\n- [ ] b\n", id="a list that is indented"),
        pytest.param(
            "1. [ ] a\n\n    b\n\n    ```\n     c\n    ```\n",
            "1. [ ] a\n\n   b\n\n   ```\n    c\n   ```\n",
            id="paragraphs and code",
        ),
        pytest.param(
            "-   [ ] a\n\n        code\n\n    > q\n    > r\n",
            "-   [ ] a\n\n        code\n\n    > q\n    > r\n",
            id="indented code keeps its list",
        ),
        pytest.param("*   [ ] a\nlazy\n", "- [ ] a\nlazy\n", id="lazy lines"),
        pytest.param(
            "- [ ] long\n      text\n* [ ] b\n", "- [ ] long\n      text\n* [ ] b\n", id="hanging text"
        ),
        pytest.param("- [ ] a\n\n\n\n- [ ] b\n", "- [ ] a\n\n- [ ] b\n", id="blank lines"),
        pytest.param(
            "- [ ] a\n  ```\n\n\n  x\n  ```\n", "- [ ] a\n  ```\n\n\n  x\n  ```\n", id="blank lines in code"
        ),
        pytest.param("1. [ ] a\n5. [ ] b\n5. [ ] c\n", "1. [ ] a\n2. [ ] b\n3. [ ] c\n", id="numbers"),
        pytest.param(
            "7) [ ] a\n7) b\n9) c\n", "7) [ ] a\n7) b\n7) c\n", id="numbers that are all the same"
        ),
        pytest.param("9. [ ] a\n9. [ ] b\n   - c\n1. d\n", "9. [ ] a\n9. [ ] b\n   - c\n9. d\n", id="9s"),
        pytest.param(
            "8. [ ] a\n   x\n8. [ ] b\n9. [ ] c\n", "8. [ ] a\n   x\n8. [ ] b\n8. [ ] c\n", id="more 8s"
        ),
        pytest.param(
            "9. [ ] a\n11. [ ] b\n\n    c\n", "9. [ ] a\n10. [ ] b\n\n    c\n", id="a marker of two digits"
        ),
        pytest.param(
            "9. [ ] a\n5. [ ] b\n\n   c\n", "9. [ ] a\n10. [ ] b\n\n    c\n", id="a marker gets longer"
        ),
        pytest.param("- [ ] a", "- [ ] a\n", id="no line break at the end"),
        pytest.param("- [ ] a\r\n- [ ] b", "- [ ] a\r\n- [ ] b\r\n", id="the line break that the file has"),
        pytest.param("- [ ] a\n\n\n", "- [ ] a\n", id="blank lines at the end"),
        pytest.param("> *  [ ] a\n>     * [x] b\n", "> - [ ] a\n>   - [x] b\n", id="in a quote"),
        pytest.param(
            "1. Step\n    * [ ] a\n    * [ ] b\n", "1. Step\n   - [ ] a\n   - [ ] b\n", id="in a plain list"
        ),
        pytest.param("\ufeff*   [X] a\r\n\tb\r\n", "\ufeff- [x] a\r\n  b\r\n", id="byte order mark, CRLF"),
        pytest.param("---\na: *  b\n---\n*  [ ] a\n", "---\na: *  b\n---\n- [ ] a\n", id="front matter"),
    ],
)
def test_what_changes(before, after):
    assert fmt(before) == after
    assert fmt(after) == after
    assert page(after.lstrip("\ufeff")) == page(before.lstrip("\ufeff"))


@pytest.mark.parametrize(
    "text",
    [
        "*  a\n*  b\n\n\n\n",
        "no list",
        "1. [ ] a\n1. [ ] b\n1. [ ] c\n",
        "7. [ ] a\n1. [ ] b\n1. [ ] c\n",
        "0. [ ] a\n1. [ ] b\n",
        "1.  [ ] a\n2.  [ ] b\n\n    text\n",
        "- [ ] a\n\n* [ ] b\n",
        "- [-] a\n- [~] b\n- [/] c\n- [>] d\n- [!] e\n",
        "- [ ] a\n- [P] f\n- [ ]* g\n- \\[ ] h\n- [x ] i\n- [x]j\n- [] k\n",
        "- [ ] \n- [x] rinse\n- [ ]\n",
        "- [ ] a <!-- x  -->  b\n- [ ] a  \n  hard break\n- [ ] a\\\n  hard break\n",
        "* [ ] a\n* ---\n",
        "-   [ ] a\n\n  not a part of it\n",
        "- [ ] a\n\n<div>\n*  [X] no task\n</div>\n",
        "```\n*  [X] a\n```\n\n- [ ] a\n",
        "- [ ] a\n\n| a  | b |\n|--|:--|\n",
        "# A  title #\n\n*   a list\n\n- [x] a\n\nText  \nwith\tall\n\n***\n",
        "- [ ] a\r\n  - [x] b\r- [ ] c\n",
        "- [ ] a\n```\n\n\n",
        "",
    ],
)
def test_what_stays(text):
    assert fmt(text) == text


@pytest.mark.parametrize(
    "rule", [rule for rule in DEFAULTS if rule.number != "PF008"], ids=lambda r: r.name
)
def test_each_rule_can_be_left_out(rule):
    text = "* [X]   a\n    + [ ] b\n\n\n    1. [ ] c\n    5. d"
    without = fmt(text, choose(None, None, [rule.name]))
    only = fmt(text, choose([rule.number], None, None))
    assert fmt(text) not in {without, text}
    assert only != text
    assert page(without) == page(only) == page(text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- [ ] a\n  - [x] b\n  - [X] c\n", "- [x] a\n  - [x] b\n  - [x] c\n"),
        ("- [x] a\n  - [ ] b\n", "- [ ] a\n  - [ ] b\n"),
        (
            "- [x] a\n  - note\n    - [ ] b\n      - [x] c\n",
            "- [x] a\n  - note\n    - [x] b\n      - [x] c\n",
        ),
        ("- [x] a\n  - [-] b\n", "- [x] a\n  - [-] b\n"),
        ("- [-] a\n  - [x] b\n", "- [-] a\n  - [x] b\n"),
    ],
)
def test_boxes_of_parents(before, after):
    assert fmt(before, choose(None, ["parent-box"], None)) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- [ ] a (0/9)\n  - [x] b\n  - [ ] c\n", "- [ ] a (1/2)\n  - [x] b\n  - [ ] c\n"),
        (
            "- [ ] a (0/3)\n  - [x] b\n    - [x] c\n  - [ ] d\n",
            "- [ ] a (2/3)\n  - [x] b\n    - [x] c\n  - [ ] d\n",
        ),
        (
            "## A (3/7)\n\n- [x] a\n\n### B\n\n- [ ] b\n\n## C (1/1)\n",
            "## A (1/2)\n\n- [x] a\n\n### B\n\n- [ ] b\n\n## C (1/1)\n",
        ),
        ("- [ ] from (1/2) on\n  - [x] b\n", "- [ ] from (1/2) on\n  - [x] b\n"),
    ],
)
def test_counts(before, after):
    assert fmt(before, choose(None, ["summary"], None)) == after
    assert fmt(before) == before


def test_a_file_that_cannot_be_proved_is_refused_with_its_smallest_part(monkeypatch):
    monkeypatch.setattr("planconv.formatter.markers.paddings", lambda old, *a, **b: [9 for _ in old])
    with pytest.raises(RefusedError, match=r"line 3 would change what is shown.*report") as caught:
        format_markdown("# Plan\n\n- [ ] a\n- [ ] bbb\n\ntext\n", DEFAULTS)
    assert caught.value.piece == "- [ ] a"


def test_lists_that_are_nested_too_deeply_are_an_error():
    with pytest.raises(DecodeError, match="nested"):
        format_markdown("- [ ] a\n" + "".join("  " * n + "- [ ] a\n" for n in range(200)), DEFAULTS)


def test_everything_is_linear():
    assert fmt("* [ ] a\n" * 3000) == "- [ ] a\n" * 3000


@given(documents())
def test_page_and_plan_stay_and_a_second_pass_changes_nothing(text):
    try:
        out = format_markdown(text, DEFAULTS)
    except DecodeError:
        return
    assert format_markdown(out, DEFAULTS) == out
    assert page(out) == page(text)
    assert plans(out) == plans(text)
    assert set(re.findall(r"[^\s\d*+-]", out)) <= set(re.findall(r"[^\s\d*+-]", text)) | {"x"}


def plans(text):
    try:
        return decode(text, "markdown")
    except PlanconvError as error:
        return type(error)


@given(documents())
def test_rules_that_change_the_plan_are_final_too(text):
    rules = frozenset(RULES.values())
    out = format_markdown(text, rules)
    assert format_markdown(out, rules) == out
