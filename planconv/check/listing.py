"""Findings as JSON, for other programs."""

from __future__ import annotations

from collections.abc import Iterable

from planconv.check.findings import Finding
from planconv.model import JSON
from planconv.wire import json


def listing(findings: Iterable[Finding]) -> bytes:
    """An array with an object for each finding; ``pointer`` is ``null`` where the file is no JSON."""
    return json.dumps_indented([_object(finding) for finding in findings]) + b"\n"


def _object(finding: Finding) -> JSON:
    return {
        "code": finding.check.number,
        "name": finding.check.name,
        "path": finding.path,
        "line": finding.place.line,
        "column": finding.place.column,
        "pointer": finding.place.pointer or None,
        "message": finding.message,
        "hint": finding.check.hint,
    }
