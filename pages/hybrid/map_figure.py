"""Which way to learn is cheapest, on a grid of two of the study's numbers."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages import charts
from pages.charts import number
from rates.hybrid import STRATEGIES, Circumstances, HybridDesign, log_costs

SIZE = 200
ACROSS = {
    "accuracy": ("Accuracy α", 0.005, 0.1249),
    "epsilon": ("Budget ε", 0.01, 10.0),
    "dimension": ("Dimension d", 1.0, 1e9),
}
UP = (1.0, 1e6)
SHORT = {
    "local": "users alone",
    "supremum": "volunteers,<br>largest weight",
    "chi-square": "volunteers,<br>chi-square",
    "worst": "reweighting,<br>worst case",
    "own": "reweighting,<br>own rounds",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyMap:
    """The cheapest strategy on a grid.

    Attributes:
        across: Name of the number along the axis.
        x: Its values.
        y: Values of X.
        best: Place in `STRATEGIES` of the cheapest, rows along y.
        log_cost: log of its cost.
        here: The chosen point.
    """

    across: str
    x: np.ndarray
    y: np.ndarray
    best: np.ndarray
    log_cost: np.ndarray
    here: tuple[float, float]


@functools.lru_cache(maxsize=32)
def build(design: HybridDesign, given: Circumstances, across: str, size: int = SIZE) -> StrategyMap:
    """Compute the map of a design; the other numbers are the design's own."""
    _, low, high = ACROSS[across]
    x, y = np.geomspace(low, high, size), np.geomspace(*UP, size)
    values: dict[str, Any] = {
        "accuracy": design.accuracy,
        "epsilon": design.epsilon,
        "dimension": float(design.dimension),
        across: x,
    }
    costs = log_costs(divergence=y[:, None], design=design, given=given, **values)
    best = costs.argmin(axis=0)
    return StrategyMap(
        across=across,
        x=x,
        y=y,
        best=best,
        log_cost=np.take_along_axis(costs, best[None], axis=0)[0],
        here=(float(getattr(design, across)), design.divergence),
    )


def shares(found: StrategyMap) -> dict[str, float]:
    """Return the share of the map that each strategy wins, those that win anything."""
    names = list(STRATEGIES)
    counts = np.bincount(found.best.ravel(), minlength=len(names)) / found.best.size
    return {name: float(c) for name, c in zip(names, counts, strict=True) if c > 0}


def drawn(found: StrategyMap) -> charts.Figure:
    """Return the map: a colour and a label for each region, and the chosen point."""
    names = list(STRATEGIES)
    labels = []
    for place, name in enumerate(names):
        rows, columns = np.nonzero(found.best == place)
        if rows.size < 0.01 * found.best.size:
            continue
        # The cell of the region that is nearest to its centre.
        off = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
        k = int(off.argmin())
        labels.append((float(found.x[columns[k]]), float(found.y[rows[k]]), SHORT[name]))
    cells = charts.Cells(
        x=found.x,
        y=found.y,
        kinds=found.best.astype(np.int8),
        ends=(-0.5, len(names) - 0.5),
        colours=[charts.look(place)[0] for place in range(len(names))],
        data=np.round(found.log_cost / np.log(10), 1),
        hover="%{x:.3g}, X = %{y:.3g}: cost 10^%{customdata}",
        extra="",
    )
    words = charts.Words(
        texts=[name for _, _, name in labels], font=charts.Font(colour="white", size=15, weight=700)
    )
    xs, ys = [x for x, _, _ in labels], [y for _, y, _ in labels]
    edge = charts.Stroke("white", 3)
    told: dict[str, Any] = {"hover": "your numbers", "extra": "", "listed": False}
    x, y = found.here
    figure = charts.Chart(
        marks=[
            cells,
            charts.Curve(x=xs, y=ys, words=words, listed=False),
            charts.dots([x], [y], None, "cross-thin-open", 16, "white", edge, **told),
        ],
        title="The way with the least cost",
        head=64,
        height=480,
        x=charts.log_axis(
            ACROSS[found.across][0], (float(found.x[0]), float(found.x[-1])), fit=True
        ),
        y=charts.log_axis("X, chi-square plus one", UP, fit=True),
        legend=None,
    )
    won = [f"{STRATEGIES[k]} on {100 * v:.0f} % of it" for k, v in shares(found).items()]
    step = max(1, len(found.x) // 20)  # every twentieth cell is in the file
    return charts.Figure(
        figure=figure,
        alt=f"Map of the cheapest way over {ACROSS[found.across][0]} and X, both logarithmic: "
        f"{', '.join(won)}. Your numbers lie at {number(x)} and {number(y)}.",
        rows=[
            {
                found.across: float(found.x[j]),
                "X": float(found.y[i]),
                "cheapest": names[int(found.best[i, j])],
                "log10 cost": float(found.log_cost[i, j] / np.log(10)),
            }
            for i in range(0, len(found.y), step)
            for j in range(0, len(found.x), step)
        ],
        name="cheapest-way",
        caption="Cost is the price of a volunteer times the volunteers, plus the users. "
        "Worst-case numbers decide, except for own rounds. The cross marks your numbers.",
    )
