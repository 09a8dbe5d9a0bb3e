"""The rivals on the fit page, without a browser: numbers, the curator's budget, refusals."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pages.charts import words
from pages.fit import rivals
from rates.answer import Lens
from rates.fit import Curator, strictest
from rates.fit import rivals as compared
from rates.study import PRESETS, TransferStudy, preset
from tests.depth import deep_after
from tests.pages.driver import box, everything, told, unbox
from tests.pages.fit import test_fit
from tests.pages.fit.test_fit import shown

LABEL = "Budget ε of a trusted curator"


def opened(study, **address: str):
    """The alternatives of a study."""
    return test_fit.opened(study, tab="alternatives", **address)


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
    assert len(found) == 5
    assert {k: found[k] for k in expected} == expected
    assert found["This study"] == "1"
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
        assert len(app.error) == 1
        assert {k: shown(app)[k] for k in expected} == expected
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
    assert "the rate equation puts" in everything(bare)
    assert "No mechanism for the sites" in everything(bare)
    assert "3 covariates" in told(opened(replace(hospitals, dimension=3)))
