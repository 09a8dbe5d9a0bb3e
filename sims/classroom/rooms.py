"""Rooms: open, join, answer, move, and what may be seen; every refusal in words.

Below `Rooms` is what the lecturer's keys do, each inside one transaction, and the noise on the one
count of a class (coins are tossed on the phones). Real answers get noise from the system's
generator, without a seed: a seed would undo it.
"""

from __future__ import annotations

import contextlib
import functools
import hmac
import json
import math
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random, SystemRandom

from rates.numbers import DomainError
from sims.classroom import checks, shown
from sims.classroom import records as r
from sims.classroom.records import RoomError
from sims.classroom.store import TABLES, Store, place_of_files

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


@functools.lru_cache(maxsize=2 * r.MOST_ROOMS)
def _questions(text: str) -> tuple[r.Asked, ...]:
    """Read the questions of a room: one record for all its phones, not one for every look."""
    return tuple(r.Asked(*fields) for fields in json.loads(text))


class Rooms:
    """All rooms of one file.

    Args:
        path: The file; where `place_of_files` says if None.
        clock: Seconds; rooms die `LIFE` after their last action.
        chance: Where codes' noise comes from: the system's generator. Tests force a release.

    Raises:
        RoomError: The file cannot be used.
    """

    def __init__(
        self,
        path: Path | None = None,
        *,
        clock: Callable[[], float] = time.time,
        chance: Random | None = None,
    ) -> None:
        self._store = Store(path or place_of_files())
        self._clock, self._chance = clock, chance or SystemRandom()
        self._owed = False  # whether what was deleted still has to leave the file
        self.purge()

    def close(self) -> None:
        """Close the file."""
        self._store.close()

    # Opening and ending -------------------------------------------------------------------------

    def open(self, questions: Sequence[r.Asked]) -> r.Opened:
        """Open a room; its key is shown this once and stored only as a hash.

        Args:
            questions: From 1 to 40, pauses included, each of its own kind.

        Raises:
            RoomError: One of them is none, or there are too many rooms.
        """
        checks.check_questions(questions)
        self.purge()
        key = checks.drawn(checks.KEY)
        salt = secrets.token_bytes(16)
        kept = [[one.key, one.text, one.own, one.kind, one.epsilon] for one in questions]
        text = json.dumps(kept, ensure_ascii=False)
        with self._store.change() as db:
            (rooms,) = db.execute("SELECT COUNT(*) FROM room").fetchone()
            if rooms >= r.MOST_ROOMS:
                if not give_way(db, self._clock() - r.IDLE):
                    raise RoomError(f"There are {rooms} rooms already, the most that fit. End one.")
                self._owed = True
            taken = {code for (code,) in db.execute("SELECT code FROM room")}
            code = next(c for c in iter(lambda: checks.drawn(checks.CODE), "") if c not in taken)
            db.execute(
                "INSERT INTO room VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
                # Kind and budget of a whole room are those of earlier files alone.
                (code, salt, checks.slow(key, salt), "", None, text, self._clock()),
            )
            for place in range(len(questions)):
                db.execute("INSERT INTO stage VALUES (?, ?, ?)", (code, place, r.LOBBY))
        return r.Opened(code, key, self._host(code))

    def _host(self, code: str) -> str:
        """Return a new pass of a lecturer's window: long, so that nobody tries them out."""
        made = secrets.token_urlsafe(16)
        with self._store.change() as db:
            db.execute("INSERT INTO host VALUES (?, ?)", (code, checks.fast(made)))
        return made

    def purge(self) -> None:
        """Delete rooms whose last action is too long ago, with all that belongs to them."""
        old = self._clock() - r.LIFE
        dead = [code for (code,) in self._store.read("SELECT code FROM room WHERE touched<?", old)]
        if dead:
            with self._store.change() as db:
                for code in dead:
                    delete(db, code)
            self._owed = True
        self._forget()

    def _forget(self) -> None:
        if self._owed and self._store.forget():
            self._owed = False

    @property
    def forgotten(self) -> bool:
        """Whether nothing that was deleted is left in the file or its log."""
        return not self._owed

    # The lecturer -------------------------------------------------------------------------------

    def admit(self, code: str, key: str) -> str:
        """Check a lecturer's key; return a pass, which moves the room from this window.

        Raises:
            RoomError: It is not the room's.
        """
        salt, host = self._room(code, "salt, host")
        given = "".join(checks.word(key).upper().split())
        if len(given) != checks.KEY or not hmac.compare_digest(checks.slow(given, salt), host):
            raise RoomError("This is not the key of the room. It has 8 letters and digits.")
        return self._host(code)

    def _holds(self, code: str, host: str) -> None:
        self._room(code, "code")
        mark = checks.fast(host)
        if not self._store.read("SELECT 1 FROM host WHERE code=? AND pass=?", code, mark):
            raise RoomError("Only the lecturer's key moves this room. Type it again.")

    def tell_address(self, code: str, host: str, base: str) -> None:
        """Note where phones find the app; the projected screen shows it.

        Raises:
            RoomError: The pass is not the room's.
        """
        self._holds(code, host)
        with self._store.change() as db:
            db.execute("INSERT OR REPLACE INTO address VALUES (?, ?)", (code, base))

    def address(self, code: str) -> str:
        """Return what the lecturer said; empty if nothing."""
        found = self._store.read("SELECT base FROM address WHERE code=?", code)
        return str(found[0][0]) if found else ""

    def step(self, code: str, host: str, action: str, place: int) -> r.Seen:
        """Move a room: what the lecturer's keys do.

        Args:
            code: The room.
            host: A pass that its key gave.
            action: One of `STEPS`, or `next`, `back`, `end`.
            place: The question that the lecturer saw; where the room has moved on since (two
                windows, a key pressed twice), nothing is done.

        Raises:
            RoomError: The pass is not the room's, or the state does not allow it.
        """
        self._holds(code, host)
        seen, action = self.look(code), checks.word(action)
        if place != seen.place or type(place) is not int:
            return seen
        if action == "end":
            with self._store.change() as db:
                delete(db, code)
            self._owed = True
            self._forget()
            return r.Seen(seen.code, seen.questions, seen.place, r.ENDED, 0, 0)
        with self._store.change() as db:
            if action in ("next", "back"):
                turn(db, seen, 1 if action == "next" else -1, self._chance)
            else:
                stage(db, seen, action, self._chance)
            db.execute("UPDATE room SET touched=? WHERE code=?", (self._clock(), code))
        self._owed |= seen.kind == r.CURATOR
        self._forget()
        return self.look(code)

    # The phones ---------------------------------------------------------------------------------

    def join(self, code: str, token: object = "") -> str:
        """Let a phone in by the token that its browser keeps, else a new one; return the token.

        Raises:
            RoomError: There is no such room, or it is full.
        """
        self._room(code, "code")
        kept = checks.word(token)
        kept = kept if len(kept) == len(made := checks.new_token()) else made
        if self.knows(code, kept):
            return kept
        with self._store.change() as db:
            (voters,) = db.execute("SELECT COUNT(*) FROM voter WHERE code=?", (code,)).fetchone()
            if voters >= r.MOST_VOTERS:
                raise RoomError(f"The room is full: {voters} phones have joined.")
            db.execute("INSERT OR IGNORE INTO voter VALUES (?, ?)", (code, checks.fast(kept)))
        return kept

    def knows(self, code: str, token: str) -> bool:
        """Whether a room gave this token to a phone.

        Raises:
            RoomError: The file cannot be read.
        """
        mark = checks.fast(token)
        return bool(self._store.read("SELECT 1 FROM voter WHERE code=? AND token=?", code, mark))

    def look(self, code: str, token: str = "") -> r.Seen:
        """Return what a phone, or the projector without a token, may know.

        Raises:
            RoomError: There is no such room, or the token was not given by it.
        """
        text, place = self._room(code, "questions, place")
        at, read = (code, place), self._store.read
        ((state,),) = read("SELECT state FROM stage WHERE code=? AND place=?", *at)
        questions = _questions(text)
        plain = questions[place].kind == r.PLAIN
        second = "SELECT 1 FROM answer WHERE code=? AND place=? AND round=1 LIMIT 1"
        turn = int(plain and (state == r.AGAIN or bool(read(second, *at))))
        table, more = ("answer", f" AND round={turn}") if plain else ("answered", "")
        ((voters, answers),) = read(
            "SELECT (SELECT COUNT(*) FROM voter WHERE code=?), "
            f"(SELECT COUNT(*) FROM {table} WHERE code=? AND place=?{more})",
            *(code, *at),
        )
        mine, answered = None, False
        if token:
            mark = self._voter(code, token)
            if plain:
                upto = "<=" if state in r.DONE else "="  # who kept silent then has the first one
                own = read(
                    f"SELECT value FROM answer WHERE code=? AND place=? AND round{upto}? "
                    "AND token=? ORDER BY round DESC LIMIT 1",
                    *(*at, turn, mark),
                )
                mine = tuple(json.loads(own[0][0])) if own else None
            else:
                own = read("SELECT 1 FROM answered WHERE code=? AND place=? AND token=?", *at, mark)
            answered = bool(own)
        return r.Seen(code, questions, place, state, voters, answers, mine, answered)

    def vote(self, code: str, token: str, place: int, values: object) -> None:
        """Store an answer to a plain question; it may be changed while the vote is open.

        Raises:
            RoomError: The question is not plain, the vote is not open, or the answer is outside the
                question's set.
        """
        seen, mark = self._may(code, token, place, (r.PLAIN,))
        try:
            report = seen.asked.check(values)
        except DomainError as error:
            raise RoomError(str(error)) from None
        with self._store.change() as db:
            self._still_open(db, seen)
            db.execute(
                "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)",
                (code, place, seen.round, mark, json.dumps(report)),
            )
            db.execute("UPDATE room SET touched=? WHERE code=?", (self._clock(), code))

    def send_bit(self, code: str, token: str, place: int, bit: object) -> None:
        """Count a bit that a phone has already made noisy, once.

        Raises:
            RoomError: The room has no coins, the vote is not open, it is no bit, or the phone
                has answered.
        """
        seen, mark = self._may(code, token, place, (r.COINS, r.CARDS))
        dealt = {"dealt": checks.dealt_card(code, token, place)} if seen.kind == r.CARDS else {}
        self._count(seen, mark, {"noisy": checks.bit_of(bit), **dealt})

    def tell(self, code: str, token: str, place: int, yes: object) -> None:
        """Count a true answer in a curator's room, once and without a link to the phone.

        Raises:
            RoomError: The room has no curator, the vote is not open, it is neither yes nor no,
                or the phone has answered.
        """
        seen, mark = self._may(code, token, place, (r.CURATOR,))
        self._count(seen, mark, {"yes": checks.bit_of(yes)})

    def _count(self, seen: r.Seen, mark: bytes, bits: dict[str, bool]) -> None:
        at = (seen.code, seen.place)
        with self._store.change() as db:
            self._still_open(db, seen)
            if db.execute(
                "SELECT 1 FROM answered WHERE code=? AND place=? AND token=?", (*at, mark)
            ).fetchone():
                raise RoomError("This phone has answered. A second answer would spend more budget.")
            db.execute("INSERT INTO answered VALUES (?, ?, ?)", (*at, mark))
            for what, bit in bits.items():
                db.execute("INSERT OR IGNORE INTO tally VALUES (?, ?, ?, 0)", (*at, what))
                db.execute(
                    "UPDATE tally SET count=count+? WHERE code=? AND place=? AND what=?",
                    (int(bit), *at, what),
                )
            db.execute("UPDATE room SET touched=? WHERE code=?", (self._clock(), seen.code))

    def voted(self, code: str, place: int) -> r.Voted:
        """Return the answers to a question whose last vote has closed.

        Raises:
            RoomError: There is no such room or question, or its vote is not closed.
        """
        (text,) = self._room(code, "questions")
        return shown.voted(self._store, _questions(text), code, place)

    # Checks -------------------------------------------------------------------------------------

    def _room(self, code: str, columns: str) -> tuple:
        found = self._store.read(
            f"SELECT {columns} FROM room WHERE code=? AND touched>=?",
            *(checks.word(code), self._clock() - r.LIFE),
        )
        if not found:
            with contextlib.suppress(RoomError):  # whoever still looks at a dead room deletes it
                self.purge()
            raise RoomError("There is no room of this code. Rooms end 12 hours after the last act.")
        return found[0]

    def _voter(self, code: str, token: str) -> bytes:
        if not self.knows(code, token):
            raise RoomError("This room does not know the phone. Join again by the room's link.")
        return checks.fast(token)

    def _may(
        self, code: str, token: str, place: int, kinds: tuple[str, ...]
    ) -> tuple[r.Seen, bytes]:
        seen = self.look(code)
        mark = self._voter(code, token)
        if seen.kind not in kinds:
            raise RoomError(f"A question of kind {seen.kind} takes no such answer.")
        if type(place) is not int or place != seen.place or seen.state not in r.VOTING:
            raise RoomError("The vote on this question is not open.")
        return seen, mark

    @staticmethod
    def _still_open(db: sqlite3.Connection, seen: r.Seen) -> None:
        found = db.execute(
            "SELECT room.place, stage.state FROM room JOIN stage "
            "ON stage.code=room.code AND stage.place=room.place WHERE room.code=?",
            (seen.code,),
        ).fetchone()
        if found != (seen.place, seen.state):
            raise RoomError("The vote on this question has just closed.")


