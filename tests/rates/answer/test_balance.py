"""The balance figure's data: the sum crosses zero at the root, and signal meets noise there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.answer import Lens
from rates.answer.records import breakdown
from rates.answer.sides import balance, balance_of
from rates.answer.terms import equation
from rates.study.presets import preset
from rates.study.scenario import FederatedStudy, Server, TransferStudy
from tests.rates.answer.test_compare import CASES
from tests.rates.answer.test_laws import LAWS, studies


@pytest.mark.parametrize(("study", "risk"), CASES)
def test_the_sum_crosses_zero_at_the_root(study, risk):
    result = balance(study, risk)
    answer = rates.solve(study)
    if risk == "classification":
        assert result.root == pytest.approx(answer.log_r, abs=1e-13)
    else:
        assert result.root == pytest.approx(-getattr(answer, risk).log_D, abs=1e-13)
    assert result.total[result.log_r == result.root][0] == pytest.approx(0, abs=1e-11)
    below, above = result.log_r < result.root - 1e-9, result.log_r > result.root + 1e-9
    assert (result.total[below] < 0).all()
    assert (result.total[above] > 0).all()


def test_kinks_are_where_the_limit_changes():
    study = preset("unequal").study
    result = balance(study, "integrated")
    terms = equation(study, Lens(risk="integrated")).terms
    for server, row, kink in zip(study.servers, result.rows, result.kinks, strict=True):
        # privacy binds while D >= n epsilon^2
        assert -kink == pytest.approx(math.log(server.n * server.epsilon**2), abs=1e-12)
        assert breakdown(terms, kink - 1e-6, -1.0).limited_by[row] == "privacy"
        assert breakdown(terms, kink + 1e-6, -1.0).limited_by[row] == "sample"


def test_many_rows_are_summed_beyond_the_largest():
    servers = [Server(name=f"site {k}", n=100 + k, epsilon=1) for k in range(30)]
    study = FederatedStudy(servers=servers, smoothness=1)
    result = balance(study, "integrated", most=8)
    assert result.rows == tuple(range(22, 30))
    assert result.others is not None
    both = np.logaddexp(np.logaddexp.reduce(result.terms, axis=0), result.others)
    np.testing.assert_allclose(both, result.total, atol=1e-12)
    assert balance(study.with_servers(servers[:8]), "integrated").others is None


@LAWS
@given(studies(), st.sampled_from(["integrated", "pointwise"]))
def test_signal_over_noise_is_the_sum(study, risk):
    """Exactly with the larger variances; within a factor of two with both of them."""
    if isinstance(study, TransferStudy):
        risk = "classification"
    result = balance_of(equation(study, Lens(risk=risk)).terms)
    if math.isinf(result.root):
        assert result.log_r.size == 0
        return
    slack = 1e-9 * (1 + np.abs(result.total) + np.abs(result.signal))
    assert (np.abs(result.signal - result.noise - result.total) <= slack).all()
    both = np.logaddexp(result.sampling, result.privacy)
    assert (both >= result.noise - slack).all()
    assert (both <= result.noise + math.log(2) + slack).all()
    assert (np.diff(result.total) >= 0).all()  # the root may lie one rounding off a grid point
    assert result.root in result.log_r
