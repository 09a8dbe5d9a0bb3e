"""What comes new is a file or an entry where the README says so, in a copy of the house.

`seventh_paper` holds a toy paper: a rate with its threshold, a statement with its test, an
experiment, a view, a row in "Does it apply?" and a lesson; each takes a file or a folder in each
top folder, and an entry in each catalogue. `toy_page.py` is a page with one slider and a figure,
`toy_lever.py` a lever as one record.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.house.tree import ROOT

HERE = Path(__file__).resolve().parent
TOY = HERE / "seventh_paper"
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
STATEMENT = """
[[section.entry]]
id = "KS:Toy:half"
place = "A toy"
title = "Half of the noise"
quote = "half of the noise is left"
says = "Twice the budget leaves half of the scale."
claim = '''
for  a in [0.1, 10] log
then 1/(2*a) = 0.5/a
'''
why = "The scale is one over the budget."
"""
THEORY = """    Theory(key="TOY", title="a mean", needs={"outcome": ("continuous",), **_SINGLE}),
"""
# Where each is entered: what stands before the entry, and the entry.
CATALOGUES = {
    "app.py": [
        ('"columns": "Split columns",\n', '        "toy": "A mean",\n'),
        ("DOORS = {\n", '    "Twice": {"twice": "Twice"},\n'),
    ],
    "rates/ledger/ks.toml": [("", STATEMENT)],
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
SHORT = """
import json
from pathlib import Path
from rates.__main__ import main
from rates.presets import preset
from rates.study import Scope
from rates.theories import theories
from rates.toy import mean_error, threshold
from sims.engine import Request, run
from sims.experiments import find
from sims.lessons import question, truth

*_, last = run(Request(experiment=find("toy-mean"), replicates=2000))
assert main(["check", "KS:Toy:half"]) == 3  # nothing is stored yet
assert main(["check", "KS:Toy:half", "--write"]) == 0
file, spoiled = Path("rates/ledger/certificates.json"), "ACC:Cor3.2:eps21"
whole = file.read_text("utf-8")
before, own, rest = whole.partition('{"id": "' + spoiled)
file.write_text(before + own + rest.replace('"sides": [[["0.2', '"sides": [[["0.3', 1), "utf-8")
assert file.read_text("utf-8") != whole
assert main(["check", spoiled, "--write"]) == 0
assert file.read_text("utf-8") == whole  # made anew; the others, which hold, are as they were
print(json.dumps({
    "rate": mean_error(1000, 1),
    "free": threshold(10_000),
    "runs": [e.interval() for e in last.estimates],
    "row": theories(preset("unequal").study, Scope())[0].cells[-1].reason,
    "lesson": [truth(question(name)).low for name in ("toy", "toy-transfer")],
}))
"""
PAGES = """
import json
from pathlib import Path
from tests.pages import driver
from pages.core import document
from pages.twice import SECTION, Toy
from rates.__main__ import main
from rates.ledger import check, entry

for name in ("TOY:Sec1:noise", "KS:Toy:half"):
    assert main(["check", name, "--write"]) == 0


def shown(page, **query):
    app = driver.open_page(page, Path.cwd(), **query)
    return " ".join(str(e.value) for e in [*app.markdown, *app.subheader, *app.header])


app = driver.open_page("twice", Path.cwd(), toy="epsilon:2")
before = app.markdown[0].value
app.select_slider[0].set_value(1.0).run()
print(json.dumps({
    "verdict": check(entry("TOY:Sec1:noise"))[0].words,
    "view": shown("toy"),
    "taught": shown("lessons", lesson="toy"),
    "fit": shown("fit"),
    "about": shown("about", term="TOY"),
    "ledger": shown("statements", id="TOY:Sec1:noise"),
    "twice": [before, *(one.value for one in app.markdown)],
    "drawn": [len(app.get("plotly_chart")), len(app.exception), "toy" in app.query_params],
    "report": document("Report", (), [SECTION.chapter(Toy(epsilon=4.0))]),
}))
"""
LEVER = """
import json
from dataclasses import replace

from rates import maps, plan, split
from rates.decision import decide, sentences
from rates.plan import LEVERS
from rates.study import codec, preset
from tests.house.toy_lever import TOY

LEVERS[TOY.name] = TOY  # the entry; all pages are loaded with it

from pages.plan.offers import read
from pages.plan.state import PLAN, TAB, View
from tests.pages.driver import choice, everything, grid, open_page

study = preset("hospitals").study
site = study.servers[1].name
link = codec.to_link(study)
(offer,) = read(f"offer,name,price,most\\nvisits,{site},5,9", study).priced
decision = decide(study)
moved = [str(one) for one in maps.choices(study)]
axes = [maps.around(study, maps.Moved.of(x)) for x in ("visits_all", "visits_2")]
areas = [maps.study_map(study, *axes, lens).areas for lens in (plan.lenses(study)[0::2])]

