"""Whole bounds in one world and best private mechanisms: their numbers by other methods."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from rates.ledger.functions import best_test
from rates.statements.checks import find
from rates.statements.checks.ccv import worlds


def gap(name: str, **row: float) -> float:
    """Return the gap of a check at one parameter set."""
    return float(find(name).gap({key: np.array([x]) for key, x in row.items()}, "printed")[0])


def test_mechanisms_with_more_budget_than_they_say_leave_the_bound(
    monkeypatch: pytest.MonkeyPatch,
):
    honest = best_test.best_distance
    row = {"n": 40.0, "signal": 0.05, "epsilon": 0.01, "delta": 0.0}
    assert gap("ccv_worlds.best_transcript", **row) <= 0
    monkeypatch.setattr(best_test, "best_distance", lambda n, h, e, d: honest(n, h, 60 * e, d))
    assert gap("ccv_worlds.best_transcript", **row) > 0
    monkeypatch.setattr(best_test, "best_distance", lambda n, h, e, d: honest(n, h, e / 3, d))
    assert gap("ccv_worlds.best_transcript", **row) > 0  # the bound would be of another order


def test_many_clipped_records_carry_the_information_of_their_normal_limit():
    n, epsilon, clip, delta = 1e5, 0.01, 1.0, 1e-6
    slope = norm.cdf(1) - norm.cdf(-1)
    variance = slope - 2 * norm.pdf(1) + 2 * norm.sf(1)
    noise = 2 * clip * float(worlds.gaussian.analytic_multiplier(epsilon, delta))
    trace = (n * slope) ** 2 / (n * variance + noise**2)
    right = n * epsilon * math.sqrt(trace) + delta * (math.sqrt(n) * math.log(1 / delta) + n)
    row = {"n": n, "epsilon": epsilon, "clip": clip, "delta": delta}
    assert gap("ccv_worlds.gaussian_trace", **row) == pytest.approx(
        math.log(trace / min(right, n)), abs=1e-3
    )


@pytest.mark.parametrize(
    ("name", "inside", "sites", "each"),
    [
        ("ccv_worlds.clipped_sums", 3, "12", {"n": 60, "shift": 0.1}),
    ],
)
def test_sums_without_the_noise_that_they_owe_leave_the_bound(
    name: str, inside: int, sites: str, each: dict[str, float], monkeypatch: pytest.MonkeyPatch
):
    each = each | {"epsilon": 1e-3, "delta": 1e-6}
    row = {f"{key}{j}": x for j in sites for key, x in each.items()} | {"S": inside, "clip": 2.0}
    order = find(name).draw(np.random.default_rng(0), 1)
    row = {key: float(row[key]) for key in order}
    assert gap(name, **row) <= 0
    monkeypatch.setattr(worlds.gaussian, "analytic_multiplier", lambda epsilon, delta: 1e-9)
    assert gap(name, **row) > 0.5


def test_the_clipped_and_rounded_sums_are_those_of_drawn_responses():
    law = worlds._summed(3, 0.7, 1.5)
    generator = np.random.default_rng(0)
    parts = np.clip(np.round(generator.normal(0.7, 1, (200_000, 3)) / 1.5 * 8), -8, 8).sum(axis=1)
    found = np.bincount((parts + 24).astype(int), minlength=49) / len(parts)
    assert np.abs(found - law).sum() / 2 < 0.01
