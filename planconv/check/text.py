"""Findings for people: one a line, with its place in front, and what to do below it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planconv.check.findings import Finding


def lines(findings: Iterable[Finding]) -> Iterator[str]:
    """``plan.md:3:3: CK101 the task is finished, …`` and its hint, as editors and ``grep`` expect it."""
    for finding in findings:
        place, check = finding.place, finding.check
        yield f"{finding.path}:{place.line}:{place.column}: {check.number} {finding.message}"
        yield f"  hint: {check.hint}"
