import json

import pytest

from planconv import registry
from planconv.codec import Field
from planconv.registry import Broken
from planconv.status import TABLE, spoken
from tests.cli.runs import planconv


@pytest.mark.usefixtures("own_formats")
class TestOwnFormats:
    def test_the_list(self):
        status, out, err = planconv("formats")
        assert (status, err) == (0, "")
        rows = [line.split(maxsplit=3) for line in out.splitlines()[1:8]]
        assert [row[0] for row in rows] == list(registry.BUILT_IN)
        assert ["read-only", "yes", "no", "Lines of read-only"] in rows
        assert ["write-only", "no", "yes", "Lines of write-only"] in rows

    def test_a_plug_in_that_cannot_be_loaded_is_listed_with_its_reason(self, monkeypatch):
        broken = Broken("jira", "planconv-jira", "ImportError: no module\n\x1b[31mred")
        monkeypatch.setattr(registry, "installed", lambda: (registry.built_in(), [broken]))
        out = planconv("formats").out
        assert "jira of planconv-jira cannot be loaded: ImportError: no module\\n\\x1b[31mred\n" in out
        assert json.loads(planconv("formats", "--json").out)["broken"][0]["name"] == "jira"

    def test_one_format_says_what_it_holds_and_what_is_lost(self):
        status, out, _ = planconv("formats", "poor")
        assert status == 0
        for field in Field:
            assert f"  {field.words} " in out
        assert "partly  No stars.\n" in out
        assert "PC101  priority: dropped" in out
        assert "_failed" in out

    def test_an_unknown_format(self):
        assert planconv("formats", "pore").err.startswith(
            "planconv: there is no format 'pore'; did you mean"
        )

    @pytest.mark.parametrize(
        "args", [["poor", "lines"], ["--json", "--markdown"], ["--detect"], ["--detect", "--json", "x"]]
    )
    def test_wrong_use(self, args):
        status, out, err = planconv("formats", *args)
        assert (status, out, err.count("\n")) == (2, "", 1)

    def test_detection_tells_its_reason(self, folder):
        (folder / "a.txt").write_text("")
        (folder / "b.zip").write_text("- x")
        (folder / "c\n.md").write_text("")
        (folder / "d").write_text("")
        status, out, err = planconv(
            "formats", "--detect", "a.txt", "b.zip", "c\n.md", "d", "e", "-", stdin=b"- x"
        )
        assert status == 2
        assert out == (
            "a.txt: lines (its name is like *.txt)\n"
            "b.zip: lines (its lines begin with marks)\n"
            "c\\n.md: markdown (its name is like *.md)\n"
            "<stdin>: lines (its lines begin with marks)\n"
        )
        first, second = err.splitlines()
        assert first.startswith("d: neither name nor content")
        assert second == "e: No such file or directory"


@pytest.mark.parametrize("name", registry.BUILT_IN)
def test_every_built_in_format_describes_itself(name):
    info = registry.get(name).info
    text = planconv("formats", name).out
    row = json.loads(planconv("formats", name, "--json").out)
    markdown = planconv("formats", name, "--markdown").out
    assert (row["name"], set(row["holds"])) == (name, {field.value for field in Field})
    for field, held in info.holds.items():
        assert row["holds"][field.value] == {"extent": held.extent.value, "sentence": held.sentence}
        assert f"| {field.words} | {held.extent.value} |" in markdown
        assert f"  {field.words} " in text
    for status, cell in TABLE.get(info.vocabulary, {}).items():
        assert (f"\n  {spoken(status)} " in text) is (cell.exact or info.writes)
        assert cell.word in text


def test_the_tables_name_every_format():
    markdown = planconv("formats", "--markdown").out
    listed = [row["name"] for row in json.loads(planconv("formats", "--json").out)["formats"]]
    for name in registry.BUILT_IN:
        assert f"| `{name}` |" in markdown
        assert name in listed
    assert markdown == planconv("formats", "--markdown").out
