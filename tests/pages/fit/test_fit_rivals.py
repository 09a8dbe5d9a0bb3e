"""The rivals on the fit page, without a browser: numbers, the curator's budget, refusals."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from pages.charts import words
from pages.fit import constant as calibrated_state
from pages.fit import rivals
from rates.answer import Lens
from rates.fit.rival_basis import Curator, in_house, strictest
from rates.fit.rival_rates import rivals as compared
from rates.study.presets import PRESETS, preset
from rates.study.scenario import TransferStudy
from sims.fit.calibration import risk_of
from sims.fit.classifier_rivals import exact_classifier_risks
from sims.fit.rival_risks import exact_risks
from sims.fit.worlds import worlds_for
from tests.depth import deep_after
from tests.pages.driver import box, choice, enter, everything, grid, query, told
from tests.pages.fit import test_fit
from tests.pages.fit.test_fit import OWN, linked, shown
from tests.pages.plan.test_plan import calibrated

LABEL = "Budget ε of a trusted curator"


def opened(study, **address: str):
    """The alternatives of a study."""
    return test_fit.opened(study, tab="alternatives", **address)


def per_cent(found) -> str:
    """A fitted risk as the table has it."""
    return words.span(*(f"{words.number(100 * x)}%" for x in (found.low, found.high)))


def spans(study, risk: str, who: Curator) -> dict[str, str]:
    """What the engine says is kept, by name."""
    everyone = not isinstance(study, TransferStudy)
    out = {}
    for row in compared(study, who, lens=Lens(risk=risk)):
        found = [*row.mechanism, *(row.least.mechanism if row.least else ())]
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
    assert len(found) == 8
    assert {k: found[k] for k in expected} == expected
    assert found["This study"] == "1"
    for pooled in (k for k in found if k.startswith("Pooled")):
        assert "no privacy" in pooled or "ε = " in pooled
    rates = shown(app, "Rate")
    assert rates["This study"] != "no theorem"
    assert rates["Own tuning, 1/variance"] == "no theorem"
    trusted = shown(app, "Trusted")
    assert trusted["This study"] == "each site, with its own records"
    assert shown(app, "Releases")["Pooled, no privacy"] == "all records"


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
        assert "Nothing was changed" in told(app)
        assert {k: shown(app)[k] for k in expected} == expected
    box(app, LABEL).set_value("50").run()
    assert not app.error
    assert "promises next to nothing" in told(app)
    assert "Pooled, curator, ε = 50" in shown(app)
    box(app, LABEL).set_value("").run()
    assert shown(app) == before
    assert linked(app) == (study, None)
    box(app, LABEL).set_value("3").run()
    app.button(key="open_hospitals").click().run()  # another study brings its own
    assert box(app, LABEL).value == "1"
    assert shown(app, "Rate")["Pooled, curator, ε = 1"] == "no theorem"
    assert "60.7 to 101" in shown(app, "Worth, mechanism")["Pooled, curator, ε = 1"]


@pytest.mark.parametrize(
    ("key", "risk", "looked"),
    [
        *(("unequal", risk, "") for risk in ("integrated", "pointwise")),
        *(("hospitals", "classification", world) for world in ("", "cusp 0.5")),
    ],
)
def test_exact_errors_stand_beside_the_designs(key, risk, looked):
    study, curve = preset(key).study, key == "unequal"
    app = opened(study)
    if looked:
        choice(app, "World").set_value(looked).run()
    if curve:
        app.session_state["fit_risk"] = risk
        app.run()
    assert "Exact error" not in grid(app, "Rate").columns
    enter(app, next(t for t in app.toggle if t.label.startswith("Exact error ")), True)
    who, errors = strictest(study), shown(app, "Exact error")
    rows = compared(study, who, lens=Lens(risk=risk))
    alone = next(r.mechanism for r in rows if r.kind == "alone")
    if curve:
        ends = in_house(study, alike=True)
        found = exact_risks(study, risk, who, best_site=alone[0].site, house=ends)
    else:
        ends, world = (study.target,), worlds_for(study)[looked or "cusp 1"]
        found = exact_classifier_risks(study, world, who, best_site=alone[-1].site, house=ends)
        assert len(found.values) == 6
        assert errors["Own tuning, 1/variance"] == "-"

    def text(*values: float) -> str:
        return words.extremes(values) if curve else f"{words.number(100 * values[0])}%"

    own = f"{'Each' if curve else 'Target'} alone, in house"
    assert errors[own] == text(*(found.house[s.name] for s in ends))
    for kind, value in found.values.items():
        assert errors[rivals.name(kind, who)] == text(value)


def test_a_fitted_constant_gives_the_classifier_s_designs_a_risk():
    study = preset("hospitals").study
    study = study.with_servers([replace(s, n=10 * s.n, signal_exponent=1.0) for s in study.servers])
    calibration = replace(calibrated(), signals=(1.0,), world="a world for this test")
    app = opened(study)
    assert "Fitted risk" not in grid(app, "Rate").columns
    app.session_state["bound_constant"] = calibrated_state.Held(calibration)
    app.run()
    risks = shown(app, "Fitted risk")

    assert risks["Pooled, no privacy"] == per_cent(risk_of(calibration, study.unprotected()))
    alone = study.with_servers(
        [replace(study.target, epsilon=math.inf), *(replace(s, n=0) for s in study.sources)]
    )

    assert risks["Target alone, in house"] == per_cent(risk_of(calibration, alone))
    assert risks["Pooled, curator, ε = 1"] == "-"
    assert risks["Best site alone"].endswith("%")
    assert "a world for this test" in everything(app)


def test_without_delta_or_covariates_of_a_world_the_rest_is_still_shown():
    hospitals = preset("hospitals").study
    bare = opened(hospitals.with_servers([replace(s, delta=None) for s in hospitals.servers]))
    assert shown(bare, "Worth, mechanism")["This study"] == "not computed"
    app = opened(replace(hospitals, dimension=3))
    assert not [t for t in app.toggle if t.label.startswith("Exact error")]
    assert "3 covariates" in told(app)


def test_the_curator_is_in_the_link_and_comes_back():
    app = opened(OWN)
    assert "curator" not in app.query_params
    box(app, LABEL).set_value("0.25").run()
    assert query(app, "curator") == "0.25"
    for text in ("0.25", "2"):
        other = opened(OWN, curator=text)
        assert box(other, LABEL).value == text
        assert f"Pooled, curator, ε = {text}" in shown(other)
        assert query(other, "curator") == text
    box(app, LABEL).set_value("").run()
    assert "curator" not in app.query_params
