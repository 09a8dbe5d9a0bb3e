"""The levers of a study: which one is looked at, what each needs, and the rate along it."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures import plan as figures
from pages.figures.chart import Drawn, words
from pages.parts.frame import tables
from pages.parts.plan import goal as plan_goal
from pages.parts.plan import state as plan_state
from pages.parts.plan import view as plan_view
from pages.parts.session import Menu, Slider
from rates import plan
from rates.answer import Lens
from rates.study import Study, TransferStudy

BINDS = {"privacy": "privacy binds", "sample": "sampling binds", "none": "nothing is added"}
MOST_ROWS = 60
MOST_NAMED = 2
LEGEND = (
    "One lever is changed, all else stays. A value is for each site of a row. "
    "At best: the rate over today's with an unlimited lever. "
    "Needs δ: the mechanism's noise there cannot be computed before that site states its δ."
)

table_of = functools.lru_cache(maxsize=64)(plan.levers)
_curve = functools.lru_cache(maxsize=64)(
    lambda study, lever, site, values, kind, risk, kappa: plan.lever_curve(
        study, lever, site, values, kind=kind, lens=Lens(risk=risk, kappa=kappa)
    )
)
_saturation = functools.lru_cache(maxsize=128)(plan.saturation)


def controls(study: Study) -> None:
    """Choose the lever, where it is pulled, and what a further site is like."""
    titles = {name: plan.LEVERS[name].title for name in plan_view.levers(study)}
    lever = Menu("lever", "Which lever?", titles).draw(plan_state.PLAN)
    if places := {name: place(lever, name) for name in plan_view.sites(lever, study)}:
        Menu("site", "Where?", places).draw(plan_state.PLAN)
        return
    Slider("kind_n", "Its records n").draw(plan_state.PLAN)
    Slider("kind_epsilon", "Its budget ε").draw(plan_state.PLAN)
    if isinstance(study, TransferStudy):
        Slider("kind_gamma", "Its signal γ").draw(plan_state.PLAN)
    kind = plan_view.further(plan_state.current(), study)
    st.caption(f"δ of a further site: {words.number(kind.delta or 0)}, the strictest stated.")


def place(lever: str, site: str) -> str:
    """Name where a lever is pulled."""
    if plan.LEVERS[lever].further:
        return "New"
    return plan.LEVERS[lever].everyone if site == plan.ALL else site


def found(study: Study, view: plan_view.View, goal: plan_goal.Goal) -> plan.LeverTable | None:
    """Return all levers for a goal; None where the goal cannot be said."""
    if goal.fraction is None:
        return None
    lens = Lens(risk=plan_goal.risk(study, view), kappa=goal.kappa)
    return table_of(study, goal.fraction, kind=plan_view.further(view, study), lens=lens)


def chosen(table: plan.LeverTable, view: plan_view.View) -> plan.LeverRow | None:
    """Return the lever that is looked at; None where its row is not in the table."""
    further = plan.LEVERS[view.lever].further
    rows = (x for x in table.levers if x.lever == view.lever and (further or x.site == view.site))
    return next(rows, None)


def answer(
    study: Study, table: plan.LeverTable, lever: plan.LeverRow | None, goal: plan_goal.Goal
) -> str:
    """The plan's answer in a few sentences, Markdown; the mechanism comes first."""
    parts = []
    if lever is None:
        parts.append(f"{goal.text}: the row chosen is too small to be among those compared below.")
    elif lever.mechanism is None:
        parts.append(f"{goal.text}, by the rate equation {_phrase(study, table, lever.equation)}.")
    else:
        phrases = [_phrase(study, table, x) for x in (lever.mechanism, lever.equation)]
        same = phrases[0] == phrases[1]
        said = f"by both answers {phrases[0]}" if same else f"by the mechanism {phrases[0]}; "
        said += "" if same else f"by the rate equation {phrases[1]}"
        parts.append(f"{goal.text}, {said}.")
    if first := [x.enough for x in table.enough if x is not lever][:MOST_NAMED]:
        also = "Also enough" if lever in table.enough else "Enough"
        texts = "; or ".join(_needs(study, x) for x in first if x)
        parts.append(f"{also} alone, by both answers: {texts}.")
    elif table.missing:
        parts.append(f"No named mechanism: {words.md(table.missing)}")
    if table.trivial:
        parts.append("Even at this target the rate equation's rate is trivial, that is 1.")
    return " ".join(parts)


