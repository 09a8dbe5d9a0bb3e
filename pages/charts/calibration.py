"""Risk against calibrated rate on a world, with the constant between them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from pages import charts
from pages.charts import theme
from pages.charts.words import number
from sims.fit import Calibration


def drawn(found: Calibration, *, y_title: str, **words: Any) -> charts.Figure:
    """Return every setting that was tried, and C times the rate where it was fitted."""
    marks: list[charts.Curve] = []
    told = [t for t in found.settings if t.risk > 0 and t.rate > 0]
    for name, symbol, colour, out in (
        ("In the fit", "circle", charts.MECHANISM, False),
        ("Left out", "x", charts.GREY, True),
    ):
        if at := [t for t in told if bool(t.left_out) == out]:
            texts = [_setting(t.records, t.budget) for t in at]
            more: charts.Fields = {"words": charts.Words(texts=texts, shown=False), "extra": ""}
            more["spread"] = charts.Spread(up=[1.96 * t.stderr for t in at])
            more["hover"] = "%{text}<br>rate %{x:.3g}, risk %{y:.3g}"
            x, y = [t.rate for t in at], [t.risk for t in at]
            marks.append(charts.dots(x, y, name, symbol, colour=colour, **more))
    used = [t.ratio for t in found.settings if not t.left_out]
    alt = f"Risk against calibrated rate at {len(found.settings)} settings, {len(used)} fitted."
    if found.constant is not None and used:
        alt += f" Their quotient lies between {number(min(used))} and {number(max(used))}."
    if found.constant is not None and found.rates[0] > 0:
        value, ends = found.constant.value, list(found.rates)
        name, colour = f"{number(value)} × rate", theme.COLOURS[theme.MIXED]
        marks.append(charts.line(ends, [value * rate for rate in ends], name, colour, "dash"))
    x_axis, y_axis = (
        charts.log_axis(title, _ends(values or [1.0]), fit=True, roomy=True)
        for title, values in (
            ("Rate of the named mechanism", [t.rate for t in told]),
            (y_title, [t.risk for t in told]),
        )
    )
    columns: dict[str, charts.Values] = {
        title: [getattr(t, key) for t in found.settings]
        for title, key in (
            ("times records", "records"),
            ("times budgets", "budget"),
            *((key, key) for key in ("rate", "risk", "stderr")),
            ("left out", "left_out"),
        )
    }
    space = charts.room(330, 90, legend=charts.BARE)
    return charts.plot(
        marks, x_axis, y_axis, columns, right=20, **space, alt=alt, name="calibration", **words
    )


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values) / 1.2, max(values) * 1.2


def _setting(records: float, budget: float) -> str:
    protected = f"{number(budget)} × budgets" if math.isfinite(budget) else "no privacy"
    return f"{number(records)} × records, {protected}"
