"""The plan page without a browser: goals, levers, designs, offers, refusals, and the link."""

from __future__ import annotations

import io
import json
import math
import random
import re
import zipfile
from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core import layout
from pages.fit import constant as calibrated_state
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import levers as plan_levers
from pages.plan import offers as plan_offers
from pages.plan import sites as plan_sites
from pages.plan import state as plan_state
from pages.plan.state import PLAN, TAB, TABS, View
from pages.report import subject as report_subject
from rates import plan as planning
from rates.answer import Lens, error_causes
from rates.split import rises, split
from rates.study import Scope, Server, TransferStudy, codec
from rates.study.presets import PRESETS, preset
from sims.engine.scaling import Fitted
from sims.fit import exact_causes, worlds_for
from sims.fit.calibration import Calibration, Tried, risk_of
from sims.fit.rate import Yardstick, signals
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.core import links
from tests.pages.core.links import linked
from tests.pages.driver import answer, box, choice, everything, grid, open_page, press, told
from tests.pages.report.test_report import Reader
from tests.rates.plan.test_levers import TOY

HOSPITALS = preset("hospitals")
STATED = HOSPITALS.study
STUDY = planning.in_house(STATED)  # what is planned for, also where that is stated
GENEROUS = STUDY.with_servers([replace(s, epsilon=4.0) if s.private else s for s in STUDY.servers])
SILENT = STUDY.with_servers([replace(s, delta=None) for s in STUDY.servers])
MECHANISM = Lens(mechanism="analytic")
OFFERS = (
    "offer,name,n,epsilon,delta,signal_exponent,price,most\n"
    "sites,Basel,4000,1,1e-6,0.8,3000,3\n"
    "sites,Clinic,150,4,1e-6,0.8,1000,5\n"
    "records,Cleveland,,,,,8,9000\n"
)
HALF = View(goal="rate")  # half of today's rate


def opened(study=STUDY, view: View = HALF, tab: str = "levers") -> AppTest:
    """A tab of the page, for a study and what was asked about it."""
    return open_page("plan", study=codec.to_link(study), **PLAN.link(view), **TAB.link(tab))


def turn(app: AppTest, tab: str) -> AppTest:
    """Open another tab."""
    switch = next(one for one in app.get("button_group") if set(one.options) == {*TABS.values()})
    return switch.set_value(tab).run()


def alone(app: AppTest) -> str:
    """What the page says of the lever that is looked at."""
    return " ".join(m.value for m in app.markdown if "alone: " in m.value)


def asked(app: AppTest) -> View:
    return links.asked(app, PLAN)


def order(app: AppTest) -> list[str]:
    return [header.value for header in app.header]


# Goals and levers -------------------------------------------------------------------------------


@pytest.mark.parametrize("entry", deep_after(2, PRESETS), ids=lambda p: p.key)
def test_every_example_opens_and_says_what_the_engine_says(entry):
    app = opened(entry.study)
    kind, study = plan_state.further(View(), entry.study), planning.in_house(entry.study)
    table = planning.levers(study, 0.5, kind=kind)
    scales = planning.scales(study, multiple=planning.Aim.of_rate(study, 0.5).multiple)
    rows = grid(app, "Enough, rate equation")
    assert len(rows) == min(len(scales) + len(table.levers), plan_levers.MOST_ROWS)
    cells = rows["Enough, mechanism"].tolist()
    for cell, scale in zip(cells, scales, strict=False):
        ends = (scale.low, scale.high)
        assert (
            cell == f"× {words.between(*ends)}" if all(map(math.isfinite, ends)) else "none" in cell
        )
    for cell, lever in zip(cells[len(scales) :], table.levers, strict=False):
        assert cell == plan_levers.value_text(lever.mechanism)
    assert not app.error


