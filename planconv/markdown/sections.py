"""The parts of a task or plan that Markdown has no place of its own for, told by fixed paragraphs.

A task's output stands below ``**Output:**``, its sources as a list of links below ``**Sources:**``,
and the file that a plan points to in ``Plan file: <file:///…>``. Only exactly these characters count;
a paragraph that happens to say the same is written with its colon escaped.
"""

from __future__ import annotations

import re

from planconv.model import PLAIN, Line, Link, Source, Text

OUTPUT = "**Output:**"
SOURCES = "**Sources:**"
PLAN_MARKER = "<!-- planconv:plan -->"
"""Stands before each plan of a document that holds several, or one without a task."""

_REFERENCE = re.compile(r"Plan file: <([A-Za-z][A-Za-z0-9+.-]{1,31}:[^<>\s\x00-\x1f\x7f]*)>")


def read_reference(paragraph: str) -> str | None:
    """The URI that this paragraph names as the plan's file."""
    match = _REFERENCE.fullmatch(paragraph)
    return match[1] if match else None


def write_reference(uri: str) -> str | None:
    """The paragraph that names the plan's file; ``None`` if this is not an absolute URI."""
    paragraph = f"Plan file: <{uri}>"
    return paragraph if read_reference(paragraph) == uri else None


def body_text(paragraph: str) -> str:
    """A paragraph of a plan, written so that it is not taken for the name of its file."""
    return paragraph.replace(":", "\\:", 1) if read_reference(paragraph) is not None else paragraph


def task_text(paragraph: str) -> str:
    """A paragraph of a task, written so that no section begins at it."""
    return paragraph.replace(":", "\\:") if paragraph in {OUTPUT, SOURCES} else paragraph


def read_source(line: Line) -> Source | None:
    """The source that this line names, if it is one link and nothing else."""
    match line:
        case (Text(text, style, Link(url, "")),) if style == PLAIN:
            return Source(url, "" if text == url else text)
    return None


def source_line(source: Source) -> Line:
    """The link for a source, which shows its text or else its address."""
    return (Text(source.text or source.url, PLAIN, Link(source.url)),)
