"""A seventh paper takes a file or a folder in each top folder, and an entry in each catalogue.

`seventh_paper` holds a toy: a rate with its threshold, a statement with its test, an experiment, a
view, a row in "Does it apply?" and a lesson.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.house.copies import copied, enter, said
from tests.house.rules import RULES
from tests.house.tree import Tree

TOY = Path(__file__).resolve().parent / "seventh_paper"
PAPER = """
[[paper]]
key = "TOY"
authors = ["A. Nobody"]
title = "A Private Mean"
venue = "Nowhere"
year = 2026
text = "All of it."
subject = "What a private mean costs."
page = "toy"
"""
LESSON = """
[toy]
title = "What does one mean cost?"
minutes = 5
misconception = "Many think that it costs nothing."
read = "100 fair coins, and their mean at ε = 1."
ask = "How many times larger is its error with privacy?"
parts = ["Error with privacy over error without"]
explain = "**{ratio}** times."
page = "toy"

[toy.transfer]
ask = "Does the rate call ε = 1 free?"
parts = ["Yes", "No"]
explain = "It bends at **{bend}**."
"""
THEORY = """    Theory(key="TOY", title="a mean", needs={"outcome": ("continuous",), **_SINGLE}),
"""
# Where a paper is entered: what stands before the entry, and the entry.
CATALOGUES = {
    "app.py": [('"columns": "Split columns",\n', '        "toy": "A mean",\n')],
    "rates/ledger/texts.py": [('"DPLR", "CAC"', ', "TOY"')],
    "rates/ledger/papers.toml": [('page = "columns"\n', PAPER)],
    "rates/study/scope_rules.py": [('told=("overlap",),\n    ),\n', THEORY)],
    "rates/theories/table.py": [
        ("Said, acc, bcmm, cac, ccv, dplr, ks\n", "from rates.theories.toy import toy\n"),
        ('"CAC": cac,\n', '    "TOY": toy,\n'),
    ],
    "pages/fit/page.py": [('("columns", "Split columns"),\n', '    "TOY": ("toy", "A mean"),\n')],
    "pages/current/state.py": [
        ('two sites [CAC]",\n', '    "TOY": "the theory of means [TOY]",\n')
    ],
    "sims/experiments.py": [("dplr, ks", ", toy"), ("    cac.SPLIT,\n", "    toy.MEAN,\n")],
    "sims/lessons/lessons.toml": [('noise comes in twice."""\n', LESSON)],
    "sims/lessons/catalogue.py": [
        ('decades(0, 4)), "times", log=True),\n', '    "toy": _number(_TIMES, log=True),\n')
    ],
    "sims/lessons/truths.py": [
        ("import catalogue, plain, ", "truths_toy, "),
        (
            '"columns-transfer": equal,\n',
            '    "toy": truths_toy.worse,\n    "toy-transfer": truths_toy.free,\n',
        ),
    ],
}
VISIT = """
import json
from pathlib import Path
from tests.pages import driver
from rates.__main__ import main
from rates.ledger import check, entry
from rates.presets import preset
from rates.study import Scope
from rates.theories import theories
from rates.toy import mean_error, threshold
from sims.experiments import find
from sims.engine import Request, run
from sims.lessons import question, truth

assert main(["check", "--all", "--write"]) == 0
*_, last = run(Request(experiment=find("toy-mean"), replicates=2000))


def shown(page, **query):
    app = driver.open_page(page, Path.cwd(), **query)
    return " ".join(str(e.value) for e in [*app.markdown, *app.subheader, *app.header])


print(json.dumps({
    "rate": mean_error(1000, 1),
    "free": threshold(10_000),
    "runs": [e.interval() for e in last.estimates],
    "verdict": check(entry("TOY:Sec1:noise"))[0].words,
    "row": theories(preset("unequal").study, Scope())[0].cells[-1].reason,
    "lesson": truth(question("toy")).low[0],
    "view": shown("toy"),
    "taught": shown("lessons", lesson="toy"),
    "fit": shown("fit"),
    "about": shown("about", term="TOY"),
    "ledger": shown("statements", id="TOY:Sec1:noise"),
}))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """A copy of the house with the toy in it."""
    whole = ("rates", "sims", "pages", ".streamlit", "app.py")
    folder = copied(tmp_path_factory.mktemp("house"), *whole)
    for path in TOY.rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            place = folder / path.relative_to(TOY)
            assert not place.exists()
            place.parent.mkdir(exist_ok=True)
            shutil.copy(path, place)
    enter(folder, CATALOGUES)
    return folder


@pytest.mark.deep
def test_it_has_its_rate_its_run_its_view_its_row_its_lesson_and_its_verdict(house: Path):
    (house / "visit.py").write_text(VISIT)
    done = said(house, "visit.py")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["rate"] == pytest.approx(0.000252)
    assert found["free"] == pytest.approx(0.01)  # the root of 1/n, by the language of rates
    low, high = found["runs"][1]
    assert low < found["rate"] < high
    assert found["verdict"] == "argued in prose"
    assert found["row"] == "Every record makes the mean better."
    assert found["lesson"] == pytest.approx(0.0027 / 0.0025)
    assert "At n = 1,000 the mean errs by **2.52e-4**." in found["view"]
    assert "100 fair coins" in found["taught"]
    assert "TOY" in found["fit"]
    assert "A Private Mean" in found["about"]
    assert "The price of a private mean" in found["ledger"]


def test_the_rules_of_the_house_hold_with_it(house: Path):
    tree = Tree(house)
    assert tree.by_name["sims.toy.mean"].room == "sims.toy"
    for rule in RULES:
        places = [breach for breach in rule(tree) if "toy" in str(breach)]
        assert not places, rule.__doc__
