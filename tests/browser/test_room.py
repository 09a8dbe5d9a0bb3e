"""Phones in a room: what leaves them, and how they follow the lecturer."""

from __future__ import annotations

import math
import time
from random import Random

import pytest
from playwright.sync_api import Locator
from streamlit.proto.BackMsg_pb2 import BackMsg

from pages.classroom.phone import _JS as COINS_JS
from pages.classroom.room import cookie
from sims.classroom import CARDS, COINS, CURATOR, PLAIN, Asked, Opened, Rooms, read_questions
from sims.lessons import Playlist, question
from tests.benchmarks.phones import Screen, apart, screens
from tests.benchmarks.wire import free_port
from tests.browser.conftest import Visitor, serve
from tests.browser.helpers import check_axe, press
from tests.browser.test_present import ROOM

READS = 3.2  # seconds before a tap
READING = 2  # times that a phone looks at the room, every two seconds, before a person taps
EPSILON = math.log(3)
LOADED = """() => performance.getEntriesByType("resource")
  .reduce((sum, one) => sum + one.transferSize, 0)"""
TOSSES = """async ([script, kept, times]) => {
  const made = await import("data:text/javascript," + encodeURIComponent(script));
  const place = document.createElement("div");
  place.innerHTML = "<button>Yes</button><button>No</button>";
  const sent = [];
  const setTriggerValue = (name, value) => sent.push([name, value]);
  for (let turn = 0; turn < times; turn++) {
    made.default({data: {kept}, parentElement: place, setTriggerValue});
    const button = place.children[turn % 2];
    button.disabled = false;
    button.click();
  }
  return sent;
}"""


def enter(phone: Visitor, code: str, me: str) -> None:
    """Open a room in a browser that has kept a token of it."""
    phone.page.context.add_cookies([{"name": cookie(code), "value": me, "url": phone.address}])
    phone.open(f"/room?room={code}")


def opened(rooms: Rooms, key: str) -> Opened:
    """A room that asks one question of the lessons, its vote open."""
    room = rooms.open([Asked(key=key)])
    rooms.step(room.code, room.host, "open", 0)
    return room


def polls_of(phone: Visitor) -> list[bytes]:
    """What a page will send to look at its room, message by message."""
    polls: list[bytes] = []

    def sent(data: str | bytes) -> None:
        if BackMsg.FromString(_bytes(data)).rerun_script.fragment_id:
            polls.append(_bytes(data))

    phone.page.once("websocket", lambda socket: socket.on("framesent", sent))
    return polls


def read(phone: Visitor, polls: list[bytes]) -> None:
    """Read a question until the page has looked at the room a few times."""
    phone.expect("Your answer is stored without a name")
    begun = len(polls)
    assert phone.until(lambda: len(polls) >= begun + READING)


def tap(phone: Visitor, option: int) -> None:
    """Tap an option, which is sent at once."""
    button = phone.page.locator("[class*=st-key-option_] button").nth(option)
    box = button.bounding_box()
    assert box["height"] >= 44
    assert box["width"] >= 350
    button.click()
    phone.expect("It is stored")


def test_phones_follow_over_a_restart_and_only_the_noisy_bit_leaves(rooms, visit):
    texts = ("Is it raining?", "Is it cold?")
    coins = rooms.open([Asked(text=text, kind=COINS, epsilon=EPSILON) for text in texts])
    port = free_port()
    with serve(port=port) as address:
        phone = visit(at=address, width=390)
        sent: list[bytes] = []
        phone.page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda data: sent.append(_bytes(data))),
        )
        phone.open(f"/room?room={coins.code.lower()}")
        assert phone.page.evaluate(LOADED) < 3.35e6  # headings have 0.43e6
        twice(phone, phone.page.get_by_role("button", name="Join"), slowly=False)
        phone.expect("You are in", "appears here by itself")
        assert rooms.look(coins.code).voters == 1
        rooms.step(coins.code, coins.host, "open", 0)
        phone.expect("Is it raining?", "unchanged with probability 75%")
        check_axe(phone)
        buttons = phone.page.get_by_role("button", name="Yes")
        assert buttons.bounding_box()["height"] >= 44
        buttons.click()
        phone.expect("Your answer is stored.")
        assert not any(b"Yes" in message for message in sent)
        rooms.step(coins.code, coins.host, "next", 0)
        rooms.step(coins.code, coins.host, "open", 1)
        phone.expect("Is it cold?")
        assert rooms.voted(coins.code, 0).total == 1
        phone.check()
    with serve(port=port):  # a server that was started again
        assert "me=" not in phone.page.url
        phone.page.reload()
        phone.expect("Is it cold?")
        phone.page.get_by_role("button", name="No").click()
        phone.expect("Your answer is stored.")
    rooms.step(coins.code, coins.host, "close", 1)
    assert rooms.voted(coins.code, 1).total == 1


