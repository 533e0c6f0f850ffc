"""What all codecs of session logs have in common, tried on every log in ``tests/logs``."""

import contextlib
import json
import tracemalloc
from collections import deque
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planconv import registry
from planconv.codec import EventCodec, Extent
from planconv.errors import DecodeError, EncodeError
from planconv.loss import Ledger
from planconv.model import fold
from planconv.testing.laws import totality
from planconv.testing.plans import broken
from tests.logs_told import FOLDER

CODECS = {
    "claude": "claude-code",
    "codex": "codex",
    "copilot": "copilot",
    "gemini": "gemini",
    "opencode": "opencode",
    "qwen": "gemini",
}
LOGS = sorted(path.name for path in FOLDER.iterdir())
NAMES = sorted(set(CODECS.values()))
ODD = [None, True, 0, -1.5, "", "x", "completed", "[]", "{}", [], {}, [None], {"id": 1}, [[]]]


def codec_of(name):
    return registry.get(CODECS[name.partition("-")[0]])


@pytest.mark.parametrize("name", LOGS)
def test_the_final_state_is_the_fold_of_the_updates(name):
    data = (FOLDER / name).read_bytes()
    events = codec_of(name).decode_events(data.splitlines(keepends=True), Ledger())
    assert fold(events) == codec_of(name).decode(data, Ledger())


@pytest.mark.parametrize("name", LOGS)
def test_one_log_codec_recognises_it_and_no_other(name):
    head = (FOLDER / name).read_bytes()
    assert [other for other in NAMES if registry.get(other).recognise(head)] == [codec_of(name).info.name]


@pytest.mark.parametrize("name", LOGS)
def test_windows_line_ends_and_a_byte_order_mark_change_nothing(name):
    data = (FOLDER / name).read_bytes()
    codec = codec_of(name)
    assert codec.decode(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"), Ledger()) == codec.decode(
        data, Ledger()
    )


@pytest.mark.parametrize("name", [name for name in LOGS if name.endswith(".jsonl")])
def test_joined_with_itself_a_log_says_the_same(name):
    data = (FOLDER / name).read_bytes()
    assert codec_of(name).decode(data + data, Ledger()) == codec_of(name).decode(data, Ledger())


@pytest.mark.parametrize("name", [name for name in LOGS if name.endswith(".jsonl")])
def test_every_record_may_be_torn(name):
    """Whatever is cut off, there are plans or an error at the line that was cut."""
    data = (FOLDER / name).read_bytes()
    for end in range(0, len(data), 97):
        assert plans_or_bad_line(codec_of(name), data[:end]) in (
            "plans",
            None,
            data.count(b"\n", 0, end) + 1,
        )


def plans_or_bad_line(codec, data):
    try:
        codec.decode(data, Ledger())
    except DecodeError as error:
        return error.line
    return "plans"


def test_memory_does_not_grow_with_the_log():
    """Not even without results: 1,000 lists of 10 todos are 1 MB of records."""
    todos = [{"content": f"Do this thing, number {number}", "status": "pending"} for number in range(10)]

    def records():
        for number in range(1_000):
            block = {"type": "tool_use", "id": f"t{number}", "name": "TodoWrite", "input": {"todos": todos}}
            message = {"id": f"m{number}", "content": [block]}
            yield json.dumps({"type": "assistant", "sessionId": "s", "message": message}).encode() + b"\n"

    codec = registry.get("claude-code")
    deque(codec.decode_events(islice(records(), 100), Ledger()), maxlen=0)
    tracemalloc.start()
    deque(codec.decode_events(records(), Ledger()), maxlen=0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 500_000


@pytest.mark.parametrize("name", NAMES)
def test_it_is_an_update_stream_that_is_only_read(name):
    codec = registry.get(name)
    assert isinstance(codec, EventCodec)
    assert codec.info.reads
    assert not codec.info.writes
    assert all(held.extent is not Extent.FULL for held in codec.info.holds.values())
    for refused in (lambda: codec.encode([], Ledger()), lambda: list(codec.encode_events([], Ledger()))):
        with pytest.raises(EncodeError, match=rf"{name} is only read; formats that can be written: acp"):
            refused()


@given(
    st.sampled_from(LOGS).flatmap(
        lambda name: st.tuples(st.just(name), broken(st.just((FOLDER / name).read_bytes())))
    )
)
def test_no_input_brings_a_codec_down(example):
    name, data = example
    totality(codec_of(name), data)


@pytest.mark.parametrize("name", LOGS)
def test_no_value_in_a_record_brings_a_codec_down(name):
    """Every fifth value of a log in turn is replaced by another one."""
    data = (FOLDER / name).read_bytes()
    values = (
        [json.loads(line) for line in data.splitlines()] if name.endswith(".jsonl") else [json.loads(data)]
    )
    odd = iter(ODD * 10_000)
    for container, key in list(places(values))[::5]:
        was, container[key] = container[key], next(odd)
        with contextlib.suppress(DecodeError):
            codec_of(name).decode("".join(json.dumps(value) + "\n" for value in values).encode(), Ledger())
        container[key] = was


def places(value):
    """Every place in a JSON value, strings of JSON left out."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in list(keys):
        yield value, key
        yield from places(value[key])
