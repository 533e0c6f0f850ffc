"""The porter: built-in names first, then what other packages bring, broken or not."""

import sys
import tomllib
from pathlib import Path

import pytest

from planconv import registry
from planconv.errors import DecodeError, EncodeError, PluginError, UnknownFormatError
from planconv.registry import BUILT_IN, Broken

GOOD = """
from tests.fakes import Exact, info

class Codec(Exact):
    info = info({name!r})

CODEC = Codec()
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Puts packages on the path, as pip would: a module and the metadata that names its formats."""
    monkeypatch.syspath_prepend(tmp_path)
    modules = []

    def add(package, source, *formats, place=""):
        module = package.replace("-", "_")
        modules.append(module)
        (tmp_path / f"{module}.py").write_text(source)
        metadata = tmp_path / f"{module}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {place or f'{module}:CODEC'}" for name in formats]
        (metadata / "entry_points.txt").write_text("\n".join(["[planconv.codecs]", *lines, ""]))

    yield add
    for module in modules:
        sys.modules.pop(module, None)


def names(codecs):
    return [codec.info.name for codec in codecs]


# --- built in -----------------------------------------------------------------------------------


def test_built_in_formats_are_the_entry_points_of_the_project():
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"][registry.GROUP] == BUILT_IN


def test_built_in_formats_are_sorted():
    assert list(BUILT_IN) == sorted(BUILT_IN)
    assert names(registry.built_in()) == list(BUILT_IN)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_format_is_found_without_a_look_at_other_packages(name, monkeypatch):
    monkeypatch.setattr("importlib.metadata.entry_points", None)
    assert registry.get(name).info.name == name


def test_planconv_is_no_plug_in_of_itself():
    assert names(registry.installed()[0]) == list(BUILT_IN)


# --- unknown names ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "guess"), [("slak", "slack"), ("markdwon", "markdown"), ("acp_v1", "acp-v1")]
)
def test_an_unknown_name_gets_a_guess(name, guess):
    with pytest.raises(UnknownFormatError, match=f"no format '{name}'; did you mean '{guess}'"):
        registry.get(name)


def test_a_name_like_no_other_gets_the_list():
    with pytest.raises(UnknownFormatError) as caught:
        registry.get("qqqq")
    assert "did you mean" not in str(caught.value)
    assert ", ".join(BUILT_IN) in str(caught.value)


def test_the_guess_knows_other_packages(install):
    install("plan-org", GOOD.format(name="orgmode"), "orgmode")
    with pytest.raises(UnknownFormatError, match="did you mean 'orgmode'"):
        registry.get("orgmod")


# --- other packages -----------------------------------------------------------------------------


def test_a_package_adds_a_format(install):
    install("plan-org", GOOD.format(name="orgmode"), "orgmode")
    assert registry.get("orgmode").info.name == "orgmode"
    codecs, broken = registry.installed()
    assert names(codecs) == sorted([*BUILT_IN, "orgmode"])
    assert not broken


@pytest.mark.parametrize(
    ("source", "place", "reason"),
    [
        ("raise RuntimeError('no licence')", "", "RuntimeError: no licence"),
        ("import plan_org_is_not_here", "", "ModuleNotFoundError: .*plan_org_is_not_here"),
        ("", "", "AttributeError: .*CODEC"),
        ("CODEC = 7", "", "AttributeError: .*info"),
        ("def (", "", "SyntaxError: "),
        ("", "plan_org_is_not_here:CODEC", "ModuleNotFoundError: .*plan_org_is_not_here"),
        (GOOD.format(name="other"), "", "it calls itself 'other'"),
    ],
)
def test_a_plug_in_that_cannot_be_loaded_is_listed_and_stops_nothing(install, source, place, reason):
    install("plan-org", source, "orgmode", place=place)
    install("plan-rst", GOOD.format(name="rst"), "rst")
    codecs, broken = registry.installed()
    assert names(codecs) == sorted([*BUILT_IN, "rst"])
    ((name, package, why),) = broken
    assert (name, package) == ("orgmode", "plan-org")
    with pytest.raises(
        UnknownFormatError, match=f"'orgmode' of plan-org cannot be loaded: {reason}"
    ) as caught:
        registry.get("orgmode")
    assert str(caught.value).endswith(why)
    assert registry.get("rst").info.name == "rst"


def test_two_packages_cannot_have_one_name(install):
    install("plan-org", GOOD.format(name="orgmode"), "orgmode")
    install("another-org", GOOD.format(name="orgmode"), "orgmode")
    with pytest.raises(UnknownFormatError, match="'orgmode' is claimed by another-org and plan-org"):
        registry.get("orgmode")
    codecs, broken = registry.installed()
    assert names(codecs).count("orgmode") == 1
    assert broken == [Broken("orgmode", "plan-org", "another codec has this name")]


def test_no_package_can_take_a_built_in_name(install):
    ours = registry.get("slack")
    install("bad-slack", GOOD.format(name="slack"), "slack")
    assert registry.get("slack") is ours
    codecs, broken = registry.installed()
    assert names(codecs) == list(BUILT_IN)
    assert broken == [Broken("slack", "bad-slack", "another codec has this name")]


# --- only read ----------------------------------------------------------------------------------


def test_a_format_that_is_only_read_names_those_that_are_written():
    error = registry.only_read("codex")
    assert isinstance(error, EncodeError)
    head, _, listed = str(error).partition(": ")
    assert head == "codex is only read; formats that can be written"
    assert listed.split(", ") == [codec.info.name for codec in registry.built_in() if codec.info.writes]


def test_a_plug_in_that_raises_anything_is_blamed_by_name():
    class Careless:
        info = registry.get("markdown").info._replace(name="careless")

    class Own:
        info = registry.get("markdown").info

    message = "plug-in of the format careless failed: KeyError: 1"
    with pytest.raises(PluginError, match=message), registry.blamed(Careless()):
        raise KeyError(1)
    with pytest.raises(DecodeError, match="as it is"), registry.blamed(Careless()):
        raise DecodeError("as it is")
    with pytest.raises(KeyError), registry.blamed(Own()):
        raise KeyError(1)
