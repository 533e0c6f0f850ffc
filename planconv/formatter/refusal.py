"""What the formatter says when it cannot prove that a file stays what it is."""

from __future__ import annotations

from planconv.errors import PlanconvError


class RefusedError(PlanconvError):
    """Nothing is written; ``piece`` is the smallest part of the input that shows why."""

    def __init__(self, reason: str, piece: str) -> None:
        super().__init__(reason)
        self.piece = piece

    def __str__(self) -> str:
        """The reason, and what the person can do about it."""
        place = f"{self.input}: " if self.input else ""
        return (
            f"{place}not formatted: {super().__str__()}."
            " This is a mistake in planconv: please report it with the lines below"
        )
