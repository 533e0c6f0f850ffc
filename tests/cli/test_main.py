"""What only a process of its own shows: its streams, its signals, its exit status."""

import os
import signal
import subprocess
import sys
import time

import pytest

from planconv import __version__
from planconv.cli.app import COMMANDS
from planconv.cli.main import run
from tests.cli.runs import heed_interrupts, planconv

NATIVE = [sys.executable, "-m", "planconv", "convert", "-f", "markdown", "-t", "markdown"]
ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def process(*args, env=None, **options):
    return subprocess.run(
        [sys.executable, "-m", "planconv", *args],
        check=False,
        env={**os.environ, **(env or {})},
        stderr=subprocess.PIPE,
        timeout=30,
        **options,
    )


@pytest.fixture
def plan(folder):
    (folder / "plan.md").write_text("- [ ] Prüfen → 完了 ✓ 🎉\n")
    return folder


# --- arguments ----------------------------------------------------------------------------------


def test_the_version():
    assert tuple(planconv("--version")) == (0, f"planconv {__version__}\n", "")


@pytest.mark.parametrize(
    "args", [[*name, flag] for name in ([], *([one] for one in COMMANDS)) for flag in ("-h", "--help")]
)
def test_help_goes_to_standard_output(args):
    status, out, err = planconv(*args)
    assert (status, err) == (0, "")
    assert out.startswith("Usage: planconv ")


def test_without_arguments_the_help_goes_to_standard_error():
    status, out, err = planconv()
    assert (status, out) == (2, "")
    assert all(name in err for name in COMMANDS)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ["convrt"],
            "planconv: there is no command 'convrt' (did you mean 'convert'?); see `planconv --help`\n",
        ),
        (["--versoin"], "see `planconv --help`\n"),
        (["explain", "PC101", "PC102"], "see `planconv explain --help`\n"),
        (["convert", "--report"], "see `planconv convert --help`\n"),
        (["batch", "-o", "x", "x.md"], "name the output's format with --to\n"),
        (["a\x1b[31m\n"], "there is no command 'a\\x1b[31m\\n'; see"),
    ],
)
def test_wrong_use_is_told_in_one_line(args, message):
    status, out, err = planconv(*args)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("planconv: ")
    assert message in err


# --- streams ------------------------------------------------------------------------------------


def test_closed_streams_are_told():
    import io

    err = io.StringIO()
    assert run(["convert", "-f", "native", "-t", "native"], None, io.BytesIO(), err) == 2
    assert err.getvalue() == "planconv: standard input is closed\n"
    err = io.StringIO()
    assert run(["explain"], io.BytesIO(), None, err) == 2
    assert err.getvalue() == "planconv: standard output is closed\n"
    assert run(["explain", "x"], io.BytesIO(), io.BytesIO(), None) == 2


@pytest.mark.parametrize("env", [{"PYTHONIOENCODING": "cp1252"}, ASCII, {"LC_ALL": "C.UTF-8"}])
def test_output_is_utf8_in_every_locale(plan, env):
    text = (plan / "plan.md").read_bytes()
    for options, name in (({}, "plan.md"), ({"input": text}, "-")):
        args = ["convert", "-f", "markdown", "-t", "markdown", name]
        done = process(*args, env=env, stdout=subprocess.PIPE, **options)
        assert (done.returncode, done.stderr, done.stdout) == (0, b"", text)