def test_a_number_is_sent_and_found_again_and_nothing_true_comes_with_it(hall, visit):
    phone = visit(f"/room?room={opened(hall, 'odds').code}", width=390)
    press("Join")(phone)
    phone.expect("Right guesses")
    assert phone.page.get_by_role("slider").get_attribute("aria-valuetext") == "not set"
    for _ in range(2):
        phone.page.get_by_role("slider").press("ArrowRight")
    phone.page.get_by_role("button", name="Send my answer").click()
    phone.expect("You can change it until the vote closes")
    heard: list[bytes] = []
    phone.page.on(
        "websocket",
        lambda socket: socket.on("framereceived", lambda data: heard.append(_bytes(data))),
    )
    phone.page.reload()
    phone.expect("Your answer: 51 of 100")
    assert heard
    assert not any(b"73.1" in message or b"2.72" in message for message in heard)


def test_the_first_tap_of_a_phone_that_stays_is_taken(hall, visit):
    """The same phone answers one question after the other, twice each, and reads before."""
    keys = ("back", "odds-transfer")
    room = hall.open([Asked(key=key) for key in keys])
    me, phone = hall.join(room.code), visit(width=390)
    polls = polls_of(phone)
    enter(phone, room.code, me)
    for place in range(len(keys)):
        for option, action in ((place, "open"), (2 - place, "again")):
            hall.step(room.code, room.host, action, place)
            read(phone, polls)
            tap(phone, option)
            assert hall.look(room.code, me).mine == (option,)
            hall.step(room.code, room.host, "talk" if action == "open" else "close", place)
            phone.expect("The vote is closed")
        if place + 1 < len(keys):
            hall.step(room.code, room.host, "next", place)


def test_the_option_that_was_tapped_is_stored_shown_and_counted(hall, visit):
    asked, room = question("back"), opened(hall, "back")
    phone = visit(width=390)
    for _ in range(2):
        hall.vote(room.code, hall.join(room.code), 0, (2,))
    for option in (3, 2, 1, 0):
        enter(phone, room.code, hall.join(room.code))
        phone.expect("Your answer is stored without a name")
        tap(phone, option)
        phone.expect(f"Your answer: {asked.parts[option]}")
    hall.step(room.code, room.host, "close", 0)
    board = visit(f"/present?room={room.code}&embed=true")
    figure = board.page.get_by_role("img", name="Bars of the answers")
    assert "A 1, B 1, C 3, D 1" in figure.get_attribute("alt")
    hall.step(room.code, room.host, "show", 0)
    for one, mine in ((phone, "A (you) 1, B 1, ✓ C 3, D 1"), (board, "A 1, B 1, ✓ C 3, D 1")):
        one.expect(asked.parts[2])
        figure = one.page.get_by_role("img", name="Bars of the answers")
        one.becomes(lambda f=figure, m=mine: m in f.first.get_attribute("alt"), True)
        one.check()
    check_axe(phone)


def asked_for(data: bytes) -> tuple[str, ...]:
    """What a message asks for, and all that it says of the widgets."""
    asked = BackMsg.FromString(data).rerun_script
    held = sorted(state.SerializeToString().hex() for state in asked.widget_states.widgets)
    return (asked.query_string, asked.page_script_hash, asked.fragment_id, *held)


