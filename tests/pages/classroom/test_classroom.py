"""A class on its screens: a room from its opening to its end, and what is refused in words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.charts import words
from pages.classroom import room as rooms_of
from pages.core.inputs import UNSET
from rates.study import preset
from sims.classroom import COINS, CURATOR, LOBBY, PAUSE, Asked, Opened, RoomError, Rooms, results
from sims.lessons import LESSONS, TRANSFER, Entry, Playlist, lesson, question, truth
from sims.lessons import own as lessons_own
from tests.depth import deep_after
from tests.pages.core.test_boxes import pressed
from tests.pages.driver import button, everything, open_page, picture, press, query, send, unfold

PROJECT = "Project in this window"  # takes the lecturer's window for the projected screen


def own(line: str) -> Asked:
    """A question of the lecturer's own."""
    return Asked.of(Entry("own", asked=line))[0]


def own_screen(room):
    """The lecturer's own screen, which may move a room."""
    app = open_page("present", room=room.code, side="private")
    app.session_state["room_hosts"] = {room.code: room.host}
    return app.run()


def polled(rooms: Rooms, room, place: int, phones: list[str], votes: list) -> None:
    """Open a vote, let each phone answer, and close it."""
    rooms.step(room.code, room.host, "open", place)
    for one, value in zip(phones, votes, strict=True):
        rooms.vote(room.code, one, place, value)
    rooms.step(room.code, room.host, "close", place)


def phone(code: str, me: str):
    """A phone whose browser has kept its token."""
    app = open_page("room", room=code)
    app.session_state["room_me"] = {code: me}
    return app.run()


def test_a_room_of_lessons_from_opening_to_end(rooms: Rooms) -> None:
    app = open_page("present", list="odds")
    for text in ("x" * 201 + " | coins", "odds\n" * 41, "oddz"):  # bad lines open nothing
        app.text_area[0].set_value(text)  # as in a browser it comes with the press
        assert press(app, "Open the room").error
        assert rooms_of.ROOM not in app.query_params
    app = press(open_page("present", list="odds"), "Open the room")
    ((code, key),) = app.session_state["room_keys"].items()
    assert key in everything(app)
    assert key not in str(app.query_params)
    assert app.query_params["room"] == code
    assert key not in everything(press(app, PROJECT))
    press(app, "Your own screen")
    press(app, "I have it")
    assert key not in everything(app) + repr(app.session_state)
    press(app, PROJECT)
    phones = [rooms.join(code) for _ in range(6)]
    assert LESSONS["odds"].title == press(app, "Begin").title[0].value
    for label, votes in (
        ("Open the vote", [60 + 5 * k for k in range(6)]),
        ("Close the vote", []),
        ("Second vote", [75] * 6),
    ):
        press(app, label)
        for phone, vote in zip(phones if votes else [], votes, strict=True):
            rooms.vote(code, phone, 0, (vote,))
    assert "**6 of 6** phones have answered" in everything(app.run())
    press(app, "Close the vote")
    assert all(f"{vote} vote, 6 answers" in picture(app) for vote in ("First", "Second"))
    assert "73.1" not in everything(app) + picture(app)
    press(app, "Answer")
    assert all(x in picture(app) for x in ("73.1", "First vote, 6 answers", "What is true"))
    assert "73.1" in picture(press(app, "Picture"))
    assert "**73.1**" in everything(press(app, "Why"))
    press(app, "Next")
    assert app.title[0].value == question("odds-transfer").text


def test_a_room_ends_when_its_end_was_asked_for_and_confirmed(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="odds")])
    app = unfold(own_screen(room), "End the room")
    for label in ("End the room and delete it", "Keep the room", "End the room and delete it"):
        asked = "Delete the room" in [one.label for one in app.button]
        assert asked == (label == "Keep the room")
        press(app, label)
    assert rooms.look(room.code).state == LOBBY
    press(app, "Delete the room")
    assert "room" not in app.query_params
    with pytest.raises(RoomError, match="There is no room"):
        rooms.look(room.code)


def test_a_phone_s_options_are_buttons_and_what_is_tapped_is_stored(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="back"), own("<b>A*b*</b> | *x* | y | z")])
    me = rooms.join(room.code)
    app = phone(room.code, me)
    for place, many in enumerate((4, 3)):
        rooms.step(room.code, room.host, "open", place)
        app.run()
        for option in (1, many - 1, 0):
            labels = [b.label for b in app.button]
            assert len(labels) == many
            press(app, labels[option])
            assert rooms.look(room.code, me).mine == (option,)
            marked = [b.label.startswith("✓") for b in app.button]
            assert marked == [k == option for k in range(many)]
        if not place:
            rooms.step(room.code, room.host, "next", place)
    assert "<b>A*b*</b>" not in app.subheader[0].value
    assert app.button[0].label == r"✓ A: \*x\*"


