"""What the figures of the lessons are drawn of once the answers are locked; kept when computed."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from pages.charts import Figure, budget, shares
from pages.charts.lessons import classes, factors, hits, over
from pages.core import lines
from pages.current import state
from pages.logistic import figures as logistic_figures
from pages.phases import views
from rates import logistic as scale
from rates.answer import Breakdown, Sweep
from rates.numbers import decades
from rates.phases import Design
from rates.study import Study, TransferStudy
from rates.tally import coin_error, laplace_error
from sims import regression
from sims.engine import Estimate, Progress
from sims.lessons import catalogue, question, simulated, truths_plain

SCALE, COVARIATES = 0.1, 50  # of `noise`
NOTHING: Literal["none"] = "none"  # limits a site without information
BUDGETS = tuple(10 ** (k / 15) for k in range(-30, 46))  # of `free`
ENDS = (BUDGETS[0], BUDGETS[-1])
BACK = Design(
    n=int(catalogue.MISPRINTED["n"]),
    m=int(catalogue.MISPRINTED["m"]),
    n0=80_000,
    smoothness=catalogue.MISPRINTED["beta"],
    dimension=int(catalogue.MISPRINTED["d"]),
    margin=1.0,
    gamma=catalogue.MISPRINTED["gamma"],
    epsilon=0.05,
)
MISPRINT = replace(BACK, n0=int(catalogue.MISPRINTED["n0"]), epsilon=0.4)
STEPS = {  # the first size, the one asked for, and the axes
    "twice": (
        float(catalogue.REGISTRY),
        2.0 * catalogue.REGISTRY,
        (8e3, 4.2e4),
        "Records of the registry n",
        (0.15, 1.3),
    ),
    "spread": (10.0, 100.0, (0.9, 420.0), "Sites m, a million records in all", (0.25, 110.0)),
}


def step(key: str, parts: tuple[str, ...]) -> factors.Step:
    """Return what `twice` or `spread` asks."""
    start, end, x, title, y = STEPS[key]
    return factors.Step(parts=parts, start=start, end=end, x=x, title=title, y=y)


@functools.cache
def _curves(key: str) -> dict[str, regression.ExactCurve]:
    found = regression.exact_curves(simulated(question(key)).values, count=24)
    order = sorted(found, key=lambda name: name != "no privacy")
    return {name: found[name] for name in order}


def errors(key: str, true: Sequence[float], run: Progress | None) -> factors.Found:
    """Return the exact errors of `twice` or `spread`, with a run's points."""
    return factors.Found(
        curves=_curves(key),
        factors=tuple(true),
        points=() if run is None else run.request.points,
        estimates=() if run is None else run.estimates,
    )


@functools.cache
def _class_sizes() -> tuple[float, ...]:
    low, high = classes.X
    return tuple(x for x in decades(1, 3, whole=True) if low <= x <= high)


def class_errors(run: Progress | None) -> classes.Found:
    """Return both errors against the size of a class, with a run's points."""
    laws = {classes.COINS: coin_error, classes.TALLY: laplace_error}
    sizes = _class_sizes()
    rooted = () if run is None else tuple(map(root, run.estimates))
    return classes.Found(
        sizes=sizes,
        errors={key: [law(int(n), catalogue.BUDGET) for n in sizes] for key, law in laws.items()},
        own={key: law(catalogue.PEOPLE, catalogue.BUDGET) for key, law in laws.items()},
        points=() if run is None else run.request.points,
        estimates=rooted,
    )


def root(one: Estimate) -> Estimate:
    """Return a mean squared error's root; its interval is that of the square, as roots rise."""
    if one.replicates < 2:
        return one
    mean = math.sqrt(one.mean)
    ends = (math.sqrt(max(one.low, 0.0)), math.sqrt(one.high))
    return Estimate(mean, one.stderr / (2 * mean) if mean else 0.0, one.replicates, *ends)


@functools.cache
def attacker() -> hits.Line:
    """Return budgets, and of 100 the most hits of an attacker there."""
    low, high = hits.ENDS
    budgets = [x for x in decades(-2, 1) if low <= x <= high]
    return budgets, [truths_plain.hits(x) for x in budgets]


def sweep(study: Study) -> Sweep:
    """Return what a study keeps as its budgets are multiplied."""
    return state.sweep(study, state.cost(study)[0].risk, BUDGETS)


def kept(study: Study, label: str, mark: str) -> Figure:
    """Return the page's figure of it, budgets as they are marked."""
    return budget.drawn(
        sweep(study), unit=1.0, label=label, title="", mark=mark, least=over.LEAST, name="kept"
    )


def carriers(study: Study) -> Figure:
    """Return the page's figure of who carries the answer."""
    return shares.of_study(study, state.cost(study)[0])


def no_carriers(study: Study | None, parts: Sequence[str]) -> Figure:
    """Return the same figure without an answer; of the parts of the question without a study."""
    names = [server.name for server in study.servers] if study else list(parts)
    nothing = _nothing(len(names))
    panels = [("Equation", nothing), ("Mechanism", nothing)]
    has_target = isinstance(study, TransferStudy)
    return shares.drawn(names, panels, has_target=has_target, caption="")


def _nothing(rows: int) -> Breakdown:
    zeros = (0.0,) * rows
    return Breakdown(
        shares=zeros,
        limited_by=(NOTHING,) * rows,
        elasticity_n=zeros,
        elasticity_epsilon=zeros,
        elasticity_n_above=zeros,
        elasticity_epsilon_above=zeros,
        residual=0.0,
    )


def of_bars(study: Study | None, points: Sequence[float], *, true: bool) -> tuple[float, ...]:
    """Return the points of each bar; rows without information have none.

    Args:
        study: The study; None for rows that are all informative.
        points: Those of the informative rows.
        true: Whether the bars are those of `carriers`, else of `no_carriers`.
    """
    given = iter(points)
    rows = list(points)
    if study is not None:
        rows = [next(given) if server.informative else 0.0 for server in study.servers]
    answer = state.cost(study)[0].equation.answer if true and study else _nothing(len(rows))
    return shares.of_bars(rows, [("", answer)])


@functools.cache
def meaning() -> Figure:
    """Return the page's figure of what a noise scale means, for clipped records."""
    low, high = over.SCALES
    scales = [x for x in decades(-2, 2) if low <= x <= high]
    found = [
        scale.meaning(x, dimension=COVARIATES, radius=1.0, n=300, delta=1e-5).once for x in scales
    ]
    return logistic_figures.meaning(scales, {"Noise once, records of norm 1": found}, SCALE)


def switching(design: Design) -> tuple[Figure, ...]:
    """Return the page's phase map of a design, and the rate along its cut, with their lines."""
    return (
        lines.drawn(views.map_of, design, 1.0, "gamma", "none"),
        lines.drawn(views.cut_of, design, 1.0),
    )