view = View(goal="need", needed=5000.0, lever=TOY.name, site=site, divided=TOY.unit)
lever = open_page("plan", study=link, **PLAN.link(view), **TAB.link("levers"))
curve = open_page("plan", study=link, **PLAN.link(replace(view, site="all")), **TAB.link("levers"))
divided = open_page("plan", study=link, **PLAN.link(view), **TAB.link("split"))
own = open_page("phases", study=link, own="x:visits_all;y:visits_2")
print(json.dumps({
    "levers": sorted({x.site for x in plan.levers(study, 0.9).levers if x.lever == TOY.name}),
    "offers": plan.cheapest(study, [offer], fraction=0.995).purchases[0].what,
    "split": split.split(study, TOY.unit, 8.0).total,
    "sweeps": plan.lever_curve(study, TOY.name, "all", [1.0, 2.0]).equation.round(1).tolist(),
    "ranges": [x for x in decision.ranges if x[0] == TOY.name],
    "turns": sentences(decision)[-1].text,
    "map": [x for x in moved if x.startswith(TOY.name)],
    "areas": [sum(x.values()) for x in areas],
    "page": [choice(lever, "Which lever?").value, everything(lever)],
    "table": [x for x in grid(lever, "Lever", "Where")["Lever"] if x == TOY.title],
    "all": choice(curve, "Where?").value,
    "divided": [choice(divided, "A total of").value, everything(divided)],
    "own": [choice(own, x).value for x in ("From left", "From bottom")],
    "answer": everything(own),
}))
"""


def built(folder: Path) -> Path:
    """Make a copy of the house with the toys in it."""
    for name in ("rates", "sims", "pages", ".streamlit"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "app.py", folder)
    shutil.copy(HERE / "toy_page.py", folder / "pages" / "twice.py")
    for path in TOY.rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            place = folder / path.relative_to(TOY)
            assert not place.exists()
            place.parent.mkdir(exist_ok=True)
            shutil.copy(path, place)
    for name, entries in CATALOGUES.items():
        text = (folder / name).read_text("utf-8")
        for before, entry in entries:
            assert not before or text.count(before) == 1, (name, before)
            text = text.replace(before, before + entry) if before else text + entry
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("house"))


def said(house: Path, script: str) -> tuple[Any, str]:
    """Run a script in a copy, which comes before the house itself; return what it says at last."""
    told = {**os.environ, "PYTHONPATH": f"{house}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, cwd=house, check=False, env=told)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stdout


def test_each_is_an_entry_and_then_wherever_its_like_are(house: Path) -> None:
    found, told = said(house, SHORT)
    assert found["rate"] == pytest.approx(0.000252)
    assert found["free"] == pytest.approx(0.01)  # the root of 1/n, by the language of rates
    low, high = found["runs"][1]
    assert low < found["rate"] < high
    assert found["row"] == "Every record makes the mean better."
    assert found["lesson"] == [[pytest.approx(0.0027 / 0.0025)], [1.0, 0.0]]
    assert "survives draws" in told
    assert told.index("`--write` stores it") < told.index("are those that are stored")


@pytest.mark.deep
def test_a_paper_and_a_page_are_seen(house: Path) -> None:
    found, _ = said(house, PAGES)
    assert found["verdict"] == "argued in prose"
    assert "At n = 1,000 the mean errs by **2.52e-4**." in found["view"]
    assert "100 fair coins" in found["taught"]
    assert "TOY" in found["fit"]
    assert "A Private Mean" in found["about"]
    assert "The price of a private mean" in found["ledger"]
    before, *after = found["twice"]
    assert ("At 2 it begins." in before, "At 1 it begins." in after) == (True, True)
    assert found["drawn"] == [1, 0, False]
    assert "At 4 it begins." in found["report"]
    assert "<svg" in found["report"]


@pytest.mark.deep
def test_a_lever_is_one_record() -> None:
    found, _ = said(ROOT, LEVER)
    assert len(found["levers"]) == 4
    assert (found["offers"], found["split"]) == ("visits", 8.0)
    today, twice = found["sweeps"]
    assert twice > today > 0
    assert found["ranges"] == [["visits", 0.1, 10.0]]
    assert "times the visits of every record" in found["turns"]
    assert found["map"] == ["visits_all", "visits_1", "visits_2", "visits_3", "visits_4"]
    assert max(abs(whole - 1.0) for whole in found["areas"]) < 1e-9
    lever, text = found["page"]
    assert (lever, found["all"]) == ("visits", "all")
    assert "with any number of visits" in text
    assert found["table"]
    total, text = found["divided"]
    assert total == "visits"
    assert "A total of v 8" in text
    assert found["own"] == ["visits_all", "visits_2"]
    assert "*the visits of every record*" in found["answer"]
    assert "*Visits per record of Cleveland*" in found["answer"]
