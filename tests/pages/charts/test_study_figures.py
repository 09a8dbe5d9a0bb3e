"""One call draws a figure of a study or of a run, and says in words what is seen."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

from pages import charts
from pages.study import balance
from rates import DomainError
from rates.study import FederatedStudy, Server, preset
from sims.engine import Request, run
from sims.experiments import find


@pytest.mark.parametrize("key", ["hospitals", "unequal"])
@pytest.mark.parametrize("name", charts.FIGURES)
def test_one_call_draws(key, name):
    study = preset(key).study
    drawn, figure = charts.drawn(study, name), charts.of(study, name)
    assert figure.layout.meta["alt"] == drawn.alt
    assert figure.layout.title.text.replace("<br>", " ") == drawn.figure.title
    assert drawn.to_frame().shape == (len(drawn.rows), len(drawn.rows[0]))
    assert drawn._repr_svg_().count("<svg") == 1


def test_it_is_the_figure_of_the_page():
    study = preset("unequal").study
    page = balance.shares_of(study, "pointwise")
    made = charts.drawn(study, "", "pointwise")
    assert (made.rows, made.alt, made.caption) == (page.rows, page.alt, page.caption)


def test_a_run_has_its_errors_and_its_figure():
    asked = Request(experiment=find("hybrid-parity"), replicates=8, seed=3)
    found = deque(run(asked), maxlen=1).pop()
    table = found.to_frame()
    errors = [np.std(row[:8], ddof=1) / np.sqrt(8) for row in found.replicated]
    assert table["standard error"].tolist() == pytest.approx(errors)
    assert table.columns[2] == "share of draws that do not span"
    assert (table["95 % low"] <= table.iloc[:, 2]).all()
    assert len(repr(found)) < 300
    assert charts.drawn(found).rows[0]["mean"] == table.iloc[0, 2]
    assert "share of draws" in charts.of(found).layout.meta["alt"]


def test_what_cannot_be_drawn_is_said():
    free = FederatedStudy(servers=[Server(name="a", n=9, epsilon=float("inf"))], smoothness=2)
    nothing = FederatedStudy(servers=[Server(name="a", n=0, epsilon=1)], smoothness=2)
    request = Request(experiment=find("privacy-audit"), replicates=2)
    for found, name, risk, says in (
        (free, "risk", "", "must be one of shares, budgets"),
        (free, "shares", "mean", "must be one of integrated, pointwise"),
        (free, "budgets", "", "finite budget"),
        (nothing, "balance", "", "nothing to balance"),
        (nothing, "map", "", "no two numbers"),
        (deque(run(request), maxlen=1).pop(), "", "", "to_frame has the numbers"),
    ):
        with pytest.raises(DomainError, match=says):
            charts.drawn(found, name, risk)