@pytest.mark.parametrize(
    "key", ["twice", *(pytest.param(key, marks=pytest.mark.slow) for key in ("odds", "back"))]
)
def test_the_benchmarks_phone_sends_what_a_browser_sends(hall, visit, key):
    """Both look at a question that is open, in the same state; what they send is compared."""
    room, phone = opened(hall, key), visit(width=390)
    me, polls = hall.join(room.code), polls_of(phone)

    async def looked(address: str) -> tuple[str, ...]:
        phone = Screen(address, "room", f"room={room.code}", cookies=f"{cookie(room.code)}={me}")
        async with screens(phone):
            (fragment,) = phone._watched
            return asked_for(phone._asked(fragment=fragment))

    enter(phone, room.code, me)
    assert phone.until(lambda: len(polls) >= READING)
    assert asked_for(polls[-1]) == apart(looked(phone.address.removeprefix("http://")))


def drawn(chance: Random) -> list[Asked]:
    """Twenty-five questions of all kinds in an order drawn by chance."""
    lines = [f"Choice {k}? | {' | '.join('ABCDEF'[: 2 + k % 5])}" for k in range(15)]
    lines += [f"Number {k}? | 0 to 40" for k in range(4)]
    lines += [f"{kind} {k}? | {kind}" for k in range(2) for kind in (COINS, CURATOR, CARDS)]
    chance.shuffle(lines)
    return list(read_questions("\n".join(lines), Playlist(()), EPSILON))


def answered(phone: Visitor, one: Asked, chance: Random) -> int:
    """Answer whatever is asked; what was answered."""
    if one.kind != PLAIN:
        said = chance.random() < 0.5
        phone.page.get_by_role("button", name="Yes" if said else "No").click()
        phone.expect("Your answer is stored")
        return int(said)
    if one.question.parameter is None:
        option = chance.randrange(len(one.question.parts))
        tap(phone, option)
        return option
    steps = chance.randrange(1, 6)
    for _ in range(steps):
        phone.page.get_by_role("slider").press("ArrowRight")
    phone.page.get_by_role("button", name="Send my answer").click()
    phone.expect("It is stored")
    return steps - 1


@pytest.mark.slow
def test_two_hundred_votes_of_all_kinds_are_those_that_were_tapped(hall, visit):
    """Eight phones in one room, each waiting three seconds and more before every tap."""
    chance = Random(20261126)
    asked = drawn(chance)
    room = hall.open(asked)
    marks = [hall.join(room.code) for _ in range(8)]
    phones = [visit(width=390) for _ in marks]
    board = visit(f"/present?room={room.code}&embed=true")
    for phone, me in zip(phones, marks, strict=True):
        enter(phone, room.code, me)
    for place, one in enumerate(asked):
        hall.step(room.code, room.host, "open", place)
        begun = time.monotonic()
        for phone in phones:
            phone.expect(one.text or one.question.text)
        assert board.until(lambda end=begun + READS: time.monotonic() > end)
        given = [answered(phone, one, chance) for phone in phones]
        hall.step(room.code, room.host, "close", place)
        voted = hall.voted(room.code, place)
        assert voted.totals == (8,)
        if one.kind != PLAIN:
            assert (voted.released is None) == (one.kind == COINS)
            board.expect("from 8 answers")
        elif one.question.parameter is None:
            (found,) = voted.rounds
            assert sorted(v.index(1) for v in found) == sorted(given)
            told = ", ".join(f"{x} {given.count(k)}" for k, x in enumerate(one.question.parts))
            figure = board.page.get_by_role("img", name="Bars of the answers").first
            board.becomes(lambda f=figure, t=told: t in str(f.get_attribute("alt")), True)
        else:
            (found,) = voted.rounds
            assert sorted(found) == sorted((float(v),) for v in given)
        if place + 1 < len(asked):
            hall.step(room.code, room.host, "next", place)


def codes(rooms: Rooms) -> set[str]:
    """The rooms of the file, as the server has stored them."""
    return {code for (code,) in rooms._store.read("SELECT code FROM room")}