def test_choices_reach_the_answer_and_the_link():
    app = opened(STUDY, View(goal="rate", fraction=0.9, lever="epsilon", site="Cleveland"))
    need = planning.needed(STUDY, "epsilon", "Cleveland", fraction=0.9, lens=MECHANISM)
    assert words.md(f"{need.value:.4g}") in alone(app)
    point = planning.saturation(STUDY, "epsilon", "Cleveland", lens=MECHANISM)
    assert f"**{words.number(point.value)}**" in everything(app)
    choice(app, "Which lever?").set_value("n").run()
    box(app, "Rate over today's, exact value").set_value("0.7").run()
    need = planning.needed(STUDY, "n", "Cleveland", fraction=0.7)
    assert words.md(f"{need.whole:,}") in alone(app)
    view, before = asked(app), alone(app)
    assert (view.lever, view.site, view.fraction) == ("n", "Cleveland", 0.7)
    for typed in ("1", "0", "x"):
        box(app, "Rate over today's, exact value").set_value(typed).run()
        assert (len(app.error), alone(app)) == (1, before)
    again = opened(STUDY, view)
    assert alone(again) == alone(app)
    driver.at(again, "study").run()
    driver.at(again, "plan").run()
    assert asked(again) == view
    again.query_params["plan"] = linked(PLAN, View(goal="rate", lever="sites", kind_n=50.0))
    again.run()
    kind = plan_state.further(View(kind_n=50.0), STUDY)
    assert (kind.n, kind.delta, kind.signal_exponent) == (50, 1e-6, 0.8)
    for n in (50, 500):
        box(again, "Its records n, exact value").set_value(str(n)).run()
        need = planning.needed(STUDY, "sites", fraction=0.5, kind=replace(kind, n=n))
        assert words.md(f"{need.whole:,} further sites") in alone(again)


def test_a_need_is_aimed_at_in_records():
    app = opened(STUDY, View(goal="need", needed=400.0))
    for typed in ("500", "0"):
        box(app, "Records needed, exact value").set_value(typed).run()
        assert bool(app.error) == (typed == "0")
        assert asked(app).needed == 500
    sizes = planning.scales(STUDY, needed=500)[1]
    assert f"**{words.between(sizes.low, sizes.high)} times**" in answer(app)
    fraction = planning.Aim(needed=500).fraction(STUDY, MECHANISM)
    need = planning.needed(STUDY, "n", "Hungary", fraction=fraction, lens=MECHANISM)
    assert f"{need.whole:,}" in set(grid(app, "Where")["Enough, mechanism"])


def calibrated() -> Calibration:
    """An accepted constant for the hospitals' parameters."""
    return Calibration(
        yardstick=Yardstick(kind="classification", smoothness=0.5, dimension=2, margin=1.0),
        world="a made-up world",
        method="hand",
        constant=Fitted(value=0.1, stderr=0.01, low=0.08, high=0.12, misfit=1.0),
        width=0.2,
        rates=(1e-9, 1e9),
        signals=signals(STUDY.servers),
        settings=(Tried(records=1.0, budget=1.0, rate=0.1, risk=0.01, stderr=0.0),),
    )


def test_a_risk_can_be_aimed_at_after_a_calibration_alone():
    study = STUDY.with_servers([replace(s, n=s.n + 1) for s in STUDY.servers])  # no example
    app = opened(study)
    choice(app, "What do you aim at?").set_value("risk").run()
    assert app.error
    assert "All levers side by side" not in order(app)
    app.session_state["bound_constant"] = calibrated_state.Held(calibrated())
    app.run()
    found = risk_of(calibrated(), study)
    box(app, "Risk aimed at (0.01: 1%), exact value").set_value(repr(found.value / 4)).run()
    ends = words.span(*(f"{words.number(100 * x)}%" for x in (found.low, found.high)))
    assert f"{words.number(100 * found.value)}% (95%: {ends})" in answer(app)
    multiple = planning.Aim.of_rate(study, 0.25).multiple
    sizes = planning.scales(study, multiple=multiple, kappas=(3.0,))[-1]
    assert f"**{words.number(sizes.low)} times**" in answer(app)
    box(app, "Risk aimed at (0.01: 1%), exact value").set_value("0.9").run()
    assert app.error


