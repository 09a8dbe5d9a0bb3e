"""What is measured on classifiers, transcripts and hospitals: by other methods, or by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom, norm

from rates.answer import transfer
from rates.ledger.functions import best_test, find, noisy_sums, transcripts
from rates.ledger.functions.hospitals import HOSPITALS
from sims.acc.heart import read_hospital

FILES = Path(__file__).parents[4] / "shared" / "data" / "heart"


def gap(name: str, **row: float) -> float:
    """Return the gap of a test at one parameter set."""
    return float(find(name).gap({key: np.array([x]) for key, x in row.items()}, "printed")[0])


@pytest.mark.parametrize("count", [1, 7, 20])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_the_best_private_test_is_the_value_of_its_linear_program(count: int, delta: float) -> None:
    grow, law = math.exp(0.4), binom.pmf(np.arange(count + 1), count, 0.62)
    step = np.eye(count + 1)[1:]
    back = np.eye(count + 1)[:-1]
    rows = np.vstack(
        [x for a, b in ((step, back), (back, step)) for x in (a - grow * b, grow * a - b)]
    )
    right = np.tile(np.repeat([delta, delta + grow - 1], count), 2)
    found = linprog(law[::-1] - law, A_ub=rows, b_ub=right, bounds=(0, 1))
    best = best_test.best_distance(count, 0.12, 0.4, delta)
    assert best == pytest.approx(-found.fun, abs=1e-9)


def test_one_record_is_a_randomised_response_and_no_privacy_the_total_variation() -> None:
    law = binom.pmf(np.arange(10), 9, 0.7)
    assert best_test.best_distance(9, 0.2, 60.0, 0.0) == pytest.approx(
        abs(law - law[::-1]).sum() / 2
    )
    one = math.tanh(0.15) * 0.4  # seen in a fifth of all cases
    assert best_test.error(1, 0.2, 0.2, 0.3, 0.0) == pytest.approx((1 - 0.2 * one) / 2)


def test_one_cell_is_settled_where_the_signal_is_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"n": 1e4, "epsilon": 0.5, "beta": 0.5, "d": 1.0, "delta": 1e-6}
    honest = best_test.error
    assert gap("transcripts.one_cell", **row) < 0
    monkeypatch.setattr(
        best_test, "error", lambda n, m, s, e, d: honest(n, m, min(4 * s, 0.5), e, d)
    )
    assert gap("transcripts.one_cell", **row) > 0


def test_noisy_sums_by_two_other_methods() -> None:
    size, many = np.arange(5.0), np.arange(401.0)
    plain = [binom.pmf(size, 4, p) for p in (0.5, 0.6)]
    both = [np.multiply.outer(law, law) for law in plain]
    pairs = [noisy_sums.released(plain, size, 0.0)] * 2
    assert noisy_sums.apart(pairs) == pytest.approx(np.abs(both[0] - both[1]).sum() / 2)
    noisy = noisy_sums.released([binom.pmf(many, 400, p) for p in (0.5, 0.52)], many, 15.0)
    limit = 2 * norm.cdf(8 / math.hypot(15, 10) / 2) - 1
    assert noisy_sums.apart([noisy]) == pytest.approx(limit, rel=0.01)


def test_counts_without_the_noise_that_they_owe_leave_lemma_1(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    each = {"n": 300, "p": 0.5, "q": 0.52, "epsilon": 1e-3, "delta": 1e-6}
    row = {"S": 7.0} | {f"{key}{j}": x for j in range(3) for key, x in each.items()}
    assert gap("transcripts.coupling", **row) <= 0
    monkeypatch.setattr(transcripts.gaussian, "analytic_multiplier", lambda epsilon, delta: 1e-9)
    assert gap("transcripts.coupling", **row) > 0.5


def test_the_risk_in_one_world_is_the_simulated_one() -> None:
    n, beta, slope = np.array([400, 300]), 0.8, np.array([1, 1.5])
    epsilon, log_delta = n**-0.1, math.log(2) + 2 * math.log(700)
    h, r = (
        float(transfer.solve_r(n, epsilon, slope, beta=beta, d=1, rhs=x)) for x in (log_delta, 1.0)
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
    found = gap("classifier.one_world", n0=400, n1=300, gamma=1.5, beta=beta, fall0=0.1, fall1=0.1)
    assert math.exp(found) == pytest.approx(risk / bound, rel=0.08)


def test_the_counts_are_those_of_the_files() -> None:
    if not FILES.is_dir():
        pytest.skip(f"no {FILES} beside the repository")
    for site, file in zip(HOSPITALS, ("cleveland", "hungarian", "switzerland", "va"), strict=True):
        text = (FILES / f"processed.{file}.data").read_text(encoding="utf-8")
        found = read_hospital(text, site)
        assert (found.n, int(found.y.sum())) == HOSPITALS[site][:2]
