"""The native format: every plan comes back as it was, and a wrong document is refused at its place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings

from planconv.codecs.native import NATIVE
from planconv.convert import leave_behind
from planconv.errors import DecodeError, EncodeError, NoPlanError
from planconv.loss import Ledger
from planconv.model import (
    Blocks,
    Date,
    Item,
    Line,
    Link,
    List,
    Paragraph,
    Plan,
    Quote,
    Style,
    Task,
    TaskList,
    Text,
    Verbatim,
)
from planconv.testing.plans import plans


def trip(plan: Plan) -> list[Plan]:
    ledger = Ledger()
    left = leave_behind(plan, NATIVE.info, ledger)
    back = NATIVE.decode(NATIVE.encode([left], ledger), ledger)
    assert not ledger.losses
    return back


@settings(max_examples=50)
@given(plans())
def test_any_plan_comes_back_without_a_loss(plan: Plan) -> None:
    assert trip(plan) == [plan]


@pytest.mark.parametrize(
    "value",
    [
        Verbatim("1.50"),
        [Verbatim("[" * 500 + "]" * 500)],
        {"$verbatim": "1"},
        {"$literal": {"$verbatim": "1"}},
        {"$verbatim": 1, "more": [{"$literal": None}]},
        {"": {"a/b~c": [None, True, 0.1, -1, 2**64 - 1, "\u2028"]}},
    ],
)
def test_luggage_of_any_format_comes_back(value: Any) -> None:
    extras = {"acp": {"plan": value}, "other/format": {"x": 1}}
    assert trip(Plan(extras=extras, body=(TaskList((Task((), extras=extras),)),)))[0].extras == extras


def test_lines_come_back_whatever_they_are_made_of() -> None:
    lines: list[Line] = [
        (Text("a"),),
        (Text("a"), Text("b", Style.BOLD)),
        (Text("a", Style.BOLD | Style.CODE, Link("u", "t")),),
        (Text("u", link=Link("u")),),
        (Date(1 << 70, "{date}"),),
    ]
    body: Blocks = tuple(map(Paragraph, lines))
    assert trip(Plan(title=lines[2], body=body)) == [Plan(title=lines[2], body=body)]


def nested(depth: int) -> Plan:
    blocks: Blocks = ()
    for number in range(depth):
        inner = TaskList((Task((Text(f"level {number}"),), details=blocks),))
        blocks = (Quote((List((Item((inner,)),)),)),) if number % 10 == 9 else (inner,)
    return Plan(body=blocks)


def test_a_hundred_levels_come_back() -> None:
    assert trip(nested(100)) == [nested(100)]


def test_what_no_reader_makes_is_refused_and_no_traceback() -> None:
    with pytest.raises(EncodeError, match="nested too deeply"):
        NATIVE.encode([nested(2000)], Ledger())
    deep = '{"planconv":1,"plans":[{"body":' + '[{"type":"quote","blocks":' * 3000 + "[]"
    with pytest.raises(DecodeError):
        NATIVE.decode((deep + "}]" * 3000 + "}]}").encode(), Ledger())


def test_people_can_read_it() -> None:
    task = Task((Text("Ship "), Text("it", Style.BOLD)), "completed", priority="high")
    plan = Plan("p", title=(Text("A plan"),), body=(TaskList((task,)),))
    assert NATIVE.encode([plan], Ledger()).decode() == (
        """{
  "planconv": 1,
  "plans": [
    {
      "id": "p",
      "title": "A plan",
      "body": [
        {
          "type": "tasks",
          "tasks": [
            {
              "title": [
                "Ship ",
                {
                  "type": "text",
                  "text": "it",
                  "style": [
                    "bold"
                  ]
                }
              ],
              "status": "completed",
              "priority": "high"
            }
          ]
        }
      ]
    }
  ]
}
"""
    )


def document(*plans: Any, **keys: Any) -> bytes:
    return json.dumps({"planconv": 1, "plans": plans, **keys}).encode()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"[]", "no planconv document"),
        (b'{"plans":[]}', "no planconv document"),
        (b'{"planconv":2,"plans":[]}', "line 1:13: /planconv: version 2 is not known here, only 1"),
        (b'{"planconv":true,"plans":[]}', "/planconv: version true is not known"),
        (b'{"planconv":1}', "/plans: an array of plans is expected"),
        (document(more=1), "/more: the key 'more' is not known"),
        (document({"titel": "x"}), "/plans/0/titel: the key 'titel' is not known"),
        (document({"id": 7}), "/plans/0/id: a string is expected here, not a number"),
        (document({"body": {}}), "/plans/0/body: an array is expected here, not an object"),
        (document({"body": [{"type": "tasks"}]}), "/plans/0/body/0/tasks: is missing"),
        (
            document({"body": [{"type": "chart"}]}),
            "/plans/0/body/0/type: a block has one of these types: para",
        ),
        (
            document({"body": [{"type": "tasks", "tasks": [{}]}]}),
            "/plans/0/body/0/tasks/0/title: is missing",
        ),
        (
            document({"title": [{"type": "text", "text": "x", "style": ["loud"]}]}),
            "there is no style 'loud'",
        ),
        (document({"extras": {"acp": 1}}), "/plans/0/extras/acp: an object is expected here"),
        (b'{"planconv": 1, "plans": [', "ends in the middle"),
    ],
)
def test_a_wrong_document_is_refused_at_its_place(data: bytes, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        NATIVE.decode(data, Ledger())
    assert message in str(caught.value)
    assert caught.value.line == 1


def test_a_document_without_plans_holds_none() -> None:
    with pytest.raises(NoPlanError):
        NATIVE.decode(document(), Ledger())


def test_it_is_recognised_by_its_first_key() -> None:
    assert NATIVE.recognise(b'\xef\xbb\xbf{\n  "planconv": 1')
    assert not NATIVE.recognise(b'{"x": {"planconv": 1}}')


def test_what_a_person_wrote_by_hand_comes_into_normal_form():
    from planconv.model import Break, Paragraph, Plan, Text

    by_hand = b"""{"planconv": 1, "plans": [{"title": ["a", "b\\nc", ""], "body": [
        {"type": "tasks", "tasks": []}, {"type": "paragraph", "line": []},
        {"type": "paragraph", "line": "x"}]}]}"""
    (plan,) = NATIVE.decode(by_hand, Ledger())
    assert plan == Plan(title=(Text("ab"), Break(), Text("c")), body=(Paragraph((Text("x"),)),))
