"""What the README repeats from the program is what the program says."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.runs import planconv

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"


def test_the_tables_of_the_formats_are_fresh():
    """To refresh them, put the output of ``planconv formats --markdown`` between the two marks."""
    text = README.read_text()
    _, start, rest = text.partition("<!-- planconv:formats:start -->\n")
    tables, end, _ = rest.partition("<!-- planconv:formats:end -->\n")
    assert start, "the README has no mark where its tables begin"
    assert end, "the README has no mark where its tables end"
    assert tables.strip("\n") == planconv("formats", "--markdown").out.strip("\n")


@pytest.mark.skipif(not shutil.which("diff"), reason="an example shows what diff says")
@pytest.mark.parametrize("heading", ["Ticking a plan that is there", "Logs of agents"])
def test_an_example_says_what_it_says(tmp_path, heading):
    _, _, section = README.read_text().partition(f"## {heading}\n")
    commands, output = re.findall(r"(?ms)^```(?:sh|console)\n(.*?)^```", section)[:2]
    shutil.copytree(ROOT / "samples", tmp_path / "samples")
    script = f'planconv() {{ "{sys.executable}" -m planconv "$@"; }}\n{commands}'
    done = subprocess.run(
        ["sh", "-c", script],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.stdout == output
