"""Goldens: an input of every kind, the plans it holds, and what was lost; for canonical ones, the way back.

``tests/golden/<format>/<case>.<suffix>`` is the input, ``<case>.native.json`` holds its plans and
``<case>.losses.json`` what the reader noted. A case whose name begins with ``canonical-`` is written again
byte for byte. ``pytest tests/test_goldens.py --update-goldens`` rewrites the two: read the diff.
"""

import json
from pathlib import Path

import pytest

import planconv
from planconv.loss import Ledger
from planconv.markdown.dialect import DIALECTS

GOLDEN = Path(__file__).parent / "golden"
INPUTS = sorted(
    path
    for path in GOLDEN.glob("*/*.*")
    if not path.name.endswith((".native.json", ".losses.json")) or path.parent.name == "native"
)
CANONICAL = [path for path in INPUTS if path.name.startswith("canonical-")]


def case_id(path):
    return f"{path.parent.name}/{path.name}"


def beside(path, suffix):
    return path.with_name(path.name.partition(".")[0] + suffix)


def native(plans):
    return json.loads(planconv.encode(plans, "native"))


def pretty(value):
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def test_there_are_goldens_for_every_format():
    assert {path.parent.name for path in INPUTS} >= {
        "acp",
        "acp-v1",
        "acp-markdown",
        "markdown",
        "outline",
        "slack",
        "slack-stream",
        "cursor",
        "taskmaster",
        *DIALECTS,
    }
    assert len(INPUTS) >= 20
    assert CANONICAL


@pytest.mark.parametrize("path", INPUTS, ids=case_id)
def test_input_reads_as_golden(path, update_goldens):
    ledger = Ledger()
    plans = native(planconv.decode(path.read_bytes(), path.parent.name, ledger))
    losses = [
        {"code": loss.code.number, "path": loss.path, "was": loss.was, "now": loss.now}
        for loss in ledger.losses
    ]
    if update_goldens:
        beside(path, ".native.json").write_text(pretty(plans), "utf-8")
        beside(path, ".losses.json").write_text(pretty(losses), "utf-8")
    assert plans == json.loads(beside(path, ".native.json").read_text("utf-8"))
    assert losses == json.loads(beside(path, ".losses.json").read_text("utf-8"))


@pytest.mark.parametrize("path", CANONICAL, ids=case_id)
def test_canonical_input_is_written_again(path):
    plans = planconv.decode(path.read_bytes(), path.parent.name)
    assert planconv.encode(plans, path.parent.name).decode() == path.read_text("utf-8")


def test_no_golden_is_left_alone():
    expected = {beside(path, suffix) for path in INPUTS for suffix in (".native.json", ".losses.json")}
    assert set(GOLDEN.glob("*/*")) == expected | set(INPUTS)
