"""Logs: `python -m tests.bench.logs [MEBIBYTES]`, 150 by default.

A log of an agent's session in which 4 to 5 % of the lines hold a plan; planconv, its start-up taken off,
against jq, grep and a plain loop in Python on the same file, as whole processes by their CPU time; and a
batch on two processes against one on one, by the clock.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.bench.timing import Run, median_cpu, pairs, report, run

PLAIN_LOOP = """
import json, sys

last = {}
for line in open(sys.argv[1], "rb"):
    if b"plan" not in line:
        continue
    update = json.loads(line).get("params", {}).get("update", {})
    if update.get("sessionUpdate") == "plan_update":
        last[update["plan"]["planId"]] = update
print(len(last))
"""
JQ_PLANS = 'select(.params.update.sessionUpdate=="plan_update")'
SENTENCE = "read the parser then fix its tests and write what was found in `src/main.py` *soon*, in a note"
WORDS = SENTENCE.split()
STATUSES = ("pending", "in_progress", "completed")
TASKS = 12


def write_log(path: Path, megabytes: int, seed: int = 1) -> tuple[int, int]:
    """Write a log of about this size, and return how many lines it has and how many hold a plan."""
    rng = random.Random(seed)
    titles = [" ".join(rng.choices(WORDS, k=9)) for _ in range(TASKS)]
    lines = plans = 0
    left = megabytes << 20
    with path.open("w") as file:
        while left > 0:
            is_plan = rng.random() < 0.045
            update = plan_update(titles, plans) if is_plan else other_update(rng)
            params = {"sessionId": f"s{lines // 20_000}", "update": update}
            left -= file.write(json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}))
            left -= file.write("\n")
            lines += 1
            plans += is_plan
    return lines, plans


def plan_update(titles: list[str], number: int) -> dict[str, object]:
    """The next state of the plan: one task after the other is begun and finished."""
    step = number % (2 * TASKS)
    entries = [
        {
            "content": title,
            "priority": "medium",
            "status": STATUSES[min(max(step - 2 * place, 0), 2)],
        }
        for place, title in enumerate(titles)
    ]
    return {
        "sessionUpdate": "plan_update",
        "plan": {"type": "items", "planId": "main", "entries": entries},
    }


def other_update(rng: random.Random) -> dict[str, object]:
    """What most of a log is: words of the agent, and tool calls with what they brought."""
    text = " ".join(rng.choices(WORDS, k=rng.choice((10, 40, 400))))
    if rng.random() < 0.5:
        return {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    content = [{"type": "content", "content": {"type": "text", "text": text + "\n\tdone \u001b[0m"}}]
    return {
        "sessionUpdate": "tool_call_update",
        "toolCallId": f"call_{rng.random()}",
        "status": "completed",
        "content": content,
    }


def main(megabytes: int = 150) -> None:
    """Print the ratios."""
    planconv = [sys.executable, "-m", "planconv"]
    with tempfile.TemporaryDirectory() as name:
        log, loop, empty = Path(name, "log.ndjson"), Path(name, "loop.py"), Path(name, "one.ndjson")
        lines, plans = write_log(log, megabytes)
        sys.stdout.write(f"{megabytes} MiB, {lines} lines, {plans} with a plan ({plans / lines:.1%})\n")
        with log.open("rb") as file:
            empty.write_bytes(next(line for line in file if b"plan_update" in line))
        loop.write_text(PLAIN_LOOP)
        final = [*planconv, "convert", "-q", "-f", "acp", "-t", "acp"]
        live = [*planconv, "stream", "-q", "-f", "acp", "-t", "slack"]
        start = median_cpu([run([*final, str(empty)]) for _ in range(5)])
        # Into a file: grep stops at the first match if nobody reads what it counts.
        grep = ["sh", "-c", """exec grep -c '"plan' "$0" > "$1\"""", str(log), str(Path(name, "count"))]
        python = [sys.executable, str(loop), str(log)]

        compare("final state / grep -c '\"plan'", [*final, str(log)], grep, start, 4)
        compare("final state / a plain Python loop", [*final, str(log)], python, start)
        compare("every update to Slack / a plain Python loop", [*live, str(log)], python, start)
        if shutil.which("jq"):
            jq = ["jq", "-c", JQ_PLANS, str(log)]
            compare("final state / jq", [*final, str(log)], jq, start, 0.15)
            compare("every update to Slack / jq", [*live, str(log)], jq, start, 0.5)
        one = run([*live, str(log)])
        report("every update to Slack, peak memory in MiB", one.peak / 1024, 80)
        report("every update to Slack, MiB a second", megabytes / (one.cpu - start))
        parts = cut(log, Path(name, "parts"), 8)
        for what, path in (("one log", log), ("a folder of 8 logs", parts)):
            clocks = [clock(path, Path(name, "out"), processes) for processes in (1, 2) * 3]
            faster = median(clocks[0::2]) / median(clocks[1::2])
            report(f"batch -j 1 / batch -j 2 by the clock, {what} (at least 1.7)", faster)


def cut(log: Path, folder: Path, count: int) -> Path:
    """The log as several files, each of whole lines."""
    folder.mkdir()
    size = log.stat().st_size // count + 1
    with log.open("rb") as file:
        for number in range(count):
            Path(folder, f"{number}.ndjson").write_bytes(file.read(size) + file.readline())
    return folder


def clock(path: Path, out: Path, processes: int) -> float:
    """Seconds that a batch takes by the clock."""
    command = [sys.executable, "-m", "planconv", "batch", "-q", "-f", "acp", "-t", "acp"]
    return run([*command, "-j", str(processes), "-o", str(out), str(path)]).wall


def compare(
    name: str, ours: list[str], theirs: list[str], start: float, limit: float | None = None
) -> None:
    """CPU time against CPU time, our start-up taken off."""
    first, second = pairs(ours, theirs, rounds=3)
    report(name, spent(first, start) / median_cpu(second), limit)


def spent(runs: list[Run], start: float) -> float:
    """Seconds without the start-up."""
    return median_cpu(runs) - start


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
