"""Shared settings: derandomised laws, and what is run in which order."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from sims.classroom import Rooms

ROOT = Path(__file__).resolve().parents[1]
# Before NumPy is loaded: threads of its own make small products slower and sums not repeatable.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

EXAMPLES = {"few": 10, "quick": 25, "deep": 60}  # of every law; .ci/legs asks for few
for name, examples in EXAMPLES.items():
    settings.register_profile(
        name,
        derandomize=True,
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],
    )
LATER = ("deep", "slow", "benchmark")
# What takes long begins early; the short files of the rest fill the processes evenly.
ORDER = ("tests/browser/", "tests/house/", "tests/golden/", "tests/pages/", "tests/sims/", "tests/")


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    """Rooms of a test's own."""
    from sims.classroom import Rooms  # loaded by the tests that need it

    monkeypatch.setenv("RATES_ROOMS", str(tmp_path / "rooms.sqlite"))
    found = Rooms()
    yield found
    found.close()


def is_deep(config: pytest.Config) -> bool:
    """Whether the deep run was asked for: `-m deep`."""
    return config.option.markexpr == "deep"


def pytest_configure(config: pytest.Config) -> None:
    """Draw more examples of every law in the deep run, and tell at its end what took longest."""
    asked = config.getoption("--hypothesis-profile")
    settings.load_profile(asked or ("deep" if is_deep(config) else "quick"))
    if is_deep(config) and config.option.durations is None:
        config.option.durations = 10


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Read no timings where none is asked for, as they load much; no doctest is deep."""
    asked = config.option.markexpr
    unasked = [ROOT / "tests" / "benchmarks"] if is_deep(config) or "not benchmark" in asked else []
    if is_deep(config):
        unasked += [ROOT / "rates", ROOT / "sims"]
    return True if collection_path in unasked else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Hold every law in both runs, and put first what takes long; what is slow waits for a hand.

    Where few examples are asked for, of a test with many cases only the first one is run.
    """
    if config.getoption("--hypothesis-profile") == "few":
        quick = [item for item in items if not any(map(item.get_closest_marker, LATER))]
        first = {item.nodeid.partition("[")[0]: item for item in reversed(quick)}
        kept = {id(item) for item in first.values()}
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in kept])
        items[:] = [item for item in items if id(item) in kept]
    for item in items:
        law = getattr(getattr(item, "obj", None), "is_hypothesis_test", False)
        if is_deep(config) and law and not item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.deep)
    items.sort(key=_rank)


def pytest_collection_finish() -> None:
    """Look for cycles less often, and not among what was loaded: a twelfth of the time or more."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def _rank(item: pytest.Item) -> int:
    return next((k for k, top in enumerate(ORDER) if item.nodeid.startswith(top)), len(ORDER))


class ByFile(LoadScopeScheduling):
    """Share the tests out file by file, in the order in which they stand."""

    def _split_scope(self, nodeid: str) -> str:
        return nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    config.option.loadscopereorder = False
    return ByFile(config, log)


_MAIN = sys.modules["__main__"]


@pytest.fixture(autouse=True)
def the_main_module() -> None:
    """A page under test leaves its script as the main module, which fresh processes would run."""
    sys.modules["__main__"] = _MAIN