def _needs(study: Study, found: plan.Needed) -> str:
    """What is enough of a lever, Markdown."""
    lever = plan.LEVERS[found.lever]
    value = value_text(found)
    if lever.further:
        kind = plan_view.further(plan_state.current(), study)
        like = f"n = {kind.n:,} and ε = {words.number(kind.epsilon)}"
        return words.md(f"{value} further sites are needed, each with {like}")
    form = lever.common_words if found.site == plan.ALL else lever.words
    return words.md(form.format(site=found.site, value=value.removeprefix("at most ")))


def _phrase(study: Study, table: plan.LeverTable, found: plan.Needed) -> str:
    """What one answer needs of the lever, or what is within its reach, Markdown."""
    lever = plan.LEVERS[found.lever]
    if not found.reached:
        reach = table.multiple_of(found.best) if 0 < found.best < 0.9999 else math.nan
        if math.isnan(reach):
            return words.md(found.reason)
        where = f" at {words.md(found.site)}" if found.site != plan.ALL else ""
        return (
            f"it is out of reach: even {lever.unlimited}{where} the effective sample is at most "
            f"**{words.number(reach)}** times today's"
        )
    text = _needs(study, found)
    if lever.further or not found.now > 0:
        return text
    now = f"{found.now:,.0f}" if lever.whole else words.number(found.now)
    return f"{text} (today {now})"


def columns(table: plan.LeverTable) -> dict[str, list[str]]:
    """All levers side by side, as columns of text."""
    rows = table.levers
    return {
        "Lever": [plan.LEVERS[x.lever].title for x in rows],
        "Where": [place(x.lever, x.site) for x in rows],
        "Today": [_now(x) for x in rows],
        "Enough, rate equation": [value_text(x.equation) for x in rows],
        "Enough, mechanism": [
            "needs every δ" if x.mechanism is None else value_text(x.mechanism) for x in rows
        ],
    }


def _now(lever: plan.LeverRow) -> str:
    """The lever today, in words."""
    now = _today(lever)
    if math.isnan(now):
        return "differs"
    return f"{now:,.0f}" if plan.LEVERS[lever.lever].whole else words.number(now)


def _today(lever: plan.LeverRow) -> float:
    known = [x.now for x in (lever.equation, lever.mechanism) if x and not math.isnan(x.now)]
    return known[0] if known else math.nan


def value_text(x: plan.Needed) -> str:
    """What a lever needs, or how far it gets; a missing δ says nothing of either."""
    if x.unstated:
        return f"needs δ of {x.unstated}"
    if not x.reached:
        if x.best >= 0.9999 or math.isnan(x.best):
            return "changes nothing"
        return f"out of reach, at best × {words.number(x.best)}"
    sign = "at most " if plan.LEVERS[x.lever].largest else ""
    return sign + (words.number(x.value, 4) if x.whole is None else f"{x.whole:,}")


def legend(table: plan.LeverTable, study: Study, goal: plan_goal.Goal) -> str:
    """Return how the table of levers is to be read, Markdown."""
    return LEGEND if table.missing else f"{LEGEND} {plan_goal.bandwidth(study, goal.kappa)}"


def show_table(table: plan.LeverTable, study: Study, goal: plan_goal.Goal) -> None:
    """Show all levers side by side."""
    shown = {title: cells[:MOST_ROWS] for title, cells in columns(table).items()}
    tables.show(shown, alt="All levers side by side")
    left = max(0, len(table.levers) - MOST_ROWS)
    notes = [f"The first {MOST_ROWS} of {len(table.levers)} levers." if left else ""]
    if table.left_out:
        notes.append(f"{table.left_out:,} rows with the smallest parts are left out.")
    st.caption(" ".join(filter(None, [legend(table, study, goal), *notes])))


def saturations(
    study: Study, view: plan_view.View, goal: plan_goal.Goal
) -> tuple[plan.Saturation, plan.Saturation | None]:
    """Where the lever stops mattering, by the equation and by the mechanism."""
    risk, site = (
        plan_goal.risk(study, view),
        plan.ALL if plan.LEVERS[view.lever].further else view.site,
    )
    lens = Lens(risk=risk, kappa=goal.kappa)
    equation = _saturation(study, view.lever, site, lens=lens)
    if lens.lacks_delta(study):
        return equation, None
    return equation, _saturation(study, view.lever, site, lens=lens.named)


def saturation_text(equation: plan.Saturation, mechanism: plan.Saturation | None) -> str:
    """Where the lever stops mattering, in sentences."""
    if mechanism is not None and _stops(equation) == _stops(mechanism):
        return f"**By both answers.** {_stops(equation)}"
    parts = [f"**Rate equation.** {_stops(equation)}"]
    if mechanism is not None:
        parts.append(f"**Named mechanism.** {_stops(mechanism)}")
    return " ".join(parts)


