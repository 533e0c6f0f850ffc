"""The command line as a table: ``tests/runs/*.toml`` holds runs, each in a new folder of its own.

``args`` and ``stdin`` (``stdin_hex`` for bytes that are no text) go in, ``files`` and ``folders`` are made
before. ``stdout`` (whole) or ``has`` (parts of it), ``stderr`` (a pattern; without it nothing may be said)
and ``status`` are what has to come; ``written`` has parts of files that have to be there afterwards,
``absent`` what must not.
"""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.runs import planconv

TABLES = sorted((Path(__file__).parent / "runs").glob("*.toml"))
RUNS = [
    pytest.param(run, id=f"{table.stem}-{name}")
    for table in TABLES
    for name, run in tomllib.loads(table.read_text("utf-8")).items()
]
KEYS = {
    "args",
    "stdin",
    "stdin_hex",
    "files",
    "folders",
    "stdout",
    "has",
    "stderr",
    "status",
    "written",
    "absent",
}


def test_table_is_not_empty():
    assert len(RUNS) >= 50


@pytest.mark.parametrize("run", RUNS)
def test_run(run, tmp_path, monkeypatch):
    assert run.keys() <= KEYS
    monkeypatch.chdir(tmp_path)
    for name, text in run.get("files", {}).items():
        Path(name).write_bytes(text.encode())
    for name in run.get("folders", []):
        Path(name).mkdir()
    stdin = bytes.fromhex(run["stdin_hex"]) if "stdin_hex" in run else run.get("stdin", "").encode()
    result = planconv(*run["args"], stdin=stdin)
    assert result.status == run.get("status", 0), result.err
    assert "Traceback" not in result.err
    if "stdout" in run:
        assert result.out == run["stdout"]
    for part in run.get("has", []):
        assert part in result.out
    if "stderr" in run:
        assert re.search(run["stderr"], result.err), result.err
    else:
        assert result.err == ""
    for name, part in run.get("written", {}).items():
        assert part in Path(name).read_text("utf-8")
    for name in run.get("absent", []):
        assert not Path(name).exists()


# --- what needs a process -----------------------------------------------------------------------

PLAN = b"- [x] caf\xc3\xa9 \xe4\xb8\xad\n- [ ] b\n"


def process(*args, stdin=b"", **environment):
    return subprocess.run(
        [sys.executable, "-m", "planconv", *args],
        input=stdin,
        capture_output=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("locale", ["C", "POSIX", "C.UTF-8"])
def test_utf8_whatever_the_locale(locale):
    done = process(
        "convert", "-f", "markdown", "-t", "markdown", stdin=PLAN, LC_ALL=locale, PYTHONCOERCECLOCALE="0"
    )
    assert (done.returncode, done.stdout) == (0, PLAN)


def test_closed_pipe_ends_quietly():
    text = b"".join(b"- [ ] task number %d\n" % number for number in range(20000))
    with subprocess.Popen(
        [sys.executable, "-m", "planconv", "convert", "-q", "-f", "markdown", "-t", "acp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as run:
        run.stdout.close()
        run.stdin.write(text)
        run.stdin.close()
        assert b"Traceback" not in run.stderr.read()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path):
    path = tmp_path / "plan.md"
    path.write_bytes(PLAN)
    path.chmod(0)
    done = process("convert", "-t", "acp", str(path))
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_version():
    import planconv as package

    done = process("--version")
    assert done.returncode == 0
    assert package.__version__ in done.stdout.decode()
