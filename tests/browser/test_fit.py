"""A planner's journey on the fit page, in a real browser."""

from __future__ import annotations

import json
import re
import urllib.parse
from dataclasses import replace

import pytest

from pages.charts import words
from pages.fit import page as fit_page
from rates.fit.extremes import envelope
from rates.study import codec
from rates.study.presets import preset
from rates.study.scope import Scope
from sims.calibration.calibration import risk_of, sample_size
from sims.calibration.worlds import calibrate, worlds_for
from tests.browser import helpers
from tests.browser.helpers import example, go, no_violation, read_rows, use_rows
from tests.browser.test_pages import check_axe
from tests.browser.test_study import TABLE, six_sites
from tests.rates.fit.test_elicit import pilot_text

ANSWERS = [
    ("What is predicted for a person?", "Yes or no"),
    ("From how many measurements per person?", "Two to five"),
    ("For whose patients is the answer?", "Those of one site"),
    ("Is a patient who is above 50% risk", "Yes"),
    ("How common is the outcome at the sites?", "About equally common"),
    ("How many records or visits", "One"),
    ("Can the same person be at two sites?", "No"),
    ("Is the answer a time to an event", "Neither"),
    ("Who protects the records?", "Every site its own"),
]


def choose(visitor, label: str, option: str) -> None:
    """Choose an answer in a list."""
    box = visitor.page.get_by_role("combobox", name=label)
    box.scroll_into_view_if_needed()
    box.click()
    visitor.page.get_by_role("option", name=option, exact=True).click()
    visitor.settle()


def turn(visitor, tab: str) -> None:
    """Open a tab."""
    helpers.choose(tab)(visitor)
    visitor.settle()


def opened(visitor):
    """Study and scope in the address."""
    query = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)
    return codec.open_link(query["study"][0])


def shown_cost(study, scope: Scope) -> str:
    found = envelope(study, scope, "classification").mechanism.cost
    return words.span(words.number(found.low), words.number(found.high))


SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Words a planner need not know, and how the page explains each; all of one journey.
TERMS = {
    "covariate": "A covariate is one measurement per person",
    "smoothness β": "a tenth of a covariate's range moves the risk by 10 points",
    "margin α": "patients may crowd at 50% risk",
    "signal γ": "where the target's risk is 60%, the site shows 60% too",
    "Sample kept": "what the records are worth, as a fraction of their worth without privacy",
    "rate": "The rate says how the error falls with records and budgets",
    "named mechanism": "The named mechanism is one concrete procedure",
    "world": "A world is a made-up truth in which everything is known",
    "misclassification error": "above the best possible",
    "edge": "The edge is the most by which such an attacker does better than guessing",
    "ε": "no event about the site's release changes its odds by more than a factor",
    "δ": "except on a scale of probability δ",
    "Neighbours": "two data sets of the same size that differ in one record",
    "curator": "who holds records that are not protected from it",
}
# Words of the trade that have no place on this page.
UNEXPLAINED = (
    "minimax", "Hölder", "Besov", "Lepski", "lattice", "saturat", "RKHS", "estimand", "sup-norm",
    "asymptotic", "elbow", "kernel", "Monte", "log-log", "cusp", "nan", "None", "{", "polylog",
)  # fmt: skip


def check_words(visitor) -> None:
    """Every hard word of the tabs is explained in them, and no other hard word stands there."""
    text = ""
    for tab in fit_page.TAB.titles.values():
        turn(visitor, tab)
        text += visitor.text()
        check_axe(visitor)
        assert visitor.page.evaluate(SIDEWAYS) <= 0
    for word, meaning in TERMS.items():
        assert word in text, word
        assert meaning in text, word
    shown = re.sub(r"None of|None: rates only|\bNone\b(?= of these)", "", text)
    for word in UNEXPLAINED:
        assert word not in shown, word


def calibrate_here(visitor, study) -> None:
    """Fit a constant on a world, use it, and ask for a sample size."""
    world = replace(study, smoothness=1.0, margin=1.0)
    found = calibrate(world, worlds_for(world)["cusp 1"])
    told = risk_of(found, world)
    choose(visitor, "World", "Risk crosses 50% along a line, β = 1, α = 1")
    visitor.expect("28 of 28 settings are in the fit", "No absolute risk yet")
    visitor.page.get_by_role("button", name="Use this constant").click()
    visitor.settle()
    shown = (f"{words.number(100 * x)}%" for x in (told.value, told.low, told.high))
    value, low, high = shown
    interval = f"is about {value} (95% interval {words.span(low, high)}) in this world"
    visitor.expect(interval)
    goal = visitor.page.get_by_label("Error aimed at, per cent")
    goal.fill("0.5")
    goal.press("Enter")
    visitor.settle()
    needed = sample_size(found, world, 0.005)
    visitor.expect(f"{words.number(needed.value)} times the records at every site")
    turn(visitor, "Paragraph")
    visitor.expect(interval)


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), pytest.param(420, "dark", marks=pytest.mark.slow)]
)
def test_a_planner_s_journey_from_the_first_question_to_the_paragraph(
    server, visit, width, scheme, tmp_path
):
    study = six_sites()
    visitor = visit(server, width=width, scheme=scheme)
    visitor.open(example("hospitals", "fit"))
    visitor.expect("None of these theories covers this study", "36% at one site and 93%")
    read_rows(visitor, TABLE)
    use_rows(visitor)
    visitor.expect("as far as answered", "8 questions are open", "? 8 open")
    for label, option in ANSWERS:
        choose(visitor, label, option)
    visitor.expect("Within the classification theory", "✓ covered")
    turn(visitor, "What I do not know")
    visitor.expect("moves the rate most: by a factor", shown_cost(study, Scope()))
    turn(visitor, "Alternatives")
    visitor.expect("doing nothing", "No absolute risk yet")
    calibrate_here(visitor, study)
    study = replace(study, smoothness=1.0, margin=1.0)  # of the world that was chosen
    visitor.becomes(lambda: opened(visitor)[0], study)
    visitor.becomes(lambda: len(opened(visitor)[1].answers), len(ANSWERS))
    scope = opened(visitor)[1]
    turn(visitor, "Paragraph")
    visitor.expect(
        "We plan to learn a yes-or-no prediction from 2 covariates for the patients of Aarhus",
        "from 6 sites with 5,440 records in all",
        "By the answers given, the study lies within",
        "no sample size and no absolute risk follows",
        "Whether our patients are like it cannot be told from it.",
    )
    check_words(visitor)
    file = helpers.saved(visitor, "Study as JSON", tmp_path / "study.json")
    assert codec.open_json(file.read_bytes()) == (study, scope)
    assert json.loads(file.read_text())["scope"]["answers"]["outcome"] == "binary"
    visitor.check()


