"""The shrinking sites, and the budget tap.

What is left of each site under privacy, and the noise in what it sends; and a pipe per site, as
wide as what it adds: a press doubles its budget.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

from pages.charts import Figure, curves, number
from pages.charts import plan as figures
from pages.core import with_lines
from pages.current import state
from pages.pictures.picture import Picture, finite, named, rounded
from rates.answer import Lens, Survival
from rates.split import Taps, taps
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
        "sites": [_survivor(study, found, k, people, one) for k in range(len(found.groups))],
        "whole": {**_answers(found, -1), **ends},
    }


def _survivor(study: Study, found: Survival, k: int, people: str, one: bool) -> dict[str, Any]:
    """A row of the study, or all the small ones together."""
    rows = [study.servers[row] for row in found.groups[k]]
    (name, records), row, first = named(rows), found.groups[k][0], rows[0]
    shown: dict[str, Any] = {"name": name, "about": f"{records} {people}", "silent": ""}
    shown |= {"records": sum(s.n * s.count for s in rows), **_answers(found, k)}
    # Many small sites are one disc, whose budgets differ: their noise has no one size.
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


# The tap --------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=16)  # a goal that is moved leaves the pipes as they are
def tap(study: Study, risk: str, *, unit: str) -> Picture:
    """Return what each site of a study adds, and what doubled budgets would.

    Args:
        study: The study.
        risk: Which error counts.
        unit: What the sum counts, and how much of it is needed.
    """
    return Picture(
        script="tap", data=tap_data(study, risk, unit), still=with_lines(tap_still, study, risk)
    )


@functools.lru_cache(maxsize=16)
def taps_of(study: Study, risk: str) -> Taps:
    """Return what each site adds under every choice of doublings."""
    return taps(study, Lens(risk=risk))


def tap_data(study: Study, risk: str, unit: str = "") -> dict[str, Any]:
    """Return what the script shows, as in `tap`; lists run along the choices."""
    found = taps_of(study, risk)
    method = "today's method" if found.named else "the rate equation, as a δ is missing"
    return {
        "sites": [_pipe(study, found, k) for k in range(len(found.groups))],
        "stops": found.stops,
        "adds": [rounded(row) for row in found.adds],
        "private": (found.private @ [1 << k for k in range(len(found.groups))]).tolist(),
        "worth": rounded(found.adds.sum(axis=1)),
        "low": rounded(found.worth.min(axis=0)),
        "high": rounded(found.worth.max(axis=0)),
        "room": float(found.adds[sum(found.steps)].sum()),  # all doubled once
        "unit": unit,
        "told": f"Press a site to double its ε. By {method}.",
    }


def _pipe(study: Study, found: Taps, k: int) -> dict[str, Any]:
    """A row of the study, or all the small ones together."""
    rows, step = [study.servers[row] for row in found.groups[k]], found.steps[k]
    name, records = named(rows)
    budgets = [f"ε = {number(x)}" for x in found.epsilon[:, found.groups[k][0]]]
    if len(rows) > 1:
        budgets = ["ε as stated", *(f"ε × {2**times}" for times in range(1, found.stops))]
    silent = "no noise" if any(s.informative for s in rows) else "sends nothing"
    moves = {"budgets": budgets, "silent": ""} if step else {"budgets": [""], "silent": silent}
    return {"name": name, "records": records, "step": step, **moves}


def chosen(study: Study, risk: str, sent: Mapping[str, object]) -> dict[str, float]:
    """Return the budgets that a script sent, by site, those that were doubled; junk has none."""
    found = taps_of(study, risk)
    # A choice counts doublings of all pipes in one number, from 1: 0 changes nothing.
    choice = finite(sent, "choice", 1, len(found.adds) - 1)
    if choice is None or choice != int(choice) or sent.keys() != {"choice"}:
        return {}
    pairs = zip(found.groups, found.doublings(int(choice)), strict=True)
    return {
        study.servers[row].name: float(found.epsilon[times, row])
        for rows, times in pairs
        for row in rows
        if study.servers[row].private and times
    }


def tap_still(study: Study, risk: str) -> Figure:
    """Return the pipes at rest."""
    found = taps_of(study, risk)
    sites = [_pipe(study, found, k) for k in range(len(found.groups))]
    names, silent = [site["name"] for site in sites], [site["silent"] for site in sites]
    return figures.pipes(found, names, silent, name="tap")
