"""Sixty visitors at once, and as many moves of two hours as fit in.

``VISITORS_MINUTES`` says how long each test takes at most (3 if it is not set). Sixty are shared
out over ``VISITORS_PROCESSES`` processes (2 if it is not set), as the README's proxy does it: a
process of Python uses one processor. Delays are by the clock and hold on a machine with nothing
else to do: the load is printed beside them.
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
PROCESSES = int(os.environ.get("VISITORS_PROCESSES", "2"))
PAUSE = 4.0  # seconds between two moves of a visitor
MANY = 60
ARRIVE = 30.0  # seconds within which all come in


async def beside(seconds: float, *acts: Coroutine[None, None, None]) -> None:
    """Let all of them act for so long."""
    tasks = [asyncio.create_task(act) for act in acts]
    done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    left = set(tasks)
    while left:  # a task that was just being answered may lose its first cancelling
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=5)
    for task in done:
        task.result()


async def run_again(address: str, ended: list[float]) -> None:
    """One live run after the other."""
    guest = Screen(address, "regression", "tab=rate")
    try:
        with contextlib.suppress(TimeoutError):  # the page begins a run by itself
            await guest.open()
        while True:
            begun = time.perf_counter()
            with contextlib.suppress(TimeoutError):
                await guest.press("Run again" if "Run again" in guest.widgets else "Run")
            ended.append(time.perf_counter() - begun)
    finally:
        await guest.close()


def test_sixty_visitors_and_a_live_run() -> None:
    async def act(servers: list[tuple[str, int]]) -> None:
        met, ended = Met(), list[float]()
        memories = [Memory(process, 10.0) for _, process in servers]
        strolls = [stroll(servers[k % len(servers)][0], met, k, PAUSE, ARRIVE) for k in range(MANY)]
        begun, clock = [spent(process) for _, process in servers], time.perf_counter()
        watched = [memory.watch() for memory in memories]
        await beside(60 * MINUTES, *watched, run_again(servers[0][0], ended), *strolls)
        past = time.perf_counter() - clock
        shares = [spent(one) - before for (_, one), before in zip(servers, begun, strict=True)]
        print(f"\n{MANY} visitors, {len(servers)} processes, {MINUTES:g} minutes: {met.told()}")
        print(f"{len(ended)} live runs; cores {[round(share / past, 2) for share in shares]}")
        print("\n".join(memory.told() for memory in memories))
        assert (met.lost, met.wrong) == ([], [])
        assert upper(met.seconds) < 1.0
        assert max(max(memory.kept) for memory in memories) < 700

    with contextlib.ExitStack() as stack:
        asyncio.run(act([stack.enter_context(server()) for _ in range(PROCESSES)]))


def test_two_hours_replayed_without_pauses() -> None:
    """As many moves of two hours as fit in, by visitors who do not pause and who come and go."""

    async def act(address: str, process: int) -> None:
        met, memory = Met(), Memory(process, 60 * MINUTES / 40)
        strolls = [stroll(address, met, k, 0.0, ARRIVE, visit=75) for k in range(MANY // 4)]
        await beside(60 * MINUTES, memory.watch(), *strolls)
        hours = (len(met.seconds) + len(met.turns)) * PAUSE / MANY / 3600
        print(f"\n{hours:.2f} hours of {MANY} visitors replayed: {met.told()}\n{memory.told()}")
        assert (met.lost, met.wrong) == ([], [])
        # Flat after half an hour of the visitors' time, or of a shorter replay in its second half.
        settled = int(len(memory.kept) * min(0.5, 0.5 / hours))
        later = memory.kept[settled:]
        print(f"after the first half hour, or half: {min(later):.0f} to {max(later):.0f} MB")
        assert max(memory.kept) < 700
        assert memory.kept[-1] - memory.kept[settled] < 50

    with server() as (address, process):
        asyncio.run(act(address, process))
