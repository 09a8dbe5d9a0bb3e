"""The levers of a study: which one is looked at, what each needs, and the rate along it."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import streamlit as st

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Menu, Slider, tables
from pages.plan import goal as plan_goal
from pages.plan import scales as plan_scales
from pages.plan import state as plan_state
from pages.plan import view as plan_view
from rates import plan
from rates.answer import Lens
from rates.study import Study, TransferStudy

BINDS = {"privacy": "privacy binds", "sample": "sampling binds", "none": "nothing is added"}
MOST_ROWS = 60
MOST_NAMED = 2
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

table_of = functools.lru_cache(maxsize=64)(plan.levers)
_curve = functools.lru_cache(maxsize=64)(
    lambda study, lever, site, values, kind, risk, kappa: plan.lever_curve(
        study, lever, site, values, kind=kind, lens=Lens(risk=risk, kappa=kappa)
    )
)
_saturation = functools.lru_cache(maxsize=128)(plan.saturation)


def controls(study: Study) -> None:
    """Choose the lever, where it is pulled, and what a further site is like."""
    have = plan_view.levers(study, alike=plan_state.current().alike)
    titles = {name: plan.LEVERS[name].title for name in have}
    lever = Menu("lever", "Which lever?", titles).draw(plan_state.PLAN)
    if places := {name: place(study, lever, name) for name in plan_view.sites(lever, study)}:
        Menu("site", "Where?", places).draw(plan_state.PLAN)
        return
    Slider("kind_n", "Its records n").draw(plan_state.PLAN)
    Slider("kind_epsilon", "Its budget ε").draw(plan_state.PLAN)
    if isinstance(study, TransferStudy) and not plan_state.current().alike:
        Slider("kind_gamma", "Its signal γ").draw(plan_state.PLAN)
    kind = plan_view.further(plan_state.current(), study)
    st.caption(f"δ of a further site: {words.number(kind.delta or 0)}, the strictest stated.")


def place(study: Study, lever: str, site: str) -> str:
    """Name where a lever is pulled."""
    if plan.LEVERS[lever].further:
        return "New"
    return f"{plan_scales.place(study, lever)}, all by one factor" if site == plan.ALL else site


def common(view: plan_view.View) -> bool:
    """Whether the lever that is looked at is a factor on what all rows have."""
    return view.site == plan.ALL and not plan.LEVERS[view.lever].further


def found(study: Study, view: plan_view.View, goal: plan_goal.Goal) -> plan.LeverTable | None:
    """Return the levers at rows for a goal; None where it cannot be said, or asks for nothing."""
    if goal.fraction is None:
        return None
    lens = Lens(risk=plan_goal.risk(study, view), kappa=goal.kappa)
    kind = plan_view.further(view, study)
    table = table_of(study, goal.fraction, kind=kind, lens=lens, by_equation=goal.by_equation)
    if not view.alike:
        return table
    return replace(table, levers=tuple(x for x in table.levers if x.lever != plan_view.SIGNAL))


def chosen(table: plan.LeverTable | None, view: plan_view.View) -> plan.LeverRow | None:
    """Return the lever that is looked at; None where its row is not in the table."""
    if table is None or common(view):
        return None
    further = plan.LEVERS[view.lever].further
    rows = (x for x in table.levers if x.lever == view.lever and (further or x.site == view.site))
    return next(rows, None)


def answer(
    study: Study,
    table: plan.LeverTable | None,
    view: plan_view.View,
    goal: plan_goal.Goal,
) -> str:
    """The plan's answer in a few sentences, Markdown; the mechanism comes first."""
    parts = [plan_scales.sentence(study, view, goal)]
    if table is None:
        return parts[0]
    lever = chosen(table, view)
    if lever is not None:
        phrases = [_phrase(study, view, table, x) for x in (lever.mechanism, lever.equation) if x]
        beside = f" (equation: {phrases[-1]})" if phrases[0] != phrases[-1] else ""
        parts.append(f"One lever alone: {phrases[0]}{beside}.")
    elif not common(view):
        parts.append(
            f"{words.md(view.site)} is not among the rows that are compared, those with the "
            "largest parts."
        )
    one = len(study.servers) == 1 and common(view)  # what it needs is said already
    if first := [x for x in table.enough if x is not lever and not one][:MOST_NAMED]:
        texts = "; or ".join(_alone(study, view, x) for x in first)
        parts.append(f"{'Also enough' if lever in table.enough else 'Enough'} alone: {texts}.")
    elif table.missing:
        parts.append(f"No named mechanism: {words.md(table.missing)}")
    if table.trivial:
        parts.append("Even at this target the rate equation's rate is trivial, that is 1.")
    return " ".join(parts)


