import json
from dataclasses import replace

import pytest

import planconv
from planconv import registry
from planconv.errors import DecodeError, EncodeError, NoPlanError, StrictError
from planconv.loss import (
    ID_CHANGED,
    KEPT_IN_STREAM,
    LEFT_OPEN,
    LONG_TEXT,
    REMOVAL_DROPPED,
    ROW_NOT_SHOWN,
    SOURCES_JOINED,
    TASK_ID_ASSUMED,
    TITLE_ASSUMED,
    Ledger,
)
from planconv.model import (
    Code,
    Mention,
    Paragraph,
    Plan,
    PlanRemoved,
    PlanUpdated,
    Source,
    Task,
    TaskList,
    Text,
    fold,
    plain_text,
    text_line,
)

CODEC = registry.get("slack-stream")


def task(title, status="pending", **fields):
    texts = {
        name: (Paragraph(text_line(fields.pop(name))),) for name in ("details", "output") if name in fields
    }
    return Task(text_line(title), status, **fields, **texts)


def plan(*tasks, title="T", before=(), after=(), **fields):
    body = (*before, *([TaskList(tuple(tasks))] if tasks else []), *after)
    return Plan(title=text_line(title), body=body, **fields)


def row(id, title, status="pending", **fields):
    return {"type": "task_update", "id": id, "title": title, "status": status, **fields}


def lines(*chunks):
    return b"".join(json.dumps(chunk).encode() + b"\n" for chunk in chunks)


def decoded(*chunks):
    ledger = Ledger()
    (found,) = CODEC.decode(lines(*chunks), ledger)
    return found, ledger


def sent(*events):
    """The chunks that each event is answered with, and what was noted of them."""
    ledger = Ledger()

    def each():
        for event in events:
            yield PlanUpdated(event) if isinstance(event, Plan) else event
            marks.append(len(pieces))

    marks = []
    pieces = []
    pieces.extend(
        [json.loads(line) for line in piece.splitlines()] for piece in CODEC.encode_events(each(), ledger)
    )
    answers = [
        pieces[start:end][0] if end > start else []
        for start, end in zip([0, *marks], [*marks, len(pieces)], strict=False)
    ]
    return answers[: len(events)], ledger


def codes(ledger):
    left = {TASK_ID_ASSUMED, LEFT_OPEN}
    return [(loss.code, loss.path) for loss in ledger.losses if loss.code not in left]


# --- reading ------------------------------------------------------------------------------------


def test_titles_and_statuses_replace_details_and_output_go_on():
    found, ledger = decoded(
        {"type": "plan_update", "title": "One"},
        row("a", "A", "pending", details="detA"),
        row("b", "B"),
        row("a", "A2", "complete", details="detB", output="out"),
        {"type": "plan_update", "title": "Two"},
    )
    first, second = found.tasks()
    assert (plain_text(found.title), plain_text(first.title), first.status) == ("Two", "A2", "completed")
    assert first.details == (Paragraph(text_line("detAdetB")),)
    assert first.output == (Paragraph(text_line("out")),)
    assert plain_text(second.title) == "B"
    assert not ledger.losses


def test_a_chunk_may_end_in_the_middle_of_markup():
    found, _ = decoded(
        row("a", "A", details="**bo"), row("a", "A", details="ld** `co"), row("a", "A", details="de`")
    )
    (line,) = [block.line for block in next(found.tasks()).details]
    assert [span.text for span in line] == ["bold", " ", "code"]


def test_sources_are_joined_with_a_note():
    one, two = ({"type": "url", "url": f"https://x.y/{n}", "text": str(n)} for n in (1, 2))
    found, ledger = decoded(row("a", "A", sources=[one]), row("a", "A", sources=[one, two]))
    assert [source.text for source in next(found.tasks()).sources] == ["1", "2"]
    assert codes(ledger) == [(SOURCES_JOINED, "/tasks/0/sources")]


@pytest.mark.parametrize("title", ["Thinking", "**Thinking completed**", "Something went wrong"])
def test_titles_of_slacks_own_are_noted(title):
    found, ledger = decoded({"type": "plan_update", "title": title}, row("a", "A"))
    assert plain_text(found.title) == title
    assert codes(ledger) == [(TITLE_ASSUMED, "/title")]


