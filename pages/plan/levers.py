"""The levers of a study: which one is looked at, what each needs, and the rate along it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import streamlit as st

from pages.charts import Curve, Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, controls, with_lines
from pages.plan import goal as plan_goal
from pages.plan import state as plan_state
from pages.plan.goal import Goal, Params
from pages.plan.state import MOST_ROWS, PLAN, View
from rates import plan
from rates.study import Study, TransferStudy

BINDS = {"privacy": "privacy binds", "sample": "sampling binds", "none": "nothing is added"}
MOST_NAMED, MOST_FIRST = 2, 4
ANSWERS = (
    "First today's method, over its constants; in brackets the equation: the best that any method "
    "could do, up to a constant."
)
LEGEND = (
    "One lever is changed, all else stays. × is a factor on what every row has, over the "
    "mechanism's constants; another value is for each site of a row. "
    "At best: the rate over today's with an unlimited lever. "
    "Needs δ: the mechanism's noise there cannot be computed before that site states its δ."
)

levers_of = functools.lru_cache(maxsize=64)(plan.levers)
_curve = functools.lru_cache(maxsize=64)(plan.lever_curve)
_saturation = functools.lru_cache(maxsize=128)(plan.saturation)


def _ask_goal(params: Params) -> None:
    """Ask what is aimed at, in one row where there is room."""
    fields = list(plan_goal.inputs(params))
    for place, field in zip(st.columns(len(fields), gap="large"), fields, strict=True):
        with place:
            field.draw(PLAN)


def inputs(params: Params) -> Iterator[controls.Field]:
    """The fields for the lever, where it is pulled, and what a further site is like."""
    study, view = params.study, params.view
    titles = {x: plan.LEVERS[x].title for x in plan_state.levers(study, alike=view.alike)}
    yield Menu("lever", "Which lever?", titles)
    if places := plan_state.sites(view.lever, study):
        yield Menu("site", "Where?", {name: place(study, view.lever, name) for name in places})
        return
    yield Slider("kind_n", "Its records n")
    yield Slider("kind_epsilon", "Its budget ε")
    if isinstance(study, TransferStudy) and not view.alike:
        yield Slider("kind_gamma", "Its signal γ")
    delta = words.number(plan_state.further(view, study).delta or 0)
    st.caption(f"δ of a further site: {delta}, the strictest stated.")


def place(study: Study, lever: str, site: str) -> str:
    """Name where a lever is pulled."""
    if plan.LEVERS[lever].further:
        return "New"
    return f"{plan_goal.place(study, lever)}, all by one factor" if site == plan.ALL else site


def common(view: View) -> bool:
    """Whether the lever that is looked at is a factor on what all rows have."""
    return view.site == plan.ALL and not plan.LEVERS[view.lever].further


def table(params: Params) -> plan.LeverTable | None:
    """Return the levers at rows for a goal; None where it cannot be said, or asks for nothing."""
    study, view, goal = params.study, params.view, params.goal
    if goal.fraction is None:
        return None
    kind = plan_state.further(view, study)
    found = levers_of(
        study, goal.fraction, kind=kind, lens=params.lens, by_equation=goal.by_equation
    )
    if not view.alike:
        return found
    return replace(found, levers=tuple(x for x in found.levers if x.lever != plan_state.SIGNAL))


def chosen(found: plan.LeverTable | None, view: View) -> plan.LeverRow | None:
    """Return the lever that is looked at; None where its row is not in the table."""
    if found is None or common(view):
        return None
    further = plan.LEVERS[view.lever].further
    rows = (x for x in found.levers if x.lever == view.lever and (further or x.site == view.site))
    return next(rows, None)


# The answer -----------------------------------------------------------------------------------


def answer(params: Params) -> str:
    """The plan's answer in a few sentences, Markdown; the mechanism comes first."""
    return " ".join(filter(None, (plan_goal.sentence(params), alone(params))))


