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


def test_results_beside_their_inputs_are_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "plan.md").write_text("- [ ] a\n")
    run = batch("-o", tmp_path, f"{tmp_path}/")
    assert run.returncode == 2
    assert run.stderr.endswith(f"-o {tmp_path} is one of them, name another one\n")
    assert tree(tmp_path) == {"plan.md": b"- [ ] a\n"}


def test_an_input_without_a_plan_is_told_again(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    args = ("-o", tmp_path / "out", "--manifest", tmp_path / "m", tmp_path / "notes.md")
    runs = [batch(*args), batch(*args)]
    assert [run.returncode for run in runs] == [1, 1]
    assert "notes.md: no task list" in runs[1].stderr


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


# --- what may go wrong around a batch -----------------------------------------------------------


def test_what_is_not_there_stops_nothing_else(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 3)
    (tmp_path / "gone").symlink_to(tmp_path / "nowhere")
    run = batch(
        "-o", tmp_path / "out", "--manifest", tmp_path / "m", "nothing.jsonl", source, tmp_path / "gone"
    )
    assert run.returncode == 1
    assert "nothing.jsonl: No such file or directory" in run.stderr
    assert [row["status"] for row in rows(tmp_path / "m")] == ["failed", "ok", "ok", "ok", "failed"]
    assert len(tree(tmp_path / "out")) == 3


@pytest.mark.skipif(os.geteuid() == 0, reason="everything is readable for root")
def test_what_cannot_be_read_stops_nothing_else(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 5)
    (source / "0").chmod(0)
    (source / "1" / "log001.jsonl").chmod(0)
    try:
        run = batch("-o", tmp_path / "out", source)
    finally:
        (source / "0").chmod(0o755)
    assert run.returncode == 1
    assert run.stderr.count("Permission denied") == 2
    assert len(tree(tmp_path / "out")) == 2


def test_a_result_that_does_not_fit_on_the_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "in", 2)
    long = json.loads(message("x" * 5000, 1))
    (source / "0" / "log000.jsonl").write_text(json.dumps(long) + "\n")
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))"
    code = f"{limit}; from planconv.cli.main import main; main()"
    command = [sys.executable, "-c", code, "batch", "-t", "markdown", "-o", tmp_path / "out", source]
    run = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 1
    assert "File too large" in run.stderr
    assert tree(tmp_path / "out") == {"1/log001.md": b"- [ ] log 1 2 _(high priority)_\n"}


def test_a_log_that_is_being_written_is_read_as_far_as_it_is_whole(tmp_path: Path) -> None:
    log, out, manifest = tmp_path / "log.jsonl", tmp_path / "out", tmp_path / "m"
    log.write_text(message("a", 1) + message("a", 2)[:40])
    first = batch("-f", "acp", "-o", out, "--manifest", manifest, log)
    assert first.returncode == 1
    assert (rows(manifest)[0]["status"], rows(manifest)[0]["unread"]) == ("ok", 1)
    assert tree(out) == {"log.md": b"- [ ] a 1 _(high priority)_\n"}
    again = batch("-f", "acp", "-o", out, "--manifest", manifest, log)
    assert (again.returncode, again.stderr) == (1, f"{log}: 1 record could not be read, as before\n")
    with log.open("a") as file:
        file.write(message("a", 2)[40:])
    assert batch("-f", "acp", "-o", out, "--manifest", manifest, log).returncode == 0
    assert tree(out) == {"log.md": b"- [ ] a 2 _(high priority)_\n"}


def test_one_large_log_gives_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    noise = json.dumps({"method": "session/update", "params": {"text": "x" * 4000}}) + "\n"
    with log.open("w") as file:
        for number in range(10):
            file.write(message("a", number) + noise * 900)
        file.write('{"plan": torn\n' + message("a", 10)[:50])
    told = []
    for processes in (1, 2, 3):
        out, manifest = tmp_path / f"out{processes}", tmp_path / f"m{processes}"
        run = batch("-f", "acp", "-j", processes, "-o", out, "--manifest", manifest, log)
        assert run.returncode == 1
        (row,) = rows(manifest)
        told.append((run.stderr, tree(out), row["unread"], row["plans"], row["losses"]))
    assert told[0][1] == {"log.md": b"- [ ] a 9 _(high priority)_\n"}
    assert told[0][2] == 2
    assert told[1] == told[0]
    assert told[2] == told[0]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in KiB on Linux")
@pytest.mark.parametrize("of_plan", [True, False])
def test_a_very_long_record_is_held_at_most_three_times(tmp_path: Path, of_plan: bool) -> None:
    size = 100_000_000
    long = json.loads(message("a", 1))
    long["params"]["update"]["_meta"] = {"blob": "x" * size}
    if not of_plan:
        long["params"]["update"]["sessionUpdate"] = "tool_call"
    log = tmp_path / "log.jsonl"
    log.write_text(message("b", 1) + json.dumps(long) + "\n" + message("a", 2)[:50])
    command = [
        *PLANCONV,
        "batch",
        "-q",
        "-f",
        "acp",
        "-t",
        "markdown",
        "-o",
        str(tmp_path / "out"),
        str(log),
    ]
    # A process of its own counts: what pytest holds is not to be counted.
    code = (
        "import os, subprocess, sys; p = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL);"
        " _, status, usage = os.wait4(p.pid, 0); print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)"
    )
    counted = [sys.executable, "-c", code, *map(str, command)]
    run = subprocess.run(counted, capture_output=True, text=True, check=True, timeout=60)
    status, kibibytes = map(int, run.stdout.split())
    assert status == 1  # the torn record
    assert kibibytes * 1024 <= (80 << 20) + 3 * size
    wanted = b"a 1" if of_plan else b"b 1"
    assert tree(tmp_path / "out") == {"log.md": b"- [ ] %b _(high priority)_\n" % wanted}


def test_a_loss_of_work_that_was_done_before_still_counts(tmp_path: Path) -> None:
    log, manifest = tmp_path / "log.jsonl", tmp_path / "m"
    log.write_text(message("a", 1))
    args = ("-f", "acp", "-o", tmp_path / "out", "--manifest", manifest, log)
    assert batch("--fail-on-loss", "dropped", *args).returncode == 1
    again = batch("--fail-on-loss", "dropped", *args)
    assert (again.returncode, again.stderr) == (1, f"{log}: something was lost, as before\n")
    assert batch(*args).returncode == 0


def test_a_manifest_of_few_words_is_understood(tmp_path: Path) -> None:
    log, manifest = tmp_path / "log.jsonl", tmp_path / "m"
    log.write_text('{"method":"session/update"}\n')
    args = ("-f", "acp", "-o", tmp_path / "out", "--manifest", manifest, log)
    assert batch(*args).returncode == 1
    (row,) = rows(manifest)
    manifest.write_text(json.dumps({key: row[key] for key in row.keys() - {"unread", "losses", "reason"}}))
    again = batch("--fail-on-loss", "assumed", *args)
    assert (again.returncode, again.stderr.count("\n")) == (1, 1)


def test_results_go_into_a_folder(tmp_path: Path) -> None:
    file = tmp_path / "out"
    file.write_text("old")
    run = batch("-o", file, folder_of(tmp_path / "in", 1))
    assert (run.returncode, run.stderr) == (2, f"planconv: -o {file} is no folder\n")
    assert file.read_text() == "old"
