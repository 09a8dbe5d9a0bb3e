"""Which way to learn is cheapest, on a grid of two of the study's numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from pages.figures import simulation
from pages.figures.chart import number, theme
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


def build(design: HybridDesign, given: Circumstances, across: str, size: int = SIZE) -> StrategyMap:
    """Compute the map of a design; the other numbers are the design's own."""
    _, low, high = ACROSS[across]
    x, y = np.geomspace(low, high, size), np.geomspace(*UP, size)
    values = {
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


def shares(chart: StrategyMap) -> dict[str, float]:
    """Return the share of the map that each strategy wins, those that win anything."""
    names = list(STRATEGIES)
    counts = np.bincount(chart.best.ravel(), minlength=len(names)) / chart.best.size
    return {name: float(c) for name, c in zip(names, counts, strict=True) if c > 0}


def map_figure(chart: StrategyMap, *, title: str) -> go.Figure:
    """Draw the map: a colour and a label for each region, and the chosen point."""
    names = list(STRATEGIES)
    steps = []
    for place in range(len(names)):
        colour = simulation.look(place)[0]
        steps += [[place / len(names), colour], [(place + 1) / len(names), colour]]
    labels = []
    for place, name in enumerate(names):
        rows, columns = np.nonzero(chart.best == place)
        if rows.size < 0.01 * chart.best.size:
            continue
        # The cell of the region that is nearest to its centre.
        off = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
        k = int(off.argmin())
        labels.append((float(chart.x[columns[k]]), float(chart.y[rows[k]]), SHORT[name]))
    power = np.round(chart.log_cost / np.log(10), 1)
    cells = {
        "type": "heatmap",
        "x": chart.x,
        "y": chart.y,
        "z": chart.best.astype(np.int8),
        "zmin": -0.5,
        "zmax": len(names) - 0.5,
        "colorscale": steps,
        "showscale": False,
        "customdata": power,
        "hovertemplate": "%{x:.3g}, X = %{y:.3g}: cost 10^%{customdata}<extra></extra>",
    }
    text = {
        "x": [x for x, _, _ in labels],
        "y": [y for _, y, _ in labels],
        "text": [name for _, _, name in labels],
        "mode": "text",
        "textfont": {"color": "white", "size": 15, "weight": 700},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    here = {
        "x": [chart.here[0]],
        "y": [chart.here[1]],
        "mode": "markers",
        "marker": {
            "symbol": "cross-thin-open",
            "size": 16,
            "color": "white",
            "line": {"width": 3, "color": "white"},
        },
        "hovertemplate": "your numbers<extra></extra>",
        "showlegend": False,
    }
    layout = {
        "height": 480,
        "xaxis": {
            "type": "log",
            "title": {"text": ACROSS[chart.across][0]},
            **theme.log_ticks(float(chart.x[0]), float(chart.x[-1])),
        },
        "yaxis": {
            "type": "log",
            "title": {"text": "X, chi-square plus one"},
            **theme.log_ticks(*UP),
        },
    }
    return theme.figure([cells, text, here], layout, title=title)


def alt(chart: StrategyMap) -> str:
    """Say what `map_figure` shows, in words."""
    parts = [f"{STRATEGIES[k]} on {100 * v:.0f} % of it" for k, v in shares(chart).items()]
    return (
        f"Map of the cheapest way over {ACROSS[chart.across][0]} and X, both logarithmic: "
        f"{', '.join(parts)}. Your numbers lie at {number(chart.here[0])} and "
        f"{number(chart.here[1])}."
    )


def rows(chart: StrategyMap) -> list[dict[str, object]]:
    """Return every twentieth cell of the map as rows for a file."""
    names = list(STRATEGIES)
    step = max(1, len(chart.x) // 20)
    return [
        {
            chart.across: float(chart.x[j]),
            "X": float(chart.y[i]),
            "cheapest": names[int(chart.best[i, j])],
            "log10 cost": float(chart.log_cost[i, j] / np.log(10)),
        }
        for i in range(0, len(chart.y), step)
        for j in range(0, len(chart.x), step)
    ]
