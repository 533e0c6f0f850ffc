import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.runs import planconv

MESSY = b"*  [X] a\r\n*  [ ]  b"
NEAT = b"- [x] a\r\n- [ ] b\r\n"
ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "docs").mkdir()
    (tmp_path / "messy.md").write_bytes(MESSY)
    (tmp_path / "docs" / "neat.md").write_bytes(NEAT)
    (tmp_path / "package.json").write_bytes(b'{"a": 1}')
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path


def test_a_folder_is_formatted(folder):
    os.utime("docs/neat.md", ns=(1, 1))
    assert tuple(planconv("fmt")) == (0, "", "1 file reformatted, 1 file left unchanged\n")
    assert Path("messy.md").read_bytes() == NEAT
    assert Path("docs/neat.md").stat().st_mtime_ns == 1
    assert Path("package.json").read_bytes() == b'{"a": 1}'
    assert tuple(planconv("fmt", "-q")) == (0, "", "")


def test_check_names_the_files_and_writes_nothing(folder):
    status, out, err = planconv("fmt", "--check", ".")
    assert (status, out) == (1, "")
    assert err == "would reformat: messy.md\n1 file would be reformatted, 1 file already formatted\n"
    assert Path("messy.md").read_bytes() == MESSY
    assert planconv("fmt", "--check", "docs").status == 0


def test_diff_is_a_patch(folder):
    status, out, err = planconv("fmt", "--diff", "--check", "-q")
    assert (status, err) == (1, "would reformat: messy.md\n")
    assert out == (
        "--- messy.md\n+++ messy.md\n@@ -1,2 +1,2 @@\n"
        "-*  [X] a\r\n-*  [ ]  b\n\\ No newline at end of file\n"
        "+- [x] a\r\n+- [ ] b\r\n"
    )
    assert Path("messy.md").read_bytes() == MESSY
    if shutil.which("patch"):
        subprocess.run(["patch", "-s", "-p0", "--binary"], input=out.encode(), check=True)
        assert Path("messy.md").read_bytes() == NEAT


def test_diff_in_colour(folder, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[31m-*  [X] a" in planconv("fmt", "--diff", "messy.md").out


@pytest.mark.parametrize(
    ("args", "status", "out"),
    [
        ([], 0, NEAT.decode()),
        (["--check"], 1, ""),
        (["--stdin-filename", "plan.md"], 0, NEAT.decode()),
        (["--ignore", "PF001,box-mark"], 0, "* [X] a\r\n* [ ] b\r\n"),
        (["--select", "box-mark"], 0, "*  [x] a\r\n*  [ ]  b"),
    ],
)
def test_a_filter(folder, args, status, out):
    assert tuple(planconv("fmt", *args, "-", stdin=MESSY)) == (status, out, "")


def test_a_filter_for_json(folder):
    run = planconv("fmt", "--stdin-filename", "tasks.json", "-", stdin=b'{"master":{"tasks":[]}}')
    assert tuple(run) == (0, '{\n  "master": {\n    "tasks": []\n  }\n}\n', "")


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (["-"], b'{"a": 1}', "<stdin> is neither Markdown nor a plan"),
        (["-"], b"- [ ] \xff", "<stdin>:1:7: the byte 0xff is not UTF-8"),
        (["--stdin-filename", "tasks.json", "-"], b'{"tasks": [}', "tasks.json:1:12: "),
        (["-", "messy.md"], b"", "alone"),
        (["--stdin-filename", "a.md"], b"", "--stdin-filename needs"),
        (["none.md"], b"", "there is no file none.md"),
        (["package.json"], b"", "package.json: it is neither Markdown nor a plan"),
        (["--select", "PF9"], b"", "there is no rule 'PF9'"),
    ],
)
def test_what_cannot_be_done_writes_nothing(folder, args, stdin, message):
    status, out, err = planconv("fmt", *args, stdin=stdin)
    assert (status, out) == (2, "")
    assert message in err
    assert "Traceback" not in err


