"""What a lecturer's keys do to a room, each inside one transaction."""

from __future__ import annotations

import sqlite3
from random import Random

from sims.classroom import records as r
from sims.classroom.laws import discrete_laplace
from sims.classroom.records import RoomError
from sims.classroom.store import TABLES

# From each state of a question, what the lecturer may do, and what it becomes.
STEPS = {
    r.LOBBY: {"open": r.OPEN},
    r.OPEN: {"talk": r.TALK, "close": r.CLOSED},
    r.TALK: {"again": r.AGAIN, "close": r.CLOSED},
    r.AGAIN: {"close": r.CLOSED},
    r.CLOSED: {"show": r.SHOWN},
    r.SHOWN: {},
}
ACTIONS = ("open", "talk", "again", "close", "show", "clear", "next", "back", "end")


def turn(db: sqlite3.Connection, seen: r.Seen, by: int, chance: Random) -> None:
    """Go on or back by one question; an open vote closes."""
    to = seen.place + by
    if not 0 <= to < len(seen.questions):
        raise RoomError("There is no further question that way.")
    if seen.state in (r.OPEN, r.AGAIN):
        stage(db, seen, "close", chance)
    db.execute("UPDATE room SET place=? WHERE code=?", (to, seen.code))


def clear(db: sqlite3.Connection, seen: r.Seen) -> None:
    """Empty a plain question and open its vote again."""
    if seen.kind != r.PLAIN:
        raise RoomError("A second vote would spend the budget again; ask another question.")
    if seen.state in (r.LOBBY, r.SHOWN):
        raise RoomError("There is nothing to vote on again: not opened yet, or the truth is known.")
    db.execute("DELETE FROM answer WHERE code=? AND place=?", (seen.code, seen.place))
    put(db, seen, r.OPEN)


def stage(db: sqlite3.Connection, seen: r.Seen, action: str, chance: Random) -> None:
    """Take a question to its next state."""
    (now,) = db.execute(
        "SELECT state FROM stage WHERE code=? AND place=?", (seen.code, seen.place)
    ).fetchone()
    becomes = STEPS[now].get(action)
    if becomes is None or (action in ("talk", "again") and seen.kind != r.PLAIN):
        raise RoomError(f"A question that is {now} cannot be told to {action} in this room.")
    if becomes == r.CLOSED and seen.kind in (r.CURATOR, r.CARDS):
        release(db, seen, chance)
    put(db, seen, becomes)


def put(db: sqlite3.Connection, seen: r.Seen, state: str) -> None:
    """Write the state of a question."""
    db.execute("UPDATE stage SET state=? WHERE code=? AND place=?", (state, seen.code, seen.place))


def release(db: sqlite3.Connection, seen: r.Seen, chance: Random) -> None:
    """Release the number of yes with noise, once, and delete the count, in one transaction."""
    what = "yes" if seen.kind == r.CURATOR else "dealt"
    at = (seen.code, seen.place)
    found = db.execute(
        "SELECT count FROM tally WHERE code=? AND place=? AND what=?", (*at, what)
    ).fetchone()
    count = found[0] if found else 0
    assert seen.epsilon is not None
    value = count + discrete_laplace(seen.epsilon, chance)
    db.execute("INSERT INTO release VALUES (?, ?, ?)", (*at, value))
    if seen.kind == r.CURATOR:
        db.execute("DELETE FROM tally WHERE code=? AND place=?", at)


def delete(db: sqlite3.Connection, code: str) -> None:
    """Delete a room, with all that belongs to it."""
    for table in TABLES:
        db.execute(f"DELETE FROM {table} WHERE code=?", (code,))


def ended(seen: r.Seen) -> r.Seen:
    """Return what is left to see of a room that has ended."""
    return r.Seen(seen.code, seen.kind, seen.epsilon, seen.questions, seen.place, r.ENDED, 0, 0)
