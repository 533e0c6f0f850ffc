"""samples/ holds one plan in every format: ``plan.md`` is written by hand, the others are made from it."""

from pathlib import Path

import pytest

import planconv
from planconv import registry

SAMPLES = Path(__file__).parent.parent / "samples"
DIALECTS = (
    "conductor",
    "execplan",
    "gitlab",
    "kiro",
    "obsidian",
    "openspec",
    "roo",
    "speckit",
    "superpowers",
)
NAMES = {
    "acp": "plan.acp.ndjson",
    "acp-markdown": "plan.acp-markdown.ndjson",
    "acp-v1": "plan.acp-v1.ndjson",
    "cursor": "plan.cursor.plan.md",
    "markdown": "plan.md",
    "native": "plan.native.json",
    "slack": "plan.slack.json",
    "slack-stream": "plan.slack-stream.jsonl",
    "taskmaster": "plan.taskmaster.json",
    **{dialect: f"plan.{dialect}.md" for dialect in DIALECTS},
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


def test_every_format_that_is_written_has_a_sample():
    assert {path.name for path in SAMPLES.glob("plan.*")} == set(NAMES.values())
    written = {codec.info.name for codec in registry.built_in() if codec.info.writes}
    assert set(NAMES) == written - {"acp-file"}  # of which most is another file


def test_blocks_of_slack_go_to_markdown_and_back():
    blocks = (SAMPLES / "plan.slack.json").read_bytes()
    as_markdown = planconv.convert(blocks, "slack", "markdown").data
    assert planconv.convert(as_markdown, "markdown", "slack").data == blocks
