"""The plan page without a browser: goals, levers, designs, offers, refusals, and the link."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts import plan as figures
from pages.charts import words
from pages.fit import constant as calibrated_state
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import levers as plan_levers
from pages.plan import offers as plan_offers
from pages.plan import report as plan_report
from pages.plan import sites as plan_sites
from pages.plan import view as plan_view
from pages.plan.state import PLAN
from pages.plan.view import View
from pages.report import sections as report
from pages.report import subject as report_subject
from rates import plan as planning
from rates.answer import Lens
from rates.answer.cost import privacy_cost
from rates.numbers.parameters import DomainError
from rates.study import codec
from rates.study.presets import PRESETS, preset
from sims.engine.scaling import Fitted
from sims.fit.calibration import Calibration, Tried, risk_of
from sims.fit.rate import Yardstick, signals
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.core import links
from tests.pages.core.links import linked
from tests.pages.driver import everything, open_page, press
from tests.pages.report.test_report import Reader, saved

ROOT = Path(__file__).resolve().parents[3]
HOSPITALS = preset("hospitals")
STUDY = planning.in_house(HOSPITALS.study)  # what is planned for, also where that is stated
GENEROUS = STUDY.with_servers([replace(s, epsilon=4.0) if s.private else s for s in STUDY.servers])
OFFERS = (
    "offer,name,n,epsilon,delta,signal_exponent,price,most\n"
    "sites,Basel,4000,1,1e-6,0.8,3000,3\n"
    "sites,Clinic,150,4,1e-6,0.8,1000,5\n"
    "records,Cleveland,,,,,8,9000\n"
)


HALF = View(goal="rate")  # half of today's rate


def opened(study=STUDY, view: View = HALF) -> AppTest:
    """The page of a study and of what was asked about it."""
    plan = PLAN.link(view)
    return open_page("plan", study=codec.to_link(study), **plan)


def asked(app: AppTest) -> View:
    return links.asked(app, PLAN)


def choose(app: AppTest, label: str):
    return next(s for s in app.selectbox if s.label == label)


def field(app: AppTest, label: str):
    return next(t for t in app.text_input if t.label == label)


def grid(app: AppTest, *columns: str):
    return next(d.value for d in app.dataframe if {*columns} <= {*d.value.columns})


def test_one_lever_does_nothing_by_the_equation_and_something_by_the_mechanism():
    app = opened(STUDY, View(goal="rate", fraction=0.9, lever="epsilon", site="Cleveland"))
    answer = app.markdown[0].value
    assert "equation: nothing changes even without privacy at Cleveland" in answer
    assert "because sampling binds Cleveland" in answer
    lens = Lens(mechanism="analytic")
    need = planning.needed(STUDY, "epsilon", "Cleveland", fraction=0.9, lens=lens)
    assert words.md(f"{need.value:.4g}") in answer
    assert app.query_params["plan"].startswith("goal:rate;")
    point = planning.saturation(STUDY, "epsilon", "Cleveland", lens=lens)
    assert f"**{words.number(point.value)}**" in everything(app)


@pytest.mark.parametrize("entry", deep_after(2, PRESETS), ids=lambda p: p.key)
def test_every_example_opens_and_says_what_the_engine_says(entry):
    app = opened(entry.study)
    kind, study = plan_view.further(View(), entry.study), planning.in_house(entry.study)
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
    app = opened()
    choose(app, "Which lever?").set_value("n").run()
    choose(app, "Where?").set_value("Cleveland").run()
    field(app, "Rate over today's, exact value").set_value("0.7").run()
    need = planning.needed(STUDY, "n", "Cleveland", fraction=0.7)
    assert words.md(f"{need.whole:,}") in app.markdown[0].value
    view = asked(app)
    assert (view.lever, view.site, view.fraction) == ("n", "Cleveland", 0.7)
    again = opened(STUDY, view)
    assert again.markdown[0].value == app.markdown[0].value
    assert choose(again, "Where?").value == "Cleveland"
    driver.at(again, "study").run()
    driver.at(again, "plan").run()
    assert asked(again) == view


def test_a_multiple_of_the_sample_is_another_way_to_say_it():
    app = opened(STUDY, View(goal="sample"))
    assert "Times today's sample (older link)" in choose(app, "What do you aim at?").options
    field(app, "× today's sample, exact value").set_value("8").run()
    assert "**8** times today's" in app.markdown[0].value
    half = planning.needed(STUDY, "n", "Hungary", fraction=0.5)
    assert f"{half.whole:,}" in set(grid(app, "Lever")["Enough, rate equation"])
    assert grid(app, "Lever").equals(grid(opened(), "Lever"))


def test_further_sites_take_their_own_numbers():
    app = opened(STUDY, View(goal="rate", lever="sites", kind_n=50.0))
    kind = plan_view.further(View(kind_n=50.0), STUDY)
    assert (kind.n, kind.delta, kind.signal_exponent) == (50, 1e-6, 0.8)
    need = planning.needed(STUDY, "sites", fraction=0.5, kind=kind)
    assert words.md(f"{need.whole:,}") in app.markdown[0].value
    field(app, "Its records n, exact value").set_value("500").run()
    more = planning.needed(STUDY, "sites", fraction=0.5, kind=replace(kind, n=500))
    assert more.whole < need.whole
    assert words.md(f"{more.whole:,} further sites") in app.markdown[0].value


@pytest.mark.parametrize(
    ("typed", "piece"),
    deep_after(
        2,
        [
            ("1", "met already"),
            ("1.5", "met already"),
            ("0", "no finite study"),
            ("x", "plain number"),
        ],
    ),
)
def test_bad_targets_are_refused_beside_their_field(typed, piece):
    app = opened()
    before = app.markdown[0].value
    field(app, "Rate over today's, exact value").set_value(typed).run()
    assert any(piece in e.value for e in app.error)
    assert app.markdown[0].value == before


def test_a_calibrated_risk_needs_a_calibration():
    app = opened()
    choose(app, "What do you aim at?").set_value("risk").run()
    assert any("Nothing has been calibrated" in e.value for e in app.error)
    assert "no goal that can be computed" in app.markdown[0].value
    assert "design B yet" in everything(app)


def calibrated() -> Calibration:
    """An accepted constant for the hospitals' parameters."""
    yardstick = Yardstick(kind="classification", smoothness=0.5, dimension=2, margin=1.0)
    return Calibration(
        yardstick=yardstick,
        world="a made-up world",
        method="hand",
        constant=Fitted(value=0.1, stderr=0.01, low=0.08, high=0.12, misfit=1.0),
        width=0.2,
        rates=(1e-9, 1e9),
        signals=signals(STUDY.servers),
        settings=(Tried(records=1.0, budget=1.0, rate=0.1, risk=0.01, stderr=0.0),),
    )


