"""Filters, values, coefficients, kernels and sensitivities of the bases."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from rates.numbers.parameters import DomainError
from sims.curves.cascade import filters, positions, wavelet_supremum
from sims.curves.wavelets import Basis, evaluate, fold, point_supremum, supremum, synthesise, unfold
from tests.conftest import ROOT
from tests.depth import deep_after, examples
from tests.sims.curves.bases import FAMILIES, bases, basis

ALL = range(1, 7)


@pytest.fixture(scope="module")
def stored():
    file = ROOT / "sims" / "curves" / "wavelet_filters.json"
    return json.loads(file.read_text("utf-8"))["moments"]


@pytest.mark.parametrize("N", ALL)
def test_the_scaling_filter_is_that_of_pywavelets(N):
    import pywt

    assert filters(N).low == pytest.approx(pywt.Wavelet(f"db{N}").rec_lo, abs=1e-12)
    _, psi, _ = pywt.Wavelet(f"db{N}").wavefun(level=10)  # on a grid of 1/1024
    assert wavelet_supremum(N) == pytest.approx(np.abs(psi).max(), rel=2e-3)


@pytest.mark.parametrize("N", ALL)
def test_filters_are_orthonormal_and_of_order_n_to_35_digits(stored, N):
    with mp.workdps(60):
        h = [mpf(x) for x in stored[str(N)]["low"]]
        for shift in range(N):
            dot = sum(a * b for a, b in zip(h[2 * shift :], h, strict=False))
            assert abs(dot - (shift == 0)) < mpf(10) ** -35
        for power in range(N):  # vanishing moments of the wavelet
            moment = sum((-1) ** p * p**power * x for p, x in enumerate(h))
            assert abs(moment) < mpf(10) ** -35 * (2 * N) ** power * 10


# Values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("N", [2, 3, 4, 5, 6])
def test_two_moments_and_more_by_a_recursion_at_40_digits(stored, N):
    entry = stored[str(N)]
    S, K, depth = 2 * N - 1, 2 * N + 3, 9
    with mp.workdps(40):
        h = [mpf(x) for x in entry["low"]]
        whole = [mpf(x) for x in entry["integers"]]

        @cache
        def phi(i: int, r: int) -> mpf:
            """Refine: the value at i over 2^r."""
            if not 0 < i < S * 2**r:
                return mpf(0)
            if r == 0:
                return whole[i]
            return mp.sqrt(2) * sum(c * phi(i - p * 2 ** (r - 1), r - 1) for p, c in enumerate(h))

        def row(i: int) -> list[float]:
            """Return all K functions at i / 2^depth."""
            raw = {m: phi(K * i - m * 2**depth, depth) for m in range(1 - S, K)}
            ends = [(entry["left"], 1 - S, 1), (entry["right"], K - 1, -1)]
            left, right = (
                [sum(mpf(w) * raw[at + side * c] for c, w in enumerate(row)) for row in weights]
                for weights, at, side in ends
            )
            inside = [raw[m] for m in range(1, K - 2 * N + 1)]
            return [float(mp.sqrt(K) * v) for v in (*left, *inside, *right[::-1])]

        at = [0, 1, 2, 7, 40, 41, 100, 255, 300, 441, 500, 507, 510, 511]
        expected = np.array([row(i) for i in at])
    got = evaluate(basis("boundary", N, K), np.array(at) / 2**depth)
    assert np.abs(got - expected).max() < 1e-12


@pytest.mark.parametrize("N", ALL)
def test_polynomials_are_reproduced_on_all_of_the_interval_with_their_norms(N):
    # theta from one set of points, the identity on another that includes both ends. Parseval ties
    # edge functions' sizes to integrals: <x^i, x^j> = 1/(i + j + 1).
    b, rng = basis("boundary", N, 2 * N + 9), np.random.default_rng(3)
    near = 10.0 ** -rng.uniform(0, 15, 300)
    x = np.concatenate([[0.0, 1.0, 0.5, 1e-300], rng.random(1500), near, 1.0 - near])
    fitted, powers = np.linspace(0.0, 1.0, 997), np.arange(N + 1)
    theta = np.linalg.lstsq(evaluate(b, fitted), fitted[:, None] ** powers, rcond=None)[0]
    error = np.abs(synthesise(b, theta.T, x) - x ** powers[:, None]).max(axis=1)
    assert error[:N].max() < 1e-12
    assert error[N] > 1e-9  # and no further
    hilbert = 1.0 / (powers[:N, None] + powers[:N] + 1.0)
    assert theta[:, :N].T @ theta[:, :N] == pytest.approx(hilbert, abs=1e-12)


def test_points_are_read_exactly_in_whole_numbers():
    cell, digits = positions([0.1, 1 / 3, 1.0, 0.0], 4095)
    for c, d, x in zip(cell, digits, [0.1, 1 / 3, 1.0 - 2.0**-52, 0.0], strict=True):
        grid = int(np.floor(x * 2**52))
        assert int(c) * 2**52 + int(d) == 4095 * grid


# Transposes -----------------------------------------------------------------------------------


@examples(30)
@given(bases(), st.integers(0, 2**32 - 1))
def test_kernel_and_synthesis_are_transposes_of_evaluation(b, seed):
    rng = np.random.default_rng(seed)
    x, theta = rng.random(30), rng.standard_normal((2, b.dimension))
    dense = evaluate(b, x)
    assert synthesise(b, theta, x) == pytest.approx(theta @ dense.T, abs=1e-9)
    raw = rng.standard_normal(b.translates)
    assert fold(b, raw) @ theta[0] == pytest.approx(raw @ unfold(b, theta[0]), rel=1e-9, abs=1e-6)


# Suprema: what a record moves, over its clipped response ----------------------------------------


def kernel(b: Basis, at: float, x: np.ndarray) -> np.ndarray:
    """Return the projection kernel K(at, x_i), the plug-in estimator's weight of a record."""
    return synthesise(b, evaluate(b, [at])[0], x)


