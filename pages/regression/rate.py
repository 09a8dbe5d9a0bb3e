"""Tab "Rate": simulated risk on the exact curve, beside the theory's slope and elbow."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pages.charts import Figure, signed, words
from pages.charts import exact as figures
from pages.core import Block, Listing, Note, Slider, Switch, Table
from pages.core.live import Folded, Item, Plan, plan, repetition, sweep
from pages.regression import world
from rates.numbers import decades
from sims import regression as sim
from sims.engine import Fit, Point, Progress, Value, Values, fits, scaling, slope_of

_BUDGETS = (0.03, 0.06, 0.12, 0.25, 0.33, 0.45, 0.6, 0.8, 1.1, 1.5, 2.2, 4.0, 10.0)
SWEEPS = {"epsilon": "Budget", "n": "Size", "m": "Servers"}
_AXES = {
    "epsilon": "Budget ε of every server",
    "n": "Records n of every server",
    "m": "Servers m, records in all fixed",
}
STEPS = {"every": "Every whole K", "powers of two": "Dyadic"}
THEORIES = {"calibrated": "Calibrated", "equation (6)": "Equation (6)"}
WINDOWS = {"private": "Where privacy decides", "all": "All points"}
ALL = "Estimator"  # in place of a series that needs no name
_STOPS = {
    "epsilon": (0.01, 0.02, *_BUDGETS, 6.0),
    "n": (300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 1e8),
    "m": (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3),
}
_LISTS: dict[str, dict[str, Value]] = {  # what each sweep starts with
    "epsilon": {"epsilon": _BUDGETS, "n": (1e4,), "m": (10.0,)},
    "n": {"n": (300.0, 1e3, 3e3, 1e4, 3e4, 1e5), "epsilon": (0.3, math.inf), "m": (10.0,)},
    "m": {
        "m": (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0),
        "n": (1e5,),
        "epsilon": (0.3, math.inf),
    },
}
_MOST_NAMED = 3  # series spelled out in the answer


def _fields(asked: Plan) -> Iterator[Item]:
    yield from sweep.along(
        asked,
        SWEEPS,
        lists=_LISTS,
        stops=_STOPS,
        budgets=(math.inf, 3.0, 1.0, 0.3, 0.1),
        sizes=(1e4, 1e5, 1e6),  # three fit beside each other; the exact list takes others
    )
    if sweep.swept(asked) != "m":
        yield Slider("m", "Number of servers m", decades(0, 3, whole=True))
    yield Switch("dimensions", "Number of basis functions K", STEPS)
    yield world.ask_curve
    yield from repetition(most=500)
    yield Folded(
        "Noise, level, threshold, window, exact lists",
        (
            world.RISK,
            world.NOISE,
            world.LEVEL,
            world.CLIP,
            world.DELTA,
            Switch("window", "Slope fitted", WINDOWS),
            Switch("theory", "Beside it", THEORIES),
            *(Listing(name, f"{name}, exact list") for name in ("epsilon", "n", "m")),
        ),
    )


def points_of(progress: Progress) -> tuple[Point, ...]:
    """Return the points with a name for a series that has none."""
    points = progress.request.points
    return tuple(replace(p, series=ALL) if p.series == "all" else p for p in points)


@functools.lru_cache(maxsize=32)
def _curves(values: Values) -> Mapping[str, sim.ExactCurve]:
    """The exact curves of checked values, kept for the next redrawing."""
    found = sim.exact_curves(values)
    return {ALL if name == "all" else name: curve for name, curve in found.items()}


def rivals(far: sim.Exponents | None) -> dict[str, float]:
    """Return the slopes far out, where one term decides alone."""
    return {} if far is None else {"sampling alone": far.sampling, "privacy alone": far.privacy}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    points, values = points_of(progress), progress.request.values
    axis = sweep.SHORT[values.word("sweep")]
    elbow = _elbow_words(_curves(world.complete(values)), axis)
    exact = [fit for fit in sim.exact_fits(points) if fit.slope is not None]
    if not progress.done:
        told = "; ".join(_told(fit) for fit in exact[:_MOST_NAMED])
        start = f"In {axis} the exact risk has slope {told}." if told else _NO_SLOPE
        return f"{start} {elbow} **Run** simulates the estimator beside its exact risk."
    held = sim.on_curve(points, progress.estimates)
    lie = (
        f"**{held.inside} of {held.points}** simulated points hold the exact risk in their 95 % "
        f"intervals"
    )
    found = [f for f in fits(points, progress.estimates) if f.slope is not None]
    if not found:
        return f"{lie}. {_NO_SLOPE} {elbow}"
    parts = [_compared(fit, points, progress) for fit in found[:_MOST_NAMED]]
    more = f"; and {len(found) - _MOST_NAMED} more below" if len(found) > _MOST_NAMED else ""
    return f"{'; '.join(parts)}{more}. {lie}. {elbow}"


_NO_SLOPE = "Too few points lie where a slope is meant; widen the range or raise n."


def _told(fit: Fit) -> str:
    name = "" if fit.series == ALL else f"{fit.series}: "
    return f"{name}**{signed(fit.slope.value) if fit.slope else ''}**{_theory(fit)}"


def _theory(fit: Fit) -> str:
    if math.isnan(fit.theory):
        return ", and the theory has no rate for this curve"
    return f", the theory **{signed(fit.theory)}** over the same window"


def _compared(fit: Fit, points: Sequence[Point], progress: Progress) -> str:
    """One fitted slope beside the exact one and the theory's."""
    name = "Fitted slope" if fit.series == ALL else f"{fit.series}: fitted slope"
    exact = _exact_slope(fit, points, progress)
    return f"{name} **{words.slope(fit)}**, exact **{signed(exact)}**{_theory(fit)}"