def test_a_study_without_information_or_delta_says_so():
    nothing = STUDY.with_servers([replace(s, n=0) for s in STUDY.servers])
    assert order(opened(nothing)) == []
    silent = opened(SILENT)
    assert set(grid(silent, "Where")["Enough, mechanism"]) == {"needs every δ"}
    assert "Privacy noise" not in {title for d in silent.dataframe for title in d.value}
    free = opened(STATED.unprotected(), View())
    assert not free.error
    assert grid(free, "Where")["Enough, mechanism"].tolist() == [plan_goal.ENOUGH]


def test_a_missing_delta_of_one_lever_is_said_and_no_limit_is_claimed():
    """Q promises ε = 0, which needs no δ, until its budget is a lever."""
    sources = [Server(name="A", n=1000, epsilon=0.1, delta=1e-6), Server(name="Q", n=50, epsilon=0)]
    target = Server(name="T", n=0, epsilon=1, delta=1e-6)
    study = TransferStudy(target=target, sources=sources, smoothness=0.5, dimension=2, margin=1)
    app = opened(study, View(goal="rate", lever="epsilon", site="Q"))
    rows = grid(app, "Enough, mechanism")
    (cell,) = rows[(rows["Lever"] == "Budget ε") & (rows["Where"] == "Q")]["Enough, mechanism"]
    assert cell == "needs δ of Q"
    point = planning.saturation(study, "epsilon", "Q", lens=MECHANISM)
    assert math.isnan(point.value)
    assert words.md(point.rule) in everything(app)


def test_a_packed_plan_of_old_opens_with_the_goal_and_the_lever_it_had():
    old = {"version": 1, "fraction": 0.8, "lever": "n", "site": "Cleveland"}
    app = open_page("plan", study=codec.to_link(STATED), plan=codec.pack(json.dumps(old)))
    assert not app.error
    need = planning.needed(STUDY, "n", "Cleveland", fraction=0.8, lens=MECHANISM).whole
    assert f"{need:,} records" in alone(app)
    assert choice(app, "What do you aim at?").value == "rate"
    bare = open_page("plan", study=codec.to_link(STATED), plan=codec.pack('{"version":1}'))
    assert choice(bare, "Which lever?").value == "epsilon"


def test_where_all_sites_are_alike_no_signal_is_a_lever():
    alike = STATED.with_servers([replace(s, signal_exponent=1) for s in STATED.servers])
    for scope, has in ((Scope(), True), (Scope(answers=(("target", "shared"),)), False)):
        app = open_page("plan", study=codec.to_link(alike, scope))
        assert ("Signal γ" in choice(app, "Which lever?").options) == has
        assert ("Signal γ" in set(grid(app, "Where")["Lever"])) == has


@pytest.fixture
def with_toy(monkeypatch):
    """The toy in the catalogue; tables made without it are forgotten, and those with it."""
    monkeypatch.setitem(planning.LEVERS, TOY.name, TOY)
    plan_levers.levers_of.cache_clear()
    yield
    plan_levers.levers_of.cache_clear()


@pytest.mark.usefixtures("with_toy")
def test_a_toy_lever_is_chosen_listed_and_drawn():
    """One record in the catalogue is a lever of the page, its table and its figure."""
    view = View(goal="rate", lever=TOY.name, site=STUDY.servers[1].name)
    app = opened(STUDY, view)
    assert choice(app, "Which lever?").value == TOY.name
    assert TOY.title in set(grid(app, "Where")["Lever"])
    assert TOY.unlimited in everything(app)  # the answer: out of reach, and how far it gets
    drawn = plan_levers.along(STUDY, view, plan_goal.goal(STUDY, view))
    assert drawn.figure.x.title == f"{TOY.title} at {view.site}"


# Designs ----------------------------------------------------------------------------------------


