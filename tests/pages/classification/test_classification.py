"""The classification page without a browser: each tab, runs, links, bad input."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from pages.charts import simulation
from pages.classification import classifier, page
from pages.classification import hospitals as hospitals_tab
from pages.core import Note, Table
from pages.core import live as plans
from rates import DomainError, Server, TransferStudy
from rates.study import codec
from sims.acc import COVARIATES, FIGURE_4, KERNELS, PRICE, SPLITS, hospitals, sensitivity_inflation
from sims.acc import grid as sim_grid
from sims.engine import Request, Spent, check_values, run, start
from sims.files import to_csv
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.driver import enter, everything, open_page, press, run_through, told

USUAL = page.RATE_TAB.usual


def test_a_run_is_that_of_the_command_and_the_link():
    small = "n:10000,30000,100000;epsilon:inf,1;replicates:8"
    other = open_page("classification", tab="rate", run=f"{small};seed:3")
    app = open_page("classification", tab="rate", run=f"{small}0;seed:5;servers:sources;gamma:0.5")
    run_through(other)
    request = run_through(app)
    asked = (request.seed, request.values["gamma"], request.values["servers"])
    assert asked == (5, (0.5,), "sources")
    *_, last = run(request)
    lines = [line for line in to_csv(last).splitlines() if not line.startswith("#")]
    means = [float(row["mean"]) for row in csv.DictReader(lines)]
    assert [y for t in driver.drawing(app)["data"] if t.get("error_y") for y in t["y"]] == means
    for seed, one in ((3, other), (5, app)):  # two sessions have runs of their own
        assert f"seed {seed} finished" in everything(one)


def test_a_run_too_long_for_a_page_is_refused():
    long = open_page("classification", tab="rate", run="replicates:100000;n:10000,100000")
    assert "400,000" in told(press(long, "Run"))


@pytest.mark.parametrize("page", ["classification", "regression"])
def test_a_bad_list_is_refused_and_a_box_that_a_browser_never_drew_says_nothing(page: str):
    """In a fold that was never open it came back empty: "epsilon: got 0 of them"."""
    app = open_page(page, tab="rate", run="replicates:2;epsilon:1,2;n:3000")
    for typed, refused, kept in (("1, -2", True, "1,2"), ("2 1", False, "2,1"), ("", False, "2,1")):
        enter(app, driver.box(app, "epsilon, exact list"), typed)
        assert bool(told(app)) == refused
        assert f"epsilon:{kept}" in driver.query(app, "run")


def test_my_study_takes_the_study_s_own_rows_and_says_what_was_capped():
    rows = [
        Server(name="a", n=1000, epsilon=1, delta=1e-6),
        Server(name="![b](x)", n=10**15, epsilon=1e-13, count=10, signal_exponent=0.5),
    ]
    study = TransferStudy(target=rows[0], sources=(rows[1],), smoothness=0.5, dimension=2, margin=1)
    app = open_page("classification", tab="study", study=codec.to_link(study), run="replicates:4")
    text = everything(app)
    assert r"Cut to 1e15 records in all: !\[b\](x)" in text
    values = run_through(app).values
    assert "4 of 4 replicates" in everything(app)
    assert values["gamma"] == (1.0, 0.5)
    assert values["count"] == (1, 10)


def test_a_broken_promise_is_called_broken(monkeypatch):
    for broken in (True, False):
        found = SimpleNamespace(broken=broken, proved=3.0, epsilon=1.0, runs=300)
        monkeypatch.setattr(page, "bounds", lambda progress, one=found: (one,))
        text = page.attacker_answer(start(page.TAB.make(page.TAB.usual)))
        assert ("the promise is broken" in text) == broken
        assert "**3**" in text


@given(
    epsilon=st.lists(st.floats(0.01, 100) | st.just(math.inf), min_size=1, max_size=5),
    n=st.lists(st.integers(1, 10**12), min_size=1, max_size=5),
    servers=st.sampled_from(["target", "sources", "both"]),
    replicates=st.integers(2, 10**6),
    seed=st.integers(0, plans.MOST_SEED),
)
def test_a_plan_survives_its_link(epsilon, n, servers, replicates, seed):
    given = {**USUAL.values, "epsilon": epsilon, "n": n, "servers": servers}
    values = check_values(USUAL.settings, given)
    asked = replace(USUAL, values=values, replicates=replicates, seed=seed)
    assert plans.from_text(plans.to_text(asked, USUAL), USUAL) == asked


@given(text=st.text(max_size=60))
def test_any_text_is_a_plan_or_is_refused_in_words(text):
    try:
        found = plans.from_text(text, USUAL)
    except DomainError:
        return
    assert plans.from_text(plans.to_text(found, USUAL), USUAL) == found


# What is guaranteed ---------------------------------------------------------------------------


NOT_PRIVATE = [
    ("classifier", "", "mechanism:printed;epsilon:16"),
    ("classifier", "", "noise:independent"),
    ("rate", "n:1000;epsilon:1,16", "mechanism:printed"),
    ("study", "", "mechanism:printed;factor:1,64"),
    ("paper", "", "split:unsplit"),
    ("paper", "figure:5", "epsilon:16"),
    ("adaptive", "", "split:unsplit"),
]


@pytest.mark.parametrize(("tab", "asked", "change"), deep_after(4, NOT_PRIVATE))
def test_a_setting_that_is_not_private_is_warned_of_with_the_delta_that_holds(tab, asked, change):
    app = open_page("classification", tab=tab, run=asked)
    assert not app.warning
    assert "differentially private" in " ".join(c.value for c in app.caption)
    factor = f"**{sensitivity_inflation(KERNELS['triangular'], 0.5):.3g} times** as far"
    assert (factor in everything(app)) == (tab == "classifier")
    app = open_page("classification", tab=tab, run=f"{asked};{change}".strip(";"))
    said = "**not** (ε, δ)-private" if "independent" in change else "really"
    assert said in app.warning[0].value


def test_the_worst_broken_budget_is_the_one_named():
    spent = [Spent(epsilon=e, delta=1e-6, actual=a) for e, a in ((1, 1e-7), (9, 2e-6), (16, 9e-5))]
    kept, text = simulation.guaranteed(spent)
    assert "ε = 16, δ = 1e-6, and not at 2 of the 3 shown" in text
    assert (kept, simulation.guaranteed(spent[:1])[0]) == (False, True)


@pytest.mark.parametrize(
    ("tab", "experiment", "series"),
    [("paper", FIGURE_4, "AdaptDTK, gaussian"), ("adaptive", PRICE, "adaptive, m = 1")],
)
def test_a_budget_not_split_is_named_in_the_figure_and_keeps_its_random_numbers(
    tab, experiment, series
):
    keys = []
    for split in ("printed", "unsplit"):
        traces = driver.drawing(open_page("classification", tab=tab, run=f"split:{split}"))["data"]
        names = {trace["name"] for trace in traces}
        assert (f"{series}, not private" in names) == (split == "unsplit")
        asked = Request(experiment=experiment, values={"split": split}, replicates=2)
        keys.append([(point.series, point.key) for point in asked.points])
    assert keys[0] == keys[1]


def test_the_cost_of_noise_is_the_difference_of_the_shares_shown():
    for before, after, text in (
        *((0.90940, 0.90551, "costs **0.3 "), (0.9092, 0.9094, "no")),
        (0.90551, 0.9094, "by **0.3 "),
    ):
        shares = {"accuracy_right": 0.92, "accuracy_before": before, "accuracy_after": after}
        assert text in classifier.answer(SimpleNamespace(**shares, actual_delta=1e-6))


# Hospitals: files, the run and what repeats it, privacy ---------------------------------------


def table(rows: int) -> bytes:
    """A file of one hospital's records."""
    lines = (
        f"{40 + k % 30},{k % 2},{1 + k % 4},130,200,0,0,{120 + 7 * k % 50},"
        f"{k // 2 % 2},{k % 3},1,0,3,{k % 2}"
        for k in range(rows)
    )
    return "\n".join(lines).encode()


