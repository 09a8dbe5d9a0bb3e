"""What is shown of the answers to a question, when its last vote has closed."""

from __future__ import annotations

import json

from sims.classroom import records as r
from sims.classroom.records import RoomError
from sims.classroom.store import Store


def voted(store: Store, kind: str, code: str, place: int) -> r.Voted:
    """Return the answers to a question of a room.

    Raises:
        RoomError: There is no such question, or its vote is not closed.
    """
    at = (code, place if type(place) is int and 0 <= place < r.MOST_QUESTIONS else -1)
    stage = store.read("SELECT state FROM stage WHERE code=? AND place=?", *at)
    if not stage or stage[0][0] not in (r.CLOSED, r.SHOWN):
        raise RoomError("Answers are shown when the vote has closed.")
    if kind == r.PLAIN:
        rows = store.read("SELECT round, value FROM answer WHERE code=? AND place=?", *at)
        rounds = [
            tuple(sorted(tuple(json.loads(value)) for turn, value in rows if turn == k))
            for k in sorted({turn for turn, _ in rows})
        ]
        total = max(map(len, rounds), default=0)
        few = 0 < total < r.LEAST_SHOWN
        return r.Voted(() if few else tuple(rounds), total=total, few=few)
    tally = dict(store.read("SELECT what, count FROM tally WHERE code=? AND place=?", *at))
    released = store.read("SELECT value FROM release WHERE code=? AND place=?", *at)
    ((total,),) = store.read("SELECT COUNT(*) FROM answered WHERE code=? AND place=?", *at)
    return r.Voted(
        noisy=tally.get("noisy"),
        total=total,
        released=released[0][0] if released else None,
        dealt=tally.get("dealt"),
    )
