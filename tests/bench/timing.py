"""Times commands against each other: in turn, as whole processes, by the CPU time the system counted."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """One finished process: CPU seconds (user and system), seconds by the clock, peak memory in KiB."""

    cpu: float
    wall: float
    peak: int


ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Modules are compiled once, as they are where a package was installed."""


def run(command: Sequence[str], stdin: bytes | None = None) -> Run:
    """Run a command to its end; its output is read and thrown away."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=ENVIRONMENT,
    )
    if stdin is not None and process.stdin is not None:
        process.stdin.write(stdin)
        process.stdin.close()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss)


def pairs(first: Sequence[str], second: Sequence[str], rounds: int = 7) -> tuple[list[Run], list[Run]]:
    """Both commands in turn, A B A B, after one round that does not count."""
    run(first), run(second)
    runs = [(run(first), run(second)) for _ in range(rounds)]
    return [a for a, _ in runs], [b for _, b in runs]


def ratio(first: Sequence[Run], second: Sequence[Run]) -> float:
    """The median, over the pairs, of how much more CPU time the first took."""
    return statistics.median(a.cpu / b.cpu for a, b in zip(first, second, strict=True))


def median_cpu(runs: Sequence[Run]) -> float:
    """Seconds."""
    return statistics.median(one.cpu for one in runs)


def report(name: str, value: float, limit: float | None = None) -> None:
    """One line: what was measured, and the limit that the project holds itself to."""
    held = "" if limit is None else f"  (at most {limit:g}: {'held' if value <= limit else 'MISSED'})"
    sys.stdout.write(f"{name:<66} {value:8.2f}{held}\n")
    sys.stdout.flush()
