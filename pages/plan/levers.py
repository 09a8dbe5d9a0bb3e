"""The levers of a study: what each needs, side by side, and the rate along one of them."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

import streamlit as st

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, controls, with_lines
from pages.plan import goal as plan_goal
from pages.plan import state as plan_state
from pages.plan.goal import Params
from pages.plan.state import MOST_ROWS, PLAN, View
from rates import plan
from rates.study import alike

BINDS = {"privacy": "privacy binds", "sample": "sampling binds", "none": "nothing is added"}
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
_saturation = functools.lru_cache(maxsize=128)(plan.saturation)


def side_by_side(fields: Iterable[controls.Field]) -> None:
    """Draw fields in one row where there is room."""
    every = list(fields)
    for place, field in zip(st.columns(len(every), gap="medium"), every, strict=True):
        with place:
            field.draw(PLAN)


# The answer -----------------------------------------------------------------------------------


def answer_blocks(params: Params) -> Iterator[Block]:
    """What would have to grow by which factor, and how that is to be read."""
    if params.goal.aim is None:
        yield Text("There is no goal that can be computed: see below.")
        return
    yield Text(plan_goal.sentence(params))
    yield Note(f"{ANSWERS} {plan_state.user(params.study, params.scope)}")


def alone(params: Params) -> str:
    """The rows at which one lever alone is enough, the nearest first, Markdown; may be empty."""
    found = table(params)
    near = [_line(params, x) for x in found.enough[:2]] if found else []
    texts = [
        f"{lever}, {where}: {named} (equation: {exact})" for lever, where, named, exact in near
    ]
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
        (
            plan.LEVERS[x.quantity].title,
            plan_goal.place(params.study, x.quantity),
            *plan_goal.cells(x),
        )
        for x in plan_goal.scales(params)
    ]
    return Table.of(
        ("Lever", "Where", "Enough with today's method", "Enough by any method"),
        [*scaled, *(_line(params, x) for x in rows)],
        alt="All levers side by side",
        name="levers",
    )


def _line(params: Params, x: plan.LeverRow) -> tuple[str, str, str, str]:
    lever = plan.LEVERS[x.lever]
    where = "New" if lever.further else x.site
    named = plan_goal.NEEDS_DELTA if x.mechanism is None else value_text(x.mechanism)
    return lever.title, where, named, value_text(x.equation)


def value_text(x: plan.Needed) -> str:
    """What a lever needs, as a factor on today's where that has meaning, or how far it gets.

    A missing δ says nothing of either.
    """
    lever = plan.LEVERS[x.lever]
    if x.unstated:
        return f"needs δ of {x.unstated}"
    if x.fraction >= 1:
        return plan_goal.ENOUGH
    if not x.reached:
        if x.best >= 0.9999 or math.isnan(x.best):
            return "changes nothing"
        return f"out of reach, at best × {words.number(x.best)}"
    value = words.number(x.value, 4) if x.whole is None else f"{x.whole:,}"
    if lever.largest:
        return f"at most {value}"
    return value if x.now in (0, 1) else f"× {words.number(x.value / x.now)} ({value})"


def levers_blocks(params: Params) -> Iterator[Block]:
    """The table of all levers, and how it is to be read."""
    found, whole = table(params), levers_table(params)
    shown = {title: cells[:MOST_ROWS] for title, cells in whole.columns.items()}
    yield replace(whole, columns=shown, given=whole.csv)  # the file holds all
    notes = [LEGEND]
    if not (found and found.missing):
        notes.append(plan_goal.bandwidth(params))
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
        every = f"{plan_goal.place(study, view.lever)}, all by one factor"
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
    """What the lever that is looked at needs, the rate along it, and where it stops mattering."""
    drawn, lever = with_lines(along, params.bare), chosen(params)
    if drawn is None:
        yield Note("The curve is drawn for the rows that are compared above.")
        return
    if lever is not None:
        yield Text(words.md(lever.sentence))
    yield drawn
    if lever is not None:
        yield Text(saturation_text(params))
        if plan.LEVERS[lever.lever].further:
            delta = words.number(plan_state.further(params.view, params.study).delta or 0)
            yield Note(f"δ of a further site: {delta}, the strictest stated.")


def along(params: Params) -> Figure | None:
    """What the lever that is looked at does; None where it is not compared."""
    if common(params.view):
        return plan_goal.picture(params) if params.goal.aim else None
    lever = chosen(params)
    return picture(params, lever) if lever else None


def saturation_text(params: Params) -> str:
    """Where the lever stops mattering, in sentences."""
    site = plan.ALL if plan.LEVERS[params.view.lever].further else params.view.site
    lenses = {"Rate equation": params.lens}
    if not params.lens.lacks_delta(params.study):
        lenses = {"Named mechanism": params.lens.named} | lenses
    texts = {
        by: _stops(_saturation(params.study, params.view.lever, site, lens=lens))
        for by, lens in lenses.items()
    }
    if len(texts) == 2 and len({*texts.values()}) == 1:
        return f"**By both answers.** {texts['Rate equation']}"
    return " ".join(f"**{by}.** {text}" for by, text in texts.items())


def _stops(point: plan.Saturation) -> str:
    if math.isnan(point.value) or point.value in (0.0, math.inf):
        return words.md(point.rule)  # names a site
    name = plan.LEVERS[point.lever].title
    beyond = " Today's value lies beyond it." if point.past else ""
    best = f"; at best the rate is × {words.number(point.best)} of today's"
    return (
        f"{name} stops mattering at **{words.number(point.value)}**, and {BINDS[point.binds]} "
        f"then{best if point.best < 0.9999 else ''}.{beyond}"
    )


def picture(params: Params, lever: plan.LeverRow) -> Figure:
    """The rate along a lever by both answers, with the target and where it is met."""
    study, record = params.study, plan.LEVERS[lever.lever]
    assert params.fraction is not None
    kind = plan_state.further(params.view, study) if record.further else None
    grid = tuple(figures.grid(*_ends(lever)).tolist())
    site = plan.ALL if kind else lever.site
    needs = (("Equation", lever.equation), ("Mechanism", lever.mechanism))
    enough = value_text(lever.mechanism or lever.equation)
    return figures.along(
        _curve(study, lever.lever, site, grid, kind=kind, lens=params.lens),
        label=record.title,
        where="" if kind else f" at {words.label(lever.site)}",
        title=f"Enough: {enough}" if lever.enough else enough[0].upper() + enough[1:],
        target=params.fraction,
        by_equation=params.by_equation,
        now=lever.equation.now,
        marks=[
            figures.mark(f"{by}: enough", x.value, x.fraction, mechanism=by == "Mechanism")
            for by, x in needs
            if x is not None and x.reached and x.fraction < 1
        ],
        caption="Marks: the target is met. All else stays as it is.",
    )


def _ends(lever: plan.LeverRow) -> tuple[float, float]:
    """Ends of the horizontal axis: around today and what is needed."""
    needs = [x for x in (lever.equation, lever.mechanism) if x is not None]
    known = [x for need in needs for x in (need.now, need.value) if 1e-12 < x < 1e15] or [1.0]
    low, high = min(known) / 5.0, max(known) * 5.0
    if plan.LEVERS[lever.lever].whole:
        low, high = max(low, 1.0), max(high, 20.0)
    return low, max(high, low * 100.0)


ANSWER = Section(id="answer", title="", blocks=answer_blocks)
GOAL = Section(
    id="goal",
    title="",
    inputs=lambda params: side_by_side(plan_goal.inputs(params)),
    blocks=plan_goal.remarks,
)
LEVERS = Section(id="levers", title="All levers side by side", blocks=levers_blocks)
LEVER = Section(id="lever", title="", inputs=_ask, blocks=lever_blocks)
