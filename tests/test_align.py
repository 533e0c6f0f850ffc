"""Pairing the tasks of two versions of a plan."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.align import Sign, align


def signs(text: str) -> list[Sign]:
    """``a b #1:c`` are three tasks, the last one with an id; ``-`` is a blank."""
    made = []
    for word in text.split():
        id, _, title = word.rpartition(":")
        made.append(Sign(id or None, title.replace("-", " ")))
    return made


@pytest.mark.parametrize(
    ("before", "after", "pairs"),
    [
        ("one two three", "one two three", [0, 1, 2]),
        ("one two three", "one three", [0, 2]),
        ("one two three", "one new two three", [0, None, 1, 2]),
        ("one two three", "three one two", [2, 0, 1]),
        ("same same same", "same same", [0, 1]),
        ("write-the-notes tag", "write-all-the-notes tag", [0, 1]),
        ("write-the-notes tag", "unlike tag", [0, 1]),
        ("write-the-notes ship tag", "write-all-the-notes tag", [0, 2]),
        ("ship write-the-notes tag", "write-all-the-notes tag", [1, 2]),
        ("#1:one #2:two", "#2:renamed #1:one", [1, 0]),
        ("#1:one #1:two", "#1:two #1:one", [1, 0]),
        ("", "one", [None]),
        ("one", "", []),
    ],
)
def test_what_a_person_did_is_understood(before: str, after: str, pairs: list[int | None]) -> None:
    assert align(signs(before), signs(after)) == pairs


words = st.lists(st.sampled_from(["a", "b", "#1:a", "#2:c", "longer-title", "longer-titel"]), max_size=6)


@given(words, words)
def test_no_task_is_paired_twice(before: list[str], after: list[str]) -> None:
    pairs = align(signs(" ".join(before)), signs(" ".join(after)))
    found = [pair for pair in pairs if pair is not None]
    assert len(pairs) == len(after)
    assert len(found) == len(set(found))
    assert all(0 <= pair < len(before) for pair in found)


@given(words)
def test_an_unchanged_plan_is_paired_with_itself(plan: list[str]) -> None:
    assert align(signs(" ".join(plan)), signs(" ".join(plan))) == list(range(len(plan)))


@pytest.mark.parametrize(
    ("before", "after", "pairs"),
    [
        ("one two three", "three one", [2, 0]),
        ("write-the-notes tag", "unlike tag", [None, 1]),
        ("alpha", "beta", [None]),
        ("write-user-notes", "write-order-notes", [None]),
        ("write-user-notes-for-admins ship", "ship write-user-notes", [1, 0]),
        ("write-user-notes", "write-the-user-notes-in-docs/", [0]),
        # what is left out may not make another task of it
        ("write-user-notes", "do-not-write-user-notes", [None]),
        ("write-user-notes", "review-write-user-notes", [None]),
        ("write-user-notes", "write-all-user-notes", [None]),
        ("write-user-notes", "write-user-notes-tests", [None]),
        ("write-user-notes", "write-user-notes-without-pictures", [None]),
        ("write-user-notes write-order-notes", "write-notes", [None]),
        ("write-notes", "write-user-notes write-order-notes", [None, None]),
        ("#1:write-user-notes", "#2:write-user-notes-in-docs/", [None]),
        ("#1:write-user-notes", "#1:ship", [0]),
        ("write-it-well-and-ship-it-soon", "ship-it", [None]),
    ],
)
def test_strictly_no_place_makes_a_pair(before: str, after: str, pairs: list[int | None]) -> None:
    assert align(signs(before), signs(after), strictly=True) == pairs


@given(words, words)
def test_strictly_no_task_is_paired_twice_either(before: list[str], after: list[str]) -> None:
    pairs = align(signs(" ".join(before)), signs(" ".join(after)), strictly=True)
    found = [pair for pair in pairs if pair is not None]
    assert len(pairs) == len(after)
    assert len(found) == len(set(found))
