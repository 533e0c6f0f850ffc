"""Rich text of Slack becomes Markdown in which cmark-gfm shows what Slack shows, and comes back."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import planconv
from planconv.loss import Kind
from tests.rich_text_payloads import DATE, EMPTY, PAYLOADS, POORER, E, user
from tests.shown import cmark_shows_below, slack_shows
from tests.slack_shapes import (
    bullets,
    code,
    details_of,
    emoji,
    link,
    message,
    normal,
    ordered,
    quote,
    section,
    text,
)
from tests.slack_validity import problems, rich_text_problems


def to_markdown(elements):
    result = planconv.convert(json.dumps(message(*elements)), "slack", "markdown")
    return result.text, lost(result)


def back(markdown):
    result = planconv.convert(markdown, "markdown", "slack")
    return json.loads(result.data), lost(result)


def lost(result):
    """The numbers of the losses below the task; ids and titles are somebody else's business."""
    return {
        loss.code.number
        for loss in result.losses
        if loss.path.startswith("/tasks/0/details") and loss.code.kind >= Kind.DEGRADED
    }


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.name)
def test_cmark_shows_what_slack_shows(payload):
    markdown, _ = to_markdown(payload.elements)
    assert cmark_shows_below(markdown) == slack_shows(payload.elements), markdown


@pytest.mark.parametrize("payload", [*PAYLOADS, *POORER], ids=lambda payload: payload.name)
def test_the_ledger_names_what_is_lost(payload):
    markdown, losses = to_markdown(payload.elements)
    if payload.loses is not None:
        assert bool(losses) is payload.loses, (losses, markdown)


@pytest.mark.parametrize("payload", [*PAYLOADS, *POORER], ids=lambda payload: payload.name)
def test_the_way_back_gives_the_same_or_the_ledger_names_it(payload):
    markdown, out = to_markdown(payload.elements)
    document, home = back(markdown)
    assert problems(document) == []
    if not out | home and payload.name not in EMPTY:
        assert normal(details_of(document)) == normal(payload.elements), markdown


@pytest.mark.parametrize("payload", POORER, ids=lambda payload: payload.name)
def test_no_letter_is_lost(payload):
    markdown, _ = to_markdown(payload.elements)
    seen = "".join(run.text for row in cmark_shows_below(markdown) for run in row.runs)
    for letters in texts(payload.elements):
        assert letters.strip() in seen


def texts(value):
    if isinstance(value, list):
        return [found for inner in value for found in texts(inner)]
    return [value.get("text", ""), *texts(value.get("elements", []))]


def test_the_output_is_read_as_the_details_are():
    document = message(section("a"))
    document["blocks"][0]["tasks"][0]["output"] = {
        "type": "rich_text",
        "elements": [ordered("b", offset=2)],
    }
    result = planconv.convert(json.dumps(document), "slack", "markdown")
    assert [row.marker for row in cmark_shows_below(result.text)][-1] == "3."
    home, _ = back(result.text)
    assert normal(home["blocks"][0]["tasks"][0]["output"]["elements"]) == normal([ordered("b", offset=2)])


def test_an_unknown_element_is_kept_for_slack():
    """Home again in its own format it is what it was."""
    canvas = {"type": "canvas", "file_id": "F012AB3CD"}
    result = planconv.convert(json.dumps(message(section("a ", canvas))), "slack", "slack")
    assert canvas in details_of(json.loads(result.data))[0]["elements"]


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.name)
def test_slack_to_slack_changes_nothing(payload):
    result = planconv.convert(json.dumps(message(*payload.elements)), "slack", "slack")
    assert normal(details_of(json.loads(result.data))) == normal(payload.elements)
    assert lost(result) == set()


# --- any rich text ------------------------------------------------------------------------------