# The lecturer's keys ----------------------------------------------------------------------------


def allowed(asked: r.Asked, action: str) -> bool:
    """Whether a step of the lecturer fits a question at all, whatever its state."""
    explained = asked.lesson is not None and bool(asked.lesson.explain)
    plain = asked.kind == r.PLAIN
    fits = {"read": asked.first, "show": asked.known, "why": explained, "talk": plain}
    fits |= {"figure": asked.pictured, "again": plain}
    return asked.kind != r.PAUSE and fits.get(action, True)


def onward(seen: r.Seen) -> str:
    """Return what the key for onward does; empty at the end of the room."""
    found = (action for action in STEPS[seen.state] if allowed(seen.asked, action))
    return next(found, "next" if seen.place + 1 < len(seen.questions) else "")


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


def stage(db: sqlite3.Connection, seen: r.Seen, action: str, chance: Random) -> None:
    """Take a question to its next state."""
    at = (seen.code, seen.place)
    (now,) = db.execute("SELECT state FROM stage WHERE code=? AND place=?", at).fetchone()
    becomes = STEPS[now].get(action)
    if becomes is None or not allowed(seen.asked, action):
        raise RoomError(f"A question that is {now} cannot be told to {action} in this room.")
    if action == "settle" and seen.kind == r.PLAIN:
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


