"""Two servers with a column each: what leaves them is private, and the error is the exact one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from rates import columns
from rates.orders import Claim, crossings, decide
from sims.cac import APART, LISTENING, SPLIT, two_servers
from sims.engine import Request, account, fits, generators, run
from tests.sims.gates import Gate, accounted

NAMES = {
    two_servers.apart: ("server 1", "server 2"),
    two_servers.listening: (two_servers.SPEAKER, two_servers.LISTENER),
}
WAYS = pytest.mark.parametrize("way", NAMES)
BUDGETS = (0.9, 0.25)


def world() -> tuple[np.ndarray, np.ndarray]:
    return two_servers.records(90, 0.5, np.random.default_rng(3))


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


# What leaves a server --------------------------------------------------------------------------


@pytest.mark.parametrize("budgets", [BUDGETS, BUDGETS[::-1]])
@WAYS
def test_each_server_spends_its_own_budget_and_no_more(way, budgets):
    with account() as book:
        way(*world(), *budgets, rng())
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
    way(*world(), *BUDGETS, rng())
    before, moved = gate.heard, []
    for place in range(0, 90, 7):
        both = world()
        both[column][place] = value
        gate.heard = []
        way(*both, *BUDGETS, rng())
        moved += [
            float(np.abs(one.value - other.value).sum()) / one.said["sensitivity"]
            for one, other in zip(before, gate.heard, strict=True)
        ]
    assert max(moved) == pytest.approx(1.0)  # and somewhere by just that


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_a_sign_is_flipped_as_often_as_its_budget_allows(epsilon):
    """The odds of a kept sign are those of the promise, for either sign."""
    for sign in (-0.3, 0.3):
        sent = two_servers.spoken(np.full(100_000, sign), epsilon, rng(5))
        kept = int((np.sign(sign) == sent).sum())
        chance = math.exp(epsilon) / (1.0 + math.exp(epsilon))
        assert stats.binomtest(kept, 100_000, chance).pvalue > 1e-4
    assert math.log(chance / (1.0 - chance)) == pytest.approx(epsilon)


# The error -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "first", "second", "rho"), [(400, 1, 0.2, 0.6), (900, 0.5, 3, -0.8), (50, math.inf, 1, 0)]
)
def test_errors_are_the_exact_ones(n, first, second, rho):
    """Where means over many batches are not normal, the variance of the sign's mean is exact."""
    drawn = {way: [] for way in NAMES}
    for way in NAMES:
        for one in generators(1, way.__name__, indices=range(1500)):
            drawn[way].append(way(*two_servers.records(n, rho, one), first, second, one))
    errors = (np.array(drawn[two_servers.listening]) - rho) ** 2
    exact = columns.listening_error(n, first, second, rho)
    assert errors.mean() == pytest.approx(exact, abs=4 * errors.std() / len(errors) ** 0.5)


@pytest.mark.parametrize(("first", "second", "rho"), [(1, 1, 0), (1, 0.3, 0.7), (4, 4, -0.5)])
def test_the_variance_of_two_apart_is_exact(first, second, rho, monkeypatch):
    monkeypatch.setattr(two_servers, "_turned", float)  # the mean product of signs itself
    found = np.array(
        [
            two_servers.apart(*two_servers.records(500, rho, one), first, second, one)
            for one in generators(2, "apart", indices=range(3000))
        ]
    )
    exact = columns.apart_variance(500, first, second, rho)
    spread = ((found - found.mean()) ** 2).std() / len(found) ** 0.5
    assert found.var() == pytest.approx(exact, abs=4 * spread)
    assert found.mean() == pytest.approx(columns.agreement(rho), abs=4 * (exact / 3000) ** 0.5)


def test_the_error_of_two_apart_is_about_that_of_a_normal_mean():
    found = np.array(
        [
            two_servers.apart(*two_servers.records(20_000, 0.4, one), 1.0, 0.5, one)
            for one in generators(3, "about", indices=range(800))
        ]
    )
    errors = (found - 0.4) ** 2
    about = columns.apart_error(20_000, 1.0, 0.5, 0.4)
    assert errors.mean() == pytest.approx(about, rel=0.02, abs=4 * errors.std() / 800**0.5)


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


def test_the_experiment_fits_the_rate_s_slopes():
    budgets = (0.001, 0.002, 0.003, 0.005, 0.007, 0.02, 0.12, 0.16, 0.2, 0.5, 1.0)
    values = {"n": 20_000, "epsilon_2": budgets}
    *_, last = run(Request(experiment=SPLIT, values=values, replicates=120, seed=1))
    points = last.request.points
    for fit, near in zip(fits(points, last.estimates), (0.25, 0.8), strict=True):
        assert fit.theory == pytest.approx(-2.0)
        assert fit.slope is not None
        assert fit.slope.value == pytest.approx(-2.0, abs=near)
    assert {p.left_out for p in points} == {"", "saturated", "another term counts"}
    errors = {(p.series, p.x): e for p, e in last.seen()}
    for x in {p.x for p in points if p.x < 1}:
        assert errors[LISTENING, x].high < errors[APART, x].low
