"""One room with questions of every kind: its order, what is shown, what is kept; the noise."""

from __future__ import annotations

import csv
import math
from random import Random

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.study import preset
from sims import classroom
from sims.classroom import CARDS, COINS, CURATOR, PAUSE, PLAIN, Asked, Opened, RoomError, Rooms
from sims.classroom.sayings import COLUMNS, FEW
from sims.classroom.shown import counted
from sims.lessons import CHOICE, Entry, Playlist, question

LINES = """Which? | A | B | C
break-5
How many? | 0 to 400
Is it? | coins
Was it? | coins
Is it? | curator
Card? | cards"""
OWN = [*classroom.read_questions(LINES, Playlist(()), 1.0), Asked(key="odds")]


def opened(rooms: Rooms, *asked: Asked) -> Opened:
    """A room whose first vote is open."""
    room = rooms.open(asked)
    rooms.step(room.code, room.host, "open", 0)
    return room


@pytest.mark.parametrize(("first", "second"), [(4, 5), (5, 4), (1, 1), (5, 5), (0, 6)])
def test_each_vote_is_shown_from_five_answers_on(rooms: Rooms, first: int, second: int) -> None:
    room = opened(rooms, Asked(key="odds"))
    phones = [rooms.join(room.code) for _ in range(6)]
    for action, count in (("talk", first), ("again", 0), ("close", second)):
        for phone in phones[:count]:
            rooms.vote(room.code, phone, 0, (60,))
        rooms.step(room.code, room.host, action, 0)
    voted = rooms.voted(room.code, 0)
    assert voted.totals == (first, second)
    assert tuple(map(len, voted.rounds)) == tuple(n * (n >= 5) for n in (first, second))


@pytest.mark.parametrize(
    ("key", "votes", "becomes"),
    [
        ("back", (0, 0, 0, 0, 0), "closed"),
        ("back", (0, 0, 0, 0, 1), "closed"),
        ("back", (0, 0, 0, 1, 1), "talk"),
        ("back", (0,) * 7 + (1,) * 3, "closed"),  # exactly the part that settles it
        ("back", (0, 1, 2, 3), "closed"),  # too few to be shown, so too few to talk about
        ("back", (), "closed"),
        ("twice", ((0.5, 0.5),) * 6, "closed"),
        ("twice", ((0.95, 0.5),) * 3 + ((0.5, 0.5),) * 3, "talk"),  # one of two numbers is enough
    ],
)
def test_a_class_talks_only_where_it_is_split(rooms: Rooms, key: str, votes, becomes: str) -> None:
    room = opened(rooms, Asked(key=key))
    for given in votes:
        rooms.vote(room.code, rooms.join(room.code), 0, given)
    assert rooms.step(room.code, room.host, "settle", 0).state == becomes


def test_the_option_is_what_is_stored(rooms: Rooms) -> None:
    room = opened(rooms, Asked(key="back"))
    for phone in [rooms.join(room.code) for _ in range(5)]:
        rooms.vote(room.code, phone, 0, (2,))
        assert rooms.look(room.code, phone).mine == (2,)
    assert {value for (value,) in rooms._store.read("SELECT value FROM answer")} == {"[2]"}
    rooms.step(room.code, room.host, "close", 0)
    assert rooms.voted(room.code, 0).rounds == (((0, 0, 1, 0),) * 5,)


def through(rooms: Rooms, room: Opened, phones: list[str]) -> list[tuple[int, str]]:
    """Press the key for onward until the end, all phones voting; places and states on the way."""
    path = []
    for _ in range(100):
        seen = rooms.look(room.code)
        path.append((seen.place, seen.state))
        send = {PLAIN: rooms.vote, CURATOR: rooms.tell}.get(seen.kind, rooms.send_bit)
        slid = seen.kind == PLAIN and seen.asked.question.kind != CHOICE
        for k, phone in enumerate(phones if seen.state in classroom.VOTING else ()):
            send(room.code, phone, seen.place, (64 + k,) if slid else k % 2)
        if not (action := classroom.onward(seen)):
            return path
        rooms.step(room.code, room.host, action, seen.place)
    raise AssertionError(path)


def test_one_room_asks_questions_of_every_kind(rooms: Rooms) -> None:
    room = rooms.open(OWN)
    phones = [rooms.join(room.code) for _ in range(8)]
    path = through(rooms, room, phones)
    states = [[state for at, state in path if at == place] for place in range(len(OWN))]
    vote = ["read", "open", "closed"]
    assert states == [
        ["lobby", "open", "talk", "again", "closed"], ["read"], vote, vote, vote, vote,
        [*vote, "shown"], [*vote, "shown", "figure", "why"],
    ]  # fmt: skip
    assert sorted(rooms.voted(room.code, 0).rounds[1]) == [(0, 1, 0)] * 4 + [(1, 0, 0)] * 4
    assert rooms.voted(room.code, 3).noisy == 4
    assert rooms.voted(room.code, 6).released is not None
    table = classroom.results(rooms, room.code)
    head, *rows = csv.reader(table.splitlines())
    assert tuple(head) == COLUMNS
    assert [row[6:8] for row in rows[:3]] == [["A", "4"], ["B", "4"], ["C", "0"]]
    assert {row[0] for row in rows} == {*"1234567"}
    assert {row[8] for row in rows if row[0] == "7"} == {"73.1 of 100"}
    assert [row[6].partition(":")[0] for row in rows if row[0] == "6"] == [
        *("Coins", "Noise on the count", "On the cards")
    ]
    assert not [phone for phone in phones if phone in table]


