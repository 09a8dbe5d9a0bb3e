"""The functions that test what a claim cannot say: by other methods, by hand, and broken."""

from __future__ import annotations

import math
import re
from operator import attrgetter
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import binom, norm

from rates.answer import solve_r
from rates.ledger import entry, functions
from rates.ledger.functions import find, measure, methods, transcripts
from sims.acc.heart import read_hospital

FILES = Path(__file__).parents[4] / "shared" / "data" / "heart"


def gap(name: str, form: str = "printed", **row: float) -> float:
    """Return the gap of a test at one parameter set."""
    return float(find(name).gap({key: np.array([x]) for key, x in row.items()}, form)[0])


@pytest.mark.parametrize("count", [1, 7, 20])
@pytest.mark.parametrize("delta", [0.0, 0.05])
def test_the_best_private_test_is_the_value_of_its_linear_program(count: int, delta: float) -> None:
    grow, law = math.exp(0.4), binom.pmf(np.arange(count + 1), count, 0.62)
    step, back = np.eye(count + 1)[1:], np.eye(count + 1)[:-1]
    both = (step, back), (back, step)
    rows = np.vstack([x for a, b in both for x in (a - grow * b, grow * a - b)])
    right = np.tile(np.repeat([delta, delta + grow - 1], count), 2)
    found = linprog(law[::-1] - law, A_ub=rows, b_ub=right, bounds=(0, 1))
    best = transcripts.best_distance(count, 0.12, 0.4, delta)
    assert best == pytest.approx(-found.fun, abs=1e-9)


def test_noisy_sums_by_two_other_methods() -> None:
    size, many = np.arange(5.0), np.arange(401.0)
    plain = [binom.pmf(size, 4, p) for p in (0.5, 0.6)]
    both = [np.multiply.outer(law, law) for law in plain]
    pairs = [transcripts.released(plain, size, 0.0)] * 2
    assert transcripts.total_variation(pairs) == pytest.approx(np.abs(both[0] - both[1]).sum() / 2)
    noisy = transcripts.released([binom.pmf(many, 400, p) for p in (0.5, 0.52)], many, 15.0)
    limit = 2 * norm.cdf(8 / math.hypot(15, 10) / 2) - 1
    assert transcripts.total_variation([noisy]) == pytest.approx(limit, rel=0.01)


def test_the_risk_in_one_world_is_the_simulated_one() -> None:
    n, beta, slope = np.array([400, 300]), 0.8, np.array([1, 1.5])
    epsilon, log_delta = n**-0.1, math.log(2) + 2 * math.log(700)
    h, r = (float(solve_r(n, epsilon, slope, beta=beta, d=1, rhs=x)) for x in (log_delta, 1.0))
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
            noisy = kernel @ y / (n[j] * h) + noise[j] * generator.normal(size=25)
            mean += v[j] / v.sum() * noisy
        wrong += mean < 0
    risk = 2 * (wrong / runs * (2 * places) ** beta).sum() / 50
    bound = 6 * r ** (1 + beta) * log_delta ** ((1 + beta) / (2 * beta + 1))
    found = gap("methods.one_world", n0=400, n1=300, gamma=1.5, beta=beta, fall0=0.1, fall1=0.1)
    assert math.exp(found) == pytest.approx(risk / bound, rel=0.08)


def test_the_counts_are_those_of_the_files() -> None:
    if not FILES.is_dir():
        pytest.skip(f"no {FILES} beside the repository")
    names = ("cleveland", "hungarian", "switzerland", "va")
    for site, file in zip(methods.HOSPITALS, names, strict=True):
        text = (FILES / f"processed.{file}.data").read_text(encoding="utf-8")
        found = read_hospital(text, site)
        assert (found.n, int(found.y.sum())) == methods.HOSPITALS[site][:2]


def test_many_clipped_records_carry_the_information_of_their_normal_limit() -> None:
    n, epsilon, clip, delta = 1e5, 0.01, 1.0, 1e-6
    slope = norm.cdf(1) - norm.cdf(-1)
    variance = slope - 2 * norm.pdf(1) + 2 * norm.sf(1)
    noise = 2 * clip * float(transcripts.gaussian.analytic_multiplier(epsilon, delta))
    trace = (n * slope) ** 2 / (n * variance + noise**2)
    right = n * epsilon * math.sqrt(trace) + delta * (math.sqrt(n) * math.log(1 / delta) + n)
    found = gap("transcripts.gaussian_trace", n=n, epsilon=epsilon, clip=clip, delta=delta)
    assert found == pytest.approx(math.log(trace / min(right, n)), abs=1e-3)


