"""What an attacker proves about epsilon, beside what is promised."""

from __future__ import annotations

from collections.abc import Sequence

from pages import charts
from pages.charts.words import number
from sims.audit import Bound


def drawn(found: Sequence[Bound], promised: Sequence[float]) -> charts.Figure:
    """Draw the lower bounds of epsilon over the promises.

    Args:
        found: One record per promise that has been tried.
        promised: All promises of the run.
    """
    right = 1.1 * max(promised)
    top = 1.1 * max([*promised, *(one.proved for one in found)])
    holds = [one for one in found if not one.broken]
    broken = [one for one in found if one.broken]
    marks: list[charts.Curve] = [
        charts.line([0.0, right], [0.0, right], "Promise", charts.GREY, "dash"),
        _marks(holds, "At least, 95 %", "circle", 0),
    ]
    if broken:
        marks.append(_marks(broken, "At least, promise broken", "x", 1))
    rows = [
        {
            "promised epsilon": one.epsilon,
            "promised delta": one.delta,
            "epsilon at least (95 %)": one.proved,
            "runs in each world": one.runs,
            "share of right guesses": one.right,
        }
        for one in found
    ]
    return charts.Figure(
        figure=charts.Chart(
            marks=marks,
            title="What an attacker proves about ε",
            height=380,
            foot=80,
            x=charts.Axis(title="Promised ε", span=(0.0, right)),
            y=charts.Axis(title="ε at least", span=(0.0, top)),
            kept="audit",
        ),
        alt="Lower bounds of epsilon against the promise: "
        + (
            "; ".join(f"{number(o.epsilon)} promised, at least {number(o.proved)}" for o in found)
            or "nothing tried yet"
        )
        + ".",
        rows=rows,
        name="attacker",
        caption="Points below the dashed line are what an honest mechanism shows; a point above it "
        "refutes the promise.",
        table=charts.Table(
            {
                "Promised ε": [number(one.epsilon) for one in found],
                "δ": [number(one.delta) for one in found],
                "ε at least (95 %)": [number(one.proved) for one in found],
                "Guessed right": [f"{100 * one.right:.1f} %" for one in found],
                "Says": ["broken" if one.broken else "nothing against it" for one in found],
            },
            "Lower bounds of epsilon beside the promises",
        )
        if found
        else None,
    )


def _marks(found: Sequence[Bound], name: str, symbol: str, place: int) -> charts.Curve:
    return charts.dots(
        [one.epsilon for one in found],
        [one.proved for one in found],
        name,
        symbol,
        11,
        charts.look(place)[0],
        hover="promised %{x:.3g}, at least %{y:.3g}",
    )