def test_after_a_calibration_a_risk_can_be_aimed_at():
    study = STUDY.with_servers([replace(s, n=s.n + 1) for s in STUDY.servers])  # no example
    app = opened(study)
    app.session_state["bound_constant"] = calibrated_state.Held(calibrated())
    choose(app, "What do you aim at?").set_value("risk").run()
    told = risk_of(calibrated(), study)
    now = told.value
    field(app, "Risk aimed at (0.01: 1 %), exact value").set_value(repr(now / 4)).run()
    ends = words.span(*(f"{words.number(100 * x)} %" for x in (told.low, told.high)))
    text = f"To bring the risk from {words.number(100 * now)} % (95 %: {ends}), as calibrated"
    assert text in app.markdown[0].value
    assert "this world: a made\\-up world" in everything(app)
    multiple = planning.Aim.of_rate(study, 0.25).multiple
    sizes = planning.scales(study, multiple=multiple, kappas=(3.0,))[-1]
    assert f"**{words.number(sizes.low)} times**" in app.markdown[0].value
    field(app, "Risk aimed at (0.01: 1 %), exact value").set_value("0.9").run()
    assert any("The risks must satisfy" in e.value for e in app.error)


def test_a_study_without_information_or_delta_says_so():
    nothing = STUDY.with_servers([replace(s, n=0) for s in STUDY.servers])
    assert "nothing to improve on" in opened(nothing).markdown[0].value
    silent = STUDY.with_servers([replace(s, delta=None) for s in STUDY.servers])
    app = opened(silent)
    assert "No named mechanism" in app.markdown[0].value
    assert set(grid(app, "Lever")["Enough, mechanism"]) == {"needs every δ"}


