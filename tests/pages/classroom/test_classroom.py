"""A class on its screens: a room from its opening to its end, and what is refused in words."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.classroom import projector
from pages.classroom import room as rooms_of
from pages.core.address import loopback
from rates.study import preset
from sims.classroom import CARDS, CURATOR, LOBBY, OPEN, PLAIN, Asked, RoomError, Rooms, Seen, Voted
from sims.lessons import LESSONS, TRANSFER, Entry, Playlist, lesson, own, question, truth
from tests.pages.core.test_boxes import opened, pressed, told
from tests.pages.driver import button, everything, open_page, picture, press, send


def taken(app, room) -> None:
    """Let the window of a test move a room."""
    app.session_state["room_hosts"] = {room.code: room.host}
    app.run()


def test_a_room_of_lessons_from_opening_to_end(rooms: Rooms) -> None:
    app = open_page("present", list="odds")
    app.selectbox[0].set_value(CURATOR).run()
    for text in ("x" * 201, "Is it?\n" * 41):  # bad questions open nothing
        app.text_area[0].set_value(text).run()
        assert press(app, "Open the room").error
        assert rooms_of.ROOM not in app.query_params
    app = press(open_page("present", list="odds"), "Open the room")
    ((code, key),) = app.session_state["room_keys"].items()
    assert key in everything(app)
    assert key not in str(app.query_params)
    assert app.query_params["room"] == code
    press(app, "I have it")
    assert key not in everything(app) + repr(app.session_state)
    phones = [rooms.join(code) for _ in range(6)]
    for label, votes in (
        ("Open the vote", [60 + 5 * k for k in range(6)]),
        ("Close, talk to your neighbour", []),
        ("Second vote", [75] * 6),
    ):
        press(app, label)
        for phone, vote in zip(phones if votes else [], votes, strict=True):
            rooms.vote(code, phone, 0, (vote,))
    assert "**6 of 6** phones have answered" in everything(app.run())
    press(app, "Close the vote")
    assert all(f"{vote} vote, 6 answers" in picture(app) for vote in ("First", "Second"))
    assert "73.1" not in everything(app) + picture(app)
    press(app, "Show the answer")
    assert "73.1" in picture(app)
    press(app, "Next question")
    assert app.title[0].value == question("odds-transfer").text


def test_a_room_ends_when_its_end_was_asked_for_and_confirmed(rooms: Rooms) -> None:
    room = rooms.open(PLAIN, [Asked(key="odds")])
    app = open_page("present", room=room.code)
    taken(app, room)
    box, _ = told(app, "Room")
    send(app, opened(box))
    for label in ("End the room and delete it", "Keep the room", "End the room and delete it"):
        send(app, opened(box), pressed(app, label))
    send(app, WidgetState(id=box, bool_value=False))
    send(app, opened(box))  # nothing is left of what was asked for before it was closed
    assert not [button for button in app.button if button.label == "Delete the room"]
    assert rooms.look(room.code).state == LOBBY
    for label in ("End the room and delete it", "Delete the room"):
        send(app, opened(box), pressed(app, label))
    assert "room" not in app.query_params
    with pytest.raises(RoomError, match="There is no room"):
        rooms.look(room.code)


@pytest.mark.parametrize(("even", "others"), [(1, 5), (5, 1), (6, 0), (0, 4)])
def test_few_answers_and_those_that_prefer_nothing_are_in_no_bar(
    rooms: Rooms, even: int, others: int
) -> None:
    """As phones have stored them that did not say how sure; before the last vote nothing is."""
    room = rooms.open(PLAIN, [Asked(key="back")])
    rooms.step(room.code, room.host, "open", 0)
    for vote in [(0.25,) * 4] * even + [(0.0, 0.0, 1.0, 0.0)] * others:
        rooms.vote(room.code, rooms.join(room.code), 0, vote)
    rooms.step(room.code, room.host, "talk", 0)
    app = open_page("present", room=room.code)
    assert not app.get("image")
    rooms.step(room.code, room.host, "close", 0)
    app.run()
    few = even + others < 5
    left = f"{even} preferred none of these and {'is' if even == 1 else 'are'} in no bar."
    assert ("fewer than 5 would show who did" if few else left) in everything(app)
    assert not app.get("image") if few or not others else ">100%<" in picture(app)


def test_what_a_phone_has_not_decided_is_not_sent(rooms: Rooms) -> None:
    room = rooms.open(PLAIN, [Asked(key="twice")])
    rooms.step(room.code, room.host, "open", 0)
    phone = rooms.join(room.code)
    app = open_page("room", room=room.code, me=phone)
    for slider in range(2):
        assert button(app, "Send my answer").disabled
        send(app, pressed(app, "Send my answer"))  # by hand
        app.select_slider[slider].set_value(0.5).run()
    app.text_input[0].set_value("abc")
    press(app, "Send my answer")
    assert "Nothing was sent." in everything(app)
    assert rooms.look(room.code).answers == 0
    app.text_input[0].set_value("0.3")
    press(app, "Send my answer")
    assert rooms.look(room.code, phone).mine == (0.3, 0.5)
    assert "It is stored" in everything(open_page("room", room=room.code, me=phone))


def test_only_who_has_the_key_sees_the_keys(rooms: Rooms) -> None:
    room = rooms.open(PLAIN, [Asked(key="odds")])
    app = open_page("present", room=room.code.lower())
    for key in ("WRONGKEY", room.key):
        assert not [b for b in app.button if b.label == "Open the vote"]
        app.text_input[-1].set_value(key)
        press(app, "Take over")
    press(app, "Open the vote")
    assert rooms.look(room.code).state == OPEN


def test_both_errors_on_cards(rooms: Rooms) -> None:
    room = rooms.open(CARDS, [Asked(text="Does your card say yes?")], math.log(3))
    app = open_page("present", room=room.code)
    taken(app, room)
    press(app, "Open the vote")
    for k in range(9):
        rooms.send_bit(room.code, rooms.join(room.code), 0, k % 2)
    press(app, "Close the vote")
    assert all(f"**{way}:" in everything(app) for way in ("Coins", "Noise on the count"))
    told_ = ["for a million" in everything(app)]
    press(app, "Show the answer")
    assert [*told_, "for a million" in everything(app)] == [False, True]


def test_numbers_by_hand() -> None:
    seen = Seen("ABCD", CARDS, math.log(3), (Asked(text="?"),), 0, "shown", 60, 60)
    coins, noise = projector.estimates(seen, Voted(noisy=30, total=60, released=21, dealt=24))
    assert coins == ("Coins", pytest.approx(0.5), pytest.approx(0.1118, abs=1e-4))
    assert noise == ("Noise on the count", 0.35, pytest.approx(0.0204, abs=1e-4))
    assert "73.1 times of 100" in rooms_of.long(replace(seen, kind=CURATOR, epsilon=1.0))


def test_an_address_that_only_this_computer_knows_and_a_typed_one() -> None:
    local = ("http://localhost:8501", "http://127.9.0.1", "http://[::1]:8501", "http://[::1", "")
    assert all(map(loopback, local))
    assert not any(map(loopback, ("http://192.168.1.20:8501", "https://example.org/app")))
    assert rooms_of.typed("https://rates.example.org", "") == "https://rates.example.org"
    for bad in ("", "localhost", "a b", "javascript:alert(1)", "<b>", "x@y", "1.2.3.4:999999"):
        assert rooms_of.typed(bad, "http://localhost:8501/app") == ""


def test_the_loopback_is_said_and_an_address_is_asked_for(rooms: Rooms) -> None:
    room = rooms.open(PLAIN, [Asked(key="odds")])
    app = open_page("present", room=room.code)
    assert not app.get("image")
    for given in ("not an address", "192.168.1.20:8501"):
        assert f"room={room.code}" not in everything(app)
        app.text_input[0].set_value(given)
        press(app, "Use it")
    assert f"room={room.code}" in everything(app)
    assert "svg" in picture(app)


@pytest.mark.parametrize("code", ["ZZZZ", "<b>x</b>", "A" * 500, "\u0000"])
def test_rooms_that_are_not_there(rooms: Rooms, code: str) -> None:
    for page in ("room", "present"):
        app = open_page(page, room=code)
        assert "There is no room of this code" in everything(app)
        assert "<b>" not in app.title[0].value


def test_a_phone_in_a_curator_s_room(rooms: Rooms) -> None:
    room = rooms.open(CURATOR, [Asked(text="Is it raining?"), Asked(text="Is it cold?")], 0.5)
    phone = rooms.join(room.code)
    app = open_page("room", room=room.code, me=phone)
    assert rooms.look(room.code).state == LOBBY
    assert "You are in" in app.title[0].value
    rooms.step(room.code, room.host, "open", 0)
    app.run()
    assert "All 2 questions of this room together cost ε = 1" in everything(app)
    press(app, "No")
    assert "Your answer is stored" in everything(app)
    assert not [b for b in app.button if b.label in ("Yes", "No")]
    assert "tell_" not in repr(app.session_state)  # nor does the session know what was said
    assert rooms.look(room.code).answers == 1


def test_a_phone_knows_no_truth_and_is_told_the_end(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What never computes the truth and is sent none of its words cannot give it away."""

    def never(*_: object) -> None:
        raise AssertionError("a phone computes the truth")

    for name in ("sims.lessons.truth", "sims.classroom.records.truth"):
        monkeypatch.setattr(name, never)
    keys = [key + more for key in LESSONS for more in ("", TRANSFER)]
    room = rooms.open(PLAIN, [Asked(key=key) for key in keys])
    app = open_page("room", room=room.code, me=rooms.join(room.code))
    for place, key in enumerate(keys):
        own = lesson(key.removesuffix(TRANSFER))
        for action in ("open", "close"):
            rooms.step(room.code, room.host, action, place)
            shown = everything(app.run())
            assert question(key).text in shown
            assert own.explain not in shown
            assert own.explain_transfer not in shown
        rooms.step(room.code, room.host, "next", place) if place + 1 < len(keys) else None
    rooms.step(room.code, room.host, "end", len(keys) - 1)
    app.run()
    assert "This room is gone" in app.title[0].value
    assert "There is no room of this code" in everything(app)


