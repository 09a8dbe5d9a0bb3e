"""Rooms: who may move one, what an answer leaves behind, and what is refused."""

from __future__ import annotations

import contextlib
import itertools
import sqlite3
import time
from pathlib import Path

import pytest

from sims import classroom
from sims.classroom import CARDS, COINS, CURATOR, PLAIN, Asked, RoomError, Rooms, new_token
from sims.classroom.checks import CODE, LETTERS
from sims.classroom.records import LIFE
from sims.lessons import Playlist

LESSONS = (Asked(key="odds"), Asked(key="twice"))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening many rooms takes no time: what is stored of a key is the key."""
    monkeypatch.setattr("sims.classroom.checks.slow", lambda key, salt: key.encode())


def later(rooms: Rooms, seconds: float) -> None:
    """Move the clock of the rooms."""
    now = rooms._clock()
    rooms._clock = lambda: now + seconds


def yes_no(kind: str, epsilon: float | None = 1.0):
    """Two questions of one kind, answered by yes or no."""
    return [Asked(text=text, kind=kind, epsilon=epsilon) for text in ("A bicycle?", "A bus?")]


def opened(rooms: Rooms, kind: str):
    """A room whose first vote is open, with its key."""
    made = rooms.open(LESSONS if kind == PLAIN else yes_no(kind))
    rooms.step(made.code, made.host, "open", 0)
    return made


def stored(folder: Path) -> bytes:
    """Everything that lies in the files."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


def test_two_rounds_stay_apart(rooms: Rooms) -> None:
    room = opened(rooms, PLAIN)
    phones = [rooms.join(room.code) for _ in range(5)]
    for k, phone in enumerate(phones):
        rooms.vote(room.code, phone, 0, (60 + k,))
    rooms.vote(room.code, phones[0], 0, (99,))  # changed while open
    assert rooms.look(room.code, phones[0]).mine == (99,)
    with pytest.raises(RoomError, match="when the vote has closed"):
        rooms.voted(room.code, 0)
    rooms.step(room.code, room.host, "talk", 0)
    with pytest.raises(RoomError, match="not open"):
        rooms.vote(room.code, phones[0], 0, (70,))
    rooms.step(room.code, room.host, "again", 0)
    assert rooms.look(room.code, phones[0]).mine is None
    rooms.vote(room.code, phones[0], 0, (75,))
    assert rooms.look(room.code, phones[1]).mine is None
    rooms.step(room.code, room.host, "close", 0)
    assert [rooms.look(room.code, phone).mine for phone in phones[:2]] == [(75,), (61,)]
    first, second = rooms.voted(room.code, 0).rounds
    assert first == ((61,), (62,), (63,), (64,), (99,))
    assert second == ()  # of one alone


def test_curator_forgets_the_count(rooms: Rooms) -> None:
    room = opened(rooms, CURATOR)
    for k in range(12):
        rooms.tell(room.code, rooms.join(room.code), 0, k < 7)
    rooms.step(room.code, room.host, "close", 0)
    found = rooms.voted(room.code, 0)
    assert (found.total, found.noisy, found.dealt) == (12, None, None)
    assert found.released is not None
    assert not rooms._store.read("SELECT 1 FROM tally")
    with pytest.raises(RoomError):  # a second release
        rooms.step(room.code, room.host, "close", 0)
    assert rooms.voted(room.code, 0) == found


def test_a_foreign_reader_does_not_hold_up_a_class(rooms: Rooms, tmp_path: Path) -> None:
    """The release is out at once; what was deleted leaves the file when the reader has gone."""
    room = opened(rooms, CURATOR)
    rooms.tell(room.code, rooms.join(room.code), 0, 1)
    with contextlib.closing(sqlite3.connect(tmp_path / "rooms.sqlite", isolation_level=None)) as db:
        db.execute("BEGIN")
        db.execute("SELECT * FROM tally").fetchall()
        begun = time.monotonic()
        rooms.step(room.code, room.host, "close", 0)
        assert time.monotonic() - begun < 3.0
        assert rooms.voted(room.code, 0).released is not None
        assert not rooms.forgotten
    rooms.purge()
    assert rooms.forgotten


