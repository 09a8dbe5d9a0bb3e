"""Messages of junk are refused and store nothing; what a killed server acknowledged is there."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sims.classroom import CARDS, COINS, CURATOR, PLAIN, Asked, RoomError, Rooms, read_questions
from sims.lessons import Playlist

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 41, 10**30, 0.5, float("nan"), float("inf"), "", "x", "0",
    "';DROP TABLE room;--", "\x00", "\ud800", "é" * 300, b"\xff", (), [], {}, (1,), [60], (60.5,),
    ("60",), (60, 61), [[60]], {"a": 1}, object(),
)  # fmt: skip


def dump(path: Path) -> list[str]:
    """Everything that is stored."""
    with closing(sqlite3.connect(path)) as db:
        return list(db.iterdump())


@pytest.mark.parametrize("messages", [300, pytest.param(10_000, marks=pytest.mark.deep)])
def test_junk_is_refused_in_words(tmp_path: Path, messages: int) -> None:
    path = tmp_path / "rooms.sqlite"
    rooms = Rooms(path)
    made = [
        rooms.open([Asked(key="odds")]),
        *(rooms.open([Asked(text="Yes?", kind=k, epsilon=1.0)]) for k in (COINS, CURATOR, CARDS)),
    ]
    phones = [rooms.join(room.code) for room in made]
    for room in made[:3]:
        rooms.step(room.code, room.host, "open", 0)
    rng = Random(20261122)
    codes = [room.code for room in made]

    def junk() -> Any:
        return rng.choice(JUNK)

    def mostly(good: Any) -> Any:
        return good if rng.random() < 0.7 else junk()

    before = dump(path)
    for _ in range(messages):
        k = rng.randrange(4)
        phone, wrong = mostly(phones[k]), junk()
        name, given = rng.choice(
            (
                ("vote", (mostly(codes[k]), phone, mostly(0), wrong)),
                ("send_bit", (mostly(codes[k]), phone, mostly(0), wrong)),
                ("tell", (mostly(codes[k]), phone, mostly(0), wrong)),
                ("look", (wrong, phone)),
                ("step", (mostly(codes[k]), junk(), mostly("close"), mostly(0))),
                ("step", (codes[k], made[k].host, junk(), 0)),
                ("open", ([Asked(key="odds"), Asked(key=str(junk()))],)),
                ("open", ([Asked(key="own", own=str(junk()))],)),
                ("tell_address", (codes[k], junk(), junk())),
                ("voted", (mostly(codes[k]), mostly(0))),
                ("join", (junk(),)),
            )
        )
        good = {"send_bit": (0, 1), "tell": (0, 1), "vote": ([60], (60.5,))}
        if wrong in good.get(name, ()):
            continue  # by chance
        with pytest.raises(RoomError) as caught:
            getattr(rooms, name)(*given)
        assert len(str(caught.value)) > 20
    assert dump(path) == before
    rooms.close()


# A killed server ---------------------------------------------------------------------------------


VOTER = """
import sys
from pathlib import Path
from sims.classroom import CURATOR, PLAIN, Rooms
rooms = Rooms(Path(sys.argv[1]))
seen = rooms.look(sys.argv[2])
vote = {PLAIN: rooms.vote, CURATOR: rooms.tell}.get(seen.kind, rooms.send_bit)
for token in sys.argv[3:]:
    sys.stdin.readline()  # until it may go on
    vote(sys.argv[2], token, seen.place, 1)
    print(token, flush=True)
"""


def killed(path: Path, code: str, phones: list[str], after: int) -> list[str]:
    """Let phones vote at a server that is killed after so many; those that it acknowledged.

    The kill comes while the next vote is under way.
    """
    with subprocess.Popen(
        [sys.executable, "-c", VOTER, str(path), code, *phones],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as server:
        server.stdin.write("\n" * (after + 1))
        server.stdin.flush()
        told = [server.stdout.readline().strip() for _ in range(after)]
        os.kill(server.pid, signal.SIGKILL)
        return told + server.stdout.read().split()


KINDS = [PLAIN, COINS, CURATOR]


@pytest.mark.parametrize("kinds", [[COINS], pytest.param(KINDS, marks=pytest.mark.deep)])
def test_kills_in_a_session(tmp_path: Path, kinds: list[str]) -> None:
    """No acknowledged vote is lost, none counts twice, and the key lets the lecturer in again."""
    chance, path, cut = Random(20261126), tmp_path / "rooms.sqlite", 0
    rooms = Rooms(path)
    (choice,) = read_questions("Which? | A | B | C", Playlist(()), 1.0)
    yes_no = {kind: Asked(text="Is it?", kind=kind, epsilon=1.0) for kind in (COINS, CURATOR)}
    room = rooms.open([yes_no.get(kind, choice) for kind in kinds])
    phones = [rooms.join(room.code) for _ in range(30)]
    for place, kind in enumerate(kinds):
        host = rooms.admit(room.code, room.key)
        rooms.step(room.code, host, "open", place)
        left = phones
        for _ in range(2):
            rooms.close()
            told = killed(path, room.code, left, chance.randint(1, -(-len(left) // 2)))
            rooms = Rooms(path)
            before = len(phones) - len(left)
            stored = {phone for phone in phones if rooms.look(room.code, phone).answered}
            assert set(told) <= stored
            assert len(stored) <= before + len(told) + 1  # one may be stored that was not yet told
            left = [phone for phone in phones if phone not in stored]
            cut += bool(left)
            if not left:
                break
        vote = {PLAIN: rooms.vote, CURATOR: rooms.tell}.get(kind, rooms.send_bit)
        for phone in left:
            vote(room.code, phone, place, 1)
        rooms.step(room.code, host, "close", place)
        voted = rooms.voted(room.code, place)
        assert voted.totals == (30,)
        if kind == PLAIN:
            assert voted.rounds == (((0, 1, 0),) * 30,)
        elif kind == COINS:
            assert voted.noisy == 30
        if place + 1 < len(kinds):
            rooms.step(room.code, host, "next", place)
    assert cut >= 1.5 * len(kinds)  # of the two kills of a question came before the last vote
    rooms.close()
