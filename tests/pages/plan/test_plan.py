"""The plan page without a browser: goals, levers, designs, offers, refusals, and the link."""

from __future__ import annotations

import io
import math
import random
import re
import zipfile
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import rates
from pages.charts import words
from pages.core import layout
from pages.fit import constant as calibrated_state
from pages.plan import levers, offers, state
from pages.plan.state import PLAN, TAB, TABS, View
from rates import plan as planning
from rates.answer import Lens
from rates.numbers import pack
from rates.split import split
from rates.study import PRESETS, codec, preset
from sims.calibration.calibration import Calibration, Tried, Yardstick, risk_of, signals
from sims.engine.scaling import Fitted
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.core import links
from tests.pages.driver import answer, box, choice, everything, grid, open_page, press, told
from tests.pages.report.test_report import Reader

STATED = preset("hospitals").study
STUDY = planning.in_house(STATED)  # what is planned for, also where that is stated
GENEROUS = STUDY.with_servers([replace(s, epsilon=4.0) if s.private else s for s in STUDY.servers])
SILENT = STUDY.with_servers([replace(s, delta=None) for s in STUDY.servers])
CURVE = preset("unequal").study
MECHANISM = Lens(mechanism="analytic")
OFFERS = (
    "offer,name,n,epsilon,delta,signal_exponent,price,most\n"
    "sites,Basel,4000,1,1e-6,0.8,3000,3\n"
    "sites,Clinic,150,4,1e-6,0.8,1000,5\n"
    "records,Cleveland,,,,,8,9000\n"
)
NEED = View(goal="need", needed=5000.0)


def fractions(needed: float, study=STUDY) -> tuple[float, float]:
    """The rate that goes with a need over today's, by the mechanism and by the equation."""
    return tuple(planning.Aim(needed=needed).fraction(study, lens) for lens in (MECHANISM, Lens()))


def opened(study=STUDY, view: View = NEED, tab: str = "levers") -> AppTest:
    """A tab of the page, for a study and what was asked about it."""
    return open_page("plan", study=codec.to_link(study), **PLAN.link(view), **TAB.link(tab))


def turn(app: AppTest, tab: str) -> AppTest:
    """Open another tab."""
    switch = next(one for one in app.get("button_group") if set(one.options) == {*TABS.values()})
    return switch.set_value(tab).run()


def asked(app: AppTest) -> View:
    return links.asked(app, PLAN)


def order(app: AppTest) -> list[str]:
    return [header.value for header in app.header]


# Goals and levers -------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", deep_after(2, PRESETS), ids=lambda p: p.key)
def test_every_example_opens_and_says_what_the_engine_says(entry):
    app = opened(entry.study, View())
    kind, study = state.further(View(), entry.study), planning.in_house(entry.study)
    by = [planning.Aim().fraction(study, lens) for lens in (MECHANISM, Lens())]
    table = planning.levers(study, by[0], kind=kind, by_equation=by[1])
    scales = planning.scales(study)
    rows = grid(app, "Enough by any method")
    assert len(rows) == min(len(scales) + len(table.levers), levers.MOST_ROWS)
    cells = rows["Enough with today's method"].tolist()
    for cell, scale in zip(cells, scales, strict=False):
        ends = (scale.low, scale.high)
        finite = all(map(math.isfinite, ends))
        assert cell == f"× {words.between(*ends)}" if finite else "none" in cell
    shown = dict(zip(zip(rows["Lever"], rows["Where"], strict=True), cells, strict=True))
    for lever in table.levers:
        title, where = planning.LEVERS[lever.lever].title, lever.site
        cell = shown.get((title, "New" if lever.lever == "sites" else where))
        assert cell in (None, levers.value_text(lever.mechanism))  # of those that are shown
    assert not app.error