@pytest.mark.parametrize(
    "data",
    [
        lines(row("a", "A"), row("b", "B")),
        lines([row("a", "A"), row("b", "B")]),
        lines({"channel": "C", "chunks": [row("a", "A")]}, {"chunks": [row("b", "B")], "ts": "1"}),
        lines({"chunks": json.dumps([row("a", "A"), row("b", "B")])}),
        lines(
            {"method": "chat.appendStream", "body": {"chunks": [row("a", "A"), row("b", "B")]}},
            {"ok": True},
        ),
        json.dumps([row("a", "A"), row("b", "B")], indent=2).encode(),
        json.dumps({"chunks": [row("a", "A"), row("b", "B")]}, indent=1).encode(),
    ],
)
def test_shapes_that_chunks_come_in(data):
    (found,) = CODEC.decode(data, Ledger())
    assert [plain_text(task.title) for task in found.tasks()] == ["A", "B"]
    assert CODEC.recognise(data[:200] + data[-200:]) or b"\\" in data


def test_text_is_the_plans_prose_above_or_below_the_tasks():
    text = {"type": "markdown_text", "text": "Hello "}, {"type": "markdown_text", "text": "*you*"}
    above, _ = decoded(text[0], row("a", "A"), text[1])
    below, _ = decoded(row("a", "A"), *text)
    assert [type(block) for block in above.body] == [Paragraph, TaskList]
    assert below.body == above.body[::-1]


def test_plans_in_blocks_are_plans_of_their_own():
    block = {
        "type": "plan",
        "title": "In blocks",
        "tasks": [{"task_id": "u", "title": "U", "status": "error"}],
    }
    data = lines(row("a", "A"), {"type": "blocks", "blocks": [{"type": "divider"}, block]})
    own, other = CODEC.decode(data, Ledger())
    assert ([task.id for task in own.tasks()], [task.status for task in other.tasks()]) == (
        ["a"],
        ["failed"],
    )
    (alone,) = CODEC.decode(lines({"type": "blocks", "blocks": [block]}), Ledger())
    assert (alone.id, other.id) == (None, "plan-2")
    assert fold(CODEC.decode_events(data.splitlines(keepends=True), Ledger())) == [own, other]
    with pytest.raises(StrictError, match="at least 1 character"):
        CODEC.decode(lines({"type": "blocks", "blocks": [{**block, "title": ""}]}), Ledger(strict=True))


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "no chunk"),
        (lines({"ok": True}), "no chunk"),
        (lines({"type": "markdown_text", "text": "just words"}), "1 × markdown_text"),
    ],
)
def test_no_plan_is_told(data, found):
    with pytest.raises(NoPlanError, match=found):
        CODEC.decode(data, Ledger())
    with pytest.raises(NoPlanError, match=found):
        list(CODEC.decode_events(data.splitlines(keepends=True), Ledger()))


def test_broken_records_are_skipped_or_stop():
    data = lines(row("a", "A")) + b'{"type":"task_update",\n' + lines(row("a", "B"))
    with pytest.raises(DecodeError, match="line 2"):
        CODEC.decode(data, Ledger())
    (found,) = CODEC.decode(data, Ledger(skip_bad_records=True))
    assert plain_text(next(found.tasks()).title) == "B"


def test_events_come_for_lines_that_change_something():
    chunks = [row("a", "A"), row("a", "A"), {"ok": True}, row("a", "A", "complete"), row("b", "B")]
    events = list(CODEC.decode_events(iter(lines(*chunks).splitlines(keepends=True)), Ledger()))
    seen = [[(task.id, task.status) for task in event.plan.tasks()] for event in events]
    assert seen == [[("a", "pending")], [("a", "completed")], [("a", "completed"), ("b", "pending")]]
    assert fold(events) == CODEC.decode(lines(*chunks), Ledger())


# --- writing the whole --------------------------------------------------------------------------


def test_a_plan_is_its_title_then_a_row_for_each_task():
    written = planconv.convert(
        "# Release\n\n- [x] One\n\n  - a\n  - b\n- [ ] Two\n", "markdown", "slack-stream"
    )
    assert [json.loads(line) for line in written.text.splitlines()] == [
        {"type": "plan_update", "title": "Release"},
        row("one", "One", "complete", details="- a\n- b"),
        row("two", "Two"),
    ]
    assert [loss.was for loss in written.losses if loss.code is LEFT_OPEN] == [["Two"]]


def test_a_plan_that_is_done_leaves_nothing_open():
    ledger = Ledger()
    CODEC.encode([plan(task("a", "completed", id="a"), task("b", "failed", id="b"))], ledger)
    assert not ledger.losses


def test_text_of_a_plan_cannot_ping_anybody_and_mentions_do():
    words = "<!channel> <@U012AB3CD> <#C012AB3CD> a<b <!-- x -->"
    user = Mention("user", "U012AB3CD")
    before = (Paragraph((Text("ask "), user)), Code("<!here>"))
    data = CODEC.encode([plan(task("<!here>", details=words), before=before)], Ledger())
    chunks = [json.loads(line) for line in data.splitlines()]
    assert chunks[1]["text"] == "ask <@U012AB3CD>\n\n```\n<!here>\n```"
    assert "<!c" not in chunks[2]["details"]
    assert "<@U" not in chunks[2]["details"]
    assert "<#C" not in chunks[2]["details"]
    (back,) = CODEC.decode(data, Ledger())
    assert back.body[:2] == before
    assert next(back.tasks()).details == (Paragraph(text_line(words)),)


