"""No frame of a live server holds what is true before its time."""

from __future__ import annotations

import base64
import re

import pytest

from pages.classroom.room import cookie
from rates.numbers import number
from sims.classroom import Asked, Rooms
from sims.classroom.rooms import STEPS
from sims.lessons import CHOICE, LESSONS, POINTS, Question
from tests.benchmarks.phones import Screen, apart, screens
from tests.benchmarks.wire import server


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
    written = [x for one in drawn for x in re.findall(r"<text[^>]*>(.*?)</text>", one.decode())]
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
        phone = Screen(address, "room", query, cookies=kept)
        board = Screen(address, "present", query)
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
