"""Which task is which, between a file and a plan that may be another one."""

import pytest

import planconv
from planconv.update.matching import match


def matched(file, source, taken=(), form="speckit"):
    """For each task of the source the number of its task in the file; a line is a task."""
    plans = planconv.decode("".join(f"- [ ] {line}\n" for line in file), form)
    (told,) = planconv.decode("".join(f"- [ ] {line}\n" for line in source), "markdown")
    return match(plans, told, taken)


SPEC = ["T001 [P] Create project structure", "T002 Write the parser", "T003 Write the parser", "T004 Ship"]


@pytest.mark.parametrize(
    ("file", "source", "pairs"),
    [
        # ids in the text
        (SPEC, ["T004 Ship", "T003 Write the parser"], [3, 2]),
        (SPEC, ["T001 Create project structure", "T002 Write a printer"], [0, 1]),
        (SPEC, ["T009 Ship"], [3]),
        (SPEC, ["T009 Write the parser"], [None]),
        (SPEC, ["Task T002: start", "T002 finish", "T004 Ship"], [None, None, 3]),
        # ids that are the same by chance
        (["1.1 Set up", "1.2 Build"], ["1.1 Read the news", "1.2 Have lunch"], [None, None]),
        (["1.1 Set up", "1.2 Build"], ["1.1 Set up", "1.2 Have lunch"], [0, 1]),
        # texts
        (SPEC, ["create project structure.", "ship!"], [0, 3]),
        (SPEC, ["Write the parser", "Write the parser", "Write the parser"], [1, 2, None]),
        (["Ship", "Test", "Ship"], ["Test", "Ship"], [1, 2]),
        # fewer words, and no second way to understand them
        (["Create User model in src/user.py"], ["Create User model"], [0]),
        (["Create User model", "Create Order model"], ["Create model"], [None]),
        (["Create User model in src/user.py"], ["Create Order model in src/order.py"], [None]),
        (["Write tests for all modules of the shop"], ["Write tests"], [None]),
        (["T001 Write the parser for orders"], ["T007 Write the parser"], [None]),
        (["Do not merge the old branch"], ["Merge the old branch"], [None]),
        (["Remove the feature flag docs"], ["Remove the feature flag"], [None]),
        # the same to the letter, before what is the same but for its number or label
        (["[US1] Test", "[US2] Test"], ["[US2] Test"], [1]),
        (["Task 1: Test", "Task 3: Test"], ["Task 3: Test"], [1]),
        (["[US1] Test"], ["[US2] Test"], [None]),
        # numbered anew: the text says which one it is
        (["T001 Set up", "T002 Add linter", "T003 Add config"], ["T001 Set up", "T002 Add config"], [0, 2]),
        (["T001 Delete it all", "T002 Set up"], ["T001 Set up"], [1]),
        (["T001 Delete it all"], ["T001 Set up"], [None]),
        # of equal texts, one that nothing tells from the others
        (["Test", "Commit", "Build", "Commit"], ["Commit"], [None]),
        (["Test", "Commit", "Build", "Commit"], ["Build", "Commit"], [2, 3]),
        # never by place
        (["a", "b"], ["c", "d"], [None, None]),
        (["Alpha"], ["Beta"], [None]),
    ],
)
def test_a_task_is_found_or_not(file, source, pairs):
    assert matched(file, source) == pairs


def test_a_bare_number_needs_a_similar_text_beside_it():
    file = planconv.decode("- [ ] 1. Set up the shop\n- [ ] 2. Build the shop\n", "kiro")
    told = planconv.decode("- [ ] 1. Explore\n- [ ] 2. Build my shop\n", "kiro")
    assert match(file, told[0], ()) == [None, 1]


@pytest.mark.parametrize(
    ("source", "pairs"),
    [
        ("## B\n\n- [x] Test\n\n## A\n\n- [ ] Test\n", [2, 1]),
        ("## B\n\n- [x] Test\n", [2]),
        ("## C\n\n- [x] Test\n", [None]),
        ("- [x] Test\n- [ ] Test\n", [1, 2]),
        ("- [ ] Start\n- [x] Test\n", [0, 1]),
        ("- [x] Test\n", [None]),
    ],
)
def test_equal_texts_are_told_apart_by_what_stands_above_them(source, pairs):
    file = planconv.decode("- [ ] Start\n\n## A\n\n- [ ] Test\n\n## B\n\n- [ ] Test\n", "markdown")
    (told,) = planconv.decode(source, "markdown")
    assert match(file, told, ()) == pairs


def test_a_number_below_something_else_is_another_number():
    file = planconv.decode("- [ ] 1. Data\n  - [ ] 1.1 Create schema\n  - [ ] 1.2 Add CI\n", "kiro")
    told = planconv.decode("- [x] 1. Setup\n  - [x] 1.1 Create repo\n  - [x] 1.2 Add CI\n", "kiro")
    assert match(file, told[0], ()) == [None, None, 2]


def test_of_more_equal_plans_than_there_are_sources_none_is_meant():
    file = planconv.decode(TAGS, "taskmaster")
    (told,) = planconv.decode("- [x] Ship\n", "markdown")
    assert match(file, told, ()) == [None]
    assert match(file, told, (), sources=2) == [0]
    assert match(file, told, (0,), sources=2) == [1]


def test_of_two_statuses_for_one_text_none_is_taken():
    file = planconv.decode("- [ ] Ship\n", "markdown")
    (two,) = planconv.decode("- [x] Ship\n- [ ] Ship\n", "markdown")
    (same,) = planconv.decode("- [x] Ship\n- [x] Ship\n", "markdown")
    assert match(file, two, ()) == [None, None]
    assert match(file, same, ()) == [0, None]


def test_a_task_that_is_taken_is_out_of_the_question():
    assert matched(["Ship", "Ship"], ["Ship"], taken={0}) == [1]
    assert matched(["Ship"], ["Ship"], taken={0}) == [None]


TAGS = '{"one":{"tasks":[{"id":1,"title":"Ship"}]},"two":{"tasks":[{"id":1,"title":"Ship"}]}}'


def test_a_plan_with_an_id_is_asked_alone():
    plans = planconv.decode(TAGS, "taskmaster")
    assert match(plans, plans[1], ()) == [1]
