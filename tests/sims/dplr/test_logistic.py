"""The lasso on statistics: equal to the records' own, by hand, and by its optimality condition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.dplr.solver import (
    FLOOR,
    PENALTIES,
    Forms,
    Statistics,
    lasso_paths,
    loss,
    repair,
    statistics,
    total,
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


def on_records(x: np.ndarray, z: np.ndarray, penalty: float) -> np.ndarray:
    """The lasso of scikit-learn on the records: (x'w/2 - z)²/2 is the loss but for a constant."""
    from sklearn.linear_model import Lasso

    model = Lasso(alpha=penalty, fit_intercept=False, tol=1e-14, max_iter=100_000)
    return model.fit(x / 2, z).coef_


@pytest.mark.parametrize("p", [3, 20, 50])
def test_both_steps_equal_the_record_form(p):
    x, y = sample(p, 400, p)
    A, c = quadratic_form(statistics(x, y))
    penalties = [0.3, 0.05, 0.003]
    first = lasso_paths(A[None], c[None], penalties, tolerance=1e-9)[0]
    for w, penalty in zip(first, penalties, strict=True):
        assert w == pytest.approx(on_records(x, 2 * y - 1, penalty), abs=1e-6)
    half = len(y) // 3
    target = statistics(x[:half], y[:half])
    A0, c0 = quadratic_form(target)
    offset = first[1]
    second = lasso_paths(A0[None], (c0 - A0 @ offset)[None], penalties, tolerance=1e-9)[0]
    z = 2 * y[:half] - 1 - x[:half] @ offset / 2
    for d, penalty in zip(second, penalties, strict=True):
        assert d == pytest.approx(on_records(x[:half], z, penalty), abs=1e-6)


def test_more_covariates_than_records(monkeypatch):
    monkeypatch.setattr("sims.dplr.solver.MOST_STEPS", 50_000)
    x, y = sample(3, 30, 60)
    A, c = quadratic_form(statistics(x, y))
    w = lasso_paths(A[None], c[None], [0.05], tolerance=1e-9)[0, 0]
    expected = on_records(x, 2 * y - 1, 0.05)
    value = [0.5 * v @ A @ v - c @ v + 0.05 * np.abs(v).sum() for v in (w, expected)]
    assert value[0] == pytest.approx(value[1], abs=1e-9)


@examples(30)
@given(seed=st.integers(0, 10**6), p=st.integers(1, 12), noisy=st.booleans())
def test_the_optimality_condition_holds(seed, p, noisy):
    x, y = sample(seed, 30 + 3 * p, p)
    found = statistics(x, y)
    if noisy:
        E = 40 * np.random.default_rng(seed).standard_normal((p, p))
        found = Statistics(gram=found.gram + E + E.T, linear=found.linear, n=found.n, noisy=True)
    A, c = quadratic_form(found)
    assert np.linalg.eigvalsh(A)[0] > 0 or not noisy
    for w, lam in zip(lasso_paths(A[None], c[None], PENALTIES)[0], PENALTIES, strict=True):
        slope = c - A @ w
        assert np.abs(slope).max() <= lam + 1e-6
        assert slope[w != 0] == pytest.approx(lam * np.sign(w[w != 0]), abs=1e-6)


def test_several_problems_are_solved_as_one_each():
    forms = [quadratic_form(statistics(*sample(k, 50, 6))) for k in range(4)]
    A, c = np.array([a for a, _ in forms]), np.array([b for _, b in forms])
    together = lasso_paths(A, c, PENALTIES, tolerance=1e-9)
    for k in range(4):
        alone = lasso_paths(A[k : k + 1], c[k : k + 1], PENALTIES, tolerance=1e-9)[0]
        assert together[k] == pytest.approx(alone, abs=1e-7)


def test_each_problem_may_have_a_penalty_of_its_own():
    """Problems of sets that are fitted more than once, each moved by an offset."""
    sets = [statistics(*sample(k, 50, 6)) for k in range(2)]
    forms, offsets = Forms.of(sets), np.random.default_rng(0).standard_normal((3, 6))
    penalties = np.array([[0.3], [0.01], [0.1]])
    found = forms.fit([1, 0, 1], offsets, penalties, 1e-9)
    for k, (place, offset) in enumerate(zip([1, 0, 1], offsets, strict=True)):
        A, c = quadratic_form(sets[place])
        assert forms.largest[place] == pytest.approx(np.linalg.eigvalsh(A)[-1])
        alone = lasso_paths(A[None], (c - A @ offset)[None], penalties[k], tolerance=1e-9)[0]
        assert found[k] == pytest.approx(alone, abs=1e-7)


def test_a_large_penalty_selects_nothing():
    A, c = quadratic_form(statistics(*sample(0, 50, 4)))
    assert not lasso_paths(A[None], c[None], [float(np.abs(c).max())])[0].any()


def test_statistics_add_up():
    x, y = sample(2, 30, 4)
    whole = statistics(x, y)
    parts = total([statistics(x[:7], y[:7]), statistics(x[7:], y[7:])])
    assert parts.gram == pytest.approx(whole.gram)
    assert parts.linear == pytest.approx(whole.linear)
    assert (parts.n, parts.noisy) == (30, False)


def test_repair_lifts_the_low_eigenvalues_alone():
    gram = np.diag([3.0, -1.0, 0.0])
    assert repair(gram)[0] == pytest.approx(np.diag([3.0, FLOOR, FLOOR]))
    assert repair(np.eye(3))[0] is not None
    stack = np.array([gram, np.eye(3)])
    assert repair(stack)[0][1] == pytest.approx(np.eye(3))
    assert repair(stack)[1].tolist() == [3.0, 1.0]
    assert repair(-np.eye(2))[1] == FLOOR
    # Exact statistics are left as they are, however singular.
    x, y = sample(0, 3, 5)
    A, _ = quadratic_form(statistics(x, y))
    assert pytest.approx(x.T @ x / 12) == A
