"""Claims about the hospitals: each verdict on made-up replicates."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.acc.verdicts import claims
from sims.engine.settings import Values

EPSILONS = (1.0, 4.0, math.inf)
BASE = {"all": 0.80, "homogeneous": 0.78, "samples": 0.83, "target": 0.70}


def progress(**shift: float) -> Any:
    """A run in which every rule is exact but for a little common noise."""
    points, rows = [], []
    wave = 1e-4 * np.sin(np.arange(10))
    for rule, level in BASE.items():
        for metric in ("accuracy", "F1"):
            for k, x in enumerate(EPSILONS):
                settings = Values(rule=rule, metric=metric, epsilon=x, variant="")
                points.append(SimpleNamespace(settings=settings, x=x))
                value = (level if metric == "accuracy" else 0.72) + 0.005 * k
                rows.append(value + shift.get(rule, 0.0) + wave * (k + 1))
    request = SimpleNamespace(points=points, experiment=SimpleNamespace(name="hospitals"))
    return SimpleNamespace(request=request, counts=[10] * len(rows), replicated=np.array(rows))


def verdicts(found: Any) -> dict[str, str]:
    return {claim.name: claim.verdict for claim in claims(found)}


def test_every_verdict_follows_the_numbers() -> None:
    assert verdicts(progress()) == {
        "rises": "holds",
        "target-worst": "holds",
        "samples-best": "holds",
        "homogeneous-worse": "holds",
        "all-catches-up": "does not hold",
        "level": "holds",
    }
    changed = verdicts(progress(homogeneous=0.1, all=0.025))
    assert changed["homogeneous-worse"] == "does not hold"
    assert changed["samples-best"] == "does not hold"
    assert changed["all-catches-up"] == "holds"
    assert changed["level"] == "does not hold"
    assert verdicts(progress(target=0.2))["target-worst"] == "does not hold"


def test_only_a_run_of_the_hospitals_is_judged() -> None:
    other = progress()
    other.request.experiment.name = "figure-6"
    with pytest.raises(DomainError, match="must be one of figure-3"):
        claims(other)
    short = progress()
    short.counts[3] = 1
    with pytest.raises(DomainError, match="two replicates"):
        claims(short)
