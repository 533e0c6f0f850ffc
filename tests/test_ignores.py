import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planconv.ignores import Patterns


def left_out(lines, path):
    """Whether git would ignore a file, decided folder by folder as a walk does."""
    patterns = Patterns(lines)
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        if patterns.decision("/".join(parts[:count]), is_folder=count < len(parts)):
            return True
    return False


@pytest.mark.parametrize(
    ("lines", "ignored", "kept"),
    [
        (["*.tmp"], ["a.tmp", "x/y/b.tmp", "c.tmp/d"], ["a.tmpx", "tmp"]),
        (["/a"], ["a", "a/b"], ["x/a", "ab"]),
        (["a/b"], ["a/b", "a/b/c"], ["x/a/b", "b"]),
        (["build/"], ["build/x", "x/build/y"], ["build", "builds/x"]),
        (["**/a"], ["a", "x/a", "x/y/a"], ["xa"]),
        (["a/**"], ["a/b", "a/b/c"], ["b/a"]),
        (["a/**/b"], ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "x/a/b"]),
        (["*.md", "!keep.md"], ["a.md", "x/a.md"], ["keep.md", "x/keep.md"]),
        (["a/", "!a/b"], ["a/b"], []),
        (["!a", "a"], ["a"], []),
        (["# comment", "", "   ", "\\#x", "\\!y"], ["#x", "!y"], ["# comment"]),
        (["a  ", "b\\ "], ["a", "b "], ["a  ", "b"]),
        (["a?c", "[x-z]1", "[!a]2", "[]]3"], ["abc", "y1", "b2", "]3"], ["a/c", "a1", "a2", "[]3"]),
        (["[a", "[z-a]", "\\*"], ["*"], ["a", "z"]),
        (["a\r"], ["a"], ["a\r"]),
    ],
)
def test_patterns(lines, ignored, kept):
    assert [path for path in ignored if not left_out(lines, path)] == []
    assert [path for path in kept if left_out(lines, path)] == []


names = st.sampled_from(["a", "b", "ab", "a.b", "x"])
paths = st.lists(names, min_size=1, max_size=3).map("/".join)
globs = st.lists(
    st.sampled_from(["a", "b", "*", "**", "?", "/", "/", ".", "[ab]", "[!a]"]), min_size=1, max_size=5
)
patterns = st.tuples(
    st.sampled_from(["", "", "!", "/"]), globs.map("".join), st.sampled_from(["", "", "/"])
)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
@settings(max_examples=40)
@given(st.lists(patterns.map("".join), min_size=1, max_size=4), st.lists(paths, min_size=1, max_size=12))
def test_git_decides_the_same(tmp_path_factory, lines, paths):
    lines = [line for line in lines if not line.startswith(("!!", "//"))]
    folder = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / ".gitignore").write_text("\n".join(lines) + "\n")
    asked = subprocess.run(
        ["git", "-C", str(folder), "check-ignore", "--no-index", "--stdin"],
        input="\n".join(paths),
        capture_output=True,
        text=True,
        check=False,
    )
    said = set(asked.stdout.splitlines())
    assert {path for path in paths if left_out(lines, path)} == said
