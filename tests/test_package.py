"""The front door: what ``import planconv`` offers, and that what the README shows runs."""

import importlib
import importlib.metadata
import importlib.resources
import re
import subprocess
import sys
from pathlib import Path

import pytest

import planconv

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"(?ms)^```python\n(.*?)^```", README)


def test_version_is_that_of_the_package():
    assert planconv.__version__ == importlib.metadata.version("planconv")
    assert re.fullmatch(r"\d+\.\d+\.\d+", planconv.__version__)


def test_package_says_that_it_is_typed():
    assert importlib.resources.files("planconv").joinpath("py.typed").is_file()


@pytest.mark.parametrize("name", [name for name in planconv.__all__ if name != "__version__"])
def test_name_is_there(name):
    value = getattr(planconv, name)
    assert value.__name__ == name
    assert value is getattr(importlib.import_module(value.__module__), name)


def test_all_names_can_be_imported_at_once():
    names = {}
    exec("from planconv import *", names)
    assert set(planconv.__all__) <= names.keys()


def run(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_names_are_listed_before_they_are_used():
    listed = run("import planconv; print(*dir(planconv))")
    assert set(planconv.__all__) <= set(listed)
    assert listed == sorted(set(listed))


def test_convert_stays_the_function_whatever_is_imported():
    program = (
        "import planconv, planconv.convert, planconv.cli.main; from planconv import {}; print(callable({}))"
    )
    assert run(program.format("convert", "planconv.convert")) == ["True"]


def test_another_name_is_an_error():
    with pytest.raises(AttributeError, match="module 'planconv' has no attribute 'covert'"):
        _ = planconv.covert


def test_every_error_can_be_caught_as_one():
    errors = [planconv.DecodeError, planconv.EncodeError, planconv.NoPlanError, planconv.StrictError]
    assert all(issubclass(error, planconv.PlanconvError) for error in errors)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_of_the_readme_runs_and_says_something(example, capsys):
    exec(example, {"__name__": "example"})
    assert capsys.readouterr().out
