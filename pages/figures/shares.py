"""Who carries the rate: each site's share and what binds it, by equation and mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from pages.figures import theme
from pages.parts.words import label, percent
from rates.answers import Breakdown

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
    chart = make_subplots(
        rows=1,
        cols=len(panels),
        shared_yaxes=True,
        horizontal_spacing=0.09,
        subplot_titles=[text for text, _ in panels],
    )
    legend = set()
    for column, (_, parts) in enumerate(panels, start=1):
        bars = _bars(ticks, parts, shown)
        for limit, words in theme.LIMITS.items():
            mine = [bar for bar in bars if bar.limit == limit]
            if not mine:
                continue
            chart.add_bar(
                row=1,
                col=column,
                orientation="h",
                y=[bar.name for bar in mine],
                x=[bar.share for bar in mine],
                text=[percent(bar.share) for bar in mine],
                textposition="outside",
                cliponaxis=False,
                name=words,
                legendgroup=limit,
                showlegend=limit not in legend,
                marker={
                    "color": theme.COLOURS[limit],
                    "pattern": {
                        "shape": theme.HATCHES[limit],
                        "bgcolor": theme.COLOURS[limit],
                        "fgcolor": "rgba(255,255,255,0.75)",
                        "size": 7,
                        "solidity": 0.2,
                    },
                },
                hovertemplate="%{y}: %{text}, " + words + "<extra></extra>",
            )
            legend.add(limit)
    theme.style(chart, height=150 + 30 * len(ticks), title=title)
    chart.update_layout(
        barmode="overlay", legend={"y": 0, "yref": "container", "yanchor": "bottom"}
    )
    chart.update_layout(margin={"b": 70})
    chart.update_xaxes(tickformat=".0%", range=[0, 1], tickvals=[0, 0.5, 1], fixedrange=True)
    chart.update_yaxes(
        categoryorder="array", categoryarray=ticks[::-1], fixedrange=True, automargin=True
    )
    chart.update_annotations(font_size=13)
    return chart


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
