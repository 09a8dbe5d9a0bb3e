"""The smallest size or budget that reaches a rate: vectors, the equations themselves, limits."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rates
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import Server, Study, TransferStudy
from tests.rates.plan.plan_cases import INF, changed, log_rate, random_study

FILE = Path(__file__).parents[4] / "shared" / "vectors" / "vectors.json"


def number(text: str) -> float:
    return INF if text in {"inf", "infeasible"} else float(text)


def found(study: Study, quantity: str, servers: str, rate: float) -> float:
    """The smallest value, with infinity for a rate out of reach."""
    try:
        return rates.smallest(study, quantity, servers, rate=rate)
    except rates.Unreachable:
        return INF


def test_inverse_vectors() -> None:
    if not FILE.exists():
        pytest.skip(f"no ../shared/vectors/{FILE.name} beside the repository")
    vectors = json.loads(FILE.read_text(encoding="utf-8"))["vectors"]
    cases = [v for v in vectors if v["kind"] == "inverse"]
    assert len(cases) == 6
    for case in cases:
        given, expected = case["input"], case["expected"]
        rows = [
            Server(
                name=f"s{i}",
                n=int(row["n"]),
                epsilon=number(row["eps"]),
                signal_exponent=float(row["gamma"]),
            )
            for i, row in enumerate(given["servers"])
        ]
        study = TransferStudy(
            target=rows[0],
            sources=rows[1:],
            smoothness=float(given["beta"]),
            dimension=given["d"],
            margin=float(given["alpha"]),
        )
        rate, j = float(given["target_rate"]), f"s{given['j']}"
        answers = {
            "min_common_eps": found(study, "epsilon", "all", rate),
            "min_n0": found(study, "n", "s0", rate),
            "min_n_j": found(study, "n", j, rate),
            "min_eps_j": found(study, "epsilon", j, rate),
        }
        for key, value in answers.items():
            assert value == pytest.approx(number(expected[key]), rel=1e-10), (case["id"], key)


def test_smallest_inverts_the_equations_on_random_studies() -> None:
    """Rates above and below today's: the value reaches it, and a thousandth less does not."""
    rng = np.random.default_rng(0)
    reached = out_of_reach = needless = 0
    for _ in range(500):
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
    assert min(reached, out_of_reach, needless) > 25


def test_a_row_that_can_add_nothing_is_out_of_reach() -> None:
    silent = TransferStudy(
        target=Server(name="T", n=100, epsilon=1),
        sources=[Server(name="S", n=100, epsilon=0)],
        smoothness=1,
        dimension=1,
        margin=0,
    )
    with pytest.raises(rates.Unreachable, match="S can add nothing"):
        rates.smallest(silent, "n", "S", rate=0.001)


@pytest.mark.parametrize("rate", [0, 1, 1.5, -0.1, math.nan, True, "0.5", None])
def test_rates_outside_the_open_interval_are_refused(rate: Any) -> None:
    with pytest.raises(DomainError, match="Target rate must be between 0 and 1"):
        rates.smallest(preset("hospitals").study, "n", "all", rate=rate)
