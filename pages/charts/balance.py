"""Why the root lies where it lies: each site's term and their sum; signal against noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme
from pages.charts.words import label, number
from rates.answer import Balance

LOWEST = -4.0  # decades below 1 that the upper panel shows
_LOG10 = math.log(10.0)
_HUES = ("#1b8a7a", "#7b4fb5", "#b5487a", "#6b8e23", "#8a6d3b", "#4f6db5", "#c23b3b", "#5b7083")
_DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "5px,2px", "2px,6px")
_J = "<sub>j</sub>"


# By whether it is a study of a classifier: the axis, which starts its root, and a site's term.
_WORDS = {
    True: ("r", f"(n{_J} ∧ n{_J}²ε{_J}²r<sup>d</sup>) r<sup>2βγ{_J}+d</sup>"),
    False: ("D", f"(n{_J}²ε{_J}² ∧ n{_J}D) / D<sup>2g+2</sup>"),
}


def balance_figure(
    result: Balance, names: Sequence[str], *, transfer: bool, caption: str
) -> charts.Figure:
    """Return both panels above one another over one horizontal axis.

    Args:
        result: Curves around the root, with information.
        names: Site names in table order.
        transfer: Whether the study is one of a classifier, with r on the axis; else it is D = 1/r.
        caption: Below the figure.
    """
    axis, term = _WORDS[transfer]
    sign = 1.0 if transfer else -1.0
    x, root = _exp(sign * result.log_r), math.exp(sign * result.root)
    mixed, private = theme.COLOURS[theme.MIXED], np.isfinite(result.privacy).any()
    level = float(np.interp(result.root, result.log_r, result.signal))
    lower = [
        (result.signal, "Signal squared", mixed, "solid", 3.0),
        (result.sampling, "Sampling noise", theme.COLOURS[theme.SAMPLE], "dash", 2.5),
        (result.privacy, "Privacy noise", theme.COLOURS[theme.PRIVACY], "dot", 2.5),
        (result.noise, "Larger of both", charts.GREY, "dashdot", 2.0),
    ]
    edge = charts.Stroke("#ffffff", 2)
    look: charts.Fields = {"hover": "%{x:.4g}", "extra": "root", "edge": edge}
    look |= {"symbol": "circle", "size": 12, "colour": theme.INK["light"]}
    marks = [
        *_terms(result, names, x, sign),
        _line(x, result.total, "Sum of all terms", mixed, "solid", 3.5),
        *(_line(x, *one, y_axis=2) for one in lower[: 4 if private else 2]),
        charts.dots([root], [1.0], "Root", **look),
        charts.dots([root], [math.exp(level)], "Root", **look, y_axis=2, listed=False),
    ]
    total = result.total / _LOG10
    high = max(float(result.signal.max()), float(result.noise.max()))
    low = max(
        min(float(result.signal.min()), float(result.noise.min())),
        float(result.signal.max()) - 8 * _LOG10,
    )
    decades = charts.Axis(kind="log", powers=True, fixed=True, step=1)
    above = (max(float(total.min()), LOWEST) - 0.2, min(float(total.max()), -LOWEST) + 0.2)
    below = (low / _LOG10 - 0.1, high / _LOG10 + 0.1)
    heads = (("Each site's term and their sum", 1.0), ("Signal against noise", 0.42))
    more = 20 * math.ceil(charts.entries(marks) / 2)
    ends = (float(x[0]), float(x[-1]))
    return charts.plot(
        marks,
        charts.log_axis(axis, ends, fit=True, beside=2, fixed=True),
        [
            replace(decades, title=term, part=(0.56, 1.0), span=above),
            replace(decades, title="Squared size", part=(0.0, 0.42), span=below),
        ],
        title=f"The terms add up to 1 at {axis} = {number(root)}",
        **charts.room(540, 64, 84, charts.COLUMNS, more=more),
        rules=[charts.upright(root, colour=charts.GREY, width=1.5)],
        notes=[charts.heading(text, 0, y) for text, y in heads],
        name="balance",
        caption=caption,
    )


def _terms(
    result: Balance, names: Sequence[str], x: NDArray, sign: float
) -> Iterator[charts.Curve]:
    """One line per site with a marker where privacy stops binding, and one for the others."""
    for k, (row, y) in enumerate(zip(result.rows, result.terms, strict=True)):
        if np.isneginf(y).all():
            continue
        name, hue, kink = label(names[row], 20), _HUES[k % len(_HUES)], result.kinks[k]
        binds = np.where(result.log_r <= kink, "privacy binds", "sampling binds")
        if math.isnan(kink):
            binds = np.full(x.shape, "unprotected")
        more: charts.Fields = {"data": binds, "hover": "%{x:.3g}: %{y:.3g}, %{customdata}"}
        yield _line(x, y, name, hue, _DASHES[k % len(_DASHES)], 2.0, group=name, **more)
        if result.log_r[0] <= kink <= result.log_r[-1]:
            up, meets = _exp(np.interp([kink], result.log_r, y)), "privacy meets sampling"
            more = {"group": name, "listed": False, "hover": f"%{{x:.3g}}: {meets}"}
            at, told = [math.exp(sign * kink)], f"{name}: {meets}"
            yield charts.dots(at, up, told, "diamond-open", 11, hue, **more)
    if result.others is not None:
        yield _line(x, result.others, "Others together", "#9aa3af", "2px,3px", 2.0)


def _line(
    x: NDArray, log_y: NDArray, name: str, colour: str, dash: str, width: float, **more: Any
) -> charts.Curve:
    look = {"y_axis": 1, "hover": "%{x:.3g}: %{y:.3g}"} | more
    return charts.line(x, _exp(log_y), name, colour, dash, width, **look)


def _exp(log_x: NDArray) -> NDArray:
    return np.asarray(np.exp(np.clip(log_x, -690.0, 690.0)))
