"""Markdown text to blocks and spans, and back; the only room that knows markdown-it."""