def test_a_file_that_cannot_be_read_is_named_and_the_rest_goes_on(folder):
    Path("docs/bad.md").write_bytes(b"- [ ] a\n- [ ] \xff\n")
    status, _, err = planconv("fmt")
    assert status == 2
    assert err == (
        "docs/bad.md:2:7: the byte 0xff is not UTF-8\n"
        "1 file reformatted, 1 file left unchanged, 1 file could not be formatted\n"
    )


def test_a_refusal_shows_the_smallest_part_and_writes_nothing(folder, monkeypatch):
    monkeypatch.setattr("planconv.formatter.markers.paddings", lambda old, *a, **b: [9 for _ in old])
    for args, stdin in (["messy.md"], b""), (["-"], MESSY):
        status, out, err = planconv("fmt", *args, stdin=stdin)
        assert (status, out) == (2, "")
        assert "not formatted: formatting the list at line 1" in err
        assert "please report it" in err
        assert "  | *  [X] a" in err
    assert Path("messy.md").read_bytes() == MESSY


def test_settings_of_the_file_decide_and_the_command_line_wins(folder):
    Path("docs/pyproject.toml").write_text('[tool.planconv.fmt]\nignore = ["bullet"]\n')
    Path("docs/messy.md").write_bytes(MESSY)
    planconv("fmt")
    assert Path("messy.md").read_bytes() == NEAT
    assert Path("docs/messy.md").read_bytes() == NEAT.replace(b"- ", b"* ")
    planconv("fmt", "--ignore", "numbering")
    assert Path("docs/messy.md").read_bytes() == NEAT


def test_wrong_settings_are_told_with_their_place(folder):
    Path("pyproject.toml").write_text('[tool.planconv.fmt]\nignore = ["bullets"]\n')
    status, _, err = planconv("fmt")
    assert status == 2
    assert "pyproject.toml: [tool.planconv.fmt] there is no rule 'bullets'" in err


def test_excludes(folder):
    Path("pyproject.toml").write_text('[tool.planconv]\nexclude = ["messy.md"]\n')
    assert planconv("fmt", "--check").status == 0
    assert planconv("fmt", "--check", "messy.md").status == 1
    assert planconv("fmt", "--check", "--force-exclude", "messy.md").status == 0
    assert planconv("fmt", "--check", "--exclude", "docs").status == 1


def test_a_file_that_changes_meanwhile_is_left_as_it_is(folder, monkeypatch):
    from planconv.cli import format_file

    real = format_file.formatted

    def slow(*args):
        Path("messy.md").write_bytes(b"newer\n")
        return real(*args)

    monkeypatch.setattr(format_file, "formatted", slow)
    status, _, err = planconv("fmt", "messy.md")
    assert status == 2
    assert "cannot write messy.md: it was changed in the meantime" in err
    assert Path("messy.md").read_bytes() == b"newer\n"


def test_several_processes_give_the_same_output_in_the_same_order(folder, monkeypatch):
    from planconv.cli import fmt

    for number in range(12):
        Path(f"docs/{number:02}.md").write_bytes(MESSY if number % 2 else b"- [ ] \xff")
    alone = planconv("fmt", "--check", "--diff")
    monkeypatch.setattr(fmt, "ALONE", 0)
    monkeypatch.setattr(fmt.os, "cpu_count", lambda: 2)
    assert planconv("fmt", "--check", "--diff") == alone
    assert alone.err.count("would reformat") == 7


def test_a_link_stays_a_link(folder):
    Path("link.md").symlink_to("messy.md")
    assert planconv("fmt", "link.md").status == 0
    assert Path("link.md").is_symlink()
    assert Path("messy.md").read_bytes() == NEAT


@pytest.mark.parametrize("name", ["README.md", "samples"])
def test_the_project_formats_itself(name):
    assert tuple(planconv("fmt", "--check", "-q", ROOT / name)) == (0, "", "")