def upload(*files: tuple[str, bytes]) -> AppTest:
    app = open_page("classification", tab="hospitals", run="replicates:3;seed:4")
    return enter(app, app.file_uploader[0], [(*file, "text/plain") for file in files])


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
    app = press(upload(*files.items()), "Run")
    assert "After **3** random test sets" in everything(app)
    shown = to_csv(app.session_state["live_runs"]["classification_hospitals"].progress)
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    monkeypatch.chdir(tmp_path)
    exec(next(c.value for c in app.code if "read_hospital" in c.value), {})
    assert capsys.readouterr().out.rstrip() == shown.rstrip()
    rows = list(csv.DictReader(line for line in shown.splitlines() if line[0] != "#"))
    assert len(rows) == 60
    parameters = next(line for line in shown.splitlines() if line.startswith("# parameters"))
    assert all(part in parameters for part in ('"sources": "inf b"', '"data": "sha256 '))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("centred", ["yes", "no"])
def test_the_budget_table_is_of_all_releases_and_pays_for_re_centring_where_it_is_done(
    centred, split
):
    y = (np.repeat([0, 1], [10, 90]), np.repeat([0, 1], [50, 50]))
    wards = hospitals.Wards(names=("a", "b"), x=(np.zeros((100, 13)),) * 2, y=y, test=0, notes=())
    read = [SimpleNamespace(name=x, prevalence=p, rows=100) for x, p in (("a", 0.9), ("b", 0.5))]
    asked = check_values(hospitals.SETTINGS, {"centred": centred, "split": split})
    shown = [*hospitals_tab.sites(read, wards, asked)]
    columns = [block for block in shown if isinstance(block, Table)][1].columns
    assert any(SPLITS[split] in block.markdown for block in shown if isinstance(block, Note))
    # 9 of 10 ill: by eq. (8) with Y - 0.9; even labels: sqrt(1/2), which is below 1.
    factors = (math.sqrt(2) * 0.9 if centred == "yes" else 1.0, 1.0)
    for epsilon in (1.0, 8.0):
        count = sim_grid(hospitals.servers(wards, epsilon), len(COVARIATES)).size
        of: dict[str, Any] = {"bandwidths": count, "split": split}
        expected = [hospitals.effective_epsilon(epsilon, 1e-4, f, **of) for f in factors]
        column = columns[f"ε = {epsilon:g}"]
        assert [float(x) for x in column[:2]] == pytest.approx(expected, rel=5e-3)
        assert column[2] == "infinite"
