"""The checks: what a formatter must not decide, found in checklists and plan files."""

from __future__ import annotations

from planconv.check.findings import CHECKS, Check, Finding
from planconv.check.json_plans import JSON_FORMATS, check_json
from planconv.wire.json import BOM

__all__ = ["CHECKS", "JSON_FORMATS", "Check", "Finding", "check"]


def check(
    data: bytes, form: str, path: str = "", checks: frozenset[Check] = frozenset(CHECKS.values())
) -> list[Finding]:
    """What is wrong in a file, in the order of the file.

    Args:
        data: its content, UTF-8.
        form: the name of its format; what is none of :data:`JSON_FORMATS` is Markdown.
        path: its name, for the findings.
        checks: those that are made.

    Raises:
        DecodeError: it is not UTF-8, not JSON, not what its format demands, or nested too deeply.
    """
    data = data.removeprefix(BOM)
    if form in JSON_FORMATS:
        found = check_json(data, form)
    else:
        from planconv.check.markdown import check_markdown
        from planconv.wire.json import decode_text

        found = check_markdown(decode_text(data), form)
    wanted = [finding._replace(path=path) for finding in found if finding.check in checks]
    return sorted(set(wanted), key=lambda finding: (finding.place, finding.check.number, finding.message))