def alone(params: Params) -> str:
    """What one lever alone does, in a few sentences, Markdown; empty without a goal."""
    study, view, found = params.study, params.view, table(params)
    if found is None:
        return ""
    parts = []
    lever = chosen(found, view)
    if lever is not None:
        phrases = [_phrase(params, found, x) for x in (lever.mechanism, lever.equation) if x]
        beside = f" (equation: {phrases[-1]})" if phrases[0] != phrases[-1] else ""
        parts.append(f"One lever alone: {phrases[0]}{beside}.")
    elif not common(view):
        parts.append(
            f"{words.md(view.site)} is not among the rows that are compared, those with the "
            "largest parts."
        )
    one = len(study.servers) == 1 and common(view)  # what it needs is said already
    if first := [x for x in found.enough if x is not lever and not one][:MOST_NAMED]:
        needs = [
            f"{_needs(params, x.mechanism)} (equation: {words.md(value_text(x.equation))})"
            for x in first
            if x.mechanism is not None
        ]
        also = "Also enough" if lever in found.enough else "Enough"
        parts.append(f"{also} alone: {'; or '.join(needs)}.")
    elif found.missing:
        parts.append(f"No named mechanism: {words.md(found.missing)}")
    if found.trivial:
        parts.append("Even at this target the rate equation's rate is trivial, that is 1.")
    return " ".join(parts)


def _needs(params: Params, need: plan.Needed) -> str:
    """What is enough of a lever, Markdown."""
    lever, value = plan.LEVERS[need.lever], value_text(need)
    if lever.further:
        kind = plan_state.further(params.view, params.study)
        like = f"n = {kind.n:,} and ε = {words.number(kind.epsilon)}"
        return words.md(f"{value} further sites are needed, each with {like}")
    many = any(s.count > 1 for s in params.study.servers if s.name == need.site)
    site = f"each of {need.site}" if many and need.lever != "count" else need.site
    return words.md(lever.words.format(site=site, value=value.removeprefix("at most ")))


def _phrase(params: Params, found: plan.LeverTable, need: plan.Needed) -> str:
    """What one answer needs of the lever, or what is within its reach, Markdown."""
    lever = plan.LEVERS[need.lever]
    if need.fraction >= 1:
        return plan_goal.ENOUGH
    if not need.reached:
        reach = found.multiple_of(need.best) if 0 < need.best < 0.9999 else math.nan
        if math.isnan(reach):
            return words.md(need.reason)
        return (
            f"it is out of reach: even {lever.unlimited} at {words.md(need.site)} the effective "
            f"sample is at most **{words.number(reach)}** times today's"
        )
    text = _needs(params, need)
    return text if lever.further or not need.now > 0 else f"{text} (today {_now(need)})"


def _now(need: plan.Needed) -> str:
    return f"{need.now:,.0f}" if plan.LEVERS[need.lever].whole else words.number(need.now)


def answer_blocks(params: Params) -> Iterator[Block]:
    """The answer, and how it is to be read."""
    yield from _answered(params, answer)


def first_blocks(params: Params) -> Iterator[Block]:
    """Its first sentence, which the table of factors goes on from."""
    yield from _answered(params, plan_goal.sentence)


def _answered(params: Params, say: Callable[[Params], str]) -> Iterator[Block]:
    if params.goal.aim is None:
        yield Text("There is no goal that can be computed: see below.")
        return
    yield Text(say(params))
    yield Note(f"{ANSWERS} {plan_state.user(params.study, params.scope)}")


# The levers as factors ------------------------------------------------------------------------


def factors_table(params: Params) -> Table:
    """What is enough of each lever, as a factor on today's; the nearest ones."""
    scaled = [
        (f"{plan.LEVERS[x.quantity].title}: {_all(params, x.quantity)}", *plan_goal.cells(x))
        for x in plan_goal.scales(params)
    ]
    found = table(params)
    near = (found.enough or found.levers)[:MOST_FIRST] if found else ()
    rows = [
        (
            f"{plan.LEVERS[x.lever].title}: {place(params.study, x.lever, x.site)}",
            "needs every δ" if x.mechanism is None else factor_text(x.mechanism),
            factor_text(x.equation),
        )
        for x in near
    ]
    titles = ("Lever", "Enough with today's method", "Enough by any method")
    return Table.of(titles, [*scaled, *rows], alt="What is enough of each lever")


