"""What the formats have in common whose titles are plain text, with a status behind where no word is."""

from __future__ import annotations

from planconv.status import add_suffix, split_suffix, write_status


def holds_in_text(vocabulary: str, status: str) -> bool:
    """Whether a vocabulary has a word for a status, or a text shows it so that it is read back."""
    return write_status(vocabulary, status).exact or split_suffix(add_suffix("-", status)) == ("-", status)
