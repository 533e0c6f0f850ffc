"""Findings as SARIF 2.1.0, which code hosts and editors read.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from planconv.check.findings import CHECKS, Check, Finding
from planconv.model import JSON
from planconv.wire import json

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Iterable[Finding], version: str) -> bytes:
    """A log with one run of this version of planconv, whose results are the findings."""
    numbers = list(CHECKS)
    driver: JSON = {"name": "planconv", "version": version, "rules": [_rule(c) for c in CHECKS.values()]}
    run: JSON = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, numbers.index(finding.check.number)) for finding in findings],
    }
    return json.dumps_indented({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + b"\n"


def _rule(check: Check) -> JSON:
    return {
        "id": check.number,
        "name": check.name,
        "shortDescription": {"text": check.phrase},
        "fullDescription": {"text": check.explanation},
        "help": {"text": check.hint},
    }


def _result(finding: Finding, index: int) -> JSON:
    place = finding.place
    where: JSON = {
        "artifactLocation": {"uri": _uri(finding.path)},
        "region": {"startLine": place.line, "startColumn": place.column},
    }
    location: dict[str, JSON] = {"physicalLocation": where}
    if place.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": place.pointer}]
    return {
        "ruleId": finding.check.number,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": f"{finding.message}; {finding.check.hint}"},
        "locations": [location],
    }


def _uri(path: str) -> str:
    """The path as a reference (RFC 3986 §4.1): of a relative one, no first step is taken for a scheme."""
    quoted = quote(path, safe="/")
    return f"file://{quoted}" if quoted.startswith("/") else quoted.removeprefix("./")
