"""What is aimed at, and by what factor all budgets, sizes or counts would have to grow for it."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Slider
from pages.fit import constant as calibrated_state
from pages.plan import state as plan_state
from pages.plan.state import View
from pages.study import RISKS
from rates import plan
from rates.answer import KAPPAS, Lens
from rates.numbers import DomainError
from rates.plan import Aim, fraction_of_risk, lenses
from rates.study import Scope, Study, TransferStudy
from sims.fit import Absolute

ENOUGH = "today's is enough"
_TITLES = {
    "need": "A need in records",
    "part": "A part of what privacy costs",
    "risk": "A risk, as calibrated",
}
_OLDER = {
    "sample": "Times today's sample (older link)",
    "rate": "Part of today's rate (older link)",
}
_SLIDERS = {
    "part": Slider("part", "Part won back"),
    "sample": Slider("multiple", "× today's sample"),
    "rate": Slider("fraction", "Rate over today's"),
}
CHOICES = ("reference", "along", "causes_by")  # kept by fields of the session alone
_NONE = "none is enough"
_FARTHEST = 1e6  # that a figure shows
_MANY, _FEW = 1_000, 31  # rows beyond which a figure has so few points: each solves them all
# By quantity that grows: what a sentence calls it, and the axis of a figure.
_GROWN: Mapping[str, tuple[str, str]] = {
    "epsilon": ("every ε", "Every ε multiplied by"),
    "n": ("the records at every site", "Records at every site multiplied by"),
    "count": (
        "the number of sites in every row of many alike",
        "Number of sites alike multiplied by",
    ),
}

_scales = functools.lru_cache(maxsize=64)(plan.scales)
_curve = functools.lru_cache(maxsize=64)(plan.scale_curve)


@dataclass(frozen=True, slots=True)
class Goal:
    """What is aimed at, or why it cannot be.

    Attributes:
        aim: In effective records; None where it cannot be said.
        fraction: The rate wanted over today's by the mechanism, or without one by the rate
            equation; None where there is none below today's.
        by_equation: The same by the rate equation; from 1 on today's is enough by it.
        text: The goal in words, Markdown.
        refusal: Why it cannot be said; empty otherwise.
        kappas: Bandwidths over r of the mechanism; that of the calibration where there is one.
        note: What the goal rests on, Markdown; empty where it is relative to today.
    """

    aim: Aim | None
    fraction: float | None
    by_equation: float
    text: str
    refusal: str = ""
    kappas: tuple[float, ...] = KAPPAS
    note: str = ""

    @property
    def kappa(self) -> float:
        """The bandwidth where one is taken: the middle one."""
        return self.kappas[len(self.kappas) // 2]

    @property
    def bare(self) -> Goal:
        """The goal without its words, which no figure shows."""
        return replace(self, text="", note="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """What every section of the plan is asked.

    Attributes:
        study: The study that is planned for: as its user sees it.
        view: What is asked.
        goal: What is aimed at.
        scope: What has been said about the study.
        reference: The site in whose terms exchange rates stand; empty for the first one.
        along: What changes along the figure of the designs; empty for the budgets.
        causes_by: By which answer the causes of the error are; empty for the named mechanism.
    """

    study: Study
    view: View
    goal: Goal
    scope: Scope = field(default_factory=Scope)
    reference: str = ""
    along: str = ""
    causes_by: str = ""

    @property
    def risk(self) -> str:
        """Which error counts."""
        return risk(self.study, self.view)

    @property
    def lens(self) -> Lens:
        """The rate equation for this error, with the mechanism's bandwidth of the goal."""
        return Lens(risk=self.risk, kappa=self.goal.kappa)


def params(stated: Study, view: View, scope: Scope, **chosen: str) -> Params:
    """Return what is asked about a study as it is stated."""
    study = plan_state.planned(stated, scope)
    return Params(study=study, view=view, goal=goal(study, view), scope=scope, **chosen)


def chosen(given: str, options: Iterable[str]) -> str:
    """Return a choice if it is on offer, else the first of what is."""
    every = list(options)
    return given if given in every else every[0]