def test_html_that_looks_like_a_mention_becomes_text():
    for source in ("<!channel>\n\n- [ ] a\n", "x <!here> y\n\n- [ ] a\n", "> <!everyone>\n\n- [ ] a\n"):
        assert "<!" not in planconv.convert(source, "markdown", "slack-stream").text


def test_long_texts_are_sent_whole_and_noted():
    ledger = Ledger()
    data = CODEC.encode(
        [plan(task("t" * 300, "completed", id="a", details="word " * 3000 + "end"), title="p" * 257)],
        ledger,
    )
    assert b"t" * 300 in data
    assert codes(ledger) == [(LONG_TEXT, path) for path in ("/title", "/tasks/0/title", "/tasks/0/details")]
    text = Paragraph(text_line("word " * 3000 + "end"))
    ledger = Ledger()
    data = CODEC.encode([plan(task("a", "completed", id="a"), before=[text])], ledger)
    pieces = [json.loads(line) for line in data.splitlines()]
    assert [len(piece["text"]) for piece in pieces if "text" in piece] == [12000, 3003]
    assert codes(ledger) == [(LONG_TEXT, "")]


def test_what_slack_does_not_show_is_noted():
    ledger = Ledger()
    CODEC.encode([plan(*(task(f"t{n}", "completed", id=f"t{n}") for n in range(52)))], ledger)
    assert codes(ledger) == [(ROW_NOT_SHOWN, "/tasks/50"), (ROW_NOT_SHOWN, "/tasks/51")]


def test_a_stream_holds_one_plan():
    with pytest.raises(EncodeError, match="--plan"):
        CODEC.encode([plan(task("a")), plan(task("b"))], Ledger())
    with pytest.raises(EncodeError, match=r"plan y \(session s\) came beside plan x"):
        sent(plan(task("a"), id="x", session="s"), plan(task("a"), id="y", session="s"))


# --- writing what changed -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "chunks"),
    [
        (plan(task("a")), plan(task("a")), []),
        (plan(task("a")), plan(task("a", "completed")), [row("a", "a", "complete")]),
        (plan(task("a"), task("b")), plan(task("a"), task("b", "failed")), [row("b", "b", "error")]),
        (plan(task("a")), plan(task("a"), task("b")), [row("b", "b")]),
        (plan(task("a")), plan(task("a"), title="U"), [{"type": "plan_update", "title": "U"}]),
        (plan(task("a", details="x")), plan(task("a", details="x y")), [row("a", "a", details=" y")]),
        (
            plan(task("a", output="x")),
            plan(task("a", "completed", output="xy")),
            [row("a", "a", "complete", output="y")],
        ),
        (
            plan(task("write the tests")),
            plan(task("write all the tests")),
            [row("write-the-tests", "write all the tests")],
        ),
        (plan(task("a", id="1")), plan(task("other words", id="1")), [row("1", "other words")]),
        (plan(task("a")), plan(task("a", "cancelled")), [row("a", "a (cancelled)")]),
        (
            plan(task("a", sources=(Source("https://x.y/1", "1"),))),
            plan(task("a", sources=(Source("https://x.y/1", "1"), Source("https://x.y/2", "2")))),
            [
                row(
                    "a",
                    "a",
                    sources=[{"type": "url", "url": f"https://x.y/{n}", "text": str(n)} for n in (1, 2)],
                )
            ],
        ),
        (
            plan(before=[Paragraph(text_line("Hello"))]),
            plan(before=[Paragraph(text_line("Hello you"))]),
            [{"type": "markdown_text", "text": " you"}],
        ),
    ],
)
def test_only_what_changed_is_sent(before, after, chunks):
    (_, answer), ledger = sent(before, after)
    assert answer == chunks
    assert not [loss for loss in ledger.losses if loss.code is KEPT_IN_STREAM]


SOURCE = Source("https://x.y/1", "1")