def _all(params: Params, quantity: str) -> str:
    where = plan_goal.place(params.study, quantity)
    return f"{where[0].lower()}{where[1:]}" if where.startswith("Every") else where


def factor_text(x: plan.Needed) -> str:
    """What a lever needs as a factor on today's, with the value; otherwise as `value_text`.

    Where there is none of it today, or less of it is better, the value stands alone.
    """
    text = value_text(x)
    if not x.reached or x.fraction >= 1 or x.unstated or plan.LEVERS[x.lever].largest:
        return text
    return f"× {words.number(x.value / x.now)} ({text})" if x.now > 0 else text


def factors_blocks(params: Params) -> Iterator[Block]:
    """The table of factors."""
    yield factors_table(params)


def asked_blocks(params: Params) -> Iterator[Block]:
    """What the lever that is looked at does alone."""
    if said := alone(params):
        yield Text(said)


# All levers side by side ----------------------------------------------------------------------


def levers_table(params: Params) -> Table:
    """All levers side by side: factors on all rows, then row by row."""
    study, found = params.study, table(params)
    rows = [
        (x.quantity, plan_goal.place(study, x.quantity), "× 1", *plan_goal.cells(x))
        for x in plan_goal.scales(params)
    ]
    for x in found.levers if found else ():
        named = "needs every δ" if x.mechanism is None else value_text(x.mechanism)
        where = place(study, x.lever, x.site)
        rows.append((x.lever, where, _now(x.equation), named, value_text(x.equation)))
    return Table.of(
        ("Lever", "Where", "Today", "Enough, mechanism", "Enough, rate equation"),
        [(plan.LEVERS[lever].title, *rest) for lever, *rest in rows],
        alt="All levers side by side",
        name="levers",
    )


def value_text(x: plan.Needed) -> str:
    """What a lever needs, or how far it gets; a missing δ says nothing of either."""
    if x.unstated:
        return f"needs δ of {x.unstated}"
    if x.fraction >= 1:
        return plan_goal.ENOUGH
    if not x.reached:
        if x.best >= 0.9999 or math.isnan(x.best):
            return "changes nothing"
        return f"out of reach, at best × {words.number(x.best)}"
    sign = "at most " if plan.LEVERS[x.lever].largest else ""
    return sign + (words.number(x.value, 4) if x.whole is None else f"{x.whole:,}")


def levers_blocks(params: Params) -> Iterator[Block]:
    """The table of all levers, and how it is to be read."""
    found, whole = table(params), levers_table(params)
    shown = {title: cells[:MOST_ROWS] for title, cells in whole.columns.items()}
    yield replace(whole, columns=shown, given=whole.csv)  # the file holds all
    notes = [LEGEND]
    if not (found and found.missing):
        notes.append(plan_goal.bandwidth(params.study, params.goal.kappa))
    if (most := len(whole.lines)) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {most} levers.")
    if found and found.left_out:
        notes.append(f"{found.left_out:,} rows with the smallest parts are left out.")
    yield Note(" ".join(notes))


# The rate along one lever ---------------------------------------------------------------------


def curve_blocks(params: Params) -> Iterator[Block]:
    """What the lever does, and where it stops mattering."""
    study, view = params.study, params.view
    drawn = with_lines(along, study, view.bare, params.goal.bare)
    if drawn is None:
        yield Note("The curve is drawn for the rows that are compared below.")
        return
    yield drawn
    if not common(view):
        yield Text(saturation_text(*saturations(params)))


def along(study: Study, view: View, goal: Goal) -> Figure | None:
    """What the lever that a view looks at does; None where it is not compared."""
    params = Params(study=study, view=view, goal=goal)
    if common(view):
        return plan_goal.picture(params)
    lever = chosen(table(params), view)
    return picture(params, lever) if lever else None


def saturations(params: Params) -> tuple[plan.Saturation, plan.Saturation | None]:
    """Where the lever stops mattering, by the equation and by the mechanism."""
    study, lever, lens = params.study, params.view.lever, params.lens
    site = plan.ALL if plan.LEVERS[lever].further else params.view.site
    equation = _saturation(study, lever, site, lens=lens)
    if lens.lacks_delta(study):
        return equation, None
    return equation, _saturation(study, lever, site, lens=lens.named)


