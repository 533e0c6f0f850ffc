import json

from planconv.cli.losses import report, summary
from planconv.loss import (
    FIELD_CARRIED,
    FIELD_DROPPED,
    PROSE_DROPPED,
    SHAPE_ASSUMED,
    STATUS_AS_TEXT,
    Loss,
)
from planconv.model import Verbatim


def test_the_summary_is_short_and_begins_with_the_worst():
    losses = [
        Loss(STATUS_AS_TEXT, "slack", "/tasks/0/status", was="cancelled"),
        Loss(STATUS_AS_TEXT, "slack", "/tasks/4/status", was="_waiting"),
        Loss(STATUS_AS_TEXT, "slack", "/tasks/7/status", was="cancelled"),
        *(Loss(SHAPE_ASSUMED, "acp", "", line=n, input="a.json") for n in (4, 9)),
        Loss(FIELD_CARRIED, "slack", "/tasks/0/priority"),
        *(Loss(FIELD_DROPPED, "slack", f"/tasks/{n}/priority") for n in range(8)),
        Loss(FIELD_DROPPED, "slack", "/tasks/1/depends_on"),
        Loss(FIELD_DROPPED, "slack", "/id"),
        Loss(FIELD_DROPPED, "slack", "/title"),
        Loss(FIELD_DROPPED, "slack", "/tasks/1/id"),
        Loss(PROSE_DROPPED, "slack", "/body/0"),
        Loss(PROSE_DROPPED, "slack", "/body/2"),
    ]
    assert summary(losses) == [
        "slack cannot hold: priority (8 tasks), dependencies (1 task), plan id (1 plan),"
        " plan title (1 plan), task id (1 task) [PC101]",
        "slack cannot hold: text between tasks (2 blocks) [PC103]",
        "slack: a status is only shown as a word in the text"
        " (3 times, first at /tasks/0/status: cancelled, _waiting) [PC201]",
        "acp: a shape that no specification has was understood (2 times, first at a.json:4) [PC310]",
    ]


def test_without_losses_there_is_nothing_to_say():
    assert summary([]) == []
    assert report([]) == b""


def test_the_report_keeps_values_exactly():
    was = {"n": Verbatim("1.50"), "s": "ü\n\x1b\u2028"}
    (line,) = report([Loss(FIELD_DROPPED, "slack", "/x", was=was)]).splitlines()
    assert b"1.50" in line
    assert json.loads(line)["was"] == {"n": 1.5, "s": "ü\n\x1b\u2028"}
