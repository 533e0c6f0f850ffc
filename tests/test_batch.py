"""Where the results of a batch go, and what its manifest knows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from planconv import registry
from planconv.batch import (
    NO_PLAN,
    Job,
    Manifest,
    Row,
    is_done,
    plan_jobs,
    read_manifest,
    state_of,
    suffix_of,
    written_name,
)
from planconv.errors import UsageError


def made(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("- [ ] a\n")
    return folder


def refuse(error: UsageError) -> None:
    raise error


def outputs(folder: Path, *inputs: Path, target: str = "markdown") -> list[str]:
    jobs = plan_jobs(map(str, inputs), str(folder), registry.get(target).info, refuse)
    return [str(Path(job.output).relative_to(folder)) for job in jobs]


def test_the_tree_of_a_folder_is_mirrored(tmp_path: Path) -> None:
    source = made(tmp_path / "in", "a.jsonl", "x/b.jsonl.gz", "x/y/c.plan.md")
    assert outputs(tmp_path / "out", source) == ["a.md", "x/b.md", "x/y/c.plan.md"]
    assert outputs(tmp_path / "out", source / "x" / "b.jsonl.gz") == ["b.md"]


def test_names_that_would_be_the_same_keep_what_they_had(tmp_path: Path) -> None:
    source = made(tmp_path / "in", "a.jsonl", "a.txt", "b.txt")
    assert outputs(tmp_path / "out", source) == ["a.jsonl.md", "a.txt.md", "b.md"]
    made(source, "a.jsonl.gz")
    assert outputs(tmp_path / "out", source) == ["a.jsonl.md", "a.jsonl.gz.md", "a.txt.md", "b.md"]


def test_two_results_are_never_one_file(tmp_path: Path) -> None:
    one, two = made(tmp_path / "1", "a.md"), made(tmp_path / "2", "a.md")
    with pytest.raises(UsageError, match="would both become"):
        outputs(tmp_path / "out", one, two)


def test_a_result_is_no_input(tmp_path: Path) -> None:
    source = made(tmp_path, "a.md", "out/a.md", "out/b.md")
    assert outputs(tmp_path / "out", source) == ["a.md"]


@pytest.mark.parametrize(
    ("format", "suffix"),
    [
        ("markdown", ".md"),
        ("kiro", ".md"),
        ("cursor", ".plan.md"),
        ("native", ".native.json"),
        ("taskmaster", ".json"),
        ("slack", ".slack.jsonl"),
        ("acp-v1", ".ndjson"),
    ],
)
def test_a_result_is_called_as_its_format_is(format: str, suffix: str) -> None:
    assert suffix_of(registry.get(format).info) == suffix


def test_done_is_what_has_changed_on_neither_side(tmp_path: Path) -> None:
    source, result = made(tmp_path, "a.md", "b.md") / "a.md", tmp_path / "b.md"
    job = Job(str(source), str(result), named=True)
    row: Row = {"input": job.input, "output": job.output, "status": "ok", "bytes": 8, "options": "o"}
    row |= state_of(job.input)
    assert is_done(row, job, "o")
    assert not is_done(row, job, "others")
    assert not is_done({**row, "status": "failed"}, job, "o")
    assert not is_done(None, job, "o")
    result.write_text("changed by hand\n")
    assert not is_done(row, job, "o")
    result.unlink()
    assert not is_done(row, job, "o")
    made(tmp_path, "b.md")
    source.write_text("- [x] other\n")
    assert not is_done(row, job, "o")


def test_a_torn_manifest_tells_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "m"
    manifest = Manifest(str(path), [{"input": "a", "status": "ok"}])
    manifest.add({"input": "b", "status": "ok"})
    with path.open("ab") as file:
        file.write(b'{"input":"c","sta')
    assert list(read_manifest(str(path))) == ["a", "b"]
    manifest.finish([{"input": "b"}, {"input": "a"}])
    assert list(read_manifest(str(path))) == ["b", "a"]


@pytest.mark.skipif(sys.platform == "darwin", reason="its names are UTF-8")
def test_a_name_that_is_no_utf8_is_known_again(tmp_path: Path) -> None:
    name, path = os.fsdecode(b"\xff\xc3.md"), tmp_path / "m"
    source = made(tmp_path, name) / name
    job = Job(str(source), str(tmp_path / "out"), True)
    row: Row = {"input": job.input, "output": job.output, "status": NO_PLAN, "options": "o"}
    Manifest(str(path), []).finish([{**row, **state_of(job.input)}])
    (read,) = read_manifest(str(path)).items()
    assert read[0] == written_name(job.input) == f"{tmp_path}/\\xff\\xc3.md"
    assert is_done(read[1], job, "o")