def risk(study: Study, view: View) -> str:
    """Which error counts."""
    if isinstance(study, TransferStudy):
        return "classification"
    return view.risk or "integrated"


def bandwidth(study: Study, kappa: float = 2.0) -> str:
    """Return with which constants the plan takes the named mechanism, as a sentence."""
    if not isinstance(study, TransferStudy):
        return "Named mechanism: the series estimator with one fixed set of constants."
    text = f"Named mechanism: bandwidth {words.number(kappa)} r, with r the mechanism's own root"
    return f"{text}; the page Study shows it from 1 to 3 r."


def inputs(params: Params) -> Iterator[Menu | Slider]:
    """The fields for the goal, and for a curve the one for the error that counts."""
    study, view = params.study, params.view
    if not isinstance(study, TransferStudy):
        yield Menu("risk", "Error that counts", words.RISKS)
    older = {view.goal: _OLDER[view.goal]} if view.goal in _OLDER else {}
    yield Menu("goal", "What do you aim at?", _TITLES | older)
    if view.goal in _SLIDERS:
        yield _SLIDERS[view.goal]
    elif view.goal == "need":
        yield Slider("needed", "Records needed", now=need(study, view))
    elif not (today_ := today(study, view)).refusal:
        now = view.wanted or today_.value / 2
        yield Slider("wanted", "Risk aimed at (0.01: 1%)", now=now)


def need(study: Study, view: View) -> float:
    """The need in records: what was told, else about twice what the study is worth."""
    if view.needed:
        return view.needed
    twice = 2.0 * max(worths(study, risk(study, view))[-1])
    return float(f"{twice:.1e}")


@functools.lru_cache(maxsize=128)
def worths(
    study: Study, risk: str, kappas: tuple[float, ...] = KAPPAS
) -> tuple[tuple[float, ...], ...]:
    """Effective records: by the rate equation, then by the mechanism over its constants."""
    plain, *named = (Aim(multiple=1.0).records(study, x) for x in lenses(study, risk, kappas))
    return ((plain,), tuple(named)) if named else ((plain,),)


def today(study: Study, view: View) -> Absolute:
    """Return the study's calibrated risk, or why there is none."""
    return calibrated_state.risk(study, risk(study, view))


def goal(study: Study, view: View) -> Goal:
    """Return what is aimed at, by both answers."""
    if view.goal == "risk":
        return _calibrated(study, view)
    if view.goal == "rate":
        which = risk(study, view)
        aim, part = Aim.of_rate(study, view.fraction, which), words.percent(view.fraction)
        text = f"To bring the worst-case {RISKS[which]} to **{part}** of today's"
    elif view.goal == "sample":
        aim, times = Aim(multiple=view.multiple), words.number(view.multiple)
        text = f"To make the effective sample **{times}** times today's"
    elif view.goal == "need":
        aim = Aim(needed=need(study, view))
        text = f"To be worth **{aim.needed:,.6g}** effective records"
    else:
        aim, text = Aim(part=view.part), "To halve what privacy costs"
        if view.part != 0.5:
            text = f"To win back **{words.percent(view.part)}** of what privacy costs"
    return _by_both(study, view, aim, text)


