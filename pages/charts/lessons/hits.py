"""How often an attacker is right against the budget of the release."""

from __future__ import annotations

from collections.abc import Sequence

from pages import charts
from pages.charts import number
from pages.charts.lessons import prediction

ENDS = (0.05, 10.0)
BLIND = 50.0  # of 100, by guessing
Line = tuple[Sequence[float], Sequence[float]]


def drawn(
    given: float | None,
    at: float,
    line: Line | None,
    true: float | None,
    *,
    title: str,
    caption: str,
    name: str,
) -> charts.Figure:
    """Return hits of 100 against epsilon, one budget marked.

    Args:
        given: The hits predicted there; None where nobody has answered.
        at: The budget.
        line: Budgets and the most hits there; None as long as they are not to be known.
        true: The most hits at the budget, likewise.
        title: The question, or the finding.
        caption: Below the figure.
        name: Of the files.
    """
    marks: list[charts.Curve] = [
        charts.line(ENDS, (BLIND, BLIND), "Guessing blindly", dash="dot", width=1.5)
    ]
    if line is not None:
        hover = "ε = %{x:.3g}: %{y:.1f} of 100"
        marks.append(
            charts.line(
                *line, "At most, whatever is released", charts.EQUATION, width=2.5, hover=hover
            )
        )
    if true is not None:
        marks.append(prediction.true([at], [true], [f"{true:.1f}"], at="bottom right"))
    if given is not None:
        marks.append(prediction.leader([ENDS[0], at], [given, given]))
        marks.append(prediction.dots([at], [given], [number(given)], at="top left"))
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=420,
        head=prediction.HEAD,
        foot=prediction.FOOT,
        legend=charts.LOOSE,
        keys=True,
        x=charts.log_axis("Budget ε of the release", ENDS, fixed=True),
        y=charts.Axis(title="Right out of 100", span=(46, 104), fixed=True),
        rules=[charts.upright(at)],
    )
    columns: dict[str, Sequence[object]] = {
        "epsilon": [at],
        "your prediction": ["" if given is None else given],
    }
    rows = charts.rows_of(columns)
    if line is not None:
        rows = [{**row, "at most": "" if true is None else true} for row in rows]
        rows += charts.rows_of(
            {"epsilon": line[0], "your prediction": [""] * len(line[0]), "at most": line[1]}
        )
    parts = [f"Right out of 100 against ε, from {number(ENDS[0])} to {number(ENDS[1])}."]
    if given is not None:
        parts.append(f"Your prediction at ε = {number(at)}: {number(given)}.")
    if line is not None and true is not None:
        parts.append(
            f"At most {line[1][0]:.1f} at the left end, {true:.1f} at ε = {number(at)}, "
            f"{line[1][-1]:.1f} at the right end; 50 by guessing."
        )
    return charts.Figure(figure=figure, alt=" ".join(parts), rows=rows, caption=caption, name=name)
