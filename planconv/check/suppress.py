"""Findings that a comment of the file takes back: ``<!-- planconv: ignore CK101 -->``.

The comment stands on the line of the finding or on the line above it; several codes are set apart by blanks
or commas, and without a code it stands for all. JSON has no comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from planconv.check.findings import Finding

_COMMENT = re.compile(r"<!--\s*planconv:\s*ignore((?:[\s,]+[A-Za-z][\w-]*)*)\s*-->")


def without_suppressed(findings: Iterable[Finding], lines: Sequence[str]) -> Iterator[Finding]:
    """The findings in a Markdown document of these lines that no comment takes back."""
    for finding in findings:
        at = finding.place.line
        near = lines[max(at - 2, 0) : at]
        if not any(_names(finding, match[1]) for line in near for match in _COMMENT.finditer(line)):
            yield finding


def _names(finding: Finding, codes: str) -> bool:
    words = codes.replace(",", " ").split()
    number, name = finding.check.number, finding.check.name
    return not words or any(
        word == name or (word[:2] == "CK" and number.startswith(word)) for word in words
    )
