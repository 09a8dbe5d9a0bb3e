"""The figures of a study and of a run by name, in one call: for a notebook, without Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pages.charts import Fields, Figure, curves, maps, shares, simulation, spec, words
from rates.answer import Lens, balance, compare, privacy_cost
from rates.maps import usual
from rates.numbers import DomainError, Words
from rates.study import Study
from sims.engine import Progress

_Made = TypeVar("_Made")


def of(found: Study | Progress, name: str = "", risk: str = "") -> Any:
    """Return a figure of a study, or of a run, as Plotly shows it.

    What it shows in words stands in ``figure.layout.meta["alt"]``.

    Args:
        found: A study, or what a run has so far.
        name: One of `FIGURES` for a study, the first one if empty.
        risk: Which error of a curve counts, "integrated" or "pointwise"; the first if empty.

    Raises:
        DomainError: There is no such figure, or no such error.

    Examples:
        >>> from rates.study import preset
        >>> figure = of(preset("hospitals").study, "shares")
        >>> figure.layout.meta["alt"][44:96]
        'Equation. sampling binds: ◆ Hungary 14%, ○ Cleveland'
    """
    made = drawn(found, name, risk)
    return spec.figure(made.figure).update_layout(meta={"alt": made.alt})


def drawn(found: Study | Progress, name: str = "", risk: str = "") -> Figure:
    """Return the same figure as a record: words, numbers, and SVG that a notebook shows.

    Args:
        found: As for `of`.
        name: Likewise.
        risk: Likewise.

    Raises:
        DomainError: As for `of`.
    """
    if isinstance(found, Progress):
        return _run(found)
    _one_of("name", name or "shares", FIGURES)
    return FIGURES[name or "shares"](found, _risk(found, risk))


def _shares(study: Study, risk: str) -> Figure:
    return shares.of_study(study, next(cost for cost in privacy_cost(study) if cost.risk == risk))


def _budgets(study: Study, risk: str) -> Figure:
    made = curves.of_study(study, compare.budget_sweep(study, compare.FACTORS, Lens(risk=risk)))
    return _there(made, "No site with records has a finite budget, so there is none to change.")


def _balance(study: Study, risk: str) -> Figure:
    result, transfer = balance(study, risk), study.kind == "transfer"
    _there(result.rows or None, "No site carries information, so there is nothing to balance.")
    names = [server.name for server in study.servers]
    return curves.balance_figure(result, names, transfer=transfer, caption="")


def _map(study: Study, risk: str) -> Figure:
    axes = usual(study)
    _there(axes[1:] or None, "This study has no two numbers that a map could change.")
    x, y = map(str, axes)
    return maps.map_of(study, x, y, "equation", risk)


def _run(found: Progress) -> Figure:
    asked = found.request.experiment
    words: Fields = {"title": asked.question, "x_title": asked.x_label, "name": asked.name}
    if asked.span == (0.0, 1.0):
        shown = simulation.scores(found.request.points, found.estimates)
        return simulation.budget_figure(shown, asked.y_label, **words)
    # A rate has slopes and a share has the span from 0 to 1; nothing else tells how to draw it.
    rule = "A run of no rate and no share has no figure of its own; its to_frame has the numbers."
    _there(asked.slopes or None, rule)
    words |= {"y_title": asked.y_label, "curve": "Theory times a constant"}
    return simulation.rate_figure(found, **words)


def _there(made: _Made | None, rule: str) -> _Made:
    if made is None:
        raise DomainError(rule, value=Words("nothing to draw"))
    return made


def _risk(study: Study, risk: str) -> str:
    risks = ("classification",) if study.kind == "transfer" else tuple(words.RISKS)
    _one_of("risk", risk or risks[0], risks)
    return risk or risks[0]


def _one_of(field: str, value: str, known: Any) -> None:
    if value not in known:
        raise DomainError(f"{field} must be one of {', '.join(known)}.", field, value)


FIGURES: Mapping[str, Callable[[Study, str], Figure]] = {
    "shares": _shares,  # who carries the answer
    "budgets": _budgets,  # what the sample keeps if all budgets change together
    "balance": _balance,  # why the root lies where it lies
    "map": _map,  # who carries most over two numbers of the study
}
