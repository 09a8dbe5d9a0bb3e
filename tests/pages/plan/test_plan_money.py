"""What money buys on the plan page: budgets raised, totals split, values, the frontier."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from pages.charts import plan as figures
from pages.charts import words
from pages.plan import goal as plan_goal
from pages.plan import money as plan_money
from pages.plan import sites as plan_sites
from pages.plan import view as plan_view
from pages.plan.view import View
from rates import plan as planning
from rates.answer import Lens
from rates.split import rises, split
from rates.study.presets import PRESETS, preset
from rates.study.scope import Scope
from tests.pages.driver import everything
from tests.pages.plan.test_plan import HALF, OFFERS, STUDY, asked, field, grid, opened

MECHANISM = Lens(mechanism="analytic")
GOAL = plan_goal.goal(STUDY, HALF)


def said(study, view: View = HALF) -> tuple[str, str]:
    """What is said of one budget raised, and of a total."""
    view = plan_view.asked(view, study, Scope())
    goal = plan_goal.goal(study, view)
    found, refusal = plan_money.split_of(study, view, goal)
    text = refusal if found is None else plan_money.split_sentence(found)
    return plan_money.rise_sentence(plan_money.rises_of(study, view, goal), view.raised), text


def test_one_budget_raised_is_the_engine_s_site_by_site():
    app = opened(STUDY, View(raised=3.0))
    found = rises(STUDY, 3.0)
    rows = grid(app, "Raise ε at")
    assert rows["Raise ε at"].tolist() == [x.site for x in found]
    assert rows["from, to"][0] == "1 → 3"
    gains = []
    for kappa in (1, 2, 3):
        more = STUDY.with_servers(
            [replace(s, epsilon=3.0) if s.name == found[0].site else s for s in STUDY.servers]
        )
        duel = planning.versus(STUDY, more, lens=Lens(kappa=kappa))
        gains.append(duel.effective_n_mechanism[1] - duel.effective_n_mechanism[0])
    assert rows["Records gained"][0] == words.between(min(gains), max(gains))
    text = everything(app)
    assert f"**{found[0].site}**: × 3 its ε (from 1 to 3) gains" in text
    assert "with today's method" in text
    assert "a better method might not need it" in text  # by the equation nothing is gained


def test_the_mechanism_names_the_budget_and_the_equation_stands_beside_it():
    rows = [replace(s, epsilon=e) for s, e in zip(STUDY.servers, (0.05, 2, 2, 2), strict=True)]
    study = STUDY.with_servers([replace(rows[0], n=300), *rows[1:]])
    text, _ = said(study)
    first = rises(study, 2.0)[0].site
    assert text.startswith(f"**{first}**: doubling its ε")
    assert "By the equation **Hungary** gains most" in text
    assert "Undecided" not in text
    bare = STUDY.with_servers([replace(s, delta=None) for s in STUDY.servers])
    text, total = said(bare)
    assert text.startswith("By the rate equation alone")
    assert total.startswith("**Undecided**: there is no named mechanism")
    free, total = said(STUDY.unprotected())
    assert free == "No site has a budget that could be raised."
    assert "No site has a budget" in total


def test_a_total_is_split_best_by_the_mechanism():
    app = opened(STUDY, View(total=8.0, most=8.0))
    least = [1.0 if s.private else 0.0 for s in STUDY.servers]
    best = split(STUDY, "epsilon", 8, least=least, most=[8 * x for x in least], lens=MECHANISM)
    rows = grid(app, "Equation", "Today")
    assert rows["Mechanism"][0] == words.number(best.amounts[0])
    text = everything(app)
    assert f"**{words.number(best.effective_n)}** effective records" in text
    assert "(equation: as much as an even split)" in text
    assert "a total of ε is a price" in text
    assert "at most 0.1 % below the best possible" in text
    budgets = zip(STUDY.servers, (0.05, 4, 4, 4), strict=True)
    apart = STUDY.with_servers([replace(s, epsilon=e) for s, e in budgets])
    _, text = said(apart, View(least=0.0, most=4.0, total=6.0))
    assert "Undecided" not in text
    assert re.search(r"\(equation: × 0\.\d+ an even split\)", text)
    found, _ = plan_money.split_of(apart, View(least=0.0, most=4.0, total=6.0), GOAL)
    less = [
        x
        for x, a, t in zip(
            found.mechanism.names, found.mechanism.amounts, found.mechanism.today, strict=True
        )
        if a < t
    ]
    assert less
    assert f"Less than today: {words.names(less)}." in text


def test_totals_are_refused_in_words_and_kept_in_the_link():
    app = opened(STUDY, View(total=2.0))
    assert any("below what the sites get at least, 3 together" in x.value for x in app.info)
    field(app, "Total, exact value").set_value("12").run()
    assert asked(app).total == 12
    assert not any("below what" in x.value for x in app.info)
    _, text = said(STUDY, View(divided="records", least=2.0, most=1.0))
    assert "must not exceed" in text
    _, text = said(STUDY, View(total=1e6))
    assert "of it is used" in text


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_every_example_is_raised_and_split(entry):
    for divided in plan_view.DIVIDED:
        rise, text = said(entry.study, View(divided=divided))
        assert "nan" not in rise + text
        assert "inf" not in rise + text
        assert text


def test_values_are_one_ranked_figure_and_the_mechanism_names_the_first():
    values = plan_sites.values_of(STUDY, "classification")
    drawn = figures.of_values(values)
    assert drawn.figure.y.names[-1] == "Hungary"  # from the origin up: the first is the last
    bars = next(m for m in drawn.figure.marks if m.name == "Without it, named mechanism")
    assert bars.x[0] == pytest.approx(min(v.kept_mechanism for v in values) - 1)
    apart = preset("unprotected").study
    values = plan_sites.values_of(apart, "classification")
    first, other = (min(values, key=by) for by in (lambda x: x.kept_mechanism, lambda x: x.kept))
    if first.name == other.name:
        pytest.fail("the example of two answers that differ has changed")
    text = plan_sites.value_sentence(values)
    assert text.startswith(f"Without **{first.name}** most is lost")
    assert f"and most without {other.name}, " in text
    assert figures.of_values(values).figure.title == f"{first.name} matters most"
    bare = STUDY.with_servers([replace(s, delta=None) for s in STUDY.servers])
    values = plan_sites.values_of(bare, "classification")
    assert "without a δ" in plan_sites.value_sentence(values)
    assert len(figures.of_values(values).figure.marks) == 1


def test_the_frontier_s_points_are_the_cheapest_mixes():
    view = View(offers=OFFERS)
    assert "a cost between two points buys at least" in everything(opened(STUDY, view))
    goal = plan_goal.goal(STUDY, view)
    found, _ = plan_sites.read(STUDY, view)
    drawn = plan_sites.frontier_picture(STUDY, view, goal)
    rows = [r for r in drawn.rows if r["answer"] == "named mechanism"]
    now = planning.versus(STUDY, STUDY).effective_n_mechanism[0]
    assert rows[0]["cost"] == 0
    assert rows[0]["effective records"] == pytest.approx(now)
    aim = planning.Aim(multiple=rows[3]["effective records"] / now)
    fraction = aim.fraction(STUDY, MECHANISM)
    mix = planning.cheapest(STUDY, found.priced, fraction=fraction, lens=MECHANISM)
    assert rows[3]["cost"] == pytest.approx(mix.cost, rel=1e-6)
    assert all(math.isfinite(r["cost"]) for r in drawn.rows)


def test_exchange_rates_stay_within_reach_of_the_site():
    strict = STUDY.with_servers(
        [replace(s, n=10, epsilon=0.3) if k == 0 else s for k, s in enumerate(STUDY.servers)]
    )
    table = plan_sites.exchange_columns(strict, "classification", STUDY.servers[0].name)
    cells = [x for title, column in table.items() if "ε ×" in title for x in column]
    assert plan_sites.OUT_OF_REACH in cells
    for cell in cells:
        if cell.startswith("× ") and "less" not in cell:
            assert 1 < float(cell.removeprefix("× ")) <= 10
