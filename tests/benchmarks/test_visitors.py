"""Sixty visitors at once, three hundred who look, and a reckless one.

``VISITORS_MINUTES`` says how long each test takes at most (3 if it is not set). Delays are by the
clock and hold on a machine with nothing else to do: the load is printed beside them.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import Coroutine

import pytest

from tests.benchmarks.phones import Screen, spent, upper
from tests.benchmarks.visitors import Memory, Met, stroll
from tests.benchmarks.wire import server

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read as Linux tells them"),
]
MINUTES = float(os.environ.get("VISITORS_MINUTES", "3"))
PAUSE = 4.0  # seconds between two moves of a visitor
MANY = 60
ARRIVE = 30.0  # seconds within which all come in


async def beside(seconds: float, *acts: Coroutine[None, None, None]) -> None:
    """Let all of them act for so long."""
    tasks = [asyncio.create_task(act) for act in acts]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def run_again(address: str, ended: list[float]) -> None:
    """One live run after the other."""
    guest = Screen(address, "regression", "")
    try:
        await guest.open()
        while True:
            begun = time.perf_counter()
            with contextlib.suppress(TimeoutError):
                await guest.press("Run again" if "Run again" in guest.widgets else "Run")
            ended.append(time.perf_counter() - begun)
    finally:
        await guest.close()


def test_sixty_visitors_and_a_live_run() -> None:
    async def act(address: str, process: int) -> None:
        met, memory, ended = Met(), Memory(process, 10.0), list[float]()
        strolls = [stroll(address, met, k, PAUSE, ARRIVE) for k in range(MANY)]
        begun, clock = spent(process), time.perf_counter()
        await beside(60 * MINUTES, memory.watch(), run_again(address, ended), *strolls)
        share = (spent(process) - begun) / (time.perf_counter() - clock)
        print(f"\n{MANY} visitors, {MINUTES:g} minutes: {met.told()}")
        print(f"{len(ended)} live runs; {100 * share:.0f} % of a core; {memory.told()}")
        assert (met.lost, met.wrong) == ([], [])
        assert upper(met.seconds) < 1.0

    with server() as (address, process):
        asyncio.run(act(address, process))
