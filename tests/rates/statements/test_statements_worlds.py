"""Whole bounds in one world and best private mechanisms: their numbers by other methods."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom, norm

from rates.answer import transfer
from rates.ledger.functions import best_test, noisy_sums
from rates.statements.checks import find
from rates.statements.checks.acc.worlds import HEART
from rates.statements.checks.ccv import worlds
from sims.paper_acc.heart import read_hospital

FILES = Path(__file__).parents[4] / "shared" / "data" / "heart"


def gap(name: str, **row: float) -> float:
    """Return the gap of a check at one parameter set."""
    return float(find(name).gap({key: np.array([x]) for key, x in row.items()}, "printed")[0])


@pytest.mark.parametrize("count", [1, 2, 7, 20])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_the_best_private_test_is_the_value_of_its_linear_program(count: int, delta: float):
    signal, epsilon = 0.12, 0.4
    law = binom.pmf(np.arange(count + 1), count, 0.5 + signal)
    rows, right = [], []
    for k in range(count + 1):
        for other in {k - 1, k + 1} & set(range(count + 1)):
            row = np.zeros(count + 1)
            row[k], row[other] = 1, -math.exp(epsilon)
            rows += [row, -row]  # the test and its contrary
            right += [delta, delta + math.exp(epsilon) - 1]
    found = linprog(law[::-1] - law, A_ub=np.array(rows), b_ub=right, bounds=(0, 1))
    best = best_test.best_distance(count, signal, epsilon, delta)
    assert best == pytest.approx(-found.fun, abs=1e-9)


def test_without_privacy_it_is_the_total_variation():
    law = binom.pmf(np.arange(10), 9, 0.7)
    assert best_test.best_distance(9, 0.2, 60.0, 0.0) == pytest.approx(
        np.abs(law - law[::-1]).sum() / 2
    )
    one = math.tanh(0.15) * 0.4  # one record by randomised response, seen in a fifth of all cases
    assert best_test.error(1, 0.2, 0.2, 0.3, 0.0) == pytest.approx((1 - 0.2 * one) / 2)


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


def test_the_risk_in_one_world_is_the_simulated_one():
    n, beta, gamma, fall = np.array([400, 300]), 0.8, 1.5, 0.1
    slope, epsilon = np.array([1, gamma]), n**-fall
    log_delta = math.log(2) + 2 * math.log(700)
    h, r = (
        float(transfer.solve_r(n, epsilon, slope, beta=beta, d=1, rhs=right))
        for right in (log_delta, 1.0)
    )
    h = min(h, 1.0)
    v = np.minimum(n, (n * epsilon) ** 2 * h) * h ** (beta * slope)
    noise = math.sqrt(2 * log_delta) / (n * epsilon * h)
    generator, places, runs = np.random.default_rng(0), (np.arange(25) + 0.5) / 50, 2000
    wrong = np.zeros(25)
    for _ in range(runs):
        mean = np.zeros(25)
        for j in range(2):
            x = generator.uniform(-0.5, 0.5, n[j])
            signal = np.sign(x) * (np.abs(2 * x) ** beta / 2) ** slope[j]
            y = (generator.uniform(size=n[j]) < 0.5 + signal) - 0.5
            kernel = np.maximum(1 - np.abs(x - places[:, None]) / h, 0)
            mean += (
                v[j] / v.sum() * (kernel @ y / (n[j] * h) + noise[j] * generator.normal(size=25))
            )
        wrong += mean < 0
    risk = 2 * (wrong / runs * (2 * places) ** beta).sum() / 50
    bound = 6 * r ** (1 + beta) * log_delta ** ((1 + beta) / (2 * beta + 1))
    row = {"n0": 400, "n1": 300, "gamma": gamma, "beta": beta, "fall0": fall, "fall1": fall}
    assert math.exp(gap("acc_worlds.one_world", **row)) == pytest.approx(risk / bound, rel=0.08)


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
    ("site", "file"),
    list(zip(HEART, ("cleveland", "hungarian", "switzerland", "va"), strict=True)),
)
def test_the_counts_are_those_of_the_files(site: str, file: str):
    path = FILES / f"processed.{file}.data"
    if not path.is_file():
        pytest.skip(f"no ../shared/data/heart/{path.name} beside the repository")
    found = read_hospital(path.read_text(encoding="utf-8"), site)
    assert (found.n, int(found.y.sum())) == HEART[site][:2]


def test_noisy_sums_by_two_other_methods():
    size = np.arange(5.0)
    plain = [binom.pmf(size, 4, p) for p in (0.5, 0.6)]
    one = [noisy_sums.released(plain, size, 0.0)] * 2
    both = [np.multiply.outer(law, law) for law in plain]
    assert noisy_sums.apart(one) == pytest.approx(np.abs(both[0] - both[1]).sum() / 2)
    many = np.arange(401.0)
    noisy = noisy_sums.released([binom.pmf(many, 400, p) for p in (0.5, 0.52)], many, 15.0)
    limit = 2 * norm.cdf(8 / math.hypot(15, 10) / 2) - 1
    assert noisy_sums.apart([noisy]) == pytest.approx(limit, rel=0.01)


@pytest.mark.parametrize(
    ("name", "inside", "sites", "each"),
    [
        ("acc_kernel.coupling", 7, "012", {"n": 300, "p": 0.5, "q": 0.52}),
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
