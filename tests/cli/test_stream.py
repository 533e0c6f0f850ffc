import json
import os
import select
import signal
import subprocess
import sys
import time

import pytest

from tests.cli.runs import heed_interrupts, planconv


def acp(content, status="pending", plan="main", session="s1", **entry):
    entries = [{"content": content, "priority": "medium", "status": status, **entry}]
    update = {"sessionUpdate": "plan_update", "plan": {"type": "items", "planId": plan, "entries": entries}}
    return notification(update, session)


def removed(plan="main", session="s1"):
    return notification({"sessionUpdate": "plan_removed", "planId": plan}, session)


def notification(update, session="s1"):
    params = {"sessionId": session, "update": update}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}).encode() + b"\n"


NOISE = notification({"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "hm"}})
BAD = b'{"plan": 1,}\n'


@pytest.mark.parametrize(
    ("args", "stdin", "status", "out", "err"),
    [
        ("-f acp -t markdown -q", acp("a") + NOISE + acp("a", "completed"), 0,
         "- [ ] a\n\n<!-- planconv:plan -->\n\n- [x] a\n", ""),
        ("-f acp -t markdown -q -", acp("a") * 3, 0, "- [ ] a\n", ""),
        ("-t markdown -q", NOISE + acp("a"), 0, "- [ ] a\n", ""),
        ("-f acp -t markdown -q", acp("a").rstrip(b"\n"), 0, "- [ ] a\n", ""),
        ("-f acp -t markdown -q --plan x", acp("a") + acp("b", plan="x"), 0, "- [ ] b\n", ""),
        ("-f acp -t markdown -q --session s2", acp("a") + acp("b", session="s2"), 0, "- [ ] b\n", ""),
        ("-f acp -t markdown -q --plan y", acp("a"), 1, "", "there are: main (session s1)\n"),
        ("-f acp -t markdown", NOISE, 1, "", "<stdin>: there is no plan in the input\n"),
        ("-f acp -t markdown", b"", 1, "", "<stdin>: there is no plan in the input\n"),
        ("-f claude-code -t markdown", b'{"type":"user"}\n', 1, "", "<stdin>: no plan in this log"),
        ("-f acp -t markdown", acp("a") + removed(), 0, "- [ ] a\n",
         "planconv: the plan main of session s1 was removed\n"),
        ("-f acp -t markdown -q --mentions", acp("<@U012AB3CD>"), 0, "- [ ] <@U012AB3CD>\n", ""),
        # what cannot be read
        ("-f acp -t markdown -q", BAD + acp("a"), 1, "- [ ] a\n", "<stdin>:1:12: "),
        ("-f acp -t markdown -q", acp("a") + acp("b")[:50], 1, "- [ ] a\n",
         "the last line ends in the middle of a record\nplanconv: 1 record could not be read\n"),
        ("-f acp -t markdown -q --on-error fail", acp("a") + BAD + acp("b"), 2, "- [ ] a\n",
         "<stdin>:2:12: "),
        ("-f acp -t markdown -q --strict", acp("a") + acp("b", status=None), 2, "- [ ] a\n", "status"),
        # what cannot be written
        ("-f acp -t slack -q", acp("a" * 14000) + acp("b"), 1,
         '{"blocks":[{"type":"plan","title":"Plan","tasks":[{"task_id":"b","title":"b","status":"pending"}]}]}\n',
         "this state of the plan is not written: the task 'aaa"),
        # losses
        ("-f acp -t slack", acp("a", priority="high") + acp("b", priority="low"), 0, None,
         "planconv: slack cannot hold: plan id (1 plan), session (1 plan), priority (2 tasks) [PC101]\n"),
        ("-f acp -t slack -q --fail-on-loss dropped", acp("a", priority="high"), 1, None, ""),
        ("-f acp -t slack --report -", acp("a", priority="high"), 0, None, '"path":"/tasks/0/priority"'),
        # wrong use
        ("-f acp", acp("a"), 2, "", "planconv: name the output's format with --to\n"),
        ("-f acp -t claude-code", acp("a"), 2, "", "planconv does not write claude-code"),
        ("-f acp -t acp-file", acp("a"), 2, "", "only `planconv convert -o` writes\n"),
        ("-f markdown -t acp", b"- [ ] a\n", 2, "", "of updates; `planconv convert` converts it\n"),
        ("-t acp", b"# Title\n\n- [ ] a\n", 2, "", "of updates; `planconv convert` converts it\n"),
        ("-t acp", b"what?\n", 2, "", "<stdin>: neither name nor content tells the format"),
        ("-f acp -t acp none.ndjson", b"", 2, "", "none.ndjson: No such file or directory\n"),
        ("-f acp -t acp .", b"", 2, "", "is a folder"),
        ("-f acp -t slack-stream -q", acp("a") + acp("b", plan="x"), 2, None, "with --plan or"),
    ],
)  # fmt: skip
def test_a_run(args, stdin, status, out, err, folder):
    result = planconv("stream", *args.split(), stdin=stdin)
    assert result.status == status, result.err
    assert out is None or result.out == out
    assert err in result.err if err else not result.err
    assert "Traceback" not in result.err


def test_the_name_of_a_file_or_what_it_holds_tells_the_format(folder):
    for name in ("log.acp.ndjson", "log.jsonl", "log.txt"):
        (folder / name).write_bytes(NOISE * 3 + acp("a"))
        assert tuple(planconv("stream", "-q", "-t", "markdown", name)) == (0, "- [ ] a\n", "")


def test_a_document_of_many_lines_is_read_whole(folder):
    pretty = json.dumps(json.loads(acp("a")), indent=2).encode()
    assert planconv("stream", "-q", "-f", "acp", "-t", "markdown", stdin=pretty).out == "- [ ] a\n"
    assert planconv("stream", "-q", "-t", "markdown", stdin=pretty).out == "- [ ] a\n"


def test_losses_and_bad_records_are_kept_in_files(folder):
    stdin = acp("a", priority="high") + BAD + acp("b", priority="low")
    args = ["-f", "acp", "-t", "slack", "-q", "--report", "losses", "--errors-to", "errors"]
    assert planconv("stream", *args, stdin=stdin).status == 1
    losses = [json.loads(line) for line in (folder / "losses").read_text().splitlines()]
    assert [loss["was"] for loss in losses if loss["path"] == "/tasks/0/priority"] == ["high", "low"]
    assert {loss["input"] for loss in losses} == {"<stdin>"}
    (error,) = map(json.loads, (folder / "errors").read_text().splitlines())
    assert (error["line"], error["raw"]) == (2, BAD.decode())
    assert planconv("stream", "-f", "acp", "-t", "slack", "--report", "no/where", stdin=stdin).status == 2


def test_files_behind_references_are_read(folder):
    (folder / "plan.md").write_text("- [x] from the file\n")
    plan = {"type": "file", "planId": "main", "uri": f"file://{folder}/plan.md"}
    stdin = notification({"sessionUpdate": "plan_update", "plan": plan})
    args = ["stream", "-q", "-f", "acp", "-t", "markdown"]
    assert "from the file" in planconv(*args, "--root", folder, stdin=stdin).out
    assert "from the file" not in planconv(*args, stdin=stdin).out


def test_what_was_carried_comes_back(folder):
    out = planconv("convert", "-f", "markdown", "-t", "acp", "--carry", stdin=b"# Title\n\n- [ ] a\n").out
    args = ["stream", "-q", "-f", "acp", "-t", "markdown"]
    assert planconv(*args, "--carry", stdin=out.encode()).out == "# Title\n\n- [ ] a\n"
    assert planconv(*args, stdin=out.encode()).out == "- [ ] a\n"


# --- what needs a process -----------------------------------------------------------------------


@pytest.fixture
def follow():
    """Starts ``planconv stream`` and keeps its input open."""
    running = []

    def start(*args):
        process = subprocess.Popen(
            [sys.executable, "-m", "planconv", "stream", *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=heed_interrupts,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate()


def say(process, data):
    process.stdin.write(data)
    process.stdin.flush()


def hear(process, stream="stdout", patience=30):
    pipe = getattr(process, stream)
    ready, _, _ = select.select([pipe], [], [], patience)
    return os.read(pipe.fileno(), 65536) if ready else b""


@pytest.mark.parametrize("told", [["-f", "acp"], []])
@pytest.mark.parametrize("target", ["markdown", "slack", "slack-stream", "acp"])
def test_each_update_is_shown_while_the_input_is_open(follow, told, target):
    process = follow("-q", *told, "-t", target)
    say(process, NOISE)
    for status in ("pending", "in_progress", "completed"):
        record = acp("read", status)
        say(process, record[:30])
        say(process, record[30:])
        assert b"read" in hear(process)


def test_a_torn_record_waits_for_its_rest(follow):
    process = follow("-q", "-f", "acp", "-t", "markdown")
    say(process, acp("a") + acp("b")[:40])
    assert b"a" in hear(process)
    assert hear(process, patience=0.2) == b""
    say(process, acp("b")[40:])
    assert b"b" in hear(process)


def test_bad_records_are_told_while_the_input_is_open(follow):
    process = follow("-f", "acp", "-t", "markdown")
    say(process, BAD)
    assert b"<stdin>:1:12: " in hear(process, "stderr")


def test_an_interrupt_ends_it_with_130(follow):
    process = follow("-q", "-f", "acp", "-t", "markdown")
    say(process, acp("a"))
    assert hear(process) == b"- [ ] a\n"
    process.send_signal(signal.SIGINT)
    assert (process.wait(30), process.stderr.read()) == (130, b"")


def test_a_reader_that_goes_away_ends_it_quietly(follow):
    process = follow("-q", "-f", "acp", "-t", "acp")
    process.stdout.close()
    process.stdout = None
    for number in range(100):
        try:
            say(process, acp(f"task {number}"))
        except BrokenPipeError:
            break
        time.sleep(0.02)
    assert process.wait(30) == 0
    assert process.stderr.read() == b""


MEASURED = """
import resource, sys
from planconv.cli.main import run

run(sys.argv[1:], open(0, "rb", 0), open(1, "wb", 0), None)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the peak is counted in bytes")
def test_memory_does_not_grow_with_the_log():
    """Neither updates nor losses nor bad records are kept."""
    peaks = []
    for count in (400, 8000):
        log = b"".join(acp(f"task {number % 300}", "_waiting") + BAD for number in range(count))
        done = subprocess.run(
            [sys.executable, "-c", MEASURED, "stream", "-f", "acp", "-t", "slack"],
            input=log,
            capture_output=True,
            check=True,
        )
        peaks.append(int(done.stderr))
    assert peaks[1] - peaks[0] < 4000