def _alone(study: Study, view: plan_view.View, row: plan.LeverRow) -> str:
    """What is enough of one lever by the mechanism, and by the equation beside it, Markdown."""
    assert row.mechanism is not None
    beside = words.md(value_text(row.equation))
    return f"{_needs(study, view, row.mechanism)} (equation: {beside})"


def _needs(study: Study, view: plan_view.View, found: plan.Needed) -> str:
    """What is enough of a lever, Markdown."""
    lever = plan.LEVERS[found.lever]
    value = value_text(found)
    if lever.further:
        kind = plan_view.further(view, study)
        like = f"n = {kind.n:,} and ε = {words.number(kind.epsilon)}"
        return words.md(f"{value} further sites are needed, each with {like}")
    many = any(s.count > 1 for s in study.servers if s.name == found.site)
    site = f"each of {found.site}" if many and found.lever != "count" else found.site
    return words.md(lever.words.format(site=site, value=value.removeprefix("at most ")))


def _phrase(study: Study, view: plan_view.View, table: plan.LeverTable, found: plan.Needed) -> str:
    """What one answer needs of the lever, or what is within its reach, Markdown."""
    lever = plan.LEVERS[found.lever]
    if found.fraction >= 1:
        return plan_scales.ENOUGH
    if not found.reached:
        reach = table.multiple_of(found.best) if 0 < found.best < 0.9999 else math.nan
        if math.isnan(reach):
            return words.md(found.reason)
        return (
            f"it is out of reach: even {lever.unlimited} at {words.md(found.site)} the effective "
            f"sample is at most **{words.number(reach)}** times today's"
        )
    text = _needs(study, view, found)
    if lever.further or not found.now > 0:
        return text
    now = f"{found.now:,.0f}" if lever.whole else words.number(found.now)
    return f"{text} (today {now})"


def columns(
    study: Study, table: plan.LeverTable | None, scales: tuple[plan.Scale, ...]
) -> dict[str, list[str]]:
    """All levers side by side, as columns of text: factors on all rows, then row by row."""
    rows = table.levers if table else ()
    named, exact = zip(*map(plan_scales.cells, scales), strict=True) if scales else ((), ())
    return {
        "Lever": [plan.LEVERS[x].title for x in (*(s.quantity for s in scales), *_names(rows))],
        "Where": [
            *(plan_scales.place(study, x.quantity) for x in scales),
            *(place(study, x.lever, x.site) for x in rows),
        ],
        "Today": [*("× 1" for _ in scales), *(_now(x) for x in rows)],
        "Enough, mechanism": [
            *named,
            *("needs every δ" if x.mechanism is None else value_text(x.mechanism) for x in rows),
        ],
        "Enough, rate equation": [*exact, *(value_text(x.equation) for x in rows)],
    }


def _names(rows: tuple[plan.LeverRow, ...]) -> list[str]:
    return [row.lever for row in rows]


def _now(lever: plan.LeverRow) -> str:
    """The lever today, in words."""
    now = lever.equation.now
    return f"{now:,.0f}" if plan.LEVERS[lever.lever].whole else words.number(now)


