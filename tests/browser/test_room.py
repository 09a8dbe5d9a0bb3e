"""Phones in a room: what leaves them, and how they follow the lecturer."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pages.parts.classroom.coins import _JS as COINS_JS
from sims.classroom import COINS, CURATOR, PLAIN, Asked, Rooms
from tests.browser.conftest import Visitor, free_port, serve
from tests.browser.test_pages import check_axe

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


@pytest.fixture
def rooms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rooms]:
    monkeypatch.setenv("RATES_ROOMS", str(tmp_path / "rooms.sqlite"))
    found = Rooms()
    yield found
    found.close()


def test_phones_follow_and_only_the_noisy_bit_leaves(
    rooms: Rooms, visit: Callable[..., Visitor]
) -> None:
    coins = rooms.open(COINS, [Asked(text="Is it raining?"), Asked(text="Is it cold?")], EPSILON)
    plain = rooms.open(PLAIN, [Asked(key="odds")])
    rooms.step(plain.code, plain.host, "open", 0)
    port = free_port()
    with serve(port=port) as address:
        phone = visit(address, width=390)
        sent: list[bytes] = []
        phone.page.on(
            "websocket",
            lambda socket: socket.on("framesent", lambda data: sent.append(_bytes(data))),
        )
        phone.open(f"/room?room={coins.code.lower()}")
        assert phone.page.evaluate(LOADED) < 3e6
        phone.page.get_by_role("button", name="Join").click()
        phone.expect("You are in", "appears here by itself")
        assert rooms.look(coins.code).voters == 1
        rooms.step(coins.code, coins.host, "open", 0)
        phone.expect("Is it raining?", "unchanged with probability 75 %")
        check_axe(phone)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
        buttons = phone.page.get_by_role("button", name="Yes")
        assert buttons.bounding_box()["height"] >= 40
        buttons.click()
        phone.expect("Your answer is stored.")
        assert not any(b"Yes" in message for message in sent)
        rooms.step(coins.code, coins.host, "next", 0)
        rooms.step(coins.code, coins.host, "open", 1)
        phone.expect("Is it cold?")
        assert rooms.voted(coins.code, 0).total == 1
        other = visit(address, width=390)
        other.open(f"/room?room={plain.code}")
        other.page.get_by_role("button", name="Join").click()
        other.expect("Right guesses")
        other.page.get_by_role("slider").press("ArrowLeft")
        other.page.get_by_role("button", name="Send my answer").click()
        other.expect("You can change it until the vote closes")
        heard: list[bytes] = []
        other.page.on(
            "websocket",
            lambda socket: socket.on("framereceived", lambda data: heard.append(_bytes(data))),
        )
        other.page.reload()
        other.expect("Your answer: 89 of 100")
        assert heard
        assert not any(b"73.1" in message or b"2.72" in message for message in heard)
        phone.check()
        other.check()
    with serve(port=port):  # a server that was started again
        phone.page.reload()
        phone.expect("Is it cold?")
        phone.page.get_by_role("button", name="No").click()
        phone.expect("Your answer is stored.")
    rooms.step(coins.code, coins.host, "close", 1)
    assert rooms.voted(coins.code, 1).total == 1


def test_a_curator_s_room_says_that_it_sees(rooms: Rooms, visit: Callable[..., Visitor]) -> None:
    room = rooms.open(CURATOR, [Asked(text="<b>Is</b> it *raining*?")], 1.0)
    rooms.step(room.code, room.host, "open", 0)
    with serve() as address:
        phone = visit(address, width=390, scheme="dark")
        phone.open(f"/room?room={room.code}&me={rooms.join(room.code)}")
        phone.expect("<b>Is</b> it *raining*?", "Your true answer is sent to the server")
        phone.page.get_by_text("Who sees what, and what is protected").click()
        phone.expect("you trust them", "at most 73.1 times of 100", "Two phones in one hand")
        phone.page.get_by_role("button", name="Yes").click()
        phone.expect("Your answer is stored.")
        check_axe(phone)
        board = visit(address, width=1280)
        board.open(f"/present?room={room.code}&embed=true")
        board.expect("1 of 1 phones have answered", "Lecturer")
        check_axe(board)
        forged = visit(address, width=390)
        forged.open(f"/room?room={room.code}&me=forged")
        forged.expect("This room does not know the phone")
        phone.check()


def test_coins_of_the_browser_are_fair(chromium) -> None:
    page = chromium.new_page()
    sent = page.evaluate(TOSSES, [COINS_JS, 0.75, 2_000])
    page.close()
    assert {name for name, _ in sent} == {"bit"}
    kept = sum(bit == (turn % 2 == 0) for turn, (_, bit) in enumerate(sent))
    assert abs(kept - 1_500) < 4 * math.sqrt(2_000 * 3 / 16)


def _bytes(data: str | bytes) -> bytes:
    return data.encode() if isinstance(data, str) else data
