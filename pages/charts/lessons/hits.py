"""How often an attacker is right against the budget of the release."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages import charts
from pages.charts import number
from pages.charts.lessons import prediction

ENDS = (0.05, 10.0)
BLIND = 50.0  # of 100, by guessing
Line = tuple[Sequence[float], Sequence[float]]


def drawn(
    given: float | None, at: float, line: Line | None, true: float | None, **words: Any
) -> charts.Figure:
    """Return hits of 100 against epsilon, one budget marked.

    Args:
        given: The hits predicted there; None where nobody has answered.
        at: The budget.
        line: Budgets and the most hits there; None as long as they are not to be known.
        true: The most hits at the budget, likewise.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    marks = [charts.line(ENDS, (BLIND, BLIND), "Guessing blindly", dash="dot", width=1.5)]
    rows = charts.rows_of({"epsilon": [at], "your prediction": ["" if given is None else given]})
    alt = f"Right out of 100 against ε, from {number(ENDS[0])} to {number(ENDS[1])}."
    if given is not None:
        alt += f" Your prediction at ε = {number(at)}: {number(given)}."
    if line is not None:
        look: charts.Fields = {"width": 2.5, "hover": "ε = %{x:.3g}: %{y:.1f} of 100"}
        name = "At most, whatever is released"
        marks.append(charts.line(*line, name, charts.EQUATION, **look))
        rows = [{**row, "at most": "" if true is None else true} for row in rows]
        nobody = [""] * len(line[0])
        columns: charts.Fields = {"epsilon": line[0], "your prediction": nobody, "at most": line[1]}
        rows += charts.rows_of(columns)
    if line is not None and true is not None:
        alt += (
            f" At most {line[1][0]:.1f} at the left end, {true:.1f} at ε = {number(at)}, "
            f"{line[1][-1]:.1f} at the right end; 50 by guessing."
        )
    if true is not None:
        marks.append(prediction.true([at], [true], [f"{true:.1f}"], "bottom right"))
    if given is not None:
        marks.append(prediction.leader([ENDS[0], at], [given, given]))
        marks.append(prediction.dots([at], [given], [number(given)], "top left"))
    return charts.plot(
        marks,
        charts.log_axis("Budget ε of the release", ENDS, fixed=True),
        charts.Axis(title="Right out of 100", span=(46, 104), fixed=True),
        rows,
        **charts.room(420, prediction.FOOT, prediction.HEAD),
        keys=True,
        rules=[charts.upright(at)],
        alt=alt,
        **words,
    )
