"""Codecs that keep every law, and some that break one of them."""

from __future__ import annotations

import dataclasses

from planconv.codec import FULL, NO, CodecInfo, Field, Held
from planconv.errors import DecodeError
from planconv.loss import PRIORITY_REPLACED, STYLE_DROPPED, Ledger
from planconv.model import Plan, map_tasks, plain_text, text_line


def info(name: str, **holds: Held) -> CodecInfo:
    return CodecInfo(
        name=name,
        summary="A codec for tests",
        patterns=("*.fake",),
        vocabulary="acp",
        luggage=name,
        holds={field: holds.get(field.name, FULL) for field in Field},
    )


class Exact:
    """Remembers what it wrote: the bytes are the number of the plans."""

    info = info("exact")

    def __init__(self):
        self.written: list[list[Plan]] = []

    def recognise(self, head):
        return "a number" if head.strip().isdigit() else ""

    def decode(self, data, ledger):
        if not data.strip().isascii() or not data.strip().isdigit() or len(data) > 9:
            raise DecodeError("not a number", line=1, column=1)
        try:
            return self.written[int(data)]
        except IndexError:
            raise DecodeError("nothing has this number") from None

    def encode(self, plans, ledger):
        return self._remember([self.change(plan, ledger) for plan in plans])

    def change(self, plan: Plan, ledger: Ledger) -> Plan:
        """What becomes of a plan on the way through."""
        return plan

    def _remember(self, plans: list[Plan]) -> bytes:
        if plans not in self.written:
            self.written.append(plans)
        return b"%d\n" % self.written.index(plans)


class Plain(Exact):
    """Has no place for priorities, and titles without styles: says both."""

    info = info("plain", PRIORITY=NO)

    def change(self, plan, ledger):
        tasks = list(plan.tasks())
        for number, task in enumerate(tasks):
            if text_line(plain_text(task.title)) != task.title:
                ledger.note(STYLE_DROPPED, f"/tasks/{number}/title", plan=plan)
        return dataclasses.replace(
            plan,
            body=map_tasks(
                plan.body, lambda task: dataclasses.replace(task, title=text_line(plain_text(task.title)))
            ),
        )


class Liar(Exact):
    """Loses priorities without a word."""

    info = info("liar")

    def change(self, plan, ledger):
        body = map_tasks(plan.body, lambda task: dataclasses.replace(task, priority=None))
        return dataclasses.replace(plan, body=body)


class Mumbler(Liar):
    """Loses priorities, and says only that something happened somewhere."""

    info = info("mumbler")

    def change(self, plan, ledger):
        for path in ("", "/tasks", "/body", "/tasks/0/title"):
            ledger.note(PRIORITY_REPLACED, path, plan=plan)
        return super().change(plan, ledger)


class Drifter(Exact):
    """Writes something else each time."""

    info = info("drifter")

    def encode(self, plans, ledger):
        self.written.append(list(plans))
        return b"%d\n" % (len(self.written) - 1)


class Crasher(Exact):
    """Stumbles over a byte."""

    info = info("crasher")

    def decode(self, data, ledger):
        return super().decode(bytes([int(data)]) + data if b"\xff" in data else data, ledger)
