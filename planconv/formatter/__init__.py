"""The formatter: lays checklists and plan files out anew, and proves that nothing else changes."""

from __future__ import annotations

from planconv.formatter.markdown import format_markdown
from planconv.formatter.refusal import RefusedError
from planconv.formatter.rules import DEFAULTS, FINAL_NEWLINE, JSON_LAYOUT, Rule

__all__ = ["JSON_FORMATS", "RefusedError", "formatted"]

DOCUMENTS = frozenset({"native", "taskmaster"})
"""Formats of one JSON document, never a log."""

JSON_FORMATS = DOCUMENTS | {"acp", "acp-v1", "acp-markdown", "acp-file", "slack", "slack-stream"}
"""Formats whose files get the layout of JSON."""

LOGS = (".ndjson", ".jsonl")


def formatted(data: bytes, form: str, name: str = "", rules: frozenset[Rule] = DEFAULTS) -> bytes:
    """The file with its plans formatted; the same bytes if there is nothing to do.

    Args:
        data: the content of the file, UTF-8.
        form: the name of its format; what is no JSON format is Markdown.
        name: the name of the file, ``""`` if it has none.
        rules: the rules that work.

    Raises:
        DecodeError: it is not UTF-8, not JSON, or nested too deeply.
        RefusedError: it cannot be proved that nothing else changes.
    """
    from planconv.wire.json import decode_text

    text = decode_text(data)
    if form not in JSON_FORMATS:
        return format_markdown(text, rules).encode()
    if JSON_LAYOUT not in rules:
        return data
    from planconv.formatter.json_text import format_json

    records = True if name.lower().endswith(LOGS) else False if form in DOCUMENTS else None
    result = format_json(text, records=records).encode()
    return result if FINAL_NEWLINE in rules else result.rstrip(b"\r\n")
