"""The lasso on statistics: its loss is the records' own, its minimum by optimality."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dplr.solver import (
    PENALTIES,
    Forms,
    Statistics,
    lasso_paths,
    loss,
    statistics,
)
from tests.depth import examples


def sample(seed: int, n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((n, p)) @ (np.eye(p) + 0.4 * np.eye(p, k=1))
    return x, (x[:, 0] + 0.5 * x[:, -1] + rng.standard_normal(n) > 0).astype(float)


def quadratic_form(found: Statistics) -> tuple[np.ndarray, np.ndarray]:
    forms = Forms.of([found])
    return forms.quadratic[0], forms.linear[0]


def test_the_loss_is_that_of_the_records():
    x, y = sample(0, 40, 5)
    w = np.random.default_rng(1).standard_normal((3, 5))
    z = x @ w.T
    each = math.log(2) + z / 2 + z**2 / 8 - y[:, None] * z
    assert loss(statistics(x, y), w) == pytest.approx(each.mean(axis=0), rel=1e-12)
    A, c = quadratic_form(statistics(x, y))
    form = 0.5 * np.einsum("ki,ij,kj->k", w, A, w) - w @ c + math.log(2)
    assert form == pytest.approx(each.mean(axis=0), rel=1e-12)


@examples(30)
@given(seed=st.integers(0, 10**6), p=st.integers(1, 12), noisy=st.booleans())
def test_the_optimality_condition_holds(seed, p, noisy):
    """Of several problems solved at once; it has one solution only, each problem's own."""
    sets = [statistics(*sample(seed + k, 30 + 3 * p, p)) for k in range(3)]
    if noisy:
        E = 40 * np.random.default_rng(seed).standard_normal((p, p))
        sets = [replace(one, gram=one.gram + E + E.T, noisy=True) for one in sets]
    forms = Forms.of(sets)
    paths = lasso_paths(forms.quadratic, forms.linear, PENALTIES)
    for A, c, path in zip(forms.quadratic, forms.linear, paths, strict=True):
        assert np.linalg.eigvalsh(A)[0] > 0 or not noisy
        for w, lam in zip(path, PENALTIES, strict=True):
            slope = c - A @ w
            assert np.abs(slope).max() <= lam + 1e-6
            assert slope[w != 0] == pytest.approx(lam * np.sign(w[w != 0]), abs=1e-6)


def test_exact_statistics_are_left_as_they_are_however_singular():
    x, y = sample(0, 3, 5)
    assert quadratic_form(statistics(x, y))[0] == pytest.approx(x.T @ x / 12)
