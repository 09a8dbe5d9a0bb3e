"""Who carries the rate: each site's share and what binds it, by equation and mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from pages.figures.chart import label, percent, theme
from rates.answer import Breakdown

MOST_BARS = 16


@dataclass(frozen=True, slots=True)
class _Bar:
    name: str
    share: float
    limit: str


def figure(
    names: Sequence[str],
    panels: Sequence[tuple[str, Breakdown]],
    *,
    title: str,
    has_target: bool,
) -> go.Figure:
    """Draw one panel of horizontal bars per answer, sites in table order.

    Args:
        names: Site names, target first where there is one.
        panels: Panel title and the answer that it shows.
        title: The finding.
        has_target: Whether the first site is the target.
    """
    shown = _shown_rows(panels)
    marks = [
        f"{theme.TARGET_MARK if has_target and row == 0 else theme.SOURCE_MARK} {label(names[row])}"
        for row in shown
    ]
    rest = len(names) - len(shown)
    ticks = [*marks, *([f"{rest} other rows"] if rest else [])]
    traces: list[dict] = []
    for number in range(len(panels)):
        traces += _traces(_bars(ticks, panels[number][1], shown), number + 1, traces)
    return theme.figure(traces, _layout([text for text, _ in panels], ticks), title=title)


def _traces(bars: Sequence[_Bar], axis: int, before: Sequence[dict]) -> list[dict]:
    """One bar trace per limit; the legend names each limit once."""
    named = {trace["legendgroup"] for trace in before}
    out = []
    for limit, words in theme.LIMITS.items():
        mine = [bar for bar in bars if bar.limit == limit]
        if not mine:
            continue
        out.append(
            {
                "type": "bar",
                "orientation": "h",
                "xaxis": f"x{axis}" if axis > 1 else "x",
                "y": [bar.name for bar in mine],
                "x": [bar.share for bar in mine],
                "text": [percent(bar.share) for bar in mine],
                "textposition": "outside",
                "cliponaxis": False,
                "name": words,
                "legendgroup": limit,
                "showlegend": limit not in named,
                "marker": {
                    "color": theme.COLOURS[limit],
                    "pattern": {
                        "shape": theme.HATCHES[limit],
                        "bgcolor": theme.COLOURS[limit],
                        "fgcolor": "rgba(255,255,255,0.75)",
                        "size": 7,
                        "solidity": 0.2,
                    },
                },
                "hovertemplate": "%{y}: %{text}, " + words + "<extra></extra>",
            }
        )
    return out


def _layout(titles: Sequence[str], ticks: Sequence[str]) -> dict:
    """Panels side by side with one list of sites."""
    gap, width = 0.09, (1 - 0.09 * (len(titles) - 1)) / len(titles)
    layout: dict = {
        "height": 150 + 30 * len(ticks),
        "barmode": "overlay",
        "margin": {"l": 10, "r": 10, "t": 64, "b": 70},
        "legend": {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"},
        "yaxis": {
            "categoryorder": "array",
            "categoryarray": ticks[::-1],
            "fixedrange": True,
            "automargin": True,
        },
        "annotations": [],
    }
    for number, title in enumerate(titles):
        left = number * (width + gap)
        layout[f"xaxis{number + 1}" if number else "xaxis"] = {
            "domain": [left, left + width],
            "tickformat": ".0%",
            "range": [0, 1],
            "tickvals": [0, 0.5, 1],
            "fixedrange": True,
        }
        layout["annotations"].append(
            {
                "text": title,
                "x": left + width / 2,
                "y": 1,
                "xref": "paper",
                "yref": "paper",
                "xanchor": "center",
                "yanchor": "bottom",
                "showarrow": False,
                "font": {"size": 13},
            }
        )
    return layout


def alt(names: Sequence[str], panels: Sequence[tuple[str, Breakdown]]) -> str:
    """Say in words what the chart shows."""
    shown = _shown_rows(panels)
    sentences = []
    for text, parts in panels:
        rows = ", ".join(
            f"{names[row]} {percent(parts.shares[row])} ({theme.LIMITS[parts.limited_by[row]]})"
            for row in shown
        )
        sentences.append(f"{text}: {rows}.")
    return "Share of each site. " + " ".join(sentences)


def csv_rows(
    names: Sequence[str], panels: Sequence[tuple[str, Breakdown]]
) -> list[dict[str, object]]:
    """Return every site's share and limit by each answer, one row per site."""
    out = []
    for row, name in enumerate(names):
        line: dict[str, object] = {"site": name}
        for text, parts in panels:
            line[f"share, {text.lower()}"] = parts.shares[row]
            line[f"limit, {text.lower()}"] = parts.limited_by[row]
        out.append(line)
    return out


def _shown_rows(panels: Sequence[tuple[str, Breakdown]]) -> list[int]:
    """Rows that get a bar of their own: all, or the largest in table order."""
    rows = range(len(panels[0][1].shares))
    if len(rows) <= MOST_BARS:
        return list(rows)
    most = sorted(rows, key=lambda row: -max(p.shares[row] for _, p in panels))[: MOST_BARS - 1]
    return sorted({0, *most})


def _bars(ticks: Sequence[str], parts: Breakdown, shown: Sequence[int]) -> list[_Bar]:
    bars = [
        _Bar(tick, parts.shares[row], parts.limited_by[row])
        for tick, row in zip(ticks, shown, strict=False)
    ]
    if len(ticks) > len(shown):
        rest = 1.0 - sum(bar.share for bar in bars)
        bars.append(_Bar(ticks[-1], max(rest, 0.0), theme.MIXED))
    return bars