WORDS = [
    *(
        "a",
        "bc",
        "the end",
        "x_y_z",
        "2*3",
        "_i_",
        "**b**",
        "~~s~~",
        "`c`",
        "``",
        "[l](u)",
        "<b>",
        "&amp;",
        "\\",
        "\\*",
    ),
    *(
        "#",
        "# h",
        "-",
        "- l",
        "1.",
        "1. n",
        "> q",
        "|",
        "a|b",
        "!",
        "![",
        "]",
        "(",
        ")",
        "<",
        ">",
        "*",
        "_",
        "~",
        "`",
    ),
    *(
        "中",
        "「文」",
        "é",
        "✅",
        ".",
        ",",
        ":",
        "10:30:45",
        "[ ]",
        "[x]",
        "---",
        "===",
        "$1",
        "<!x>",
        "<@U1>",
        "http",
        "'",
    ),
]
GAPS = ["", " ", " ", "\n", "\n\n"]

pieces_of_text = st.lists(
    st.tuples(st.sampled_from(WORDS), st.sampled_from(GAPS)), min_size=1, max_size=4
).map(lambda pairs: "".join(word + gap for word, gap in pairs))
style_sets = st.sets(st.sampled_from(["bold", "italic", "strike", "code"])).map(sorted)
styled_texts = st.builds(lambda characters, styles: text(characters, *styles), pieces_of_text, style_sets)
labels = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
addresses = st.sampled_from([E, f"{E}a_(b)?c=d&e=f#g", "mailto:a@e.example"])
links = st.builds(lambda url, label, styles: link(url, label, *styles), addresses, labels, style_sets)
others = st.sampled_from(
    [user("U012AB3CD"), emoji("wave"), DATE, {"type": "color", "value": "#AABBCC"}, text("u", "underline")]
)
rare = st.one_of(styled_texts, styled_texts, styled_texts, links, others)
lines = st.lists(rare, min_size=1, max_size=4)

sections = lines.map(lambda line: [section(*line)])
codes = st.builds(
    lambda characters, language, border: [code(characters, language, **border)],
    pieces_of_text,
    st.sampled_from(["", "python", "c++"]),
    st.sampled_from([{}, {}, {"border": 1}]),
)
quotes = lines.map(lambda line: [quote(*line)])


@st.composite
def lists(draw):
    """Lists that stand below each other as Slack's composer makes them: one level deeper at a time."""
    border = draw(st.sampled_from([{}, {}, {"border": 1}]))
    indent, made = 0, []
    for _ in range(draw(st.integers(1, 4))):
        entries = [tuple(line) for line in draw(st.lists(lines, min_size=1, max_size=3))]
        offset = draw(st.sampled_from([0, 0, 1, 8, 9, 98]))
        if draw(st.booleans()):
            made.append(ordered(*entries, indent=indent, offset=offset, **border))
        else:
            made.append(bullets(*entries, indent=indent, **border))
        indent = draw(st.integers(0, indent + 1))
    return made


rich_texts = st.lists(st.one_of(sections, sections, codes, quotes, lists()), min_size=1, max_size=4).map(
    lambda parts: [element for part in parts for element in part]
)
some = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))


@some
@given(rich_texts)
def test_law_the_generator_makes_what_slack_accepts(elements):
    assert rich_text_problems({"type": "rich_text", "elements": elements}) == []


@some
@given(rich_texts)
def test_law_cmark_shows_what_slack_shows(elements):
    markdown, _ = to_markdown(elements)
    assert cmark_shows_below(markdown) == slack_shows(elements), markdown


@some
@given(rich_texts)
def test_law_the_way_back_gives_the_same_or_the_ledger_names_it(elements):
    markdown, out = to_markdown(elements)
    document, home = back(markdown)
    assert problems(document) == []
    if not out | home:
        assert normal(details_of(document)) == normal(elements), markdown


@some
@given(rich_texts)
def test_law_the_second_way_changes_nothing(elements):
    markdown, _ = to_markdown(elements)
    document, _ = back(markdown)
    again = planconv.convert(json.dumps(document), "slack", "markdown")
    assert cmark_shows_below(again.text) == cmark_shows_below(markdown)


@some
@given(rich_texts)
def test_law_slack_to_slack_changes_nothing(elements):
    result = planconv.convert(json.dumps(message(*elements)), "slack", "slack")
    assert normal(details_of(json.loads(result.data))) == normal(elements)
    assert lost(result) <= {"PC212"}  # empty lines at the edges
