"""samples/ holds one plan in every format: ``plan.md`` is written by hand, the others are made from it."""

from pathlib import Path

import pytest

import planconv
from planconv import registry

SAMPLES = Path(__file__).parent.parent / "samples"
NAMES = {
    "acp": "plan.acp.ndjson",
    "acp-markdown": "plan.acp-markdown.ndjson",
    "acp-v1": "plan.acp-v1.ndjson",
    "markdown": "plan.md",
    "native": "plan.native.json",
    "slack": "plan.slack.json",
}
PLAN = (SAMPLES / "plan.md").read_bytes()


@pytest.mark.parametrize(("name", "file"), NAMES.items())
def test_sample_is_what_its_format_writes(name, file, update_samples):
    made = planconv.convert(PLAN, "markdown", name).data
    if update_samples:
        (SAMPLES / file).write_bytes(made)
    assert (SAMPLES / file).read_bytes() == made


@pytest.mark.parametrize(("name", "file"), NAMES.items())
def test_sample_reads_as_nine_tasks(name, file):
    (plan,) = planconv.decode((SAMPLES / file).read_bytes(), name)
    assert len(list(plan.tasks())) == 9
    assert sum(task.done for task in plan.tasks()) == 2


def test_every_file_is_known():
    assert {path.name for path in SAMPLES.glob("plan.*")} == set(NAMES.values())
    assert set(NAMES) <= set(registry.BUILT_IN)
