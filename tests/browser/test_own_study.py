"""A lesson about one's own study: all its numbers on sheet, projector and phone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pages.lessons import lists
from rates.study import Server, TransferStudy
from sims.classroom import Asked, Rooms
from sims.lessons import Entry, Playlist
from tests.browser.conftest import Visitor, serve
from tests.browser.test_room import enter

STUDY = TransferStudy(
    target=Server(name="Harbour clinic", n=1_237, epsilon=0.73, delta=3e-7),
    sources=(
        Server(name="Hill <b>hospital</b>", n=4_519, epsilon=1.31, signal_exponent=0.83),
        Server(name="Open registry", n=2_053, epsilon=math.inf, signal_exponent=0.91),
        Server(
            name="Practices | all", n=61, epsilon=2.9, delta=2e-6, signal_exponent=0.77, count=17
        ),
    ),
    smoothness=0.85,
    dimension=3,
    margin=1.5,
)
SIZES = ("1,237", "4,519", "2,053", "61", "17")
OTHERS = ("0.73", "1.31", "2.9", "unprotected", "0.83", "0.91", "0.77", "3e-7", "2e-6")
SHAPE = ("0.85", "3 covariates", "margin 1.5", "1e-6 is assumed")
LIST = Playlist((Entry("carry", STUDY), Entry("free", STUDY)))
CUT = """() => {
    const foot = document.querySelector(".st-key-foot").getBoundingClientRect().top;
    const words = [...document.querySelectorAll("h1, .st-key-prose p, .st-key-prose td")];
    return words.filter(one => one.getBoundingClientRect().bottom > foot).map(one => one.innerText);
}"""


WIDER = """() => [...document.querySelectorAll("[data-testid=stMarkdownContainer] :is(p, li, td)")]
    .filter(one => one.getBoundingClientRect().right > innerWidth)
    .map(one => one.innerText)"""


def missing(text: str) -> list[str]:
    """What of the study a text does not have as a word of its own."""
    names = [s.name for s in STUDY.servers]
    wanted = (*SIZES, *OTHERS, *SHAPE, *names)
    return [x for x in wanted if not re.search(rf"(?<![\w.,]){re.escape(x)}(?!\w|[.,]\d)", text)]


def test_the_sheets_have_every_number(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    file = tmp_path / "lessons.html"
    file.write_text(lists.sheets(LIST, ""), "utf-8")
    visitor = visit("file:")
    visitor.page.goto(file.as_uri())
    for place in (1, 2):
        assert missing(visitor.page.locator(f"#question-{place}").inner_text()) == []


def test_the_projector_has_every_number_above_its_foot(
    server: str, visit: Callable[..., Visitor]
) -> None:
    visitor = visit(server, width=1280)
    visitor.page.set_viewport_size({"width": 1280, "height": 720})
    many = [replace(STUDY.sources[0], name=f"District hospital {k}") for k in range(4, 15)]
    eight, twelve = (replace(STUDY, sources=tuple(many[:k])) for k in (7, 11))
    full = Playlist((Entry("carry", eight), Entry("free", twelve)))
    for place in (1, 2):
        visitor.open(f"/present?list={full.text()}&place={place}")
        visitor.expect("District hospital 10", "is assumed where none was stated")
        visitor.still()
        assert visitor.page.evaluate(CUT) == []
        visitor.open(f"/present?list={LIST.text()}&place={place}")
        visitor.expect("Harbour clinic", "is assumed where none was stated")
        assert missing(visitor.text()) == []
        assert visitor.page.evaluate(CUT) == []
        visitor.check()


def test_the_phone_has_every_number(rooms: Rooms, visit: Callable[..., Visitor]) -> None:
    keys = ("carry", "free")
    room = rooms.open([Asked(key=key, own=Entry(key, STUDY).text()) for key in keys])
    with serve() as address:
        phone = visit(address, width=390)
        enter(phone, room.code, rooms.join(room.code))
        for place in range(len(keys)):
            action = "next" if place else "read"
            rooms.step(room.code, room.host, action, max(place - 1, 0))
            phone.expect("is assumed where none was stated")
            assert missing(phone.text()) == []
            rooms.step(room.code, room.host, "open", place)
            phone.expect("Your answer is stored without a name")
            phone.page.locator("summary").filter(has_text="What it is about").click()
            phone.becomes(lambda: missing(phone.text()), [])
            phone.becomes(lambda: phone.page.evaluate(WIDER), [])
            phone.check()
