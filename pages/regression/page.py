"""The page: do real private estimators of a curve follow the rate?

Here the tab "Constants": from the printed recipe to the best valid one, step by step.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from pages import charts
from pages.charts import number, theme
from pages.core import Block, Note, Slider, Table, Text
from pages.core.live import Folded, Plan, of_experiment, page, repetition
from pages.regression import estimate, rate, rules, world
from rates.numbers import decades
from sims import regression as sim
from sims.engine import Progress, Request, Values

NAMES = {name: name[0].upper() + name[1:] for name in sim.STEPS}


@world.stored(64)
def _chain(values: Values) -> sim.Chain:
    return sim.chain(values, values.numbers("epsilon")[0])


def _chain_of(request: Request) -> sim.Chain:
    return _chain(world.complete(request.values))


def _made(asked: Plan) -> Request:
    values = asked.values.changed(epsilon=asked.values.numbers("epsilon")[:1])
    request = asked.request(world.experiment(sim.CONSTANTS), values)
    _chain_of(request)  # or it is refused
    return request


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    found = _chain_of(progress.request)
    risks = {step.name: step.risk for step in found.steps}
    printed, best = risks["as printed"], risks["best threshold"]
    worse = ": **worse than no estimate**" if found.comparison.worse else ""
    return (
        f"At ε = **{number(progress.request.values.numbers('epsilon')[0])}** the recipe as printed "
        f"has exact risk **{number(printed)}**, **{number(printed / found.zero)}** times that of "
        f"estimating by zero{worse}. {_useless(found)} The best valid recipe has "
        f"**{number(best)}**, a factor of **{number(printed / best)}** less."
    )


def _useless(found: sim.Chain) -> str:
    """At which budgets the recipe is worse than zero; the search ends at `LARGEST_BUDGET`."""
    largest = number(sim.LARGEST_BUDGET)
    if math.isnan(found.worse_below):
        return f"At none of the budgets tried, 0.001 to {largest}, is it worse than zero."
    where = "at every budget tried, " if math.isinf(found.worse_below) else ""
    if not found.worse_throughout:
        where = "at some budgets "
    at = largest if math.isinf(found.worse_below) else f"ε = **{number(found.worse_below)}**"
    return f"It is worse than zero {where}up to {at}."


def drawn(progress: Progress) -> Iterable[Block]:
    """The chain, and what its steps keep and change."""
    found = _chain_of(progress.request)
    yield _figure(progress, found.zero)
    kept = [step.guarantee for step in found.steps]
    yield Table(
        {
            "Step": [NAMES[step.name] for step in found.steps],
            "K": [number(step.dimension) for step in found.steps],
            "τ": [
                "none" if g is None else number(s.clip)
                for s, g in zip(found.steps, kept, strict=True)
            ],
            "(ε, δ) that holds": [
                "none" if g is None else f"{number(g.actual_epsilon)}, {number(g.actual_delta)}"
                for g in kept
            ],
            "What changes": [sim.STEPS[step.name] for step in found.steps],
        },
        "Steps of the chain with dimension, threshold and the privacy that holds",
    )
    values = progress.request.values
    yield Note(
        f"Asked of each server, one record replaced: ε = {number(values.numbers('epsilon')[0])}, "
        f"δ = {number(values.number('delta'))}. A δ far below that is noise for nothing."
    )
    yield Text(f"**Why the printed K.** {found.comparison.reason}")


def _figure(progress: Progress, zero: float) -> charts.Figure:
    """Draw one row per step: exact risk as a diamond, simulation with its interval."""
    points = progress.request.points
    rows, exact = [NAMES[point.series] for point in points], [point.exact for point in points]
    seen = [(NAMES[point.series], found) for point, found in progress.seen() if found.mean > 0]
    found = [estimate for _, estimate in seen]
    colour = charts.look(0)[0]
    ends = charts.around([*filter(None, exact), *(e.mean for e in found), zero], 2.0)
    marks = [
        charts.Curve(
            x=exact,
            y=rows,
            name="Exact, not simulated",
            stroke=charts.Stroke(charts.GREY, 1.5, "dot"),
            dots=charts.Dots(symbol="diamond-open", size=13, colour=charts.GREY),
            words=charts.Words(texts=[number(x or math.nan) for x in exact], at="top center"),
            hover="%{y}: %{x:.3g}, exact",
            extra="",
        ),
        charts.dots(
            [e.mean for e in found],
            [row for row, _ in seen],
            "Simulated",
            size=8,
            colour=colour,
            spread=charts.intervals(found, colour, log=True, across=True),
            data=[e.replicates for e in found],
            hover="%{y}: %{x:.3g}, %{customdata} replicates",
            extra="Simulated",
        ),
        charts.line(
            [zero, zero],
            [rows[0], rows[-1]],
            "Estimating by zero",
            theme.COLOURS[theme.PRIVACY],
            "longdashdot",
            hover="Estimating by zero: %{x:.3g}",
            extra="",
        ),
    ]
    return charts.plot(
        marks,
        charts.log_axis("Squared error", ends),
        charts.named(list(dict.fromkeys(rows))),
        title="Squared error from the printed recipe to no privacy",
        height=480,
        foot=100,
        kept="chain",
        name="chain",
    )


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
    before=lambda request: world.warning(
        g for step in _chain_of(request).steps if (g := step.guarantee)
    ),
    answer=answer,
    blocks=drawn,
    formula=r"\text{noise variance of a coefficient} = \frac{b\,K}{n^2\varepsilon^2}, \qquad "
    r"b = 4\tau^2\kappa^2\,\big(\varepsilon\,\sigma/\Delta\big)^2",
    why="Here Δ is the L2 sensitivity, 2 κ τ √K/n with κ² the largest mean square of the basis. "
    "Equation (6) balances bias with b = 1. The printed sensitivity, noise multiplier and "
    "threshold make b ten thousand and more, so D asks for far too many coefficients, each with "
    "far too much noise. The rate is right; the constant remains.",
    limits="- The paper proves rates, which leave constants open. Nothing here contradicts "
    "a rate.\n"
    "- The best K and the best threshold know the curve. They bound what a rule can reach.",
    statements={
        "CCV:Lem3.1:constant": "Lemma 3.1: the sensitivity of the coefficients",
        "CCV:Sec3.2:noise": "The Gaussian noise for arbitrary budgets",
        "CCV:Sec3.2:noise-moderate": "The Gaussian noise for moderate budgets",
        "CCV:Sec3.2:clip": "The clipping threshold",
        "CCV:Lem3.3:constant": "Lemma 3.3: our reading has 4 in place of 2",
        "CCV:Sec3.3:laplace": "Laplace noise: a scale, not a variance",
    },
)
TABS = (
    *(estimate.TAB, rate.RATE_TAB, rules.WEIGHTS_TAB, rules.LEVELS_TAB),
    *(TAB, rate.POINTWISE_TAB, rules.STUDY_TAB),
)


def draw() -> None:
    """Draw the page."""
    page.show("Do real private estimators follow the rate?", *TABS, unnamed="rate")
