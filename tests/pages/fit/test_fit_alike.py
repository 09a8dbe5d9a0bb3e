"""The fit page where all sites are alike, and the way from there to one site."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.fit import words as fit_words
from rates.decision import decide, sentences
from rates.study import theory_for
from rates.study.presets import preset
from rates.study.scenario import Server, TransferStudy
from rates.study.scope import Scope
from tests.pages import driver
from tests.pages.driver import choice, everything, told
from tests.pages.fit.test_fit import linked, opened, paragraph
from tests.pages.fit.test_fit_rivals import shown

SIZES = {"Saarland": 58, "Bremen": 240, "Umbria": 12_400}
ROWS = [Server(name=name, n=n, epsilon=1, delta=1e-7) for name, n in SIZES.items()]
STUDY = TransferStudy(target=ROWS[0], sources=ROWS[1:], smoothness=0.5, dimension=2, margin=1)
SHARED = Scope(answers=(("target", "shared"),), signal=(("Bremen", (0.5, 2.0)),))
WHOSE = "For whose patients"
PLACES = [("fit", WHOSE), ("study", "Whose patients")]


def shows(app: AppTest) -> str:
    """All that the page says, with what its fields and tables say."""
    fields = [x.label for x in (*app.selectbox, *app.text_input, *app.toggle)]
    return " ".join([everything(app), *fields, *(d.value.to_string() for d in app.dataframe)])


def test_sites_alike_have_neither_a_target_nor_a_gamma():
    text, other = shows(opened(STUDY, SHARED)), shows(opened(STUDY))
    for name in ("patients of Saarland", "Target alone", "How sharply", "signal exponents of"):
        assert name not in text, name
        assert name in other, name  # where one site is meant
    assert "all sites being alike" in text


@pytest.mark.parametrize("key", ["", "regional", "hospitals"])
def test_doing_nothing_is_worth_the_own_records(key):
    study = preset(key).study if key else STUDY
    app = opened(study, None if key else SHARED)
    design = "Target alone, in house" if key else "Each alone, in house"
    own = words.number(study.target.n) if key else "58 to 12,400"
    assert shown(app, "Worth, mechanism")[design] == own
    whose = "the target's own records" if key else "each site's own records"
    against = shown(app)[design]
    assert f"({whose}, in house, without noise) at **{against}**" in everything(app)
    assert f"in house and without noise, it has {own} records" in paragraph(app)
    this = shown(app, "Worth, mechanism")["This study"]
    title = words.md(f"Doing nothing is worth {own} records, this study {this}")
    assert f"**{title}**" in everything(app)
    assert f"are worth {this} unprotected records" in paragraph(app)


def test_to_call_all_sites_alike_takes_their_gammas_away():
    rows = [replace(s, signal_exponent=0.8) for s in STUDY.sources]
    app = opened(replace(STUDY, sources=rows))
    choice(app, WHOSE).set_value("shared").run()
    study, scope = linked(app)
    assert scope.answer("target") == "shared"
    assert {s.signal_exponent for s in study.servers} == {1.0}
    assert not any("go together" in w.value for w in app.warning)


@pytest.mark.parametrize(("page", "label"), PLACES)
@pytest.mark.parametrize(("left", "answer"), [("one", "one"), ("unknown", None)])
def test_whoever_is_no_longer_alike_says_which_site_it_is(page, label, left, answer):
    app = opened(STUDY, SHARED, page)
    for now in (left, "shared", left):  # the way back needs no site
        assert not [s for s in app.selectbox if s.label == "Which site?"] or now != left
        choice(app, label).set_value(now).run()
        app.run()
        assert choice(app, label).value == now
        assert ("which site it is" in told(app)) == (now == left)
        assert linked(app)[1].answer("target") == "shared"  # nothing is taken silently
    if page == "fit":
        assert "patients of Saarland" not in shows(app)
    choice(app, "Which site?").set_value("1").run()
    app.run()
    study, scope = linked(app)
    assert (study.target.name, (scope or Scope()).answer("target")) == ("Bremen", answer)
    assert sorted(s.name for s in study.servers) == sorted(SIZES)
    assert "which site it is" not in told(app)
    if page == "fit":
        assert "patients of Bremen" in paragraph(app)


def test_what_does_not_go_together_goes_with_its_cause():
    scope = Scope(answers=(("outcome", "binary"), ("covariates", "few")))
    app = opened(STUDY, scope, "study")
    app.selectbox(key="asked_outcome").select("continuous").run()
    for page in ("study", "fit"):
        driver.at(app, page).run()
        (text,) = [w.value for w in app.warning if "go together" in w.value]
        assert "two to five covariates" in text
    choice(app, "From how many").set_value("one").run()
    assert "go together" not in told(app)


def test_nothing_is_held_against_a_table_that_is_being_typed():
    app = opened(STUDY, Scope(answers=(("outcome", "binary"),)), "study")
    held = app.session_state["draft"]
    rows = ({**held.rows[0], "n": "many"},)
    app.session_state["draft"] = replace(held, kind="federated", rows=rows)
    app.session_state["version"] += 1
    app.selectbox(key="asked_outcome").select("continuous").run()
    assert "go together" not in told(app)
    driver.at(app, "fit").run()
    assert "last complete study" in told(app)
    assert "go together" not in told(app)


@pytest.mark.parametrize("study", [STUDY, preset("hospitals").study, preset("unequal").study])
def test_five_sentences_say_what_is_open_and_give_the_decision_its_own(study):
    decided = decide(study)
    (run,) = [x.text for x in sentences(decided) if x.key == "run"]
    full = {"outcome": "binary", "covariates": "few", "target": "one", "same_side": "yes"}
    full |= {"prevalence": "same", "records": "one", "overlap": "no", "estimand": "no"}
    full |= {"protection": "sites"}
    for given in ({"records": "one"}, *([full] if study is STUDY else [])):
        scope = Scope(answers=tuple(given.items()))
        found = theory_for(study, scope)
        text = fit_words.protocol(found, scope, study, decided)
        assert f" The decision: {run} " in text
        count = len(found.unknown)
        assert (f"{count} questions are open" in text) == (count > 1)
    text = fit_words.protocol(theory_for(STUDY, SHARED), SHARED, STUDY, decide(STUDY))
    assert "patients of Saarland" not in text
