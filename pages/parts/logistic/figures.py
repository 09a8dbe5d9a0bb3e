"""Which sources are kept, how accurate the fits are, their coefficients, what a scale means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pages.figures import simulation
from pages.figures.chart import label, number, theme
from sims.engine import Estimate
from sims.logistic import Look, Source

GREY = theme.COLOURS[theme.NONE]
KEPT, DROPPED = "#1b8a7a", "#d1682b"
_TRUTH = {True: "like the target", False: "unlike it", None: ""}
_MARKS = {True: "circle", False: "x", None: "diamond"}
LEAST = 1e-3  # budgets below it are not drawn
LONGEST = 22  # characters of a name in a legend of two columns


def legend(traces: Sequence[Mapping]) -> tuple[dict, int]:
    """Return the legend and its rows; long names, which a phone would cut, get a row each."""
    names = [str(trace["name"]) for trace in traces]
    if max(map(len, names), default=0) <= LONGEST:
        return simulation.LEGEND, math.ceil(len(names) / 2)
    return {**simulation.LEGEND, "entrywidth": 1.0}, len(names)


def kind(source: Source) -> str:
    """Return what became of a source, with the truth where it is known."""
    done = "Kept" if source.kept else "Dropped"
    return f"{done}, {_TRUTH[source.alike]}" if source.alike is not None else done


def detection(
    sources: Sequence[Source], alone: float, threshold: float, *, title: str
) -> go.Figure:
    """Draw every source's held-out loss, the threshold, and what was decided."""
    ordered = sorted(sources, key=lambda source: -source.loss)
    traces: list[dict] = []
    for name in sorted({kind(source) for source in ordered}, reverse=True):
        rows = [source for source in ordered if kind(source) == name]
        mark = _MARKS[rows[0].alike]
        kept = rows[0].kept
        traces.append(
            {
                "x": [source.loss for source in rows],
                "y": [label(source.name) for source in rows],
                "mode": "markers",
                "name": name,
                "marker": {
                    "symbol": mark if kept else f"{mark}-open",
                    "size": 11,
                    "color": KEPT if kept else DROPPED,
                    "line": {"width": 2, "color": KEPT if kept else DROPPED},
                },
                "hovertemplate": "%{y}: %{x:.4f}<extra>" + name + "</extra>",
            }
        )
    for x, text, dash in ((alone, "Target alone", "dot"), (threshold, "Threshold", "dash")):
        traces.append(
            {
                "x": [x, x],
                "y": [label(ordered[0].name), label(ordered[-1].name)],
                "mode": "lines",
                "name": f"{text}: {x:.3f}",
                "line": {"color": GREY, "dash": dash, "width": 2},
                "hoverinfo": "skip",
            }
        )
    key, lines = legend(traces)
    foot = 76 + 22 * lines
    layout = {
        "height": 70 + foot + 24 * len(ordered),
        "margin": {"l": 10, "r": 10, "t": 48, "b": foot},
        "xaxis": {"title": {"text": "Mean held-out surrogate loss of the target"}},
        "yaxis": {
            "categoryorder": "array",
            "categoryarray": [label(source.name) for source in ordered],
            "automargin": True,
        },
        "legend": key,
    }
    return theme.figure(traces, layout, title=title)


def strip(look: Look, *, title: str) -> go.Figure:
    """Draw the coefficients of every method beside the truth and what the surrogate estimates."""
    places = list(range(1, len(look.truth) + 1))
    traces: list[dict] = [
        _steps(places, list(look.truth), "Truth β", "solid"),
        _steps(places, [look.factor * x for x in look.truth], "What is estimated, cβ", "dash"),
    ]
    for k, (name, values) in enumerate(look.coefficients.items()):
        colour, mark, _ = simulation.look(k)
        traces.append(
            {
                "x": [j + 0.15 * (k - 1.5) for j in places],
                "y": list(values),
                "mode": "markers",
                "name": name,
                "marker": {"symbol": mark, "size": 7, "color": colour},
                "hovertemplate": "%{y:.3f}<extra>" + name + "</extra>",
            }
        )
    layout = {
        "height": 470,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 130},
        "xaxis": {"title": {"text": "Covariate j"}},
        "yaxis": {"title": {"text": "Coefficient"}},
        "legend": simulation.LEGEND,
    }
    return theme.figure(traces, layout, title=title)


def _steps(places: Sequence[int], values: Sequence[float], name: str, dash: str) -> dict:
    return {
        "x": list(places),
        "y": list(values),
        "mode": "lines",
        "name": name,
        "line": {"color": GREY, "dash": dash, "width": 2, "shape": "hvh"},
        "hovertemplate": "%{y:.3f}<extra>" + name + "</extra>",
    }


