"""A package that adds a format, from ``pip install`` to the command line, in an environment of its own.

The package is ``tests/plugin/planconv-todotxt``; that it keeps the laws is tested there.
"""

import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from planconv.testing import CodecLaws

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
EXAMPLE = Path(__file__).parent / "plugin" / "planconv-todotxt"
TODO = """\
(A) Freeze the `release/2.4` branch +release
Write the notes id:2 due:2026-01-02
Ask Ann p:2 status:waiting
x 2026-01-01 Tag
"""
BROKEN = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "planconv-org"
version = "1.0.0"
dependencies = ["planconv"]

[project.entry-points."planconv.codecs"]
org = "planconv_org:ORG"

[tool.hatch.build.targets.wheel]
only-include = ["planconv_org.py"]
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of a new environment with the example, and a plug-in that cannot be loaded.

    It sees what is installed beside the tests, so that nothing has to be fetched.
    """
    place = tmp_path_factory.mktemp("plugin")
    venv.create(place / "env", symlinks=os.name != "nt")
    base = {"base": str(place / "env"), "platbase": str(place / "env")}
    around = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib"), *site.getsitepackages()}
    lines = [f"import site; site.addsitedir({folder!r})" for folder in sorted(around)]
    Path(sysconfig.get_path("purelib", "venv", base), "around.pth").write_text("\n".join([*lines, ""]))
    executable = Path(sysconfig.get_path("scripts", "venv", base), Path(sys.executable).name)

    shutil.copytree(EXAMPLE, place / "example", ignore=shutil.ignore_patterns("__pycache__"))
    broken = place / "broken"
    broken.mkdir()
    (broken / "pyproject.toml").write_text(BROKEN)
    (broken / "planconv_org.py").write_text("raise RuntimeError('no licence')\n")
    quiet = ["--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]
    offline = ["--no-index", "--no-build-isolation"]
    folders = [place / "example", broken]
    pip = [sys.executable, "-m", "pip", "--python", executable, "install", *quiet, *offline, *folders]
    subprocess.run(pip, check=True, env=environment())
    return executable


def environment():
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.fixture
def planconv(python, tmp_path):
    """Runs the command line where there is a ``todo.txt``; gives exit status, output and messages."""
    (tmp_path / "todo.txt").write_text(TODO)

    def run(*args, stdin=""):
        done = subprocess.run(
            [python, "-m", "planconv", *args],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env=environment(),
        )
        return done.returncode, done.stdout, done.stderr

    return run


MARKDOWN = """\
- [ ] Freeze the `release/2.4` branch +release _(high priority)_
- [ ] Write the notes
  - [ ] Ask Ann _(waiting)_
- [x] Tag
"""


@pytest.mark.parametrize(
    ("args", "stdin"), [(("-f", "todotxt"), TODO), (("todo.txt",), "")], ids=["by format", "by name"]
)
def test_it_is_read(planconv, args, stdin):
    status, out, err = planconv("convert", *args, "-t", "markdown", stdin=stdin)
    assert (status, out) == (0, MARKDOWN)
    assert "markdown: fields of another format have no place" in err
    assert "[PC104]" in err


def test_it_is_written_and_says_what_it_cannot_hold(planconv):
    plan = "# Release\n\n- [x] Tag\n- [ ] Ask _(blocked, low priority)_\n\n  At noon.\n"
    status, out, err = planconv("convert", "-f", "markdown", "-o", "done.txt", stdin=plan)
    assert (status, out) == (0, "")
    assert planconv("convert", "done.txt", "-t", "todotxt")[:2] == (
        0,
        "x Tag\n(C) Ask status:blocked\n",
    )
    assert "todotxt cannot hold: plan title (1 plan), details (1 task) [PC101]" in err
    assert "todotxt: a status is only shown as a word in the text (/tasks/1/status: blocked) [PC201]" in err


def test_it_comes_back_as_it_was(planconv):
    assert planconv("convert", "todo.txt", "-t", "todotxt")[:2] == (0, TODO)


def test_it_is_described(planconv):
    status, out, err = planconv("formats", "todotxt")
    assert (status, err) == (0, "")
    assert out.startswith("todotxt: todo.txt: a line for each task\n")
    lines = [line.split() for line in out.splitlines()]
    assert ["details", "no"] in lines
    assert ["completed", "x"] in lines


def test_its_files_are_told(planconv):
    assert planconv("formats", "--detect", "todo.txt") == (
        0,
        "todo.txt: todotxt (its name is like todo.txt)\n",
        "",
    )


def test_a_package_that_cannot_be_loaded_is_listed_and_stops_nothing(planconv):
    status, out, err = planconv("formats")
    assert (status, err) == (0, "")
    assert "todotxt " in out
    assert "org of planconv-org cannot be loaded: RuntimeError: no licence\n" in out
    assert planconv("convert", "-f", "org", "-t", "markdown", stdin="* TODO a\n") == (
        2,
        "",
        "planconv: the format 'org' of planconv-org cannot be loaded: RuntimeError: no licence\n",
    )


def codec_of_the_readme():
    (source,) = re.findall(r"(?ms)^```python\n((?:(?!^```).)*?^class Org:.*?)^```", README)
    names = {"__name__": "planconv_orgmode"}
    exec(source, names)
    return names["ORG"]


class TestCodecOfTheReadme(CodecLaws):
    """The laws hold for the codec that the README shows."""

    codec = codec_of_the_readme()
