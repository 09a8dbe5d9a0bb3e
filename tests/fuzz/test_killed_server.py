"""A live server that is killed again and again in a session."""

from __future__ import annotations

import asyncio
import json
import math
import os
import re
import signal
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from pages.classroom.room import cookie
from sims.classroom import COINS, CURATOR, PLAIN, VOTING, Asked, Rooms, onward, read_questions
from sims.classroom.checks import fast
from sims.lessons import Playlist
from tests.benchmarks.phones import Screen, apart, screens, spent, until
from tests.benchmarks.wire import free_port, server
from tests.fuzz.test_protocol import ours

Vote = tuple[int, int, int]  # phone, place, and which vote of it
SEED, KILLS, PHONES = 20261126, 20, 8
ACTS = 200  # presses of a session, at least
LINES = "Which? | Ash | Elm | Yew\nHow? | 0 to 40\nIs it? | coins\nIs it? | curator\nback"
WHICH, MANY, COIN, COUNT, BACK, _ = read_questions(LINES, Playlist(()), math.log(3))
TEN = (WHICH, MANY, COIN, COUNT, BACK, MANY, WHICH, COUNT, COIN, WHICH)


def slid(one: Asked) -> bool:
    """Whether a phone answers by a slider."""
    return one.kind == PLAIN and one.question.parameter is not None


class Session:
    """A lecturer and eight phones in a room of ten questions, over all lives of its server.

    Attributes:
        moments: Presses, counted from the first, soon after which the server is killed.
        sent: What each phone has pressed in each vote, from what it was last told is stored.
        told: The votes that each phone was told are stored.
        keys: How often the lecturer has typed the key.
        back: Processor seconds until all were back, for each life.
    """

    def __init__(self, rooms: Rooms, file: Path) -> None:
        self.rooms, self.file, self.room = rooms, file, rooms.open(TEN)
        self.marks = [rooms.join(self.room.code) for _ in range(PHONES)]
        self.moments = sorted(Random(SEED).sample(range(1, ACTS), KILLS))
        self.sent: dict[Vote, list[int]] = {}
        self.told: set[Vote] = set()
        self.acts = self.keys = 0
        self.back: list[float] = []

    async def live(self, address: str, process: int) -> bool:
        """Go on until the server dies, or the session has ended; whether it has."""
        code, self.process, self.dying = self.room.code, process, False
        self.host = Screen(address, "present", f"room={code}&side=private")
        kept = [f"{cookie(code)}={mark}" for mark in self.marks]
        self.phones = [Screen(address, "room", f"room={code}", cookies=one) for one in kept]
        every = [self.host, *self.phones]
        async with screens(*every):
            await self.host.submit("The lecturer's key moves this room", self.room.key, "Take over")
            self.keys += 1
            self.back.append(spent(process))
            for one in every:
                one.poll()
            session = asyncio.create_task(self.go_on())
            death = asyncio.create_task(cut_off(every))
            await asyncio.wait({session, death}, return_when=asyncio.FIRST_COMPLETED)
            if self.dying:
                await death
                session.cancel()
            death.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await session
            assert not [one.problems for one in every if one.problems]
            for number in range(PHONES):
                self.hear(number)
            self.check_told()
            return not self.dying

    async def go_on(self) -> None:
        """Let the lecturer move the room from where it is to its end, and the phones vote."""
        while True:
            seen = self.rooms.look(self.room.code)
            if seen.state in VOTING:
                at = seen.place, seen.round
                await asyncio.gather(*(self.vote((number, *at)) for number in range(PHONES)))
                self.check(*at)
            if not onward(seen):
                return
            self.act()
            await self.host.press(await named(self.host, "_on"))

    def act(self) -> None:
        """Count a press; soon after some of them the server dies."""
        self.acts += 1
        if self.moments and self.acts >= self.moments[0] and not self.dying:
            self.dying, soon = True, Random(self.moments.pop(0)).random() / 4
            asyncio.get_running_loop().call_later(soon, os.kill, self.process, signal.SIGKILL)

    async def vote(self, vote: Vote) -> None:
        """Let a phone send what is not stored yet; some change what they sent."""
        number, place, turn = vote
        phone, one, chance = self.phones[number], TEN[place], Random(f"{vote}")
        self.hear(number)
        many = 1 + (one.kind == PLAIN and not slid(one) and chance.random() < 1 / 4)
        among = 2 if one.kind != PLAIN else 41 if slid(one) else len(one.question.parts)
        wanted = chance.sample(range(among), many)
        if vote in self.told:
            wanted = wanted[wanted.index(self.sent[vote][0]) + 1 :]
        for value in wanted:
            label = await named(phone, self.button(place, turn, value))
            await asyncio.sleep(chance.random() / 2)
            if slid(one):
                self.act()
                await phone.slide("Your answer", value + 1)  # its first stop is for none
            self.act()
            self.sent.setdefault(vote, []).append(value)
            await phone.press(label)
            self.hear(number)
            assert vote in self.told
            assert self.sent[vote][0] == value

    def button(self, place: int, turn: int, value: int) -> str:
        """Return how the name of a phone's button ends."""
        one, at = TEN[place], f"{self.room.code}_{place}"
        if one.kind == PLAIN:
            return f"send_{at}_{turn}" if slid(one) else f"option_{at}_{turn}_{value}"
        return f"{'hand' if one.kind == COINS else 'tell'}_{at}_{value}"

    def hear(self, number: int) -> None:
        """Note which vote a phone's page says is stored, and of a choice which option."""
        phone = self.phones[number]
        for label, name in phone.widgets.items():
            found = re.search(r"(option|send)_\w{6}_(\d)_(\d)(?:_(\d))?$", name)
            if found and (label.startswith("✓") or label == "Change my answer"):
                self.note((number, int(found[2]), int(found[3])), found[4])
        if "Your answer is stored." in phone.texts:
            (place,) = {x for text in phone.texts for x in re.findall(r"question (\d+) of", text)}
            self.note((number, int(place) - 1, 0), None)

    def note(self, vote: Vote, option: str | None) -> None:
        sent = self.sent[vote]
        value = sent[-1] if option is None else int(option)
        self.sent[vote] = sent[sent.index(value) :]
        self.told.add(vote)

    # What is in the file

    def stored(self, place: int, turn: int) -> dict[int, int | None]:
        """Return each phone's answer as the file has it; None where it is counted, not kept."""
        phones = {fast(mark): number for number, mark in enumerate(self.marks)}
        plain = TEN[place].kind == PLAIN
        asked = f"SELECT token, value FROM answer WHERE round={turn} AND place=?"
        rows = self.rows(
            asked if plain else "SELECT token, NULL FROM answered WHERE place=?", place
        )
        found = {phones[token]: json.loads(value)[0] if value else None for token, value in rows}
        assert len(found) == len(rows) <= PHONES  # nobody's twice
        return found

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.file)) as db:
            return db.execute(query, values).fetchall()

    def check_told(self) -> None:
        """No vote that a phone was told of is lost, and what it was told is what is stored."""
        for number, place, turn in self.told:
            assert self.stored(place, turn)[number] in (None, *self.sent[number, place, turn])

    def check(self, place: int, turn: int) -> None:
        """All have voted, each once and as the phone was told; counts are those of the votes."""
        given = {number: self.sent[number, place, turn][0] for number in range(PHONES)}
        kind, found = TEN[place].kind, self.stored(place, turn)
        assert found == (given if kind == PLAIN else dict.fromkeys(given))
        if kind != PLAIN:
            counted = self.rows("SELECT what, count FROM tally WHERE place=?", place)
            assert counted == [("noisy" if kind == COINS else "yes", sum(given.values()))]


