"""The tab of the hospitals without a browser: files, the run and what repeats it, privacy."""

from __future__ import annotations

import csv
import math
import re
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.classification import hospitals as tab
from pages.core import Table
from sims.files import to_csv
from sims.paper_acc import COVARIATES, hospitals
from sims.paper_acc import grid as sim_grid
from sims.paper_acc.adaptive import SPLITS
from tests.pages.driver import enter, everything, grid, open_page, press, told


def record(k: int) -> str:
    disease = k % 2
    age, rate = 40 + k % 30, 120 + (7 * k) % 50
    return f"{age},{k % 2},{1 + k % 4},130,200,0,0,{rate},{(k // 2) % 2},{k % 3},1,0,3,{disease}"


def table(rows: int) -> bytes:
    return "\n".join(record(k) for k in range(rows)).encode()


def upload(*files: tuple[str, bytes], run: str = "replicates:4") -> AppTest:
    app = open_page("classification", tab="hospitals", run=run)
    app.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files]).run()
    assert not app.exception
    return app


def test_hospitals_runs_on_two_files_and_says_what_is_not_private():
    app = upload(("processed.hungarian.data", table(200)), ("other.csv", table(90)))
    assert "Not private end to end" in everything(press(app, "Run"))
    rows = grid(app, "Rows in the file")
    assert list(rows["Hospital"]) == ["hungarian (target)", "other"]
    claims = {*grid(app, "Claim")["This run"]}
    assert claims <= {"holds", "does not hold", "inside the noise"}
    interval = r"\d+\.\d %( \(95 %: \d+\.\d to \d+\.\d %\))?"
    assert all(re.fullmatch(interval, cell) for cell in grid(app, "Grid")["ε = 1"])
    enter(app, app.button_group(key="live_classification_hospitals_base_choice"), "e")
    assert "Earlier parameters" in everything(app)


@pytest.mark.parametrize(
    ("target", "other", "words_"),
    [
        (("a.data", table(60)), ("b.data", table(60)), "The test set must leave at least 10"),
        (("b.data", table(200)), ("b.csv", table(200)), "already there"),
        (("a.data", table(202)), ("b.data", table(90)), "records of the target: got 202"),
        (("good.data", table(200)), ("bad.data", b"\xff\xfe\x00"), "File of bad"),
    ],
)
def test_files_that_do_not_fit_are_refused_before_any_work(monkeypatch, target, other, words_):
    monkeypatch.setattr(hospitals, "MAX_TARGET", 201)
    app = upload(target, other)
    assert words_ in told(app)
    assert all(button.label != "Run" for button in app.button)


def test_the_shown_code_and_the_file_repeat_the_run(tmp_path, monkeypatch, capsys):
    files = {"processed.hungarian.data": table(200), "inf.b.csv": table(90)}
    app = upload(*files.items(), run="replicates:3;seed:4")
    press(app, "Run")
    shown = to_csv(app.session_state["live_runs"]["classification_hospitals"].run.progress)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    exec(next(c.value for c in app.code if "read_hospital" in c.value), {})
    assert capsys.readouterr().out == shown
    rows = list(csv.DictReader(line for line in shown.splitlines() if line[0] != "#"))
    assert len(rows) == 90
    parameters = next(line for line in shown.splitlines() if line.startswith("# parameters"))
    assert all(part in parameters for part in ('"sources": "inf b"', '"data": "sha256 '))


@pytest.mark.parametrize("split", SPLITS)
def test_the_budget_table_is_of_all_releases(split):
    app = upload(("a.data", table(200)), ("b.data", table(90)), run=f"split:{split};base:2")
    text = everything(app)
    assert "The grid has 2 bandwidths: 1, 0.5." in text
    assert SPLITS[split] in text
    (found,) = [t.value for t in app.dataframe if "Scaling, all hospitals" in t.value.to_string()]
    for epsilon in (1.0, 8.0):
        # Even labels: re-centred, both records far apart, the sensitivity is sqrt(1/2), below 1.
        # 50 of the 200 records are the target's for training.
        expected = [
            hospitals.effective_epsilon(epsilon, n**-2.0, 1.0, bandwidths=2, split=split)
            for n in (50, 90)
        ]
        column = list(found[f"ε = {epsilon:g}"])
        assert [float(x) for x in column[:2]] == pytest.approx(expected, rel=5e-3)
        assert column[2] == "infinite"


@pytest.mark.parametrize("centred", [True, False])
def test_the_budget_table_pays_for_re_centring_where_it_is_done(centred):
    y = (np.repeat([0, 1], [10, 90]), np.repeat([0, 1], [50, 50]))
    wards = hospitals.Wards(names=("a", "b"), x=(np.zeros((100, 13)),) * 2, y=y, test=0, notes=())
    read = [
        SimpleNamespace(name=name, prevalence=p, rows=100) for name, p in (("a", 0.9), ("b", 0.5))
    ]
    shown = tab.sites(read, wards, hospitals.Setting(centred=centred))
    column = [b for b in shown if isinstance(b, Table)][1].columns["ε = 1"]
    factors = (math.sqrt(2) * 0.9 if centred else 1.0, 1.0)  # 9 of 10 ill: by eq. (8) with Y - 0.9
    count = sim_grid(hospitals.servers(wards, 1.0), len(COVARIATES), base=2.0).size
    expected = [hospitals.effective_epsilon(1.0, 1e-4, f, bandwidths=count) for f in factors]
    assert [float(x) for x in column[:2]] == pytest.approx(expected, rel=5e-3)
