"""Start-up and small files: `python -m tests.bench.startup`.

A small conversion against a script that only imports what planconv depends on, and against mdformat;
and whether a long checklist takes time in proportion to its length.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from tests.bench.timing import pairs, ratio, report, run

IMPORTS_ONLY = """
import orjson, pydantic, typer

app = typer.Typer(pretty_exceptions_enable=False)

@app.callback()
def main() -> None: ...

@app.command()
def convert(
    inputs: list[str] = typer.Argument(None),
    source: str = typer.Option(None, "-f", "--from"),
    target: str = typer.Option(None, "-t", "--to"),
) -> None: ...

app()
"""

CHECKLIST = "# Release\n\n- [x] Write the notes\n  - [ ] Ask *everybody* about `main`\n- [ ] Tag\n"


def notification(entries: int) -> str:
    items = [
        {"content": f"Step {n}: see `src/{n}.py`", "priority": "medium", "status": "pending"}
        for n in range(entries)
    ]
    plan = {"type": "items", "planId": "main", "entries": items}
    update = {"sessionUpdate": "plan_update", "plan": plan}
    params = {"sessionId": "s1", "update": update}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": params}) + "\n"


def checklist(items: int) -> str:
    return "".join(f"- [{'x' if n % 3 else ' '}] Item number {n} of the list\n" for n in range(items))


def main() -> None:
    planconv = [sys.executable, "-m", "planconv", "convert", "-q"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "imports.py").write_text(IMPORTS_ONLY)
        (folder / "plan.ndjson").write_text(notification(5))
        (folder / "plain.ndjson").write_text(notification(5).replace("`", ""))
        (folder / "plan.md").write_text(CHECKLIST)
        imports = [
            sys.executable,
            str(folder / "imports.py"),
            "convert",
            "-f",
            "acp",
            "-t",
            "markdown",
            "x",
        ]
        for label, file in (("plain text", "plain.ndjson"), ("inline Markdown", "plan.ndjson")):
            command = [*planconv, "-f", "acp", "-t", "markdown", str(folder / file)]
            report(f"small ACP ({label}) to Markdown / imports only", ratio(*pairs(command, imports)), 1.25)

        if shutil.which("mdformat"):
            command = [*planconv, "-f", "markdown", "-t", "acp", str(folder / "plan.md")]
            mdformat = ["mdformat", "--check", str(folder / "plan.md")]
            report("small Markdown to ACP / mdformat --check", ratio(*pairs(command, mdformat)), 0.8)
        else:
            sys.stdout.write("mdformat is not installed: pip install mdformat mdformat-gfm\n")

        times = {}
        for items in (0, 1000, 8000):
            path = folder / f"{items}.md"
            path.write_text(checklist(items) or "- [ ] one\n")
            command = [*planconv, "-f", "markdown", "-t", "acp", str(path)]
            times[items] = min(run(command).cpu for _ in range(7))
        growth = (times[8000] - times[0]) / (times[1000] - times[0])
        report("checklist of 8,000 items / of 1,000 (start-up taken off)", growth, 9.5)
        report("checklist of 8,000 items, CPU seconds", times[8000])


if __name__ == "__main__":
    main()