def saturation_text(equation: plan.Saturation, mechanism: plan.Saturation | None) -> str:
    """Where the lever stops mattering, in sentences."""
    if mechanism is None:
        return f"**Rate equation.** {_stops(equation)}"
    if _stops(equation) == _stops(mechanism):
        return f"**By both answers.** {_stops(equation)}"
    return f"**Named mechanism.** {_stops(mechanism)} **Rate equation.** {_stops(equation)}"


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
    """The rate along a lever by both answers, with the target and the points of saturation."""
    goal, record = params.goal, plan.LEVERS[lever.lever]
    assert goal.fraction is not None
    stops = saturations(params)
    grid = figures.grid(*_ends(lever, stops))
    if lever.mechanism is None or lever.mechanism.unstated:
        title = f"By the rate equation {'enough' if lever.equation.reached else 'not enough'}"
    else:
        title = "This lever is enough" if lever.enough else "This lever alone is not enough"
    return figures.along(
        _along(params, tuple(grid.tolist())),
        label=record.title,
        where="" if record.further else f" at {words.label(lever.site)}",
        title=title,
        target=goal.fraction,
        by_equation=goal.by_equation,
        now=lever.equation.now,
        marks=_marks(params, lever, stops),
        caption="Full marks: the target is met. Hollow marks: from there on more of the lever "
        "changes nothing (rate equation), or at most 5% (named mechanism). All else stays as it "
        "is.",
    )


def _along(params: Params, values: tuple[float, ...]) -> plan.LeverCurve:
    study, view = params.study, params.view
    kind = plan_state.further(view, study) if plan.LEVERS[view.lever].further else None
    site = plan.ALL if kind else view.site
    return _curve(study, view.lever, site, values, kind=kind, lens=params.lens)


def _ends(
    lever: plan.LeverRow, stops: tuple[plan.Saturation, plan.Saturation | None]
) -> tuple[float, float]:
    """Ends of the horizontal axis: around today, what is needed, and the saturation."""
    needs = [x for x in (lever.equation, lever.mechanism) if x is not None]
    known = [x.now for x in needs] + [x.value for x in (*needs, *stops) if x is not None]
    known = [x for x in known if math.isfinite(x) and 1e-12 < x < 1e15] or [1.0]
    low, high = min(known) / 5.0, max(known) * 5.0
    if plan.LEVERS[lever.lever].whole:
        low, high = max(low, 1.0), max(high, 20.0)
    return low, max(high, low * 100.0)


def _marks(
    params: Params,
    lever: plan.LeverRow,
    stops: tuple[plan.Saturation, plan.Saturation | None],
) -> list[Curve]:
    enough, ends = [], []
    answers = (("Equation", lever.equation, stops[0]), ("Mechanism", lever.mechanism, stops[1]))
    for by, need, stop in answers:
        named = by == "Mechanism"
        if need is not None and need.reached and need.fraction < 1:
            at, name = (need.value, need.fraction), f"{by}: enough"
            enough.append(figures.mark(name, *at, mechanism=named))
        if stop is not None and 0 < stop.value < math.inf:
            here = _along(params, (stop.value,))
            y = float((here.mechanism if named else here.equation)[0])
            name = f"{by}: stops mattering"
            ends.append(figures.mark(name, stop.value, y, mechanism=named, open=True))
    return [mark for mark in (*enough, *ends) if math.isfinite(mark.y[0])]


ANSWER = Section(id="answer", title="", blocks=answer_blocks)
FIRST = Section(id="first", title="", blocks=first_blocks)
GOAL = Section(id="goal", title="", inputs=_ask_goal, blocks=plan_goal.remarks)
FACTORS = Section(id="factors", title="", blocks=factors_blocks)
ASKED = Section(id="asked", title="", inputs=inputs, blocks=asked_blocks)
CURVE = Section(id="lever", title="", blocks=curve_blocks)
LEVERS = Section(id="levers", title="All levers side by side", blocks=levers_blocks)
