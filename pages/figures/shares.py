"""Who carries the rate: each site's share and what binds it, by equation and mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pages.figures import chart
from pages.figures.chart import label, percent, theme
from rates.answer import Breakdown

MOST_BARS = 16


_Bar = tuple[str, float, str]  # name, share and limit


def drawn(
    names: Sequence[str], panels: Sequence[tuple[str, Breakdown]], *, has_target: bool, caption: str
) -> chart.Drawn:
    """Return one panel of horizontal bars per answer, sites in table order.

    Args:
        names: Site names, target first where there is one.
        panels: Panel title and the answer that it shows.
        has_target: Whether the first site is the target.
        caption: Below the figure.
    """
    shown = _shown_rows(panels)
    ticks = [
        f"{theme.TARGET_MARK if has_target and row == 0 else theme.SOURCE_MARK} {label(names[row])}"
        for row in shown
    ]
    rest = len(names) - len(shown)
    ticks += [f"{rest} other rows"] if rest else []
    marks: list[chart.Bars] = []
    for place, (_, parts) in enumerate(panels, 1):
        marks += _marks(_bars(ticks, parts, shown), place, {mark.group for mark in marks})
    gap = 0.09
    width = (1 - gap * (len(panels) - 1)) / len(panels)
    share = chart.Axis(share=True, span=(0, 1), ticks=chart.Ticks([0, 0.5, 1]), fixed=True)
    lefts = [place * (width + gap) for place in range(len(panels))]
    figure = chart.Chart(
        marks=marks,
        title="Share of the answer that each site carries",
        head=64,
        height=150 + 30 * len(ticks),
        stacked="overlay",
        foot=70,
        legend=chart.BARE,
        x=[replace(share, part=(left, left + width)) for left in lefts],
        y=chart.Axis(names=ticks[::-1], fixed=True, roomy=True),
        notes=[
            chart.heading(text, left + width / 2, left=False)
            for left, (text, _) in zip(lefts, panels, strict=True)
        ],
    )
    columns: dict[str, Sequence[object]] = {"site": names}
    sentences = ["Share of each site."]
    for text, parts in panels:
        columns[f"share, {text.lower()}"] = parts.shares
        columns[f"limit, {text.lower()}"] = parts.limited_by
        told = ", ".join(
            f"{names[row]} {percent(parts.shares[row])} ({theme.LIMITS[parts.limited_by[row]]})"
            for row in shown
        )
        sentences.append(f"{text}: {told}.")
    rows, alt = chart.rows_of(columns), " ".join(sentences)
    return chart.Drawn(figure=figure, alt=alt, rows=rows, caption=caption, name="shares")


def _marks(bars: Sequence[_Bar], axis: int, named: set[str | None]) -> Iterator[chart.Bars]:
    """One mark per limit; the legend names each limit once."""
    for limit, words in theme.LIMITS.items():
        mine = [(name, share) for name, share, own in bars if own == limit]
        if mine:
            yield chart.Bars(
                x=[share for _, share in mine],
                y=[name for name, _ in mine],
                x_axis=axis,
                texts=[percent(share) for _, share in mine],
                name=words,
                group=limit,
                listed=limit not in named,
                colour=theme.COLOURS[limit],
                hatch=chart.hatched(limit),
                hover="%{y}: %{text}, " + words,
                extra="",
            )


def _shown_rows(panels: Sequence[tuple[str, Breakdown]]) -> list[int]:
    """Rows that get a bar of their own: all, or the largest in table order."""
    rows = range(len(panels[0][1].shares))
    if len(rows) <= MOST_BARS:
        return list(rows)
    most = sorted(rows, key=lambda row: -max(p.shares[row] for _, p in panels))[: MOST_BARS - 1]
    return sorted({0, *most})


def _bars(ticks: Sequence[str], parts: Breakdown, shown: Sequence[int]) -> list[_Bar]:
    bars: list[_Bar] = [
        (tick, parts.shares[row], parts.limited_by[row])
        for tick, row in zip(ticks, shown, strict=False)
    ]
    if len(ticks) > len(shown):
        rest = 1.0 - sum(share for _, share, _ in bars)
        bars.append((ticks[-1], max(rest, 0.0), theme.MIXED))
    return bars
