"""A live server that is killed in the middle of a vote, and what its log says of our code."""

from __future__ import annotations

import asyncio
import os
import re
import signal
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pages.classroom.room import cookie
from sims.classroom import Asked, Rooms
from tests.benchmarks.phones import Screen, screens, spent, until
from tests.benchmarks.wire import ROOT, server
from tests.browser.conftest import free_port

STORED = "It is stored"
T = TypeVar("T")


def apart(work: Coroutine[Any, Any, T]) -> T:
    """Run in a thread of its own: that of the tests may hold a browser's loop."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(asyncio.run, work).result()


def ours(log: str) -> list[str]:
    """Exceptions that our code raised and did not catch, of all that a server's log tells.

    Streamlit itself raises some where a value has another type than its widget's; only the session
    that sent it is told so, without any line of code.
    """
    found = []
    for block in log.split("Traceback (most recent call last):")[1:]:
        frames = re.findall(r'^  File "([^"]+)", line ', block, re.MULTILINE)
        error = next((line for line in block.splitlines()[1:] if line[:1].strip()), block)
        found += [
            error
            for place in frames[-1:]
            if Path(place).is_relative_to(ROOT)
            and Path(place).relative_to(ROOT).parts[0] in ("app.py", "pages", "sims", "rates")
            and "RoomError" not in error  # one that was said on the page comes before another
        ]
    return found


def test_an_exception_of_ours_is_told_from_one_of_streamlit() -> None:
    def log(*places: str) -> str:
        frames = "".join(f'  File "{one}", line 1, in f\n    g()\n    ^^^\n' for one in places)
        return f"Uncaught\nTraceback (most recent call last):\n{frames}KeyError: 'a'\nmore\n"

    theirs, page = "/lib/streamlit/run.py", str(ROOT / "pages" / "study.py")
    assert ours(log(theirs, page)) == ["KeyError: 'a'"]
    assert ours(log(theirs, page, theirs)) == []
    assert ours(log(theirs) + log(theirs, page)) == ["KeyError: 'a'"]


@pytest.mark.slow
def test_a_server_is_killed_while_twenty_phones_vote(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="odds")])
    rooms.step(room.code, room.host, "open", 0)
    marks = [rooms.join(room.code) for _ in range(20)]
    port = free_port()

    def phones(address: str) -> list[Screen]:
        kept = [f"{cookie(room.code)}={mark}" for mark in marks]
        return [Screen(address, "room", f"room={room.code}", cookies=one) for one in kept]

    def seen(many: list[Screen]) -> list[str]:
        return [mark for mark, p in zip(marks, many, strict=True) if p.says(STORED)]

    async def vote(address: str, process: int) -> list[str]:
        many = phones(address)
        async with screens(*many):
            await asyncio.gather(*(phone.slide("Right guesses", 5) for phone in many))
            for phone in many:
                phone.begin(phone.press("Send my answer"))
            assert await until(lambda: sum(phone.says(STORED) for phone in many) >= 7)
            os.kill(process, signal.SIGKILL)
            await asyncio.gather(*(phone.cut_off() for phone in many))
            return seen(many)

    async def back(address: str) -> list[str]:
        many = phones(address)
        async with screens(*many):
            return seen(many)

    with server(port=port) as (address, process):
        told = apart(vote(address, process))
    assert 7 <= len(told) < 20
    stored = {mark for mark in marks if rooms.look(room.code, mark).answered}
    assert set(told) <= stored
    with server(port=port) as (address, process):
        shown, used = apart(back(address)), spent(process)
    assert set(shown) == stored
    assert used < 10  # by the server's own work: on a busy machine the clock tells of others
