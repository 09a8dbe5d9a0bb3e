"""Two servers with a column each: what leaves them is private, and the error is the exact one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from rates import columns
from rates.orders import Claim, crossings, decide
from sims.cac import APART, LISTENING, SPLIT, two_servers
from sims.engine import Estimate, Request, account, fits, generators, run
from tests.sims.gates import Gate, accounted

NAMES = {
    two_servers.apart: ("server 1", "server 2"),
    two_servers.listening: (two_servers.SPEAKER, two_servers.LISTENER),
}
WAYS = pytest.mark.parametrize("way", NAMES)
BUDGETS = (0.9, 0.25)


def send(way, budgets, column: int = 0, replaced: dict[int, float] | None = None) -> None:
    """Records of 90 people go their way, some with a column of theirs replaced."""
    both = two_servers.records(90, 0.5, np.random.default_rng(3))
    for place, value in (replaced or {}).items():
        both[column][place] = value
    way(*both, *budgets, np.random.default_rng(0))


# What leaves a server --------------------------------------------------------------------------


@pytest.mark.parametrize("budgets", [BUDGETS, BUDGETS[::-1]])
@WAYS
def test_each_server_spends_its_own_budget_and_no_more(way, budgets):
    with account() as book:
        send(way, budgets)
    found = book.by_record()
    assert tuple(found) == NAMES[way]
    spent = budgets if way is two_servers.apart else BUDGETS  # the larger one speaks
    for releases, epsilon in zip(found.values(), spent, strict=True):
        assert accounted(releases, epsilon) <= 1e-6  # by another library
        assert accounted(releases, 0.9 * epsilon) > 1e-3


@pytest.mark.parametrize("column", [0, 1])
@pytest.mark.parametrize("value", [1e9, -1e9])
@WAYS
def test_a_replaced_value_moves_no_release_by_more_than_is_declared(
    way, column, value, monkeypatch
):
    gate = Gate().stand_in(monkeypatch, two_servers)
    send(way, BUDGETS)
    before, moved = gate.heard, []
    for place in range(0, 90, 7):
        gate.heard = []
        send(way, BUDGETS, column, {place: value})
        moved += [
            float(np.abs(one.value - other.value).sum()) / one.said["sensitivity"]
            for one, other in zip(before, gate.heard, strict=True)
        ]
    assert max(moved) == pytest.approx(1.0)  # and somewhere by just that


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_a_sign_is_flipped_as_often_as_its_budget_allows(epsilon):
    """The odds of a kept sign are those of the promise, for either sign."""
    for sign in (-0.3, 0.3):
        sent = two_servers.spoken(np.full(100_000, sign), epsilon, np.random.default_rng(5))
        kept = int((np.sign(sign) == sent).sum())
        chance = math.exp(epsilon) / (1.0 + math.exp(epsilon))
        assert stats.binomtest(kept, 100_000, chance).pvalue > 1e-4
    assert math.log(chance / (1.0 - chance)) == pytest.approx(epsilon)


# The error -------------------------------------------------------------------------------------


def drawn(way, n: int, rho: float, budgets: tuple[float, float], many: int) -> np.ndarray:
    draws = generators(1, way.__name__, indices=range(many))
    return np.array([way(*two_servers.records(n, rho, one), *budgets, one) for one in draws])


@pytest.mark.parametrize(
    ("n", "first", "second", "rho"), [(400, 1, 0.2, 0.6), (900, 0.5, 3, -0.8), (50, math.inf, 1, 0)]
)
def test_the_error_of_listening_is_exact(n, first, second, rho):
    errors = (drawn(two_servers.listening, n, rho, (first, second), 1500) - rho) ** 2
    exact = columns.listening_error(n, first, second, rho)
    assert errors.mean() == pytest.approx(exact, abs=4 * errors.std() / 1500**0.5)


@pytest.mark.parametrize(("first", "second", "rho"), [(1, 1, 0), (1, 0.3, 0.7), (4, 4, -0.5)])
def test_the_variance_of_two_apart_is_exact(first, second, rho, monkeypatch):
    """Where means over many batches are not normal, the variance of the sign's mean is exact."""
    monkeypatch.setattr(two_servers, "_turned", float)  # the mean product of signs itself
    found = drawn(two_servers.apart, 500, rho, (first, second), 2000)
    exact = columns.apart_variance(500, first, second, rho)
    spread = ((found - found.mean()) ** 2).std() / 2000**0.5
    assert found.var() == pytest.approx(exact, abs=4 * spread)
    assert found.mean() == pytest.approx(columns.agreement(rho), abs=4 * (exact / 2000) ** 0.5)


def test_the_error_of_two_apart_is_about_that_of_a_normal_mean():
    errors = (drawn(two_servers.apart, 5_000, 0.4, (1.0, 0.5), 1000) - 0.4) ** 2
    about = columns.apart_error(5_000, 1.0, 0.5, 0.4)
    assert errors.mean() == pytest.approx(about, abs=4 * errors.std() / 1000**0.5)


# The rate --------------------------------------------------------------------------------------


def test_the_rate_is_the_language_s_own():
    order = columns.order(columns.LISTENING)
    ((first, second, at),) = [(c.first, c.second, str(c.at)) for c in crossings(order, "eps2")]
    assert (first, second, at) == ("speaker", "listener", "n^(-1/2)")
    both = f"max({columns.LISTENING}, {columns.APART})"
    where = ("eps2 <= eps1", "n*eps1^2 >= 1")
    claim = Claim(columns.order(both), columns.order(columns.APART), where)
    assert decide(claim, {}).holds  # so listening is never worse, where anything is seen
    assert not decide(Claim(claim.order, claim.equals, where[:1]), {}).holds


def test_the_experiment_has_the_rate_s_slopes_and_the_exact_errors():
    values = {"n": 10**6, "epsilon_2": tuple(np.geomspace(1e-4, 1.0, 20))}
    points = Request(experiment=SPLIT, values=values, replicates=2).points
    known = [p.exact or columns.apart_error(10**6, 1.0, p.x, 0.3) for p in points]
    exact = [Estimate(error, 1e-3 * error, 9) for error in known]
    for fit in fits(points, exact):
        assert fit.theory == pytest.approx(-2.0)
        assert fit.slope is not None
        assert fit.slope.value == pytest.approx(-2.0, abs=0.15)
    assert {p.left_out for p in points} == {"", "saturated", "another term counts"}
    values = {"n": 2000, "epsilon_2": (0.05, 0.3)}
    *_, last = run(Request(experiment=SPLIT, values=values, replicates=200, seed=1))
    errors = {(p.series, p.x): (p.exact, e) for p, e in last.seen()}
    for x in values["epsilon_2"]:
        (exact, listening), (_, apart) = errors[LISTENING, x], errors[APART, x]
        assert listening.mean == pytest.approx(exact, abs=4 * listening.stderr)
        assert listening.high < apart.low