def test_of_two_designs_the_mechanism_says_which_is_better():
    app = press(opened(GENEROUS), "Keep this study as design B")
    assert "By today's method and by the equation the designs are equally good" in everything(app)
    assert "no row differs" in everything(app)
    view = asked(app)
    assert view.other == GENEROUS
    app = opened(STUDY, view)
    duels = [planning.versus(STUDY, GENEROUS, lens=Lens(kappa=k)) for k in (1, 2, 3)]
    text = everything(app)
    assert "Undecided" not in text
    worth = [x.effective_n_mechanism[1] for x in duels]
    span = words.between(min(worth), max(worth))
    assert f"**Design B** is best: worth **{span}** effective records" in text
    assert "(equation: the designs are equally good, within 1 %)" in text
    assert "Cleveland: ε 1 → 4" in text
    both = grid(app, "Design B")
    assert both["Design A"].tolist()[2] == words.number(duels[0].effective_n[0])
    press(app, "No design B")
    assert asked(app).other is None


def test_four_designs_stand_side_by_side_and_one_is_best():
    smaller = STUDY.with_servers(STUDY.servers[:2])
    app = press(opened(STUDY, View(goal="rate", other=smaller)), "Keep this study as design C")
    larger = STUDY.with_servers([replace(s, n=4 * s.n) for s in STUDY.servers])
    assert asked(app).others == (smaller, STUDY)
    app = opened(STUDY, View(goal="rate", other=smaller, third=STUDY, fourth=larger))
    text = everything(app)
    assert "**Design D** is best" in text
    assert "left out" in text
    assert list(grid(app, "Design D")) == ["Quantity", *(f"Design {x}" for x in "ABCD")]
    assert "take one away to add another" in text
    press(app, "No design D")
    assert asked(app).others == (smaller, STUDY)
    found, _ = plan_designs.designs(STUDY, View(goal="rate", other=smaller, third=larger))
    assert set(plan_designs.picture(found, "n").rows[0]) >= {"C, rate equation"}


def test_a_design_with_other_parameters_is_moved_and_one_of_another_kind_refused():
    app = press(opened(), "Figure 1 of ACC")
    assert "compared under the parameters of this study" in everything(app)
    found, refusal = plan_designs.designs(STUDY, View(goal="rate", other=preset("phones").study))
    assert found is None
    assert "other kind" in refusal


def test_a_link_opens_as_design_b_or_is_refused_beside_its_field():
    app = opened()
    link = f"http://example.org/study?study={codec.to_link(GENEROUS)}"
    field(app, "Link of another study").set_value(link).run()
    press(app, "Use this link")
    assert asked(app).other == GENEROUS
    for wrong in ("", "http://example.org/study", "~1abc"):
        field(app, "Link of another study").set_value(wrong).run()
        press(app, "Use this link")
        assert app.error, wrong
        assert asked(app).other == GENEROUS


def test_ranges_of_both_designs_are_those_of_the_envelope():
    found, _ = plan_designs.designs(STUDY, View(goal="rate", other=GENEROUS))
    table = plan_designs.ranges(found, HOSPITALS.scope)
    assert table["Design A"] != table["Design B"]
    assert len(table["Over ranges"]) == 3


def test_exchange_and_values_are_the_engine_s():
    app = opened()
    choose(app, "In terms of which site?").set_value("Cleveland").run()
    prices = planning.worth(STUDY)
    rows = grid(app, "One record at")
    wanted = prices.exchange("Hungary", "record", "Cleveland", "record")
    assert rows["records, equation"][0] == words.number(wanted)
    assert set(rows["records, mechanism"]) != {plan_sites.OUT_OF_REACH}
    values = planning.site_values(STUDY)
    first = min(values, key=lambda v: v.kept_mechanism)
    shown = grid(app, "Without, mechanism")
    assert shown["Site"][0] == first.name
    assert shown["One more, equation"][0] == f"× {words.number(first.joined)}"
    other = min(values, key=lambda v: v.kept).name
    assert first.name != other  # the answers differ, and the mechanism decides
    lost = words.percent(1 - first.kept_mechanism)
    assert f"Without **{first.name}** most is lost: **{lost}**" in everything(app)
    assert f"and most without {other}, " in everything(app)
    assert "Undecided" not in everything(app)


