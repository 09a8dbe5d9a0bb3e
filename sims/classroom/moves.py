"""What a lecturer's keys do to a room, each inside one transaction."""

from __future__ import annotations

import sqlite3
from random import Random

from sims.classroom import records as r
from sims.classroom import shown
from sims.classroom.laws import discrete_laplace
from sims.classroom.records import RoomError
from sims.classroom.store import TABLES

# From each state of a question, what the lecturer may do, and what it becomes. A vote that is
# settled is closed, or closed for talking where the class is split.
STEPS = {
    r.LOBBY: {"read": r.READ, "open": r.OPEN},
    r.READ: {"open": r.OPEN},
    r.OPEN: {"settle": r.CLOSED, "talk": r.TALK, "close": r.CLOSED},
    r.TALK: {"again": r.AGAIN, "close": r.CLOSED},
    r.AGAIN: {"close": r.CLOSED},
    r.CLOSED: {"show": r.SHOWN},
    r.SHOWN: {"figure": r.FIGURE, "why": r.WHY},
    r.FIGURE: {"why": r.WHY},
    r.WHY: {},
}
ACTIONS = (
    "read", "open", "settle", "talk", "again", "close", "show", "figure", "why", "clear", "next",
    "back", "end",
)  # fmt: skip


def onward(seen: r.Seen) -> str:
    """Return what the key for onward does; empty at the end of the room."""
    asked, state = seen.asked, seen.state
    found = {r.READ: "open", r.OPEN: "settle", r.TALK: "again", r.AGAIN: "close"}.get(state, "")
    if asked.kind == r.PAUSE:
        found = ""
    elif state == r.LOBBY:
        found = "read" if asked.first else "open"
    elif state == r.CLOSED and asked.known:
        found = "show"
    elif state == r.SHOWN and asked.pictured:
        found = "figure"
    elif state in (r.SHOWN, r.FIGURE) and asked.key:
        found = "why"
    return found or ("next" if seen.place + 1 < len(seen.questions) else "")


def turn(db: sqlite3.Connection, seen: r.Seen, by: int, chance: Random) -> None:
    """Go on or back by one question; an open vote closes."""
    to = seen.place + by
    if not 0 <= to < len(seen.questions):
        raise RoomError("There is no further question that way.")
    if seen.state in (*r.VOTING, r.TALK):
        stage(db, seen, "close", chance)
    db.execute("UPDATE room SET place=? WHERE code=?", (to, seen.code))
    at = (r.READ, seen.code, to, r.LOBBY)
    db.execute("UPDATE stage SET state=? WHERE code=? AND place=? AND state=?", at)


def clear(db: sqlite3.Connection, seen: r.Seen) -> None:
    """Empty a plain question and open its vote again."""
    if seen.kind != r.PLAIN:
        raise RoomError("A second vote would spend the budget again; ask another question.")
    if seen.state not in (*r.VOTING, r.TALK, r.CLOSED):
        raise RoomError("There is nothing to vote on again: not opened yet, or the truth is known.")
    db.execute("DELETE FROM answer WHERE code=? AND place=?", (seen.code, seen.place))
    put(db, seen, r.OPEN)


def stage(db: sqlite3.Connection, seen: r.Seen, action: str, chance: Random) -> None:
    """Take a question to its next state."""
    at = (seen.code, seen.place)
    (now,) = db.execute("SELECT state FROM stage WHERE code=? AND place=?", at).fetchone()
    becomes = STEPS[now].get(action)
    plain = seen.kind == r.PLAIN
    if becomes is None or seen.kind == r.PAUSE or (action in ("talk", "again") and not plain):
        raise RoomError(f"A question that is {now} cannot be told to {action} in this room.")
    if (action == "show" and not seen.asked.known) or (action == "why" and not seen.asked.key):
        raise RoomError("Nothing is known to be true of this question.")
    if action == "settle" and plain:
        rows = db.execute("SELECT value FROM answer WHERE code=? AND place=? AND round=0", at)
        given = shown.reports(seen.asked, [value for (value,) in rows])
        becomes = r.TALK if shown.split(seen.asked.question, given) else r.CLOSED
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
    assert seen.asked.epsilon is not None
    value = count + discrete_laplace(seen.asked.epsilon, chance)
    db.execute("INSERT INTO release VALUES (?, ?, ?)", (*at, value))
    if seen.kind == r.CURATOR:
        db.execute("DELETE FROM tally WHERE code=? AND place=?", at)


def delete(db: sqlite3.Connection, code: str) -> None:
    """Delete a room, with all that belongs to it."""
    for table in TABLES:
        db.execute(f"DELETE FROM {table} WHERE code=?", (code,))


def give_way(db: sqlite3.Connection, before: float) -> bool:
    """Delete the room that was left alone longest, with no phone in it; whether one is there."""
    found = db.execute(
        "SELECT code FROM room WHERE touched<? AND code NOT IN (SELECT code FROM voter) "
        "ORDER BY touched LIMIT 1",
        (before,),
    ).fetchone()
    if found:
        delete(db, found[0])
    return bool(found)


def ended(seen: r.Seen) -> r.Seen:
    """Return what is left to see of a room that has ended."""
    return r.Seen(seen.code, seen.questions, seen.place, r.ENDED, 0, 0)
