"""What the resolution page draws: D along an axis, and one site that grows."""

from __future__ import annotations

import functools
import math

from pages.charts import Figure, words
from pages.charts import resolution as figures
from pages.core import figure_card, lines, tables
from pages.resolution import answer
from rates.resolution import Detail, resolution
from rates.resolution import growing as growth
from rates.study import FederatedStudy

MOVED = tuple(k / 100 for k in range(101))
sweep = functools.lru_cache(maxsize=64)(resolution.sweep)
grow = functools.lru_cache(maxsize=64)(growth.growth)


def curve(design: Detail) -> None:
    """D or the rate along one number of the design."""
    if answer.solve(design.study()).integrated.D:
        figure_card.show(lines.drawn(curve_of, design), key="figure_detail")


def curve_of(design: Detail) -> Figure:
    """D or the rate of a design along the axis that it names."""
    study = design.study()
    curve = sweep(study, design.axis)
    here, caption = resolution.value_of(study, design.axis), _slopes(curve)
    return figures.drawn(curve, quantity=design.quantity, here=here, caption=caption)


def growth_of(design: Detail) -> Figure:
    """D as one site of a design takes records from the others."""
    return figures.growth(grow(design.study(), MOVED), here=design.moved / 100.0)


def _slopes(curve: resolution.Curve) -> str:
    """Elbows and slopes of both risks."""
    parts = []
    for risk, text in answer.RISKS.items():
        branch = getattr(curve, risk)
        bend = (
            "no elbow" if math.isnan(branch.elbow) else f"elbow at {words.number(branch.elbow, 4)}"
        )
        if not math.isnan(branch.slope_private):
            bend += (
                f", slope of D {words.number(branch.slope_private)} where privacy binds and "
                f"{words.number(branch.slope_free)} where sampling does"
            )
        parts.append(f"{text}: {bend}")
    return (
        f"{answer.first('; '.join(parts))}. Thin lines: each branch alone. The other controls "
        "hold what the axis does not vary."
    )


def growing(design: Detail, study: FederatedStudy) -> None:
    """One site that takes records from the others."""
    if len(study.servers) < 2 or answer.solve(study).integrated.D == 0:
        return
    figure_card.show(lines.drawn(growth_of, design), key="figure_growth")
    tables.wrapped(
        {
            "Statement": ["Corollary 3", "Corollary 4"],
            **{
                text: [words.md(answer.row(study, f"Corollary {k}, {risk}").reason) for k in (3, 4)]
                for risk, text in words.RISKS.items()
            },
        }
    )