def test_offers_are_ranked_priced_and_kept_in_the_link():
    app = opened(STUDY, View(goal="rate", offers=OFFERS))
    found = plan_offers.read(OFFERS, STUDY)
    assert [s.name for s in found.candidates] == ["Basel", "Clinic"]
    ranked = planning.best_next(STUDY, found.candidates)
    assert grid(app, "Site on offer")["Site on offer"][0] == ranked[0].name
    mix = planning.cheapest(STUDY, found.priced, fraction=0.5)
    assert f"**{words.number(mix.cost, 6)}**" in everything(app)
    assert asked(app).offers == OFFERS
    press(app, "Forget the offers")
    assert asked(app).offers == ""


def test_the_example_of_offers_fits_every_example_study():
    for entry in PRESETS:
        found = plan_offers.read(plan_offers.example(entry.study), entry.study)
        assert len(found.candidates) == 2
        assert len(found.priced) == 3 + any(server.private for server in entry.study.servers)
        assert found.problems == ()


@pytest.mark.parametrize(
    ("table", "piece"),
    [
        ("name,n\nA,5", "epsilon"),
        ("name,n,epsilon\nA,-1,1", "n"),
        ("name,n,epsilon\nHungary,5,1", "no site of the study has"),
        ("offer,name,n,epsilon\nluck,A,5,1", "offer must be one of"),
        ("name,n,epsilon,age\nA,5,1,9", "Unknown column"),
        ("", "header line"),
        ("name,n,epsilon", "at least one line"),
    ],
)
def test_bad_offers_are_refused(table, piece):
    with pytest.raises(DomainError, match=piece):
        plan_offers.read(table, STUDY)


def test_ten_thousand_offers_are_read_and_one_more_is_refused():
    rows = [f"S{k},5,1" for k in range(10_001)]
    table = "\n".join(["name,n,epsilon", *rows])
    assert len(plan_offers.read(table.rpartition("\n")[0], STUDY).candidates) == 10_000
    with pytest.raises(DomainError, match="at most 10,000 rows"):
        plan_offers.read(table, STUDY)


def test_refused_offers_are_said_beside_their_field_and_change_nothing():
    app = opened()
    next(a for a in app.text_area if a.label == "Offers to paste").set_value("name,n").run()
    press(app, "Use these offers")
    assert any("Nothing was changed" in e.value for e in app.error)
    assert asked(app).offers == ""


def test_report_buttons_stand_on_both_pages():
    app = opened(preset("unequal").study)
    for page in ("plan", "study"):
        driver.at(app, page).run()
        assert not app.exception
        labels = [b.proto.label for b in app.get("download_button")]
        assert {"Report (HTML)", "Report with all files (ZIP)"} <= set(labels)


def test_offers_too_long_for_a_link_stay_and_are_said():
    numbers = random.Random(0)
    rows = [f"S{k},{numbers.randrange(10**9)},{numbers.random()}" for k in range(900)]
    app = opened()
    table = "\n".join(["name,n,epsilon", *rows])
    next(a for a in app.text_area if a.label == "Offers to paste").set_value(table).run()
    press(app, "Use these offers")
    assert "plan" not in app.query_params
    assert "too long for a link" in everything(app)
    assert len(grid(app, "Site on offer")) == plan_sites.MOST_ROWS


def test_a_new_plan_in_the_address_replaces_what_the_widgets_held():
    app = opened(STUDY, View(goal="rate", lever="n", site="Cleveland"))
    app.query_params["plan"] = linked(PLAN, View(goal="rate", lever="count", site="Switzerland"))
    app.run()
    assert choose(app, "Which lever?").value == "count"
    assert choose(app, "Where?").value == "Switzerland"


def test_a_lever_says_what_it_needs_or_how_far_it_gets():
    rows = grid(opened(), "Lever")
    cells = {(a, b): (x, y) for a, b, _, x, y in rows.itertuples(index=False)}
    assert cells["Budget ε", "Every protected site"][1] == "none is enough"
    best = planning.levers(STUDY, 0.5).levers
    beach = next(x for x in best if (x.lever, x.site) == ("epsilon", "Long Beach")).mechanism
    assert cells["Budget ε", "Long Beach"] == (
        f"out of reach, at best × {beach.best:.3g}",
        "changes nothing",
    )
    gamma = cells["Signal γ", "Cleveland"][0]
    assert gamma.startswith("out of reach")
    assert plan_view.further(View(), STUDY).n == 303


