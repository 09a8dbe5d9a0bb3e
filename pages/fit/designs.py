"""The designs beside a study: what each is worth by both answers, and what each is called."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

from pages.charts import words
from rates.answer import Lens
from rates.fit import HOUSE, Curator, Outcome, Rival, rivals, strictest
from rates.study import Scope, Study, TransferStudy, alike

_found = functools.lru_cache(maxsize=64)(
    lambda study, risk, who, everyone: rivals(study, who, alike=everyone, lens=Lens(risk=risk))
)


def found(study: Study, risk: str, who: Curator, *, everyone: bool) -> tuple[Rival, ...]:
    """Return the study and its rivals; ``everyone`` where the answer is for all sites' patients."""
    return _found(study, risk, who, everyone)


def for_everyone(study: Study, scope: Scope) -> bool:
    """Whether the answer is for the patients of every site, so that there is no target."""
    return not isinstance(study, TransferStudy) or alike(study, scope)


def name(kind: str, who: Curator, *, everyone: bool = False) -> str:
    """Name a design; a pooled one always says its privacy."""
    epsilon = words.number(who.epsilon)
    return {
        HOUSE: "Each alone, in house" if everyone else "Target alone, in house",
        "alone": "Best site alone",
        "unprotected": "Pooled, no privacy",
        "curator": f"Pooled, curator, ε = {epsilon}",
        "study": "This study",
        "agreed": "Agreed, 1/variance",
        "own": "Own tuning, 1/variance",
        "output": f"Pooled fit + noise, ε = {epsilon}",
    }[kind]


def by_equation(row: Rival) -> list[Outcome]:
    """The equation's answers: of the smallest site too, where each stands for itself."""
    return [x.equation for x in (row, row.least) if x is not None and x.equation is not None]


def by_mechanism(row: Rival) -> list[Outcome]:
    """The mechanism's answers: of the smallest site too, where each stands for itself."""
    return [outcome for x in (row, row.least) if x is not None for outcome in x.mechanism]


def answers(row: Rival) -> list[Outcome]:
    """The mechanism's answers where it compares, else the equation's."""
    for some in (by_mechanism(row), by_equation(row)):
        if comparable := [x for x in some if not math.isnan(x.kept)]:
            return comparable
    return []


def worth(outcomes: Sequence[Outcome]) -> tuple[float, float]:
    """The least and the largest worth of a design, in unprotected records."""
    values = [x.effective_n for x in outcomes]
    return min(values), max(values)


def nothing(rows: Sequence[Rival], *, plain: bool = False) -> str:
    """Say what doing nothing is worth beside the study, which may be left out for what it lacks.

    Args:
        rows: The study and its rivals.
        plain: Whether it is for a protocol, which says whose records they are.
    """
    by_kind = {row.kind: row for row in rows}
    house = words.between(*worth(by_equation(by_kind[HOUSE])))
    study = by_kind["study"]
    some = by_mechanism(study) or by_equation(study)
    this = words.between(*worth(some)) if some else "not computed"
    if not plain:
        return f"Doing nothing is worth {house} records, this study {this}"
    whose = "the target keeps" if by_kind[HOUSE].least is None else "every site keeps"
    how = "one named procedure" if by_mechanism(study) else "the rate, up to a constant"
    return (
        f"If {whose} to its own records, in house and without noise, it has {house} records; by "
        f"{how}, the releases of this study are worth {this} unprotected records."
    )


def of_protocol(study: Study, scope: Scope, risk: str) -> str:
    """Return that sentence for a protocol."""
    everyone = for_everyone(study, scope)
    rows = found(study, risk, strictest(study), everyone=everyone)
    return nothing(rows, plain=True)
