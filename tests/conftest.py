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


LAST = "tests/browser/test_pages.py"  # a third of the browser's time


class BrowserApart(LoadScopeScheduling):
    """Share the tests out by file, and the browser's in two parts.

    One process begins with the first part; the other does what needs no browser, then the second.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return "browser" if file.startswith("tests/browser/") and file != LAST else file


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the second part of the browser tests at the end."""
    items.sort(key=lambda item: item.nodeid.startswith(LAST))


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
