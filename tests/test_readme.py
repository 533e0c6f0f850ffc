"""What the README repeats from the program is what the program says."""

from pathlib import Path

from tests.cli.runs import planconv

README = Path(__file__).parents[1] / "README.md"


def test_the_tables_of_the_formats_are_fresh():
    """To refresh them, put the output of ``planconv formats --markdown`` between the two marks."""
    text = README.read_text()
    _, start, rest = text.partition("<!-- planconv:formats:start -->\n")
    tables, end, _ = rest.partition("<!-- planconv:formats:end -->\n")
    assert start, "the README has no mark where its tables begin"
    assert end, "the README has no mark where its tables end"
    assert tables.strip("\n") == planconv("formats", "--markdown").out.strip("\n")
