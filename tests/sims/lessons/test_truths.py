"""Every truth of the lessons by another method, and every number of their explanations."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pytest
from scipy.optimize import brentq

from rates import tally
from rates.study import preset
from sims.lessons import LESSONS, ROUNDS, Truth, own, question, rounds, runs, truth
from sims.real import stored

CLOSE = 1e-3
# As printed in the plan of the lessons, to the digits given there. Risks were also found by a
# second program; the tests of `sims.ccv` hold them by enumeration.
PRINTED = {
    "odds-transfer": {"person": 3, "three": 95.3, "both": 2, "two_sites": 88.1},
    "twice": {"free": 0.615, "private": 0.491, "halved": 2.14, "actual": 1.93},
    "twice-transfer": {"records": 0.491, "budget": 0.498},
    "spread": {"free": 1.00, "private": 3.03, "whole": 8.88, "asymptotic": 3.16},
    "spread-transfer": {"point": 3.98, "curve": 4.64},
    "back": {"first": 0.0033, "second": 0.1776},
    "back-transfer": {"printed": 1.585, "corrected": 0.2154},
    "noise-transfer": {"true": 19.4, "valid": 8.92, "triangular": 21, "gaussian": 48},
}
CHOSEN = {
    0: ("carry-transfer", "rate-transfer"),
    1: ("spread-transfer", "back-transfer", "columns-transfer", "rate"),
    2: ("odds-transfer", "twice-transfer", "back", "noise-transfer"),
}


def of(key: str) -> Truth:
    return truth(question(key))


def digits(value: float) -> float:
    """Half a unit of the last digit of a number as it is written."""
    text = f"{value:.12g}"
    return 0.5 * 10.0 ** -len(text.partition(".")[2]) * 1.001


def test_numbers_are_those_of_the_plan_and_one_option_is_right():
    for key, said in PRINTED.items():
        for name, value in said.items():
            assert of(key).said.number(name) == pytest.approx(value, abs=digits(value))
    for place, keys in CHOSEN.items():
        for low, high in ((of(key).low, of(key).high) for key in keys):
            assert low == high == tuple(float(k == place) for k in range(len(low)))


# Written a second time, and without the engine -----------------------------------------------

Site = tuple[float, float, float, float]  # n, epsilon, sigma over sensitivity, signal exponent


def root(rises: Callable[[float], float], low: float = 1e-12, high: float = 1e12) -> float:
    """Where a rising function of a positive number is 0, on the scale of logs."""
    ends = math.log(low), math.log(high)
    return math.exp(brentq(lambda log: rises(math.exp(log)), *ends, xtol=1e-13, rtol=1e-14))


def sigma(epsilon: float, delta: float) -> float:
    """The least Gaussian noise over sensitivity, by the public library."""
    from dp_accounting import gaussian_mechanism

    return float(gaussian_mechanism.get_sigma_gaussian(epsilon, delta)) if epsilon < math.inf else 0


# The classifier: sum_j r^(2 beta gamma_j) / V_j(r) = 1 ----------------------------------------


def transfer_terms(
    sites: Iterable[Site], r: float, beta: float, d: int, kappa: float | None
) -> list[float]:
    """Each site's part of the equation, of the mechanism where it has a kappa."""
    out = []
    for n, epsilon, noise, gamma in sites:
        if kappa is None:
            part = min(n * r**d, (n * epsilon) ** 2 * r ** (2 * d))
        else:
            h = (kappa * r) ** d
            part = 1.0 / (0.25 * (2 / 3) ** d / (n * h) + (noise / (n * h)) ** 2)
        out.append(r ** (2 * beta * gamma) * part)
    return out


def radius(sites: Sequence[Site], beta: float, d: int, kappa: float | None) -> float:
    return root(lambda r: sum(transfer_terms(sites, r, beta, d, kappa)) - 1.0)


# The curve: sum_j C D^(-2g) / V_j(D) = 1 --------------------------------------------------------


def series_terms(
    sites: Iterable[Site], K: float, g: float, b: float | None, v: float = 2.0
) -> list[float]:
    """Each site's part; of the mechanism with noise b times the square of noise over n."""
    if b is None:
        return [min((n * e) ** 2, n * K) * K ** (-2 * g - 2) for n, e, _, _ in sites]
    return [K ** (-2 * g) / (v * K / n + b * (K * s / n) ** 2) for n, _, s, _ in sites]


def dimension(sites: Sequence[Site], g: float, b: float | None) -> float:
    return root(lambda K: 1.0 - sum(series_terms(sites, K, g, b)))


# By another method ------------------------------------------------------------------------------


