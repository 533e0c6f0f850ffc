"""Inline Markdown to spans, and back."""

from planconv.markdown.inline_read import parse_line
from planconv.markdown.inline_write import write_line

__all__ = ["parse_line", "write_line"]