def test_a_study_and_a_rate_of_one_s_own_in_a_room(rooms: Rooms) -> None:
    """They are in the questions, on the phones and in what is true, and the opening says so."""
    study = preset("regional").study
    mean = replace(own.default_rate(), at=(("d", 5.0), ("n", 1e4), ("eps", 0.5)))
    shown = Playlist((Entry("carry"), Entry("carry", study=study), Entry("rate", rate=mean)))
    app = open_page("present", list=shown.text())
    assert "your own in carry and rate" in everything(app)
    press(app, "Open the room")
    ((code, host),) = app.session_state["room_hosts"].items()
    asked = rooms.look(code).questions
    assert [one.key for one in asked] == ["carry", "carry-transfer"] * 2 + ["rate", "rate-transfer"]
    assert asked[2].truth == truth(question("carry", study), study) != asked[0].truth
    assert asked[4].truth == truth(question("rate", None, mean), None, mean)
    for place, action in ((0, "next"), (1, "next"), (2, "open")):
        rooms.step(code, host, action, place)
    assert "**B:** University, 9,000 records" in everything(app.run())
    page = open_page("room", room=code, me=rooms.join(code))
    assert page.select_slider[0].label.startswith("Regional, 800 records")
    for _ in range(5):
        rooms.vote(code, rooms.join(code), 2, (60, 10, 10, 10, 10))
    rooms.step(code, host, "close", 2)
    assert "A: Regional" in picture(app.run())
    press(app, "Show the answer")
    assert "Regional" in picture(app)
    assert "University clinic" not in picture(app)


def test_sixty_phones_have_files_enough() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
    try:
        rooms_of.open_files()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
    assert hard == before[1]
    assert soft >= 1_100 or soft == hard  # 250 phones


def test_a_typed_code_leads_to_its_room(rooms: Rooms) -> None:
    room = rooms.open(PLAIN, [Asked(key="odds")])
    app = open_page("room")
    app.text_input[0].set_value(f" {room.code.lower()} ")
    press(app, "Go on")
    assert app.query_params["room"] == room.code
    assert app.title[0].value == f"Room {room.code}"
