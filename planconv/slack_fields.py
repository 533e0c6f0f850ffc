"""What the two formats of Slack hold alike: their plans and tasks have the same titles, ids and sources."""

from __future__ import annotations

from types import MappingProxyType

from planconv.codec import NO, Field, partly

FIELDS = MappingProxyType(
    {
        Field.PLAN_ID: NO,
        Field.SESSION: NO,
        Field.PLAN_TITLE: partly("plain text, of which code keeps its backticks; without one it is `Plan`"),
        Field.REFERENCE: NO,
        Field.TASK_TITLE: partly(
            "one line of plain text, of which code keeps its backticks; links go to the sources, further"
            " lines to the details"
        ),
        Field.STATUS: partly("what Slack has no word for is pending, with the word behind the title"),
        Field.PRIORITY: NO,
        Field.TASK_ID: partly("made from the title where there is none, and unique in a plan"),
        Field.SUBTASKS: partly("after their parent, on its level"),
        Field.SOURCES: partly("absolute addresses; others go to the details"),
        Field.DEPENDS_ON: NO,
    }
)
"""A format adds what it holds of the text between tasks, of details and of output."""
