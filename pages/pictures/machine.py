"""The noise machine: sites' curves go into a box, come out with noise, and merge by weight."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pages.charts import Figure, number
from pages.pictures.picture import Picture, finite
from sims import ccv as sim
from sims.engine import Array, midpoints

RELEASES = 20
_POINTS = 160  # of a curve; twice as many where it is made of many functions
_MANY = 64
_WHY = {
    "privacy": "Most of that is privacy noise.",
    "sample": "Most of that is chance in the records.",
    "bias": "Most of that is detail left out to keep noise small.",
}


def picture(
    looks: Mapping[float, sim.Look],
    *,
    epsilon: float,
    seed: int,
    delta: float,
    kept: Sequence[bool],
    still: Figure,
) -> Picture:
    """Return the machine at one of its budgets.

    Args:
        looks: By budget, increasing, the releases of the same sites on the same records.
        epsilon: The budget it stands at.
        seed: Where the releases come from.
        delta: Of every release.
        kept: By budget, whether the noise keeps it.
        still: The same at rest.
    """
    first = next(iter(looks.values()))
    largest = max(look.plan.dimension for look in looks.values())
    # More functions wiggle more often than so few points could show.
    points = _POINTS if largest <= _MANY else 2 * _POINTS
    x = midpoints(points)
    # Budgets with the same functions and threshold share what stands before the noise.
    kinds = {(look.plan.dimension, look.plan.clip): look for look in looks.values()}
    widest = max(looks.values(), key=lambda look: look.plan.dimension)
    return Picture(
        script="machine",
        data={
            "at": list(looks).index(epsilon),
            "stops": [
                {
                    "epsilon": budget if math.isfinite(budget) else 0,  # JSON has no infinity
                    "name": f"ε = {number(budget)}" if math.isfinite(budget) else "Without privacy",
                    "kind": list(kinds).index((look.plan.dimension, look.plan.clip)),
                    "scale": look.scale.tolist(),
                    "weight": look.weight.tolist(),
                    "miss": look.misses.tolist(),
                    "average": _average(look),
                    "cause": look.plan.cause,
                    "why": _WHY[look.plan.cause],
                    "note": f"Simulation, seed {seed}. {_promise(budget, delta, keeps)}",
                }
                for (budget, look), keeps in zip(looks.items(), kept, strict=True)
            ],
            "kinds": [
                {"touched": _flat(look.plan, x), "clean": _rounded(look.clean)}
                for look in kinds.values()
            ],
            "path": _rounded(widest.path),
            "truth": _rounded(first.truth(x)),
            "sites": [
                _site(*row) for row in zip("ABCDE", first.plan.n, first.plan.count, strict=False)
            ],
        },
        still=still,
    )


def _average(look: sim.Look) -> str:
    mean, error = look.mean_miss
    return (
        f"{number(mean)} on average over {len(look.misses)} releases (standard error "
        f"{number(error, 2)}). "
    )


def _promise(epsilon: float, delta: float, kept: bool) -> str:
    if math.isinf(epsilon):
        return "Nothing is protected."
    if not kept:
        return "Less private than asked; see below."
    return (
        f"Each site's release is (ε, δ = {number(delta)})-differentially private, one record "
        "replaced (item level)."
    )


def _site(name: str, n: float, count: float) -> str:
    return f"{name}: {int(n):,}" if count == 1 else f"{name}: {int(count)} × {int(n):,}"


def _rounded(values: Array) -> Any:
    return values.round(4).tolist()


def _flat(plan: sim.Plan, x: Array) -> list[list[float]]:
    """Return, by point, the functions that are not zero there, each before its value."""
    rows = sim.touched(plan, x)
    return [[part for k, value in row for part in (k, round(value, 4))] for row in rows]


def released(sent: Mapping[str, object], stops: Sequence[float]) -> float | None:
    """Return the budget at which a hand left the machine; None where it is none of the stops.

    >>> released({"epsilon": 0.5}, (0.1, 0.5)), released({"epsilon": 0}, (0.1, math.inf))
    (0.5, inf)
    >>> released({"epsilon": 0.3}, (0.1, 0.5)), released({"epsilon": "0.5"}, (0.1, 0.5))
    (None, None)
    """
    # Only stops were computed ahead; another budget has no releases to show.
    asked = finite(sent, "epsilon", 0.0, max(filter(math.isfinite, stops)))
    wanted = math.inf if asked == 0.0 else asked  # 0 stands for none
    return wanted if wanted in stops else None
