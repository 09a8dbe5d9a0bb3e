"""What is aimed at, and by what factor all budgets, sizes or counts would have to grow for it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Slider
from pages.fit import constant as calibrated_state
from pages.plan import state as plan_state
from pages.plan.state import View
from rates import plan
from rates.answer import KAPPAS, Lens
from rates.numbers import DomainError
from rates.plan import Aim, fraction_of_risk, lenses
from rates.study import Scope, Study
from sims.calibration import Absolute

ENOUGH = "today's is enough"
NEEDS_DELTA = "needs every δ"
_TITLES = {
    "need": "A need in records",
    "part": "A part of what privacy costs",
    "risk": "A risk, as calibrated",
}
_NONE = "none is enough"
_FARTHEST = 1e6  # that a figure shows
_MANY, _FEW = 1_000, 31  # rows beyond which a figure has so few points: each solves them all
_TODAY = Aim(multiple=1.0)

_scales = functools.lru_cache(maxsize=64)(plan.scales)
_curve = functools.lru_cache(maxsize=64)(plan.scale_curve)


@dataclass(frozen=True, slots=True)
class Goal:
    """What is aimed at, or why it cannot be.

    Attributes:
        aim: In effective records; None where it cannot be said.
        text: The goal in words, Markdown.
        refusal: Why it cannot be said; empty otherwise.
        kappas: Bandwidths over r of the mechanism; that of the calibration where there is one.
        note: What the goal rests on, Markdown; empty where it is relative to today.
    """

    aim: Aim | None
    text: str = ""
    refusal: str = ""
    kappas: tuple[float, ...] = KAPPAS
    note: str = ""


@dataclass(frozen=True, kw_only=True)  # without slots: what follows from it is kept with it
class Params:
    """What every section of the plan is asked.

    Attributes:
        study: The study that is planned for: as its user sees it.
        view: What is asked.
        goal: What is aimed at.
        scope: What has been said about the study.
    """

    study: Study
    view: View
    goal: Goal
    scope: Scope = field(default_factory=Scope)

    @functools.cached_property
    def bare(self) -> Params:
        """What a figure of levers rests on: no words, no other designs, no offers."""
        goal = replace(self.goal, text="", note="")
        return Params(study=self.study, view=self.view.bare, goal=goal)

    @functools.cached_property
    def lens(self) -> Lens:
        """The rate equation for the error that counts, with the mechanism's middle bandwidth."""
        return Lens(risk=self.view.risk, kappa=self.goal.kappas[len(self.goal.kappas) // 2])

    @functools.cached_property
    def fraction(self) -> float | None:
        """The rate wanted over today's by the mechanism, or without one by the rate equation.

        None where there is no goal, or none below today's.
        """
        lens = self.lens if self.lens.lacks_delta(self.study) else self.lens.named
        found = self.goal.aim.fraction(self.study, lens) if self.goal.aim else 1.0
        return found if 1e-300 < found < 1.0 else None

    @functools.cached_property
    def by_equation(self) -> float:
        """The same by the rate equation; from 1 on today's is enough by it."""
        return self.goal.aim.fraction(self.study, self.lens) if self.goal.aim else 1.0


def params(stated: Study, view: View, scope: Scope) -> Params:
    """Return what is asked about a study as it is stated, with a view as the address has it."""
    study, view = plan_state.planned(stated, scope), plan_state.asked(view, stated, scope)
    return Params(study=study, view=view, goal=goal(study, view), scope=scope)


def bandwidth(params: Params) -> str:
    """Return with which constants a table takes the named mechanism, as a sentence."""
    if params.study.target is None:
        return "Named mechanism: the series estimator with one fixed set of constants."
    return f"Named mechanism: bandwidth {words.number(params.lens.kappa)} r, with r its own root."


def inputs(params: Params) -> Iterator[Menu | Slider]:
    """The fields for the goal, and for a curve the one for the error that counts."""
    study, view = params.study, params.view
    if study.target is None:
        yield Menu("risk", "Error that counts", words.RISKS)
    yield Menu("goal", "What do you aim at?", _TITLES)
    if view.goal == "part":
        yield Slider("part", "Part won back")
    elif view.goal == "need":
        yield Slider("needed", "Records needed", now=need(study, view))
    elif not (now := today(study, view)).refusal:
        yield Slider("wanted", "Risk aimed at (0.01: 1%)", now=view.wanted or now.value / 2)


def need(study: Study, view: View) -> float:
    """The need in records: what was told, else about twice what the study is worth."""
    return view.needed or float(f"{2.0 * max(worths(study, view.risk)):.1e}")


@functools.lru_cache(maxsize=128)
def worths(
    study: Study, risk: str, kappas: tuple[float, ...] = KAPPAS, aim: Aim = _TODAY
) -> tuple[float, ...]:
    """Effective records today, or those aimed at.

    By the mechanism over its constants, or by the rate equation where a δ is missing.
    """
    plain, *named = lenses(study, risk, kappas)
    return tuple(aim.records(study, lens) for lens in named or [plain])


def today(study: Study, view: View) -> Absolute:
    """Return the study's calibrated risk, or why there is none."""
    return calibrated_state.risk(study, view.risk)


def goal(study: Study, view: View) -> Goal:
    """Return what is aimed at, by both answers."""
    if view.goal == "risk":
        return _calibrated(study, view)
    if view.goal == "need":
        aim = Aim(needed=need(study, view))
        return Goal(aim, f"To be worth **{aim.needed:,.6g}** effective records")
    text = "To halve what privacy costs"
    if view.part != 0.5:
        text = f"To win back **{words.percent(view.part)}** of what privacy costs"
    return Goal(Aim(part=view.part), text)


def _calibrated(study: Study, view: View) -> Goal:
    now, found = today(study, view), calibrated_state.get(study, view.risk)
    if now.refusal or found is None:
        return Goal(
            None,
            refusal=f"{now.refusal} Rates leave out constants, so a risk can be aimed at "
            "only after a calibration by simulation (Does it apply?); else choose another goal.",
        )
    wanted = view.wanted or now.value / 2
    text = (
        f"To bring the risk from {calibrated_state.value(found, now.value)} (95%: "
        f"{calibrated_state.ends(found, now)}), as calibrated, to "
        f"**{calibrated_state.value(found, wanted)}**"
    )
    try:
        aim = Aim.of_rate(study, fraction_of_risk(now.value, wanted), view.risk)
    except DomainError as refusal:
        return Goal(None, text, str(refusal))
    note = (
        f"The risk is that of this world: {words.md(calibrated_state.ground(found))}. Whether your "
        "patients are like it cannot be told from it."
    )
    return Goal(aim, text, kappas=(found.yardstick.kappa,), note=note)


def remarks(params: Params) -> Iterator[Block]:
    """Why a goal cannot be said, or what it rests on."""
    if params.goal.refusal:
        yield Note(words.plain(params.goal.refusal), "error")
    if params.goal.note:
        yield Note(params.goal.note)


# One factor on what all rows have -------------------------------------------------------------


def scales(params: Params) -> tuple[plan.Scale, ...]:
    """The factors, more people before more records of each; none where no goal can be said."""
    if (aim := params.goal.aim) is None:
        return ()
    return _scales(params.study, aim, risk=params.view.risk, kappas=params.goal.kappas)


def sentence(params: Params) -> str:
    """What would have to grow, and by what factor, Markdown; the mechanism comes first."""
    study, goal, found = params.study, params.goal, scales(params)
    assert goal.aim is not None
    asked = (params.view.risk, goal.kappas)
    now = f"**{words.extremes(worths(study, *asked))}**"
    if all((x.equation if math.isnan(x.high) else x.high) == 1.0 for x in found):
        if goal.aim.needed is None and goal.aim.multiple is None:
            return (
                f"Privacy costs this study nothing: it is worth {now} effective records with and "
                "without it."
            )
        return f"{goal.text}: it is there, worth {now} effective records today."
    unnamed = math.isnan(found[0].high)
    reach = [x for x in found if math.isfinite(x.equation if unnamed else x.low)]
    alike = len({_equation(x) for x in found}) == 1 and not unnamed
    items = [_item(study, x, first=k == 0, beside=not alike) for k, x in enumerate(reach)]
    out = "By the rate equation alone, as a δ is missing. " if unnamed else ""
    change = f"today {now}"
    if goal.aim.needed is None:
        change = f"from {now} effective records to **{_wanted(params)}**"
    out += (
        f"{goal.text} ({change}), {', or '.join(items) or 'no factor on what all have is enough'}"
    )
    out += f" (equation: {_equation(found[0])})." if alike else "."
    if any(x.quantity == "epsilon" and x not in reach for x in found):
        free = words.extremes(worths(study.unprotected(), *asked))
        out += f" Budgets alone are not enough: without privacy the study is worth {free}."
    return out


def _wanted(params: Params) -> str:
    """The effective records that are aimed at."""
    goal = params.goal
    assert goal.aim is not None
    return words.extremes(worths(params.study, params.view.risk, goal.kappas, goal.aim))


def unit(params: Params) -> str:
    """What the sum of what all sites add counts, and how much of it is aimed at."""
    return f"unprotected records{f'; aim: {_wanted(params)}' if params.goal.aim else ''}"


def _item(study: Study, scale: plan.Scale, *, first: bool, beside: bool) -> str:
    verb, large = (" would have to be", " as large") if first else ("", "")
    exact = f" (equation: {_equation(scale)})" if beside else ""
    if math.isnan(scale.high):
        times, exact = f"**{words.number(scale.equation)} times**{large}", ""
    elif math.isinf(scale.high):
        least = words.number(scale.low)
        times = f"at least **{least} times**{large}, and by some constants no factor is enough"
    else:
        times = f"**{words.between(scale.low, scale.high)} times**{large}"
    name, many = plan.LEVERS[scale.quantity].grown, _many(study)
    if scale.quantity == "count" and len(many) == 1:
        name = f"the number of {words.md(many[0])}"
    return f"{name}{verb} {times}{exact}"


def _many(study: Study) -> list[str]:
    return [s.name for s in study.servers if s.count > 1]


def place(study: Study, quantity: str) -> str:
    """Where a quantity grows, for a table; a lone row of many alike by its name."""
    many = _many(study)
    return many[0] if quantity == "count" and len(many) == 1 else plan.LEVERS[quantity].everyone


def _equation(scale: plan.Scale) -> str:
    if scale.equation == 1.0:
        return ENOUGH
    return _NONE if math.isinf(scale.equation) else f"× {words.number(scale.equation)}"


def cells(scale: plan.Scale) -> tuple[str, str]:
    """By the mechanism and by the rate equation, for a table."""
    if math.isnan(scale.high):
        named = NEEDS_DELTA
    elif math.isinf(scale.low):
        named = _NONE
    elif math.isinf(scale.high):
        named = f"× {words.number(scale.low)} or none"
    elif scale.high == 1.0:
        named = ENOUGH
    else:
        named = f"× {words.between(scale.low, scale.high)}"
    return named, _equation(scale)


def picture(params: Params) -> Figure:
    """What the study is worth along one factor on what all of its rows have."""
    lever, aim = params.view.lever, params.goal.aim
    scale = next(x for x in scales(params) if x.quantity == lever)
    ends = [x for x in (scale.low, scale.high, scale.equation) if math.isfinite(x)]
    top = min(max([10.0, *(3.0 * x for x in ends)]), _FARTHEST)
    points = figures.POINTS if len(params.study.servers) <= _MANY else _FEW
    factors = tuple(figures.grid(0.5, top, points).tolist())
    enough = cells(scale)[1 if math.isnan(scale.high) else 0]
    return figures.grown(
        _curve(params.study, lever, factors, risk=params.view.risk, kappas=params.goal.kappas),
        label=plan.LEVERS[lever].axis,
        title=f"Enough: {enough}" if enough.startswith("×") else enough[0].upper() + enough[1:],
        enough=[x for x in dict.fromkeys((scale.low, scale.high)) if math.isfinite(x)],
        by_equation=scale.equation,
        needed=aim.needed if aim else None,
        caption="× 1 is the study today; upright lines: from there on the goal is reached.",
    )