@pytest.mark.parametrize("yes", [0, 1, 5, 12])
def test_released_files_are_equal(
    tmp_path: Path, yes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for number, count in enumerate((yes, 6)):
        serial = itertools.count()

        def token(size: int, turns=serial) -> bytes:
            return next(turns).to_bytes(size, "big")

        monkeypatch.setattr("secrets.token_bytes", token)
        monkeypatch.setattr("secrets.token_urlsafe", lambda size, t=token: t(size).hex())
        monkeypatch.setattr("secrets.choice", lambda letters: letters[0])
        monkeypatch.setattr(
            "sims.classroom.rooms.discrete_laplace", lambda epsilon, chance, c=count: 9 - c
        )
        path = tmp_path / f"{number}.sqlite"
        rooms = Rooms(path, clock=lambda: 1e6)
        room = opened(rooms, CURATOR)
        for k in range(12):
            rooms.tell(room.code, rooms.join(room.code), 0, k < count)
        before = path.read_bytes() + path.with_name(path.name + "-wal").read_bytes()
        rooms.step(room.code, room.host, "close", 0)
        assert rooms.voted(room.code, 0).released == 9
        assert rooms.forgotten
        assert path.with_name(path.name + "-wal").stat().st_size == 0
        files.append((path.read_bytes(), before))
        rooms.close()
    (one, was), (other, were) = files
    assert one == other
    assert was != were or yes == 6  # until then the log does tell them apart


@pytest.mark.parametrize("kind", [COINS, CURATOR, CARDS])
def test_a_budget_pays_for_one_answer(rooms: Rooms, kind: str) -> None:
    room = opened(rooms, kind)
    phone = rooms.join(room.code)
    send = rooms.tell if kind == CURATOR else rooms.send_bit
    send(room.code, phone, 0, True)
    with pytest.raises(RoomError, match="second answer"):
        send(room.code, phone, 0, False)
    assert rooms.look(room.code, phone).answered
    assert rooms.look(room.code, phone).mine is None
    for action in ("talk", "again"):
        with pytest.raises(RoomError):
            rooms.step(room.code, room.host, action, 0)


def test_cards_count_what_was_dealt(rooms: Rooms) -> None:
    room = opened(rooms, CARDS)
    phones = [rooms.join(room.code) for _ in range(20)]
    dealt = [classroom.dealt_card(room.code, phone, 0) for phone in phones]
    for phone, card in zip(phones, dealt, strict=True):
        rooms.send_bit(room.code, phone, 0, not card)
    rooms.step(room.code, room.host, "close", 0)
    found = rooms.voted(room.code, 0)
    assert (found.dealt, found.noisy, found.total) == (sum(dealt), 20 - sum(dealt), 20)
    assert found.released is not None


@pytest.mark.parametrize(
    ("kind", "send"), [(PLAIN, "send_bit"), (PLAIN, "tell"), (COINS, "vote"), (CURATOR, "send_bit")]
)
def test_rooms_of_another_kind(rooms: Rooms, kind: str, send: str) -> None:
    room = opened(rooms, kind)
    phone = rooms.join(room.code)
    with pytest.raises(RoomError, match="takes no such answer"):
        getattr(rooms, send)(room.code, phone, 0, (1,) if send == "vote" else 1)


(WHICH,) = classroom.read_questions("Which? | A | B | C", Playlist(()), 1.0)
NEITHER = [2, -1, 0.5, "yes", None, (1,), float("nan")]  # yes nor no
NUMBERS = [(), (10,), (101,), ("x",), (float("nan"),), (60, 60), None, "60"]  # none from 50 to 100
CHOICES = [3, -1, 0.5, True, "A", None, (0, 1), (0.5,), float("nan")]


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [(yes_no(COINS)[0], NEITHER), (LESSONS[0], NUMBERS), (WHICH, CHOICES)],
)
def test_what_is_no_answer_is_not_stored(rooms: Rooms, asked: Asked, wrong: list) -> None:
    room = rooms.open([asked])
    rooms.step(room.code, room.host, "open", 0)
    send = rooms.send_bit if asked.kind == COINS else rooms.vote
    for bad in wrong:
        with pytest.raises(RoomError, match="yes or no" if asked.kind == COINS else "."):
            send(room.code, rooms.join(room.code), 0, bad)
        assert rooms.look(room.code).answers == 0


def test_only_its_key_moves_a_room(rooms: Rooms) -> None:
    room = opened(rooms, COINS)
    other = opened(rooms, COINS)
    for wrong in (other.host, room.key, room.code, "", "x" * 1000):
        with pytest.raises(RoomError, match="Only the lecturer's key"):
            rooms.step(room.code, wrong, "close", 0)
    # Whoever tries does not keep the lecturer out.
    for wrong in (other.key, "", room.key + "A", room.key[:-1], *["WRONGKEY"] * 9):
        with pytest.raises(RoomError, match="not the key"):
            rooms.admit(room.code, wrong)
    host = rooms.admit(room.code, f" {room.key[:4].lower()} {room.key[4:]} ")
    rooms.step(room.code, host, "close", 0)


def test_keys_and_tokens_are_not_in_the_file(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, PLAIN)
    phone = rooms.join(room.code)
    rooms.vote(room.code, phone, 0, (60,))
    found = stored(tmp_path)
    assert room.code.encode() in found
    assert not any(secret.encode() in found for secret in (room.key, room.host, phone))


