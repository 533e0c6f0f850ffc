"""The file behind ``--update``: written whole or not at all, and not touched if nothing changes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runs import planconv

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.md").write_text("- [x] a\n")
    return tmp_path


def test_a_file_with_nothing_to_change_is_not_touched(folder):
    file = folder / "tasks.md"
    file.write_text("- [x] a\n")
    os.utime(file, ns=(1, 1))
    before = file.stat()
    assert planconv("convert", "--update", "-o", "tasks.md", "plan.md").status == 0
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


@pytest.mark.skipif(os.name != "posix", reason="modes and links")
def test_mode_and_link_stay(folder):
    file, link = folder / "real.md", folder / "tasks.md"
    file.write_text("- [ ] a\n")
    file.chmod(0o640)
    link.symlink_to("real.md")
    assert planconv("convert", "-q", "--update", "-o", "tasks.md", "plan.md").status == 0
    assert link.is_symlink()
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("- [x] a\n", 0o640)
    assert sorted(path.name for path in folder.iterdir()) == ["plan.md", "real.md", "tasks.md"]


def test_a_file_that_somebody_changes_meanwhile_is_left_to_them(folder, monkeypatch):
    from planconv.cli import update

    file = folder / "tasks.md"
    file.write_text("- [ ] a\n")
    bring_up = update.update

    def meanwhile(*args):
        done = bring_up(*args)
        file.write_text("- [ ] a\n- [ ] b\n")
        return done

    monkeypatch.setattr(update, "update", meanwhile)
    result = planconv("convert", "--update", "-o", "tasks.md", "plan.md")
    assert result.status == 2
    assert "cannot write tasks.md: it was changed in the meantime" in result.err
    assert file.read_text() == "- [ ] a\n- [ ] b\n"


def test_without_the_option_nothing_of_it_is_imported(folder):
    code = (
        "import sys; from planconv.cli.main import run; import io;"
        "run(['convert', '-q', '-t', 'acp', 'plan.md'], io.BytesIO(), io.BytesIO(), io.StringIO());"
        "print([name for name in sys.modules if name in {'planconv.update', 'planconv.cli.update'}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", ["claude-todos-old.jsonl", "claude-todos.json"])
def test_a_log_does_not_tick_what_it_does_not_name(folder, name):
    file = folder / "tasks.md"
    text = "- [ ] T001 Write the parser for invoices and reminders\n- [ ] T002 Tell the world\n"
    file.write_text(text)
    shutil.copy(ROOT / "tests/logs" / name, folder / name)
    planconv("convert", "-q", "--update", "-f", "claude-code", "-o", "tasks.md", name)
    assert file.read_text() == text