def binds_text(lever: plan.LeverRow) -> str:
    """Which noise decides at what is enough, or at an unlimited lever; empty where none does."""
    parts = []
    for by, need in (("rate equation", lever.equation), ("named mechanism", lever.mechanism)):
        if need is None or need.unstated or need.binds_after == "none":
            continue
        where = "With what is enough" if need.reached else "With an unlimited lever"
        was = "" if need.binds_now in ("none", need.binds_after) else f", today {need.binds_now}"
        parts.append(f"{where}, {BINDS[need.binds_after]} by the {by}{was}.")
    return " ".join(parts)


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


def along(study: Study, view: plan_view.View, goal: plan_goal.Goal) -> Drawn | None:
    """The rate along the lever that a view looks at; None where it is not compared."""
    table = found(study, view, goal)
    lever = table and chosen(table, view)
    return picture(study, view, goal, lever) if lever else None


def picture(
    study: Study, view: plan_view.View, goal: plan_goal.Goal, lever: plan.LeverRow
) -> Drawn:
    """The rate along the lever by both answers, with the target and the points of saturation."""
    assert goal.fraction is not None
    stops = saturations(study, view, goal)
    low, high = _ends(lever, stops)
    curve = _along(study, view, goal, tuple(figures.grid(low, high).tolist()))
    label, further = plan.LEVERS[view.lever].title, plan.LEVERS[view.lever].further
    return figures.along(
        curve,
        label=label,
        where=f" at {words.label(lever.site)}" if lever.site != plan.ALL and not further else "",
        title=_title(lever),
        target=goal.fraction,
        now=_today(lever),
        marks=_marks(study, view, goal, lever, stops),
        caption="Full marks: the target is met. Hollow marks: from there on more of the lever "
        "changes nothing (rate equation), or at most 5 % (named mechanism). All else stays as it "
        "is.",
    )


def _along(
    study: Study, view: plan_view.View, goal: plan_goal.Goal, values: tuple[float, ...]
) -> plan.LeverCurve:
    kind = plan_view.further(view, study) if plan.LEVERS[view.lever].further else None
    site = plan.ALL if kind else view.site
    risk = plan_goal.risk(study, view)
    return _curve(study, view.lever, site, values, kind, risk, goal.kappa)


def _title(lever: plan.LeverRow) -> str:
    if lever.mechanism is not None and lever.mechanism.unstated:
        return f"By the rate equation {'enough' if lever.equation.reached else 'not enough'}"
    both = [lever.equation.reached]
    if lever.mechanism is not None:
        both.append(lever.mechanism.reached)
    if all(both):
        return "This lever is enough"
    if not any(both):
        return "This lever alone is not enough"
    by = "rate equation" if lever.equation.reached else "named mechanism"
    return f"Enough by the {by} only"


def _ends(
    lever: plan.LeverRow, stops: tuple[plan.Saturation, plan.Saturation | None]
) -> tuple[float, float]:
    """Ends of the horizontal axis: around today, what is needed, and the saturation."""
    needs = [x for x in (lever.equation, lever.mechanism) if x is not None]
    known = [x.now for x in needs] + [x.value for x in needs]
    known += [x.value for x in stops if x is not None]
    known = [x for x in known if math.isfinite(x) and 1e-12 < x < 1e15] or [1.0]
    low, high = min(known) / 5.0, max(known) * 5.0
    if plan.LEVERS[lever.lever].whole:
        low, high = max(low, 1.0), max(high, 20.0)
    return low, max(high, low * 100.0)


def _marks(
    study: Study,
    view: plan_view.View,
    goal: plan_goal.Goal,
    lever: plan.LeverRow,
    stops: tuple[plan.Saturation, plan.Saturation | None],
) -> list[figures.Mark]:
    assert goal.fraction is not None
    out = []
    for named, need in ((False, lever.equation), (True, lever.mechanism)):
        if need is not None and need.reached:
            name = f"{'Mechanism' if named else 'Equation'}: enough"
            out.append(figures.Mark(name=name, x=need.value, y=goal.fraction, mechanism=named))
    for named, stop in zip((False, True), stops, strict=True):
        if stop is None or not math.isfinite(stop.value) or stop.value <= 0:
            continue
        here = _along(study, view, goal, (stop.value,))
        y = float((here.mechanism if named else here.equation)[0])
        name = f"{'Mechanism' if named else 'Equation'}: stops mattering"
        out.append(figures.Mark(name=name, x=stop.value, y=y, mechanism=named, open=True))
    return [mark for mark in out if math.isfinite(mark.y)]
