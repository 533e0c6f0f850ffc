"""The table of status words, row by row: exact words come back, and only finished work looks finished."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.status import (
    CANCELLED,
    COMPLETED,
    KNOWN,
    OPEN_VOCABULARIES,
    PENDING,
    TABLE,
    VOCABULARIES,
    Cell,
    add_suffix,
    add_vocabulary,
    knows,
    read_priority,
    read_status,
    split_suffix,
    spoken,
    unspoken,
    write_priority,
    write_status,
)

ROWS = {
    # status: acp, acp-v1, slack, gfm; a "≈" stands before a near word
    "pending": ("pending", "pending", "pending", " "),
    "in_progress": ("in_progress", "in_progress", "in_progress", "≈ "),
    "completed": ("completed", "completed", "complete", "x"),
    "cancelled": ("cancelled", "≈pending", "≈pending", "≈ "),
    "failed": ("_failed", "≈pending", "error", "≈ "),
    "blocked": ("_blocked", "≈pending", "≈pending", "≈ "),
    "deferred": ("_deferred", "≈pending", "≈pending", "≈ "),
    "waiting": ("≈_waiting", "≈pending", "≈pending", "≈ "),
    "_waiting": ("_waiting", "≈pending", "≈pending", "≈ "),
}
CELLS = [
    pytest.param(vocabulary, status, cell, id=f"{vocabulary}-{status}")
    for status, cells in ROWS.items()
    for vocabulary, cell in zip(("acp", "acp-v1", "slack", "gfm"), cells, strict=True)
]
ODD_WORDS = ["waiting", "_waiting", "", "done", "complete", "DONE", "x", "X", "finished", "~", "✓"]


@pytest.mark.parametrize(("vocabulary", "status", "cell"), CELLS)
def test_row_by_row(vocabulary, status, cell):
    assert write_status(vocabulary, status) == Cell(cell.removeprefix("≈"), not cell.startswith("≈"))


def test_every_vocabulary_has_every_row():
    assert tuple(TABLE)[: len(VOCABULARIES)] == VOCABULARIES
    assert all(tuple(TABLE[vocabulary]) == KNOWN for vocabulary in VOCABULARIES)


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("status", KNOWN)
def test_an_exact_word_comes_back(vocabulary, status):
    word, exact = write_status(vocabulary, status)
    assert knows(vocabulary, word)
    assert (read_status(vocabulary, word) == status) == exact


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_finished_work_has_a_word_everywhere(vocabulary):
    assert write_status(vocabulary, COMPLETED).exact


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("status", [*(word for word in KNOWN if word != COMPLETED), *ODD_WORDS])
def test_nothing_else_is_shown_as_finished(vocabulary, status):
    word = write_status(vocabulary, status).word
    assert word != write_status(vocabulary, COMPLETED).word
    assert read_status(vocabulary, word) != COMPLETED


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("status", KNOWN)
def test_near_words_are_those_of_open_work(vocabulary, status):
    word, exact = write_status(vocabulary, status)
    assert exact or read_status(vocabulary, word) == PENDING


@pytest.mark.parametrize("vocabulary", VOCABULARIES)
@pytest.mark.parametrize("word", ["waiting", "_waiting", "", "Pending", "DONE", "✘"])
def test_an_unknown_word_stays_what_it_is(vocabulary, word):
    assert not knows(vocabulary, word)
    assert read_status(vocabulary, word) == word


@pytest.mark.parametrize(
    ("vocabulary", "word", "status"),
    [
        ("claude-code", "complete", "completed"),
        ("gemini", "open", "pending"),
        ("gemini", "closed", "completed"),
        ("copilot", "in-progress", "in_progress"),
        ("copilot", ">", "in_progress"),
        ("copilot", "~", "in_progress"),
        ("copilot", "X", "completed"),
        ("kiro", "~", "pending"),
        ("kiro", "-", "in_progress"),
        ("roo", "-", "in_progress"),
        ("roo", "~", "in_progress"),
        ("conductor", "~", "in_progress"),
        ("gitlab", "~", "cancelled"),
        ("obsidian", "/", "in_progress"),
        ("obsidian", "-", "cancelled"),
        ("obsidian", ">", "pending"),
        ("obsidian", "!", "pending"),
        ("cursor", "todo", "pending"),
        ("cursor", "done", "completed"),
        ("cursor", "canceled", "cancelled"),
        ("taskmaster", "completed", "completed"),
        ("taskmaster", "blocked", "blocked"),
        ("slack", "error", "failed"),
    ],
)
def test_words_and_marks_of_the_tools(vocabulary, word, status):
    assert read_status(vocabulary, word) == status


def test_a_closed_vocabulary_writes_its_own_words_only():
    for vocabulary in set(VOCABULARIES) - OPEN_VOCABULARIES:
        for status in [*KNOWN, *ODD_WORDS]:
            assert knows(vocabulary, write_status(vocabulary, status).word)


# --- columns of other packages ------------------------------------------------------------------

ORG = {PENDING: "TODO|NEXT", COMPLETED: "DONE", CANCELLED: "KILL"}


def test_another_package_adds_a_column():
    add_vocabulary("org", ORG)
    assert [read_status("org", word) for word in ("TODO", "NEXT", "DONE", "KILL", "WAIT")] == [
        *(PENDING, PENDING, COMPLETED, CANCELLED, "WAIT"),
    ]
    assert write_status("org", PENDING) == Cell("TODO", True)
    assert write_status("org", CANCELLED) == Cell("KILL", True)
    assert [write_status("org", status) for status in ("blocked", "waiting")] == [Cell("TODO", False)] * 2
    assert tuple(TABLE["org"]) == KNOWN


def test_a_column_is_added_once():
    add_vocabulary("org-once", ORG)
    add_vocabulary("org-once", dict(ORG))
    with pytest.raises(ValueError, match="another column 'org-once'"):
        add_vocabulary("org-once", {PENDING: "TODO"})


@pytest.mark.parametrize(
    ("name", "words", "reason"),
    [
        ("slack", ORG, "another column 'slack'"),
        ("org-bad", {COMPLETED: "DONE"}, "needs words for pending"),
        ("org-bad", {**ORG, "waiting": "WAIT"}, "for known statuses only"),
        ("org-bad", {**ORG, "failed": "DONE"}, "a word stands twice"),
        ("org-bad", {PENDING: "TODO|TODO"}, "a word stands twice"),
    ],
)
def test_a_column_that_could_not_be_read_back_is_refused(name, words, reason):
    with pytest.raises(ValueError, match=reason):
        add_vocabulary(name, words)
    assert "org-bad" not in TABLE


# --- priorities ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("priority", "acp", "acp_v1"),
    [
        (None, Cell("medium", True), Cell("medium", True)),
        ("high", Cell("high", True), Cell("high", True)),
        ("low", Cell("low", True), Cell("low", True)),
        ("_urgent", Cell("_urgent", True), Cell("medium", False)),
        ("urgent", Cell("_urgent", False), Cell("medium", False)),
    ],
)
def test_priorities(priority, acp, acp_v1):
    assert write_priority("acp", priority) == acp
    assert write_priority("acp-v1", priority) == acp_v1
    for cell in (acp, acp_v1):
        assert (read_priority(cell.word) == priority) == cell.exact


# --- a status in a text -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("in_progress", "in progress"),
        ("blocked", "blocked"),
        ("_on_hold", "_on_hold"),
        ("on_hold", "on_hold"),
    ],
)
def test_only_known_words_are_spoken(status, words):
    assert spoken(status) == words
    assert unspoken(words) == status


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("Ask again (cancelled)", ("Ask again", "cancelled")),
        ("Ask (in progress)", ("Ask", "in_progress")),
        ("Ask (in_progress)", ("Ask", "in_progress")),
        ("Ask (_on_hold)", ("Ask", "_on_hold")),
        ("Ask (blocked) (failed)", ("Ask (blocked)", "failed")),
        ("First\nsecond (failed)", ("First\nsecond", "failed")),
        ("(deferred)", ("", "deferred")),
    ],
)
def test_a_suffix_is_read(text, split):
    assert split_suffix(text) == split


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Ask",
        "Ask (maybe)",
        "Ask (on hold)",
        "Ask (done)",
        "Ask (Cancelled)",
        "Ask(cancelled)",
        "Ask  (cancelled)",
        "Ask (cancelled) ",
        "Ask (cancelled).",
        "Ask (cancelled)\n",
        "Ask (_)",
        "Ask (_on hold)",
        "Ask (cancelled",
        "(cancelled) Ask",
    ],
)
def test_other_texts_have_no_suffix(text):
    assert split_suffix(text) == (text, None)


TEXTS = st.text(st.sampled_from("ab ()\n_"), max_size=12).filter(lambda text: text == text.rstrip())


@given(TEXTS, st.sampled_from([*KNOWN, "_on_hold"]))
def test_what_is_added_is_split_off_again(text, status):
    assert split_suffix(add_suffix(text, status)) == (text, status)
