"""Rich text blocks read and written on their own: whatever comes in, and nothing empty out."""

from __future__ import annotations

import pytest

from planconv.errors import DecodeError
from planconv.loss import Ledger
from planconv.model import (
    Break,
    Code,
    Item,
    List,
    Paragraph,
    Quote,
    RawSpan,
    Rule,
    Style,
    Table,
    Text,
    block_text,
)
from planconv.wire.slack.rich_text import read_rich_text, write_rich_text
from tests.rich_text_payloads import PAYLOADS, POORER
from tests.slack_shapes import normal, section, text
from tests.slack_validity import rich_text_problems


def read(*elements):
    """The blocks, and the numbers of what was lost."""
    ledger = Ledger()
    blocks = read_rich_text(
        {"type": "rich_text", "elements": list(elements)}, ledger.at("/tasks/0/details")
    )
    return blocks, {loss.code.number for loss in ledger.losses}


def write(*blocks):
    ledger = Ledger()
    block = write_rich_text(blocks, ledger.at("/tasks/0/details"))
    return block, {loss.code.number for loss in ledger.losses}


def words(line):
    return Paragraph((Text(line),))


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.name)
def test_what_slack_sends_is_written_again(payload):
    blocks, lost = read(*payload.elements)
    block, lost_again = write(*blocks)
    assert normal(block["elements"]) == normal(payload.elements)
    assert not lost | lost_again


@pytest.mark.parametrize("payload", [*PAYLOADS, *POORER], ids=lambda payload: payload.name)
def test_what_is_written_is_valid(payload):
    block, _ = write(*read(*payload.elements)[0])
    known = "unknown" not in payload.name  # what nobody knows goes home as it came
    assert block is None or not known or rich_text_problems(block) == []


# --- reading ------------------------------------------------------------------------------------


def test_text_has_no_line_breaks_and_gaps_part_paragraphs():
    blocks, _ = read(section("a\nb\n\nc", text("d", "bold")))
    assert blocks == (
        Paragraph((Text("a"), Break(), Text("b"))),
        Paragraph((Text("c"), Text("d", Style.BOLD))),
    )


ODD = [
    None,
    "text",
    [],
    {"type": "rich_text"},
    {"type": "rich_text", "elements": None},
    {"type": "rich_text", "elements": "text"},
    {"type": "rich_text", "elements": [None, 1, "a", [], {}]},
    {"type": "rich_text", "elements": [{"type": "rich_text_section"}]},
    {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [None, 1, {}, {"type": 1}]}],
    },
    {
        "type": "rich_text",
        "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": 1}]}],
    },
    {"type": "rich_text", "elements": [section({"type": "text", "text": "a", "style": "bold"})]},
    {"type": "rich_text", "elements": [section({"type": "text", "text": "a", "style": {"bold": "yes"}})]},
    {"type": "rich_text", "elements": [section({"type": "link"}, {"type": "link", "url": None})]},
    {"type": "rich_text", "elements": [section({"type": "date", "timestamp": "soon", "format": 1})]},
    {"type": "rich_text", "elements": [section({"type": "emoji"}, {"type": "user"}, {"type": "color"})]},
    {
        "type": "rich_text",
        "elements": [{"type": "rich_text_list", "elements": [section("a")], "indent": "deep"}],
    },
    {
        "type": "rich_text",
        "elements": [{"type": "rich_text_list", "elements": [section("a")], "indent": 10**30}],
    },
    {
        "type": "rich_text",
        "elements": [{"type": "rich_text_list", "elements": [section("a")], "offset": -7}],
    },
    {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_list", "elements": [section("a")], "style": "ordered", "offset": 2.5}
        ],
    },
    {
        "type": "rich_text",
        "elements": [{"type": "rich_text_preformatted", "elements": [{"type": "emoji", "name": "x"}]}],
    },
    {"type": "rich_text", "elements": [{"type": "rich_text_preformatted", "elements": [], "language": 1}]},
    {"type": "rich_text", "elements": [{"type": "rich_text_quote", "elements": [section("a")]}]},
]


@pytest.mark.parametrize("block", ODD, ids=str)
def test_odd_blocks_are_read_or_refused_and_what_is_read_can_be_written(block):
    ledger = Ledger()
    try:
        blocks = read_rich_text(block, ledger.at("/tasks/0/details"))
    except DecodeError:
        return
    write(*blocks)


# --- writing ------------------------------------------------------------------------------------

NOTHING = [
    (),
    (Code(""),),
    (Paragraph((Break(),)),),
    (Paragraph((Break(), Break())), Code("")),
    (Quote((Code(""),)),),
]


@pytest.mark.parametrize("blocks", NOTHING, ids=str)
def test_nothing_to_show_is_nothing(blocks):
    block, _ = write(*blocks)
    assert block is None


BLOCKS = [
    (List((Item(), Item((words("a"),)))),),
    (List((Item((Code(""),)), Item((Quote((words("a"),)),)))),),
    (List((Item((List((Item((words("a"),)),)),)),)),),
    (Quote((List((Item((words("a"), Code("b"), words("c"))),)), Quote((words("d"),)), Rule())),),
    (Table(((), ()), (((), ()), ((Text("a"),), ())), ("", "right")),),
    (Table(((Text("a|b"), RawSpan("html", "<br>")),), (), ("",)),),
    (words("a"), Rule(), words("b")),
    (words(" "), Code("\n"), Code(" ")),
]


@pytest.mark.parametrize("blocks", BLOCKS, ids=str)
def test_whatever_is_written_slack_accepts(blocks):
    block, _ = write(*blocks)
    assert block is None or rich_text_problems(block) == []


def test_deep_lists_are_clamped_and_whole():
    blocks = (words("item 99"),)
    for depth in range(98, -1, -1):
        blocks = (words(f"item {depth}"), List((Item(blocks),)))
    block, lost = write(List((Item(blocks),)))
    shown = [entry["elements"][0]["text"] for element in block["elements"] for entry in element["elements"]]
    assert shown == [f"item {depth}" for depth in range(100)]
    assert lost == {"PC210"}
    assert rich_text_problems(block) == []


def test_text_of_every_block_is_written():
    blocks = (words("one"), Quote((words("two"),)), List((Item((words("three"),)),)), Code("four"), Rule())
    block, _ = write(*blocks)
    written = str(block)
    assert all(block_text(inner) in written for inner in blocks[:-1])
