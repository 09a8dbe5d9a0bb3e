"""A sixth paper takes a folder in each top folder and an entry in each catalogue; nothing else.

`sixth_paper` holds a toy: one rate with its entry and test, one experiment, one tab.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.house.rules import RULES
from tests.house.tree import ROOT, Tree

TOY = Path(__file__).resolve().parent / "sixth_paper"
# Where a paper is entered: what stands before the entry, and the entry.
CATALOGUES = {
    "rates/ledger/texts.py": [('"BCMM", "DPLR"', ', "TOY"')],
    "sims/experiments.py": [
        ("dplr, ks", ", toy"),
        ("    ks.PRIVATE_PARITY,\n", "    toy.MEAN,\n"),
    ],
    "pages/regression/page.py": [
        ("import estimate, rate, rules, world\n", "from pages import toy\n"),
        ("TAB, rules.STUDY_TAB", ", toy.TAB"),
    ],
}
VISIT = """
import json
from pathlib import Path
from tests.pages import driver
from rates.__main__ import main
from rates.ledger import check, entry
from rates.toy import mean_error
from sims.experiments import find
from sims.engine import Request, run

assert main(["check", "--all", "--write"]) == 0
*_, last = run(Request(experiment=find("toy-mean"), replicates=2000))


def shown(page, **query):
    app = driver.open_page(page, Path.cwd(), **query)
    return " ".join(str(e.value) for e in [*app.markdown, *app.subheader, *app.header])


print(json.dumps({
    "rate": mean_error(1000, 1),
    "runs": [e.interval() for e in last.estimates],
    "verdict": check(entry("TOY:Sec1:noise"))[0].words,
    "tab": shown("regression", tab="mean"),
    "ledger": shown("statements", id="TOY:Sec1:noise"),
    "first": shown("regression"),
}))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory) -> Path:
    """A copy of the house with the toy in it."""
    folder = tmp_path_factory.mktemp("house")
    for name in ("rates", "sims", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "app.py", folder)
    for path in TOY.rglob("*.*"):
        if path.suffix in (".py", ".toml"):
            place = folder / path.relative_to(TOY)
            assert not place.exists()
            place.parent.mkdir(exist_ok=True)
            shutil.copy(path, place)
    for name, entries in CATALOGUES.items():
        text = (folder / name).read_text("utf-8")
        for before, entry in entries:
            assert text.count(before) == 1, (name, before)
            text = text.replace(before, before + entry)
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.mark.deep
def test_it_has_its_rate_its_run_its_tab_and_its_verdict(house: Path):
    (house / "visit.py").write_text(VISIT)
    done = subprocess.run(
        [sys.executable, "visit.py"],
        capture_output=True,
        text=True,
        cwd=house,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # for the tests' driver; the house comes first
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found["rate"] == pytest.approx(0.000252)
    low, high = found["runs"][1]
    assert low < found["rate"] < high
    assert found["verdict"] == "argued in prose"
    assert "At n = 1,000 the mean errs by **2.52e-4**." in found["tab"]
    assert "The price of a private mean" in found["ledger"]
    assert "mean errs" not in found["first"]


def test_the_rules_of_the_house_hold_with_it(house: Path):
    tree = Tree(house)
    assert tree.by_name["sims.toy.mean"].room == "sims.toy"
    for rule in RULES:
        places = [breach for breach in rule(tree) if "toy" in str(breach)]
        assert not places, rule.__doc__
