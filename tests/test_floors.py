"""The house rules: who may import whom, and what no room below the command line does."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from planconv import registry
from planconv.status import KNOWN

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "planconv"
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
TREES = {name: ast.parse(path.read_text("utf-8")) for name, path in FILES.items()}

FLOORS = [
    {"status", "errors", "pictures"},
    {"model"},
    {"loss", "task_tree", "align", "differences"},
    {"markdown", "wire"},
    {"codec", "carried"},
    {"registry", "log_codec", "slack_fields", "ignores", "compressed"},
    {"codecs"},
    {"convert", "carry", "detect", "reference", "mentions", "files", "settings", "walk"},
    {"stream", "batch", "formatter", "check", "update", "testing"},
    {"cli"},
    {"__init__", "__main__"},
]
SIDEWAYS = {
    "status",
    "model",
    "loss",
    "markdown",
    "wire",
    "registry",
    "convert",
    "testing",
    "cli",
    "__init__",
}
"""Rooms whose files may import each other, and rooms whose neighbours on a floor may import them."""


def room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def floor(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def imports(module: str, *, runtime: bool = False) -> list[tuple[str, int]]:
    """Imported modules and lines; with ``runtime``, only what a plain import of the module loads."""
    found: list[tuple[str, int]] = []

    def visit(node: ast.AST) -> None:
        if runtime and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            return
        if runtime and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            found.extend((alias.name, node.lineno) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}:{node.lineno}: a relative import"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.append((full if full in FILES else node.module or "", node.lineno))
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(TREES[module])
    return found


@pytest.mark.parametrize("module", [name for name in FILES if room(name) != "__init__"])
def test_imports_point_down(module):
    for target, line in imports(module):
        if target.split(".")[0] != "planconv" or target == "planconv":
            continue
        here, there = room(module), room(target)
        level = here == there or there in SIDEWAYS
        allowed = floor(there) < floor(here) or (floor(there) == floor(here) and level)
        assert allowed, f"{module}:{line} imports {target}"


@pytest.mark.parametrize("module", [name for name in FILES if room(name) == "codecs"])
def test_no_codec_imports_a_codec(module):
    assert not [target for target, _ in imports(module) if room(target) == "codecs" and target != module]


@pytest.mark.parametrize(
    ("package", "home"),
    [("markdown_it", "markdown"), ("pydantic", "wire"), ("typer", "cli"), ("hypothesis", "testing")],
)
def test_package_is_imported_in_its_room_only(package, home):
    users = {module for module in FILES for target, _ in imports(module) if target.split(".")[0] == package}
    assert all(room(module) == home for module in users), users


def test_markdown_it_is_imported_when_it_is_needed():
    for module in FILES:
        assert "markdown_it" not in {target.split(".")[0] for target, _ in imports(module, runtime=True)}, (
            module
        )


DOORS = ("cli", "batch", "files", "reference", "settings", "walk", "__main__")
"""The rooms that may touch the outside."""


@pytest.mark.parametrize("module", [name for name in FILES if room(name) not in DOORS])
def test_no_room_below_opens_prints_or_reads_a_clock(module):
    for node in ast.walk(TREES[module]):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input"}, f"{module}:{node.lineno}"
    outside = {"time", "datetime", "os", "pathlib", "socket", "subprocess", "random", "tempfile"}
    used = {target.split(".")[0] for target, _ in imports(module)} & outside
    names = {
        alias.name
        for node in ast.walk(TREES[module])
        if isinstance(node, ast.ImportFrom) and node.module in outside
        for alias in node.names
    }
    pure = {"PurePath", "PurePosixPath", "PureWindowsPath"}
    assert not used or (used == {"pathlib"} and names and names <= pure), f"{module} imports {used}"


def literals(tree: ast.AST) -> list[tuple[str, int]]:
    """String literals that are no docstrings, with their lines."""
    notes = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    return [
        (node.value, node.lineno)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in notes
    ]


STATUS_WORDS = {*KNOWN, "complete", "canceled", "in-progress", "in progress", "done", "not_started"}
"""``error`` is left out: it names an event type and a log level as well."""


@pytest.mark.parametrize("module", [name for name in FILES if room(name) != "status"])
def test_no_status_word_is_written_outside_the_table(module):
    found = [(word, line) for word, line in literals(TREES[module]) if word in STATUS_WORDS]
    assert not found, f"{FILES[module]}: {found}"


def loaded_by(code: str) -> set[str]:
    program = f"{code}\nimport sys; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_nothing_heavy():
    heavy = {"pydantic", "markdown_it", "typer", "orjson", "importlib.metadata", "hypothesis"}
    assert not loaded_by("import planconv") & heavy


@pytest.mark.parametrize("place", sorted({place.partition(":")[0] for place in registry.BUILT_IN.values()}))
def test_codec_is_imported_without_its_heavy_packages(place):
    assert not loaded_by(f"import {place}") & {"pydantic", "markdown_it", "typer"}


def test_plain_acp_plan_meets_no_parser():
    message = (
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":'
        '"plan","entries":[{"content":"Read","priority":"medium","status":"pending"}]}}}'
    )
    loaded = loaded_by(f"import planconv; planconv.convert({message!r}, 'acp', 'acp')")
    assert "planconv.codecs.acp" in loaded
    assert not loaded & {"pydantic", "markdown_it", "planconv.codecs.markdown", "planconv.codecs.slack"}


def test_registry_and_entry_points_are_equal():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["planconv.codecs"] == dict(registry.BUILT_IN)


def test_built_in_codecs_are_sorted_and_carry_their_names():
    assert list(registry.BUILT_IN) == sorted(registry.BUILT_IN)
    assert [codec.info.name for codec in registry.built_in()] == list(registry.BUILT_IN)
