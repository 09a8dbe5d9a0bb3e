"""Changed links, files and widgets on every page: an answer in numbers and words, or a refusal.

The whole of it: ``pytest -m slow tests/fuzz``. What a run shows must be free of exceptions, of
numbers that are none and of a visitor's text as markup, and it must be of the study in the
address.
"""

from __future__ import annotations

import json
import re
import sys
from random import Random
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from rates.numbers import DomainError
from rates.study import codec
from tests.fuzz import grammar
from tests.fuzz.test_inputs import RATES, SITES, STUDIES, TABLES
from tests.pages.driver import ROOT

sys.path.insert(0, str(ROOT / "tests" / "golden"))
from screen_links import Screen, plain_pages
from screen_runs import live_pages

SCREENS = [s for s in (*plain_pages(), *live_pages()) if s.query or not s.tab]
STEPS = 4  # runs of a session, the opening among them
_BAD = re.compile(r"(?<![\w'\"*\\:(-])(nan|NaN|None(?! of)|Infinity)(?![\w'\"*:)-])")
_WORDS = ("title", "header", "subheader", "markdown", "caption", "metric")
_SAID = ("error", "warning", "info", "success")
_MARK = grammar.MARK
_MARKUP = re.compile(  # unescaped
    rf"(?<!\\)(?:\*\*{_MARK}\*\*|\]\((?:http://)?{_MARK}|:red\[{_MARK}|<b id={_MARK}>"
    rf"|<script>{_MARK}|onerror={_MARK}|:material/{_MARK}:)"
)


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
    elif widget.options:
        widget.set_value(chance.choice(list(widget.options)))
    return f"{kind} {getattr(widget, 'label', '')}"


def breaches(app: AppTest) -> list[str]:
    """What is wrong with what a page shows."""
    out = [f"exception {e.value[:300]}" for e in app.exception]
    shown = [str(e.value) for kind in _WORDS for e in getattr(app, kind)]
    said = [str(e.value) for kind in _SAID for e in getattr(app, kind)]
    out += [f"no number: {text[:200]}" for text in shown if _BAD.search(text)]
    out += [f"markup: {text[:200]}" for text in shown + said if _MARKUP.search(_bare(text))]
    held = app.session_state["bound_study"] if "bound_study" in app.session_state else None  # noqa: SIM401
    given = app.query_params.get("study")
    if held is not None and given:
        try:
            asked = codec.open_link(given[0] if isinstance(given, list) else given)[0]
        except DomainError:
            if not app.error:
                out.append("a link is refused, and nothing says so")
        else:
            if asked != held.study:
                out.append("the answer is of another study than the address")
    return out


def _bare(text: str) -> str:
    """Markdown without its code, in which nothing is markup."""
    return re.sub(r"`[^`\n]*`", "", text)


def session(seed: int) -> None:
    """Open a changed link and do something there, a few times."""
    chance = Random(seed)
    screen = SCREENS[seed % len(SCREENS)] if seed < len(SCREENS) else chance.choice(SCREENS)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    given = query(chance, screen)
    app.query_params.update(given)
    app.switch_page(f"pages/{screen.page}.py").run()
    told = [f"{screen.page} {json.dumps(given)}"]
    for step in range(STEPS):
        if wrong := breaches(app):
            pytest.fail(f"session {seed}: {wrong}; " + "; ".join(told))
        if step < STEPS - 1:
            told.append(moved(chance, app))
            app.run()


@pytest.mark.parametrize(
    "sessions",
    [pytest.param(5, marks=pytest.mark.deep), pytest.param(1250, marks=pytest.mark.slow)],
)
def test_pages_answer_whatever_they_are_given(sessions: int) -> None:
    for seed in range(sessions):
        session(97 * seed)
