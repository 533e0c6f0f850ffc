"""``--mentions``: what is written like a Slack mention in the text becomes one.

Without this step it stays text: a plan cannot ping anyone.
"""

from __future__ import annotations

from dataclasses import replace

from planconv.model import Blocks, Plan, map_tasks
from planconv.wire.slack.mentions import read_line, with_mentions


def read_mentions(plan: Plan) -> Plan:
    """The plan with mentions and dates in the place of the texts that spell them; code stays code."""

    def change(blocks: Blocks) -> Blocks:
        return tuple(map(with_mentions, blocks))

    body = map_tasks(
        change(plan.body),
        lambda task: replace(
            task,
            title=read_line(task.title),
            details=change(task.details),
            output=change(task.output),
        ),
    )
    return replace(plan, title=read_line(plan.title), body=body)
