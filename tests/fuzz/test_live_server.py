"""Junk to a live server, from phones and on every view: no vote changes, nobody else is told."""

from __future__ import annotations

import base64
import os
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState

from app import DOORS
from pages.classroom.room import cookie
from rates.numbers import number
from sims.classroom import CARDS, COINS, CURATOR, Asked, Rooms
from sims.classroom.rooms import STEPS
from sims.lessons import CHOICE, LESSONS, POINTS, Question
from tests.benchmarks.phones import Screen, apart, screens
from tests.benchmarks.wire import ROOT, server
from tests.sims.classroom.test_junk import dump

TEXTS = ("", "x", "<b>x</b>", "\x00", "é" * 300, "'; DROP TABLE room; --", "-1", "101", "nan",
         "__import__('os')", "../../etc/passwd", "$$ID-0-send", "%00", "&&&==", "room")  # fmt: skip
_UNKNOWN = "$$ID-0123-send_ZZZZ_0_0"


def ours(log: str) -> list[str]:
    """Exceptions that our code raised and did not catch, of all that a server's log tells.

    Streamlit itself raises some where a value has another type than its widget's; only the session
    that sent it is told so, without any line of code.
    """
    found = []
    for block in log.split("Traceback (most recent call last):")[1:]:
        frames = re.findall(r'^  File "([^"]+)", line ', block, re.MULTILINE)
        error = next((line for line in block.splitlines()[1:] if line[:1].strip()), block)
        found += [
            error
            for place in frames[-1:]
            if Path(place).is_relative_to(ROOT)
            and Path(place).relative_to(ROOT).parts[0] in ("app.py", "pages", "sims", "rates")
            and "RoomError" not in error  # one that was said on the page comes before another
        ]
    return found


def test_an_exception_of_ours_is_told_from_one_of_streamlit() -> None:
    def log(*places: str) -> str:
        frames = "".join(f'  File "{one}", line 1, in f\n    g()\n    ^^^\n' for one in places)
        return f"Uncaught\nTraceback (most recent call last):\n{frames}KeyError: 'a'\nmore\n"

    theirs, page = "/lib/streamlit/run.py", str(ROOT / "pages" / "study.py")
    assert ours(log(theirs, page)) == ["KeyError: 'a'"]
    assert ours(log(theirs, page, theirs)) == []
    assert ours(log(theirs) + log(theirs, page)) == ["KeyError: 'a'"]


class Junk:
    """Messages that no browser of ours would send."""

    def __init__(self, seed: int, codes: list[str]) -> None:
        self.chance, self.codes = Random(seed), codes

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def query(self) -> str:
        code = self.chance.choice([*self.codes, self.text()])
        return self.chance.choice(
            [f"room={code}&me={self.text() or 'x'}", f"room={self.text()}", self.text(), "me=x"]
        )

    def state(self, known: list[str]) -> WidgetState:
        """What a widget holds: one that exists or none, with a value outside its set."""
        chance, name = self.chance, self.chance.choice([*known, self.text(), _UNKNOWN])
        json = chance.choice(["{", "null", '{"bit": 2}', "[]", self.text()])
        values: list[dict[str, Any]] = [
            {"string_array_value": {"data": [self.text()] * chance.randrange(3)}},
            {"string_value": self.text()},
            {"double_array_value": {"data": [chance.choice([-1e308, float("nan"), 1e9])]}},
            {"int_value": chance.choice([-1, 10**15])},
            {"json_value": json},
            {"trigger_value": True},
        ]
        return WidgetState(id=name, **chance.choice(values))

    def fragment(self) -> bytes:
        message = BackMsg()
        message.rerun_script.fragment_id = self.text() or "x"
        return message.SerializeToString()

    def message(self, screen: Screen) -> bytes:
        """One message of a session, in which something is junk."""
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string = screen.query if self.chance.random() < 0.7 else self.query()
        asked.page_script_hash = screen.script if self.chance.random() < 0.9 else self.text()
        stored = ("Join", "Take over", *(label for label in screen.widgets if label[1:3] == ": "))
        known = [i for label, i in screen.widgets.items() if label not in stored]
        for _ in range(self.chance.randrange(4)):
            asked.widget_states.widgets.append(self.state(known))
        return message.SerializeToString()


