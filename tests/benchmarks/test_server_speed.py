"""What a slider's step costs the server, and that its memory stays bounded.

After every run Streamlit collects all garbage unless `[runner] postScriptGC` is off: each time it
walks through everything that was ever imported. Python's own collector, which looks at the old
objects when enough new ones have been made, is left to hold the memory.
"""

from __future__ import annotations

import statistics
import sys

import pytest

from tests.benchmarks.wire import resident, server, visitor

pytestmark = pytest.mark.benchmark
SLIDERS = [("phases", "Sources' budget ε")]
RERUNS = 5_000


@pytest.mark.parametrize(("page", "slider"), SLIDERS)
def test_a_step_without_the_collection_after_every_run(page, slider):
    spent = {}
    for collected in ("true", "false"):
        with (
            server(f"--runner.postScriptGC={collected}") as (address, _),
            visitor(address, page) as moving,
        ):
            spent[collected] = 1000 * statistics.median(moving.steps(slider, 60))
    print(f"\n{page}: {spent['true']:.0f} ms with the collection, {spent['false']:.0f} ms without")
    assert spent["false"] < 0.75 * spent["true"]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux tells it")
@pytest.mark.parametrize(("page", "slider"), SLIDERS)
def test_memory_stays_bounded(page, slider):
    with server() as (address, process), visitor(address, page) as moving:
        held = []
        for _ in range(10):
            moving.steps(slider, RERUNS // 10)
            held.append(resident(process))
    print(f"\n{page}: MB after each {RERUNS // 10} reruns: {[round(x) for x in held]}")
    assert held[-1] - held[4] < 10  # the second half of the reruns adds next to nothing
