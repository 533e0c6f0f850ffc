"""The records of ACP traffic, whatever recorder wrote them."""

from __future__ import annotations

import json

import pytest

from planconv.errors import DecodeError
from planconv.loss import Ledger
from planconv.wire.acp.log import Survey, read_records

MESSAGE = b'{"method":"session/update","params":{"update":{"sessionUpdate":"plan","entries":[]}}}'
NOISE = b'{"method":"session/update","params":{"update":{"sessionUpdate":"agent_message_chunk"}}}'


def values(data: bytes, ledger: Ledger | None = None) -> list[object]:
    return [record.value for record in read_records([data], ledger or Ledger())]


def skipped(data: bytes) -> list[str]:
    ledger = Ledger(skip_bad_records=True, input="log")
    list(read_records([data], ledger))
    return [str(record.error) for record in ledger.bad_records]


@pytest.mark.parametrize(
    "before",
    [b"", b"[agent] ", "→ ".encode(), "← ".encode(), "agent ← +12ms ".encode(), b"2026-11-30 12:00 "],
)
def test_a_message_is_found_behind_what_a_recorder_writes_before_it(before: bytes) -> None:
    data = b"\n" + before + MESSAGE + b"\r\n"
    (record,) = read_records([data], Ledger())
    assert record.value == json.loads(MESSAGE)
    assert (record.line, record.column) == (2, len(before.decode()))
    assert data[record.offset :].startswith(MESSAGE)


def test_the_lines_of_a_recorder_itself_are_neither_records_nor_errors() -> None:
    own = (
        "=== Conductor Debug Log ===\nStarted: 2026-11-30T12:00:00+00:00\n"
        "Components:\n  0: my-agent --acp {x}\n========================\n"
        "agent ! +3ms warning: {plan}\nC ! +4ms trace\n[error] the plan failed\n\n"
    )
    data = own.encode() + b"agent \xe2\x86\x90 +5ms " + MESSAGE + b"\n"
    assert values(data) == [json.loads(MESSAGE)]


@pytest.mark.parametrize(
    "line", ["[agent] factory ready", "\x1b[2Kloading", '"just a string"', "42", "[1,2]"]
)
def test_a_line_without_an_object_is_a_bad_record(line: str) -> None:
    data = line.encode() + b"\n" + MESSAGE + b"\n"
    assert skipped(data) == ["log:1:1: this line holds no JSON object"]
    with pytest.raises(DecodeError, match="holds no JSON object"):
        values(data)


def test_what_surely_is_no_plan_is_not_read() -> None:
    data = MESSAGE + b"\n" + NOISE + b"\n" + MESSAGE + b"\n"
    assert values(data) == [json.loads(MESSAGE), json.loads(MESSAGE)]


def test_escaped_letters_hide_no_plan() -> None:
    hidden = MESSAGE.replace(b'"plan"', rb'"\u0070l\u0061n"').replace(b"entries", rb"entri\u0065s")
    data = MESSAGE + b"\n" + NOISE + b"\n" + hidden + b"\n"
    assert values(data) == [json.loads(MESSAGE), json.loads(MESSAGE)]


@pytest.mark.parametrize(
    "entries",
    ['{"entries": [\n{"content": "a"}\n]}', '[{"content": "a"},\n{"content": "b"}\n]'],
    ids=["plan", "entries"],
)
def test_a_document_may_have_an_entry_on_each_line(entries: str) -> None:
    assert values(entries.encode()) == [json.loads(entries)]


def test_a_torn_last_line_is_a_bad_record() -> None:
    assert skipped(MESSAGE + b"\n" + MESSAGE[:30]) == [
        "log:2:31: the last line ends in the middle of a record"
    ]


def test_a_long_torn_line_is_a_bad_record_like_a_short_one() -> None:
    torn = MESSAGE[:-3] + b',"plan":"' + b"x" * 70_000
    assert skipped(MESSAGE + b"\n" + torn + b"\n" + MESSAGE) == [
        f"log:2:{len(torn) + 1}: the line ends in the middle of a record"
    ]


