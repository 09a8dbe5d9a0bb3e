"""A class of 60 or 120 phones and a projector on one server: processor, delays, memory.

Processor seconds are the server's own; delays are by the clock and hold on a machine with little
else to do, so the load is printed beside them.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import sys
import time

import pytest

from sims.classroom import Asked, Opened, Rooms
from tests.benchmarks.phones import Screen, screens, spent, until, upper
from tests.benchmarks.wire import resident, server

pytestmark = [
    pytest.mark.benchmark,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read as Linux tells them"),
]
QUESTIONS = ["odds"] * 40
SEND = "Send my answer"


class Class:
    """A room, its phones and its projector."""

    def __init__(self, rooms: Rooms, address: str, process: int, many: int) -> None:
        self.rooms, self.process = rooms, process
        self.room: Opened = rooms.open([Asked(key=key) for key in QUESTIONS])
        query = f"room={self.room.code}"
        self.board = Screen(address, "present", query)
        self.phones = [Screen(address, "room", query) for _ in range(many)]
        self.place = 0

    async def join(self) -> float:
        """Let all phones in by the button; return the server's seconds for each."""
        begun = spent(self.process)
        for phone in self.phones:
            await phone.open()
            await phone.press("Join")
            phone.poll()
        self.board.poll()
        return (spent(self.process) - begun) / len(self.phones)

    def step(self, action: str) -> None:
        """Take a step; elsewhere than here it would do nothing."""
        seen = self.rooms.step(self.room.code, self.room.host, action, self.place)
        self.place = seen.place

    async def busy(self, seconds: float) -> tuple[float, float]:
        """Wait; return the share of a core that the server takes, and its seconds for a poll."""
        polls, begun, clock = self._polls(), spent(self.process), time.perf_counter()
        await asyncio.sleep(seconds)
        used = spent(self.process) - begun
        return used / (time.perf_counter() - clock), used / max(1, self._polls() - polls)

    def _polls(self) -> int:
        return sum(len(screen.polls) for screen in [*self.phones, self.board])

    async def follow(self) -> float:
        """Wait until every phone shows the question; return the seconds that the last one took."""
        begun = time.perf_counter()
        assert await until(lambda: all(SEND in phone.widgets for phone in self.phones))
        return time.perf_counter() - begun

    async def vote(self, within: float) -> tuple[list[float], list[float]]:
        """Let all phones vote; return the seconds to the own page and to the projector."""
        sent, own = [], []
        first = len(self.board.counts)

        async def one(phone: Screen) -> None:
            await asyncio.sleep(random.random() * within)
            await phone.slide("Right guesses", random.randrange(10, 30))
            sent.append(time.perf_counter())
            await phone.press(SEND)
            own.append(time.perf_counter() - sent[-1])

        await asyncio.gather(*(one(phone) for phone in self.phones))
        many = len(self.phones)
        assert await until(lambda: self.board.counts[-1][1] == many)
        seen = self.board.counts[first:]
        shown = [
            next(clock for clock, count in seen if count >= k) - clock_sent
            for k, clock_sent in enumerate(sorted(sent), 1)
        ]
        return own, shown


def said(what: str, seconds: list[float]) -> str:
    return f"{what} {statistics.median(seconds):.2f} / {upper(seconds):.2f} / {max(seconds):.2f} s"


@pytest.mark.parametrize("many", [15, 60, 120])
def test_a_class_votes(rooms: Rooms, many: int) -> None:
    async def act(held: Class) -> None:
        joined = await held.join()
        share, poll = await held.busy(20)
        print(
            f"\n{many} phones, load {os.getloadavg()[0]:.1f}: joining {1000 * joined:.0f} ms each; "
            f"idle {100 * share:.0f}% of a core, {1000 * poll:.1f} ms a poll; "
            f"{resident(held.process):.0f} MB"
        )
        assert share < 0.2 * max(1, many / 60)
        for within in (20.0, 2.0):
            begun = spent(held.process)
            held.step("open")
            last = await held.follow()
            own, shown = await held.vote(within)
            used = spent(held.process) - begun
            held.step("close")
            (found,) = rooms.voted(held.room.code, held.place).rounds
            print(
                f"all within {within:.0f} s: median / 95% / most: {said('own page', own)}, "
                f"{said('projector', shown)}; last phone on the question {last:.1f} s; "
                f"{1000 * used / many:.0f} ms of processor a phone; load {os.getloadavg()[0]:.1f}"
            )
            assert len(found) == many  # none lost
            if many <= 60:
                assert upper(shown) < 2.0
                assert last < 4.0
            held.step("show")
            held.step("next")
        print(f"at the end {resident(held.process):.0f} MB")

    async def all_of_it(address: str, process: int) -> None:
        held = Class(rooms, address, process, many)
        async with screens(held.board):
            try:
                await act(held)
                assert [s.problems for s in (*held.phones, held.board) if s.problems] == []
            finally:
                await asyncio.gather(*(phone.close() for phone in held.phones))

    with server() as (address, process):
        asyncio.run(all_of_it(address, process))