def discrete_laplace(epsilon: float, chance: Random) -> int:
    r"""Draw z with probability proportional to :math:`e^{-\varepsilon |z|}`, exactly.

    It makes a count of sensitivity 1 :math:`\varepsilon`-differentially private. All probabilities
    are decided in whole numbers, so that no rounding of floats shows through.

    Args:
        epsilon: Positive and finite, taken as the fraction that its float is.
        chance: The system's generator for real answers; a seeded one for simulated classes.

    Raises:
        DomainError: The budget is not positive and finite.

    Source: Canonne, Kamath, Steinke (2020), Algorithm 2.
    """
    if not 0 < epsilon < math.inf:
        raise DomainError("The budget of a count must be positive and finite.", "epsilon", epsilon)
    top, under = Fraction(epsilon).as_integer_ratio()
    while True:
        rest = chance.randrange(under)
        if not _exponential(Fraction(rest, under), chance):
            continue
        whole = 0
        while _exponential(Fraction(1), chance):
            whole += 1
        size = (rest + under * whole) // top
        negative = bool(chance.getrandbits(1))
        if not (negative and size == 0):
            return -size if negative else size


def _exponential(gamma: Fraction, chance: Random) -> bool:
    """Return true with probability exp(-gamma), for gamma in [0, 1]."""
    k = 1
    while chance.randrange(gamma.denominator * k) < gamma.numerator:
        k += 1
    return k % 2 == 1
