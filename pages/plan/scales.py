"""By what factor all budgets, sizes or counts would have to grow: in words, cells and a figure."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.plan import goal as plan_goal
from pages.plan.view import View
from rates import plan
from rates.study import Study

ENOUGH = "today's is enough"
_NONE = "none is enough"
_FARTHEST = 1e6  # that a figure shows
_MANY, _FEW = 1_000, 31  # rows beyond which a figure has so few points: each solves them all
_ALL: Mapping[str, str] = {
    "epsilon": "every ε",
    "n": "the records at every site",
    "count": "the number of sites in every row of many alike",
}
_AXES: Mapping[str, str] = {
    "epsilon": "Every ε multiplied by",
    "n": "Records at every site multiplied by",
    "count": "Number of sites alike multiplied by",
}

_scales = functools.lru_cache(maxsize=64)(
    lambda study, aim, risk, kappas: plan.scales(
        study,
        needed=aim.needed,
        multiple=aim.multiple,
        part=aim.part,
        risk=risk,
        kappas=kappas,
    )
)
_curve = functools.lru_cache(maxsize=64)(
    lambda study, quantity, factors, risk, kappas: plan.scale_curve(
        study, quantity, factors, risk=risk, kappas=kappas
    )
)


def found(study: Study, view: View, goal: plan_goal.Goal) -> tuple[plan.Scale, ...]:
    """The factors, more people before more records of each; none where no goal can be said."""
    if goal.aim is None:
        return ()
    out: tuple[plan.Scale, ...] = _scales(study, goal.aim, plan_goal.risk(study, view), goal.kappas)
    return out


def met(scales: tuple[plan.Scale, ...]) -> bool:
    """Whether nothing has to grow, by the mechanism or where there is none by the equation."""
    return all((x.equation if math.isnan(x.high) else x.high) == 1.0 for x in scales)


def sentence(study: Study, view: View, goal: plan_goal.Goal) -> str:
    """What would have to grow, and by what factor, Markdown; the mechanism comes first."""
    scales, risk = found(study, view, goal), plan_goal.risk(study, view)
    assert goal.aim is not None
    now = plan_goal.worths(study, risk, goal.kappas)[-1]
    worth = f"**{_span(now)}** effective records"
    if met(scales):
        if goal.aim.needed is None and goal.aim.multiple is None:
            return f"Privacy costs this study nothing: it is worth {worth} with and without it."
        return f"{goal.text}: it is there, worth {worth} today."
    by = "By the rate equation alone, as a δ is missing. " if math.isnan(scales[0].high) else ""
    head = f"{by}{goal.text} ({_from_to(study, goal, risk, now)})"
    reach = [x for x in scales if math.isfinite(x.equation if by else x.low)]
    alike = len({_equation(x) for x in scales}) == 1 and not by
    items = [_item(study, x, first=k == 0, beside=not alike) for k, x in enumerate(reach)]
    out = f"{head}, {', or '.join(items)}{f' (equation: {_equation(scales[0])})' * alike}."
    if any(x.quantity == "epsilon" and x not in reach for x in scales):
        free = plan_goal.worths(study.unprotected(), risk, goal.kappas)[-1]
        out += f" Budgets alone are not enough: without privacy the study is worth {_span(free)}."
    return out


def _from_to(study: Study, goal: plan_goal.Goal, risk: str, now: tuple[float, ...]) -> str:
    assert goal.aim is not None
    if goal.aim.needed is not None:
        return f"today **{_span(now)}**"
    lenses = plan.lenses(study, risk, goal.kappas)
    wanted = [goal.aim.records(study, lens) for lens in lenses[-len(now) :]]
    return f"from **{_span(now)}** effective records to **{_span(tuple(wanted))}**"


def _span(values: tuple[float, ...]) -> str:
    return words.between(min(values), max(values))


def _item(study: Study, scale: plan.Scale, *, first: bool, beside: bool) -> str:
    verb = " would have to be" if first else ""
    large = " as large" if first else ""
    if math.isnan(scale.high):
        return (
            f"{name(study, scale.quantity)}{verb} **{words.number(scale.equation)} times**{large}"
        )
    if math.isinf(scale.high):
        least = words.number(scale.low)
        times = f"at least **{least} times**{large}, and by some constants no factor is enough"
    else:
        times = f"**{words.between(scale.low, scale.high)} times**{large}"
    exact = f" (equation: {_equation(scale)})" if beside else ""
    return f"{name(study, scale.quantity)}{verb} {times}{exact}"


def name(study: Study, quantity: str) -> str:
    """What grows, in words, Markdown; a lone row of many alike by its name."""
    if quantity == "count" and len(many := _many(study)) == 1:
        return f"the number of {words.md(many[0])}"
    return _ALL[quantity]


def _many(study: Study) -> list[str]:
    return [s.name for s in study.servers if s.count > 1]


def place(study: Study, quantity: str) -> str:
    """Where it grows, for a table."""
    many = _many(study)
    return many[0] if quantity == "count" and len(many) == 1 else plan.LEVERS[quantity].everyone


def _equation(scale: plan.Scale) -> str:
    if scale.equation == 1.0:
        return ENOUGH
    return _NONE if math.isinf(scale.equation) else f"× {words.number(scale.equation)}"


def cells(scale: plan.Scale) -> tuple[str, str]:
    """By the mechanism and by the rate equation, for a table."""
    if math.isnan(scale.high):
        return "needs every δ", _equation(scale)
    if math.isinf(scale.low):
        return _NONE, _equation(scale)
    if math.isinf(scale.high):
        return f"× {words.number(scale.low)} or none", _equation(scale)
    if scale.high == 1.0:
        return ENOUGH, _equation(scale)
    return f"× {words.between(scale.low, scale.high)}", _equation(scale)


def picture(study: Study, view: View, goal: plan_goal.Goal) -> Figure:
    """What the study is worth along one factor on what all of its rows have."""
    scale = next(x for x in found(study, view, goal) if x.quantity == view.lever)
    ends = [x for x in (scale.low, scale.high, scale.equation) if math.isfinite(x)]
    top = min(max([10.0, *(3.0 * x for x in ends)]), _FARTHEST)
    low, high = (None if not math.isfinite(x) else x for x in (scale.low, scale.high))
    points = figures.POINTS if len(study.servers) <= _MANY else _FEW
    enough = cells(scale)[1 if math.isnan(scale.high) else 0]
    return figures.grown(
        _curve(
            study,
            view.lever,
            tuple(figures.grid(0.5, top, points).tolist()),
            plan_goal.risk(study, view),
            goal.kappas,
        ),
        label=_AXES[view.lever],
        title=f"Enough: {enough}" if enough.startswith("×") else enough[0].upper() + enough[1:],
        enough=[x for x in dict.fromkeys((low, high)) if x is not None],
        by_equation=scale.equation,
        needed=goal.aim.needed if goal.aim else None,
        caption="× 1 is the study today; upright lines: from there on the goal is reached.",
    )
