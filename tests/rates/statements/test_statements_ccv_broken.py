"""A broken engine turns verdicts of the ledger of [CCV] red."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from rates.answer import cost, federated
from rates.answer.federated import make_terms, solve_D
from rates.maps import alike, coverage
from rates.maps import growing as growth
from rates.numbers import gaussian
from rates.statements.checks.ccv import closed, series
from rates.statements.ledger import CONTRADICTED, evaluate, statement
from rates.study import scenario
from tests.depth import deep_after


def red(names: list[str]) -> set[str]:
    """Return the statements whose used form is refuted."""
    found = (evaluate(statement(name), number=40) for name in names)
    return {f.statement.id for f in found if f.of(f.statement.used).words in CONTRADICTED}


def larger_term(n: Any, epsilon: Any, *, smoothness: Any, count: Any = 1) -> np.ndarray:
    """Solve (6) with the larger of both terms in the place of the smaller."""
    arrays = np.broadcast_arrays(*(np.asarray(x, float) for x in (n, epsilon, smoothness, count)))
    size, budget, g, many = arrays
    low, high = np.full(size.shape[:-1], -100.0), np.full(size.shape[:-1], 100.0)
    with np.errstate(invalid="ignore"):
        most = np.where(size > 0, (size * np.minimum(budget, 1e12)) ** 2, 0)
    for _ in range(60):
        v = (low + high) / 2
        right = (many * np.maximum(most, size * np.exp(v)[..., None])).sum(axis=-1)
        above = np.log(right) < (2 * g[..., 0] + 2) * v
        low, high = np.where(above, low, v), np.where(above, v, high)
    return np.exp((low + high) / 2)


def steeper(*pieces: Any, **more: Any) -> Any:
    a, b, slope, *rest = pieces
    return make_terms(a, b, slope + 1, *rest, **more)


def off_by_one(n: Any, epsilon: Any, *, smoothness: Any, count: Any = 1) -> np.ndarray:
    return solve_D(n, epsilon, smoothness=np.asarray(smoothness) + 0.5, count=count)


def without_count(n: Any, epsilon: Any, *, smoothness: Any, count: Any = 1) -> np.ndarray:
    return solve_D(n, epsilon, smoothness=smoothness, count=np.ones_like(np.asarray(count, float)))


def printed_noise(epsilon: Any, delta: Any) -> np.ndarray:
    return gaussian.printed_multiplier(epsilon, delta, gaussian.CCV_PRINTED)


def printed_laplace(*arguments: Any) -> Any:
    log_sample, log_private = CONSTANTS(*arguments)
    return log_sample, log_private + math.log(4.0)


def by_smallest(n: Any, epsilon: Any, *, smoothness: float, count: Any = 1) -> bool:
    n, epsilon = np.asarray(n, float), np.asarray(epsilon, float)
    left = ((n * epsilon) ** 2).sum() ** (1 / (2 * smoothness + 2))
    return bool(left >= (n * epsilon**2)[n > 0].min())


def uncapped_star(n: Any, epsilon: Any, *, smoothness: float, count: Any = 1) -> tuple[int, ...]:
    most = (np.asarray(n, float) * np.asarray(epsilon, float)) ** 2
    return tuple(j for j in range(most.size) if most[j] > 0 and 2 * most[j] >= most.sum())


def as_if_sampled(n: Any, epsilon: Any, *, smoothness: float, count: Any = 1) -> float:
    most = ((np.asarray(n, float) * np.asarray(epsilon, float)) ** 2).sum()
    return float(most ** (1 / (2 * smoothness + 1)))


CONSTANTS = series.constants
LEVEL, ELBOW, COST = federated.resolution_level, closed.elbow, closed.privacy_cost
POWERS, BEND, SETBACK = closed.cost_exponents, alike._bend, cost.setback
WINDOW, MARGIN, NOTES = closed.window, growth._margin, federated._integrated_delta

BREAKAGES: dict[str, tuple[Any, str, Callable[..., Any], set[str]]] = {
    "max for min": (
        federated,
        "solve_D",
        larger_term,
        {
            "CCV:Eq4:rate",
            "CCV:Sec1.2:consistency",
            "CCV:Sec1.2:local",
            "CCV:Sec1.2:spreading",
            "CCV:Eq6:root",
            "CCV:Eq6:bracket",
            "CCV:Eq6:transfer",
            "CCV:Sec2.2:merging",
            "CCV:Cor1:rate",
            "CCV:Cor1:delta",
            "CCV:Cor3:rate",
            "CCV:Sec2.2:contributions",
            "CCV:Eq9:sufficient",
            "CCV:Cor4:rate",
            "CCV:Eq13:risk",
            "CCV:Thm3.2:floor",
            "CCV:Sec4.1:choice",
            "CCV:Thm4.4:under-eight",
            "CCV:Sec4.2:group-loss",
            "CCV:Sec4.2:distance",
        },
    ),
    "one exponent off, everywhere": (
        federated,
        "make_terms",
        steeper,
        {
            "CCV:Eq4:rate",
            "CCV:Eq5:rate",
            "CCV:Eq6:root",
            "CCV:Eq6:elasticities",
            "CCV:Eq14:same-equation",
            "CCV:Sec2:free-level",
            "CCV:Eq7:rate",
            "CCV:Cor2:holder",
            "CCV:Cor3:rate",
            "CCV:Sec4.2:S",
        },
    ),
    "one exponent off, root only": (
        federated,
        "solve_D",
        off_by_one,
        {
            "CCV:Eq6:root",
            "CCV:Cor2:rate",
            "CCV:Eq7:slower",
            "CCV:Sec2.1:smoothness-spread",
            "CCV:Sec2.1:smaller-p",
            "CCV:Sec2.2:smaller-p",
        },
    ),
    "servers not counted": (
        federated,
        "solve_D",
        without_count,
        {"CCV:Eq4:rate", "CCV:Sec1.2:consistency", "CCV:Cor1:rate", "CCV:Sec2.1:smaller-p"},
    ),
    "level as printed": (
        federated,
        "resolution_level",
        lambda log_D: LEVEL(log_D / 4.0),
        {"CCV:Sec2:level", "CCV:Sec2:free-level"},
    ),
    "level one too high": (
        federated,
        "resolution_level",
        lambda log_D: LEVEL(log_D) + 1,
        {"CCV:Sec2:free-level", "CCV:Thm3.2:floor", "CCV:Thm3.4:floor"},
    ),
    "noise as printed": (gaussian, "analytic_multiplier", printed_noise, {"CCV:Sec3.2:noise"}),
    "printed noise with a quarter of the constant": (
        gaussian,
        "CCV_PRINTED",
        1.0,  # type: ignore[dict-item]
        {"CCV:Sec3.2:noise-moderate"},
    ),
    "Laplace scale as printed": (
        series,
        "constants",
        printed_laplace,
        {"CCV:Lem3.3:constant", "CCV:Sec3.3:laplace", "CCV:Lem3.1:constant"},
    ),
    "(8) by the smallest server": (
        federated,
        "privacy_binds_everywhere",
        by_smallest,
        {"CCV:Eq8:meaning", "CCV:Eq9:overlap"},
    ),
    "(9) without its last term": (federated, "dominating", uncapped_star, {"CCV:Eq9:middle"}),
    "Corollary 3 with the other exponent": (
        federated,
        "all_private_D",
        as_if_sampled,
        {"CCV:Cor3:rate", "CCV:Cor3:delta"},
    ),
    "elbow without its root": (
        closed,
        "elbow",
        lambda n, m, *, smoothness: ELBOW(n, m, smoothness=smoothness) ** 2,
        {"CCV:Eq4:boundary", "CCV:Sec2.1:larger-budget", "CCV:Cor2:window"},
    ),
    "cost with half the exponent": (
        closed,
        "privacy_cost",
        lambda n, m, epsilon, *, smoothness: np.sqrt(COST(n, m, epsilon, smoothness=smoothness)),
        {
            "CCV:Cor1:cost-factor",
            "CCV:Cor2:cost-factor",
            "CCV:Sec2.1:smoothness-budget",
            "CCV:Sec2.1:smaller-p-budget",
        },
    ),
    "exponents of spreading exchanged": (
        closed,
        "cost_exponents",
        lambda g: replace(POWERS(g), sites=POWERS(g).sites_growing, sites_growing=POWERS(g).sites),
        {"CCV:Sec2.1:smaller-p", "CCV:Sec2.1:smaller-p-fixed-n"},
    ),
    "the page's elbow without its root": (
        alike,
        "_bend",
        lambda *arguments: (BEND(*arguments)[0] ** 2, 0.0, 0.0),
        {"CCV:Eq4:boundary"},
    ),
    "ratio of roots for a ratio of rates": (
        cost,
        "setback",
        lambda answer, free: replace(SETBACK(answer, free), rate_ratio=free.D / answer.D),
        {"CCV:Cor2:cost-factor"},
    ),
    "Corollary 3 held for every study": (
        coverage,
        "privacy_binds_everywhere",
        lambda *arguments, **more: True,
        {"CCV:Eq8:meaning"},
    ),
    "window of alpha alone": (
        closed,
        "window",
        lambda n, m, *, smoothness, integrability: WINDOW(
            n, m, smoothness=smoothness + 1, integrability=integrability
        ),
        {"CCV:Cor2:window"},
    ),
    "(8) and (9) with another power on the way": (
        growth,
        "_margin",
        lambda t, m, n, epsilon, g, which: MARGIN(t, m, n, epsilon, g / 4, which),
        {"CCV:Sec2.2:takeover"},
    ),
    "delta without the servers' own sizes": (
        federated,
        "_integrated_delta",
        lambda study, D: NOTES(study, 1.0),
        {"CCV:Thm2.1:delta"},
    ),
}


@pytest.mark.parametrize("name", deep_after(3, BREAKAGES))
def test_a_broken_engine_turns_verdicts_red(name: str, monkeypatch: pytest.MonkeyPatch):
    owner, attribute, broken, expected = BREAKAGES[name]
    assert red(sorted(expected)) == set()
    monkeypatch.setattr(owner, attribute, broken)
    if attribute == "make_terms":  # a study's own equation is built beside its records
        monkeypatch.setattr(scenario, attribute, broken)
    with np.errstate(all="ignore"):
        assert red(sorted(expected)) == expected
