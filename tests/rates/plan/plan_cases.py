"""Random studies for the planning tests, and rates with real values put in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import rates
from rates import plan as planning
from rates.answer import Lens
from rates.study import Server, Study
from tests.rates import made
from tests.rates.made import INF, curve
from tests.rates.solved import FIELDS, plain, worth

WAYS = [pytest.param(None, id="equation"), pytest.param("analytic", id="mechanism")]


def random_site(
    rng: Any, name: str, *, transfer: bool, most: int = 1, first: bool = False
) -> Server:
    public = rng.uniform() < 0.2
    return Server(
        name=name,
        n=int(10 ** rng.uniform(1, 5)),
        epsilon=INF if public else 10 ** rng.uniform(-2, 1),
        delta=10 ** rng.uniform(-7, -4),
        signal_exponent=float(rng.uniform(0.3, 2)) if transfer and not first else 1.0,
        count=1 if first else int(rng.integers(1, most + 1)),
    )


def random_study(rng: np.random.Generator, *, sites: int = 6, most: int = 20) -> Study:
    """A study of one to some sites, some unprotected, some rows of several sites."""
    transfer = bool(rng.integers(0, 2))
    rows = [
        random_site(rng, f"s{i}", transfer=transfer, most=most, first=i == 0)
        for i in range(int(rng.integers(1, sites + 1)))
    ]
    if not transfer:
        return curve(*rows, alpha=float(rng.uniform(0.8, 3)), p=8)
    return made.transfer(*rows, beta=float(rng.uniform(0.1, 1)), d=int(rng.integers(1, 4)))


EXTREMES = {
    "n": (0, 1, 7, 10**9, 10**15),
    "epsilon": (0.0, 5e-324, 1e-300, 1e-12, 1.0, 1e12, 1e300, 1.7e308, INF),
    "delta": (1e-300, 1e-12, 1e-6, 0.4),
    "count": (1, 2, 10**9),
    "signal_exponent": (1e-6, 0.3, 1.0, 1e6),
}


def extreme_site(rng: Any, name: str, *, alike: bool, target: bool = False) -> Server:
    """A site of the kind that breaks programs."""
    drawn: dict[str, Any] = {k: values[rng.integers(len(values))] for k, values in EXTREMES.items()}
    if alike or target or rng.uniform() < 0.4:
        drawn["signal_exponent"] = 1.0
    if target:
        drawn["count"] = 1
    return Server(name=name, **drawn)


def extreme_study(rng: np.random.Generator) -> Study:
    """A study of one to four rows from the ends of every domain."""
    kernel = bool(rng.uniform() < 0.6)
    rows = [
        extreme_site(rng, f"s{k}", alike=not kernel, target=kernel and k == 0)
        for k in range(int(rng.integers(1, 5)))
    ]
    if not kernel:
        alpha = float(rng.choice([0.76, 2, 1e6]))
        return curve(*rows, alpha=alpha, p=float(rng.choice([4, INF])))
    beta, d = float(rng.choice([1e-6, 0.5, 1])), int(rng.choice([1, 4, 10**6]))
    return made.transfer(*rows, beta=beta, d=d, alpha=float(rng.choice([0, 0.5, 1])))


def effective_n(study: Study, mechanism: object = None, **how: Any) -> float:
    """What a study is worth by the public solvers."""
    answer: Any = rates.calibrated(study, **how) if mechanism else rates.solve(study)
    return float(getattr(answer, "integrated", answer).effective_n)


def changed(study: Study, lever: str, site: str, value: float) -> dict[tuple[int, str], float]:
    """One lever's value, for `log_rate`, at a row or at all that have it."""
    return {
        (j, lever): value
        for j, s in enumerate(study.servers)
        if s.name == site or (site == "all" and (lever == "n" or s.private))
    }


def log_rate(
    study: Study,
    changes: dict[tuple[int, str], float] | None = None,
    *,
    mechanism: object = None,
    risk: str = "integrated",
    extra: tuple[Server, float] | None = None,
) -> float:
    """Log of the rate with real values put in, by another solver; a mechanism's up to its constant.

    An independent way: no kernel, no closed form, no code of the planning modules.
    """
    p = plain(study, risk)
    rows = [dict(zip(FIELDS, row, strict=True)) for row in p.rows]
    if extra is not None:
        site, many = extra
        rows.append({field: getattr(site, field) for field in FIELDS} | {"count": many})
    for (j, field), value in (changes or {}).items():
        rows[j][field] = value
    p = p._replace(rows=tuple(tuple(row.values()) for row in rows))
    records = worth(p, 2.0 if mechanism else None)
    return -2 * p.beta / (2 * p.beta + p.d) * math.log(records) if records else INF


def fraction_with(study: Study, changes: Any = None, *, extra: Any = None, **how: Any) -> float:
    """The rate with changes over the rate today."""
    return math.exp(log_rate(study, changes, extra=extra, **how) - log_rate(study, **how))


def found(
    study: Study, lever: str, site: str, *, fraction: float, kind: Server | None = None, **how: Any
) -> planning.Needed | None:
    """The record through a lens, or None for a rate out of reach."""
    try:
        return planning.needed(study, lever, site, fraction=fraction, kind=kind, lens=Lens(**how))
    except planning.Unreachable:
        return None