def found_by_search(f, rounds: int = 14) -> float:
    """Return the largest f on [0, 1] by zooming in on the ten best points, ten times over."""
    x = np.linspace(0.0, 1.0, 60_001)
    y = f(x)
    width = x[1]
    for _ in range(rounds):
        best = np.argsort(y)[-10:]
        x = np.clip((x[best, None] + width * np.linspace(-1, 1, 101)).ravel(), 0.0, 1.0)
        y = f(x)
        width /= 25
    return float(y.max())


SEARCHED = [("periodic", 4, 3), ("boundary", 6, 64), ("boundary", 3, 6), ("boundary", 2, 4)]
SEARCHED += [(f, N, 2 * N + 7) for f, N in reversed(FAMILIES)]


@pytest.mark.parametrize(("family", "N", "K"), deep_after(6, SEARCHED))
def test_the_supremum_is_the_maximum_found_by_search(family, N, K):
    b = basis(family, N, K)
    norm = found_by_search(lambda x: np.linalg.norm(evaluate(b, x), axis=1))
    assert norm <= supremum(b) <= norm * (1 + 3e-7)


@pytest.mark.parametrize(("family", "N", "K"), deep_after(6, SEARCHED))
@pytest.mark.parametrize("at", deep_after(1, [0.3, 0.5, 0.02, 1.0]))
def test_the_supremum_at_a_point_is_the_maximum_found_by_search(family, N, K, at):
    b = basis(family, N, K)
    top = found_by_search(lambda x: np.abs(kernel(b, at, x)))
    assert top <= point_supremum(b, at) <= top * (1 + 3e-7)


@examples(40)
@given(bases(), st.integers(0, 2**32 - 1))
def test_no_replacement_moves_more(b, seed):
    rng = np.random.default_rng(seed)
    x, two = rng.random(50), rng.random(50)
    at = float(rng.random())
    limit, point = supremum(b), point_supremum(b, at)
    moved = np.linalg.norm(evaluate(b, x) + evaluate(b, two), axis=1)
    assert moved.max() <= 2 * limit * (1 + 1e-12)
    assert np.abs(kernel(b, at, x)).max() <= point * (1 + 1e-12)
    assert point <= limit**2 * (1 + 1e-6)  # Cauchy-Schwarz


# Refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("family", "N", "K", "words"),
    [
        ("daubechies", 2, 8, "one of haar, periodic, boundary"),
        ("haar", 2, 8, "1 vanishing moment"),
        ("periodic", 0, 8, "whole number from 1 to 6"),
        ("periodic", 2, 0, "from 1 to 4096"),
        ("periodic", 2, 4097, "from 1 to 4096"),
        ("boundary", 4, 7, ">= 8"),
    ],
)
def test_a_basis_that_does_not_exist_is_refused(family, N, K, words):
    with pytest.raises(DomainError, match=words):
        basis(family, N, K)


def test_filters_and_points_that_do_not_exist_are_refused():
    with pytest.raises(DomainError, match="from 1 to 6"):
        filters(7)
    for x in (-1e-9, 1.0000001, np.nan, np.inf):
        with pytest.raises(DomainError, match=r"must lie in \[0, 1\]"):
            evaluate(basis("haar", 1, 4), [0.5, x])
