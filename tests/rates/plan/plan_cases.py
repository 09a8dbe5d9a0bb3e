"""Random studies for the planning tests, and rates with real values put in."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rates import plan as planning
from rates.answer import DEFAULT_SERIES, Lens
from rates.study.scenario import FederatedStudy, Server, Study, TransferStudy

INF = math.inf


def random_site(
    rng: np.random.Generator, name: str, *, transfer: bool, most: int = 1, first: bool = False
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
        return FederatedStudy(servers=rows, smoothness=float(rng.uniform(0.8, 3)), integrability=8)
    return TransferStudy(
        target=rows[0],
        sources=rows[1:],
        smoothness=float(rng.uniform(0.1, 1)),
        dimension=int(rng.integers(1, 4)),
        margin=1,
    )


def multiplier(epsilon: float, delta: float) -> float:
    """The exact noise multiplier, by bisection on Balle and Wang's condition as printed."""
    from scipy.optimize import brentq
    from scipy.special import log_ndtr, ndtr

    def excess(log_noise: float) -> float:
        t = math.exp(-log_noise)
        gone = math.exp(min(0.0, epsilon + log_ndtr(-t / 2 - epsilon / t)))
        return float(ndtr(t / 2 - epsilon / t)) - gone - delta

    return math.exp(brentq(excess, -12.0, 12.0, xtol=1e-15))


def log_rate(
    study: Study,
    changes: dict[tuple[int, str], float] | None = None,
    *,
    mechanism: bool = False,
    risk: str = "integrated",
    extra: tuple[Server, float] | None = None,
) -> float:
    """Log of the rate with real values put in, from the formulas, by bisection in u.

    An independent way: no kernel, no closed form, no code of the planning modules.
    """
    rows = [
        {
            k: float(getattr(s, k) or 0)
            for k in ("n", "epsilon", "signal_exponent", "count", "delta")
        }
        for s in study.servers
    ]
    if extra is not None:
        site, many = extra
        rows.append(
            {
                "n": float(site.n),
                "epsilon": site.epsilon,
                "signal_exponent": site.signal_exponent,
                "count": many,
                "delta": site.delta or 0.0,
            }
        )
    for (j, field), value in (changes or {}).items():
        rows[j][field] = value
    c = DEFAULT_SERIES
    if isinstance(study, TransferStudy):
        beta, d, power = study.smoothness, float(study.dimension), study.smoothness * 2
        slopes = [2 * beta * row["signal_exponent"] + d for row in rows]
        variance = 0.25 * (2 / 3) ** d / 2.0**d if mechanism else 1.0
        noise = 2.0 ** (-2 * d) if mechanism else 1.0
        laplace = False
    else:
        g = study.smoothness if risk == "integrated" else study.smoothness - 1 / 8
        d, power = 1.0, 2 * g
        slopes = [2 * g + 1.0] * len(rows)
        variance = c.variance if mechanism else 1.0
        laplace = risk == "pointwise"
        size = 8 * c.clip**2 * c.spike**2 if laplace else 4 * c.clip**2 * c.overlap
        noise = size if mechanism else 1.0
    parts = []
    for row, slope in zip(rows, slopes, strict=True):
        if row["n"] <= 0 or row["epsilon"] <= 0 or row["count"] <= 0:
            continue
        if math.isinf(row["epsilon"]):
            private = INF
        else:
            gaussian = mechanism and not laplace
            budget = 1 / multiplier(row["epsilon"], row["delta"]) if gaussian else row["epsilon"]
            private = 2 * math.log(row["n"]) + 2 * math.log(budget) - math.log(noise)
        parts.append((math.log(row["count"]), math.log(row["n"] / variance), private, slope))

    def excess(u: float) -> float:
        total = -INF
        for many, sample, private, slope in parts:
            b = private + d * u
            least = -np.logaddexp(-sample, -b) if mechanism else min(sample, b)
            total = float(np.logaddexp(total, many + least + slope * u))
        return total

    from scipy.optimize import brentq

    return power * brentq(excess, -400.0, 400.0, xtol=1e-14, rtol=8.9e-16)


def fraction_with(study: Study, **how: object) -> float:
    """The rate with changes over the rate today."""
    same = {k: v for k, v in how.items() if k in ("mechanism", "risk")}
    return math.exp(log_rate(study, **how) - log_rate(study, **same))  # type: ignore[arg-type]


def found(
    study: Study, lever: str, site: str, *, fraction: float, kind: Server | None = None, **how: Any
) -> planning.Needed | None:
    """The record through a lens, or None for a rate out of reach."""
    try:
        return planning.needed(study, lever, site, fraction=fraction, kind=kind, lens=Lens(**how))
    except planning.Unreachable:
        return None
