import pytest

from planconv.errors import PlanconvError
from planconv.settings import Chosen, Settings, read_settings


def write(folder, text):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_bytes(text if isinstance(text, bytes) else text.encode())


def test_the_nearest_file_with_our_table_decides(tmp_path):
    write(tmp_path, '[tool.planconv]\nexclude = ["a"]\n[tool.planconv.fmt]\nignore = ["PF001"]\n')
    write(tmp_path / "inner", "[tool.other]\nx = 1\n")
    write(tmp_path / "other", "[tool.planconv]\n")
    expected = Settings(str(tmp_path), ("a",), Chosen(ignore=("PF001",)))
    assert read_settings(str(tmp_path / "inner")) == expected
    assert read_settings(str(tmp_path / "inner" / "not" / "there")) == expected
    assert read_settings(str(tmp_path / "other")) == Settings(str(tmp_path / "other"))


def test_all_words(tmp_path):
    write(
        tmp_path,
        '[tool.planconv]\nfmt = {select = ["ALL"], extend-select = ["b"], ignore = []}\n'
        'check = {ignore = ["c"]}\n',
    )
    settings = read_settings(str(tmp_path))
    assert settings.fmt == Chosen(("ALL",), ("b",), ())
    assert settings.check == Chosen(ignore=("c",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.planconv\n", r"pyproject.toml:1:15: expected"),
        (b"a = '\xff'", "not UTF-8"),
        ("tool.planconv = 1", r"pyproject.toml: \[tool.planconv\] must be a table"),
        ("[tool.planconv]\nexlude = []", r"no setting 'exlude'; there are exclude, fmt, check"),
        ('[tool.planconv]\nexclude = "a"', "exclude must be a list of strings"),
        ("[tool.planconv.fmt]\nselect = [1]", r"\[tool.planconv.fmt\] select must be a list of strings"),
        ("[tool.planconv.check]\nrules = []", r"\[tool.planconv.check\] has no setting 'rules'"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(tmp_path, text, message):
    write(tmp_path, text)
    with pytest.raises(PlanconvError, match=message):
        read_settings(str(tmp_path))


@pytest.mark.parametrize(
    ("line", "settings", "result"),
    [
        (Chosen(), Chosen(("a",), ("b",), ("c",)), Chosen(("a",), ("b",), ("c",))),
        (Chosen(("x",)), Chosen(("a",), ("b",), ("c",)), Chosen(("x",))),
        (Chosen(ignore=("x",)), Chosen(("a",), ("b",), ("c",)), Chosen(("a",), ("b",), ("x",))),
        (Chosen(extend=()), Chosen(None, ("b",), None), Chosen(None, (), None)),
    ],
)
def test_the_command_line_wins(line, settings, result):
    assert line.over(settings) == result