def test_scores_of_a_game_by_scipy_and_by_playing():
    from scipy.stats import binom, laplace

    law = binom(ROUNDS, laplace(scale=1.0).cdf(0.5))  # the noise stays on the record's side
    low, high = law.ppf([0.1, 0.9])
    assert (*of("attack-transfer").low, *of("attack-transfer").high) == (low, high)
    best = law.ppf(np.array([0.1, 0.5, 0.9]) ** (1 / 60))  # of sixty, who all stay below
    assert (*of("attack").low, of("attack").said["best"], *of("attack").high) == tuple(best)
    assert of("attack").said.number("mean") == pytest.approx(law.mean())
    assert of("attack").said.number("swing") == pytest.approx(law.std())
    played = [rounds(seed, ROUNDS, "you") for seed in range(60 * 40)]
    right = [
        sum((x + z > 0.5) == x for x, z in zip(one.records, one.noise, strict=True))
        for one in played
    ]
    error = law.std() / math.sqrt(len(right))
    assert abs(np.mean(right) - of("attack").said.number("mean")) < 4 * error
    tops = np.reshape(right, (40, 60)).max(axis=1)
    assert of("attack").low[0] <= np.median(tops) <= of("attack").high[0]


def test_errors_of_a_class_are_those_of_its_laws():
    said_yes, noise = np.arange(61), np.arange(-200, 201)
    turned = [math.comb(30, k) * 0.25**k * 0.75 ** (30 - k) for k in range(31)]
    law = np.convolve(turned, turned[::-1])  # of 30 with yes and 30 with no
    coins = math.sqrt(float((law * ((said_yes - 30) / 60 / 0.5) ** 2).sum()))
    tally = math.sqrt(float((0.5 * (1 / 3) ** np.abs(noise) * noise**2).sum())) / 60
    said = of("class").said
    assert said.number("coins") == pytest.approx(coins, rel=1e-9)
    assert said.number("noise") == pytest.approx(tally, rel=1e-9)
    assert of("class").low[0] == pytest.approx(coins / tally)
    others = [said.number(name) for name in ("ratio", "small", "large", "thousand")]
    assert others == pytest.approx([math.sqrt(n / 2) for n in (60, 12, 200, 1000)])


def test_classes_that_are_drawn_have_these_errors():
    rng = np.random.default_rng(3)
    for share, error in ((runs.by_coins, tally.coin_error), (runs.by_tally, tally.laplace_error)):
        squares = [(share(30, 60, runs.BUDGET, rng) - 0.5) ** 2 for _ in range(2000)]
        spread = np.std(squares) / math.sqrt(len(squares))
        assert abs(np.mean(squares) - error(60, runs.BUDGET) ** 2) < 4 * spread


def test_phones_are_worth_what_a_second_program_says():
    phones = [(1.0, 1.0, sigma(1.0, 1e-9), 1.0)]
    many = 10**6  # of them: a sum of equal terms
    D = root(lambda K: 1 - many * series_terms(phones, K, 1.0, None)[0])
    K = root(lambda K: 1 - many * series_terms(phones, K, 1.0, 4 * 16 * 2)[0])
    laplace = [(1.0, 1.0, 1.0, 1.0)]
    at = root(lambda K: 1 - many * series_terms(laplace, K, 1.0, 8 * 16 * 4)[0])
    found = of("class-transfer")
    assert found.low == pytest.approx((D**3, 2 * K**3), rel=CLOSE)
    assert (found.said["equation"], found.said["mechanism"]) == found.low
    assert found.said.number("point") == pytest.approx(2 * at**3, rel=CLOSE)
    assert found.said.number("power") == pytest.approx(3 / 4)


def _five(factor: float = 1.0, at: int = -1, records: float = 1.0) -> list[Site]:
    rows = []
    for j, s in enumerate(preset("unequal").study.servers):
        n = s.n * (records if j == at else 1.0)
        epsilon = s.epsilon * (factor if at in (j, -1) else 1.0)
        rows.append((n, epsilon, sigma(epsilon, s.delta), 1.0))
    return rows


def test_shares_of_five_hospitals_by_a_second_program():
    g, b = 1.5, 4 * 16 * 2.0
    said = of("carry").said
    K, D = dimension(_five(), g, b), dimension(_five(), g, None)
    low = [100 * x for x in series_terms(_five(), K, g, b)]
    assert of("carry").low == of("carry").high == pytest.approx(low, rel=CLOSE)
    assert said.numbers("mechanism") == of("carry").low
    equation = [100 * x for x in series_terms(_five(), D, g, None)]
    assert said.numbers("equation") == pytest.approx(equation, rel=CLOSE)
    strict = _five(0.05)
    D = dimension(strict, g, None)
    felt = [100 * x for x in series_terms(strict, D, g, None)]
    assert said.numbers("strict") == pytest.approx(felt, rel=CLOSE)
    # Elasticities by a step of a ten-thousandth.
    step = 1.0001
    more = [
        math.log(dimension(rows, g, b) / K) / math.log(step)
        for rows in (_five(1.0, 0, step), _five(step, 0))
    ]
    gains = of("carry-transfer").said
    assert (gains["records"], gains["budget"]) == pytest.approx(more, rel=CLOSE)
    assert gains["budget_equation"] == 0.0