@pytest.mark.parametrize(
    ("before", "after", "chunks", "paths"),
    [
        (plan(task("a"), task("b")), plan(task("a")), [], ["/tasks"]),
        (plan(task("a"), task("b")), plan(task("b"), task("a")), [], ["/tasks"]),
        (
            plan(task("a"), task("b")),
            plan(task("a"), task("new", id="n"), task("b")),
            [row("n", "new")],
            ["/tasks"],
        ),
        (plan(task("a", details="x y")), plan(task("a", details="x")), [], ["/tasks/0/details"]),
        (
            plan(task("a", details="x")),
            plan(task("a", "failed", details="z")),
            [row("a", "a", "error")],
            ["/tasks/0/details"],
        ),
        (plan(task("a", output="x")), plan(task("a")), [], ["/tasks/0/output"]),
        (plan(task("a", sources=(SOURCE,))), plan(task("a")), [], ["/tasks/0/sources"]),
        (plan(task("a")), plan(task("a"), title=""), [], ["/title"]),
        (
            plan(task("a"), before=[Paragraph(text_line("Hello"))]),
            plan(task("a"), before=[Paragraph(text_line("Bye"))]),
            [],
            ["/body"],
        ),
    ],
)
def test_what_a_stream_cannot_take_back_is_noted_once_and_not_sent(before, after, chunks, paths):
    (_, answer, again), ledger = sent(before, after, replace(after))
    assert (answer, again) == (chunks, [])
    assert [loss.path for loss in ledger.losses if loss.code is KEPT_IN_STREAM] == paths


def test_details_that_were_refused_do_not_spoil_what_follows():
    states = ["x", "rewritten", "x and more"]
    (_, middle, last), _ = sent(*(plan(task("a", details=text)) for text in states))
    assert (middle, last) == ([], [row("a", "a", details=" and more")])


def test_sending_the_states_one_by_one_shows_the_last_state():
    states = [
        plan(task("read"), task("fix", details="a")),
        plan(
            task("read", "completed", output="ok"), task("fix", "in_progress", details="a b"), task("test")
        ),
        plan(
            task("read", "completed", output="ok"),
            task("fix it", "failed", details="a b c"),
            task("test"),
            title="U",
        ),
    ]
    answers, _ = sent(*states)
    (shown,) = CODEC.decode(lines(*(chunk for answer in answers for chunk in answer)), Ledger())
    (whole,) = CODEC.decode(CODEC.encode([states[-1]], Ledger()), Ledger())
    ids = {task.title: task.id for task in whole.tasks()}
    assert replace(shown, body=()) == replace(whole, body=())
    assert [replace(task, id=ids[task.title]) for task in shown.tasks()] == list(whole.tasks())


def test_rows_keep_their_ids_when_titles_change():
    answers, _ = sent(
        plan(task("same"), task("same"), task("other")),
        plan(task("same", "completed"), task("same"), task("others")),
        plan(task("same", "completed"), task("same", "completed"), task("others", "completed")),
    )
    assert [[chunk.get("id") for chunk in answer] for answer in answers] == [
        [None, "same", "same-2", "other"], ["same", "other"], ["same-2", "other"],
    ]  # fmt: skip


def test_an_id_that_comes_late_changes_no_row():
    (_, answer), ledger = sent(plan(task("a")), plan(task("a", "completed", id="1")))
    assert answer == [row("a", "a", "complete")]
    assert (ID_CHANGED, "/tasks/0/id") in codes(ledger)


def test_a_task_that_comes_back_gets_its_row_again():
    (_, _, answer), _ = sent(
        plan(task("a"), task("b")), plan(task("a")), plan(task("a"), task("b", "completed"))
    )
    assert answer == [row("b", "b", "complete")]


def test_a_removed_plan_is_noted_with_what_it_leaves_open():
    first = plan(task("a", id="1"), task("b", "completed", id="2"), id="x", session="s")
    (_, answer, back), ledger = sent(first, PlanRemoved("s", "x"), replace(first, id="y"))
    assert (answer, back) == ([], [])
    assert [loss.code for loss in ledger.losses] == [REMOVAL_DROPPED, LEFT_OPEN]
    assert ledger.losses[1].was == ["a"]


def test_the_end_of_a_stream_names_the_tasks_that_are_open():
    _, ledger = sent(
        plan(task("a"), task("b"), task("c", "in_progress")), plan(task("a", "completed"), task("c"))
    )
    assert [loss.was for loss in ledger.losses if loss.code is LEFT_OPEN] == [["b", "c"]]
    _, ledger = sent(plan(task("a")), plan(task("a", "completed")))
    assert not [loss for loss in ledger.losses if loss.code is LEFT_OPEN]


def test_an_answer_comes_before_the_next_event_is_asked_for():
    asked = []

    def events():
        for status in ("pending", "in_progress", "completed"):
            asked.append(status)
            yield PlanUpdated(plan(task("a", status)))

    answers = CODEC.encode_events(events(), Ledger())
    next(answers)
    assert asked == ["pending"]
    next(answers)
    assert asked == ["pending", "in_progress"]