def twice(visitor: Visitor, button: Locator, *, slowly: bool) -> None:
    """Click twice on the same spot, at once or when what lies there has been drawn anew."""
    visitor.settle()
    box = button.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    visitor.page.mouse.click(x, y)
    if slowly:
        visitor.settle()
    visitor.page.mouse.click(x, y)
    visitor.settle()


def test_a_second_click_where_a_room_was_opened_does_nothing(hall, visit):
    for slowly in (False, True):
        before, board = codes(hall), visit("/present?list=back,odds")
        press("Vote by phone")(board)
        twice(board, board.page.get_by_role("button", name="Open the room"), slowly=slowly)
        board.expect("stays off the projector", "Write it down")
        assert len(codes(hall) - before) == 1
        assert board.page.locator("[data-testid=stPopoverBody]").count() == 0


@pytest.mark.parametrize(("width", "height"), [(1280, 400), (390, 800)])
def test_two_clicks_on_the_same_spot_end_no_room(hall, visit, width, height):
    room = opened(hall, "back")
    hall.step(room.code, room.host, "close", 0)
    board = visit(f"/present?room={room.code}&side=private", width=width, height=height)
    page = board.page
    page.get_by_label("The lecturer's key moves this room").fill(room.key)
    page.get_by_role("button", name="Take over").click()
    page.get_by_text("End the room", exact=True).click()
    end = page.get_by_role("button", name="End the room and delete it")
    for slowly in (False, True):
        end.scroll_into_view_if_needed()
        board.still()
        twice(board, end, slowly=slowly)
        assert room.code in codes(hall)
        if page.get_by_role("button", name="Keep the room").count():
            page.get_by_role("button", name="Keep the room").click()
        end.wait_for()
    one = end.bounding_box()
    end.click()
    delete = page.get_by_role("button", name="Delete the room")
    delete.wait_for()
    board.still()
    other = delete.bounding_box()  # the two share no point
    assert any(
        a[at] >= b[at] + b[size]
        for at, size in (("x", "width"), ("y", "height"))
        for a, b in ((one, other), (other, one))
    )
    check_axe(board)
    delete.click()
    board.expect("Which list is presented?")
    assert room.code not in codes(hall)


def test_the_screen_to_join_is_read_from_the_last_row(hall, visit):
    room = hall.open([Asked(key="odds")])
    board = visit(f"/present?room={room.code}", room.code, "/room")
    code = board.page.locator(".st-key-code p")
    for width in (1280, 1920):
        board.page.set_viewport_size({"width": width, "height": width * 9 // 16})
        board.still()
        assert code.evaluate("one => parseFloat(getComputedStyle(one).fontSize)") >= 96
        assert board.page.get_by_role("img", name="To photograph").bounding_box()["width"] >= 420
        assert board.page.evaluate(ROOM) <= 0
    assert room.key not in board.text()
    assert "firewall" not in board.text()
    check_axe(board)


def test_tabs_of_one_browser_are_one_phone(hall, visit):
    """Also those that were open before the first one joined."""
    room = opened(hall, "back")
    link = f"/room?room={room.code}"
    first, other = (visit(link, width=390) for _ in range(2))
    tabs = [first, *(Visitor(first.page.context.new_page(), first.address) for _ in range(2))]
    for tab in tabs[1:]:
        tab.open(link)
    for number, tab in enumerate((*tabs, other)):
        press("Join")(tab)
        tab.expect("Your answer is stored without a name")
        tap(tab, number)
        tab.check()
        seen = hall.look(room.code)
        assert (seen.voters, seen.answers) == ((1, 1) if tab in tabs else (2, 2))


def test_coins_of_the_browser_are_fair(chromium):
    page = chromium.new_page()
    sent = page.evaluate(TOSSES, [COINS_JS, 0.75, 2_000])
    page.close()
    assert {name for name, _ in sent} == {"bit"}
    kept = sum(bit == (turn % 2 == 0) for turn, (_, bit) in enumerate(sent))
    assert abs(kept - 1_500) < 4 * math.sqrt(2_000 * 3 / 16)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
