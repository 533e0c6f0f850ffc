"""Findings as commands of GitHub Actions, which shows them in the changed files.

https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from planconv.check.findings import Finding


def lines(findings: Iterable[Finding]) -> Iterator[str]:
    """``::error title=planconv (CK101),file=plan.md,line=3,col=3::…``, one for each finding."""
    for finding in findings:
        place, check = finding.place, finding.check
        title = _property(f"planconv ({check.number})")
        where = f"file={_property(finding.path)},line={place.line},col={place.column}"
        yield f"::error title={title},{where}::{_data(f'{finding.message}; {check.hint}')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