def value_text(x: plan.Needed) -> str:
    """What a lever needs, or how far it gets; a missing δ says nothing of either."""
    if x.unstated:
        return f"needs δ of {x.unstated}"
    if x.fraction >= 1:
        return plan_scales.ENOUGH
    if not x.reached:
        if x.best >= 0.9999 or math.isnan(x.best):
            return "changes nothing"
        return f"out of reach, at best × {words.number(x.best)}"
    sign = "at most " if plan.LEVERS[x.lever].largest else ""
    return sign + (words.number(x.value, 4) if x.whole is None else f"{x.whole:,}")


def legend(study: Study, goal: plan_goal.Goal, *, missing: bool = False) -> str:
    """Return how the table of levers is to be read, Markdown."""
    return LEGEND if missing else f"{LEGEND} {plan_goal.bandwidth(study, goal.kappa)}"


def show_table(
    table: plan.LeverTable | None, study: Study, view: plan_view.View, goal: plan_goal.Goal
) -> None:
    """Show all levers side by side."""
    found = columns(study, table, plan_scales.found(study, view, goal))
    tables.show(
        {title: cells[:MOST_ROWS] for title, cells in found.items()},
        alt="All levers side by side",
    )
    most = len(found["Lever"])
    notes = [f"The first {MOST_ROWS} of {most} levers." if most > MOST_ROWS else ""]
    if table and table.left_out:
        notes.append(f"{table.left_out:,} rows with the smallest parts are left out.")
    missing = bool(table and table.missing)
    st.caption(" ".join(filter(None, [legend(study, goal, missing=missing), *notes])))


def saturations(
    study: Study, view: plan_view.View, goal: plan_goal.Goal
) -> tuple[plan.Saturation, plan.Saturation | None]:
    """Where the lever stops mattering, by the equation and by the mechanism."""
    site = plan.ALL if plan.LEVERS[view.lever].further else view.site
    lens = Lens(risk=plan_goal.risk(study, view), kappa=goal.kappa)
    equation = _saturation(study, view.lever, site, lens=lens)
    if lens.lacks_delta(study):
        return equation, None
    return equation, _saturation(study, view.lever, site, lens=lens.named)


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


def along(study: Study, view: plan_view.View, goal: plan_goal.Goal) -> Figure | None:
    """What the lever that a view looks at does; None where it is not compared."""
    if common(view):
        return plan_scales.picture(study, view, goal)
    lever = chosen(found(study, view, goal), view)
    return picture(study, view, goal, lever) if lever else None


def picture(
    study: Study, view: plan_view.View, goal: plan_goal.Goal, lever: plan.LeverRow
) -> Figure:
    """The rate along a lever by both answers, with the target and the points of saturation."""
    assert goal.fraction is not None
    stops = saturations(study, view, goal)
    low, high = _ends(lever, stops)
    curve = _along(study, view, goal, tuple(figures.grid(low, high).tolist()))
    label, further = plan.LEVERS[view.lever].title, plan.LEVERS[view.lever].further
    return figures.along(
        curve,
        label=label,
        where="" if further else f" at {words.label(lever.site)}",
        title=_title(lever),
        target=goal.fraction,
        by_equation=goal.by_equation,
        now=lever.equation.now,
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
    if lever.mechanism is None or lever.mechanism.unstated:
        return f"By the rate equation {'enough' if lever.equation.reached else 'not enough'}"
    return "This lever is enough" if lever.enough else "This lever alone is not enough"


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
    out = []
    for named, need in ((False, lever.equation), (True, lever.mechanism)):
        if need is not None and need.reached and need.fraction < 1:
            name = f"{'Mechanism' if named else 'Equation'}: enough"
            out.append(figures.Mark(name=name, x=need.value, y=need.fraction, mechanism=named))
    for named, stop in zip((False, True), stops, strict=True):
        if stop is None or not math.isfinite(stop.value) or stop.value <= 0:
            continue
        here = _along(study, view, goal, (stop.value,))
        y = float((here.mechanism if named else here.equation)[0])
        name = f"{'Mechanism' if named else 'Equation'}: stops mattering"
        out.append(figures.Mark(name=name, x=stop.value, y=y, mechanism=named, open=True))
    return [mark for mark in out if math.isfinite(mark.y)]
