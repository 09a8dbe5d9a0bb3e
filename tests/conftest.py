"""Shared settings: derandomised laws, and the folder of reference material."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile(
    "project",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")


class BrowserApart(LoadScopeScheduling):
    """Share the tests out by file, and all browser tests to one process: one browser at a time."""

    def _split_scope(self, nodeid: str) -> str:
        return "browser" if nodeid.startswith("tests/browser/") else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> BrowserApart:
    config.option.loadscopereorder = False  # the browser tests take longest and come first
    return BrowserApart(config, log)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def must_have_browser() -> bool:
    """Whether a missing browser is a failure instead of a reason to skip."""
    return os.environ.get("REQUIRE_BROWSER") == "1"