def test_designs_stand_side_by_side_and_the_mechanism_says_which_is_best():
    smaller = STUDY.with_servers(STUDY.servers[:2])
    larger = STUDY.with_servers([replace(s, n=4 * s.n) for s in STUDY.servers])
    view = asked(press(opened(GENEROUS, tab="designs"), "Keep this study as design B"))
    assert view.other == GENEROUS
    app = opened(STUDY, view, "designs")
    duels = [planning.versus(STUDY, GENEROUS, lens=Lens(kappa=k)) for k in (1, 2, 3)]
    worth = [x.effective_n_mechanism[1] for x in duels]
    best = f"**Design B** is best: worth **{words.between(min(worth), max(worth))}**"
    assert best in everything(app)
    both = grid(app, "Design B")
    assert both["Design A"].tolist()[2] == words.number(duels[0].effective_n[0])
    assert asked(press(app, "Keep this study as design C")).others == (GENEROUS, STUDY)
    app = opened(STUDY, View(goal="rate", other=smaller, third=STUDY, fourth=larger), "designs")
    assert "**Design D** is best" in everything(app)
    assert list(grid(app, "Design D")) == ["Quantity", *(f"Design {x}" for x in "ABCD")]
    assert not any(b.label.startswith("Keep this study") for b in app.button)
    for last, left in (("D", (smaller, STUDY)), ("C", (smaller,)), ("B", ())):
        assert asked(press(app, f"No design {last}")).others == left


def test_a_link_opens_as_design_b_or_is_refused_in_the_words_of_the_user():
    app = opened(tab="designs")
    for text in (f"http://example.org/study?study={codec.to_link(GENEROUS)}", "{broken"):
        box(app, "Link of another study").set_value(text).run()
        press(app, "Use this link")
        assert asked(app).other == GENEROUS
    assert f"link: got {text!r}" in re.sub(r"[\\`]", "", told(app))


# Sites, money and causes ------------------------------------------------------------------------


def test_exchange_and_values_are_the_engine_s():
    app = opened(tab="split")
    choice(app, "In terms of which site?").set_value("Cleveland").run()
    wanted = planning.worth(STUDY).exchange("Hungary", "record", "Cleveland", "record")
    rows = grid(app, "One record at")
    assert rows["records, equation"][0] == words.number(wanted)
    assert set(rows["records, mechanism"]) != {plan_sites.OUT_OF_REACH}
    turn(app, "causes")
    values = planning.site_values(STUDY)
    first = min(values, key=lambda v: v.kept_mechanism)
    shown = grid(app, "Without, mechanism")
    assert shown["Site"][0] == first.name != min(values, key=lambda v: v.kept).name
    assert shown["Without, mechanism"][0] == words.percent(first.kept_mechanism)
    assert shown["One more, equation"][0] == f"× {words.number(first.joined)}"


def test_one_budget_raised_is_the_engine_s_site_by_site():
    rows, found = grid(opened(STUDY, View(raised=3.0), "split"), "Raise ε at"), rises(STUDY, 3.0)
    assert rows["Raise ε at"].tolist() == [x.site for x in found]
    assert rows["from, to"][0] == "1 → 3"
    more = STUDY.with_servers(
        [replace(s, epsilon=3.0) if s.name == found[0].site else s for s in STUDY.servers]
    )
    duels = [planning.versus(STUDY, more, lens=Lens(kappa=k)) for k in (1, 2, 3)]
    gains = [x.effective_n_mechanism[1] - x.effective_n_mechanism[0] for x in duels]
    assert rows["Records gained"][0] == words.between(min(gains), max(gains))


def test_a_total_is_split_best_by_the_mechanism_refused_in_words_and_kept_in_the_link():
    app = opened(STUDY, View(total=2.0), "split")
    assert app.info  # the sites get 3 together at least
    box(app, "Total, exact value").set_value("8").run()
    assert asked(app).total == 8
    assert not app.info
    least = [1.0 if s.private else 0.0 for s in STUDY.servers]
    best = split(STUDY, "epsilon", 8, least=least, most=[8 * x for x in least], lens=MECHANISM)
    assert grid(app, "Equation", "Today")["Mechanism"][0] == words.number(best.amounts[0])
    assert f"**{words.number(best.effective_n)}** effective records" in everything(app)