def _exact_slope(fit: Fit, points: Sequence[Point], progress: Progress) -> float:
    """The slope of the exact risk over the same points with the same weights."""
    at = [i for i, p in enumerate(points) if p.series == fit.series]
    curve = [points[i].exact or math.nan for i in at]
    return slope_of(curve, [points[i] for i in at], [progress.estimates[i] for i in at])


def _elbow_words(curves: Mapping[str, sim.ExactCurve], axis: str) -> str:
    """Where privacy starts to cost, as printed and really."""
    for series, curve in curves.items():
        printed, actual = curve.elbow.printed, curve.elbow.actual
        if math.isnan(printed):
            continue
        of = "" if series == ALL else f" ({series})"
        start = f"Privacy starts to cost at {axis} = **{words.number(printed)}** as printed{of}; "
        if math.isnan(actual):
            return f"{start}within the range the risk never passes twice that without privacy."
        return (
            f"{start}the risk is twice that without privacy at {axis} = "
            f"**{words.number(actual)}**, a factor of **{words.number(actual / printed, 2)}**."
        )
    return ""


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of slopes."""
    request, estimates = progress.request, progress.estimates
    points, values = points_of(progress), world.complete(request.values)
    curves, found = _curves(world.complete(request.values)), fits(points, estimates)
    swept = values.word("sweep")
    yield Figure(
        figure=figures.rate_figure(
            points,
            estimates,
            found,
            curves,
            zero=sim.world_of(values).zero,
            x_title=_AXES[swept],
            title=f"Squared error against {sweep.SHORT[swept]}: exact, simulated, theory",
            curve=f"rate, {THEORIES[values.word('theory')].lower()}",
            staircase=values["dimensions"] == "powers of two",
        ),
        alt=figures.alt(points, estimates, curves, _AXES[swept]),
        rows=figures.rows(points, estimates, curves),
        name="rate",
    )
    yield from _table(progress, found, curves, values)


def _table(
    progress: Progress, found: Sequence[Fit], curves: Mapping[str, sim.ExactCurve], values: Values
) -> Iterable[Block]:
    """Slopes and elbows side by side."""
    points, far = points_of(progress), sim.asymptotic_slopes(values)
    exact = {fit.series: fit for fit in sim.exact_fits(points)}

    def exact_slope(fit: Fit) -> str:
        if fit.slope:
            return signed(_exact_slope(fit, points, progress))
        own = exact[fit.series].slope
        return signed(own.value) if own else "none"

    yield Table(
        {
            "Curve": [fit.series for fit in found],
            "Fitted slope": [words.slope(fit) for fit in found],
            "Exact slope": [exact_slope(fit) for fit in found],
            "Theory's slope": [
                signed(fit.theory if fit.slope else exact[fit.series].theory) for fit in found
            ],
            "Verdict": [_verdict(fit, far) for fit in found],
            "Far out": [
                "no rate"
                if far is None
                else f"privacy {signed(far.privacy)}, sampling {signed(far.sampling)}"
                for _ in found
            ],
            "Elbow printed": [words.number(curves[f.series].elbow.printed) for f in found],
            "Elbow": [words.number(curves[f.series].elbow.actual) for f in found],
            "Points": [f"{_used(points, f)} in the fit" for f in found],
        },
        "Fitted slopes beside the exact slopes and those of the theory",
    )
    yield Note(
        "Fitted slope ± standard error; exact and theory over the same points with the same "
        "weights. The verdict compares with the theory. Far out: exponents where one term "
        "decides. Elbow printed: n ε² = (mn)^(1/(2g+1)); elbow: exact risk twice that without "
        "privacy."
    )
    reasons = dict.fromkeys(p.left_out for p in points if p.left_out)
    if reasons:
        yield Note(f"Left out of the fits, drawn hollow: {'; '.join(reasons)}.")


def _used(points: Sequence[Point], fit: Fit) -> str:
    at = [p for p in points if p.series == fit.series]
    return f"{sum(not p.left_out for p in at)} of {len(at)}"


def _verdict(fit: Fit, far: sim.Exponents | None) -> str:
    verdict = fit.verdict(rivals(far))
    if verdict == scaling.CANNOT_DISTINGUISH:
        return "agrees, as a slope far out would"
    return verdict


TAB = world.tab(
    sim.RATE,
    sim.rate_setup,
    name="rate",
    title="Rate",
    usual=plan(sim.RATE.parameters, replicates=sim.RATE.replicates, defaults={"epsilon": _BUDGETS}),
    fields=_fields,
    auto=True,
    answer=answer,
    drawn=drawn,
    formula=r"D^{2g+2} = \sum_j (n_j^2\varepsilon_j^2) \wedge (n_j D), \qquad \text{rate } D^{-2g}"
    "\n"
    r"E\|\hat f - f\|^2 = \|f - P_K\bar f\|^2"
    r" + \sum_j u_j^2\Big(\frac{V_K}{n_j} + K s_j^2\Big), \qquad"
    r" s_j^2 = \frac{b\,K}{n_j^2\varepsilon_j^2}",
    why=(
        "The first line is equation (6) of [CCV], with g = α over the whole curve and α − 1/p at a "
        "point. The second is the risk of the estimator that is simulated: bias of K functions "
        "and of clipping, sampling, and privacy noise. It is a finite sum, computed without "
        "simulation at any n. Equation (6) has b = 1; a real mechanism has b in the hundreds or "
        "thousands. This moves the elbow by about √b and leaves the slopes far out as they are. "
        "The calibrated rate has b in it."
    ),
    limits=(
        "- One curve, or a few of one kind: a rate is about the worst curve of a class and the "
        "best estimator.\n"
        "- The best K knows the curve. The paper's K knows α; nobody knows either.\n"
        "- Between the elbow and the place where the estimate drowns the window is narrow at any "
        "n that fits here: slopes are compared over the window, not with the exponent far out.\n"
        "- Responses have standard normal noise and the design is uniform; both are public."
    ),
    statements={
        "CCV:Eq4:boundary": "Where the two terms are equal",
        "CCV:Eq13:risk": "The variance of the combined estimate is the rate",
    },
)
