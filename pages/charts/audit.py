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
    marks = [charts.line([0.0, right], [0.0, right], "Promise", charts.GREY, "dash")]
    for place, (name, symbol) in enumerate(
        (("At least, 95 %", "circle"), ("At least, promise broken", "x"))
    ):
        mine = [one for one in found if one.broken == bool(place)]
        x, y = [one.epsilon for one in mine], [one.proved for one in mine]
        if mine or not place:
            hover, colour = "promised %{x:.3g}, at least %{y:.3g}", charts.look(place)[0]
            marks.append(charts.dots(x, y, name, symbol, 11, colour, hover=hover))
    rows: dict[str, charts.Values] = {
        "promised epsilon": [one.epsilon for one in found],
        "promised delta": [one.delta for one in found],
        "epsilon at least (95 %)": [one.proved for one in found],
        "runs in each world": [one.runs for one in found],
        "share of right guesses": [one.right for one in found],
    }
    told = [f"{number(o.epsilon)} promised, at least {number(o.proved)}" for o in found]
    table = {
        "Promised ε": [number(one.epsilon) for one in found],
        "δ": [number(one.delta) for one in found],
        "ε at least (95 %)": [number(one.proved) for one in found],
        "Guessed right": [f"{100 * one.right:.1f} %" for one in found],
        "Says": ["broken" if one.broken else "nothing against it" for one in found],
    }
    says = "Lower bounds of epsilon beside the promises"
    return charts.plot(
        marks,
        charts.Axis(title="Promised ε", span=(0.0, right)),
        charts.Axis(title="ε at least", span=(0.0, top)),
        rows,
        title="What an attacker proves about ε",
        height=380,
        foot=80,
        kept="audit",
        alt=f"Lower bounds of epsilon against the promise: "
        f"{'; '.join(told) or 'nothing tried yet'}.",
        name="attacker",
        caption="Points below the dashed line are what an honest mechanism shows; a point above it "
        "refutes the promise.",
        table=charts.Table(table, says) if found else None,
    )
