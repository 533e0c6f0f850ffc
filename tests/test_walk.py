import os

import pytest

from planconv.errors import UsageError
from planconv.walk import Walk


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A repository with files that are wanted, hidden, ignored and excluded."""
    for name in (
        ".git/HEAD",
        ".gitignore",
        ".hidden/a.md",
        "a.md",
        "b.txt",
        "build/a.md",
        "docs/.gitignore",
        "docs/.a.md",
        "docs/a.md",
        "docs/keep.tmp.md",
        "docs/x.tmp.md",
        "docs/z/a.md",
        "old/a.md",
        "x.tmp.md",
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("")
    (tmp_path / ".gitignore").write_text("/build/\n*.tmp.md\n")
    (tmp_path / "docs" / ".gitignore").write_text("!keep.tmp.md\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def walk(*paths, **options):
    found = Walk(lambda name: name.endswith(".md"), **options).files(paths)
    return [(file.path + ("!" if file.named else "")) for file in found]


def test_a_folder_without_what_is_hidden_and_ignored(tree):
    assert walk(".") == ["a.md", "docs/a.md", "docs/keep.tmp.md", "docs/z/a.md", "old/a.md"]


def test_the_ignore_files_above_a_folder_hold(tree):
    assert walk("docs") == ["docs/a.md", "docs/keep.tmp.md", "docs/z/a.md"]
    assert walk(str(tree / "docs" / "z")) == [str(tree / "docs" / "z" / "a.md")]


def test_exclude(tree):
    assert walk(".", exclude=["old", "docs/*.md"]) == ["a.md", "docs/z/a.md"]
    assert walk("docs", exclude=["/docs/z/"], root=str(tree)) == ["docs/a.md", "docs/keep.tmp.md"]


def test_a_named_file_is_taken_unless_exclusion_is_forced(tree):
    named = ["b.txt", "build/a.md", "docs/.a.md", "x.tmp.md", "old/a.md"]
    assert walk(*named, exclude=["old"]) == [f"{name}!" for name in named]
    assert walk(*named, exclude=["old"], force_exclude=True) == ["b.txt!", "docs/.a.md!"]
    assert walk("old", "build", exclude=["old"], force_exclude=True) == []


def test_wildcards(tree):
    assert walk("**/a.md") == ["a.md", "docs/a.md", "docs/z/a.md", "old/a.md"]
    assert walk("docs/*.md") == ["docs/a.md", "docs/keep.tmp.md"]


def test_each_file_is_found_once(tree):
    (tree / "link.md").symlink_to("a.md")
    assert walk("a.md", "./a.md", "link.md", ".") == [
        "a.md!",
        "docs/a.md",
        "docs/keep.tmp.md",
        "docs/z/a.md",
        "old/a.md",
    ]


def test_links_to_folders_are_not_followed(tree):
    (tree / "docs" / "loop").symlink_to("..")
    assert walk("docs") == ["docs/a.md", "docs/keep.tmp.md", "docs/z/a.md"]


@pytest.mark.parametrize("path", ["none.md", "none/", "no*.md", "a.md/b", "\0"])
def test_what_is_not_there_is_an_error(tree, path):
    with pytest.raises(UsageError, match="no file"):
        walk(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every folder")
def test_a_closed_folder_is_an_error(tree):
    (tree / "docs").chmod(0)
    with pytest.raises(UsageError, match="docs: Permission denied"):
        walk(".")


def test_a_link_that_leads_nowhere_is_no_file(tree):
    (tree / "docs" / "circle.md").symlink_to("circle.md")
    (tree / "docs" / "dangling.md").symlink_to("nothing.md")
    assert walk("docs") == ["docs/a.md", "docs/keep.tmp.md", "docs/z/a.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root looks everywhere")
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_where_nobody_may_look_there_is_no_repository(tree, mode):
    (tree / "docs").chmod(mode)
    told = []
    found = [one.path for one in Walk(lambda _: True, unreadable=told.append).files(["docs"])]
    assert [str(error) for error in told] == ([] if found else ["docs: Permission denied"])