def _by_both(
    study: Study,
    view: View,
    aim: Aim,
    text: str,
    *,
    kappas: tuple[float, ...] = KAPPAS,
    note: str = "",
) -> Goal:
    plain = Lens(risk=risk(study, view), kappa=kappas[len(kappas) // 2])
    by_equation = aim.fraction(study, plain)
    fraction = by_equation if plain.lacks_delta(study) else aim.fraction(study, plain.named)
    reached = not 1e-300 < fraction < 1.0
    return Goal(aim, None if reached else fraction, by_equation, text, kappas=kappas, note=note)


def _refused(text: str, why: str) -> Goal:
    return Goal(aim=None, fraction=None, by_equation=1.0, text=text, refusal=why)


def _calibrated(study: Study, view: View) -> Goal:
    now = today(study, view)
    if now.refusal:
        return _refused(
            "",
            f"{now.refusal} Rates leave out constants, so a risk can be aimed at only after a "
            "calibration by simulation (page Fit); choose another goal, or calibrate.",
        )
    found = calibrated_state.get(study, risk(study, view))
    assert found is not None
    wanted = view.wanted or now.value / 2
    ends = calibrated_state.ends(found, now)
    text = (
        f"To bring the risk from {calibrated_state.value(found, now.value)} (95%: {ends}), as "
        f"calibrated, to **{calibrated_state.value(found, wanted)}**"
    )
    try:
        fraction = fraction_of_risk(now.value, wanted)
    except DomainError as refusal:
        return _refused(text, str(refusal))
    note = (
        f"The risk is that of this world: {words.md(calibrated_state.ground(found))}. Whether your "
        "patients are like it cannot be told from it."
    )
    aim = Aim.of_rate(study, fraction, risk(study, view))
    return _by_both(study, view, aim, text, kappas=(found.yardstick.kappa,), note=note)


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
    return _scales(
        params.study,
        needed=aim.needed,
        multiple=aim.multiple,
        part=aim.part,
        risk=params.risk,
        kappas=params.goal.kappas,
    )


def sentence(params: Params) -> str:
    """What would have to grow, and by what factor, Markdown; the mechanism comes first."""
    study, goal, found = params.study, params.goal, scales(params)
    assert goal.aim is not None
    now = worths(study, params.risk, goal.kappas)[-1]
    worth = f"**{words.extremes(now)}** effective records"
    if all((x.equation if math.isnan(x.high) else x.high) == 1.0 for x in found):
        if goal.aim.needed is None and goal.aim.multiple is None:
            return f"Privacy costs this study nothing: it is worth {worth} with and without it."
        return f"{goal.text}: it is there, worth {worth} today."
    unnamed = math.isnan(found[0].high)
    by = "By the rate equation alone, as a δ is missing. " if unnamed else ""
    reach = [x for x in found if math.isfinite(x.equation if unnamed else x.low)]
    alike = len({_equation(x) for x in found}) == 1 and not unnamed
    items = [_item(study, x, first=k == 0, beside=not alike) for k, x in enumerate(reach)]
    beside = f" (equation: {_equation(found[0])})" if alike else ""
    out = f"{by}{goal.text} ({_from_to(params, now)}), {', or '.join(items)}{beside}."
    if any(x.quantity == "epsilon" and x not in reach for x in found):
        free = words.extremes(worths(study.unprotected(), params.risk, goal.kappas)[-1])
        out += f" Budgets alone are not enough: without privacy the study is worth {free}."
    return out


def _from_to(params: Params, now: tuple[float, ...]) -> str:
    goal = params.goal
    assert goal.aim is not None
    if goal.aim.needed is not None:
        return f"today **{words.extremes(now)}**"
    wanted = words.extremes(_wanted(params, goal.aim))
    return f"from **{words.extremes(now)}** effective records to **{wanted}**"


def _wanted(params: Params, aim: Aim) -> tuple[float, ...]:
    """Effective records that are aimed at, by the mechanism where there is one."""
    plain, *named = lenses(params.study, params.risk, params.goal.kappas)
    return tuple(aim.records(params.study, lens) for lens in named or [plain])


def unit(params: Params) -> str:
    """What the sum of what all sites add counts, and how much of it is aimed at."""
    aim = params.goal.aim
    need = "" if aim is None else f"; aim: {words.extremes(_wanted(params, aim))}"
    return f"unprotected records{need}"


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
    name, many = _GROWN[scale.quantity][0], _many(study)
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
        named = "needs every δ"
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
        _curve(params.study, lever, factors, risk=params.risk, kappas=params.goal.kappas),
        label=_GROWN[lever][1],
        title=f"Enough: {enough}" if enough.startswith("×") else enough[0].upper() + enough[1:],
        enough=[x for x in dict.fromkeys((scale.low, scale.high)) if math.isfinite(x)],
        by_equation=scale.equation,
        needed=aim.needed if aim else None,
        caption="× 1 is the study today; upright lines: from there on the goal is reached.",
    )
