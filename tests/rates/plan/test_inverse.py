"""The smallest size or budget that reaches a rate: vectors, the equations themselves, limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rates
from rates.numbers import DomainError
from rates.study import Study, preset
from tests.rates.made import INF, site, transfer, vectors
from tests.rates.plan.plan_cases import changed, log_rate, random_study


def number(text: str) -> float:
    return INF if text in {"inf", "infeasible"} else float(text)


def found(study: Study, quantity: str, servers: str, rate: float) -> float:
    """The smallest value, with infinity for a rate out of reach."""
    try:
        return rates.smallest(study, quantity, servers, rate=rate)
    except rates.Unreachable:
        return INF


def test_inverse_vectors():
    for case in vectors("inverse", 6):
        given, expected = case["input"], case["expected"]
        rows = [
            site(f"s{i}", int(row["n"]), number(row["eps"]), signal_exponent=float(row["gamma"]))
            for i, row in enumerate(given["servers"])
        ]
        shape = {"beta": float(given["beta"]), "d": given["d"], "alpha": float(given["alpha"])}
        study, j = transfer(*rows, **shape), f"s{given['j']}"
        asked = {
            "min_common_eps": ("epsilon", "all"),
            "min_n0": ("n", "s0"),
            "min_n_j": ("n", j),
            "min_eps_j": ("epsilon", j),
        }
        for key, place in asked.items():
            value = found(study, *place, float(given["target_rate"]))
            assert value == pytest.approx(number(expected[key]), rel=1e-10), (case["id"], key)


def test_smallest_inverts_the_equations_on_random_studies() -> None:
    """Rates above and below today's: the value reaches it, and a thousandth less does not."""
    rng = np.random.default_rng(0)
    reached = out_of_reach = needless = 0
    for _ in range(250):
        study = random_study(rng, most=50)
        rate = min(0.99, math.exp(log_rate(study) * rng.uniform(0.5, 1.5)))
        quantity = str(rng.choice(["n", "epsilon"]))
        servers = str(rng.choice(["all", *(s.name for s in study.servers)]))
        value = found(study, quantity, servers, rate)

        def rate_at(x: float) -> float:
            return math.exp(log_rate(study, changed(study, quantity, servers, x)))  # noqa: B023

        if value == 0.0:
            needless += 1
            assert rate_at(0.0) <= rate * (1 + 1e-12)
        elif math.isinf(value):
            out_of_reach += 1
            assert rate_at(1e150) > rate * (1 - 1e-9)
        else:
            reached += 1
            assert rate_at(value) == pytest.approx(rate, rel=1e-10)
            # A site with a tiny share moves the rate by less than rounding.
            assert rate_at(value * 0.999) > rate * (1 - 1e-13)
    assert min(reached, out_of_reach, needless) > 12


def test_a_row_that_can_add_nothing_is_out_of_reach() -> None:
    silent = transfer(site("T", 100), site("S", 100, 0))
    with pytest.raises(rates.Unreachable, match="S can add nothing"):
        rates.smallest(silent, "n", "S", rate=0.001)


@pytest.mark.parametrize("rate", [0, 1, 1.5, -0.1, math.nan, True, "0.5", None])
def test_rates_outside_the_open_interval_are_refused(rate: Any) -> None:
    with pytest.raises(DomainError, match="Target rate must be between 0 and 1"):
        rates.smallest(preset("hospitals").study, "n", "all", rate=rate)
