"""The file of all rooms: one SQLite file, one connection, every answer on the disk."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sims.classroom.records import RoomError

VARIABLE = "RATES_ROOMS"
NAME = "rooms.sqlite"
BUSY = 5.0  # seconds that one writer waits for another
_SHORT = 0.1  # seconds that tidying up waits for a reader
_TRIES = 5
_SETTINGS = ("journal_mode=WAL", "synchronous=FULL", "secure_delete=ON", "temp_store=MEMORY")
# Rows lie in the order of their keys, so that the order of arrival leaves no trace in the file.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS room(code TEXT PRIMARY KEY, salt BLOB NOT NULL, host BLOB NOT NULL,
  kind TEXT NOT NULL, epsilon REAL, questions TEXT NOT NULL, place INTEGER NOT NULL,
  touched REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS stage(code TEXT, place INTEGER, state TEXT NOT NULL,
  PRIMARY KEY(code, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS voter(code TEXT, token BLOB, PRIMARY KEY(code, token)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answer(code TEXT, place INTEGER, round INTEGER, token BLOB,
  value TEXT NOT NULL, PRIMARY KEY(code, place, round, token)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answered(code TEXT, place INTEGER, token BLOB,
  PRIMARY KEY(code, place, token)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tally(code TEXT, place INTEGER, what TEXT, count INTEGER NOT NULL,
  PRIMARY KEY(code, place, what)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS release(code TEXT, place INTEGER, value INTEGER NOT NULL,
  PRIMARY KEY(code, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS host(code TEXT, pass BLOB, PRIMARY KEY(code, pass)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS address(code TEXT PRIMARY KEY, base TEXT NOT NULL) WITHOUT ROWID;
DROP TABLE IF EXISTS attempt;
"""
TABLES = ("room", "stage", "voter", "answer", "answered", "tally", "release", "host", "address")


def place_of_files(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the rooms are kept: what `VARIABLE` says, else the user's state folder."""
    given = environment.get(VARIABLE, "")
    if given:
        return Path(given).expanduser()
    if sys.platform == "win32":
        base = environment.get("LOCALAPPDATA", "~/AppData/Local")
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = environment.get("XDG_STATE_HOME", "") or "~/.local/state"
    return Path(base).expanduser() / "private-rates" / NAME


class _Connection(sqlite3.Connection):
    """A connection that is closed when nobody has it any more; Python 3.13 warns of others."""

    def __del__(self) -> None:
        self.close()


class Store:
    """One file of rooms, and its connection.

    Several servers on one machine may share a file: every change is one transaction. A folder on
    a network is refused by most systems' locks, and is not supported.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            RoomError: It cannot be written, is no file of rooms, or no phone could reach it.
        """
        if sys.platform == "emscripten":
            raise RoomError(
                "A room needs a server that phones can reach, and this page runs in your browser "
                "alone. On a machine with Python, private-rates --share opens such a server."
            )
        self._turn = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            how: dict[str, Any] = {"isolation_level": None, "factory": _Connection}
            self._db = sqlite3.connect(path, timeout=BUSY, check_same_thread=False, **how)
            for line in _SETTINGS:
                self._db.execute(f"PRAGMA {line}")
            with self.change() as db:
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    db.execute(statement)
            path.chmod(0o600)
        except (OSError, sqlite3.Error) as error:
            raise RoomError(
                f"Rooms need a file that can be written, and this one cannot: {_why(error)}. "
                f"Set {VARIABLE} to a file of your own."
            ) from None

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Hold the connection alone.

        Every look of every phone comes in a thread of its own, and takes less than another
        connection would.
        """
        with self._turn:
            yield self._db

    def close(self) -> None:
        """Close the connection."""
        self._db.close()

    def read(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return rows.

        Raises:
            RoomError: The file cannot be read now.
        """
        try:
            with self.connection() as db:
                return db.execute(query, values).fetchall()
        except sqlite3.Error as error:
            raise RoomError(f"The rooms cannot be read now: {_why(error)}.") from None

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Make one change: all of it, or nothing.

        Raises:
            RoomError: It could not be stored; then nothing was.
        """
        try:
            with self.connection() as db:
                db.execute("BEGIN IMMEDIATE")
                try:
                    yield db
                    db.execute("COMMIT")
                except BaseException:
                    if db.in_transaction:
                        db.execute("ROLLBACK")
                    raise
        except sqlite3.Error as error:
            raise RoomError(f"Nothing was stored: {_why(error)}.") from None

    def forget(self) -> bool:
        """Rewrite the file without what was deleted, and empty its log.

        Returns:
            Whether that was done; a long reader may be in the way, for whom no class waits, then it
            is tried again by the next one who calls.
        """
        try:
            with self.connection() as db, _patience(db, _SHORT):
                db.execute("VACUUM")
                for _ in range(_TRIES):
                    busy, *_rest = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
                    if not busy:
                        return True
        except sqlite3.Error:
            return False
        return False


@contextmanager
def _patience(db: sqlite3.Connection, seconds: float) -> Iterator[None]:
    """Let a connection wait for others no longer than this, for a while."""
    db.execute(f"PRAGMA busy_timeout={1000 * seconds:.0f}")
    try:
        yield
    finally:
        db.execute(f"PRAGMA busy_timeout={1000 * BUSY:.0f}")


def _why(error: Exception) -> str:
    text = str(error).lower()
    if "full" in text:
        return "the disk is full"
    if "locked" in text or "busy" in text:
        return "another server is writing; try again"
    if "not a database" in text or "malformed" in text:
        return "the file is not one of rooms"
    if isinstance(error, PermissionError) or "readonly" in text or "unable to open" in text:
        return "no leave to write there"
    return "the system refused it"
