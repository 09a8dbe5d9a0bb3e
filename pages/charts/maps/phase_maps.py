"""Which map to draw for a design: axes, ranges, exact regions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from pages.charts.maps.phases import LOOKS
from pages.charts.maps.plane import Axis, Plane
from rates import phases
from rates.pieces import Polygon

ROWS = 121
AXES = {
    "gamma": "budget ε against signal exponent γ",
    "sources": "budget ε against number of sources m, total fixed",
    "target": "budget ε against target size n₀",
    "exponent": "signal exponent γ against number of sources m, total fixed",
}
READINGS = {"none": "Not shown", "A": "Reading A", "B": "Reading B"}


def ends(design: phases.Design) -> phases.Endpoints:
    """The endpoints of the corollary for this design."""
    return phases.endpoints(*design.sizes, **design.shape)


def budget_range(design: phases.Design, upper: float) -> tuple[float, float]:
    """A range of budgets that shows the trivial phase and the chosen point."""
    first = min(ends(design).eps1, design.epsilon, 0.1)
    return 10.0 ** math.floor(math.log10(max(first, 1e-12)) - 0.3), max(upper, design.epsilon)


def build(design: phases.Design, axes: str, upper: float, reading: str) -> Plane:
    """Return the map of a design; the chosen reading's errors only on the first map."""
    low, high = budget_range(design, upper)
    budget = Axis("Sources' budget ε", True, low, high)
    fixed = {"beta": design.smoothness, "d": design.dimension}
    if axes == "gamma":
        top = _gamma_top(design)
        gammas = np.linspace(0.1, top, ROWS)
        regions = phases.maps.gamma_regions(
            *design.sizes, gamma=gammas, low=low, high=high, ratio=design.ratio, **fixed
        )
        wrong: tuple[Polygon, ...] = ()
        if reading != "none" and design.ratio == 1 and min(design.sizes) > 0:
            wrong = phases.disagreement_regions(
                *design.sizes,
                gamma=gammas,
                reading=phases.checked_reading(reading),
                low=low,
                **fixed,
            )
        y = Axis("Signal exponent γ of the sources", False, 0.1, top)
        return _plane(regions, budget, y, (design.epsilon, min(design.gamma, top)), wrong)
    common = {"gamma": design.gamma, **fixed}
    if axes == "target":
        top = 10.0 ** math.ceil(math.log10(max(10.0, design.n0 * 10, design.n * design.m)))
        sizes = np.geomspace(1.0, top, ROWS)
        regions = phases.maps.target_regions(
            design.n, design.m, n0=sizes, low=low, high=high, ratio=design.ratio, **common
        )
        y = Axis("Records of the target n₀", True, 1.0, top)
        return _plane(regions, budget, y, (design.epsilon, max(design.n0, 1)))
    total = max(1.0, float(design.n) * design.m)
    counts = np.geomspace(1.0, max(total, 2.0), ROWS)
    y = Axis("Number of sources m, m n fixed", True, 1.0, float(counts[-1]))
    many = min(max(design.m, 1), counts[-1])
    if axes == "sources":
        regions = phases.maps.site_regions(
            total, design.n0, m=counts, low=low, high=high, ratio=design.ratio, **common
        )
        return _plane(regions, budget, y, (design.epsilon, many))
    top = _gamma_top(design)
    regions = phases.maps.exponent_regions(
        lambda m: {"n": total / m, "m": m, "n0": design.n0, **fixed},
        counts,
        epsilon=design.epsilon,
        low=0.1,
        high=top,
        ratio=design.ratio,
    )
    x = Axis("Signal exponent γ of the sources", False, 0.1, top)
    return _plane(regions, x, y, (min(design.gamma, top), many))


def _plane(
    regions: Mapping[str, Sequence[Polygon]],
    x: Axis,
    y: Axis,
    here: tuple[float, float],
    wrong: Sequence[Polygon] = (),
) -> Plane:
    return Plane(regions=regions, looks=LOOKS, x=x, y=y, here=here, wrong=wrong)


def _gamma_top(design: phases.Design) -> float:
    """A range of exponents that shows gamma* where it is not far away."""
    star = ends(design).gamma_star
    far = star * 1.25 if 1 <= star <= 6 else 2.5
    return float(np.ceil(10 * max(2.0, far, min(design.gamma * 1.1, 20.0))) / 10)


def marks(design: phases.Design) -> Sequence[tuple[str, float]]:
    """The endpoints that lie on the cut through the chosen exponent."""
    found = ends(design)
    names = {"eps1": "ε₁", "eps2": "ε₂", "eps3": "ε₃", "eps11": "ε₁₁", "eps21": "ε₂₁"}
    values = [(text, float(getattr(found, name))) for name, text in names.items()]
    return [(text, v) for text, v in values if math.isfinite(v) and v > 0]


def factors(design: phases.Design, upper: float) -> np.ndarray:
    """The budgets of the cut over the design's own."""
    low, high = budget_range(design, upper)
    return np.geomspace(low, high, 121) / design.epsilon
