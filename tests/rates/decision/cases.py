"""Studies that decisions are tried with: what is stated of them, and what we chose to fill up."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from rates.study import FederatedStudy, Server, Study, TransferStudy
from rates.study.codec import from_json
from tests.rates.plan.plan_cases import random_study

SEVEN = Path(__file__).parents[4] / "shared" / "audits" / "seven-hospitals.json"
NO_SEVEN = "the study of seven hospitals is not beside the project"
beside = pytest.mark.skipif(not SEVEN.exists(), reason=NO_SEVEN)
INF = math.inf


def seven(dimension: int = 2) -> TransferStudy:
    study = from_json(SEVEN.read_text(encoding="utf-8"))
    assert isinstance(study, TransferStudy)
    return replace(study, dimension=dimension)


def transfer(*rows: Server, d: int = 2) -> TransferStudy:
    """A classifier with beta 0.5 and alpha 1, which is what an empty table assumes."""
    return TransferStudy(target=rows[0], sources=rows[1:], smoothness=0.5, dimension=d, margin=1)


def site(name: str, n: int, epsilon: float, delta: float = 1e-6, **more: float) -> Server:
    return Server(name=name, n=n, epsilon=epsilon, delta=delta, **more)


def biobank(gamma: float) -> TransferStudy:
    """A hospital with 350 records in house and a biobank, in four dimensions."""
    far = site("Biobank", 200_000, 1, signal_exponent=gamma)
    return transfer(site("Hospital", 350, 1), far, d=4)


# Stated are sizes, dimension 4 and the budgets 0.2 and 0.1. Chosen: epsilon 1 and dimension 2
# elsewhere, delta 1e-6, gamma 1, and that the first site is the one that asks.
SMALL = {
    "6,000 and 300": transfer(site("A", 6_000, 1), site("B", 300, 1)),
    "180 and 220": transfer(site("A", 180, 0.2), site("B", 220, 0.2)),
    "2,000 twice": transfer(site("A", 2_000, 1), site("B", 2_000, 1), d=4),
    "5,000 open": transfer(site("A", 5_000, INF), site("B", 4_000, 0.1)),
}


def uses(study: Study) -> list[str]:
    """The uses that a study has."""
    if not isinstance(study, TransferStudy):
        return ["each", "others"]
    alike = all(s.signal_exponent == 1 for s in study.servers)
    return ["target", "each", "others"] if alike else ["target", "others"]


def drawn(rng: np.random.Generator) -> tuple[Study, dict[str, object]]:
    """A random study, two in five classifiers alike everywhere, and a random question to it."""
    study = random_study(rng)
    if isinstance(study, TransferStudy) and rng.uniform() < 0.4:
        study = study.with_servers([replace(s, signal_exponent=1.0) for s in study.servers])
    use = str(rng.choice(uses(study)))
    needed = float(10 ** rng.uniform(1, 5)) if use == "others" or rng.uniform() < 0.5 else None
    pointwise = isinstance(study, FederatedStudy) and rng.uniform() < 0.3
    asked = {"use": use, "needed": needed, "gain": float(rng.choice([1.0, 1.25, 2.0]))}
    return study, asked | ({"risk": "pointwise"} if pointwise else {})
