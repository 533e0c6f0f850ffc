"""The hooks, tried by pre-commit itself on a repository made for it."""

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MESSY = "*  [X] a\n   * [ ] b\n"

pytestmark = pytest.mark.skipif(
    not shutil.which("git") or not find_spec("pre_commit"), reason="git or pre-commit is missing"
)


@pytest.fixture
def hooks(tmp_path_factory):
    """A repository that holds what the hooks are installed from."""
    place = tmp_path_factory.mktemp("hooks")
    for name in (".pre-commit-hooks.yaml", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, place)
    shutil.copytree(ROOT / "planconv", place / "planconv", ignore=shutil.ignore_patterns("__pycache__"))
    git(place, "init", "-q")
    git(place, "add", ".")
    git(place, "commit", "-qm", "hooks")
    return place


@pytest.fixture
def plans(tmp_path):
    """A repository with plans, and with Markdown that is none by its name."""
    git(tmp_path, "init", "-q")
    for name in ("docs/PLAN.md", "NOTES.md", ".kiro/specs/a/tasks.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(MESSY)
    git(tmp_path, "add", ".")
    return tmp_path


def environment():
    named = {
        f"GIT_{who}_{what}": "a@example.com"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, **named, "GIT_CONFIG_GLOBAL": os.devnull}


def git(place, *arguments):
    subprocess.run(["git", *arguments], cwd=place, env=environment(), check=True, capture_output=True)


def test_the_hooks_format_and_check_the_plans(hooks, plans, tmp_path_factory):
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), "--all-files", "--verbose"]
    done = subprocess.run(
        command,
        cwd=plans,
        env={**environment(), "PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("cache"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "files were modified by this hook" in done.stdout
    assert "2 files reformatted" in done.stdout
    for plan in ("docs/PLAN.md", ".kiro/specs/a/tasks.md"):
        assert (plans / plan).read_text() == "- [x] a\n  - [ ] b\n"
        assert f"{plan}:1:4: CK101 " in done.stdout
    assert (plans / "NOTES.md").read_text() == MESSY
    assert "NOTES.md" not in done.stdout
