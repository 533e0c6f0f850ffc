"""``planconv batch``: whole files, a true manifest, the same bytes for any number of processes."""

from __future__ import annotations

import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PLANCONV = [sys.executable, "-m", "planconv"]


def message(text: str, number: int) -> str:
    entries = [{"content": f"{text} {number}", "priority": "high", "status": "pending"}]
    update = {"sessionUpdate": "plan", "entries": entries}
    return json.dumps({"method": "session/update", "params": {"sessionId": "s", "update": update}}) + "\n"


def folder_of(path: Path, count: int, lines: int = 3) -> Path:
    for number in range(count):
        file = path / f"{number % 3}" / f"log{number:03}.jsonl"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(message(f"log {number}", line) for line in range(lines)))
    return path


def batch(*args: object) -> subprocess.CompletedProcess[str]:
    command = [*PLANCONV, "batch", "-t", "markdown", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def tree(path: Path) -> dict[str, bytes]:
    return {str(one.relative_to(path)): one.read_bytes() for one in path.rglob("*") if one.is_file()}


def test_any_number_of_processes_gives_the_same_bytes(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 7)
    told = []
    for processes in (1, 2):
        run = batch(
            "-j", processes, "-o", tmp_path / "out", "--manifest", tmp_path / f"m{processes}", source
        )
        assert (run.returncode, run.stdout) == (0, "")
        told.append((run.stderr, tree(tmp_path / "out")))
    assert told[0] == told[1]
    assert told[0][1]["2/log005.md"] == b"- [ ] log 5 2 _(high priority)_\n"
    one, two = ([{**row, "seconds": 0} for row in rows(tmp_path / f"m{number}")] for number in (1, 2))
    assert one == two
    assert [row["status"] for row in one] == ["ok"] * 7


def test_an_error_stops_nothing_else(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 2)
    (source / "bad.jsonl").write_text('{"method": "session/update", plan}\n' + message("good", 1))
    (source / "empty.jsonl").write_text('{"method": "session/update"}\n')
    (source / "cut.jsonl.gz").write_bytes(gzip.compress(message("a", 1).encode())[:-8])
    (source / "notes.bin").write_bytes(b"nothing\n")
    manifest, errors = tmp_path / "m", tmp_path / "errors"
    run = batch("-o", tmp_path / "out", "--manifest", manifest, "--errors-to", errors, source)
    assert run.returncode == 1
    assert "Traceback" not in run.stderr
    assert {Path(row["input"]).name: (row["status"], row["unread"]) for row in rows(manifest)} == {
        "bad.jsonl": ("ok", 1),
        "cut.jsonl.gz": ("failed", 0),
        "empty.jsonl": ("no-plan", 0),
        "notes.bin": ("skipped", 0),
        "log000.jsonl": ("ok", 0),
        "log001.jsonl": ("ok", 0),
    }
    assert set(tree(tmp_path / "out")) == {"bad.md", "0/log000.md", "1/log001.md"}
    assert [row["line"] for row in rows(errors)][:1] == [1]


def test_what_is_done_and_unchanged_is_not_done_again(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 3)
    manifest = tmp_path / "m"
    batch("-o", tmp_path / "out", "--manifest", manifest, source)
    first = rows(manifest)
    assert batch("-o", tmp_path / "out", "--manifest", manifest, source).returncode == 0
    assert rows(manifest) == first
    (source / "1" / "log001.jsonl").write_text(message("new", 9))
    (tmp_path / "out" / "2" / "log002.md").unlink()
    batch("-o", tmp_path / "out", "--manifest", manifest, source)
    assert rows(manifest)[0] == first[0]
    assert tree(tmp_path / "out")["1/log001.md"] == b"- [ ] new 9 _(high priority)_\n"
    assert "2/log002.md" in tree(tmp_path / "out")


def test_compressed_logs_are_read_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(message("a", 1).encode()))
    assert batch("-o", tmp_path / "out", tmp_path / "a.jsonl.gz").returncode == 0
    assert tree(tmp_path / "out") == {"a.md": b"- [ ] a 1 _(high priority)_\n"}
    for command in ("convert", "stream"):
        run = subprocess.run(
            [*PLANCONV, command, "-t", "markdown", str(tmp_path / "a.jsonl.gz")],
            capture_output=True,
            check=False,
        )
        assert run.stdout == b"- [ ] a 1 _(high priority)_\n"


def test_wrong_use_is_told_before_anything_is_done(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 1)
    for args in (
        ["-o", tmp_path / "out", tmp_path / "nowhere"],
        ["-o", tmp_path / "out", "-f", "x", source],
    ):
        assert batch(*args).returncode == 2
    assert not (tmp_path / "out").exists()


def test_a_batch_that_is_killed_leaves_whole_files_and_a_true_manifest(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 60, lines=200)
    out, manifest = tmp_path / "out", tmp_path / "m"
    wanted = {
        f"{number % 3}/log{number:03}.md": f"- [ ] log {number} 199 _(high priority)_\n".encode()
        for number in range(60)
    }
    rng = random.Random(4)
    for _ in range(10):
        command = [*PLANCONV, "batch", "-q", "-j", "2", "-t", "markdown", "-o", out, "--manifest", manifest]
        process = subprocess.Popen([*map(str, command), str(source)], stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.1, 0.9))
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        for name, data in tree(out).items() if out.exists() else ():
            assert ".planconv-" in name or wanted[name] == data
        whole = manifest.read_text().rpartition("\n")[0].splitlines() if manifest.exists() else []
        for row in map(json.loads, whole):
            assert row["status"] == "ok"
            assert Path(row["output"]).stat().st_size == row["bytes"]
    assert batch("-o", out, "--manifest", manifest, source).returncode == 0
    left = {name: data for name, data in tree(out).items() if ".planconv-" not in name}
    assert left == wanted
    assert len(rows(manifest)) == 60


def test_two_runs_at_once_end_well(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 12)
    command = [
        *PLANCONV,
        "batch",
        "-q",
        "-t",
        "markdown",
        "-o",
        tmp_path / "out",
        "--manifest",
        tmp_path / "m",
    ]
    both = [subprocess.Popen([*map(str, command), str(source)]) for _ in range(2)]
    assert [one.wait() for one in both] == [0, 0]
    assert len(rows(tmp_path / "m")) == len(tree(tmp_path / "out")) == 12


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_full_disk_is_told(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 1)
    for option in ("--manifest", "--report"):
        run = batch("-o", tmp_path / "out", option, "/dev/full", source)
        assert run.returncode == 2
        assert "No space left on device" in run.stderr
        assert "Traceback" not in run.stderr