def test_the_causes_of_the_error_are_the_engine_s_by_every_answer():
    fewer = STUDY.with_servers(STUDY.servers[:2])
    app = opened(STUDY, View(other=fewer, third=preset("unequal").study), "causes")
    shown = grid(app, "Privacy noise")
    bars = ["This study", "Hungary alone", "Without privacy", "Design B"]
    assert shown["Design"].tolist() == bars
    parts = [words.percent(error_causes(STUDY).shares[2]), "0%"]
    assert shown["Privacy noise"].tolist()[::2] == parts
    choice(app, "Error by which answer?").select("cusp 1").run()
    exact = exact_causes(STUDY, worlds_for(STUDY)["cusp 1"]).shares
    assert grid(app, "Privacy noise")["Privacy noise"][0] == words.percent(exact[2])


def test_what_would_take_minutes_is_said_and_left_out(monkeypatch):
    monkeypatch.setattr(plan_sites, "MOST_VALUED", 3)
    monkeypatch.setattr(report_subject, "MOST_ROWS", 3)
    plan_sites.values_of.cache_clear()
    app = opened(STUDY, View(goal="rate", other=GENEROUS), "causes")
    assert "takes minutes and is not computed" in everything(app)
    for missing in ("Without, mechanism", "Over ranges"):
        assert missing not in {title for d in app.dataframe for title in d.value.columns}
        turn(app, "designs")
    plan_sites.values_of.cache_clear()


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
        assert len(grid(app, "Site on offer")) == (2 if table == OFFERS else plan_offers.MOST_ROWS)
    assert asked(app).offers == OFFERS
    assert order(app) == ["Sites on offer"]
    assert order(turn(app, "levers")) == ["All levers side by side"]
    assert "tab" not in app.query_params
    app = open_page("plan", study=codec.to_link(STATED), offers="open")  # an older address
    assert order(app) == ["Sites on offer"]
    assert not app.warning
    app = opened(STUDY, View(goal="rate", offers=OFFERS), "offers")
    found = plan_offers.read(OFFERS, STUDY)
    ranked = planning.best_next(STUDY, found.candidates)
    assert grid(app, "Site on offer")["Site on offer"][0] == ranked[0].name
    mix = planning.cheapest(STUDY, found.priced, fraction=0.5)
    assert f"**{words.number(mix.cost, 6)}**" in everything(app)
    press(app, "Forget the offers")
    assert asked(app).offers == ""


# The report -------------------------------------------------------------------------------------


def test_hostile_names_stay_words_on_the_page():
    name = "</td><script>*x*"
    study = STUDY.with_servers([*STUDY.servers[:3], replace(STUDY.servers[3], name=name)])
    app = opened(study, View(goal="rate", lever="epsilon", site=name))
    assert words.md(name) in alone(app)


def test_the_report_takes_the_choices_of_the_page(monkeypatch):
    made = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, *_, **__: made.update({label: data})
    )
    view = View(goal="rate", lever="n", site="Cleveland", other=GENEROUS)
    app = opened(STUDY, view, "split")
    choice(app, "In terms of which site?").set_value("Cleveland").run()
    choice(turn(app, "designs"), "Change along the figure").set_value("n").run()
    turn(app, "report")
    with zipfile.ZipFile(io.BytesIO(made["Report with all files (ZIP)"]())) as file:
        assert "One more record" not in file.read("report.html").decode()
        assert {"tables/exchange.csv", "figures/designs.svg"} <= set(file.namelist())
        text = Reader(file.read("plan.html").decode()).text
    assert "worth at Cleveland" in text
    assert plan_designs.LABELS["n"] in text
    assert plan_designs.LABELS["epsilon"] not in text
    driver.at(app, "study").run()
    assert (
        "plan.html"
        not in zipfile.ZipFile(io.BytesIO(made["Report with all files (ZIP)"]())).namelist()
    )
