"""A lesson about one's own study: all its numbers on sheet, projector and phone."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from pages.lessons import lists
from rates.study import Server, TransferStudy
from sims.classroom import Asked
from sims.lessons import Entry, Playlist
from tests.browser.helpers import unfold
from tests.browser.test_room import enter

STUDY = TransferStudy(
    target=Server(name="Harbour clinic", n=1_237, epsilon=0.73, delta=3e-7),
    sources=(
        Server(name="Hill <b>hospital</b>", n=4_519, epsilon=1.31, signal_exponent=0.83),
        Server(name="Open registry", n=2_053, epsilon=math.inf, signal_exponent=0.91),
        Server(name="Praxis | all", n=61, epsilon=2.9, delta=2e-6, signal_exponent=0.77, count=17),
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


ASSUMED = "is assumed where none was stated"
WIDER = """() => [...document.querySelectorAll("[data-testid=stMarkdownContainer] :is(p, li, td)")]
    .filter(one => one.getBoundingClientRect().right > innerWidth)
    .map(one => one.innerText)"""


def missing(text: str) -> list[str]:
    """What of the study a text does not have as a word of its own."""
    names = [s.name for s in STUDY.servers]
    wanted = (*SIZES, *OTHERS, *SHAPE, *names)
    return [x for x in wanted if not re.search(rf"(?<![\w.,]){re.escape(x)}(?!\w|[.,]\d)", text)]


def test_the_sheets_have_every_number(visit, tmp_path):
    file = tmp_path / "lessons.html"
    file.write_text(lists.sheets(LIST, ""), "utf-8")
    visitor = visit(at="file:")
    visitor.page.goto(file.as_uri())
    for place in (1, 2):
        assert missing(visitor.page.locator(f"#question-{place}").inner_text()) == []


def test_the_projector_has_every_number_above_its_foot(visit):
    visitor = visit(height=720)
    many = [replace(STUDY.sources[0], name=f"District hospital {k}") for k in range(4, 15)]
    eight, twelve = (replace(STUDY, sources=tuple(many[:k])) for k in (7, 11))
    full = Playlist((Entry("carry", eight), Entry("free", twelve)))
    for place in (1, 2):
        for some, name in ((full, "District hospital 10"), (LIST, "Harbour clinic")):
            visitor.open(f"/present?list={some.text()}&place={place}")
            visitor.expect(name, ASSUMED)
            visitor.still()
            assert visitor.page.evaluate(CUT) == []
            assert some is full or missing(visitor.text()) == []
            visitor.check()


def test_the_phone_has_every_number(hall, visit):
    keys = ("carry", "free")
    room = hall.open([Asked(key=key, own=Entry(key, STUDY).text()) for key in keys])
    phone = visit(width=390)
    enter(phone, room.code, hall.join(room.code))
    for place in range(len(keys)):
        hall.step(room.code, room.host, "next" if place else "read", max(place - 1, 0))
        phone.expect(ASSUMED)
        assert missing(phone.text()) == []
        hall.step(room.code, room.host, "open", place)
        phone.expect("Your answer is stored without a name")
        unfold(phone, "What it is about")
        phone.becomes(lambda: missing(phone.text()), [])
        phone.becomes(lambda: phone.page.evaluate(WIDER), [])
        phone.check()