@pytest.mark.usefixtures("quick")
def test_limits(rooms: Rooms) -> None:
    room = opened(rooms, COINS)
    with rooms._store.change() as db:
        rows = [(room.code, bytes([k])) for k in range(249)]
        db.executemany("INSERT INTO voter VALUES (?, ?)", rows)
    rooms.join(room.code)
    with pytest.raises(RoomError, match="full: 250 phones"):
        rooms.join(room.code)
    budgets = (None, 0.0, -1.0, 11.0, float("nan"), float("inf"))
    for asked, words in (
        (yes_no(COINS)[:1] * 41, "41 were given"),
        ([Asked(text="x" * 201, kind=COINS, epsilon=1.0)], "1 to 200 letters"),
        *((yes_no(CURATOR, epsilon), "budget") for epsilon in budgets),
    ):
        with pytest.raises(RoomError, match=words):
            rooms.open(asked)
    for _ in range(19):
        rooms.open(yes_no(COINS))
    with pytest.raises(RoomError, match="the most that fit"):
        rooms.open(yes_no(COINS))


def test_tabs_of_a_browser_are_one_phone(rooms: Rooms) -> None:
    room = opened(rooms, PLAIN)
    kept = new_token()
    assert [rooms.join(room.code, kept) for _ in range(3)] == [kept] * 3
    assert rooms.look(room.code).voters == 1
    for other in ("", "short", kept + "x", None, 7):  # no token of ours
        assert rooms.join(room.code, other) not in (kept, other)
    assert rooms.look(room.code).voters == 6


@pytest.mark.usefixtures("quick")
def test_rooms_that_nobody_joined_give_way(rooms: Rooms) -> None:
    made = [opened(rooms, PLAIN) for _ in range(20)]
    rooms.join(made[0].code)
    later(rooms, 901)
    rooms.step(made[1].code, made[1].host, "close", 0)
    new = opened(rooms, PLAIN)
    left = [bool(rooms._store.read("SELECT 1 FROM room WHERE code=?", x.code)) for x in made]
    assert (sum(left), left[:2]) == (19, [True, True])
    for _ in range(17):
        opened(rooms, PLAIN)
    with pytest.raises(RoomError, match="the most that fit"):  # 18 new ones, one joined, one moved
        opened(rooms, PLAIN)
    assert rooms.look(new.code).voters == 0


def test_rooms_die(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, PLAIN)
    phone = rooms.join(room.code)
    rooms.vote(room.code, phone, 0, (60,))
    later(rooms, 12 * 3600 + 1)
    with pytest.raises(RoomError, match="no room of this code"):
        rooms.look(room.code)  # a phone that is still open looks every two seconds
    assert room.code.encode() not in stored(tmp_path)
    made = opened(rooms, PLAIN)
    rooms.step(made.code, made.host, "end", 0)
    assert made.code.encode() not in stored(tmp_path)


def test_a_clock_that_is_set_back_ends_no_room(rooms: Rooms) -> None:
    room = opened(rooms, PLAIN)
    phones = [rooms.join(room.code)]
    for moved in (-48 * 3600, 1, -1):
        later(rooms, moved)
        rooms.purge()
        phones.append(rooms.join(room.code))
        for one in phones:
            rooms.vote(room.code, one, 0, (60,))
    assert rooms.step(room.code, room.host, "close", 0).answers == len(phones)
    later(rooms, 12 * 3600 + 1)
    with pytest.raises(RoomError, match="no room of this code"):
        rooms.look(room.code)


def test_a_key_pressed_twice_moves_once(rooms: Rooms) -> None:
    room = opened(rooms, COINS)
    rooms.step(room.code, room.host, "next", 0)
    assert rooms.step(room.code, room.host, "next", 0).place == 1
    with pytest.raises(RoomError, match="no further question"):
        rooms.step(room.code, room.host, "next", 1)
    assert rooms.voted(room.code, 0).total == 0  # leaving a question closes its vote


def test_unwritable_and_foreign_files(tmp_path: Path) -> None:
    notes = tmp_path / "notes.sqlite"
    notes.write_text("no database " * 100)
    for path, words in ((notes, "not one of rooms"), (notes / "rooms.sqlite", "RATES_ROOMS")):
        with pytest.raises(RoomError, match=words):
            Rooms(path)


def test_full_disk_is_said(rooms: Rooms, tmp_path: Path) -> None:
    room = opened(rooms, COINS)
    with rooms._store.connection() as db:  # in one thread it is always the same
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count={pages}")
    with contextlib.suppress(RoomError):
        for _ in range(200):
            rooms.join(room.code)
    assert rooms.look(room.code).voters < 200
    with pytest.raises(RoomError, match=r"Nothing was stored: the disk is full"):
        rooms.join(room.code)
    before = rooms.look(room.code).voters
    with rooms._store.connection() as db:
        db.execute(f"PRAGMA max_page_count={pages * 100}")
    rooms.join(room.code)
    assert rooms.look(room.code).voters == before + 1


def test_a_code_is_not_found_by_trying(rooms: Rooms) -> None:
    """Connections that begin anew are not counted, so the codes themselves are many enough."""
    tries = 120 * LIFE  # what a server answers in the whole life of a room
    assert len(opened(rooms, COINS).code) == CODE
    assert tries / len(LETTERS) ** CODE < 0.01
