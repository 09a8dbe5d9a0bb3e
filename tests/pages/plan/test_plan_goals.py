"""What is aimed at, for whom, and by what factor everything would have to grow."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace

import pytest

from pages.charts import words
from pages.core import layout
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import levers as plan_levers
from pages.plan import report as plan_report
from pages.plan import scales as plan_scales
from pages.plan import view as plan_view
from pages.plan.state import PLAN
from pages.plan.view import View
from pages.report import Table
from rates import plan as planning
from rates.answer import Lens
from rates.study import codec
from rates.study.presets import PRESETS, preset
from rates.study.scenario import Server
from rates.study.scope import Scope
from tests.pages.driver import everything, open_page, press
from tests.pages.plan.test_plan import OFFERS, STUDY, asked, choose, field, grid, opened

STATED = preset("hospitals").study
PHONES = preset("phones").study
SEVEN = STATED.with_servers(
    [
        Server(name=f"S{k}", n=300 * (k + 1), epsilon=(1.0, 0.05, 3.0)[k % 3], delta=1e-6)
        for k in range(7)
    ]
)


def asking(study, view: View | None = None, scope: Scope | None = None):
    """Study, view and goal as the page takes them."""
    scope = scope or Scope()
    view = plan_view.asked(view or View(), study, scope)
    planned = plan_view.planned(study, scope)
    return planned, view, plan_goal.goal(planned, view)


def answered(study, view: View | None = None, scope: Scope | None = None) -> str:
    study, view, goal = asking(study, view, scope)
    return plan_levers.answer(study, plan_levers.found(study, view, goal), view, goal)


def span(scale: planning.Scale) -> str:
    return f"**{words.between(scale.low, scale.high)} times**"


def test_half_of_what_privacy_costs_is_the_usual_goal_and_factors_come_first():
    app = open_page("plan", study=codec.to_link(STATED))
    text = app.markdown[0].value
    budgets, sizes = planning.scales(STUDY)
    assert text.startswith("To halve what privacy costs (from **152 to 165** effective records")
    assert f"every ε would have to be {span(budgets)} as large" in text
    assert f"or the records at every site {span(sizes)}" in text
    assert text.index(span(budgets)) < text.index("Enough alone")
    assert "(equation: today's is enough)" in text
    assert "in house: its own records need no noise for itself (assumed)" in everything(app)
    rows = grid(app, "Lever")
    assert rows["Where"].tolist()[:2] == ["Every protected site", "Every site"]
    assert rows["Enough, mechanism"][0] == f"× {words.between(budgets.low, budgets.high)}"
    assert choose(app, "Where?").value == planning.ALL


def test_more_phones_come_first_in_the_sentence_the_table_and_the_figure():
    study, view, goal = asking(PHONES)
    count, budgets, sizes = planning.scales(PHONES)
    text = answered(PHONES)
    places = [
        text.index(f"the number of Phones would have to be {span(count)} as large"),
        text.index(f"every ε {span(budgets)}"),
        text.index(f"the records at every site {span(sizes)}"),
    ]
    assert places == sorted(places)
    assert "Enough alone" not in text  # there is one row, of which all is said
    two = PHONES.with_servers([*PHONES.servers, replace(PHONES.servers[0], name="Tablets")])
    more = answered(two, View(goal="need", needed=300.0))
    assert "the number of sites in every row of many alike would have to be" in more
    assert re.search(r"Enough alone: [\d,]+ sites like (Phones|Tablets) are needed", more)
    alone = answered(two, View(goal="need", needed=300.0, lever="n", site="Phones"))
    assert "One lever alone: each of Phones needs" in alone
    table = plan_levers.columns(
        study, plan_levers.found(study, view, goal), plan_scales.found(study, view, goal)
    )
    assert table["Lever"][0] == "Number of such sites"
    assert table["Where"][0] == "Phones"
    assert plan_levers.along(study, view, goal).figure.x.title.startswith("Number of sites alike")


def test_a_need_is_aimed_at_in_records():
    app = opened(STUDY, View(goal="need", needed=400.0))
    budgets = planning.scales(STUDY, needed=400)[0]
    text = app.markdown[0].value
    assert text.startswith("To be worth **400** effective records (today **152 to 165**)")
    assert span(budgets) in text
    field(app, "Records needed, exact value").set_value("500").run()
    assert asked(app).needed == 500
    assert span(planning.scales(STUDY, needed=500)[1]) in app.markdown[0].value
    need = planning.needed(
        STUDY,
        "n",
        "Hungary",
        fraction=planning.Aim(needed=500).fraction(STUDY, Lens(mechanism="analytic")),
        lens=Lens(mechanism="analytic"),
    )
    assert f"{need.whole:,}" in set(grid(app, "Lever")["Enough, mechanism"])
    field(app, "Records needed, exact value").set_value("0").run()
    assert any("need in records" in e.value for e in app.error)
    field(app, "Records needed, exact value").set_value("100").run()
    assert "it is there, worth **152 to 165** effective records today" in app.markdown[0].value


def test_a_need_that_was_told_is_the_goal_and_who_uses_it_changes_the_study():
    told = answered(STATED, scope=Scope(needed=400))
    assert told == answered(STATED, View(goal="need", needed=400.0))
    assert told.startswith("To be worth **400** effective records")
    own = answered(STATED, View(goal="part"))
    for use, same in (("target", True), ("others", False), (None, True)):
        scope = Scope(use=use)
        assert (answered(STATED, View(goal="part"), scope=scope) == own) == same
        sentence = plan_view.user(STATED, scope)
        assert bool(sentence) == same
        assert ("(assumed)" in sentence) == (use is None)
        assert plan_view.planned(PHONES, scope) == PHONES


def test_designs_beside_it_are_seen_by_the_same_user():
    study, view, _ = asking(STATED, View(other=STATED))
    assert view.other == study == STUDY
    assert asking(STUDY, View(other=STATED))[1].other == STUDY


@pytest.mark.parametrize(
    ("link", "words_of"),
    [
        ("goal:sample;multiple:3", "To make the effective sample **3** times today's"),
        ("goal:sample;lever:n", "To make the effective sample **2** times today's"),
        ("goal:rate;fraction:0.25", "to **25 %** of today's"),
        ("lever:n;site:Cleveland", "to **50 %** of today's"),
        ("goal:need;needed:250", "To be worth **250** effective records"),
        ("goal:part;part:0.3", "To win back **30 %** of what privacy costs"),
    ],
)
def test_links_of_every_age_open_and_mean_what_they_meant(link, words_of):
    view = PLAN.read({"plan": link})
    text = answered(STATED, view)
    assert words_of in text
    assert PLAN.read(PLAN.link(view)) == view
    if view.goal in ("sample", "rate"):
        multiple = view.multiple
        if view.goal == "rate":
            multiple = planning.Aim.of_rate(STUDY, view.fraction).multiple
        for scale in planning.scales(STUDY, multiple=multiple):
            if math.isfinite(scale.high):
                assert span(scale) in text


def test_a_packed_plan_of_old_opens_with_the_goal_and_the_lever_it_had():
    old = {"version": 1, "fraction": 0.8, "lever": "n", "site": "Cleveland"}
    app = open_page("plan", study=codec.to_link(STATED), plan=codec.pack(json.dumps(old)))
    assert not app.error
    need = planning.needed(
        STUDY, "n", "Cleveland", fraction=0.8, lens=Lens(mechanism="analytic")
    ).whole
    assert "to **80 %** of today's" in app.markdown[0].value
    assert f"Cleveland needs {need:,} records" in app.markdown[0].value
    assert choose(app, "What do you aim at?").value == "rate"
    bare = open_page("plan", study=codec.to_link(STATED), plan=codec.pack('{"version":1}'))
    assert choose(bare, "Which lever?").value == "epsilon"


@pytest.mark.parametrize("entry", [*PRESETS, None], ids=lambda p: p.key if p else "seven")
@pytest.mark.parametrize("goal", ["part", "need", "sample"])
def test_no_lever_that_is_shown_lowers_anything(entry, goal):
    """Every number in the table's columns is at least today's; factors are at least 1."""
    study, view, aim = asking(entry.study if entry else SEVEN, View(goal=goal))
    table = plan_levers.found(study, view, aim)
    cells = plan_levers.columns(study, table, plan_scales.found(study, view, aim))
    seen = 0
    for lever, now, *needs in zip(
        cells["Lever"],
        cells["Today"],
        cells["Enough, mechanism"],
        cells["Enough, rate equation"],
        strict=True,
    ):
        if lever == "Signal γ":
            continue
        for need in needs:
            if re.fullmatch(r"(× )?[\d.,e+]+( to [\d.,e+]+)?", need):
                value, today = (
                    float(x.split(" to ")[0].strip("× ").replace(",", "")) for x in (need, now)
                )
                assert value >= today * (1 - 1e-3), (lever, now, need)
                seen += 1
    assert seen >= 3
    assert "needs epsilon" not in answered(study, view).split("Enough alone")[0]


def test_privacy_that_costs_nothing_is_said():
    free = STATED.unprotected()
    assert answered(free).startswith("Privacy costs this study nothing")
    app = open_page("plan", study=codec.to_link(free))
    assert not app.error
    assert not app.exception
    assert grid(app, "Lever")["Enough, mechanism"].tolist() == ["today's is enough"]


def test_a_missing_delta_leaves_the_equation_alone():
    bare = STATED.with_servers([replace(s, delta=None) for s in STATED.servers])
    text = answered(bare, View(goal="need", needed=5000.0))
    assert text.startswith("By the rate equation alone, as a δ is missing. To be worth")
    sizes = planning.scales(planning.in_house(bare), needed=5000)[-1]
    assert (
        f"the records at every site would have to be **{words.number(sizes.equation)} times**"
        in text
    )


def test_sites_on_offer_come_first_where_the_address_asks_for_them():
    app = open_page("plan", study=codec.to_link(STATED))
    assert order(app).index("All levers side by side") < order(app).index("Sites on offer")
    assert order(app).index("Sites on offer") < order(app).index("Designs side by side")
    app = open_page("plan", study=codec.to_link(STATED), **layout.OFFERS_OPEN)
    assert not app.warning  # the page knows this part of its address
    assert order(app)[0] == "Sites on offer"
    assert app.query_params["offers"] == "open"
    next(a for a in app.text_area if a.label == "Offers to paste").set_value(OFFERS).run()
    next(b for b in app.button if b.label == "Use these offers").click().run()
    assert asked(app).offers == OFFERS
    assert order(app)[0] == "Sites on offer"
    assert "The cheapest mix" in everything(app)
    press(app, "Sites on offer below")
    assert order(app)[0] == "All levers side by side"
    assert "offers" not in app.query_params


def order(app) -> list[str]:
    return [header.value for header in app.header]


def test_the_report_holds_the_factors_and_the_figure_of_them():
    study, view, goal = asking(STATED)
    made = plan_report.section(study, view, Scope(), goal)
    budgets, _ = planning.scales(STUDY)
    assert span(budgets) in made.blocks[0].markdown
    assert "in house" in made.blocks[0].markdown
    assert made.blocks[1].figure.x.title == "Every ε multiplied by"
    table = next(x for x in made.blocks if isinstance(x, Table))
    assert table.columns["Where"][0] == "Every protected site"


def test_an_undecided_comparison_names_the_constants():
    """Two designs of which one leads with narrow and the other with wide bandwidths."""
    wide = STATED.with_servers([Server(name="T", n=2_000, epsilon=0.5, delta=1e-6)])
    for n in range(100, 2_000):
        other = STATED.with_servers([Server(name="T", n=n, epsilon=math.inf)])
        found, _ = plan_designs.designs(wide, View(other=other))
        tops = {worth.index(max(worth)) for worth in found.mechanism}
        if len(tops) == 2:
            break
    text = plan_designs.sentence(found)
    assert text.startswith("**Undecided**: the constants of today's method decide")
    assert "**Design A** or **Design B**" in text or "**Design B** or **Design A**" in text


def test_a_signal_is_told_as_the_largest_that_is_good_enough():
    study = preset("unprotected").study
    text = answered(study, View(lever="signal_exponent", site="Unprotected source"))
    assert "Unprotected source needs a signal exponent of at most 0\\.2938 (today 1)" in text


def test_where_all_sites_are_alike_no_signal_is_a_lever():
    alike = STATED.with_servers([replace(s, signal_exponent=1) for s in STATED.servers])
    shared = Scope(answers=(("target", "shared"),))
    for scope, has in ((Scope(), True), (shared, False)):
        app = open_page("plan", study=codec.to_link(alike, scope))
        offered = next(box for box in app.selectbox if box.label == "Which lever?").options
        assert ("Signal γ" in offered) == has
        assert ("Signal γ" in set(grid(app, "Lever")["Lever"])) == has
