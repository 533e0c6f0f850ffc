"""Slack's plans and task cards: what is read, what is written, and that Slack would take it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv.codecs.slack import SLACK
from planconv.errors import DecodeError, EncodeError, NoPlanError, StrictError
from planconv.loss import (
    BLOCK_DROPPED,
    ENTRY_DROPPED,
    ID_CHANGED,
    LINK_MOVED,
    LUGGAGE_DROPPED,
    NESTING_FLATTENED,
    PLAN_SPLIT,
    PROSE_DROPPED,
    STATUS_AS_TEXT,
    STATUS_ASSUMED,
    STATUS_FROM_TEXT,
    STYLE_DROPPED,
    TASK_ID_ASSUMED,
    TITLE_ASSUMED,
    TITLE_SHORTENED,
    Ledger,
)
from planconv.model import (
    PLAIN,
    Break,
    Code,
    Emoji,
    Heading,
    Link,
    Paragraph,
    Plan,
    Source,
    Style,
    Task,
    TaskList,
    Text,
    plain_text,
    text_line,
)
from tests.slack_validity import problems


def task(title, **fields):
    return Task(text_line(title), **fields)


def plan(*tasks, title="Release"):
    return Plan(title=text_line(title), body=(TaskList(tasks),))


def written(*plans):
    ledger = Ledger()
    messages = [json.loads(line) for line in SLACK.encode(plans, ledger).splitlines()]
    for message in messages:
        assert problems(message) == []
    return messages, ledger


def only_task(one):
    messages, ledger = written(plan(one))
    ((found,),) = ([block["tasks"] for block in message["blocks"]] for message in messages)
    return found[0], ledger


def read(document, **options):
    ledger = Ledger(**options)
    return SLACK.decode(json.dumps(document).encode(), ledger), ledger


def codes(ledger):
    return {(loss.code, loss.path) for loss in ledger.losses}


CARD = {"type": "task_card", "task_id": "a", "title": "Build", "status": "in_progress"}
BLOCK = {
    "type": "plan",
    "title": "Release",
    "tasks": [{"task_id": "a", "title": "Build", "status": "complete"}],
}


# --- reading ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "document",
    [
        BLOCK,
        [BLOCK],
        {"blocks": [BLOCK]},
        {"ok": True, "message": {"blocks": [{"type": "divider"}, BLOCK]}},
        {"messages": [{"text": "hi"}, {"attachments": [{"blocks": [BLOCK]}]}]},
    ],
    ids=["block", "list", "message", "response", "attachment"],
)
def test_a_plan_is_found_wherever_it_stands(document):
    (found,), ledger = read(document)
    assert [(plain_text(task.title), task.status, task.id) for task in found.tasks()] == [
        ("Build", "completed", "a")
    ]
    assert plain_text(found.title) == "Release"
    assert ledger.losses == []


def test_task_cards_in_a_row_are_one_plan():
    found, _ = read([CARD, {**CARD, "task_id": "b"}, {"type": "divider"}, {**CARD, "task_id": "c"}])
    assert [[task.id for task in one.tasks()] for one in found] == [["a", "b"], ["c"]]


def test_messages_may_stand_one_a_line():
    lines = b"\n".join(json.dumps({"blocks": [{**BLOCK, "title": title}]}).encode() for title in "AB")
    assert [plain_text(one.title) for one in SLACK.decode(lines, Ledger())] == ["A", "B"]


def test_a_broken_line_of_a_log_is_named_with_its_line():
    data = json.dumps(BLOCK).encode() + b'\n{"blocks": [\n'
    with pytest.raises(DecodeError) as caught:
        SLACK.decode(data, Ledger())
    assert caught.value.line == 2
    ledger = Ledger(skip_bad_records=True)
    assert len(SLACK.decode(data, ledger)) == 1
    assert len(ledger.bad_records) == 1


def test_a_message_without_a_plan_is_not_an_empty_plan():
    with pytest.raises(NoPlanError, match="section"):
        read({"blocks": [{"type": "section"}]})
    assert list(read({**BLOCK, "tasks": []})[0][0].tasks()) == []


@pytest.mark.parametrize(
    ("entry", "status", "title", "noted"),
    [
        ({"status": "complete"}, "completed", "T", set()),
        ({"status": "error"}, "failed", "T", set()),
        ({}, "pending", "T", {(STATUS_ASSUMED, "/tasks/0/status")}),
        (
            {"status": "pending", "title": "T (cancelled)"},
            "cancelled",
            "T",
            {(STATUS_FROM_TEXT, "/tasks/0")},
        ),
        ({"status": "pending", "title": "T (_mine)"}, "_mine", "T", {(STATUS_FROM_TEXT, "/tasks/0")}),
        ({"status": "pending", "title": "T (later)"}, "pending", "T (later)", set()),
        ({"status": "complete", "title": "T (cancelled)"}, "completed", "T (cancelled)", set()),
    ],
)
def test_statuses(entry, status, title, noted):
    (found,), ledger = read({**BLOCK, "tasks": [{"task_id": "a", "title": "T", **entry}]})
    (one,) = found.tasks()
    assert (one.status, plain_text(one.title)) == (status, title)
    assert codes(ledger) == noted


def test_an_unknown_word_is_kept_and_is_not_done():
    (found,), _ = read({**BLOCK, "tasks": [{"task_id": "a", "title": "T", "status": "skipped"}]})
    assert next(found.tasks()).status == "skipped"


def test_what_is_no_task_is_left_out_and_said():
    (found,), ledger = read({**BLOCK, "tasks": [7, *BLOCK["tasks"]]})
    assert len(list(found.tasks())) == 1
    assert codes(ledger) == {(ENTRY_DROPPED, "/tasks/0")}


def test_what_only_slack_knows_comes_back():
    rich_text = {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "d"}]}],
        "block_id": "viMWO",
    }
    entry = {
        "task_id": "a",
        "title": "T",
        "status": "pending",
        "details": rich_text,
        "sources": [{"type": "url", "url": "https://a.example", "text": "A"}],
        "hide_title": True,
        "icon": {"type": "icon", "name": "star"},
    }
    document = {"blocks": [{"type": "plan", "title": "P", "tasks": [entry], "block_id": "B1"}]}
    plans, ledger = read(document)
    assert json.loads(SLACK.encode(plans, ledger)) == document
    assert ledger.losses == []


def test_a_plan_id_is_read_and_never_written():
    plans, ledger = read({**BLOCK, "plan_id": "p1"})
    assert b"plan_id" not in SLACK.encode(plans, ledger)
    assert codes(ledger) == {(LUGGAGE_DROPPED, "/extras/slack/plan_id")}


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({**CARD, "status": "pending"}, "/status: "),
        ({**BLOCK, "tasks": [{**BLOCK["tasks"][0], "task_id": str(n)} for n in range(51)]}, "/tasks: "),
        ({**BLOCK, "tasks": [{**BLOCK["tasks"][0], "details": "- a"}]}, "/tasks/0/details: "),
        ({**BLOCK, "tasks": BLOCK["tasks"] * 2}, "/tasks/1/task_id: "),
        ({**BLOCK, "tasks": [{"task_id": "a", "title": "", "status": "complete"}]}, "/tasks/0/title: "),
        ({**BLOCK, "tasks": [{"task_id": "a", "title": "b", "status": "completed"}]}, "/tasks/0/status: "),
    ],
)
def test_strict_names_what_slack_refuses(document, message):
    with pytest.raises(StrictError) as caught:
        read(document, strict=True, input="plan.json")
    assert message in str(caught.value)
    assert str(caught.value).startswith("plan.json:1:")
    read(document)


# --- writing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "word", "title"),
    [
        ("pending", "pending", "T"),
        ("in_progress", "in_progress", "T"),
        ("completed", "complete", "T"),
        ("failed", "error", "T"),
        ("cancelled", "pending", "T (cancelled)"),
        ("_waiting", "pending", "T (_waiting)"),
    ],
)
def test_status_words(status, word, title):
    found, ledger = only_task(task("T", status=status))
    assert (found["status"], found["title"]) == (word, title)
    assert ((STATUS_AS_TEXT, "/tasks/0/status") in codes(ledger)) == (title != "T")


def test_titles_are_plain_text_in_which_code_keeps_its_ticks():
    line = (Text("Run "), Text("a`b", Style.CODE), Text(" now", Style.BOLD), Emoji("tada"))
    found, ledger = only_task(Task(line))
    assert found["title"] == "Run ``a`b`` now:tada:"
    assert (STYLE_DROPPED, "/tasks/0/title") in codes(ledger)
    (back,) = SLACK.decode(SLACK.encode([plan(Task(line))], Ledger()), Ledger())
    assert next(back.tasks()).title == (Text("Run "), Text("a`b", Style.CODE), Text(" now:tada:"))


def test_links_in_titles_move():
    line = (
        Text("docs", PLAIN, Link("https://a.example")),
        Text(" "),
        Text("file", PLAIN, Link("src/a.py")),
    )
    found, ledger = only_task(Task(line))
    assert found["title"] == "docs file"
    assert found["sources"] == [{"type": "url", "url": "https://a.example", "text": "docs"}]
    assert "src/a.py" in json.dumps(found["details"])
    assert {(LINK_MOVED, f"/tasks/0/{place}") for place in ("title", "sources", "details")} <= codes(ledger)


def test_further_lines_of_a_title_start_the_details():
    found, ledger = only_task(Task((Text("one"), Break(), Text("two")), details=(Code("x"),)))
    assert found["title"] == "one"
    assert [piece["type"] for piece in found["details"]["elements"]] == [
        "rich_text_section",
        "rich_text_preformatted",
    ]
    assert (TITLE_SHORTENED, "/tasks/0/title") in codes(ledger)


@pytest.mark.parametrize("line", [(), (Text("  "),), (Break(),)])
def test_a_title_is_never_empty(line):
    found, ledger = only_task(Task(line))
    assert found["title"] == "Task"
    assert (TITLE_ASSUMED, "/tasks/0/title") in codes(ledger)


def test_text_never_becomes_a_mention():
    found, _ = only_task(task("Ask <!channel>", details=(Paragraph(text_line("<@U012AB3CD> &amp;")),)))
    assert found["title"] == "Ask <!channel>"
    assert found["details"]["elements"] == [
        {"type": "rich_text_section", "elements": [{"type": "text", "text": "<@U012AB3CD> &amp;"}]}
    ]


def test_ids_are_kept_made_and_made_unique():
    messages, ledger = written(
        plan(task("Go"), task("Go"), task("x", id="go"), task("y", id="go"), task("!"))
    )
    ids = [found["task_id"] for found in messages[0]["blocks"][0]["tasks"]]
    assert ids == ["go-2", "go-3", "go", "go-4", "task"]
    assert {(TASK_ID_ASSUMED, "/tasks/0/id"), (ID_CHANGED, "/tasks/3/id")} <= codes(ledger)


def test_a_status_does_not_change_the_id_that_is_made():
    assert only_task(task("Go", status="cancelled"))[0]["task_id"] == only_task(task("Go"))[0]["task_id"]


def test_subtasks_follow_their_parent_and_prose_is_told():
    body = (
        Heading(2, text_line("Phase")),
        TaskList((task("a", details=(TaskList((task("b"),)), Paragraph(text_line("c")))), task("d"))),
    )
    messages, ledger = written(Plan(title=text_line("P"), body=body))
    assert [found["title"] for found in messages[0]["blocks"][0]["tasks"]] == ["a", "b", "d"]
    assert {(NESTING_FLATTENED, "/tasks/0/details"), (PROSE_DROPPED, "/body/0")} <= codes(ledger)


def test_sources_without_an_absolute_address_stand_in_the_details():
    found, _ = only_task(task("a", sources=(Source("docs/x.md", "X"), Source("https://a.example"))))
    assert found["sources"] == [{"type": "url", "url": "https://a.example", "text": "https://a.example"}]
    assert "X: docs/x.md" in json.dumps(found["details"])


def test_more_than_fifty_tasks_are_cut_at_headings_and_come_back_as_one_plan():
    groups = [
        (Heading(2, text_line("H")), TaskList(tuple(task(f"{n}-{i}") for i in range(30)))) for n in range(3)
    ]
    whole = Plan(title=text_line("P"), body=tuple(block for group in groups for block in group))
    messages, ledger = written(whole)
    blocks = [block for message in messages for block in message["blocks"]]
    assert [(block["title"], len(block["tasks"])) for block in blocks] == [
        ("P (1/3)", 30),
        ("P (2/3)", 30),
        ("P (3/3)", 30),
    ]
    assert (PLAN_SPLIT, "/body") in codes(ledger)
    (back,) = SLACK.decode(SLACK.encode([whole], Ledger()), Ledger())
    assert plain_text(back.title) == "P"
    assert [one.title for one in back.tasks()] == [one.title for one in whole.tasks()]


def test_what_one_message_cannot_hold_goes_into_further_ones():
    long = plan(*(task(f"{n}", details=(Paragraph(text_line("x" * 3000)),)) for n in range(20)))
    messages, _ = written(long)
    assert len(messages) == 5
    (back,) = SLACK.decode(SLACK.encode([long], Ledger()), Ledger())
    assert len(list(back.tasks())) == 20


def test_a_task_that_no_message_takes_is_named():
    with pytest.raises(EncodeError, match="'Huge'"):
        SLACK.encode([plan(task("Huge", details=(Code("x" * 14_000),)))], Ledger())


titles = st.text(st.sampled_from("ab `(1/2)<>@\x1b"), max_size=8)
statuses = st.sampled_from(
    ["pending", "completed", "failed", "cancelled", "blocked", "_own", "waiting for"]
)
tasks = st.builds(
    lambda title, status, name, text: task(
        title, status=status, id=name, details=(Paragraph(text_line(text)),)
    ),
    titles,
    statuses,
    st.sampled_from([None, "a", "b"]),
    titles.filter(bool),
)


@given(titles, st.lists(tasks, min_size=1, max_size=5))
def test_what_is_written_is_valid_and_a_second_writing_is_the_same(title, rows):
    _, ledger = written(plan(*rows, title=title))
    first = SLACK.encode([plan(*rows, title=title)], Ledger())
    (back,) = SLACK.decode(first, ledger)
    assert SLACK.encode([back], Ledger()) == first
    named = {loss.path for loss in ledger.losses}
    for number, (before, after) in enumerate(zip(rows, back.tasks(), strict=True)):
        for field in ("title", "status", "id", "details"):
            same = getattr(before, field) == getattr(after, field)
            assert same or {f"/tasks/{number}", f"/tasks/{number}/{field}"} & named


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b'{"blocks": [{"type": "plan", "title": "x", "tasks": []}]}', True),
        (b'[{"type":"task_card"}]', True),
        (b'{"sessionUpdate": "plan", "entries": []}', False),
        (b"# task_card\n", False),
    ],
)
def test_recognise(head, known):
    assert bool(SLACK.recognise(head)) == known


def test_what_stands_beside_a_plan_is_named():
    section = {"type": "section", "text": {"type": "mrkdwn", "text": "Hi"}}
    plan = {"type": "plan", "title": "P", "tasks": [{"task_id": "a", "title": "A", "status": "pending"}]}
    message = {"blocks": [section, {"type": "divider"}, plan]}
    history = {"messages": [{"blocks": [section]}, message]}
    for document, path in ((message, "/blocks/0"), (history, "/messages/1/blocks/0")):
        ledger = Ledger()
        assert len(SLACK.decode(json.dumps(document).encode(), ledger)) == 1
        (loss,) = ledger.losses
        assert (loss.code, loss.path, loss.was) == (BLOCK_DROPPED, path, section)