def test_a_torn_first_line_is_a_bad_record() -> None:
    data = MESSAGE[:30] + b"\n" + MESSAGE + b"\n"
    assert skipped(data) == ["log:1:31: the line ends in the middle of a record"]


def test_bytes_that_are_no_utf_8_spoil_their_record_only() -> None:
    data = b"\n".join([MESSAGE, b'{"a":"\xe6\x87"}', b'{"plan":"\xff"}', MESSAGE, b""])
    ledger = Ledger(skip_bad_records=True, input="log")
    assert values(data, ledger) == [json.loads(MESSAGE)] * 2
    assert [(bad.error.line, bad.error.column) for bad in ledger.bad_records] == [(2, 7), (3, 10)]
    assert [data[bad.error.offset or 0] for bad in ledger.bad_records] == [0xE6, 0xFF]


@pytest.mark.parametrize("indent", [1, 2, "\t"])
def test_a_document_over_several_lines_is_one_record(indent: int | str) -> None:
    message = json.loads(MESSAGE)
    assert values(json.dumps(message, indent=indent).encode()) == [message]
    assert values(json.dumps([message, message], indent=indent).encode()) == [[message, message]]


def test_documents_may_follow_one_another() -> None:
    text = json.dumps(json.loads(MESSAGE), indent=2) + "\n"
    records = list(read_records([(text * 2).encode()], Ledger()))
    assert [record.value for record in records] == [json.loads(MESSAGE)] * 2
    assert [record.line for record in records] == [1, 1 + text.count("\n")]


def test_an_array_with_a_message_a_line_is_one_document() -> None:
    data = b"[\n" + MESSAGE + b",\n" + MESSAGE + b"\n]\n"
    assert values(data) == [[json.loads(MESSAGE)] * 2]


def test_a_broken_document_is_refused_at_its_place() -> None:
    with pytest.raises(DecodeError) as caught:
        values(b'{\n  "a": 1,\n  "b": NaN\n}\n')
    assert (caught.value.line, caught.value.column) == (3, 8)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_named(encoding: str) -> None:
    with pytest.raises(DecodeError, match=r"this is UTF-(16|32); convert it to UTF-8"):
        values((MESSAGE + b"\n").decode().encode(encoding) * 2)


def test_a_byte_order_mark_is_accepted() -> None:
    for data in (MESSAGE, MESSAGE + b"\n" + NOISE, json.dumps(json.loads(MESSAGE), indent=2).encode()):
        (record,) = read_records([b"\xef\xbb\xbf" + data], Ledger())
        assert record.value == json.loads(MESSAGE)
        assert record.offset == 3


def test_live_records_come_before_the_next_line_is_asked_for() -> None:
    asked = []

    def lines() -> object:
        for number in range(3):
            asked.append(number)
            yield MESSAGE + b"\n"

    records = read_records(lines(), Ledger())  # type: ignore[arg-type]
    next(records)
    assert asked == [0]


def test_a_live_document_is_read_whole() -> None:
    lines = json.dumps(json.loads(MESSAGE), indent=2).encode().splitlines(keepends=True)
    assert [record.value for record in read_records(lines, Ledger())] == [json.loads(MESSAGE)]


def test_an_error_in_a_record_names_line_and_column_of_the_log() -> None:
    (record,) = read_records([b"\n[agent] " + MESSAGE], Ledger())
    error = record.error("/params/update/entries", "no")
    assert str(error) == "line 2:89: /params/update/entries: no"


def test_what_is_there_is_counted() -> None:
    survey = Survey()
    survey.add(b"\n".join([NOISE, NOISE, b'{"method":"initialize"}']))
    assert survey.words() == "2 × agent_message_chunk, 1 × initialize"
    assert Survey().words() == "no ACP messages"


@pytest.mark.parametrize("text", [b'{"a": NaN}', b'{"a": Infinity}\n', b'{"a": 1,}'])
def test_a_lone_line_that_is_no_json_is_never_taken_for_a_log_without_plans(text):
    with pytest.raises(DecodeError, match="1"):
        list(read_records([text], Ledger()))