def test_a_message_about_any_name_survives_any_locale(plan):
    done = process("convert", "-t", "native", "ü✓.md", env=ASCII, stdout=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr == b"\\xfc\\u2713.md: No such file or directory\n"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "args", [["convert", "-f", "markdown", "-t", "markdown", "plan.md"], ["explain"], ["--help"]]
)
def test_a_reader_that_goes_away_ends_it_quietly(plan, args, unbuffered):
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = process(*args, env={"PYTHONUNBUFFERED": unbuffered}, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_reader_that_goes_away_does_not_turn_a_failure_into_a_success(plan):
    reading, writing = os.pipe()
    os.close(reading)
    args = ["--on-error", "skip", "-f", "markdown", "-t", "markdown", "plan.md", "none.md"]
    done = process("convert", *args, stdout=writing)
    os.close(writing)
    assert done.returncode == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")  # noqa: PTH110
@pytest.mark.parametrize("args", [["convert", "-f", "markdown", "-t", "markdown", "plan.md"], ["explain"]])
def test_a_full_disk_is_told(plan, args):
    with open("/dev/full", "wb", buffering=0) as full:  # noqa: PTH123
        done = process(*args, stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"planconv: cannot write to standard output: No space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device")  # noqa: PTH110
def test_what_cannot_be_said_is_not_said(folder):
    with open("/dev/full", "wb", buffering=0) as full:  # noqa: PTH123
        done = subprocess.run([*NATIVE, "none.md"], stderr=full, timeout=30, check=False)
    assert done.returncode == 2


def test_a_pipe_that_does_not_wait_gets_everything(plan):
    (plan / "long.md").write_text("".join(f"- [ ] Task number {number}\n" for number in range(4_000)))
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    running = subprocess.Popen([*NATIVE, "long.md"], stdout=writing)
    os.close(writing)
    time.sleep(0.5)
    with os.fdopen(reading, "rb") as pipe:
        assert pipe.read() == (plan / "long.md").read_bytes()
    assert running.wait(timeout=30) == 0


def test_an_input_that_does_not_wait_is_waited_for(plan):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    running = subprocess.Popen([*NATIVE, "-"], stdin=reading, stdout=subprocess.PIPE)
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        time.sleep(0.5)
        pipe.write((plan / "plan.md").read_bytes())
    assert running.communicate(timeout=30)[0] == (plan / "plan.md").read_bytes()


def test_an_interrupt_is_130_without_a_word(folder):
    os.mkfifo(folder / "pipe")
    running = subprocess.Popen(
        [*NATIVE, "pipe"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heed_interrupts
    )
    with (folder / "pipe").open("wb"):  # which waits until it is read
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, b"", b"")


# --- the last resort ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RecursionError(), "the input is nested too deeply"),
        (MemoryError(), "there is not enough memory for this input"),
    ],
)
def test_what_nobody_foresaw_is_still_one_line(monkeypatch, error, message):
    def fail(*args):
        raise error

    monkeypatch.setattr("planconv.cli.explain._listed", fail)
    assert tuple(planconv("explain")) == (2, "", f"planconv: {message}\n")


def test_python_m_planconv_is_the_same():
    done = process("--version", stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout) == (0, f"planconv {__version__}\n".encode())


def test_a_shell_can_complete():
    env = {"_PLANCONV_COMPLETE": "complete_bash", "COMP_WORDS": "planconv convert -t sl", "COMP_CWORD": "3"}
    script = "from planconv.cli.main import main; main()"
    out = subprocess.check_output([sys.executable, "-c", script], env={**os.environ, **env}, timeout=30)
    assert b"slack" in out


@pytest.mark.skipif(sys.platform == "win32", reason="it keeps a folder that somebody works in")
@pytest.mark.parametrize(
    "args", [["batch", "-t", "slack", "-o", "out", "a.md"], ["fmt", "-"], ["check", "-"]]
)
def test_a_working_folder_that_is_gone_is_told(tmp_path, args):
    gone = tmp_path / "gone"
    gone.mkdir()
    code = f"import os; from planconv.cli.main import main; os.rmdir({str(gone)!r}); main()"
    run = subprocess.run(
        [sys.executable, "-c", code, *args],
        cwd=gone,
        input=b"",
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.decode() == "planconv: the working folder: No such file or directory\n"


@pytest.mark.skipif(sys.platform == "win32", reason="there nobody is told before the end")
@pytest.mark.parametrize("command", [["convert"], ["batch", "-j", "1"]])
def test_nothing_is_left_behind_by_a_run_that_is_ended_while_it_writes(plan, command):
    code = (
        "import os, signal; os.fsync = lambda _: signal.raise_signal(signal.SIGTERM);"
        "from planconv.cli.main import main; main()"
    )
    (plan / "out").mkdir()
    output = "out" if command[0] == "batch" else "out/plan.json"
    args = [sys.executable, "-c", code, *command, "-t", "native", "-o", output, "plan.md"]
    run = subprocess.run(args, capture_output=True, timeout=30, check=False)
    assert (run.returncode, run.stdout, run.stderr) == (-signal.SIGTERM, b"", b"")
    assert list((plan / "out").iterdir()) == []
