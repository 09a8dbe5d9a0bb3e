"""Shares: of each site in the answer, with what binds it; and of each cause in the error."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pages import charts
from pages.charts import theme
from pages.charts.words import label, labels, number, percent, signed_percent
from rates.answer import Breakdown, Cost, Setback
from rates.study import Study

MOST_BARS = 16
MOST_LETTERS = 20  # of a name beside two panels on a phone
SEEN = 0.002  # least share that is drawn
_WHAT = [what for _, what in theme.CAUSES]


def shares_figure(
    names: Sequence[str], panels: Sequence[tuple[str, Breakdown]], *, has_target: bool, caption: str
) -> charts.Figure:
    """Return one panel of horizontal bars per answer, sites in table order.

    Args:
        names: Site names, target first where there is one.
        panels: Panel title and the answer that it shows.
        has_target: Whether the first site is the target.
        caption: Below the figure.
    """
    shown = _shown_rows(panels)
    marked = [theme.TARGET_MARK if has_target and not row else theme.SOURCE_MARK for row in shown]
    short = labels([names[row] for row in shown], MOST_LETTERS)
    ticks = [f"{mark} {name}" for mark, name in zip(marked, short, strict=True)]
    if rest := len(names) - len(shown):
        ticks.append(f"{rest} other rows")
    gap, count = 0.09, len(panels)
    width = (1 - gap * (count - 1)) / count
    # Room for the words at the end of a bar, which are as wide on a phone.
    share = charts.axis(share=True, span=(0, 1.4), tickvals=[0, 0.5])
    columns: dict[str, charts.Values] = {"site": names}
    marks: list[charts.Fields] = []
    axes = []
    for place, (text, parts) in enumerate(panels, 1):
        limits = [*(parts.limited_by[row] for row in shown), theme.MIXED]
        # The last limit, of all other rows together, is used only where there are some.
        bars = list(zip(ticks, of_bars(parts.shares, panels), limits, strict=False))
        marks += _bars(bars, place, {mark["legendgroup"] for mark in marks})
        left = (place - 1) * (width + gap)
        axes.append(share | {"title": text, "domain": (left, left + width)})
        columns[f"share, {text.lower()}"] = parts.shares
        columns[f"limit, {text.lower()}"] = parts.limited_by
    words = charts.room(170 + 30 * len(ticks), 70) | {"name": "shares", "caption": caption}
    words |= {"title": "Share of the answer that each site carries", "barmode": "overlay"}
    return charts.plot(marks, axes, charts.named(ticks), columns, **words)


def of_study(study: Study, cost: Cost, *, alike: bool = False) -> charts.Figure:
    """Who carries the answer, by equation and by mechanism; no site is the target of ``alike``."""
    has_target = study.target is not None and not alike
    names = [server.name for server in study.servers]
    panels: list[tuple[str, Breakdown]] = [("Equation", cost.equation.answer)]
    if cost.mechanism:
        panels.append(("Mechanism", middle(cost).answer))
    marks = f"{theme.TARGET_MARK} target, {theme.SOURCE_MARK} source. " if has_target else ""
    caption = f"{marks}A row with a count speaks for all its sites."
    return shares_figure(names, panels, has_target=has_target, caption=caption)


def middle(cost: Cost) -> Setback:
    """The mechanism's answer in the middle of its range of constants."""
    return cost.mechanism[len(cost.mechanism) // 2]


def of_bars(values: Sequence[float], panels: Sequence[tuple[str, Breakdown]]) -> tuple[float, ...]:
    """Return one value for each bar of `shares_figure`: its row's, or the sum of all others."""
    shown = _shown_rows(panels)
    own = tuple(values[row] for row in shown)
    return own if len(shown) == len(values) else (*own, math.fsum(values) - math.fsum(own))


def _bars(
    bars: Sequence[tuple[str, float, str]], axis: int, named: set[str | None]
) -> Iterator[charts.Fields]:
    """One mark per limit, of names, shares and limits; the legend names each limit once."""
    for limit, text in theme.LIMITS.items():
        mine = [(name, share) for name, share, own in bars if own == limit]
        look: charts.Fields = {
            "hover": f"%{{y}}: %{{text}}, {text}",
            "extra": "",
            "legendgroup": limit,
        }
        if mine:
            names, shares = map(list, zip(*mine, strict=True))
            look |= {"text": list(map(percent, shares)), "showlegend": limit not in named}
            yield charts.caused(limit, text, shares, names, xaxis=charts.nth("x", axis), **look)


def _shown_rows(panels: Sequence[tuple[str, Breakdown]]) -> list[int]:
    """Rows that get a bar of their own: all, or the largest in table order."""
    rows = range(len(panels[0][1].shares))
    if len(rows) <= MOST_BARS:
        return list(rows)
    most = sorted(rows, key=lambda row: -max(p.shares[row] for _, p in panels))[: MOST_BARS - 1]
    # The target is what the study is about, however little it carries.
    return sorted({0, *most})


def by_cause(found: Mapping[str, tuple[float, Sequence[float]]], **words: Any) -> charts.Figure:
    """Return one bar per design with its error over the study's, cut into the shares of the causes.

    Causes that make the error smaller lie left of zero, those that make it larger follow each
    other to the right of it.

    Args:
        found: Design to its error and the shares of the causes in it, the study first.
        **words: Title (the finding) and caption.
    """
    whole = next(error for error, _ in found.values())
    ratios = {name: error / whole for name, (error, _) in found.items()}
    names = {name: f"{label(name)}, × {number(ratio)}" for name, ratio in ratios.items()}
    least = {name: sum(min(x, 0.0) for x in parts) for name, (_, parts) in found.items()}
    left, ends = min(least.values()), dict.fromkeys(found, 0.0)
    columns: dict[str, charts.Values] = {"design": list(found)}
    columns["error over the study's"] = list(ratios.values())
    marks: list[charts.Fields] = []
    for cause, (look, what) in enumerate(theme.CAUSES):
        shares = {name: parts[cause] for name, (_, parts) in found.items()}
        columns[what] = list(shares.values())
        shown = {name: share for name, share in shares.items() if abs(share) >= SEEN}
        starts = []
        for name, share in shown.items():
            # Parts that help start at the far left and end at zero.
            side = least if share < 0 else ends
            starts.append(side[name])
            side[name] += abs(share)
        if shown:
            more: charts.Fields = {"hover": f"%{{y}}: {what} %{{customdata}}", "extra": ""}
            more |= {
                "base": starts,
                "customdata": [signed_percent(share) for share in shown.values()],
            }
            widths, rows = map(abs, shown.values()), [names[name] for name in shown]
            marks.append(charts.caused(look, what, list(widths), rows, **more))
    first, last = 1.05 * left if left < -SEEN else 0.0, 1.02 * max(ends.values())
    # 50%, unless parts lie far from 0
    step = 0.5 if last - first < 3 else float(math.ceil((last - first) / 6))
    at = [step * k for k in range(math.ceil(first / step), math.floor(last / step) + 1)]
    ticks = at, [signed_percent(x) for x in at]
    told = [
        f"{name}: {', '.join(map(' '.join, zip(_WHAT, map(signed_percent, parts), strict=True)))}"
        for name, (_, parts) in found.items()
    ]
    return charts.plot(
        marks,
        charts.axis("Share of the design's own error", (first, last), ticks=ticks, zeroline=True),
        charts.named(list(names.values())),
        columns,
        **charts.room(170 + 44 * len(found), 90),
        barmode="overlay",
        alt=f"Where the error of each design comes from. {'; '.join(told)}.",
        name="causes",
        **words,
    )
