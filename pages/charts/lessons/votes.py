"""Two votes of a class, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from pages import charts
from pages.charts import label, theme
from pages.charts.lessons.choices import LETTERS

NAMES = ("First vote", "Second vote")
_ROOM, _MOST, _FEW = 96, 18, 4  # letters below all bars, below one; bars that need no letter


def columns(options: Sequence[str]) -> list[str]:
    """Name what was answered, so that all names stand side by side and differ.

    >>> columns(["North", "South"]), columns(["A rather long name of a site"] * 5)[3]
    (['North', 'South'], 'D: A rather long n…')
    """
    if len(options) <= _FEW:
        return [label(name, _MOST) for name in options]
    most = min(_MOST, _ROOM // len(options) - 3)
    return [f"{x}: {label(name, most)}" for x, name in zip(LETTERS, options, strict=False)]


def drawn(
    options: Sequence[str], votes: Sequence[Sequence[int]], *, title: str, what: str = "hands"
) -> charts.Figure:
    """Return the parts of a class for each option, by vote.

    Args:
        options: What could be answered.
        votes: Of each vote the counts, one for each option; an empty vote is left out.
        title: What the class was asked.
        what: What was counted.
    """
    looks = dict(zip(NAMES, (theme.GREY, theme.EQUATION), strict=True))
    shown = [(name, v) for name, v in zip(NAMES, votes, strict=True) if sum(v)]
    rows = [
        {"option": option, "vote": name, what: n}
        for name, v in shown
        for option, n in zip(options, v, strict=True)
    ]
    bars = [
        charts.Bars(
            x=list(options),
            y=[n / sum(v) for n in v],
            name=f"{name}, {sum(v)} {what}",
            texts=[charts.percent(n / sum(v)) for n in v],
            colour=looks[name],
            lying=False,
            hover="%{x}: %{y:.0%}",
        )
        for name, v in shown
    ]
    top = max((n / sum(v) for _, v in shown for n in v), default=1.0)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{option} {n}" for option, n in zip(options, v, strict=True))
        for name, v in shown
    )
    return charts.plot(
        bars,
        charts.Axis(kind="category", names=list(options)),
        charts.Axis(share=True, span=(0.0, 1.15 * top), title=f"Part of the {what}"),
        rows,
        **charts.room(360, 10, 48),
        title=title,
        stacked="group",
        keys=True,
        alt=f"Bars of the {what}. {told}.",
        name="hands",
    )