def test_answers_survive_back_reload_and_other_pages(server, visit):
    visitor = visit(server)
    visitor.open(f"/fit?study={codec.to_link(six_sites())}")
    visitor.expect("No question has been answered yet")
    choose(visitor, "Is the answer a time to an event", "A treatment effect")
    visitor.expect("No theorem here bounds that error")
    choose(visitor, "Can the same person be at two sites?", "Yes")
    visitor.expect("the two budgets add up")
    visitor.page.go_back()
    visitor.settle()
    visitor.becomes(lambda: opened(visitor)[1].answers, (("estimand", "effect"),))
    visitor.expect("No theorem here bounds that error")
    visitor.becomes(lambda: "the two budgets add up" in visitor.text(), False)
    visitor.page.reload()
    visitor.settle()
    visitor.expect("No theorem here bounds that error")
    go(visitor, "Study")
    visitor.expect("Scope: outside every theory here", "an outcome that is seen for every record")
    visitor.becomes(lambda: opened(visitor)[1].answers, (("estimand", "effect"),))
    go(visitor, "Fit")
    visitor.expect("No theorem here bounds that error")
    visitor.check()


def test_ranges_are_typed_refused_and_kept(server, visit):
    study = six_sites()
    visitor = visit(server)
    visitor.open(f"/fit?tab=unknown&study={codec.to_link(study)}")
    visitor.expect(shown_cost(study, Scope()))
    choose(visitor, "How rare are patients near 50% risk?", "Between two values")
    box = visitor.page.get_by_label("Highest value")
    box.fill("1")
    box.press("Enter")
    visitor.settle()
    visitor.expect(shown_cost(study, Scope(margin=(0, 1))))
    box.fill("-1")
    box.press("Enter")
    visitor.settle()
    visitor.expect("upside down", "Nothing was changed", shown_cost(study, Scope(margin=(0, 1))))
    visitor.becomes(lambda: opened(visitor), (study, Scope(margin=(0, 1))))
    choose(visitor, "How smoothly does the risk change?", "From how fast the risk changes")
    for label, text in (("At least, points", "10"), ("Or up to, points", "30")):
        visitor.page.get_by_label(label).fill(text)
        visitor.page.get_by_label(label).press("Enter")
        visitor.settle()
    visitor.expect("Taken over: 0.5229 to 1")
    check_axe(visitor)
    visitor.check()


def test_a_pilot_is_read_marked_and_a_poor_one_refused(server, visit):
    visitor = visit(server)
    visitor.open(f"/fit?tab=unknown&study={codec.to_link(six_sites())}")
    visitor.page.locator("summary").filter(has_text="Or fit smoothness").click()
    visitor.settle()
    for text, expected in (
        (pilot_text(20), "50 to 10,000 records"),
        (pilot_text(200), "records, the outcome in"),
    ):
        visitor.page.locator("input[type=file]").first.set_input_files(
            {"name": "pilot.csv", "mimeType": "text/csv", "buffer": text.encode()}
        )
        visitor.settle()
        visitor.expect(expected)
    # The upload field names its own drop zone, which is the framework's to repair.
    no_violation(visitor.page, without="[data-testid=stFileUploaderDropzone]")
    visitor.page.get_by_role("button", name="Use these ranges").click()
    visitor.settle()
    visitor.becomes(lambda: opened(visitor)[1].smoothness is None, False)
    visitor.check()


def test_folds_and_the_curve_s_two_errors_are_accessible(server, visit):
    visitor = visit(server, width=420)
    visitor.open(f"/fit?tab=unknown&study={codec.to_link(preset('unequal').study)}")
    visitor.expect("How much privacy raises the squared error over the whole curve")
    visitor.page.get_by_text("At one point", exact=True).click()
    visitor.settle()
    visitor.expect("How much privacy raises the squared error at one point")
    for fold in ("How the ends were found", "What this does not say"):
        visitor.page.locator("summary").filter(has_text=fold).first.click()
        visitor.settle()
    check_axe(visitor)
    visitor.check()
