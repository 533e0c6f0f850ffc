"""A format for these tests: a task a line, ``x`` before the blank means done, ``!`` high priority."""

from planconv.codec import FULL, NO, CodecInfo, Field, partly
from planconv.errors import DecodeError, NoPlanError
from planconv.loss import PLAN_ID_ASSUMED, SHAPE_ASSUMED, STYLE_DROPPED
from planconv.model import Plan, Task, TaskList, plain_text, text_line
from planconv.status import COMPLETED, PENDING


def _info(name, patterns, **changes):
    holds = dict.fromkeys(Field, FULL) | changes.pop("holds", {})
    return CodecInfo(name, f"Lines of {name}", patterns, "acp", name, holds, **changes)


class Lines:
    def __init__(self, info):
        self.info = info

    def recognise(self, head):
        return "its lines begin with marks" if head.startswith((b"- ", b"x ", b"! ", b"= ")) else ""

    def decode(self, data, ledger):
        plans, tasks = [], []
        offset = 0
        for number, raw in enumerate(data.splitlines(keepends=True), 1):
            try:
                text = raw.decode().rstrip("\n")
            except UnicodeDecodeError:
                error = DecodeError("it is not UTF-8", line=number, column=1, offset=offset)
                ledger.reject(error, raw.rstrip(b"\n"))
                continue
            finally:
                offset += len(raw)
            if text.startswith("= "):
                tasks = []
                plan_id, _, reference = text[2:].partition(" ")
                plans.append((plan_id, tasks, reference or None))
            elif text.startswith(("- ", "x ", "! ")):
                if not plans:
                    plans.append((None, tasks, None))
                status = COMPLETED if text[0] == "x" else PENDING
                priority = "high" if text[0] == "!" else None
                tasks.append(Task(text_line(text[2:]), status, priority))
            elif text == "odd":
                ledger.note(SHAPE_ASSUMED, "/tasks/0", line=number)
            else:
                error = DecodeError(f"{text!r} is no task", line=number, column=1, offset=offset - len(raw))
                ledger.reject(error, raw.rstrip(b"\n"))
        if not plans:
            raise NoPlanError("there is no line with a mark")
        return [
            Plan(id=plan_id, body=(TaskList(tuple(tasks)),) if tasks else (), reference=reference)
            for plan_id, tasks, reference in plans
        ]

    def encode(self, plans, ledger):
        lines = []
        for plan in plans:
            if plan.id is None and len(plans) == 1 and self.info.name == "poor":
                ledger.note(PLAN_ID_ASSUMED, "/id", plan=plan)
            if plan.id or plan.reference:
                lines.append(" ".join(["=", plan.id or "main", *filter(None, [plan.reference])]))
            for number, task in enumerate(plan.tasks()):
                if self.info.name == "poor" and "*" in plain_text(task.title):
                    ledger.note(STYLE_DROPPED, f"/tasks/{number}/title", plan=plan)
                mark = "x" if task.done else "!" if task.priority else "-"
                lines.append(f"{mark} {plain_text(task.title)}")
        return "".join(f"{line}\n" for line in lines).encode()


LINES = Lines(_info("lines", ("*.lines", "*.txt")))
POOR = Lines(_info("poor", ("*.poor",), holds={Field.PRIORITY: NO, Field.TASK_TITLE: partly("No stars.")}))
ONE = Lines(_info("one", ("*.one",), several=False, writes=True))
READ_ONLY = Lines(_info("read-only", ("*.log",), writes=False))
WRITE_ONLY = Lines(_info("write-only", ("*.out",), reads=False))
ACP_FILE = Lines(_info("acp-file", ()))
MARKDOWN = Lines(_info("markdown", ("*.md",)))
ACP_FILE.recognise = MARKDOWN.recognise = POOR.recognise = ONE.recognise = lambda head: ""
READ_ONLY.recognise = lambda head: ""
FORMATS = {
    "acp-file": "tests.cli.lines:ACP_FILE",
    "lines": "tests.cli.lines:LINES",
    "markdown": "tests.cli.lines:MARKDOWN",
    "one": "tests.cli.lines:ONE",
    "poor": "tests.cli.lines:POOR",
    "read-only": "tests.cli.lines:READ_ONLY",
    "write-only": "tests.cli.lines:WRITE_ONLY",
}
