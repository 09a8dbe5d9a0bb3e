"""Calibration and the price of adapting on the fit page, without a browser."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.charts import words
from pages.current import state
from rates.study import Scope
from sims.calibration import Calibration, calibrate, risk_of, worlds_for
from tests.browser.test_study import six_sites
from tests.pages.driver import choice, everything, linked, query, told, unbox
from tests.pages.fit import test_fit
from tests.pages.fit.test_fit import paragraph, turn

SIX = six_sites()
KEPT = "named procedure at these sites"  # in a paragraph with an absolute risk
PLAIN = replace(SIX, smoothness=1.0, margin=1.0)


def opened(study, scope: Scope | None = None, page: str = "fit", **address: str):
    """A study's page, on Fit at the tab in which a constant is fitted."""
    tab = {"tab": "alternatives"} if page == "fit" else {}
    return test_fit.opened(study, scope, page, **tab | address)


def fitted(study, name: str, *, pointwise: bool = False) -> Calibration:
    return calibrate(study, worlds_for(study, pointwise=pointwise)[name])


def button(app, start: str):
    return next(b for b in app.button if b.label.startswith(start))


def accept(app, name: str = "cusp 1"):
    choice(app, "World").set_value(name).run()
    button(app, "Use this constant").click().run()
    return app


def test_an_accepted_constant_shows_the_engine_s_risk_with_world_setting_and_interval():
    app = opened(SIX)
    choice(app, "World").set_value("cusp 1").run()
    assert KEPT not in paragraph(app)  # fitted is not yet accepted
    accept(app)
    found = fitted(PLAIN, "cusp 1")
    risk = risk_of(found, PLAIN)
    value, low, high = (words.number(100 * x) for x in (risk.value, risk.low, risk.high))
    text = f"about {value}% (95% interval {low} to {high}%)"
    assert words.md(text) in everything(app)
    assert text in paragraph(app)
    assert linked(app)[0] == PLAIN  # the world's smoothness and margin are the study's now
    assert app.session_state["bound_constant"].calibration == found
    name = "classification:cusp 1"
    assert query(app, "constant") == name
    held, (study, scope) = app.session_state["bound_constant"], linked(app)
    for page in ("fit", "plan"):
        other = opened(study, scope, page, constant=name)
        assert other.session_state["bound_constant"] == held
        assert not other.error
        assert query(other, "constant") == name
    assert choice(opened(study, scope, constant=name), "World").value == "cusp 1"


def test_a_constant_does_not_follow_to_another_study_or_past_its_theory():
    app = accept(opened(SIX))
    for question, answer, back in (
        ("Is the answer a time", "survival", "unknown"),
        ("Who protects", "hybrid", "unknown"),  # another theory covers it: nothing is broken there
    ):
        turn(app, "covered")
        choice(app, "What is predicted").set_value("binary").run()
        choice(app, "For whose patients").set_value("one").run()
        choice(app, question).set_value(answer).run()
        assert KEPT not in paragraph(app)
        assert "leave its theory" in everything(turn(app, "alternatives"))
        turn(app, "covered")
        choice(app, question).set_value(back).run()
        assert KEPT in paragraph(app)
    turn(app, "alternatives")
    button(unbox(app), "Open: Five unequal hospitals").click().run()
    assert "belongs to another study" in everything(app)
    assert KEPT not in paragraph(app)


def test_a_constant_of_an_earlier_study_is_not_in_the_link():
    app = accept(opened(SIX))
    study = linked(app)[0]
    later = replace(study, target=replace(study.target, n=study.target.n + 1))
    app.session_state["bound_study"] = replace(app.session_state["bound_study"], study=later)
    app.session_state["draft"] = state.draft_of(later)
    app.run()
    assert "constant" not in app.query_params
    assert "crosses 50% along a line" in everything(app)


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        *((text, None) for text in ("nonsense", "integrated:fourier")),
        ("classification:cusp 0.5", Scope(smoothness=(0.9, 1.0))),
    ],
)
def test_a_constant_that_cannot_be_fitted_is_said_and_nothing_else_changes(text, scope):
    app = opened(SIX, scope, constant=text)
    assert "The constant in the address could not be used" in told(app)
    assert "bound_constant" not in app.session_state
    assert linked(app)[0] == SIX
