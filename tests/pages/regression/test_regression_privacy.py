"""The regression page says at which budgets its noise keeps less than is asked for."""

from __future__ import annotations

import math

import pytest

from pages.charts import words
from rates.numbers.gaussian import delta_of
from rates.study import codec
from tests.depth import deep_after
from tests.pages.driver import everything, open_page
from tests.pages.regression.test_regression import curve_study

SHORT = [  # tab, run, a budget at which the tight noise falls short, delta
    ("rate", "epsilon:20,50,100,200", 50.0, 1e-5),
    ("estimate", "epsilon:100", 100.0, 1e-5),
    ("weights", "factor:100", 100.0, 1e-5),
    ("levels", "epsilon:1,50", 50.0, 1e-5),
    ("pointwise", "epsilon:1,100", 100.0, 1e-5),
    ("study", "factor:1,100", 100.0, 1e-6),
]


def warned(tab: str, run: str) -> str:
    app = open_page(
        "regression", tab=tab, run=f"curves:1;{run}", study=codec.to_link(curve_study())
    )
    assert "(28 at delta = 1e-5)" in everything(app)
    return " ".join(w.value for w in app.warning if "Less private than asked" in w.value)


@pytest.mark.parametrize(("tab", "run", "epsilon", "delta"), deep_after(2, SHORT))
def test_noise_that_keeps_less_than_asked_is_said(tab, run, epsilon, delta):
    real = float(delta_of(math.sqrt(4 * math.log(2 / delta)) / epsilon, epsilon))
    start = f"at ε = **{words.number(epsilon)}** δ is really **{words.number(real)}**"
    assert f"{start}, not {words.number(delta)}" in warned(tab, f"{run};noise:tight")
    assert warned(tab, f"{run};noise:analytic") == ""


def test_the_steps_of_the_chain_and_the_printed_noise_are_checked_too():
    assert "at ε = **50** δ is really **2.13e-4**, not 1e-5" in warned("constants", "epsilon:50")
    assert "at ε = **1,000** δ is really **1**" in warned("rate", "epsilon:10,1000;noise:printed")


@pytest.mark.parametrize(
    "tab", deep_after(2, ["rate", "estimate", "weights", "levels", "constants", "pointwise"])
)
def test_the_usual_budgets_are_kept(tab):
    assert "Less private" not in everything(open_page("regression", tab=tab, run="curves:1"))


def test_laplace_noise_as_printed_is_said_to_give_twice_the_budget():
    run = "curves:1;epsilon:0.5,1;basis:haar;risk:pointwise;noise:printed"
    told = everything(open_page("regression", tab="rate", run=run))
    assert "at ε = **0.5** the value at a point really has ε = **1**" in told
