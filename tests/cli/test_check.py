import json
from pathlib import Path

import jsonschema
import pytest

from planconv.check import CHECKS
from tests.check.sarif_parts import SCHEMA
from tests.cli.runs import planconv

BAD = "- [x] a\n  - [ ] b\n- [] c\n"
ACP = '{"sessionUpdate": "plan", "entries": [{"content": "a", "status": "odd", "priority": "low"}]}\n'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "bad.md").write_text(BAD)
    (tmp_path / "docs" / "good.md").write_text("- [ ] a\n")
    (tmp_path / "package.json").write_text('{"a": 1}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_findings_are_told_with_their_places(folder):
    status, out, err = planconv("check")
    assert status == 1
    assert out.splitlines()[::2] == [
        "bad.md:1:3: CK101 the task is finished, but 1 subtask is still open",
        "bad.md:3:3: CK203 [] is no box, so this item is no task",
    ]
    assert all(line.startswith("  hint: ") for line in out.splitlines()[1::2])
    assert err == "2 findings in 1 file, 2 files checked\n"
    assert (folder / "bad.md").read_text() == BAD


def test_nothing_is_found(folder):
    assert tuple(planconv("check", "docs")) == (0, "", "1 file checked\n")
    assert tuple(planconv("check", "-q", "docs")) == (0, "", "")
    Path("empty").mkdir()
    assert tuple(planconv("check", "empty")) == (0, "", "no plan files found\n")


def test_what_cannot_be_read_is_told_and_the_rest_checked(folder):
    Path("torn.json").write_text('{"sessionUpdate": "plan", "entries": [')
    Path("latin.md").write_bytes(b"- [ ] caf\xe9\n")
    status, out, err = planconv("check", "torn.json", "latin.md", "bad.md", "package.json")
    assert status == 2
    assert out.count("bad.md:") == 2
    assert [line.split(":")[0] for line in err.splitlines()[:-1]] == [
        "torn.json",
        "latin.md",
        "package.json",
    ]
    assert err.endswith("2 findings in 1 file, 1 file checked, 3 files could not be read\n")


@pytest.mark.parametrize(
    "arguments",
    [["missing.md"], ["-", "bad.md"], ["--stdin-filename", "a.md"], ["--select", "CK9"], ["-f", "codex"]],
)
def test_wrong_use(folder, arguments):
    status, out, err = planconv("check", *arguments)
    assert (status, out) == (2, "")
    assert err.startswith("planconv: ")


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        (["--select", "CK1"], ["CK101"]),
        (["--select", "ticked-parent,CK2"], ["CK101", "CK203"]),
        (["--ignore", "CK203"], ["CK101"]),
        (["--select", "ALL", "--ignore", "CK1"], ["CK203"]),
    ],
)
def test_checks_are_chosen(folder, arguments, codes):
    out = planconv("check", *arguments, "--output-format", "json", "bad.md").out
    assert [finding["code"] for finding in json.loads(out)] == codes


def test_settings(folder):
    Path("pyproject.toml").write_text(
        '[tool.planconv]\nexclude = ["docs"]\n[tool.planconv.check]\nignore = ["CK1"]\n'
    )
    assert planconv("check").err == "1 finding in 1 file, 1 file checked\n"
    assert planconv("check", "--ignore", "CK2").out.count("CK101") == 1
    assert planconv("check", "--force-exclude", "docs/good.md").err == "no plan files found\n"
    Path("pyproject.toml").write_text('[tool.planconv.check]\nselect = ["PF001"]\n')
    status, _, err = planconv("check")
    assert status == 2
    assert "pyproject.toml: [tool.planconv.check] there is no check 'PF001'" in err


def test_standard_input(folder):
    status, out, _ = planconv("check", "-", stdin=BAD.encode())
    assert status == 1
    assert out.startswith("<stdin>:1:3: CK101 ")
    out = planconv("check", "--stdin-filename", "a/plan.json", "-", stdin=ACP.encode()).out
    assert out.startswith(f"a/plan.json:1:{ACP.index(chr(34) + 'odd') + 1}: CK202 ")


def test_the_format_can_be_named(folder):
    Path("plan.md").write_text("- [-] a\n")
    assert planconv("check", "plan.md").status == 1
    assert planconv("check", "-f", "kiro", "plan.md").status == 0


def test_json(folder):
    Path("plan.json").write_text(ACP)
    (finding,) = json.loads(planconv("check", "--output-format", "json", "plan.json").out)
    assert finding == {
        "code": "CK202",
        "name": "unknown-status",
        "path": "plan.json",
        "line": 1,
        "column": ACP.index('"odd"') + 1,
        "pointer": "/entries/0/status",
        "message": "ACP version 1 does not know the status 'odd', so readers skip this entry",
        "hint": CHECKS["CK202"].hint,
    }
    assert json.loads(planconv("check", "--output-format", "json", "docs").out) == []


def test_github(folder):
    Path("bad.md").rename("b,a:d%.md")
    first = planconv("check", "--output-format", "github").out.splitlines()[0]
    assert first.startswith(
        "::error title=planconv (CK101),file=b%2Ca%3Ad%25.md,line=1,col=3::the task is "
    )


@pytest.mark.parametrize("path", ["bad.md", "docs", "plan.json"])
def test_sarif(folder, path):
    Path("plan.json").write_text(ACP)
    log = json.loads(planconv("check", "--output-format", "sarif", path).out)
    jsonschema.Draft7Validator(SCHEMA).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CHECKS)
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    assert bool(run["results"]) == (path != "docs")


def test_sarif_names_files_by_uri(folder):
    Path("bad.md").rename("b d:é.md")
    log = json.loads(planconv("check", "--output-format", "sarif").out)
    place = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "b%20d%3A%C3%A9.md"


def test_what_is_shown_commands_no_terminal(folder):
    Path("plan.json").write_text(ACP.replace("odd", "o\\u001b[2J"))
    Path("e\x1b[2J.md").write_text(BAD)
    for form in ("text", "github"):
        assert "\x1b" not in planconv("check", "--output-format", form).out


def test_the_order_is_that_of_the_files(folder):
    for name in ("c.md", "a.md", "docs/z.md"):
        Path(name).write_text(BAD)
    paths = [finding["path"] for finding in json.loads(planconv("check", "--output-format", "json").out)]
    assert paths[::2] == ["a.md", "bad.md", "c.md", "docs/z.md"]
