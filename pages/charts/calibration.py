"""Risk against calibrated rate on a world, with the constant between them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pages import charts
from pages.charts import theme
from pages.charts.words import number
from sims.fit import Calibration


def drawn(found: Calibration, *, title: str, y_title: str, caption: str) -> charts.Figure:
    """Return every setting that was tried, and C times the rate where it was fitted."""
    marks: list[charts.Curve] = []
    told = [t for t in found.settings if t.risk > 0 and t.rate > 0]
    for name, symbol, colour, out in (
        ("In the fit", "circle", charts.MECHANISM, False),
        ("Left out", "x", charts.GREY, True),
    ):
        if at := [t for t in told if bool(t.left_out) == out]:
            marks.append(
                charts.dots(
                    [t.rate for t in at],
                    [t.risk for t in at],
                    name,
                    symbol,
                    colour=colour,
                    spread=charts.Spread(up=[1.96 * t.stderr for t in at]),
                    words=charts.Words(
                        texts=[_setting(t.records, t.budget) for t in at], shown=False
                    ),
                    hover="%{text}<br>rate %{x:.3g}, risk %{y:.3g}",
                    extra="",
                )
            )
    if found.constant is not None and found.rates[0] > 0:
        value, ends = found.constant.value, list(found.rates)
        fitted = [value * rate for rate in ends]
        marks.append(
            charts.line(ends, fitted, f"{number(value)} × rate", theme.COLOURS[theme.MIXED], "dash")
        )
    rates, risks = [t.rate for t in told] or [1.0], [t.risk for t in told] or [1.0]
    figure = charts.Chart(
        marks=marks,
        title=title,
        head=64,
        height=330,
        x=charts.log_axis("Rate of the named mechanism", _ends(rates), fit=True, roomy=True),
        y=charts.log_axis(y_title, _ends(risks), fit=True, roomy=True),
        right=20,
        foot=90,
        legend=charts.BARE,
    )
    used = [t.ratio for t in found.settings if not t.left_out]
    alt = f"Risk against calibrated rate at {len(found.settings)} settings, {len(used)} fitted."
    if found.constant is not None and used:
        alt += f" Their quotient lies between {number(min(used))} and {number(max(used))}."
    return charts.Figure(
        figure=figure,
        alt=alt,
        rows=[
            {
                "times records": t.records,
                "times budgets": t.budget,
                "rate": t.rate,
                "risk": t.risk,
                "stderr": t.stderr,
                "left out": t.left_out,
            }
            for t in found.settings
        ],
        name="calibration",
        caption=caption,
    )


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values) / 1.2, max(values) * 1.2


def _setting(records: float, budget: float) -> str:
    protected = f"{number(budget)} × budgets" if math.isfinite(budget) else "no privacy"
    return f"{number(records)} × records, {protected}"