def test_a_phone_sees_its_answer_what_is_true_and_the_class(rooms: Rooms) -> None:
    many = own("How many? | 0 to 400")
    room = rooms.open(
        [Asked(key="back"), Asked(key="twice"), many, Asked(text="Is it?", kind=COINS, epsilon=1.0)]
    )
    phones = [rooms.join(room.code) for _ in range(7)]
    app = phone(room.code, phones[0])
    votes = [
        [0] * 4 + [2] * 3,
        [(0.5 + k / 20, 0.4) for k in range(7)],
        [(10 * k,) for k in range(7)],
    ]
    told = []
    for place, values in enumerate(votes):
        polled(rooms, room, place, phones, values)
        assert bool(app.run().get("image")) == (place == 2)
        if place < 2:
            assert "True: **" not in everything(app)
            rooms.step(room.code, room.host, "show", place)
            assert "True: **" in everything(app.run())
        told.append(picture(app))
        rooms.step(room.code, room.host, "next", place)
    asked = question("twice")
    assert all(x in told[0] for x in ("A (you)", "✓ C", "First vote, 7 answers"))
    assert all(x in told[1] for x in (*asked.parts, "Your prediction", "What is true", "7 answers"))
    assert "Your prediction" in told[2]
    assert "What is true" not in told[2]
    rooms.step(room.code, room.host, "open", 3)
    for one in phones:
        rooms.send_bit(room.code, one, 3, 1)
    rooms.step(room.code, room.host, "close", 3)
    assert "from 7 answers" in everything(app.run())


def test_what_the_lecturer_says_is_true_comes_after_the_vote(rooms: Rooms) -> None:
    lines = ("Which? | Ash | Elm | true: Elm", "How many? | 0 to 400 | true: 120")
    shown = Playlist(tuple(Entry("own", asked=line) for line in lines))
    app = open_page("present", list=shown.text())
    assert app.text_area[0].value == "\n".join(lines)
    press(press(app, "Open the room"), PROJECT)
    ((code, host),) = app.session_state["room_hosts"].items()
    room = Opened(code=code, host=host, key="")
    phones = [rooms.join(code) for _ in range(6)]
    page = phone(code, phones[0])
    for place, (votes, true) in enumerate((([0, 1] * 3, "Elm"), ([(9.0,)] * 6, "120"))):
        polled(rooms, room, place, phones, votes)
        assert not page.run().get("image")
        for told_ in (everything(page), everything(app.run()), picture(app)):
            assert not [one for one in ("True: **", "✓", "120") if one in told_]
        rooms.step(code, host, "show", place)
        assert f"True: **{true}**" in everything(page.run())
        assert ("120" if place else "✓ B") in picture(app.run())
        if not place:
            rooms.step(code, host, "next", place)
    assert "Elm,3" in results(rooms, code)


def test_an_address_that_is_passed_on_joins_as_somebody_new(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="odds")])
    first = open_page("room")
    first.text_input[0].set_value(f" {room.code.lower()} ")  # a typed code leads to its room
    assert press(first, "Go on").title[0].value == f"Room {room.code}"
    press(first, "Join")
    assert list(first.query_params) == ["room"]
    for number in (2, 3):
        other = open_page("room", **{name: query(first, name) for name in first.query_params})
        assert "You are in" in press(other, "Join").title[0].value
        assert rooms.look(room.code).voters == number
    kept = first.session_state["room_me"][room.code]
    assert "You are in" in phone(room.code, kept).title[0].value
    assert rooms.look(room.code).voters == 3


def test_whoever_tries_too_often_waits_and_nobody_else(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="odds")])
    thief, lecturer = (open_page("present", room=room.code) for _ in range(2))
    for app, key in (*[(thief, "WRONGKEY")] * 8, (thief, room.key), (lecturer, room.key)):
        app.text_input[-1].set_value(key)
        press(app, "Take over")
    assert "Too many keys were tried" in everything(thief)
    assert "Begin" in [b.label for b in lecturer.button]
    app = open_page("room", room="ZZZZ")
    for code in ("YYYY", "XXXX", "WWWW", "VVVV", room.code):
        assert "no room of this code" in everything(app)
        app.query_params["room"] = code
        app.run()
    assert "Too many codes were tried" in everything(app)


def test_the_lecturer_s_own_screen_moves_skips_counts_and_keeps(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="odds"), Asked(key="break", own="break-5", kind=PAUSE),
                       own("Which? | A | B")])  # fmt: skip
    other = open_page("present", room=room.code, side="private")
    assert "Begin" not in [b.label for b in other.button]
    app = own_screen(room)
    for label, state in (("Begin", "read"), ("Open the vote", "open")):
        press(app, label)
        assert rooms.look(room.code).state == state
    for _ in range(5):
        rooms.vote(room.code, rooms.join(room.code), 0, (60,))
    assert "phones that have joined: **5**, answered: **5** · 0 of 6 min" in everything(app.run())
    assert "73.1" not in everything(app)
    assert "73.1" in everything(unfold(app, "Notes"))
    press(app, "Close the vote")
    press(app, "Skip")
    assert "0 of 5 min" in everything(app)
    press(app, "Back")
    assert rooms.look(room.code).state == "closed"
    press(press(app, "Skip"), "Next")
    assert not [one for one in app.get("expander") if one.label.startswith("Notes")]


