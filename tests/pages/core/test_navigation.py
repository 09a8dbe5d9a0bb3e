"""Every address is a page of app.py: on a cold server, and at every step of a test."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from app import DOORS, SCREENS
from pages.charts import words
from pages.current import bar
from rates import Server, TransferStudy
from rates.ledger import entry, papers
from rates.study import codec
from tests.benchmarks.phones import Screen, apart
from tests.benchmarks.wire import server
from tests.pages.driver import ROOT, details, everything, open_page, picture, press


def test_every_step_goes_through_the_app(monkeypatch: pytest.MonkeyPatch) -> None:
    app = open_page("overview")
    monkeypatch.delattr(bar, "above")
    with pytest.raises(AssertionError):  # of a page that shows an exception
        app.run()


# A page in a process that has loaded nothing of the house, as a server's where nobody has come yet.
COLD = """
import json, os, sys
import numpy, pandas
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

made = PagesManager.__init__


def making(manager, *args, **rest):
    PagesManager.uses_pages_directory = False  # as `tests.pages.driver`, which loads the house
    made(manager, *args, **rest)


PagesManager.__init__ = making
for name in sys.argv[1:]:
    if os.fork():
        os.wait()
        continue
    app = AppTest.from_file("app.py", default_timeout=300)
    app._page_hash = calc_hash(name)
    app.run()
    wrong = [one.value for one in app.exception]
    print(json.dumps([name, any([app.title, app.header, app.subheader]), wrong]), flush=True)
    os._exit(0)
"""


@pytest.mark.deep
def test_every_address_is_opened_cold() -> None:
    names = [*(name for views in DOORS.values() for name in views), *SCREENS]
    command = [sys.executable, "-c", COLD, *names]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found == [[name, True, []] for name in names], done.stderr[-2000:]


@pytest.mark.deep
@pytest.mark.parametrize("name", ["overview", "room"])
def test_a_cold_server_opens_an_address(name: str) -> None:
    async def look(address: str) -> Screen:
        screen = Screen(address, name, "")
        await screen.open()
        await screen.close()
        return screen

    with server() as (address, _):
        seen = apart(look(address))
    assert seen.title
    assert not seen.problems


def test_only_the_open_tab_is_computed(monkeypatch):
    for page, tab, other, computed in (
        ("fit", "unknown", "covered", "unknowns.of"),
        ("fit", "alternatives", "covered", "constant.section"),
        ("orders", "cases", "terms", "found.cases"),
    ):
        monkeypatch.setattr(f"pages.{page}.{computed}", None)  # whoever calls it fails
        open_page(page, tab=other)
        with pytest.raises(AssertionError):
            open_page(page, tab=tab)


# What a link asks for that a page cannot show, or should not alone, is said in words --------------


SITE = Server(name="a", n=10**15, epsilon=1)
HUGE = codec.to_link(TransferStudy(target=SITE, smoothness=1, dimension=1, margin=1))
MISPRINT = "ACC:Cor3.2:eps21"
ASKED = [
    ("overview?study=~1nonsense", "could not be opened"),
    ("overview?phase=7", "phase, which this page does not use"),
    ("overview?epsilon=7000", "could not be used"),
    ("classification?run=<b>:1", "semicolons"),
    ("classification?tab=classifier&run=n:10000000;m:100", "at most 10,000,000 source records"),
    (f"classification?tab=study&study={HUGE}", "The bandwidth must be at least"),
    ("regression?tab=rate&run=sweep:m;m:1,2000;n:1000;epsilon:1", "n must be at least m"),
    ("hybrid?run=distance:groups;volunteer_groups:1;population_groups:1,1", "number of groups"),
    ("hybrid?run=epsilon:20", "private only up"),
    # Of views of before: what is nearest.
    (f"statements?id={MISPRINT}&view=print", words.md(entry(MISPRINT).title)),
    ("statements?paper=KS&view=letter", words.md(f"Notes on “{papers()[2].title}”")),
    ("statements?id=ACC:Table1:reading-B", "Withdrawn"),
    # Limit cases of a map, with a word why.
    ("phases?at=100,0,500,0.5,2,1,1,0.5,1", "Without sources"),
    ("phases?at=100,10,0,0.5,2,1,1.2,0.5,1", "γ* is undefined"),
    *(
        pytest.param(f"phases?{link}", said, marks=pytest.mark.deep)
        for link, said in (
            ("at=100,10,5000,0.5,2,1,1.2,0.5,1", "Outside n ≤ n₀ ≤ m n"),
            ("at=100,10,500,0.5,2,1,1.2,5,1", "beyond the paper's map"),
            ("at=100,10,500,0.001,10,1,1.2,0.5,1", "Pt up to 1"),
            ("at=0,0,0,0.5,2,1,1.2,0.5,1", "trivial"),
            *((f"own=at:{at}", "could not be opened") for at in ("1,2,3", "0,1", "inf,1", "a,b")),
        )
    ),
    *((f"phases?own={own}", "could not be opened") for own in ("x:__import__;y:n_1", "answer:7")),
]


@pytest.mark.parametrize(("link", "said"), ASKED)
@pytest.mark.usefixtures("by_step")
def test_what_cannot_be_shown_is_said_in_words(link, said):
    page, _, query = link.partition("?")
    parts = dict(part.split("=", 1) for part in query.split("&"))
    app = open_page(page, **parts)
    assert said in everything(app)
    assert not (page == "statements" and app.warning)


# A page on the screen of a lecture room -----------------------------------------------------------


LEAST = 22 / (1236 / 632)  # of letters in a drawing that is 1,236 pixels wide on the screen


def test_a_page_is_presented_by_its_address_alone():
    app = open_page("phases", view="present", at="epsilon:0.5")
    texts = [e for e in ET.fromstring(picture(app)).iter() if e.tag.endswith("text")]
    assert len(texts) > 10
    assert min(float(e.get("font-size")) for e in texts) >= LEAST
    assert [title.value for title in app.title] == ["Which term decides, and where does it change?"]
    assert app.main[1].children[0].type == "title"
    assert not app.get("plotly_chart")
    assert not app.sidebar
    (fold,) = (box for box in app.expander if box.label == "Controls and words")
    assert len({one.label for one in fold.expander} - {fold.label}) == 3
    assert "As the budget grows" in everything(app)
    press(app, "Back to the page")
    assert "view" not in app.query_params
    press(details(app), "Present this")  # and back, with what the page shows
    assert (app.query_params["view"], app.query_params["at"]) == ("present", "epsilon:0.5")
