"""Why the root lies where it lies: each site's term and their sum; signal against noise."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.figures.chart import label, number, theme
from rates.answer import Balance

LETTERS = ("ACC", "CCV", "words")
LOWEST = -4.0  # decades below 1 that the upper panel shows
_LOG10 = math.log(10.0)
_HUES = ("#1b8a7a", "#7b4fb5", "#b5487a", "#6b8e23", "#8a6d3b", "#4f6db5", "#c23b3b", "#5b7083")
_DASHES = ("dash", "dot", "dashdot", "longdash", "longdashdot", "solid", "5px,2px", "2px,6px")
_J = "<sub>j</sub>"


@dataclass(frozen=True, slots=True)
class _Words:
    """What axes and lines are called."""

    axis: str
    root: str
    term: str


_ACC = _Words(
    axis="r",
    root="r = ",
    term=f"(n{_J} ∧ n{_J}²ε{_J}²r<sup>d</sup>) r<sup>2βγ{_J}+d</sup>",
)
_CCV = _Words(
    axis="D",
    root="D = ",
    term=f"(n{_J}²ε{_J}² ∧ n{_J}D) / D<sup>2g+2</sup>",
)
_CCV_TRANSFER = _Words(
    axis="D = 1/r",
    root="D = ",
    term=f"(n{_J}²ε{_J}² ∧ n{_J}D<sup>d</sup>) / D<sup>2βγ{_J}+2d</sup>",
)
_PLAIN = _Words(
    axis="Distance over which the classifier averages",
    root="distance ",
    term="Part of the sum",
)
_PLAIN_CURVE = _Words(
    axis="Number of functions that describe the curve",
    root="",
    term="Part of the sum",
)
_SIGNAL, _SAMPLING, _PRIVACY = "Signal squared", "Sampling noise", "Privacy noise"
_NOISE = "Larger of both"


def _words(letters: str, transfer: bool) -> _Words:
    if letters == "words":
        return _PLAIN if transfer else _PLAIN_CURVE
    if letters == "CCV":
        return _CCV_TRANSFER if transfer else _CCV
    return _ACC


def in_r(letters: str, transfer: bool) -> bool:
    """Whether the horizontal axis is r; otherwise it is D = 1/r."""
    return letters == "ACC" or (letters == "words" and transfer)


def figure(result: Balance, names: Sequence[str], *, letters: str, transfer: bool) -> go.Figure:
    """Draw both panels above one another over one horizontal axis.

    Args:
        result: Curves around the root, with information.
        names: Site names in table order.
        letters: "ACC" (r), "CCV" (D = 1/r) or "words".
        transfer: Whether the study is one of a classifier.
    """
    w = _words(letters, transfer)
    sign = 1.0 if in_r(letters, transfer) else -1.0
    x = _exp(sign * result.log_r)
    root = float(_exp(np.array(sign * result.root)))
    traces = [
        *_terms(result, names, x, sign),
        _line(x, result.total, "Sum of all terms", theme.COLOURS[theme.MIXED], "solid", 3.5),
        _line(x, result.signal, _SIGNAL, theme.COLOURS[theme.MIXED], "solid", 3.0, lower=True),
        _line(x, result.sampling, _SAMPLING, theme.COLOURS[theme.SAMPLE], "dash", 2.5, lower=True),
    ]
    if np.isfinite(result.privacy).any():
        hue = theme.COLOURS[theme.PRIVACY]
        traces += [
            _line(x, result.privacy, _PRIVACY, hue, "dot", 2.5, lower=True),
            _line(x, result.noise, _NOISE, theme.COLOURS[theme.NONE], "dashdot", 2.0, lower=True),
        ]
    traces.append(_crossing(root, 1.0, "Root"))
    at = float(np.interp(result.root, result.log_r, result.signal))
    traces.append(
        {**_crossing(root, float(_exp(np.array(at))), ""), "yaxis": "y2", "showlegend": False}
    )
    entries = sum(trace.get("showlegend", True) for trace in traces)
    title = f"The terms add up to 1 at {w.root}{number(root)}"
    return theme.figure(traces, _layout(result, w, x, root, entries), title=title)


def _terms(result: Balance, names: Sequence[str], x: NDArray, sign: float) -> list[dict]:
    """One line per site with a marker where privacy stops binding, and one for the others."""
    out = []
    for k, (row, line) in enumerate(zip(result.rows, result.terms, strict=True)):
        if np.isneginf(line).all():
            continue
        name, hue = label(names[row], 20), _HUES[k % len(_HUES)]
        kink = result.kinks[k]
        binds = np.where(result.log_r <= kink, "privacy binds", "sampling binds")
        if math.isnan(kink):
            binds = np.full(x.shape, "unprotected")
        out.append(
            {
                **_line(x, line, name, hue, _DASHES[k % len(_DASHES)], 2.0),
                "legendgroup": name,
                "customdata": binds,
                "hovertemplate": "%{x:.3g}: %{y:.3g}, %{customdata}<extra>" + name + "</extra>",
            }
        )
        if result.log_r[0] <= kink <= result.log_r[-1]:
            out.append(
                {
                    "x": [float(_exp(np.array(sign * kink)))],
                    "y": _exp(np.interp([kink], result.log_r, line)),
                    "mode": "markers",
                    "name": name,
                    "legendgroup": name,
                    "showlegend": False,
                    "marker": {"symbol": "diamond-open", "size": 11, "color": hue},
                    "hovertemplate": "%{x:.3g}: privacy meets sampling<extra>" + name + "</extra>",
                }
            )
    if result.others is not None:
        out.append(_line(x, result.others, "Others together", "#9aa3af", "2px,3px", 2.0))
    return out


def _line(
    x: NDArray,
    log_y: NDArray,
    name: str,
    colour: str,
    dash: str,
    width: float,
    *,
    lower: bool = False,
) -> dict:
    return {
        "x": x,
        "y": _exp(log_y),
        "yaxis": "y2" if lower else "y",
        "mode": "lines",
        "name": name,
        "line": {"color": colour, "dash": dash, "width": width},
        "hovertemplate": "%{x:.3g}: %{y:.3g}<extra>" + name + "</extra>",
    }


def _crossing(x: float, y: float, name: str) -> dict:
    return {
        "x": [x],
        "y": [y],
        "mode": "markers",
        "name": name,
        "marker": {
            "symbol": "circle",
            "size": 12,
            "color": "#0b1016",
            "line": {"width": 2, "color": "#ffffff"},
        },
        "hovertemplate": "%{x:.4g}<extra>root</extra>",
    }


def _exp(log_x: NDArray) -> NDArray:
    return np.asarray(np.exp(np.clip(log_x, -690.0, 690.0)))


def _layout(result: Balance, w: _Words, x: NDArray, root: float, entries: int) -> dict:
    """Two panels over one axis; the root is a dotted line through both."""
    total = result.total / _LOG10
    curves = [result.signal, result.noise]
    low = max(min(float(c.min()) for c in curves), float(result.signal.max()) - 8 * _LOG10)
    high = max(float(c.max()) for c in curves)
    heads = [
        ("Each site's term and their sum", 1.0),
        ("Signal against noise", 0.42),
    ]
    legend_rows = math.ceil(entries / 2)
    return {
        "height": 540 + 20 * legend_rows,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "normal",
            "entrywidthmode": "fraction",
            "entrywidth": 0.48,
            "font": {"size": 12},
        },
        "margin": {"l": 10, "r": 10, "t": 84, "b": 64 + 20 * legend_rows},
        "xaxis": {
            "type": "log",
            "anchor": "y2",
            "title": {"text": w.axis, "standoff": 8},
            "fixedrange": True,
            **theme.log_ticks(float(x[0]), float(x[-1])),
        },
        "yaxis": {
            "type": "log",
            "domain": [0.56, 1.0],
            "title": {"text": w.term},
            "range": [
                max(float(total.min()), LOWEST) - 0.2,
                min(float(total.max()), -LOWEST) + 0.2,
            ],
            "exponentformat": "power",
            "fixedrange": True,
            "dtick": 1,
        },
        "yaxis2": {
            "type": "log",
            "domain": [0.0, 0.42],
            "title": {"text": "Squared size"},
            "range": [low / _LOG10 - 0.1, high / _LOG10 + 0.1],
            "exponentformat": "power",
            "fixedrange": True,
            "dtick": 1,
        },
        "shapes": [
            {
                "type": "line",
                "x0": root,
                "x1": root,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": {"dash": "dot", "width": 1.5, "color": theme.COLOURS[theme.NONE]},
            }
        ],
        "annotations": [
            {
                "text": text,
                "x": 0,
                "y": y,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "left",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 13},
            }
            for text, y in heads
        ],
    }


def alt(result: Balance, names: Sequence[str], *, letters: str, transfer: bool) -> str:
    """Say in words what the chart shows."""
    sign = 1.0 if in_r(letters, transfer) else -1.0
    root = number(float(_exp(np.array(sign * result.root))))
    shares = [
        f"{names[row]} {number(float(np.exp(np.interp(result.root, result.log_r, line))), 2)}"
        for row, line in zip(result.rows, result.terms, strict=True)
    ]
    kinks = [
        f"{names[row]} at {number(float(_exp(np.array(sign * kink))))}"
        for row, kink in zip(result.rows, result.kinks, strict=True)
        if not math.isnan(kink)
    ]
    turns = f" Privacy and sampling meet for {', '.join(kinks)}." if kinks else ""
    return (
        f"Upper panel: each site's term and their sum, which is 1 at {root}; the terms there are "
        f"{', '.join(shares)}.{turns} Lower panel: the signal squared falls to the noise of "
        f"sampling and privacy at the same place."
    )


def csv_rows(result: Balance, names: Sequence[str]) -> list[dict[str, object]]:
    """Return the plotted numbers, one row per grid point."""
    columns: dict[str, NDArray] = {"r": _exp(result.log_r), "D": _exp(-result.log_r)}
    for row, line in zip(result.rows, result.terms, strict=True):
        columns[f"term of {names[row]}"] = _exp(line)
    if result.others is not None:
        columns["terms of the others"] = _exp(result.others)
    columns |= {
        "sum": _exp(result.total),
        "signal squared": _exp(result.signal),
        "noise of sampling": _exp(result.sampling),
        "noise of privacy": np.exp(np.minimum(result.privacy, 690.0)),
        "noise, larger per site": _exp(result.noise),
    }
    lists = {name: values.tolist() for name, values in columns.items()}
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