def test_what_a_phone_has_not_decided_is_not_sent(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="twice")])
    rooms.step(room.code, room.host, "open", 0)
    me = rooms.join(room.code)
    app = phone(room.code, me)
    for slider in range(2):
        assert button(app, "Send my answer").disabled
        assert question("twice").parts[1] in app.caption[-1].value  # what is missing
        send(app, pressed(app, "Send my answer"))  # by hand
        app.select_slider[slider].set_value(0.5).run()
    app.text_input[0].set_value("abc")
    press(app, "Send my answer")
    assert "Nothing was sent." in everything(app)
    assert rooms.look(room.code).answers == 0
    app.text_input[0].set_value("0.3")
    press(app, "Send my answer")
    assert rooms.look(room.code, me).mine == (0.3, 0.5)
    assert "It is stored" in everything(phone(room.code, me))
    assert [slider.value for slider in phone(room.code, me).select_slider] == [UNSET] * 2


def test_phones_find_this_computer_s_own_address_or_the_one_that_was_typed(rooms: Rooms) -> None:
    room = rooms.open([Asked(key="odds")])
    shown = open_page("present", room=room.code)
    assert "svg" in picture(shown)
    assert not [one for one in (*shown.warning, *shown.text_input) if one != shown.text_input[0]]
    app = own_screen(room)
    for given in ("not an address", "192.168.1.20:8501"):
        assert "192.168.1.20" not in everything(shown.run())
        app.text_input[0].set_value(given)
        press(app, "Use it")
    assert rooms.address(room.code) == "http://192.168.1.20:8501"
    assert words.md("192.168.1.20:8501") in everything(shown.run())


@pytest.mark.parametrize("code", ["ZZZZ", "<b>x</b>", "A" * 500, "\u0000"])
def test_rooms_that_are_not_there(rooms: Rooms, code: str) -> None:
    for page in ("room", "present"):
        app = open_page(page, room=code)
        assert "There is no room of this code" in everything(app)
        assert "<b>" not in app.title[0].value


def test_a_phone_in_a_curator_s_room(rooms: Rooms) -> None:
    texts = ("Is it raining?", "Is it cold?")
    room = rooms.open([Asked(text=text, kind=CURATOR, epsilon=0.5) for text in texts])
    app = phone(room.code, rooms.join(room.code))
    assert rooms.look(room.code).state == LOBBY
    assert "You are in" in app.title[0].value
    rooms.step(room.code, room.host, "open", 0)
    app.run()
    assert "All 2 such questions of this room together cost ε = 1" in everything(app)
    press(app, "No")
    assert "Your answer is stored" in everything(app)
    assert not [b for b in app.button if b.label in ("Yes", "No")]
    assert "tell_" not in repr(app.session_state)  # nor does the session know what was said
    assert rooms.look(room.code).answers == 1


@pytest.mark.parametrize("names", deep_after(1, [["odds", "carry", "back", "cross"], [*LESSONS]]))
def test_a_phone_knows_no_truth_and_is_told_the_end(
    rooms: Rooms, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What never computes the truth and is sent none of its words cannot give it away."""

    def never(*_: object) -> None:
        raise AssertionError("a phone computes the truth")

    monkeypatch.setattr("sims.lessons.lists.truth", never)
    keys = [key + more for key in names for more in ("", TRANSFER)]
    room = rooms.open([Asked(key=key) for key in keys])
    app = phone(room.code, rooms.join(room.code))
    for place, key in enumerate(keys):
        own = lesson(key.removesuffix(TRANSFER))
        for action in ("open", "close"):
            rooms.step(room.code, room.host, action, place)
            shown = everything(app.run())
            assert question(key).text in shown
            assert own.explain not in shown
            assert own.explain_transfer not in shown
        if place + 1 < len(keys):
            rooms.step(room.code, room.host, "next", place)
    rooms.step(room.code, room.host, "end", len(keys) - 1)
    app.run()
    assert "This room is gone" in app.title[0].value
    assert "There is no room of this code" in everything(app)


def test_a_study_and_a_rate_of_one_s_own_in_a_room(rooms: Rooms) -> None:
    """They are in the questions, on the phones and in what is true, and the opening says so."""
    study = preset("regional").study
    mean = replace(lessons_own.default_rate(), at=(("d", 5.0), ("n", 1e4), ("eps", 0.5)))
    shown = Playlist((Entry("carry"), Entry("carry", study=study), Entry("rate", rate=mean)))
    app = open_page("present", list=shown.text())
    assert "your own in carry and rate" in everything(app)
    press(press(app, "Open the room"), PROJECT)
    ((code, host),) = app.session_state["room_hosts"].items()
    asked = rooms.look(code).questions
    assert [one.key for one in asked] == ["carry", "carry-transfer"] * 2 + ["rate", "rate-transfer"]
    assert asked[2].truth == truth(question("carry", study), study) != asked[0].truth
    assert asked[4].truth == truth(question("rate", None, mean), None, mean)
    for place, action in ((0, "next"), (1, "next"), (2, "open")):
        rooms.step(code, host, action, place)
    assert "**B:** University, 9,000 records" in everything(app.run())
    page = phone(code, rooms.join(code))
    assert page.select_slider[0].label.startswith("Regional, 800 records")