@pytest.mark.deep
def test_junk_to_a_live_server(rooms: Rooms, tmp_path: Path) -> None:
    made = [
        rooms.open([Asked(key="odds")]),
        rooms.open([Asked(key="back")]),
        *(
            rooms.open([Asked(text="Yes?", kind=kind, epsilon=1.0)])
            for kind in (COINS, CURATOR, CARDS)
        ),
    ]
    for room in made:
        rooms.step(room.code, room.host, "open", 0)
    junk = Junk(20261122, [room.code for room in made])
    path = Path(os.environ["RATES_ROOMS"])

    async def send(address: str) -> None:
        # The curator's two buttons are answers wherever they come from: its phone has answered.
        marks = [rooms.join(room.code) for room in made]
        rooms.tell(made[3].code, marks[3], 0, 1)
        before = dump(path)
        many: list[Screen] = []
        for room, mark in zip(made, marks, strict=True):
            kept = [f"{cookie(room.code)}={me}" for me in (mark, "x")]
            many += [Screen(address, "room", f"room={room.code}", cookies=one) for one in kept]
            many += [Screen(address, "present", f"room={room.code}")]
        others = [Screen(address, one.page, one.query, cookies=one.cookies) for one in many]
        many += [Screen(address, view, "") for views in DOORS.values() for view in views]
        async with screens(*many, *others):
            for other in others:
                other.poll()
            for number in range(300):
                screen = many[number % len(many)]
                if junk.chance.random() < 0.03:
                    await screen.send_raw(junk.chance.randbytes(40))
                    await screen.send_raw(junk.fragment())  # of a part that the page has not
                try:
                    await screen.answer(junk.message(screen), 1.0)
                except TimeoutError:  # the server answers nothing to some; the next are answered
                    await screen.close()
                    await screen.open()
            assert dump(path) == before
            # Who sent a value of a wrong type is told so by Streamlit, without a line of code, and
            # begins anew; nobody else is told anything.
            assert any(screen.problems for screen in many)
            assert not any(screen.traces for screen in many)
            for screen in many:
                await screen.close()
                screen.problems.clear()
                await screen.open()
            assert [s.problems for s in (*many, *others) if s.problems] == []
            honest, foreign = others[0], others[3]  # whose votes are open
            await honest.slide("Right guesses", 5)
            last = next(label for label in foreign.widgets if label.startswith("D: "))
            for phone, label in ((honest, "Send my answer"), (foreign, last)):
                await phone.press(label)
                assert phone.says("It is stored")
            assert rooms.look(made[1].code, marks[1]).mine == (3,)

    log = tmp_path / "log"
    with log.open("wb") as errors, server("--logger.level=error", errors=errors) as (address, _):
        apart(send(address))
    # A value of another type than its widget's reaches our code as it is.
    typed = ("AttributeError", "TypeError")
    assert [error for error in ours(log.read_text()) if not error.startswith(typed)] == []


def secret(one: Asked) -> list[str]:
    """What gives a question away: our explanation, what many believe, and numbers that are true."""
    lesson, truth = one.lesson, one.truth
    assert lesson
    told = (lesson.explanation(one.question), lesson.misconception)
    found = [max(re.split(r"\{[^}]*\}|\*+|\n|`", text), key=len).strip() for text in told]
    if one.question.kind != CHOICE:
        found += [word for x in (*truth.low, *truth.high) if len(word := number(x)) >= 4]
    return found


def words_of(frames: list[bytes]) -> str:
    """All that frames say, and what is written in their pictures."""
    text = b"".join(frames).decode("utf-8", "ignore")
    drawn = [base64.b64decode(found) for found in re.findall(r"base64,([\w+/]+=*)", text)]
    written = [
        part for one in drawn for part in re.findall(r"<text[^>]*>(.*?)</text>", one.decode())
    ]
    return "\n".join([re.sub(r"base64,[\w+/]+=*", "", text), *written])


def some(asked: Question, k: int) -> object:
    """An answer, of some that a class is split over."""
    if asked.kind == CHOICE:
        return k % 2
    if asked.parameter is None:
        return [POINTS, *[0] * (len(asked.parts) - 1)]
    return [asked.parameter.stops[3 * k % 7]] * len(asked.parts)


@pytest.mark.deep
def test_no_frame_holds_what_is_true_before_its_time(rooms: Rooms) -> None:
    """Of all lessons, on a phone, the projected screen and the lecturer's own, its notes shut."""
    asked = [Asked(key=one.key) for lesson in LESSONS.values() for one in lesson.questions]
    room = rooms.open(asked)
    marks = [rooms.join(room.code) for _ in range(6)]

    async def watch(address: str) -> None:
        query = f"room={room.code}"
        kept = f"{cookie(room.code)}={marks[0]}"
        host = Screen(address, "present", f"{query}&side=private")
        phone, board = (
            Screen(address, "room", query, cookies=kept),
            Screen(address, "present", query),
        )
        every = (host, phone, board)
        for screen in every:
            screen.frames = []
        async with screens(*every):
            await host.submit("The lecturer's key moves this room", room.key, "Take over")
            for place, one in enumerate(asked):
                hidden, shown = secret(one), one.question
                for action in ("read", "open", "talk", "again", "close", "show", "why"):
                    state = rooms.look(room.code).state
                    if action in STEPS[state]:
                        rooms.step(room.code, room.host, action, place)
                    if action in ("open", "again"):
                        for k, mark in enumerate(marks):
                            rooms.vote(room.code, mark, place, some(shown, k))
                    for screen in every:
                        screen.frames.clear()
                        await screen.run()
                        said = words_of(screen.frames)
                        found = [word for word in hidden if word in said]
                        if action not in ("show", "why"):
                            assert not found, (one.key, action, screen.page, found)
                            assert "✓" not in said or screen is phone
                        elif action == "why" and screen is board:
                            assert hidden[0] in said
                if place + 1 < len(asked):
                    rooms.step(room.code, room.host, "next", place)

    with server() as (address, _):
        apart(watch(address))
