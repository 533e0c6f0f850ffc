import json

import pytest

from planconv.check import check
from planconv.errors import DecodeError

GOOD = {"content": "a", "priority": "high", "status": "pending"}


def found(value, form):
    data = value if isinstance(value, bytes) else json.dumps(value, indent=1).encode()
    return [(finding.check.number, finding.place.pointer) for finding in check(data, form)]


def v1(*entries):
    return {"sessionUpdate": "plan", "entries": list(entries)}


def v2(*entries):
    return {
        "sessionUpdate": "plan_update",
        "plan": {"type": "items", "planId": "p", "entries": list(entries)},
    }


def file(uri):
    return {"sessionUpdate": "plan_update", "plan": {"type": "file", "planId": "p", "uri": uri}}


@pytest.mark.parametrize(
    ("update", "findings"),
    [
        (v1(GOOD), []),
        (v1(GOOD, {"status": "pending", "priority": "low"}), [("CK305", "/entries/1")]),
        (v1("text"), [("CK305", "/entries/0")]),
        (v1({**GOOD, "content": 7}), [("CK305", "/entries/0/content")]),
        (v1({**GOOD, "status": "_mine"}), [("CK202", "/entries/0/status")]),
        (v1({**GOOD, "priority": "urgent"}), [("CK305", "/entries/0/priority")]),
        (v2({**GOOD, "status": "_mine", "priority": "_urgent"}), []),
        (v2({**GOOD, "status": "mine"}), [("CK202", "/plan/entries/0/status")]),
        (file("file:///a/plan.md"), []),
        (file("https://example.com/plan.md"), []),
        (file("plan.md"), [("CK301", "/plan/uri")]),
        (file("file:plan.md"), [("CK301", "/plan/uri")]),
        (file("file://plan.md"), [("CK301", "/plan/uri")]),
    ],
)
def test_acp(update, findings):
    assert found(update, "acp") == findings


def test_a_log_tells_line_and_column():
    bad = json.dumps(v1({**GOOD, "status": "odd"}), ensure_ascii=False)
    log = "\n".join([json.dumps(v1(GOOD)), "", "  " + bad, ""]).encode()
    (finding,) = check(log, "acp")
    assert (finding.place.line, finding.place.column) == (3, bad.index('"odd"') + 3)


def test_what_is_no_json_is_an_error():
    with pytest.raises(DecodeError):
        check(b'{"sessionUpdate": ', "acp")


def test_a_key_that_stands_twice():
    assert [code for code, _ in found(b'{"planconv": 1, "plans": [], "plans": []}', "native")] == ["CK306"]


def card(id, **more):
    return {"task_id": id, "title": "t", "status": "pending", **more}


@pytest.mark.parametrize(
    ("tasks", "findings"),
    [
        ([card("a"), card("b")], []),
        ([card("a"), card("a")], [("CK102", "/blocks/0/tasks/1/task_id")]),
        ([card("a", status="odd")], [("CK202", "/blocks/0/tasks/0/status")]),
        ([card("a", status=7)], [("CK202", "/blocks/0/tasks/0/status")]),
        ([card("a", status=None)], []),
        ([card(str(n)) for n in range(51)], [("CK302", "/blocks/0/tasks")]),
        ([card("a", title="x" * 14_000)], [("CK303", "/blocks")]),
    ],
)
def test_slack(tasks, findings):
    assert found({"blocks": [{"type": "plan", "title": "P", "tasks": tasks}]}, "slack") == findings


def test_slack_takes_50_blocks():
    divider = {"type": "divider"}
    assert found({"blocks": [divider] * 50}, "slack") == []
    assert found({"blocks": [divider] * 51}, "slack") == [("CK303", "/blocks")]


def test_task_master():
    tasks = [
        {
            "id": 1,
            "title": "a",
            "status": "done",
            "dependencies": [3],
            "subtasks": [
                {"id": 1, "title": "s", "status": "done", "dependencies": []},
                {"id": 2, "title": "s", "status": "pending", "dependencies": [1, "1.1", 9]},
            ],
        },
        {"id": 2, "title": "b", "status": "review", "dependencies": [1, 7]},
        {"id": 3, "title": "c", "status": "odd", "dependencies": [2]},
        {"id": 3, "title": "d", "status": "pending", "dependencies": [3]},
    ]
    assert set(found({"master": {"tasks": tasks}}, "taskmaster")) >= {
        ("CK101", "/master/tasks/0/id"),
        ("CK102", "/master/tasks/3/id"),
        ("CK103", "/master/tasks/0/subtasks/1/dependencies/2"),
        ("CK103", "/master/tasks/1/dependencies/1"),
        ("CK202", "/master/tasks/2/status"),
    }


def test_native():
    tasks = [
        {"title": "a", "id": "a", "depends_on": ["b", "z"]},
        {
            "title": "b",
            "id": "b",
            "depends_on": ["a"],
            "status": "completed",
            "details": [{"type": "tasks", "tasks": [{"title": "c"}]}],
        },
    ]
    plan = {"reference": "plan.md", "body": [{"type": "tasks", "tasks": tasks}]}
    place = "/plans/0/body/0/tasks"
    assert sorted(found({"planconv": 1, "plans": [plan]}, "native")) == [
        ("CK101", f"{place}/1/id"),
        ("CK103", f"{place}/0/depends_on/1"),
        ("CK104", f"{place}/1/depends_on/0"),
        ("CK301", "/plans/0/reference"),
    ]


def test_several_records_on_a_line_have_columns_of_their_own():
    good, bad = json.dumps(v1(GOOD)), json.dumps(v1({**GOOD, "status": "odd"}))
    text = f"{good}\n{bad} {good} {bad}\n"
    places = [finding.place for finding in check(text.encode(), "acp")]
    columns = [bad.index('"odd"') + 1, bad.index('"odd"') + 3 + len(bad) + len(good)]
    assert [(place.line, place.column) for place in places] == [(2, column) for column in columns]