def test_choices_reach_the_answer_and_the_link():
    app = opened(STUDY, View(goal="need", needed=200.0, lever="epsilon", site="Cleveland"))
    named = {"fraction": fractions(200)[0], "lens": MECHANISM}
    need = planning.needed(STUDY, "epsilon", "Cleveland", **named)
    assert f"Cleveland needs epsilon {words.md(f'{need.value:.4g}')}" in everything(app)
    choice(app, "Which lever?").set_value("n").run()
    box(app, "Records needed, exact value").set_value("4000").run()
    need = planning.needed(STUDY, "n", "Cleveland", fraction=fractions(4000)[1])
    assert f"Cleveland needs {words.md(f'{need.whole:,} records')}" in everything(app)
    view, before = asked(app), everything(app)
    assert (view.lever, view.site, view.needed) == ("n", "Cleveland", 4000)
    for typed in ("0", "x"):
        box(app, "Records needed, exact value").set_value(typed).run()
        assert (len(app.error), asked(app)) == (1, view)
    again = opened(STUDY, view)
    assert everything(again) == before
    driver.at(again, "study").run()
    driver.at(again, "plan").run()
    assert asked(again) == view
    again.query_params["plan"] = links.linked(PLAN, replace(NEED, lever="sites", kind_n=50.0))
    again.run()
    kind = state.further(View(kind_n=50.0), STUDY)
    assert (kind.n, kind.delta, kind.signal_exponent) == (50, 1e-6, 0.8)
    for n in (50, 500):
        box(again, "Its records n, exact value").set_value(str(n)).run()
        more = replace(kind, n=n)
        need = planning.needed(STUDY, "sites", fraction=fractions(5000)[1], kind=more)
        assert words.md(f"{need.whole:,} further sites") in everything(again)


def test_a_risk_can_be_aimed_at_after_a_calibration_alone():
    study = STUDY.with_servers([replace(s, n=s.n + 1) for s in STUDY.servers])  # no example
    app = opened(study)
    choice(app, "What do you aim at?").set_value("risk").run()
    assert app.error
    assert "All levers side by side" not in order(app)
    constant = Calibration(
        yardstick=Yardstick(study=STUDY, lens=Lens(mechanism="analytic", kappa=3.0)),
        world="a made-up world",
        constant=Fitted(value=0.1, stderr=0.01, low=0.08, high=0.12, misfit=1.0),
        **{"width": 0.2, "rates": (1e-9, 1e9), "signals": signals(STUDY.servers)},
        settings=(Tried(records=1.0, budget=1.0, rate=0.1, risk=0.01),),
    )
    app.session_state["bound_constant"] = calibrated_state.Held(constant, "", study)
    app.run()
    found = risk_of(constant, study)
    box(app, "Risk aimed at (0.01: 1%), exact value").set_value(repr(found.value / 4)).run()
    ends = words.span(*(f"{words.number(100 * x)}%" for x in (found.low, found.high)))
    assert f"{words.number(100 * found.value)}% (95%: {ends})" in answer(app)
    multiple = planning.Aim.of_rate(study, 0.25).multiple
    sizes = planning.scales(study, planning.Aim(multiple=multiple), kappas=(3.0,))[-1]
    assert f"× {words.number(sizes.low)}**" in answer(app)
    box(app, "Risk aimed at (0.01: 1%), exact value").set_value("0.9").run()
    assert app.error


def test_a_study_without_information_or_delta_says_so():
    nothing = STUDY.with_servers([replace(s, n=0) for s in STUDY.servers])
    assert order(opened(nothing)) == []
    silent = opened(SILENT)
    assert set(grid(silent, "Where")["Enough with today's method"]) == {"needs every δ"}
    assert "Privacy noise" not in {title for d in silent.dataframe for title in d.value}
    free = opened(STATED.unprotected(), View())
    assert not free.error
    assert grid(free, "Where")["Enough by any method"].tolist() == [levers.ENOUGH]


def test_a_link_that_names_what_is_gone_opens_with_the_rest():
    old = pack('{"version":1,"fraction":0.8,"goal":"rate","lever":"n","site":"Cleveland"}')
    kept = "lever:n;site:Cleveland"
    for link in (f"goal:sample;multiple:3;{kept}", f"raised:4;{kept}", old):
        app = open_page("plan", study=codec.to_link(STATED), plan=link)
        lists = ("Which lever?", "Where?", "What do you aim at?")
        assert [choice(app, one).value for one in lists] == ["n", "Cleveland", "part"]
        assert not app.error


# Designs ----------------------------------------------------------------------------------------


