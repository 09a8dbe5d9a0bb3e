"""The page: do real private estimators of a curve follow the rate?

Here the tabs "Rate", the risk over the theory's slope and elbow, and "Constants": from the printed
recipe to the best valid one, step by step.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pages import charts
from pages.charts import number, signed, simulation, theme, words
from pages.core import Block, Listing, Note, Slider, Switch, Table, Text
from pages.core.live import SHORT, Folded, Item, Plan, along, kept, of_experiment, page, repetition
from pages.regression import estimate, rules, world
from rates.numbers import decades
from sims import ccv as sim
from sims.engine import Fit, Point, Progress, Request, Value, Values, fits, slope_of

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
    # A single series is called "all" by the engine, which says nothing to a reader.
    return tuple(replace(p, series=ALL) if p.series == "all" else p for p in points)


@functools.lru_cache(maxsize=32)
def _curves(values: Values) -> Mapping[str, sim.ExactCurve]:
    """The exact curves of checked values, kept for the next redrawing."""
    found = sim.exact_curves(values)
    return {ALL if name == "all" else name: curve for name, curve in found.items()}


def rate_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    points, values = points_of(progress), progress.request.values
    axis, elbow = SHORT[values.word("sweep")], _elbow_words(_curves(values))
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
    far = sim.asymptotic_slopes(values)
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
    # The same points and weights, or a difference of slopes could be that of two windows.
    at = [i for i, p in enumerate(points) if p.series == fit.series]
    curve = [points[i].exact or math.nan for i in at]
    return slope_of(curve, [points[i] for i in at], [progress.estimates[i] for i in at])


def _elbow_words(curves: Mapping[str, sim.ExactCurve]) -> str:
    """Where privacy starts to cost along budgets, as printed and really."""
    for series, curve in curves.items():
        if curve.elbow is None or math.isnan(curve.elbow.printed):
            continue
        printed, actual = curve.elbow.printed, curve.elbow.actual
        of = "" if series == ALL else f" ({series})"
        end = "the risk never passes twice that without privacy."
        if not math.isnan(actual):
            end = (
                f"the risk is twice that without privacy at ε = **{number(actual)}**, a factor of "
                f"**{number(actual / printed, 2)}**."
            )
        return f"Privacy starts to cost at ε = **{number(printed)}** as printed{of}; {end}"
    return ""


def rate_blocks(progress: Progress) -> Iterable[Block]:
    """The figure."""
    estimates, values = progress.estimates, progress.request.values
    points, curves = points_of(progress), _curves(values)
    swept = values.word("sweep")
    title = f"Squared error against {SHORT[swept]}: exact, simulated, theory"
    of: charts.Fields = {"curve": "rate, calibrated", "x_title": _AXES[swept]}
    zero = sim.world_of(values).zero
    yield simulation.exact_figure(
        points, estimates, curves, zero=zero, title=title, name="rate", **of
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
    answer=rate_answer,
    blocks=rate_blocks,
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
    statements=("CCV:Eq4:boundary", "CCV:Thm3.2:bias", "CCV:Eq13:risk", "CCV:Eq15:kernel"),
)


# Constants ------------------------------------------------------------------------------------

NAMES = {name: name[0].upper() + name[1:] for name in sim.STEPS}


@functools.lru_cache(maxsize=64)
def _chain(values: Values) -> sim.Chain:
    return sim.chain(values, values.numbers("epsilon")[0])


def _chain_of(request: Request) -> sim.Chain:
    return _chain(request.values)


def _made(asked: Plan) -> Request:
    values = asked.values.changed(epsilon=asked.values.numbers("epsilon")[:1])
    request = asked.request(kept(sim.CONSTANTS), values)
    _chain_of(request)  # or it is refused
    return request


def chain_answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    found = _chain_of(progress.request)
    printed, best = (found.steps[name].exact for name in ("as printed", "best threshold"))
    # Estimating by zero needs no data and costs no privacy.
    worse = ": **worse than no estimate**" if printed >= found.zero else ""
    return (
        f"At ε = **{number(progress.request.values.numbers('epsilon')[0])}** the recipe as printed "
        f"has exact risk **{number(printed)}**, **{number(printed / found.zero)}** times that of "
        f"estimating by zero{worse}. The best valid recipe has "
        f"**{number(best)}**, a factor of **{number(printed / best)}** less."
    )


def chain_blocks(progress: Progress) -> Iterable[Block]:
    """The chain, and what its steps keep and change."""
    found = _chain_of(progress.request)
    yield _figure(progress, found.zero)
    kept = found.kept.values()
    yield Table(
        {
            "Step": [NAMES[name] for name in found.steps],
            "K": [number(made.dimension) for made in found.steps.values()],
            "τ": [
                "none" if g is None else number(made.clip)
                for made, g in zip(found.steps.values(), kept, strict=True)
            ],
            "(ε, δ) that holds": [
                "none" if g is None else f"{number(g.epsilon)}, {number(g.actual)}" for g in kept
            ],
            "What changes": [sim.STEPS[name] for name in found.steps],
        },
        "Steps of the chain with dimension, threshold and the privacy that holds",
    )
    values = progress.request.values
    epsilon, delta = number(values.numbers("epsilon")[0]), number(values.number("delta"))
    yield Note(f"Asked of each server, one record replaced: ε = {epsilon}, δ = {delta}.")
    yield Text(f"**Why the printed K.** {found.reason}")


def _figure(progress: Progress, zero: float) -> charts.Figure:
    """Draw one row per step: exact risk as a diamond, simulation with its interval."""
    points = progress.request.points
    rows, exact = [NAMES[point.series] for point in points], [point.exact for point in points]
    seen = [(NAMES[point.series], found) for point, found in progress.seen() if found.mean > 0]
    found, colour = [estimate for _, estimate in seen], charts.look(0)[0]
    ends = charts.around([*filter(None, exact), *(e.mean for e in found), zero], 2.0)
    texts = [number(x or math.nan) for x in exact]
    told: charts.Fields = {"customdata": [e.replicates for e in found], "extra": "Simulated"}
    told["hover"] = "%{y}: %{x:.3g}, %{customdata} replicates"
    told["error_x"] = charts.intervals(found, colour, log=True)
    marks = [
        charts.line(
            *(exact, rows, "Exact, not simulated", charts.GREY, "dot", 1.5),
            marker={"symbol": "diamond-open", "size": 13, "color": charts.GREY},
            text=texts,
            textposition="top center",
            hover="%{y}: %{x:.3g}, exact",
            extra="",
        ),
        charts.dots(
            [e.mean for e in found],
            [row for row, _ in seen],
            "Simulated",
            size=8,
            colour=colour,
            **told,
        ),
        charts.line(
            [zero, zero],
            [rows[0], rows[-1]],
            name := "Estimating by zero",
            *(theme.COLOURS[theme.PRIVACY], "longdashdot"),
            hover=f"{name}: %{{x:.3g}}",
            extra="",
        ),
    ]
    x, y = charts.log_axis("Squared error", ends), charts.named(list(dict.fromkeys(rows)))
    title = "Squared error from the printed recipe to no privacy"
    more: charts.Fields = {"height": 480, "foot": 100, "uirevision": "chain", "name": "chain"}
    return charts.plot(marks, x, y, title=title, **more)


TAB = world.tab(
    sim.CONSTANTS,
    id="constants",
    title="Constants",
    usual=of_experiment(sim.CONSTANTS, replicates=20, defaults={"epsilon": (1.0,)}),
    inputs=(
        Slider("epsilon", "Budget ε of every server", decades(-1, 1)),
        Slider("n", "Records of each server n", decades(3, 7, whole=True)),
        Slider("m", "Number of servers m", decades(0, 3, whole=True)),
        world.ask_curve,
        *repetition(most=500),
        Folded("Error, δ", (world.RISK, world.DELTA)),
    ),
    compute=_made,
    before=lambda request: world.warning(_chain_of(request).kept.values()),
    answer=chain_answer,
    blocks=chain_blocks,
    formula=r"\text{noise variance of a coefficient} = \frac{b\,K}{n^2\varepsilon^2}, \qquad "
    r"b = 4\tau^2\kappa^2\,\big(\varepsilon\,\sigma/\Delta\big)^2",
    why="Here Δ is the L2 sensitivity, 2 κ τ √K/n with κ² the largest mean square of the basis. "
    "Equation (6) has b = 1; the printed sensitivity, multiplier and threshold make it ten "
    "thousand and more, so D asks for far too many coefficients.",
    limits="- Rates leave constants open. Nothing here contradicts one.\n"
    "- The best K and the best threshold know the curve. They bound what a rule can reach.",
    statements=(
        "CCV:Sec2:level",
        "CCV:Lem3.1:constant",
        "CCV:Sec3.2:noise",
        "CCV:Sec3.2:noise-moderate",
        "CCV:Sec3.2:clip",
        "CCV:Lem3.3:constant",
        "CCV:Sec3.3:laplace",
    ),
)
TABS = (*(estimate.TAB, RATE_TAB, rules.WEIGHTS_TAB, TAB, rules.STUDY_TAB),)


def draw() -> None:
    """Draw the page."""
    question = "Do real private estimators follow the rate?"
    page.show(question, *TABS, gone=("pointwise", "levels"))
