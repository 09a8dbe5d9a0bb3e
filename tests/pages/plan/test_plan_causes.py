"""Where the error comes from, on the plan page: bars, words, worlds, refusals."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.charts import shares as figures
from pages.charts import svg, words
from pages.plan import causes as plan_causes
from pages.plan.state import PLAN
from pages.plan.view import View
from rates.answer import Causes, error_causes
from rates.plan import in_house
from rates.study import codec
from rates.study.presets import preset
from sims.fit import exact_causes, worlds_for
from tests.pages.driver import everything, open_page

STATED = preset("hospitals").study
STUDY = in_house(STATED)
CURVE = preset("unequal").study
EMPTY = CURVE.with_servers([replace(s, n=0) for s in CURVE.servers])
WEAKER = STATED.with_servers(
    [replace(s, signal_exponent=1.0 + 0.2 * k) for k, s in enumerate(STATED.servers)]
)
FEWER = STUDY.with_servers(STUDY.servers[:2])


def table(app):
    return next(d.value for d in app.dataframe if "Privacy noise" in d.value.columns)


def test_the_page_shows_the_engines_shares_and_says_how_they_are_made():
    view = View(other=FEWER, third=CURVE)
    app = open_page("plan", study=codec.to_link(STUDY), **PLAN.link(view))
    shown = table(app)
    assert shown["Design"].tolist() == [
        "This study",
        "Hungary alone",
        "Without privacy",
        "Design B",
    ]
    share = error_causes(STUDY).shares[2]
    assert shown["Privacy noise"].tolist()[0] == words.percent(share)
    assert shown["Privacy noise"].tolist()[2] == "0 %"
    assert plan_causes.MADE in everything(app)
    choice = next(s for s in app.selectbox if s.label == "Error by which answer?")
    choice.select("cusp 1").run()
    assert not app.exception
    exact = exact_causes(STUDY, worlds_for(STUDY)["cusp 1"]).shares
    assert table(app)["Privacy noise"].tolist()[0] == words.percent(exact[2])
    assert "three times as steep" in everything(app)


def test_the_bars_are_told_in_words_hatched_and_add_up():
    drawn = plan_causes.picture(plan_causes.shown(WEAKER, "classification", "mechanism", {}))
    shares = error_causes(WEAKER).shares
    assert f"sites that differ {words.percent(shares[3])}" in drawn.alt
    assert drawn.figure.title == f"Privacy noise: {words.percent(shares[2])} of the error"
    for row in drawn.rows:
        parts = [value for name, value in row.items() if name not in DESCRIBES]
        assert sum(parts) == pytest.approx(1.0, abs=1e-12)
    assert len({(mark.colour, mark.hatch.shape) for mark in drawn.figure.marks}) == 4
    # Parts to the right of zero follow each other; those to the left end there.
    ends = [0.0, 0.0]
    for mark in drawn.figure.marks:
        share = drawn.rows[0][mark.name]
        at = ends[1] if share > 0 else share
        assert mark.base[0] == pytest.approx(at, abs=1e-12)
        ends[1] += max(share, 0.0)
    assert "<svg" in svg.draw(drawn.figure, ident="causes", alt=drawn.alt)


@pytest.mark.parametrize(
    ("by", "title"),
    [
        ("mechanism", "Privacy noise: 30 % of the error"),  # bias is half of that by construction
        ("cusp 1", "Bias: 50 % of the error"),
    ],
)
def test_the_title_names_the_largest_cause(by, title):
    found = Causes(error=1.0, values=(0.0,) * 16, shares=(0.5, 0.15, 0.3, 0.05), scale="by hand")
    shown = plan_causes.Shown(by, {plan_causes.THIS: found}, {}, "")
    assert plan_causes.picture(shown).figure.title == title


DESCRIBES = ("design", "error over the study's")


def test_what_has_no_parts_is_said():
    silent = STUDY.with_servers([replace(s, delta=None) for s in STUDY.servers])
    app = open_page("plan", study=codec.to_link(silent))
    assert "No parts of the error: " in everything(app)
    found = plan_causes.shown(CURVE, "integrated", "fourier", {"Two": EMPTY})
    assert set(found.designs) == {"This study", "University clinic alone", "Without privacy"}
    assert "must hold records" in found.refused["Two"]
    one = CURVE.with_servers(CURVE.servers[:1])
    assert set(plan_causes.shown(one, "pointwise", "mechanism", {}).designs) == {
        "This study",
        "Without privacy",
    }
    many = CURVE.with_servers([replace(CURVE.servers[0], name=f"S{k}") for k in range(61)])
    assert set(plan_causes.answers(many, "integrated")) == {"mechanism"}


def test_a_part_that_helps_lies_left_of_zero():
    shares = (0.1, 0.3, 0.8, -0.2)
    found = Causes(error=0.1, values=(0.0,) * 15 + (1.0,), shares=shares, scale="by hand")
    one = figures.by_cause({"A": found, "B": found}, title="Two", caption="")
    spans = {m.name: (m.base[0], m.base[0] + m.x[0]) for m in one.figure.marks}
    assert spans["sites that differ"] == pytest.approx((-0.2, 0.0))
    assert spans["privacy noise"] == pytest.approx((0.4, 1.2))
    assert "sites that differ −20 %" in one.alt
    assert one.figure.x.span[0] < -0.2
