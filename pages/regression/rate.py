"""Tabs "Rate" and "Global and pointwise": risks over the theory's slopes and elbow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pages import charts
from pages.charts import number, signed, simulation, words
from pages.core import Between, Block, Listing, Note, Slider, Switch
from pages.core.live import SHORT, Folded, Item, Plan, along, of_experiment, repetition
from pages.regression import world
from rates.numbers import decades
from sims import regression as sim
from sims.engine import Fit, Point, Progress, Value, Values, fits, slope_of

_BUDGETS = (0.03, 0.06, 0.12, 0.25, 0.33, 0.45, 0.6, 0.8, 1.1, 1.5, 2.2, 4.0, 10.0)
_SERVERS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0)
SWEEPS = {"epsilon": "Budget", "n": "Size", "m": "Servers"}
_AXES = {
    "epsilon": "Budget ε of every server",
    "n": "Records n of every server",
    "m": "Servers m, records in all fixed",
}
THEORIES = {"calibrated": "Calibrated", "equation (6)": "Equation (6)"}
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
            Switch("theory", "Beside it", THEORIES),
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
    curve = sim.on_curve(points, progress.estimates)
    held = f"**{curve.inside} of {curve.points}** simulated points hold the exact risk in their"
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
        curve=f"rate, {THEORIES[values.word('theory')].lower()}",
        name="rate",
    )
    yield Note(
        "Fitted slope ± standard error; exact and theory over the same points with the same "
        "weights. Elbow printed: n ε² = (mn)^(1/(2g+1)); elbow: exact risk twice that without "
        "privacy."
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
    "point. The second is the risk of the estimator that is simulated: bias of K functions "
    "and of clipping, sampling, and privacy noise, a finite sum. Equation (6) has b = 1; a real "
    "mechanism has b in the hundreds or thousands, which moves the elbow by about √b and leaves "
    "the slopes far out as they are. The calibrated rate has b in it.",
    limits="- One curve, or a few of one kind: a rate is about the worst curve of a class and the "
    "best estimator.\n"
    "- The best K knows the curve. The paper's K knows α; nobody knows either.\n"
    "- Slopes are compared over the window between the elbow and the place where the estimate "
    "drowns, which is narrow at any n that fits here; not with the exponent far out.\n"
    "- Responses have standard normal noise and the design is uniform; both are public.",
    statements=("CCV:Eq4:boundary", "CCV:Eq13:risk"),
)

# Global and pointwise ------------------------------------------------------------------------

Found = dict[str, tuple[tuple[Point, ...], Fit, sim.Exponents | None]]  # by error
Both = tuple[Found, tuple[sim.Guarantee, ...]]  # exact points, slope, exponents; what fails
_RANGE = tuple(float(f"{0.01 * 10 ** (k / 8):.2g}") for k in range(25))


@world.stored(16)
def _both(asked: Values) -> Both:
    out: Found = {}
    short: tuple[sim.Guarantee, ...] = ()
    one = {name: asked.numbers(name)[:1] for name in ("n", "m")}
    for risk, name in words.RISKS.items():
        values = asked.changed(**one, sweep="epsilon", risk=risk, window="private")
        points = tuple(replace(p, series=name) for p in sim.RATE.points(values))
        out[name] = (points, sim.exact_fits(points)[0], sim.asymptotic_slopes(values))
        short += sim.run_shortfalls(values, points, sim.rate_setup)
    return out, short


def pointwise_answer(both: Both) -> str:
    """Return the finding as sentences."""
    parts = (
        f"{name.lower()} {_slope(fit)} ({_exponent(far)})"
        for name, (_, fit, far) in both[0].items()
    )
    return f"For one curve, where privacy decides, {' and '.join(parts)}."


def _slope(fit: Fit) -> str:
    if not fit.slope:
        return "too few points lie there for a slope of the exact risk"
    return f"the exact risk has slope **{words.slope(fit)}** in ε"


def _exponent(far: sim.Exponents | None) -> str:
    return "no rate in theory" if far is None else f"theory **{signed(far.privacy)}**"


def pointwise_blocks(both: Both) -> Iterable[Block]:
    """The figure."""
    found, _ = both
    every = [point for points, _, _ in found.values() for point in points]
    heights = charts.around([p.exact for p in every if p.exact], 2.0)
    yield charts.plot(
        _pair(found),
        charts.log_axis(_AXES["epsilon"], charts.around([p.x for p in every], 1.2)),
        charts.log_axis("Squared error", heights, powers=True, step=1),
        title="Exact squared error, over the curve and at one point",
        **charts.room(500, 110, 48, 0.98),
        kept="pair",
        caption="Dotted with marks: exact risk, not simulated; filled marks lie where privacy "
        "decides. Thick: the exponent of the theory through the middle of them. The local slope "
        "wavers with the curve's phase; averaging over several curves or places smooths it. ± in "
        "the answer measures how much the exact curve bends; there is no simulation in it.",
        name="global-and-pointwise",
    )


def _pair(found: Found) -> Iterator[charts.Curve]:
    """Both exact risks; points outside the window of the fit are hollow.

    The exponent of the theory goes through the middle of the window.
    """
    for place, (name, (points, _, far)) in enumerate(found.items()):
        colour, symbol, dash = charts.look(place)
        symbols = [f"{symbol}-open" if p.left_out else symbol for p in points]
        yield charts.Curve(
            x=[p.x for p in points],
            y=[p.exact for p in points],
            name=name,
            stroke=charts.Stroke(colour, 2, "dot"),
            dots=charts.Dots(symbol=symbols, size=8, colour=colour),
            data=[p.settings["K"] for p in points],
            hover="%{x:.3g}: %{y:.3g}, K = %{customdata}",
            extra=f"{name}, exact",
        )
        inside = [p for p in points if p.exact and not p.left_out]
        if inside and far is not None:
            middle = inside[len(inside) // 2]
            ends = [inside[0].x, inside[-1].x]
            theory = [(middle.exact or math.nan) * (x / middle.x) ** far.privacy for x in ends]
            text = f"Exponent of theory, {name.lower()}"
            yield charts.line(ends, theory, text, colour, dash, 3, opacity=0.5)


POINTWISE_TAB = world.tab(
    id="pointwise",
    title="Global and pointwise",
    usual=of_experiment(
        sim.RATE,
        replicates=20,
        defaults={
            "epsilon": _RANGE,
            "n": (1e5,),
            "curve": "cusp",
            "exponent": 0.75,
            "curves": 16.0,
            "moments": 3.0,
        },
    ),
    inputs=(
        Between("epsilon", "Range of ε", _RANGE),
        Slider("n", "Records of each server n", decades(3, 8, whole=True)),
        Slider("m", "Number of servers m", decades(0, 3, whole=True)),
        world.ask_curve,
        Folded("Noise, threshold, δ", world.RECIPE),
    ),
    compute=lambda asked: _both(world.complete(asked.values)),
    cannot="These parameters cannot be computed together.",
    before=lambda both: world.warning(both[1]),
    answer=pointwise_answer,
    blocks=pointwise_blocks,
    privacy=sim.RATE.privacy,
    formula=r"(mn^2\varepsilon^2)^{-\frac{2\alpha}{2\alpha+2}} \text{ over the curve}, \qquad"
    r"(mn^2\varepsilon^2)^{-\frac{2\nu}{2\nu+2}} \text{ at a point}, \qquad"
    r"\nu = \alpha - \tfrac1p",
    why="A cusp |sin π(x − x₀)|^ν is as rough as its worst point says only there: over the whole "
    "curve it counts as α = ν + 1/2 (p = 2). So one curve shows both exponents. At a point a "
    "server adds Laplace noise to one number, over the curve Gaussian noise to K of them.",
    limits="- Two errors of one curve. The theorems speak of the worst curve for each error, and "
    "these two worst curves differ.\n"
    "- Exponents of at most 1/2 at a point have no calibrated rate.\n"
    "- Exact means computed for this estimator in this world; it is not the minimax risk.",
    statements=("CCV:Eq15:kernel", "CCV:Thm3.4:bias", "CCV:Lem3.3:constant"),
)
