"""Rooms: open, join, answer, move, and what may be seen; every refusal in words."""

from __future__ import annotations

import contextlib
import functools
import hmac
import json
import secrets
import sqlite3
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random, SystemRandom

from rates.numbers import DomainError
from sims.classroom import checks, moves, shown
from sims.classroom import records as r
from sims.classroom.records import RoomError
from sims.classroom.store import Store, place_of_files


@functools.lru_cache(maxsize=2 * r.MOST_ROOMS)
def _questions(text: str, kind: str, epsilon: float | None) -> tuple[r.Asked, ...]:
    """Read the questions of a room: one record for all its phones, not one for every look.

    Those of rooms that were opened before each had a kind are all of the room's.
    """
    old, found = (kind, epsilon), []
    for key, plain, own, *more in json.loads(text):
        of, budget, options, ends, *true = more or (*old, (), ())
        found.append(r.Asked(key, plain, own, of, budget, tuple(options), tuple(ends), *true))
    return tuple(found)


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
        asked = checks.checked(questions)
        self.purge()
        key = checks.new_key()
        salt = secrets.token_bytes(16)
        kept = [
            [one.key, one.text, one.own, one.kind, one.epsilon, one.options, one.ends, one.true]
            for one in asked
        ]
        text = json.dumps(kept, ensure_ascii=False)
        with self._store.change() as db:
            (rooms,) = db.execute("SELECT COUNT(*) FROM room").fetchone()
            if rooms >= r.MOST_ROOMS:
                if not moves.give_way(db, self._clock() - r.IDLE):
                    raise RoomError(f"There are {rooms} rooms already, the most that fit. End one.")
                self._owed = True
            taken = {code for (code,) in db.execute("SELECT code FROM room")}
            code = next(c for c in iter(checks.new_code, "") if c not in taken)
            db.execute(
                "INSERT INTO room VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
                (code, salt, checks.slow(key, salt), "", None, text, self._clock()),
            )
            for place in range(len(asked)):
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
                    moves.delete(db, code)
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
            action: One of `ACTIONS`.
            place: The question that the lecturer saw; where the room has moved on since (two
                windows, a key pressed twice), nothing is done.

        Raises:
            RoomError: The pass is not the room's, or the state does not allow it.
        """
        self._holds(code, host)
        if action not in moves.ACTIONS:
            raise RoomError(f"A room knows {', '.join(moves.ACTIONS)}.")
        seen = self.look(code)
        if place != seen.place or type(place) is not int:
            return seen
        if action == "end":
            with self._store.change() as db:
                moves.delete(db, code)
            self._owed = True
            self._forget()
            return moves.ended(seen)
        with self._store.change() as db:
            if action in ("next", "back"):
                moves.turn(db, seen, 1 if action == "next" else -1, self._chance)
            elif action == "clear":
                moves.clear(db, seen)
            else:
                moves.stage(db, seen, action, self._chance)
            db.execute("UPDATE room SET touched=? WHERE code=?", (self._clock(), code))
        self._owed |= seen.kind == r.CURATOR or action == "clear"
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
        kind, epsilon, text, place = self._room(code, "kind, epsilon, questions, place")
        ((state,),) = self._store.read(
            "SELECT state FROM stage WHERE code=? AND place=?", code, place
        )
        questions = _questions(text, kind, epsilon)
        plain = questions[place].kind == r.PLAIN
        turn = int(plain and (state == r.AGAIN or self._second(code, place)))
        table, more = ("answer", f" AND round={turn}") if plain else ("answered", "")
        ((voters, answers),) = self._store.read(
            "SELECT (SELECT COUNT(*) FROM voter WHERE code=?), "
            f"(SELECT COUNT(*) FROM {table} WHERE code=? AND place=?{more})",
            *(code, code, place),
        )
        mine, answered = None, False
        if token:
            mark = self._voter(code, token)
            if plain:
                upto = "<=" if state in r.DONE else "="  # who kept silent then has the first one
                own = self._store.read(
                    f"SELECT value FROM answer WHERE code=? AND place=? AND round{upto}? "
                    "AND token=? ORDER BY round DESC LIMIT 1",
                    *(code, place, turn, mark),
                )
                mine = tuple(json.loads(own[0][0])) if own else None
                answered = bool(own)
            else:
                answered = bool(
                    self._store.read(
                        "SELECT 1 FROM answered WHERE code=? AND place=? AND token=?",
                        *(code, place, mark),
                    )
                )
        return r.Seen(code, questions, place, state, voters, answers, mine, answered)

    def _second(self, code: str, place: int) -> bool:
        return bool(
            self._store.read(
                "SELECT 1 FROM answer WHERE code=? AND place=? AND round=1 LIMIT 1", code, place
            )
        )

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
        kind, epsilon, text = self._room(code, "kind, epsilon, questions")
        return shown.voted(self._store, _questions(text, kind, epsilon), code, place)

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