def test_results_tell_of_no_vote_of_fewer_than_five(rooms: Rooms) -> None:
    room = opened(rooms, Asked(key="back"))
    for _ in range(4):
        rooms.vote(room.code, rooms.join(room.code), 0, 1)
    assert len(classroom.results(rooms, room.code).splitlines()) == 1  # still open
    rooms.step(room.code, room.host, "close", 0)
    _, *rows = csv.reader(classroom.results(rooms, room.code).splitlines())
    assert [row[6:8] for row in rows] == [[FEW, ""]]


@pytest.mark.parametrize("place", [1, 3, 5])
def test_what_a_place_cannot_do_is_refused(rooms: Rooms, place: int) -> None:
    """A pause is not voted on, and of coins and of a curator's count nothing is true."""
    room = rooms.open(OWN)
    for before in range(place):
        rooms.step(room.code, room.host, "next", before)
    if place != 1:
        rooms.step(room.code, room.host, "open", place)
        rooms.step(room.code, room.host, "settle", place)
    for action in ("open", "again", "show", "why"):
        with pytest.raises(RoomError):
            rooms.step(room.code, room.host, action, place)


@pytest.mark.parametrize(
    "bad",
    [
        Asked(text="Which?"),
        Asked(text="Is it?", kind=COINS),
        Asked(text="Is it?", epsilon=1.0),
        Asked(key="odds", text="Is it?"),
        Asked(key="odds", kind=PAUSE),
        Asked(key="break", own="break-5"),
        Asked(key="odds", kind=COINS, epsilon=1.0),
        Asked(text="Is it?", own="odds", kind=CURATOR, epsilon=1.0),
        Asked(key="carry", own="carry.x"),
        Asked(key="carry", own="free"),
        Asked(key="odds", own=Entry("carry", study=preset("regional").study).text()),
        Asked(key="", own="join-5"),
        Asked(key="odds", own="odds." + "A" * 9_000),
    ],
)
def test_questions_that_are_none_open_no_room(rooms: Rooms, bad: Asked) -> None:
    with pytest.raises(RoomError, match="Question 2"):
        rooms.open([Asked(key="odds"), bad])


def test_where_phones_find_the_app_is_the_lecturer_s(rooms: Rooms) -> None:
    room = rooms.open(OWN)
    with pytest.raises(RoomError, match="Only the lecturer"):
        rooms.tell_address(room.code, "x", "http://a")
    for base in ("http://a", "http://b"):
        rooms.tell_address(room.code, room.host, base)
    assert rooms.address(room.code) == "http://b"
    rooms.step(room.code, room.host, "end", 0)
    assert rooms.address(room.code) == ""


def test_an_answer_s_own_promise_stands_above_it() -> None:
    said = {
        kind: classroom.sayings.short(Asked(text="Is it?", kind=kind, epsilon=epsilon))
        for kind, epsilon in ((PLAIN, None), *((x, math.log(3)) for x in (COINS, CURATOR, CARDS)))
    }
    assert len({*said.values()}) == 4
    assert {kind for kind, text in said.items() if "75%" in text} == {CARDS, COINS}


def test_lines_of_a_room(rooms: Rooms) -> None:
    study = Entry("carry", study=preset("regional").study)
    shown = Playlist((Entry("join", minutes=2), Entry("carry"), study))
    text = """join-2
        carry.2

        twice
        Which? | A | B
        How many? | -1.5 to 400
        Copied homework? | Coins
        """
    found = classroom.read_questions(text, shown, 0.5)
    own = [Entry("own", asked=x) for x in ("Which? | A | B", "How many? | -1.5 to 400")]
    assert found == (
        Asked("join", own="join-2", kind=PAUSE),
        *(Asked(key, own=study.text()) for key in ("carry", "carry-transfer")),
        *map(Asked, ("twice", "twice-transfer")),
        *(Asked(one.lesson.question.key, own=one.text()) for one in own),
        Asked(text="Copied homework?", kind=COINS, epsilon=0.5),
    )
    assert rooms.open(found)
    with pytest.raises(RoomError):
        rooms.open(found[:1])  # nothing but a pause
    for bad in ("oddz", "Which?", "Which? | A", "carry.3", "join-0"):
        with pytest.raises(RoomError, match="Line 2: "):
            classroom.read_questions(f"odds\n{bad}", shown, 1.0)


@pytest.mark.parametrize("epsilon", [0.1, math.log(3), 1.0, 3.0])
def test_noise_has_its_law(epsilon: float) -> None:
    chance, number = Random(11), 10_000
    draws = np.array([classroom.discrete_laplace(epsilon, chance) for _ in range(number)])
    a = math.exp(-epsilon)
    for k in range(-6, 7):
        p = (1 - a) / (1 + a) * a ** abs(k)
        assert np.mean(draws == k) == pytest.approx(p, abs=4 * math.sqrt(p / number))
    assert draws.var() == pytest.approx(2 * a / (1 - a) ** 2, rel=0.1)
    for none in (0.0, -epsilon, math.inf, math.nan):
        with pytest.raises(DomainError):
            classroom.discrete_laplace(none, chance)


def test_counts_of_one_part_have_no_name_and_those_of_several_have_theirs() -> None:
    one, several = question("odds"), question("twice")
    assert [name for name, _ in counted(one, [(50.0,)])] == [""]
    assert [name for name, _ in counted(several, [(2.0, 3.0)])] == list(several.parts)
