"""What others typed is text on every view, tab and fold: no markup, link, picture or formula.

The browser's own look at it is `tests/browser/test_links.py`.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.core.live import panel
from rates.numbers import DomainError
from rates.study import FederatedStudy, Server, codec, preset
from tests.depth import deep_after
from tests.fuzz.grammar import MARK, TEXTS
from tests.fuzz.seen import breaches
from tests.fuzz.test_ends import VIEWS, opened, tabs
from tests.pages import driver


def named(text: str) -> str:
    """A text as the name of a site; empty if it can be none."""
    with suppress(DomainError):
        return Server(name=text, n=100, epsilon=1).name if MARK in text else ""
    return ""


NAMES = list(filter(None, map(named, TEXTS)))


def studies() -> list[str]:
    """One study of each kind whose sites bear these names, as an address holds it."""
    hospitals, curve = preset("hospitals").study, preset("unequal").study
    target, *_ = hospitals.servers
    first, *rest = NAMES
    sources = tuple(replace(hospitals.sources[0], name=name, n=100) for name in rest)
    kernel = replace(hospitals, target=replace(target, name=first), sources=sources)
    every = [replace(curve.servers[0], name=name) for name in NAMES]
    return [codec.to_link(kernel), codec.to_link(FederatedStudy(servers=every, smoothness=2))]


def unfolded(app: AppTest) -> AppTest:
    """A view with its boxes and folds open."""
    for one in [*app.get("popover"), *app.get("expander")]:
        key = str(one.proto.id.split("-", 2)[-1]) if one.proto and one.proto.id else ""
        if key and key != "None":
            app.session_state[key] = True
    return app.run()


@pytest.mark.parametrize("kind", [0, pytest.param(1, marks=pytest.mark.deep)])
@pytest.mark.parametrize("view", deep_after(1, sorted(VIEWS, key="plan".__ne__)))
def test_names_of_sites_are_text_on_every_view(
    view: str, kind: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(panel, "_draw_again", lambda: None)
    app = opened(view, study=studies()[kind])
    assert len(NAMES) > 20
    found = [f"{tab}: {said}" for tab in tabs(app) for said in breaches(unfolded(app))]
    assert found == []
    with suppress(AssertionError):
        assert driver.details(app)
        assert breaches(app) == []
