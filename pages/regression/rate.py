"""Tab "Rate": the risk over the theory's slope and elbow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pages.charts import number, signed, simulation, words
from pages.core import Block, Listing, Note, Slider, Switch
from pages.core.live import SHORT, Folded, Item, Plan, along, of_experiment, repetition
from pages.regression import world
from rates.numbers import decades
from sims import ccv as sim
from sims.engine import Fit, Point, Progress, Value, Values, fits, slope_of

_BUDGETS = (0.03, 0.06, 0.12, 0.25, 0.33, 0.45, 0.6, 0.8, 1.1, 1.5, 2.2, 4.0, 10.0)
_SERVERS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
SWEEPS = {"epsilon": "Budget", "n": "Size", "m": "Servers"}
_AXES = {
    "epsilon": "Budget ε of every server",
    "n": "Records n of every server",
    "m": "Servers m, records in all fixed",
}
ALL = "Estimator"  # in place of a series that needs no name
_STOPS = {
    "epsilon": (0.01, 0.02, *_BUDGETS, 6.0),
    "n": (300.0, 1e3, 3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 1e8),
    "m": (*_SERVERS, 500.0, 1e3),
}
_LISTS: dict[str, dict[str, Value]] = {  # what each sweep starts with
    "epsilon": {"epsilon": _BUDGETS, "n": (1e4,), "m": (10.0,)},
    "n": {"n": (300.0, 1e3, 3e3, 1e4, 3e4, 1e5), "epsilon": (0.3, math.inf), "m": (10.0,)},
    "m": {"m": _SERVERS, "n": (1e5,), "epsilon": (0.3, math.inf)},
}
_NO_SLOPE = "Too few points lie where a slope is meant; widen the range or raise n."


def _fields(asked: Plan) -> Iterator[Item]:
    yield from along(
        asked,
        SWEEPS,
        lists=_LISTS,
        stops=_STOPS,
        budgets=(math.inf, 3.0, 1.0, 0.3, 0.1),
        sizes=(1e4, 1e5, 1e6),  # three fit beside each other; the exact list takes others
    )
    if asked.values["sweep"] != "m":
        yield Slider("m", "Number of servers m", decades(0, 3, whole=True))
    yield world.ask_curve
    yield from repetition(most=500)
    yield Folded(
        "Noise, level, threshold, window, exact lists",
        (
            *(world.RISK, world.NOISE, world.LEVEL, world.CLIP, world.DELTA),
            Switch(
                "window", "Slope fitted", {"private": "Where privacy decides", "all": "All points"}
            ),
            *(Listing(name, f"{name}, exact list") for name in ("epsilon", "n", "m")),
        ),
    )


def points_of(progress: Progress) -> tuple[Point, ...]:
    """Return the points with a name for a series that has none."""
    points = progress.request.points
    return tuple(replace(p, series=ALL) if p.series == "all" else p for p in points)


@world.stored(32)
def _curves(values: Values) -> Mapping[str, sim.ExactCurve]:
    """The exact curves of checked values, kept for the next redrawing."""
    found = sim.exact_curves(values)
    return {ALL if name == "all" else name: curve for name, curve in found.items()}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    points, values = points_of(progress), progress.request.values
    axis = SHORT[values.word("sweep")]
    elbow = _elbow_words(_curves(world.complete(values)), axis)
    if not progress.done:
        exact = [(fit, fit.slope.value) for fit in sim.exact_fits(points) if fit.slope]
        slopes = "; ".join(
            f"{'' if fit.series == ALL else f'{fit.series}: '}**{signed(slope)}**{_theory(fit)}"
            for fit, slope in exact
        )
        start = f"In {axis} the exact risk has slope {slopes}." if slopes else _NO_SLOPE
        return f"{start} {elbow} **Run** simulates the estimator beside its exact risk."
    inside, known = sim.on_curve(points, progress.estimates)
    held = f"**{inside} of {known}** simulated points hold the exact risk in their"
    found = [fit for fit in fits(points, progress.estimates) if fit.slope]
    if not found:
        return f"{held} 95% intervals. {_NO_SLOPE} {elbow}"
    far = sim.asymptotic_slopes(world.complete(values))
    parts = "; ".join(
        f"{'Fitted' if fit.series == ALL else f'{fit.series}: fitted'} slope "
        f"**{words.slope(fit)}**, exact **{signed(_exact_slope(fit, points, progress))}**"
        f"{_theory(fit)}: {simulation.judged(fit, far)}"
        for fit in found
    )
    return f"{parts}. {held} 95% intervals. {elbow}"


def _theory(fit: Fit) -> str:
    if math.isnan(fit.theory):
        return ", and the theory has no rate for this curve"
    return f", the theory **{signed(fit.theory)}** over the same window"


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
        end = (
            "within the range the risk never passes twice that without privacy."
            if math.isnan(actual)
            else f"the risk is twice that without privacy at {axis} = **{number(actual)}**, a "
            f"factor of **{number(actual / printed, 2)}**."
        )
        return f"Privacy starts to cost at {axis} = **{number(printed)}** as printed{of}; {end}"
    return ""


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    estimates, values = progress.estimates, world.complete(progress.request.values)
    points, curves = points_of(progress), _curves(values)
    swept = values.word("sweep")
    yield simulation.exact_figure(
        points,
        estimates,
        curves,
        zero=sim.world_of(values).zero,
        x_title=_AXES[swept],
        title=f"Squared error against {SHORT[swept]}: exact, simulated, theory",
        curve=f"rate, {values.word('theory')}",
        name="rate",
    )
    yield Note(
        "Slopes ± a standard error, all over the same points and weights. Elbow as printed: "
        "n ε² = (mn)^(1/(2g+1)); really: exact risk twice that without privacy."
    )
    if reasons := dict.fromkeys(p.left_out for p in points if p.left_out):
        yield Note(f"Left out of the fits, drawn hollow: {'; '.join(reasons)}.")


RATE_TAB = world.tab(
    sim.RATE,
    sim.rate_setup,
    id="rate",
    title="Rate",
    usual=of_experiment(sim.RATE, defaults={"epsilon": _BUDGETS}),
    inputs=_fields,
    auto=True,
    answer=answer,
    blocks=drawn,
    formula=r"D^{2g+2} = \sum_j (n_j^2\varepsilon_j^2) \wedge (n_j D), \qquad \text{rate } D^{-2g}"
    "\n"
    r"E\|\hat f - f\|^2 = \|f - P_K\bar f\|^2"
    r" + \sum_j u_j^2\Big(\frac{V_K}{n_j} + K s_j^2\Big), \qquad"
    r" s_j^2 = \frac{b\,K}{n_j^2\varepsilon_j^2}",
    why="The first line is equation (6) of [CCV], with g = α over the whole curve and α − 1/p at a "
    "point. The second is the exact risk of what is simulated: bias, sampling and privacy noise. "
    "Equation (6) has b = 1, a real mechanism hundreds or thousands, which moves the elbow by "
    "about √b and leaves the slopes. The calibrated rate has b in it.",
    limits="- A rate is about the worst curve of a class and the best estimator.\n"
    "- The best K knows the curve, the paper's K knows α; nobody knows either.\n"
    "- Slopes are compared between the elbow and where the estimate drowns, not far out.\n"
    "- The noise is standard normal and the design uniform; both are public.",
    statements=("CCV:Eq4:boundary", "CCV:Eq13:risk", "CCV:Eq15:kernel"),
)
