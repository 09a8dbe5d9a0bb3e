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
from sims import ccv as sim
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
    printed, best = (found.steps[name].exact for name in ("as printed", "best threshold"))
    worse = ": **worse than no estimate**" if printed >= found.zero else ""
    return (
        f"At ε = **{number(progress.request.values.numbers('epsilon')[0])}** the recipe as printed "
        f"has exact risk **{number(printed)}**, **{number(printed / found.zero)}** times that of "
        f"estimating by zero{worse}. {_useless(found)} The best valid recipe has "
        f"**{number(best)}**, a factor of **{number(printed / best)}** less."
    )


def _useless(found: sim.Chain) -> str:
    """At which budgets the recipe is worse than zero; the search ends at `LARGEST_BUDGET`."""
    if math.isnan(found.worse_below):
        return "It is worse than zero at no budget tried."
    some = "" if found.worse_throughout else "at some budgets "
    if math.isinf(found.worse_below):
        where = some or "at every budget tried, "
        return f"It is worse than zero {where}up to {number(sim.LARGEST_BUDGET)}."
    return f"It is worse than zero {some}up to ε = **{number(found.worse_below)}**."


def drawn(progress: Progress) -> Iterable[Block]:
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
                "none" if g is None else f"{number(g.actual_epsilon)}, {number(g.actual_delta)}"
                for g in kept
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
    before=lambda request: world.warning(filter(None, _chain_of(request).kept.values())),
    answer=answer,
    blocks=drawn,
    formula=r"\text{noise variance of a coefficient} = \frac{b\,K}{n^2\varepsilon^2}, \qquad "
    r"b = 4\tau^2\kappa^2\,\big(\varepsilon\,\sigma/\Delta\big)^2",
    why="Here Δ is the L2 sensitivity, 2 κ τ √K/n with κ² the largest mean square of the basis. "
    "Equation (6) has b = 1; the printed sensitivity, multiplier and threshold make it ten "
    "thousand and more, so D asks for far too many coefficients.",
    limits="- Rates leave constants open. Nothing here contradicts one.\n"
    "- The best K and the best threshold know the curve. They bound what a rule can reach.",
    statements=(
        "CCV:Lem3.1:constant",
        "CCV:Sec3.2:noise",
        "CCV:Sec3.2:noise-moderate",
        "CCV:Sec3.2:clip",
        "CCV:Lem3.3:constant",
        "CCV:Sec3.3:laplace",
    ),
)
TABS = (*(estimate.TAB, rate.RATE_TAB, rules.WEIGHTS_TAB, rules.LEVELS_TAB, TAB, rules.STUDY_TAB),)


def draw() -> None:
    """Draw the page."""
    question = "Do real private estimators follow the rate?"
    page.show(question, *TABS, unnamed="rate", gone=("pointwise",))
