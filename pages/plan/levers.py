"""What is aimed at, and what it takes: a factor on what all rows have, or one lever at one row."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, controls, with_lines
from pages.fit import constant as calibrated_state
from pages.plan import state as plan_state
from pages.plan.state import MOST_ROWS, PLAN, View
from rates import plan
from rates.answer import KAPPAS, Lens
from rates.numbers import DomainError
from rates.plan import Aim, fraction_of_risk, lenses
from rates.study import Scope, Study, alike

ENOUGH = "today's is enough"
NEEDS_DELTA = "needs every δ"
_TITLES = {
    "need": "A need in records",
    "part": "A part of what privacy costs",
    "risk": "A risk, as calibrated",
}
_NONE = "none is enough"
_MANY, _FEW = 1_000, 31  # rows beyond which a figure has so few points: each solves them all
_TODAY, _UNSAID = Aim(multiple=1.0), Scope()

ANSWERS = (
    "First today's method, over its constants; in brackets the equation: the best that any method "
    "could do, up to a constant."
)
LEGEND = (
    "One lever is changed, all else stays, the smallest change first. × is a factor on what is "
    "there; another value is for each site of a row. At best: the rate over today's with an "
    "unlimited lever. Needs δ: that site states none, which the mechanism's noise depends on."
)

levers_of = functools.lru_cache(maxsize=64)(plan.levers)
_curve = functools.lru_cache(maxsize=64)(plan.lever_curve)
_scales = functools.lru_cache(maxsize=64)(plan.scales)


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
    scope: Scope = _UNSAID

    @functools.cached_property
    def bare(self) -> Params:
        """What a figure of levers rests on: no words, no other designs, no offers."""
        goal = replace(self.goal, text="", note="")
        return Params(study=self.study, view=self.view.bare, goal=goal)

    @property
    def how(self) -> dict[str, Any]:
        """Which error counts, and over which constants of the mechanism."""
        return {"risk": self.view.risk, "kappas": self.goal.kappas}

    @functools.cached_property
    def lens(self) -> Lens:
        """The rate equation for the error that counts, with the mechanism's middle bandwidth."""
        return Lens(risk=self.view.risk, kappa=self.goal.kappas[len(self.goal.kappas) // 2])

    @functools.cached_property
    def fraction(self) -> float | None:
        """The rate wanted over today's by the mechanism, or without one by the rate equation.

        None where there is no goal, or none below today's.
        """
        # A plan goes by the mechanism; without every δ the rate equation is all there is.
        lens = self.lens if self.lens.lacks_delta(self.study) else self.lens.named
        found = self.goal.aim.fraction(self.study, lens) if self.goal.aim else 1.0
        return found if 1e-300 < found < 1.0 else None

    @functools.cached_property
    def by_equation(self) -> float:
        """The same by the rate equation; from 1 on today's is enough by it."""
        return self.goal.aim.fraction(self.study, self.lens) if self.goal.aim else 1.0


def params_of(stated: Study, view: View, scope: Scope) -> Params:
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
    elif not (now := calibrated_state.risk(study, view.risk)).refusal:
        yield Slider("wanted", "Risk aimed at (0.01: 1%)", now=view.wanted or now.value / 2)


def need(study: Study, view: View) -> float:
    """The need in records: what was told, else about twice what the study is worth."""
    # Two digits: a slider that stood at 1,873 would look like a result.
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
    now = calibrated_state.risk(study, view.risk)
    found = calibrated_state.get(study, view.risk)
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
    return Goal(aim, text, kappas=(found.yardstick.lens.kappa,), note=note)


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
    return _scales(params.study, aim, **params.how)


def sentence(params: Params) -> str:
    """What would have to grow, and by what factor, Markdown; the mechanism comes first."""
    study, goal, found = params.study, params.goal, scales(params)
    assert goal.aim is not None
    now = f"**{words.extremes(worths(study, **params.how))}**"
    if all((x.equation if math.isnan(x.high) else x.high) == 1.0 for x in found):
        if goal.aim.needed is None and goal.aim.multiple is None:
            return (
                f"Privacy costs this study nothing: it is worth {now} effective records with and "
                "without it."
            )
        return f"{goal.text}: it is there, worth {now} effective records today."
    unnamed = math.isnan(found[0].high)
    reach = [x for x in found if math.isfinite(x.equation if unnamed else x.low)]
    items = []
    for scale in reach:
        named, exact = cells(scale)
        enough, beside = (exact, "") if unnamed else (named, f" (equation: {exact})")
        items.append(f"{plan.LEVERS[scale.quantity].grown} **{enough}**{beside}")
    change = f"today {now}"
    if goal.aim.needed is None:
        change = f"from {now} effective records to **{_wanted(params)}**"
    out = "By the rate equation alone, as a δ is missing. " if unnamed else ""
    takes = ", or ".join(items) or "no factor on what all have is enough"
    out += f"{goal.text} ({change}): {takes}."
    if any(x.quantity == "epsilon" and x not in reach for x in found):
        free = words.extremes(worths(study.unprotected(), **params.how))
        out += f" Budgets alone are not enough: without privacy the study is worth {free}."
    return out


def _wanted(params: Params) -> str:
    """The effective records that are aimed at."""
    assert params.goal.aim is not None
    return words.extremes(worths(params.study, aim=params.goal.aim, **params.how))


def unit(params: Params) -> str:
    """What the sum of what all sites add counts, and how much of it is aimed at."""
    return f"unprotected records{f'; aim: {_wanted(params)}' if params.goal.aim else ''}"


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


def side_by_side(fields: Iterable[controls.Field]) -> None:
    """Draw fields in one row where there is room."""
    every = list(fields)
    for place, one in zip(st.columns(len(every), gap="medium"), every, strict=True):
        with place:
            one.draw(PLAN)


# The answer -----------------------------------------------------------------------------------


def answer_blocks(params: Params) -> Iterator[Block]:
    """What would have to grow by which factor, and how that is to be read."""
    if params.goal.aim is None:
        yield Text("There is no goal that can be computed: see below.")
        return
    yield Text(sentence(params))
    yield Note(f"{ANSWERS} {plan_state.user(params.study, params.scope)}")


def alone(params: Params) -> str:
    """The rows at which one lever alone is enough, the nearest first, Markdown; may be empty."""
    found = table(params)
    near = map(_line, found.enough[:2]) if found else ()
    texts = ["{}, {}: {} (equation: {})".format(*cells) for cells in near]
    return words.md(f"Enough alone: {'; or '.join(texts)}.") if texts else ""


# All levers side by side ----------------------------------------------------------------------


def table(params: Params) -> plan.LeverTable | None:
    """Return the levers at rows for a goal; None where it cannot be said, or asks for nothing."""
    if params.fraction is None:
        return None
    found = levers_of(
        params.study,
        params.fraction,
        kind=plan_state.further(params.view, params.study),
        lens=params.lens,
        by_equation=params.by_equation,
    )
    if not alike(params.study, params.scope):
        return found
    return replace(found, levers=tuple(x for x in found.levers if x.lever != plan_state.SIGNAL))


def levers_table(params: Params) -> Table:
    """All levers side by side: factors on all rows, then rows, the smallest change first."""
    found = table(params)
    near = found.enough if found else ()
    rows = [*near, *(x for x in found.levers if x not in near)] if found else []
    scaled = [
        (plan.LEVERS[x.quantity].title, plan.LEVERS[x.quantity].everyone, *cells(x))
        for x in scales(params)
    ]
    titles = ("Lever", "Where", "Enough with today's method", "Enough by any method")
    lines = [*scaled, *map(_line, rows)]
    return Table.of(titles, lines, alt="All levers side by side", name="levers")


def _line(x: plan.LeverRow) -> tuple[str, str, str, str]:
    lever = plan.LEVERS[x.lever]
    where = "New" if lever.further else x.site
    named = NEEDS_DELTA if x.mechanism is None else value_text(x.mechanism)
    return lever.title, where, named, value_text(x.equation)


def value_text(x: plan.Needed) -> str:
    """What a lever needs, as a factor on today's where that has meaning, or how far it gets.

    A missing δ says nothing of either.
    """
    lever = plan.LEVERS[x.lever]
    if x.unstated:
        return f"needs δ of {x.unstated}"
    if x.fraction >= 1:
        return ENOUGH
    if not x.reached:
        if x.best >= 0.9999 or math.isnan(x.best):
            return "changes nothing"
        return f"out of reach, at best × {words.number(x.best)}"
    value = words.number(x.value, 4) if x.whole is None else f"{x.whole:,}"
    if lever.largest:
        return f"at most {value}"
    # A factor on nothing, or on one, says no more than the value.
    return value if x.now in (0, 1) else f"× {words.number(x.value / x.now)} ({value})"


def levers_blocks(params: Params) -> Iterator[Block]:
    """The table of all levers, and how it is to be read."""
    found, whole = table(params), levers_table(params)
    shown = {title: cells[:MOST_ROWS] for title, cells in whole.columns.items()}
    yield replace(whole, columns=shown, given=whole.csv)  # the file holds all
    notes = [LEGEND]
    if not (found and found.missing):
        notes.append(bandwidth(params))
    if (most := len(whole.lines)) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {most} levers.")
    if found and found.left_out:
        notes.append(f"{found.left_out:,} rows with the smallest parts are left out.")
    yield Note(" ".join(notes))


# One lever ------------------------------------------------------------------------------------


def _ask(params: Params) -> None:
    """Ask for the lever, where it is pulled, and what a further site is like."""
    study, view, same = params.study, params.view, alike(params.study, params.scope)
    titles = {x: plan.LEVERS[x].title for x in plan_state.levers(study, alike=same)}
    fields: list[controls.Field] = [Menu("lever", "Which lever?", titles)]
    if places := plan_state.sites(view.lever, study):
        every = f"{plan.LEVERS[view.lever].everyone}, all by one factor"
        fields.append(Menu("site", "Where?", {x: every if x == plan.ALL else x for x in places}))
    else:
        fields += [Slider("kind_n", "Its records n"), Slider("kind_epsilon", "Its budget ε")]
        if study.target is not None and not same:
            fields.append(Slider("kind_gamma", "Its signal γ"))
    side_by_side(fields)


def common(view: View) -> bool:
    """Whether the lever that is looked at is a factor on what all rows have."""
    return view.site == plan.ALL and not plan.LEVERS[view.lever].further


def chosen(params: Params) -> plan.LeverRow | None:
    """Return the lever that is looked at; None where its row is not in the table."""
    view, found = params.view, table(params)
    if found is None or common(view):
        return None
    further = plan.LEVERS[view.lever].further
    rows = (x for x in found.levers if x.lever == view.lever and (further or x.site == view.site))
    return next(rows, None)


def lever_blocks(params: Params) -> Iterator[Block]:
    """What the lever that is looked at needs, and what the study is worth along it."""
    drawn, lever = with_lines(along, params.bare), chosen(params)
    if drawn is None:
        yield Note("The curve is drawn for the rows that are compared above.")
        return
    if lever is not None:
        yield Text(words.md(lever.sentence))
    yield drawn
    if lever is not None and plan.LEVERS[lever.lever].further:
        delta = words.number(plan_state.further(params.view, params.study).delta or 0)
        yield Note(f"δ of a further site: {delta}, the strictest stated.")


def along(params: Params) -> Figure | None:
    """What the study is worth along the lever that is looked at; None where it is not compared."""
    study, view = params.study, params.view
    record, every = plan.LEVERS[view.lever], common(view)
    if every:
        scale = next((x for x in scales(params) if x.quantity == view.lever), None)
        if scale is None:
            return None
        now, exact, ends = 1.0, scale.equation, [scale.low, scale.high]
        said = cells(scale)[1 if math.isnan(scale.high) else 0]
        label = f"{record.grown[0].upper()}{record.grown[1:]} multiplied by"
        caption = "× 1 is the study today"
    else:
        row = chosen(params)
        if row is None:
            return None
        now, exact = row.equation.now, row.equation.value
        ends = [row.mechanism.value] if row.mechanism else []
        said = value_text(row.mechanism or row.equation)
        label, caption = record.title, "All else stays as it is"
        if not record.further:
            label += f" at {words.label(view.site)}"
    enough = [x for x in dict.fromkeys(ends) if math.isfinite(x)]
    reached = said[0].isdigit() or said.startswith(("×", "at most"))
    points = figures.POINTS if len(study.servers) <= _MANY else _FEW
    kind = plan_state.further(view, study) if record.further else None
    span = _span([now, *enough, exact], whole=record.whole and not every)
    grid = tuple(figures.grid(*span, points).tolist())
    return figures.along(
        _curve(study, view.lever, view.site, grid, kind=kind, **params.how),
        label=label,
        title=f"Enough: {said}" if reached else said[0].upper() + said[1:],
        now=now,
        enough=enough,
        by_equation=exact,
        needed=params.goal.aim.needed if params.goal.aim else None,
        caption=f"{caption}; upright lines: the goal is reached.",
    )


def _span(needs: Iterable[float], *, whole: bool) -> tuple[float, float]:
    """Ends of the horizontal axis: around today and what is needed."""
    known = [x for x in needs if 1e-12 < x < 1e15] or [1.0]
    low, high = min(known) / 5.0, max(known) * 5.0
    if whole:
        low, high = max(low, 1.0), max(high, 20.0)
    return low, max(high, low * 100.0)  # two decades at least, or what is flat looks steep


ANSWER = Section(id="answer", title="", blocks=answer_blocks)
GOAL = Section(
    id="goal", title="", inputs=lambda params: side_by_side(inputs(params)), blocks=remarks
)
LEVERS = Section(id="levers", title="All levers side by side", blocks=levers_blocks)
LEVER = Section(id="lever", title="", inputs=_ask, blocks=lever_blocks)
