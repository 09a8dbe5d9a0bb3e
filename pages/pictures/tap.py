"""The budget tap: a pipe per site, as wide as what it adds; a press doubles its budget."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import with_lines
from pages.pictures.picture import Picture, finite, named, rounded
from rates.answer import Lens
from rates.split import Taps, taps
from rates.study import Study


@functools.lru_cache(maxsize=16)  # a goal that is moved leaves the pipes as they are
def picture(study: Study, risk: str, *, unit: str) -> Picture:
    """Return what each site of a study adds, and what doubled budgets would.

    Args:
        study: The study.
        risk: Which error counts.
        unit: What the sum counts, and how much of it is needed.
    """
    return Picture(script="tap", data=data(study, risk, unit), still=with_lines(still, study, risk))


@functools.lru_cache(maxsize=16)
def of_study(study: Study, risk: str) -> Taps:
    """Return what each site adds under every choice of doublings."""
    return taps(study, Lens(risk=risk))


def data(study: Study, risk: str, unit: str = "") -> dict[str, Any]:
    """Return what the script shows, as in `picture`; lists run along the choices."""
    found = of_study(study, risk)
    method = "today's method" if found.named else "the rate equation, as a δ is missing"
    return {
        "sites": [_site(study, found, k) for k in range(len(found.groups))],
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


def _site(study: Study, found: Taps, k: int) -> dict[str, Any]:
    """A row of the study, or all the small ones together."""
    rows, step = [study.servers[row] for row in found.groups[k]], found.steps[k]
    name, records = named(rows)
    budgets = [f"ε = {words.number(x)}" for x in found.epsilon[:, found.groups[k][0]]]
    if len(rows) > 1:
        budgets = ["ε as stated", *(f"ε × {2**times}" for times in range(1, found.stops))]
    silent = "no noise" if any(s.informative for s in rows) else "sends nothing"
    moves = {"budgets": budgets, "silent": ""} if step else {"budgets": [""], "silent": silent}
    return {"name": name, "records": records, "step": step, **moves}


def chosen(study: Study, risk: str, sent: Mapping[str, object]) -> dict[str, float]:
    """Return the budgets that a script sent, by site, those that were doubled; junk has none."""
    found = of_study(study, risk)
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


def still(study: Study, risk: str) -> Figure:
    """Return the pipes at rest."""
    found = of_study(study, risk)
    sites = [_site(study, found, k) for k in range(len(found.groups))]
    names, silent = [site["name"] for site in sites], [site["silent"] for site in sites]
    return figures.pipes(found, names, silent, name="tap")
