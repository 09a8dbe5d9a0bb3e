"""The Haar basis and private transcripts of a curve: their numbers by hand or by other methods."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from rates.ledger.functions import best_test, curves, find, haar


def gap(name: str, form: str = "printed", **row: float) -> float:
    """Return the gap of a test at one parameter set."""
    return float(find(name).gap({key: np.array([x]) for key, x in row.items()}, form)[0])


def test_the_haar_basis_is_one_and_its_changes_are_those_of_the_last_level() -> None:
    for first, last in ((0, 1), (1, 4), (2, 3)):
        rows = np.concatenate(haar.basis(first, last))
        cells = 2 ** (last + 1)
        assert rows @ rows.T / cells == pytest.approx(np.eye(cells), abs=1e-12)
        assert haar.value_change(first, last) == pytest.approx(2 * cells)
        assert haar.vector_change(first, last) == pytest.approx(2 * math.sqrt(cells))
    row = {"first_level": 0, "last_level": 3, "n": 10, "clip": 1}
    assert gap("haar.value_change", **row) == pytest.approx(math.log(2))
    assert gap("haar.value_change", "reading", **row) == pytest.approx(0, abs=1e-12)
    assert gap("haar.vector_change", **row) == pytest.approx(0, abs=1e-12)


def test_a_basis_of_another_scale_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = haar.basis

    def printed(first: int, last: int) -> tuple[np.ndarray, ...]:
        fathers, *rest = honest(first, last)
        return fathers * 2 ** ((first + 1) / 2), *rest  # (10) as our copy has it

    monkeypatch.setattr(haar, "basis", printed)
    haar.kernel.cache_clear()
    assert gap("haar.kernel", first_level=0, last_level=2, n=1, clip=1) > 0.5
    haar.kernel.cache_clear()


def test_mechanisms_with_another_budget_leave_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = best_test.best_distance
    row = {"n": 40.0, "signal": 0.05, "epsilon": 0.01, "delta": 0.0}
    assert gap("curves.best_transcript", **row) <= 0
    for times in (60, 1 / 3):  # the bound broken, or of another order
        monkeypatch.setattr(
            best_test, "best_distance", lambda n, h, e, d, k=times: honest(n, h, k * e, d)
        )
        assert gap("curves.best_transcript", **row) > 0


def test_a_larger_bump_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    honest, row = best_test.error, {"n": 1e4, "epsilon": 0.5, "smoothness": 0.7, "delta": 1e-6}
    assert gap("curves.two_curves", **row) < 0
    monkeypatch.setattr(best_test, "error", lambda n, r, h, e, d: honest(n, r, 4 * h, e, d))
    assert gap("curves.two_curves", **row) > 0


def test_sums_without_their_noise_leave_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    each = {"n": 60, "shift": 0.1, "epsilon": 1e-3, "delta": 1e-6}
    row = {"S": 3.0, "clip": 2.0} | {f"{key}{j}": x for j in (1, 2) for key, x in each.items()}
    assert gap("curves.clipped_sums", **row) <= 0
    monkeypatch.setattr(curves.gaussian, "analytic_multiplier", lambda epsilon, delta: 1e-9)
    assert gap("curves.clipped_sums", **row) > 0.5


def test_many_clipped_records_carry_the_information_of_their_normal_limit() -> None:
    n, epsilon, clip, delta = 1e5, 0.01, 1.0, 1e-6
    slope = norm.cdf(1) - norm.cdf(-1)
    variance = slope - 2 * norm.pdf(1) + 2 * norm.sf(1)
    noise = 2 * clip * float(curves.gaussian.analytic_multiplier(epsilon, delta))
    trace = (n * slope) ** 2 / (n * variance + noise**2)
    right = n * epsilon * math.sqrt(trace) + delta * (math.sqrt(n) * math.log(1 / delta) + n)
    found = gap("curves.gaussian_trace", n=n, epsilon=epsilon, clip=clip, delta=delta)
    assert found == pytest.approx(math.log(trace / min(right, n)), abs=1e-3)


def test_randomised_responses_by_their_two_binomial_laws() -> None:
    keep, below = 1 / (1 + math.exp(-0.5)), norm.cdf(-0.4)
    heads = [keep * q + (1 - keep) * (1 - q) for q in (below, 1 - below)]
    laws = [binom.pmf(np.arange(8), 7, p) for p in heads]
    group = 6 * 0.5 * (1 - 2 * below)
    right = math.sqrt(2 * 7 * min(group * math.expm1(group), 0.8**2 / 2))
    found = gap("curves.one_bit", m=7, epsilon=0.5, shift=0.8)
    assert found == pytest.approx(math.log(abs(laws[0] - laws[1]).sum() / 2 / right))
