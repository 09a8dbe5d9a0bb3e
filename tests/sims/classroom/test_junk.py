"""Ten thousand messages of junk: refused in words, nothing stored, no other exception."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sims.classroom import CARDS, COINS, CURATOR, Asked, RoomError, Rooms

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
