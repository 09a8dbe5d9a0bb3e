"""The fit page without a browser: scope, ranges, promises, the paragraph, and refusals."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.fit import page as fit_page
from pages.fit import unknowns
from pages.fit import words as fit_words
from rates import FederatedStudy, Server, TransferStudy
from rates.answer import Lens
from rates.fit import envelope, rivals, strictest
from rates.study import PRESETS, QUESTIONS, Scope, codec, fits, preset, theory_for
from rates.theories import breaks, theories
from sims import budgets
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.driver import answer, box, choice, everything, grid, linked, told

HOSPITALS = preset("hospitals").study
OWN = HOSPITALS.with_servers([replace(s, n=s.n + 1) for s in HOSPITALS.servers])  # no preset
BAR = "fit_tab_tab_choice"


def opened(study=OWN, scope: Scope | None = None, page: str = "fit", **address: str) -> AppTest:
    """The page of a study and of what was said about it."""
    return driver.open_page(page, study=codec.to_link(study, scope), **address)


def shown(app: AppTest, column: str = "Against this study") -> dict[str, str]:
    table = grid(app, column)
    return dict(zip(table["Design"], table[column], strict=True))


def turn(app: AppTest, tab: str) -> AppTest:
    """Open a tab."""
    return app.segmented_control(key=BAR).set_value(tab).run()


def paragraph(app: AppTest) -> str:
    """The paragraph of a page, which then shows the tab of before again."""
    before = app.segmented_control(key=BAR).value
    text = next(c.value for c in turn(app, "paragraph").code if c.value.startswith("We plan"))
    turn(app, before)
    return text


@pytest.mark.parametrize("entry", deep_after(2, PRESETS), ids=lambda p: p.key)
def test_a_preset_shows_the_engine_s_ranges(entry):
    app = opened(entry.study, tab="unknown")
    kept = envelope(entry.study, Scope(), entry.study.risks[0]).mechanism.kept
    shown = words.span(words.percent(kept.low), words.percent(kept.high))
    assert f"**{shown}**" in answer(app)
    assert linked(app)[0] == entry.study


def test_answers_travel_in_the_link_and_stand_above_the_verdict():
    app = opened()
    assert "has not been asked yet" in everything(app)
    choice(app, "Is the answer a time").set_value("survival").run()
    assert "has not been asked yet" not in everything(app)
    study, scope = linked(app)
    assert (study, scope) == (OWN, said(estimand="survival"))
    assert "No theory here covers this study" in everything(opened(study, scope, "study"))
    assert choice(opened(study, scope), "Is the answer a time").value == "survival"
    choice(app, "Is the answer a time").set_value("unknown").run()
    assert linked(app)[1] is None
    app = opened(HOSPITALS)
    choice(app, "How common is the outcome").set_value("unknown").run()
    scope = linked(app)[1]  # an example brings its own, which is taken back
    assert scope.answer("prevalence") is None
    again = opened(HOSPITALS, scope)
    assert choice(again, "How common is the outcome").value == "unknown"


def test_several_records_weaken_the_promise_to_a_person():
    several = Scope(answers=(("records", "several"),))
    example = opened(OWN, several, tab="promises")
    assert any("ε of a person, 2 records" in d.value for d in example.dataframe)
    app = opened(OWN, several)
    for text in ("3", "1", "1e9"):
        box(app, "The most records of one person at one site").set_value(text).run()
        assert (bool(app.error), linked(app)[1].records_per_person) == (text != "3", 3)
    table = grid(turn(app, "promises"), "Edge, one person")
    assert list(table["ε of a person, 3 records"]) == ["3"] * 4


CLINICS = Server(name="clinics", n=500, epsilon=2, delta=1e-6, count=10)
H = Server(name="H", n=500, epsilon=0.1, delta=1e-6)


@pytest.mark.parametrize("rows", [(CLINICS, H), (CLINICS,)])
def test_a_person_at_two_sites_has_both_budgets_of_any_two(rows):
    study = FederatedStudy(servers=rows, smoothness=2)
    (text,) = fit_words.adding_up(study, said(overlap="yes"), 1)
    assert "any two protected sites at most ε = **4** and δ = 2e-6." in text
    *_, text = fit_words.adding_up(study, said(overlap="yes"), 3)
    assert "with 3 records at each at most ε = **12**" in text
    opened_ = study.with_servers([H, Server(name="P", n=500, epsilon=math.inf)])
    (text,) = fit_words.adding_up(opened_, said(overlap="yes"), 1)
    assert "nothing is promised" in text
    assert len({fit_words.promise_terms(OWN, said(**x)) for x in ({}, {"overlap": "no"})}) == 2


def said(**answers: str) -> Scope:
    return Scope(answers=tuple(answers.items()))


def test_numbers_of_another_theory_than_the_one_that_covers_the_study_are_said_to_be():
    study = replace(OWN, dimension=8)
    many = said(outcome="binary", covariates="many", target="one", protection="sites")
    app = opened(study, many)
    line = words.keyed("are those of the classification theory [ACC], which does not cover it.")
    assert line in everything(app)
    assert "those of the classification theory [ACC]" in paragraph(app)
    assert [link for link in app.get("page_link") if link.label.endswith("Which sites to drop")]
    for page in ("study", "plan"):
        assert line in everything(opened(study, many, page))
    assert line not in everything(opened(OWN, said(outcome="binary")))


def test_a_range_between_two_values_changes_the_answer():
    app = opened(tab="unknown")
    before = answer(app)
    choice(app, "How rare are patients").set_value("between").run()
    box(app, "Highest value").set_value("1").run()
    scope = Scope(margin=(0, 1))
    assert linked(app) == (OWN, scope)
    found = envelope(OWN, scope, "classification").mechanism.cost
    shown = words.span(words.number(found.low), words.number(found.high))
    assert f"**{shown}**" in answer(app) != before


BAD = [
    *(("How rare are patients", "-1", "x"), ("How smoothly", "0.2", "1.5")),
    ("How sharply", "inf", "0"),
]


@pytest.mark.parametrize(("start", "low", "high"), deep_after(1, BAD))
def test_a_bad_range_is_refused_beside_its_field_and_nothing_changes(start, low, high):
    app = opened(tab="unknown")
    choice(app, start).set_value("between").run()
    before = linked(app), answer(app)
    for text in (low, high):
        box(app, "Highest value").set_value(text).run()
        assert (linked(app), answer(app), len(app.error)) == (*before, 1)
        assert box(app, "Highest value").value == text


def test_ranges_of_too_many_rows_are_refused_before_they_take_the_memory():
    site = HOSPITALS.sources[0]
    rows = tuple(replace(site, name=f"site {k}") for k in range(budgets.RANGE_ROWS))
    found, why = unknowns.of(replace(HOSPITALS, sources=rows), Scope(), "classification")
    assert (found, "more than 1,000 rows" in why) == (None, True)


def test_the_grid_holds_what_the_engine_says_and_changes_with_an_answer():
    study = STUDY.with_servers([*STUDY.servers, Server(name="A*b", n=300, epsilon=math.inf)])
    app = driver.unfold(opened(study), "Site by site")
    for scope in (Scope(), said(protection="open_source")):
        if scope.answers:
            choice(app, "Who protects").set_value("open_source").run()
        rows, shown = theories(study, scope), grid(app, "DPLR")
        assert list(shown["Site"]) == ["The study", *SIZES, "A*b"]
        for k, cell in enumerate(rows[0].cells):
            assert list(shown[cell.theory]) == [row.cells[k].says for row in rows]
    switch = next(b for b in app.button_group if "DPLR" in b.options)
    switch.set_value("DPLR").run()
    table = next(t.value for t in app.table if "Why" in t.value.columns)
    assert list(table["Site"]) == ["The study and every site"]
    assert "(about?term=DPLR)" in table["Why"].iloc[0]


def test_every_theory_has_a_badge_and_an_answer_that_repairs_it_clears_it():
    told = said(outcome="binary", covariates="many", target="one", protection="sites")
    study = replace(OWN, dimension=8)
    app = opened(study, told)
    for found in fits(study, told):
        line = next(m.value for m in app.markdown if f"[{found.theory.key}\\]" in m.value[:40])
        assert line.startswith(fit_page.badge(found))
        assert all(f"*{one.needed}*" in line for one in breaks(found, told))
    (acc,) = (found for found in fits(study, told) if found.theory.key == "ACC")
    (one,) = breaks(acc, told)
    repaired, answered = told.with_answer("covariates", "few"), preset("regional")
    assert QUESTIONS["covariates"].options["few"] in one.needed
    assert not breaks(fits(study, repaired)[0], repaired)
    both = (fits(study, Scope())[0], theory_for(answered.study, answered.scope))
    assert [fit_page.badge(found).partition("-")[0] for found in both] == [":orange", ":green"]


# Where all sites are alike, and the way from there to one site -----------------------------------

SIZES = {"Saarland": 58, "Bremen": 240, "Umbria": 12_400}
ROWS = [Server(name=name, n=n, epsilon=1, delta=1e-7) for name, n in SIZES.items()]
STUDY = TransferStudy(target=ROWS[0], sources=ROWS[1:], smoothness=0.5, dimension=2, margin=1)
SHARED = Scope(answers=(("target", "shared"),), signal=(("Bremen", (0.5, 2.0)),))


@pytest.mark.parametrize("key", ["", "regional", "hospitals"])
def test_doing_nothing_is_worth_the_own_records(key):
    study = preset(key).study if key else STUDY
    app = opened(study, None if key else SHARED, tab="alternatives")
    who, whose = ("Target", "the target's") if key else ("Each", "each site's")
    own = words.number(study.target.n) if key else "58 to 12,400"
    against = shown(app)[f"{who} alone, in house"]
    assert f"({whose} own records, in house, without noise) at **{against}**" in everything(app)
    rows = rivals(study, strictest(study), alike=not key, lens=Lens(risk="classification"))
    worth = [x.effective_n for row in rows if row.kind == "study" for x in row.mechanism]
    this = words.between(min(worth), max(worth))
    title = words.md(f"Doing nothing is worth {own} records, this study {this}")
    assert f"**{title}**" in everything(app)


@pytest.mark.parametrize(("page", "label"), [("fit", "For whose"), ("study", "Whose patients")])
@pytest.mark.parametrize(("left", "answer"), [("one", "one"), ("unknown", None)])
def test_whoever_is_no_longer_alike_says_which_site_it_is(page, label, left, answer):
    app = opened(STUDY, SHARED, page)
    if page == "study":
        driver.asked_chip(app, "target")
    for now in (left, "shared", left):  # the way back needs no site
        assert not [s for s in app.selectbox if s.label == "Which site?"] or now != left
        choice(app, label).set_value(now).run()
        asks = "which site it is" in told(app.run())
        assert (choice(app, label).value, asks) == (now, now == left)
        assert linked(app)[1].answer("target") == "shared"  # nothing is taken silently
    assert "patients of Saarland" not in everything(app)
    choice(app, "Which site?").set_value("1").run()
    assert "which site it is" not in told(app.run())
    study, scope = linked(app)
    assert (study.target.name, (scope or Scope()).answer("target")) == ("Bremen", answer)
    assert sorted(s.name for s in study.servers) == sorted(SIZES)
    if page == "fit":
        assert "patients of Bremen" in paragraph(app)


def test_what_does_not_go_together_goes_with_its_cause():
    scope = Scope(answers=(("outcome", "binary"), ("covariates", "few")))
    app = opened(STUDY, scope, "study")
    driver.asked(app, "outcome").select("continuous").run()
    for page in ("study", "fit"):
        driver.at(app, page).run()
        (text,) = [w.value for w in app.warning if "go together" in w.value]
        assert "two to five covariates" in text
    choice(app, "From how many").set_value("one").run()
    assert "go together" not in told(app)
