"""The shrinking sites: what is left of each under privacy, and the noise in what it sends."""

from __future__ import annotations

import math
from typing import Any

from pages.charts import Figure, curves
from pages.core import with_lines
from pages.current import state
from pages.pictures.picture import Picture, named, rounded
from rates.answer import Survival
from rates.study import Study

STOPS = tuple(float(f"{10 ** (k / 20):.2e}") for k in range(-40, 41))  # of the slider

_PARTS = ("part", "private")  # of what an answer lets survive, and whether privacy binds


def picture(
    study: Study,
    risk: str,
    *,
    epsilon: float | None = None,
    people: str = "records",
    caption: str = "",
) -> Picture | None:
    """Return the sites of a study under a common change of all budgets.

    Args:
        study: The study.
        risk: Which error counts.
        epsilon: The common budget at which the picture begins, where a hand may set one.
        people: What a record is.
        caption: Below the picture.

    Returns:
        The picture; None where no site is protected, so that there is nothing to change.
    """
    start = STOPS[_start(study, epsilon)]
    if (drawn := with_lines(still, study, risk, start, caption)) is None:
        return None
    shown = data(study, risk, epsilon=epsilon, people=people)
    return Picture(script="sites", data=shown, still=drawn)


def still(study: Study, risk: str, factor: float = 1.0, caption: str = "") -> Figure | None:
    """Return both answers against the budgets; None where no site is protected."""
    mark = "This study" if factor == 1 else "Your choice"
    swept = state.sweep(study, risk, STOPS)
    return curves.of_study(study, swept, here=factor, mark=mark, caption=caption)


def _start(study: Study, epsilon: float | None) -> int:
    """The stop at which the picture begins: the study as it stands, or near a common curves."""
    _, unit = curves.common(study)
    wanted = 0.0 if epsilon is None else math.log(epsilon / unit)
    return min(range(len(STOPS)), key=lambda k: abs(math.log(STOPS[k]) - wanted))


def data(
    study: Study, risk: str, *, epsilon: float | None = None, people: str = "records"
) -> dict[str, Any]:
    """Return what the script shows, as in `picture`; every list runs along `STOPS`."""
    found, swept = state.survival(study, risk, STOPS), state.sweep(study, risk, STOPS).mechanism
    ends = (
        {"low": rounded(swept.min(axis=0)), "high": rounded(swept.max(axis=0))}
        if len(swept)
        else {}
    )
    label, unit = curves.common(study)
    one = len({s.epsilon for s in study.servers if s.private}) == 1
    return {
        "label": "Look at other budgets ε" if epsilon is None else label,
        "symbol": "ε = " if one else "× ",
        "unit": unit,
        "factors": STOPS,
        "start": _start(study, epsilon),
        "takes": epsilon is not None,
        "people": people,
        "missing": "The mechanism needs every δ.",
        "sites": [_site(study, found, k, people, one) for k in range(len(found.groups))],
        "whole": {**_answers(found, -1), **ends},
    }


def _site(study: Study, found: Survival, k: int, people: str, one: bool) -> dict[str, Any]:
    """A row of the study, or all the small ones together."""
    rows = [study.servers[row] for row in found.groups[k]]
    (name, records), row, first = named(rows), found.groups[k][0], rows[0]
    shown: dict[str, Any] = {"name": name, "about": f"{records} {people}", "silent": ""}
    shown |= {"records": sum(s.n * s.count for s in rows), **_answers(found, k)}
    if len(rows) > 1:
        return {**shown, "silent": "several sites"}
    if not first.private:
        shown["silent"] = "no noise" if first.informative else "sends nothing"
    elif first.delta is None:
        shown["silent"] = "noise needs δ"
    elif not all(map(math.isfinite, found.noise[:, row].tolist())):  # a δ next to 1
        shown["silent"] = "noise beyond numbers"
    else:
        shown["noise"] = rounded(found.noise[:, row])
    if first.private and not one:
        shown["epsilon"] = rounded(found.epsilon[:, row])
    return shown


def _answers(found: Survival, column: int) -> dict[str, Any]:
    return {
        name: kept and {part: rounded(getattr(kept, part)[:, column]) for part in _PARTS}
        for name, kept in (("equation", found.equation), ("mechanism", found.mechanism))
    }
