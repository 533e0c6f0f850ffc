import pytest

from planconv import registry
from tests.cli.lines import FORMATS


@pytest.fixture
def own_formats(monkeypatch):
    """Nothing but the formats of these tests is installed."""
    monkeypatch.setattr(registry, "BUILT_IN", FORMATS)
    monkeypatch.setattr(registry, "_entry_points", list)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
