"""The functions of [KS], [BCMM] and [DPLR]: a wrong form shows, and numbers in the words hold."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from scipy.stats import binom

from rates.adaptation import person_budget
from rates.ledger import entry
from rates.ledger.functions import adaptation, find, hybrid, logistic, measure
from rates.numbers import delta_of


def worst(of: str, form: str = "printed") -> float:
    return measure(find(of), form, np.random.default_rng(0)).worst


def test_binomial_tails_and_the_sum_of_cut_weights():
    assert hybrid.at_most(np.arange(-1, 8), 7, 0.3) == pytest.approx(
        binom.cdf(range(-1, 8), 7, 0.3)
    )
    row = {"accuracy": np.array([0.1]), "failure": np.array([0.1]), "share": np.array([0.2])}
    n = math.ceil(150 / 0.2 * math.log(40) / 0.01)
    above = binom.sf(math.floor(1.0125 * n * 0.2), n, 0.2)
    below = binom.cdf(math.ceil(0.9625 * n * 0.2) - 1, n, 0.2)
    expected = math.log(max(above, below) / 0.025)
    assert hybrid.TESTS["sum"].gap(row, "printed")[0] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("of", "form", "module", "name", "wrong"),
    [
        ("hybrid.users", "reading", hybrid.needs, "users_enough", lambda f: lambda *a: 0.3 * f(*a)),
        ("hybrid.dense_regret", "printed", hybrid, "project", lambda f: lambda w, k: f(-30 * w, k)),
        ("adaptation.smooth", "printed", adaptation, "_bound", lambda f: lambda *a: 0.4 * f(*a)),
        ("logistic.best", "reading", logistic, "best_accuracy", lambda f: lambda *a: 0.8),
    ],
)
def test_a_wrong_form_shows(monkeypatch, of, form, module, name, wrong):
    assert worst(of, form) <= 0
    monkeypatch.setattr(module, name, wrong(getattr(module, name)))
    assert worst(of, form) > 0


def test_what_the_printed_forms_miss():
    hits = [round(value * 3) for law in logistic.LAWS for value in logistic.TABLE_1[law]]
    told = re.findall(r"\b2\d\d\b", " ".join(entry("DPLR:Tab1:one-run").argument))
    assert [int(k) for k in told] == hits
    off = {"law": np.zeros(2), "percent": np.array([96.67, 96.5])}
    assert list(logistic.TESTS["hits"].gap(off, "printed") > 0) == [False, True]
    assert worst("logistic.best") > 0
    assert worst("hybrid.users") > 0.01


@pytest.mark.parametrize(("printed", "told"), [(True, 0.381), (False, 0.053)])
def test_a_run_of_gradient_descent_in_many_dimensions(printed: bool, told: float):
    """By symmetry the coordinate h along the gradient and the length p across it are enough."""
    alpha, d, square = 0.35, 500, 20.0
    steps = math.ceil(9 * (1 + square * d) / alpha**2)
    rng, sigma = np.random.default_rng(0), math.sqrt(square)
    along = (1 + sigma * rng.standard_normal(steps)).tolist()
    across = (sigma * rng.standard_normal(steps)).tolist()
    rest = (square * rng.chisquare(d - 2, steps)).tolist()
    scale = sigma if printed else math.sqrt(1 + square * d)
    h = p = total = 0.0
    for r in range(steps):
        total += h
        step = 1 / (scale * math.sqrt(r + 1))
        h -= step * along[r]
        p = math.sqrt((p + step * across[r]) ** 2 + step**2 * rest[r])
        back = min(1.0, 0.5 / math.hypot(h, p))
        h, p = h * back, p * back
    error = total / steps + 0.5
    assert error == pytest.approx(told, abs=5e-4)
    assert (error > alpha) is printed
    assert f"{told}" in entry("KS:AppA:step").why


def test_budgets_in_the_words():
    for delta, limit in ((1e-6, 9.73), (0.25, 6.7)):
        near = limit + np.array([-0.05, 0.05])
        noise = math.sqrt(2 * math.log(2 / delta)) / near
        assert list(delta_of(noise, near) > delta) == [False, True]
    noise = math.sqrt(2 * math.log(2e4)) / 0.5 / (27.9 * math.sqrt(201))
    assert list(delta_of(np.full(2, noise), np.array([1151.0, 1153.0])) > 1e-4) == [True, False]
    assert person_budget(1, 0.01, 16) == pytest.approx(21.4, abs=0.05)