def sweep(
    series: Mapping[str, tuple[Sequence[float], Sequence[Estimate]]],
    *,
    title: str,
    x_title: str,
    y_title: str,
    share: bool,
    lines: Mapping[str, float] | None = None,
) -> go.Figure:
    """Draw means with 95 % intervals against a quantity whose values stand at even distances.

    Args:
        series: By series, values of the quantity and estimates.
        title: The finding.
        x_title: Name of the axis.
        y_title: Name of the other.
        share: Whether the means are shares, shown in per cent.
        lines: Levels to compare with, by name.
    """
    everywhere = sorted({x for xs, _ in series.values() for x in xs})
    at = {x: place for place, x in enumerate(everywhere)}
    count = max(len(series), 1)
    traces: list[dict] = []
    for place, (name, (xs, estimates)) in enumerate(series.items()):
        colour, mark, dash = simulation.look(place)
        seen = [k for k, e in enumerate(estimates) if e.replicates >= 2]
        traces.append(
            {
                "x": [at[xs[k]] + 0.05 * (place - (count - 1) / 2) for k in seen] or [None],
                "y": [estimates[k].mean for k in seen] or [None],
                "mode": "lines+markers",
                "name": name,
                "line": {"color": colour, "dash": dash, "width": 2},
                "marker": {"symbol": mark, "size": 9},
                "error_y": {
                    "type": "data",
                    "array": [estimates[k].margin for k in seen],
                    "color": colour,
                    "thickness": 1.5,
                },
                "hovertemplate": "%{y:.4g}<extra>" + name + "</extra>",
            }
        )
    for name, level in (lines or {}).items():
        traces.append(
            {
                "x": [0, len(everywhere) - 1],
                "y": [level, level],
                "mode": "lines",
                "name": name,
                "line": {"color": GREY, "dash": "dot", "width": 1.5},
                "hoverinfo": "skip",
            }
        )
    y_axis: dict = {"title": {"text": y_title}, **({"tickformat": ".0%"} if share else {})}
    if not any(e.replicates >= 2 for _, estimates in series.values() for e in estimates):
        y_axis |= {"range": [0, 1], "showticklabels": share}  # nothing to fit the axis to yet
    key, rows = legend(traces)
    layout = {
        "height": 430 + 22 * rows,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 70 + 22 * rows},
        "xaxis": {
            "tickmode": "array",
            "tickvals": list(at.values()),
            "ticktext": ["no noise" if math.isinf(x) else number(x) for x in everywhere],
            "title": {"text": x_title},
            "range": [-0.4, len(everywhere) - 0.6],
        },
        "yaxis": y_axis,
        "legend": key,
        "uirevision": "run",
    }
    return theme.figure(traces, layout, title=title)


def told(series: Mapping[str, tuple[Sequence[float], Sequence[Estimate]]]) -> str:
    """Say what `sweep` shows, in words."""
    parts = []
    for name, (xs, estimates) in series.items():
        seen = [(x, e) for x, e in zip(xs, estimates, strict=True) if e.replicates >= 2]
        if seen:
            (first, low), (last, high) = seen[0], seen[-1]
            parts.append(
                f"{name}: {number(low.mean)} at {number(first)} to {number(high.mean)} at "
                f"{number(last)}"
            )
    return "; ".join(parts) or "No simulated points yet."


def meaning(
    scales: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    chosen: float,
    *,
    title: str,
) -> go.Figure:
    """Draw epsilon against the noise scale, both in logarithms, and the chosen scale."""
    finite = [y for ys in curves.values() for y in ys if LEAST < y < math.inf]
    ends = (min(finite), max(finite)) if finite else (0.1, 10.0)
    traces: list[dict] = []
    for place, (name, ys) in enumerate(curves.items()):
        colour, mark, dash = simulation.look(place)
        shown = [(x, y) for x, y in zip(scales, ys, strict=True) if LEAST < y < math.inf]
        traces.append(
            {
                "x": [x for x, _ in shown] or [None],
                "y": [y for _, y in shown] or [None],
                "mode": "lines+markers",
                "name": name,
                "line": {"color": colour, "dash": dash, "width": 2},
                "marker": {"symbol": mark, "size": 6},
                "hovertemplate": "scale %{x:.3g}: ε %{y:.4g}<extra>" + name + "</extra>",
            }
        )
    traces.append(
        {
            "x": [chosen, chosen],
            "y": list(ends),
            "mode": "lines",
            "name": f"Scale {number(chosen)}",
            "line": {"color": GREY, "dash": "dot", "width": 2},
            "hoverinfo": "skip",
        }
    )
    key, rows = legend(traces)
    foot = 64 + 22 * rows
    layout = {
        "height": 340 + foot,
        "margin": {"l": 10, "r": 10, "t": 48, "b": foot},
        "xaxis": {
            "type": "log",
            "title": {"text": "Laplace scale, the paper's Δ/ε"},
            **theme.log_ticks(min(scales), max(scales)),
        },
        "yaxis": {"type": "log", "title": {"text": "ε"}, **theme.log_ticks(*ends)},
        "legend": key,
    }
    return theme.figure(traces, layout, title=title)