async def cut_off(screens: list[Screen]) -> None:
    """Wait until the server is gone for all of them."""
    for one in screens:
        await one.cut_off()


async def named(screen: Screen, ends: str) -> str:
    """Wait for a widget whose name ends so; return its label."""

    def found() -> list[str]:
        return [label for label, name in screen.widgets.items() if name.endswith(ends)]

    assert await until(found)
    return found()[0]


@pytest.mark.slow
def test_twenty_kills_of_a_server_in_a_session_of_ten_questions(
    rooms: Rooms, tmp_path: Path
) -> None:
    session, port, lives = Session(rooms, tmp_path / "rooms.sqlite"), free_port(), 0
    with (tmp_path / "log").open("wb") as log:
        ended = False
        while not ended:
            lives += 1
            with server(port=port, errors=log) as (address, process):
                ended = apart(session.live(address, process))
    print(
        f"\n{lives - 1} kills at {session.acts} presses, {len(session.told)} votes of {PHONES} "
        f"phones told; back after {max(session.back):.1f} s of processor at most"
    )
    assert (lives, session.keys, session.moments) == (KILLS + 1, KILLS + 1, [])
    votes = {(place, turn) for _, place, turn in session.told}
    assert {place for place, _ in votes} == {*range(len(TEN))}
    for place, turn in votes:
        if TEN[place].kind != CURATOR:  # whose counts are deleted
            session.check(place, turn)
    released = session.rows("SELECT place FROM release")
    assert released == [(place,) for place, one in enumerate(TEN) if one.kind == CURATOR]
    assert not session.rows("SELECT 1 FROM tally WHERE what='yes'")
    assert session.rows("SELECT COUNT(*) FROM voter") == [(PHONES,)]
    assert max(session.back) < 10  # by the server's own work: on a busy machine the clock differs
    assert not ours((tmp_path / "log").read_text())
