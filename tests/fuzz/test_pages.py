"""Changed links, files and widgets on every page: an answer in numbers and words, or a refusal.

The whole of it: ``pytest -m slow tests/fuzz``. What a run shows must be free of exceptions, of
numbers that are none and of a visitor's text as markup, and it must be of the study in the
address. A session depends on its number alone; ``FUZZ_PART=2/8`` runs every eighth from the
third on.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.core.live import panel
from sims.engine import live
from tests.fuzz import grammar
from tests.fuzz.seen import breaches
from tests.fuzz.test_inputs import RATES, SITES, STUDIES, TABLES
from tests.pages import driver
from tests.pages.driver import ROOT

sys.path.insert(0, str(ROOT / "tests" / "golden"))
from screens import SCREENS, Screen

STEPS = 4  # runs of a session, the opening among them
TWICE = 0.25  # of the runs hear two things at once, as a slow server does
OPENED = 0.3  # of the pages: their boxes
PART = os.environ.get("FUZZ_PART", "0/1")  # which of how many parts of the sessions, by hand


def query(chance: Random, screen: Screen) -> dict[str, str]:
    """The address of a screen with parts of it changed."""
    out = dict(screen.query)
    if chance.random() < 0.5:
        out["study"] = grammar.link(chance, chance.choice(STUDIES))
    if screen.page == "orders" and chance.random() < 0.8:
        out["rate"] = grammar.link(chance, chance.choice(RATES))
    for name in sorted(out):
        if name not in ("study", "rate") and chance.random() < 0.5:
            out[name] = grammar.text(chance, out[name])
    # What a browser sends is text in UTF-8, without nulls.
    texts = {k: v.encode("utf-8", "ignore").decode() for k, v in out.items()}
    return {k: v for k, v in texts.items() if v}


def moved(chance: Random, app: AppTest) -> str:
    """Move one widget; return which, empty where there is none."""
    found: list[Any] = [
        *(w for kind in ("text_input", "text_area") for w in app.get(kind) if not w.disabled),
        *(w for kind in ("selectbox", "select_slider", "radio") for w in app.get(kind)),
        *(w for w in app.button_group if w.options),
        *(w for w in (*app.toggle, *app.checkbox) if not w.disabled),
        *(w for w in app.button if not w.disabled),
        *app.file_uploader,
    ]
    if not found:
        return ""
    widget = chance.choice(found)
    kind = widget.type
    if kind in ("text_input", "text_area"):
        start = str(widget.value or "") or chance.choice(SITES)
        offered = chance.choice((chance.choice(grammar.NUMBERS), grammar.text(chance, start)))
        widget.set_value(offered.encode("utf-8", "ignore").decode().replace("\x00", ""))
    elif kind == "button":
        widget.click()
    elif kind in ("toggle", "checkbox"):
        widget.set_value(not widget.value)
    elif kind == "file_uploader":
        made = grammar.written(chance, chance.choice(STUDIES))
        texts = (made, grammar.text(chance, chance.choice(SITES + TABLES)))
        given = ("x.csv", grammar.raw(chance, chance.choice(texts)), "text/plain")
        widget.set_value([given] if widget.accept_multiple_files else given)
    elif kind == "select_slider":
        many = 2 if isinstance(widget.value, list | tuple) else 1
        ends = sorted(chance.choices(range(len(widget.options)), k=many))
        read = widget.root.session_state._state._new_widget_state.widget_metadata[widget.id]
        widget.set_value(read.deserializer([widget.options[k] for k in ends]))
    elif widget.options:
        widget.set_value(chance.choice(list(widget.options)))
    return f"{kind} {getattr(widget, 'label', '')}"


def session(number: int) -> list[str]:
    """Open a changed link and do something there, a few times; return what is wrong."""
    chance = Random(f"pages {number}")
    screen = SCREENS[97 * number % len(SCREENS)]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
    given = query(chance, screen)
    app.query_params.update(given)
    driver.at(app, screen.page).run()
    for shut in (driver.unbox, driver.details):
        if chance.random() < OPENED:
            with suppress(AssertionError):  # this page has none
                shut(app)
    told = [f"session {number}, {screen.page} {json.dumps(given)}"]
    for step in range(STEPS):
        if wrong := breaches(app):
            return [*wrong, *told]
        if step < STEPS - 1:
            told.append(moved(chance, app))
            if chance.random() < TWICE:
                told.append(moved(chance, app))
            app.run()
    return []


@pytest.mark.parametrize(
    "sessions",
    [pytest.param(5, marks=pytest.mark.deep), pytest.param(1250, marks=pytest.mark.slow)],
)
def test_pages_answer_whatever_they_are_given(
    sessions: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(panel, "_draw_again", lambda: None)  # a step of a live run at a time
    part, parts = map(int, PART.split("/"))
    wrong, began = [], time.process_time()
    for tried, number in enumerate(range(part, sessions, parts), start=1):
        monkeypatch.setattr(live, "SLOTS", live.Slots())  # no session waits for another's run
        if found := session(number):
            wrong.append(found)
        if found or tried % 50 == 0:
            with capsys.disabled():
                used = time.process_time() - began
                print(f"{tried} sessions, {used:.0f} s of the processor {found}", flush=True)
    assert wrong == []
