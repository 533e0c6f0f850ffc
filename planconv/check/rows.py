"""What the rules about tasks look at: the tasks of one plan, whatever its format, each with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Generic, TypeVar

At = TypeVar("At")
"""How a place is told: a :class:`~planconv.check.findings.Place`, or a JSON pointer to be looked up."""


@dataclass(slots=True)
class Row(Generic[At]):
    """A task.

    ``status`` is a word of the model (or any other), ``None`` where the source does not tell
    it for certain. ``depends_on`` has the ids of the tasks that come first, each with the place where
    it stands.
    """

    at: At
    status: str | None = None
    id: str | None = None
    depends_on: list[tuple[str, At]] = field(default_factory=list)
    subtasks: list[Row[At]] = field(default_factory=list)
