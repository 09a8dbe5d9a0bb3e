"""The ledger of [BCMM]: verdicts, counterexamples, and what its checks rest on."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from rates.statements.checks import find
from rates.statements.checks.bcmm import privacy
from rates.statements.covered import coverage
from rates.statements.ledger import statements_of

LEDGER = statements_of("BCMM")
TESTED = [item for item in LEDGER if item.check is not None]
CORRECTED = [item for item in TESTED if item.reading is not None]


def test_every_numbered_place_of_the_paper_has_a_record():
    text = " ".join(item.id for item in LEDGER)
    for name in ("Thm4.2", "Thm4.3", "Thm5.2", "ThmB.1", "Lem4.1", "Lem5.1"):
        assert f"BCMM:{name}:" in text
    placed = {int(k) for k in re.findall(r"BCMM:Eq(\d+):", text)}
    assert placed == {2, 3, 5, 6, 9, 20, 23}
    assert len(LEDGER) >= 35
    assert len(CORRECTED) >= 15
    assert [row.section for row in coverage("BCMM")] == list("1234567ABCDEF")


@pytest.mark.parametrize(
    ("name", "key", "factor"),
    [
        ("bcmm_privacy.gradient_w", "radius", 0.5),  # G and B computed from half of the radius
        ("bcmm_privacy.gradient_u", "bound", 0.5),
        ("bcmm_weights.gradients", "alpha", 0.3),
        ("bcmm_weights.moves", "bound", 0.2),
    ],
)
def test_a_smaller_bound_would_be_refuted(name: str, key: str, factor: float):
    """The hypotheses of proved bounds are used: with a smaller bound draws fail."""
    check = find(name)
    draws = dict(check.draw(np.random.default_rng(0), 3_000))
    assert check.gap(draws, "printed").max() <= check.tolerance
    if key == "alpha":
        broken = check.gap(draws, "printed") - math.log(factor)
    else:
        broken = check.gap({**draws, key: draws[key] * factor}, "printed")
    assert broken.max() > check.tolerance


def test_the_profile_by_two_tails_is_that_of_the_engine():
    from rates.numbers.gaussian import delta_of

    mu, epsilon = np.array([0.3, 1.0, 4.0]), np.array([1.0, 2.0, 9.0])
    assert np.exp(privacy._log_delta(mu, epsilon)) == pytest.approx(delta_of(1 / mu, epsilon))