def test_a_design_stands_beside_the_study_and_the_mechanism_says_which_is_better():
    view = asked(press(opened(GENEROUS, tab="designs"), "Keep this study as design B"))
    assert view.other == GENEROUS
    app = opened(STUDY, view, "designs")
    worth = [rates.calibrated(GENEROUS, kappa=k).effective_n for k in (1, 2, 3)]
    ends = words.between(min(worth), max(worth))
    assert f"**Design B is better**: worth **{ends}** effective records" in everything(app)
    rows = grid(app, "Design B")
    assert rows["Site"].tolist() == [s.name for s in STUDY.servers if s.private]
    assert rows["Design B"][0].startswith("303 records, ε 4,")
    assert asked(press(app, "No design B")).other is None
    fewer = View(other=STUDY.with_servers(STUDY.servers[:2]))
    assert "**Design B is worse**" in everything(opened(STUDY, fewer, "designs"))
    for other, said in ((SILENT, "By the rate equation alone"), (CURVE, "other kind")):
        assert said in everything(opened(STUDY, View(other=other), "designs"))


def test_a_link_opens_as_design_b_or_is_refused_in_the_words_of_the_user():
    app = opened(tab="designs")
    link = f"http://example.org/study?study={codec.to_link(GENEROUS)}"
    for text, other in (("{broken", None), (link, GENEROUS)):
        box(app, "Link of another study").set_value(text).run()
        press(app, "Use this link")
        refused = f"link: got {text!r}" in re.sub(r"[\\`]", "", told(app))
        assert (asked(app).other, refused) == (other, other is None)


# Money ------------------------------------------------------------------------


def test_a_total_is_split_best_by_the_mechanism_refused_in_words_and_kept_in_the_link():
    app = opened(STUDY, View(total=2.0), "split")
    assert app.info  # the sites get 3 together at least
    box(app, "Total, exact value").set_value("8").run()
    assert (asked(app).total, list(app.info)) == (8, [])
    best = split(STUDY, "epsilon", 8, least=1, most=8, lens=MECHANISM)
    assert grid(app, "Equation", "Today")["Mechanism"][0] == words.number(best.amounts[0])
    assert f"**{words.number(best.effective_n)}** effective records" in everything(app)


# Offers -----------------------------------------------------------------------------------------


def test_offers_are_ranked_priced_and_kept_in_the_link():
    app = open_page("plan", study=codec.to_link(STATED), **layout.OFFERS_OPEN)
    assert not app.warning  # the page knows this part of its address
    numbers = random.Random(0)
    rows = [f"S{k},{numbers.randrange(10**9)},{numbers.random()}" for k in range(900)]
    for table in ("\n".join(["name,n,epsilon", *rows]), "name,n", OFFERS):
        next(a for a in app.text_area if a.label == "Offers to paste").set_value(table).run()
        press(app, "Use these offers")
        assert bool(app.error) == (table == "name,n")  # which changes nothing
        assert ("plan" in app.query_params) == (table == OFFERS)  # 900 rows are too long for it
        assert len(grid(app, "Site on offer")) == (2 if table == OFFERS else offers.MOST_ROWS)
    assert (asked(app).offers, order(app)) == (OFFERS, ["Sites on offer"])
    assert order(turn(app, "levers")) == ["All levers side by side"]
    assert "tab" not in app.query_params
    app = open_page("plan", study=codec.to_link(STATED), offers="open")  # an older address
    assert (order(app), list(app.warning)) == (["Sites on offer"], [])
    app = opened(STUDY, replace(NEED, offers=OFFERS), "offers")
    found = offers.read(OFFERS, STUDY)
    ranked = planning.best_next(STUDY, found.candidates)
    assert grid(app, "Site on offer")["Site on offer"][0] == ranked[0].name
    mix = planning.cheapest(STUDY, found.priced, fraction=fractions(5000)[1])
    assert f"**{words.number(mix.cost, 6)}**" in everything(app)
    press(app, "Forget the offers")
    assert asked(app).offers == ""


# The report -------------------------------------------------------------------------------------


def test_the_report_takes_the_choices_of_the_page(monkeypatch):
    made = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, *_, **__: made.update({label: data})
    )
    app = opened(STUDY, replace(NEED, lever="n", site="Cleveland", other=GENEROUS), "split")
    turn(app, "report")
    with zipfile.ZipFile(io.BytesIO(made["Report with all files (ZIP)"]())) as file:
        assert "Design B is better" in file.read("report.html").decode()
        assert {"tables/designs.csv", "figures/lever.svg"} <= set(file.namelist())
        text = Reader(file.read("plan.html").decode()).text
    assert "How is a total split best?" in text
