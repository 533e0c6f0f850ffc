"""Settings of all tests: how many examples the laws try, and the flags that rewrite expectations."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.database import DirectoryBasedExampleDatabase

QUIET = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]
settings.register_profile(
    "ci", max_examples=100, derandomize=True, deadline=None, suppress_health_check=QUIET, database=None
)
settings.register_profile(
    "long",
    settings.get_profile("ci"),
    max_examples=2000,
    derandomize=False,
    database=DirectoryBasedExampleDatabase(".hypothesis/examples"),
)
settings.load_profile(os.environ.get("PLANCONV_LAWS", "ci"))


def pytest_addoption(parser):
    parser.addoption(
        "--update-goldens", action="store_true", help="rewrite tests/golden from what comes out"
    )
    parser.addoption("--update-samples", action="store_true", help="rewrite samples/ from samples/plan.md")


@pytest.fixture
def update_goldens(request):
    return request.config.getoption("--update-goldens")


@pytest.fixture
def update_samples(request):
    return request.config.getoption("--update-samples")
