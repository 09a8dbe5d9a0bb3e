"""A statement, a lesson and an experiment are one entry each, in a copy of the house.

They are written as the README says to add them.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.house.copies import copied, enter, said

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
LESSON = """
[toy]
title = "Is noise free?"
minutes = 1
misconception = "Many think so."
read = "A toy."
ask = "Is noise free?"
parts = ["Yes", "No"]
explain = "It costs {cost} records."
page = "study"

[toy.transfer]
ask = "Is twice the noise free?"
parts = ["Yes", "No"]
explain = "It costs {cost} records."
"""
EXPERIMENT = """
from dataclasses import replace

TOY = replace(ks.PARITY, name="toy-parity", replicates=3)
"""
ADDED = {  # files, and in each what stands before what is added
    "rates/ledger/ks.toml": [("", STATEMENT)],
    "sims/lessons/lessons.toml": [("", LESSON)],
    "sims/lessons/truths.py": [
        (
            '"noise-transfer": nominal,\n',
            '    "toy": lambda asked: chosen(asked, 1, "a toy", cost=4.0),\n'
            '    "toy-transfer": lambda asked: chosen(asked, 1, "a toy", cost=8.0),\n',
        )
    ],
    "sims/experiments.py": [
        ("import Experiment\n", EXPERIMENT),
        ("    real.REAL,\n", "    TOY,\n"),
    ],
}
VISIT = """
import json
from rates.ledger import check, entry
from sims.experiments import find
from sims.engine import Request, run
from sims.lessons import LESSONS, truth

lesson = LESSONS["toy"]
*_, last = run(Request(experiment=find("toy-parity"), replicates=2))
print(json.dumps({
    "statement": [one.words for one in check(entry("KS:Toy:half"))],
    "lesson": [truth(q).low for q in (lesson.question, lesson.transfer)],
    "experiment": len(last.estimates),
}))
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the house with the toys in it."""
    folder = copied(tmp_path_factory.mktemp("house"), "rates", "sims")
    enter(folder, ADDED)
    return folder


def test_each_is_an_entry_and_then_wherever_its_like_are(house: Path):
    done = said(house, "-c", VISIT)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert "survives draws" in found["statement"], found
    assert found["lesson"] == [[0.0, 1.0], [0.0, 1.0]]
    assert found["experiment"] > 0


def test_a_statement_is_checked_by_its_command(house: Path):
    done = said(house, "-m", "rates", "check", "KS:Toy:half")
    assert (done.returncode, "survives draws" in done.stdout) == (3, True), done.stderr
    assert "stored" in done.stdout  # nothing is yet: --write stores it