def test_the_sample_kept_by_a_second_program():
    study = own.REGISTRIES
    g, b = study.smoothness, 4 * 16 * 2.0

    def kept(factor: float, b: float | None) -> float:
        """A worth is the number of records that resolve as much: the dimension to 2g + 1."""
        ends = []
        for times in (factor, math.inf):
            budgets = [s.epsilon * times for s in study.servers]
            rows = [
                (s.n, e, sigma(e, s.delta), 1.0)
                for s, e in zip(study.servers, budgets, strict=True)
            ]
            ends.append(dimension(rows, g, b))
        return (ends[0] / ends[1]) ** (2 * g + 1)

    assert of("free").low == pytest.approx([100 * kept(f, b) for f in (0.1, 1, 10)], rel=CLOSE)
    said, half = of("free").said, of("free-transfer")
    assert said.numbers("equation") == pytest.approx([kept(f, None) for f in (0.1, 1, 10)])
    total = sum(s.n for s in study.servers) ** (1 / (2 * g + 1))
    elbow = max(math.sqrt(total / s.n) for s in study.servers)
    assert said.number("elbow") == pytest.approx(elbow, rel=CLOSE)
    ratio = kept(1.0, b) ** (-2 * g / (2 * g + 1))
    assert said.numbers("ratio") == pytest.approx([ratio] * 2, rel=CLOSE)
    assert kept(half.low[0], b) == pytest.approx(0.5, rel=CLOSE)
    assert kept(half.said.number("half_equation"), None) == pytest.approx(0.5, rel=CLOSE)


def test_a_transfer_studys_worth_by_a_second_program():
    study = preset("hospitals").study

    def sites(factor: float) -> list[Site]:
        return [
            (s.n, e := s.epsilon * factor, sigma(e, 1e-6), s.signal_exponent) for s in study.servers
        ]

    def kept(factor: float, kappa: float | None) -> float:
        free, mine = (radius(sites(f), 0.5, 2, kappa) for f in (math.inf, factor))
        return (free / mine) ** 3

    own_truth, half = (truth(question(key, study), study) for key in ("free", "free-transfer"))
    found = [[100 * kept(f, k) for k in (1.0, 2.0, 3.0)] for f in (0.1, 1.0, 10.0)]
    assert own_truth.low == pytest.approx([min(x) for x in found], rel=CLOSE)
    assert own_truth.high == pytest.approx([max(x) for x in found], rel=CLOSE)
    # What is counted in the target's records is not the part of every site's that would do.
    assert 100 * kept(0.1, None) == pytest.approx(9.0, abs=0.05)
    for end, kappa in ((half.low, 3.0), (half.high, 1.0)):  # that the half is kept just there
        assert kept(end[0], kappa) == pytest.approx(0.5, rel=CLOSE)


def test_noise_means_what_records_can_move():
    rng = np.random.default_rng(0)
    x = np.abs(rng.standard_normal((4000, 50)))
    x[0] = 1.0  # all alike: the largest sum of absolute values at norm 1
    sums = (x / np.linalg.norm(x, axis=1, keepdims=True)).sum(axis=1)
    moved = 2 * (0.5 * sums + 0.125 * sums**2)
    assert of("noise").low[0] == pytest.approx(moved.max() / 0.1, rel=1e-9)
    said = of("noise").said
    assert said["once"] == of("noise").low[0]
    norm = said.number("norm")
    assert said.number("typical") == pytest.approx(2 * (0.5 * norm + 0.125 * norm**2) / 0.1)
    assert said.number("asked") == pytest.approx(moved.max())


def test_terms_of_a_rate_by_hand():
    d, n, epsilon = 20.0, 1e4, 0.01
    sampling, privacy = d / n, (d / (n * epsilon)) ** 2
    assert privacy > sampling
    assert of("rate").said["crossing"] == pytest.approx(d / epsilon**2)
    after = max(d / (10 * n), (d / (10 * n * epsilon)) ** 2)
    assert of("rate-transfer").said["factor"] == pytest.approx(after / privacy)


def test_real_pupils_are_those_of_the_stored_run():
    found = stored("chem97")
    factors = {one.name: one for one in found.findings.factors}
    half, every = factors["half of the records"], factors["every site"]
    said = LESSONS["pupils"]
    assert f"{found.records:,} pupils of {found.sites} local" in said.read
    assert f"from ε = {half.epsilon:.2f} half" in said.read
    told = (f"ε = {half.epsilon:.2f}", f"ε = {every.epsilon:.2f}")
    assert all(one in part for one, part in zip(told, said.transfer.parts, strict=False))
    assert (*of("pupils").low, *of("pupils").high) == (half.low, half.high)
    assert of("pupils-transfer").low[2 if every.high > 2 else 1] == 1.0