def test_randomised_responses_by_their_two_binomial_laws() -> None:
    keep, below = 1 / (1 + math.exp(-0.5)), norm.cdf(-0.4)
    heads = [keep * q + (1 - keep) * (1 - q) for q in (below, 1 - below)]
    laws = [binom.pmf(np.arange(8), 7, p) for p in heads]
    group = 6 * 0.5 * (1 - 2 * below)
    right = math.sqrt(2 * 7 * min(group * math.expm1(group), 0.8**2 / 2))
    found = gap("transcripts.one_bit", m=7, epsilon=0.5, shift=0.8)
    assert found == pytest.approx(math.log(abs(laws[0] - laws[1]).sum() / 2 / right))


def test_the_sum_of_cut_weights():
    row = {"accuracy": np.array([0.1]), "failure": np.array([0.1]), "share": np.array([0.2])}
    n = math.ceil(150 / 0.2 * math.log(40) / 0.01)
    above = binom.sf(math.floor(1.0125 * n * 0.2), n, 0.2)
    below = binom.cdf(math.ceil(0.9625 * n * 0.2) - 1, n, 0.2)
    expected = math.log(max(above, below) / 0.025)
    assert methods.TESTS["cut_weights"].gap(row, "printed")[0] == pytest.approx(expected, rel=1e-6)


CELL = {"n": 1e4, "epsilon": 0.5, "delta": 1e-6}
COUNT = {"n": 300, "p": 0.5, "q": 0.52, "epsilon": 1e-3, "delta": 1e-6}
SUM = {"n": 60, "shift": 0.1, "epsilon": 1e-3, "delta": 1e-6}
RECORDS = {"n": 40.0, "signal": 0.05, "epsilon": 0.01, "delta": 0.0}
COUPLED = {"S": 7.0} | {f"{k}{j}": x for j in range(3) for k, x in COUNT.items()}
CLIPPED = {"S": 3.0, "clip": 2.0} | {f"{k}{j}": x for j in (1, 2) for k, x in SUM.items()}


def of_another(factor):
    """What calls a function with another third number."""
    return lambda f: lambda n, m, third, *more: f(n, m, factor * third, *more)


@pytest.mark.parametrize(
    ("of", "given", "name", "wrong"),
    [
        ("transcripts.one_cell", CELL | {"beta": 0.5, "d": 1.0}, "error", of_another(4)),
        ("transcripts.two_curves", CELL | {"smoothness": 0.7}, "error", of_another(4)),
        ("transcripts.best_transcript", RECORDS, "best_distance", of_another(60)),
        ("transcripts.best_transcript", RECORDS, "best_distance", of_another(1 / 3)),
        (
            "transcripts.coupling",
            COUPLED,
            "gaussian.analytic_multiplier",
            lambda f: lambda *a: 1e-9,
        ),
        (
            "transcripts.clipped_sums",
            CLIPPED,
            "gaussian.analytic_multiplier",
            lambda f: lambda *a: 1e-9,
        ),
        ("methods.users", "reading", "needs.users_enough", lambda f: lambda *a: 0.3 * f(*a)),
        ("methods.dense_regret", "printed", "project", lambda f: lambda w, k: f(-30 * w, k)),
        ("methods.smooth", "printed", "_smoothness", lambda f: lambda *a: 0.3 * f(*a)),
        ("methods.best", "reading", "best_accuracy", lambda f: lambda *a: 0.8),
    ],
)
def test_another_signal_noise_or_number_than_they_owe_leaves_the_bound(
    monkeypatch, of, given, name, wrong
):
    def measured():
        if isinstance(given, dict):
            return gap(of, **given)
        return measure(find(of), given, np.random.default_rng(1)).worst

    assert measured() <= 0
    name = f"{of.partition('.')[0]}.{name}"
    honest = attrgetter(name)(functions)
    monkeypatch.setattr(f"rates.ledger.functions.{name}", wrong(honest))
    assert measured() > 0


def test_what_the_printed_forms_miss():
    hits = [round(value * 3) for law in methods.LAWS for value in methods.TABLE_1[law]]
    told = re.findall(r"\b2\d\d\b", " ".join(entry("DPLR:Tab1:one-run").argument))
    assert [int(k) for k in told] == hits
    off = {"law": np.zeros(2), "percent": np.array([96.67, 96.5])}
    assert list(methods.TESTS["hits"].gap(off, "printed") > 0) == [False, True]
    for of, least in (("methods.best", 0.0), ("methods.users", 0.01)):
        assert measure(find(of), "printed", np.random.default_rng(1)).worst > least
