"""A lecturer's class by the mouse: from the first page to the results, and the room's end."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Callable

import pytest

from sims.classroom import VOTING, RoomError, Rooms
from tests.browser.conftest import Visitor, serve
from tests.browser.helpers import unfold

SOON = 180  # seconds from the first page to the first bars of answers
READS = 3.2  # seconds before a tap
PLAIN = [f"Which one, {k}? | Ash | Beech | Cedar" for k in range(5)]
LINES = [line for k, own in enumerate(PLAIN) for line in (own, f"Is it so, {k}? | coins")]


def onward(host: Visitor, rooms: Rooms, code: str) -> None:
    """Press the key for onward, and wait until the room has moved."""

    def now() -> tuple[str, int]:
        seen = rooms.look(code)
        return seen.state, seen.place

    before = now()
    host.page.locator("[class*=st-key-remote_on] button").click()
    assert host.until(lambda: now() != before)
    host.settle()


def bars(board: Visitor, told: str) -> None:
    """The projected screen shows bars of these answers."""
    figure = board.page.get_by_role("img", name="Bars of the answers").first
    board.becomes(lambda: told in str(figure.get_attribute("alt")), True)


@pytest.mark.slow
def test_a_class_of_ten_questions_and_two_kinds(
    rooms: Rooms, visit: Callable[..., Visitor], tmp_path
) -> None:
    with serve() as address:
        begun, host = time.monotonic(), visit(address)
        host.open("/")
        host.page.locator(".st-key-bar").get_by_role("link", name="Teach").click()
        host.expect("What do you expect?")
        unfold(host, "For a lecturer")
        host.page.get_by_role("link", name="Open the list on the projector").click()
        host.page.get_by_role("button", name="Vote by phone").click()
        host.page.get_by_label("What is asked, one a line").fill("\n".join(LINES))
        host.page.get_by_role("button", name="Open the room").click()
        host.expect("The key of room")
        (code,) = re.findall(r"room=(\w+)", host.page.url)
        board = visit(address)
        board.open(f"/present?room={code}")
        phones = [visit(address, width=390) for _ in range(6)]
        for phone in phones:
            phone.open(f"/room?room={code}")
            phone.page.get_by_role("button", name="Join").click()
            phone.expect("You are in")
        for place, line in enumerate(LINES):
            text = line.partition(" |")[0]
            while rooms.look(code).place < place or rooms.look(code).state not in VOTING:
                onward(host, rooms, code)
            for number, phone in enumerate(phones):
                phone.expect(text)
                read = time.monotonic() + (READS if number == 0 else 0)
                assert phone.until(lambda end=read: time.monotonic() > end)
                answer = "Yes" if line.endswith("coins") else "Ash" if number else "Beech"
                phone.page.get_by_role("button", name=answer).click()
                phone.expect("stored")
            while rooms.look(code).state in VOTING:
                onward(host, rooms, code)
            if place == 0:
                bars(board, "A 5, B 1, C 0")
                took = time.monotonic() - begun
                print(f"\nfrom the first page to the first bars {took:.0f} s")
                assert took < SOON
        with host.page.expect_download() as got:
            host.page.get_by_role("button", name="Results (CSV)").click()
        rows = list(csv.DictReader(got.value.path().read_text("utf-8").splitlines()))
        questions = {value for row in rows for value in row.values() if value}
        assert all(line.partition(" |")[0] in questions for line in LINES)
        unfold(host, "End the room")
        host.page.get_by_role("button", name="End the room and delete it").click()
        host.page.get_by_role("button", name="Delete the room").click()
        phones[0].expect("no room of this code")
        with pytest.raises(RoomError):
            rooms.look(code)
        for one in (host, board, *phones):
            one.check()
