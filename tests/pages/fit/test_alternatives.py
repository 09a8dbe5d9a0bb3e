"""Rivals, calibration and the price of adapting on the fit page, without a browser."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pages.charts import words
from pages.current import state
from pages.fit import rivals
from rates.answer import Lens
from rates.fit import Curator, strictest
from rates.fit import rivals as compared
from rates.study import PRESETS, Scope, TransferStudy, preset
from sims.calibration import calibrate, risk_of, worlds_for
from tests.browser.test_study import six_sites
from tests.depth import deep_after
from tests.pages.driver import box, choice, everything, lacks, linked, press, query, told, unbox
from tests.pages.fit import test_fit
from tests.pages.fit.test_fit import paragraph, shown, turn

LABEL = "Budget ε of a trusted curator"


def spans(study, risk: str, who: Curator) -> dict[str, str]:
    """What the engine says is kept, by name."""
    everyone = not isinstance(study, TransferStudy)
    out = {}
    for row in compared(study, who, lens=Lens(risk=risk)):
        found = row.mechanism
        if found:
            ends = (words.number(f(x.kept for x in found)) for f in (min, max))
            out[rivals.name(row.kind, who, everyone=everyone)] = words.span(*ends)
    return out


@pytest.mark.parametrize("entry", deep_after(3, PRESETS), ids=lambda p: p.key)
def test_the_table_says_what_the_engine_says(entry):
    app = opened(entry.study)
    transfer = isinstance(entry.study, TransferStudy)
    who = strictest(entry.study)
    expected = spans(entry.study, "classification" if transfer else "integrated", who)
    found = shown(app)
    assert (len(found), {k: found[k] for k in expected}, found["This study"]) == (5, expected, "1")
    rates = shown(app, "Rate")
    assert rates["This study"] != "no theorem"
    assert shown(app, "Trusted")["This study"] == "each site"
    budgets = {f"{s.epsilon:g}" for s in entry.study.servers if s.private}
    assert {*re.findall(r"[\d.]+", shown(app, "ε")["This study"])} <= budgets
    assert shown(app, "ε")["Pooled, no privacy"] == "none"


def test_a_curator_s_budget_is_taken_over_and_what_is_wrong_is_said_beside_it():
    study = preset("unequal").study
    app = opened(study)
    assert box(app, LABEL).value == "0.2"
    before = shown(app)
    box(app, LABEL).set_value("1").run()
    expected = spans(study, "integrated", Curator(epsilon=1, delta=1e-7))
    assert {k: shown(app)[k] for k in expected} == expected
    assert shown(app) != before
    for wrong in ("0", "-1", "inf", "one"):
        box(app, LABEL).set_value(wrong).run()
        assert (len(app.error), {k: shown(app)[k] for k in expected}) == (1, expected)
    box(app, LABEL).set_value("50").run()
    assert not app.error
    assert "promises next to nothing" in told(app)
    assert "Pooled, curator, ε = 50" in shown(app)
    box(app, LABEL).set_value("1").run()
    unbox(app).button(key="open_hospitals").click().run()
    assert shown(app, "Rate")["Pooled, curator, ε = 1"] == "no theorem"


def test_without_delta_the_equation_compares_and_it_is_said():
    hospitals = preset("hospitals").study
    bare = opened(hospitals.with_servers([replace(s, delta=None) for s in hospitals.servers]))
    assert shown(bare)["This study"] == "1"
    assert lacks(everything(bare), "the rate equation puts", "No mechanism for the sites") == []
    assert "3 covariates" in told(opened(replace(hospitals, dimension=3)))


# Calibration and the price of adapting on the fit page, without a browser -------------------------


SIX = six_sites()
KEPT = "named procedure at these sites"  # in a paragraph with an absolute risk
PLAIN = replace(SIX, smoothness=1.0, margin=1.0)


def opened(study, scope: Scope | None = None, page: str = "fit", **address: str):
    """A study's page, on Fit at the tab in which a constant is fitted."""
    tab = {"tab": "alternatives"} if page == "fit" else {}
    return test_fit.opened(study, scope, page, **tab | address)


def accept(app):
    choice(app, "World").set_value("cusp 1").run()
    return app.button(key="keep_calibration").click().run()


def test_an_accepted_constant_shows_the_engine_s_risk_with_world_setting_and_interval():
    app = opened(SIX)
    choice(app, "World").set_value("cusp 1").run()
    assert KEPT not in paragraph(app)  # fitted is not yet accepted
    accept(app)
    found = calibrate(PLAIN, worlds_for(PLAIN, pointwise=False)["cusp 1"])
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
    for page in ("plan", "fit"):
        other = opened(study, scope, page, constant=name)
        assert (other.session_state["bound_constant"], query(other, "constant")) == (held, name)
        assert not other.error
    assert choice(other, "World").value == "cusp 1"


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
    press(app, "Open: Five unequal hospitals")
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


@pytest.mark.parametrize("text", ["nonsense", "integrated:fourier", "classification:cusp 0.5"])
def test_a_constant_that_cannot_be_fitted_is_said_and_nothing_else_changes(text):
    app = opened(SIX, Scope(smoothness=(0.9, 1.0)), constant=text)
    assert "The constant in the address could not be used" in told(app)
    assert ("bound_constant" in app.session_state, linked(app)[0]) == (False, SIX)