@pytest.mark.parametrize("price", ["0", "-3", "inf"])
def test_prices_that_are_none_are_said_row_by_row(price):
    found = plan_offers.read(f"name,n,epsilon,price\nA,5,1,{price}", STUDY)
    assert found.priced == ()
    assert len(found.candidates) == 1
    assert "Row 1" in found.problems[0]


def test_hostile_names_stay_words_on_the_page_and_in_the_report():
    name = "</td><script>*x*"
    study = STUDY.with_servers([*STUDY.servers[:3], replace(STUDY.servers[3], name=name)])
    app = opened(study, View(goal="rate", lever="epsilon", site=name))
    assert words.md(name) in app.markdown[0].value
    assert "<script" not in whole(study, View(goal="rate", lever="n", site=name, other=STUDY))


def whole(study, view: View) -> str:
    """The report with its plan, as the page's button makes it."""
    view = plan_view.asked(view, study, HOSPITALS.scope)
    goal = plan_goal.goal(study, view)
    about = report_subject.subject(study, HOSPITALS.scope, privacy_cost(study)[0])
    return report.build(about, [plan_report.section(study, view, HOSPITALS.scope, goal)])


def test_the_report_holds_the_plan_with_its_figures_and_tables():
    view = View(goal="rate", lever="n", site="Cleveland", other=GENEROUS, offers=OFFERS)
    reader = Reader(whole(STUDY, view))
    files = saved(reader)
    assert {"levers.csv", "designs.svg", "lever.svg", "exchange.csv", "offers.csv"} <= set(files)
    assert "(equation: the designs are equally good, within 1 %)" in reader.text
    assert "the cheapest mix found costs" in reader.text
    assert "20 equal steps" in reader.text
    assert "a mix between the steps may cost less" in reader.text
    need = planning.needed(STUDY, "n", "Cleveland", fraction=0.5)
    assert f"{need.whole:,}" in reader.text
    for word in ("anonymous", "compliant", "required sample size"):
        assert word not in reader.text.lower()


def test_what_would_take_minutes_is_said_and_left_out(monkeypatch):
    monkeypatch.setattr(plan_sites, "MOST_VALUED", 3)
    monkeypatch.setattr(report_subject, "MOST_ROWS", 3)
    plan_sites.values_of.cache_clear()
    app = opened(STUDY, View(goal="rate", other=GENEROUS))
    assert "takes minutes and is not computed" in everything(app)
    assert not any("Over ranges" in d.value.columns for d in app.dataframe)
    reader = Reader(whole(STUDY, View()))
    assert "left to the page Fit" in reader.text
    assert "values.csv" not in saved(reader)
    plan_sites.values_of.cache_clear()


def test_the_curve_meets_the_target_where_the_mark_stands():
    view = View(goal="rate", lever="n", site="Cleveland")
    goal = plan_goal.goal(STUDY, view)
    lever = plan_levers.chosen(plan_levers.found(STUDY, view, goal), view)
    drawn = plan_levers.picture(STUDY, view, goal, lever).figure
    marks = {t.name: (t.x[0], t.y[0]) for t in drawn.marks if not t.stroke}
    x, y = marks["Equation: enough"]
    here = planning.lever_curve(STUDY, "n", "Cleveland", [x])
    assert math.isclose(float(here.equation[0]), y, rel_tol=1e-9)
    x, y = marks["Mechanism: enough"]
    here = planning.lever_curve(STUDY, "n", "Cleveland", [x])
    assert math.isclose(float(here.mechanism[0]), y, rel_tol=1e-9)
    curve = planning.lever_curve(STUDY, "n", "Cleveland", figures.grid(1, 1e4))
    more = {
        "where": "",
        "title": "t",
        "target": 0.5,
        "by_equation": 0.5,
        "now": 100,
        "marks": (),
        "caption": "",
    }
    assert len(figures.along(curve, label="n", **more).rows) == figures.POINTS
