"""Experiments on adaptation: error against records and α, and whether closeness can be read off.

Another runs every method on a real table that is split into two domains.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rates import adaptation
from rates.numbers import DELTA, DIMENSION, DomainError, Parameter
from sims import engine
from sims.bcmm import algorithms, data
from sims.bcmm.algorithms import PRIVACY
from sims.bcmm.data import Moments, World, error, held_out, public_draw, world_pair
from sims.bcmm.exact import discrepancy, scalar_test, smallest_on_ball
from sims.engine import Array, generator, release

MOST_PUBLIC, MOST_PRIVATE = 20_000, 100_000
FIVE = 1.645  # normal deviate exceeded with probability 5%
CAP = 1.0  # where the losses of the scalar test are cut
TARGET, SOURCE, EXACT, PLAIN = "target only", "source only", "exact minimiser", "no privacy"
GAP, SCALAR = "discrepancy", "one number"

CONCEPT = Parameter(
    "concept",
    "s",
    "[0, 5]",
    help="Distance between the slopes of source and target; the target's slope has norm 1.",
)
COVARIATE = Parameter(
    "covariate",
    "c",
    "[0, 2]",
    help="The source's features are stretched by factors from exp(-c) to exp(c), and their first "
    "coordinate is moved by c/2.",
)
STEPS = Parameter(
    "steps",
    "T",
    "1, ..., 20000",
    help="Steps of the printed algorithm; the noise of each grows with the root of T.",
)
MIXTURES = adaptation.MIXTURE.within(
    "[0, 1]", help="Share of the public sample: 0 is the target alone, 1 the source alone."
)
_PUBLIC = engine.Number(adaptation.PUBLIC.within(f"20, ..., {MOST_PUBLIC}"), 5000)
_PRIVATE = adaptation.PRIVATE.within(f"10, ..., {MOST_PRIVATE}")
_DIMENSION = DIMENSION.within("2, ..., 50")
LOSS = engine.Choice(
    name="loss",
    options=adaptation.LOSSES,
    default="squared",
    help="squared: labels near a line, mean squared error. logistic: labels ±1, share of errors.",
)
METHOD = engine.Choice(
    name="method",
    options=("printed", "profiled", "descent"),
    default="printed",
    help="printed: Algorithm 1 (2 for labels ±1), its weights held where they start. profiled: our "
    "private minimiser, squared loss only. descent: noisy descent on the target alone.",
)
SHIFTS = (engine.Number(CONCEPT, 0.3), engine.Number(COVARIATE, 0.3))
COMMON = (
    engine.Number(adaptation.NORM_BOUND, 2.0),
    engine.Number(DELTA, 0.01),
    _PUBLIC,
    engine.Number(_DIMENSION, 10),
    engine.Number(STEPS, 1000),
    LOSS,
)


def world_of(at: engine.Values) -> World:
    """Return the world that checked values ask for."""
    return World(
        dimension=at.whole("dimension"),
        concept=at.number("concept"),
        covariate=at.number("covariate"),
        loss=at.among("loss", adaptation.LOSSES),
    )


def design_of(at: engine.Values) -> adaptation.AdaptationDesign:
    """Return the design of one point; labels ±1 get coefficients of norm up to 3Λ."""
    loss = at.among("loss", adaptation.LOSSES) if "loss" in at else "squared"
    return adaptation.AdaptationDesign(
        public=at.whole("public"),
        private=at.whole("private"),
        dimension=at.whole("dimension"),
        alpha=at.number("alpha"),
        norm_bound=(3.0 if loss == "logistic" else 1.0) * at.number("norm_bound"),
        epsilon=at.number("epsilon"),
        delta=at.number("delta"),
        penalty=at.number("penalty") if "penalty" in at else 0.04,
        loss=loss,
    )


def budget_name(epsilon: float) -> str:
    """Return the name of a budget's curve.

    >>> budget_name(0.5), budget_name(math.inf)
    ('ε = 0.5', 'no privacy')
    """
    return PLAIN if math.isinf(epsilon) else f"ε = {epsilon:g}"


def mixture_name(private: float, epsilon: float) -> str:
    """Return the name of a curve of "adaptation-mixture".

    >>> mixture_name(1000, 1)
    'n = 1,000, ε = 1'
    """
    return f"n = {private:,.0f}, {budget_name(epsilon)}"


def rate_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "adaptation-rate": one series per budget, and lines without."""
    # The profiled weights are those of the squared loss.
    if values["method"] == "profiled" and values["loss"] != "squared":
        rule = "Our private minimiser is for the squared loss."
        raise DomainError(rule, field="method", value=values["method"])
    budgets, method = (*values.numbers("epsilon"), math.inf), values.word("method")
    rows = [(budget_name(e), method, e) for e in dict.fromkeys(budgets)]
    rows += [(TARGET, "target", math.inf), (SOURCE, "source", math.inf)]
    if values["loss"] == "squared":
        rows.append((EXACT, "exact", math.inf))
    return tuple(
        engine.Point(series=series, x=n, settings=engine.Values(private=n, method=how, budget=e))
        for series, how, e in rows
        for n in values.numbers("private")
    )


def rate_sample(values: engine.Values, point: engine.Point, seed: int, indices: range) -> Array:
    """Return test errors of "adaptation-rate"; all series share their data."""
    at, world = values.changed(**point.settings), world_of(values)
    test = held_out(world)
    pairs = [world_pair(world, at.whole("public"), at.whole("private"), seed, k) for k in indices]
    rngs = [engine.generator(seed, point.key, k) for k in indices]
    design = design_of(at.changed(epsilon=at.number("budget")))
    found = algorithms.fit(at.word("method"), pairs, design, rngs, steps=at.whole("steps"))
    return np.array([error(w, test, world.loss) for w in found])


def mixture_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "adaptation-mixture": with and without privacy, per sample size."""
    out = []
    for n in values.numbers("private"):
        for e in dict.fromkeys((math.inf, values.number("budget"))):
            how = "mixture" if math.isinf(e) else "mixed descent"
            out += [
                engine.Point(
                    series=mixture_name(n, e),
                    x=a,
                    settings=engine.Values(private=n, budget=e, alpha=a, method=how),
                )
                for a in values.numbers("alpha")
            ]
    return tuple(out)


def mixture_sample(values: engine.Values, point: engine.Point, seed: int, indices: range) -> Array:
    """Return test errors of "adaptation-mixture"."""
    share, how = point.settings.number("alpha"), point.settings.word("method")
    if share == 0.0:
        how = "target" if how == "mixture" else "descent"
    # A design has both samples; its ends are methods of their own.
    inside = point.settings.changed(alpha=min(max(share, 1e-9), 1.0 - 1e-9), method=how)
    return rate_sample(values, replace(point, settings=inside), seed, indices)


def closeness_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "adaptation-closeness": two readings against the concept shift."""
    return tuple(
        engine.Point(series=series, x=s, settings=engine.Values(concept=s), key=f"{series} {s:g}")
        for series in (GAP, SCALAR)
        for s in values.numbers("concept")
    )


def reading_width(series: str, values: engine.Values) -> float:
    """Return the most by which replacing one private record moves a reading.

    The range of the loss over n: B/n for the discrepancy, and 1/n for the single number, whose
    losses are cut at 1.

    >>> told = engine.Values(norm_bound=2.0, private=200.0)
    >>> [round(reading_width(name, told), 4) for name in (GAP, SCALAR)]
    [0.045, 0.005]
    """
    loss = {GAP: (values.number("norm_bound") + 1.0) ** 2, SCALAR: CAP}[series]
    return loss / values.number("private")


def closeness_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> Array:
    """Return private readings of "adaptation-closeness"."""
    world = world_of(values.changed(concept=point.x))
    m, n, bound = values.whole("public"), values.whole("private"), values.number("norm_bound")
    out = []
    for k in indices:
        pair = world_pair(world, m, n, seed, k)
        public = Moments.of(public_draw(world, m, seed, k))
        if point.series == SCALAR:
            w = smallest_on_ball(public.A, public.b, bound)[0]
            value = scalar_test(pair, w, cap=CAP)
        else:
            value = discrepancy(Moments.of(pair.private), public, bound)
        shown = release(
            value,
            engine.generator(seed, point.key, k),
            of=f"reading: {point.series}",
            law="Laplace",
            sensitivity=reading_width(point.series, values),
            multiplier=1.0 / values.number("budget"),
            who=("private", k),
        )
        out.append(float(shown))
    return np.array(out)


def readable(
    points: Sequence[engine.Point], estimates: Sequence[engine.Estimate]
) -> dict[str, float]:
    """Return for each reading the smallest shift run that one reading tells from none.

    That is with 5% errors of either kind, for normal readings; inf where it tells none.
    """
    out = {}
    for series in (GAP, SCALAR):
        pairs = zip(points, estimates, strict=True)
        (_, base), *rows = sorted((p.x, e) for p, e in pairs if p.series == series)
        if base.replicates < 2:
            continue
        spread = _deviation(base)
        clear = [s for s, e in rows if e.mean - base.mean > FIVE * (spread + _deviation(e))]
        out[series] = min(clear, default=math.inf)
    return out


def _deviation(estimate: engine.Estimate) -> float:
    return estimate.stderr * math.sqrt(estimate.replicates)


_HELP = "Features lie in the unit ball, r = 1; errors are read on 40,000 records of the target."
RATE = engine.Experiment(
    name="adaptation-rate",
    question="Does the private fit approach the one without privacy?",
    help=f"Test error against private records, one curve per budget. {_HELP}",
    x_label="private records n",
    y_label="test error on the target",
    privacy=PRIVACY,
    parameters=(
        METHOD,
        engine.Numbers(_PRIVATE, (50.0, 200.0, 800.0, 3000.0, 10_000.0)),
        engine.Numbers(adaptation.BUDGET, (0.5, 1.0, 3.0, 10.0)),
        engine.Number(adaptation.MIXTURE, 0.5),
        engine.Number(adaptation.PENALTY.within("(0, inf)"), 0.04),
        *SHIFTS,
        *COMMON,
    ),
    points=rate_points,
    sample=rate_sample,
    replicates=6,
    block=8,
)
MIXTURE_CURVE = engine.Experiment(
    name="adaptation-mixture",
    question="How much should the public sample weigh?",
    help=f"Test error against the share α of the public sample. {_HELP}",
    x_label="share α of the public sample",
    y_label="test error on the target",
    privacy=PRIVACY,
    parameters=(
        engine.Numbers(_PRIVATE, (100.0, 1000.0)),
        engine.Number(replace(adaptation.BUDGET, name="budget"), 1.0),
        engine.Numbers(MIXTURES, (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 1.0)),
        *SHIFTS,
        *COMMON,
    ),
    points=mixture_points,
    sample=mixture_sample,
    replicates=10,
    block=10,
)
CLOSENESS = engine.Experiment(
    name="adaptation-closeness",
    question="Can it be read privately whether the source is close?",
    help="Two private readings of how far source and target are apart, each with its own Laplace "
    f"noise at the whole budget, against the concept shift. {_HELP}",
    x_label="concept shift s",
    y_label="private reading",
    privacy="Each reading alone is (ε, 0)-private for replacement of one private record, by "
    "Laplace noise of its sensitivity over ε; whoever wants two of them spends twice.",
    parameters=(
        engine.Number(_PRIVATE, 200.0),
        engine.Number(replace(adaptation.BUDGET, name="budget"), 0.5),
        engine.Numbers(CONCEPT, (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)),
        engine.Number(COVARIATE, 0.0),
        *(setting for setting in COMMON if setting.name not in ("delta", "steps", "loss")),
        replace(LOSS, options=("squared",)),
    ),
    points=closeness_points,
    sample=closeness_sample,
    replicates=40,
    block=10,
)


PRIVATE_ROWS = ("descent", "printed", "profiled", "mixed descent")
PLAIN_ROWS = ("target", "source", "mixture", "exact")
WANTED = Parameter(
    "private",
    "n",
    "0, ..., 20000",
    rule="Private records must be a whole number of at least 0 (0: all there are).",
    limit_rule="Private records are at most 20,000 here.",
    help="Private records used; 0, or more than there are, means all but the third that is kept "
    "for the test.",
)


def table_points(table: data.Domains | None, values: engine.Values) -> tuple[engine.Point, ...]:
    """Return one series per private method and one line per method without privacy."""
    used = table or data.known(values.word("data"))
    budgets = values.numbers("epsilon")
    rows = [(method, e) for method in PRIVATE_ROWS for e in budgets]
    rows += [(method, math.inf) for method in PLAIN_ROWS]
    at = max(budgets)
    return tuple(
        engine.Point(
            series=method,
            x=at if math.isinf(e) and method in PLAIN_ROWS else e,
            settings=engine.Values(budget=e),
        )
        for method, e in rows
        if used.loss == "squared" or method not in algorithms.SQUARED_ONLY
    )


def table_sample(
    table: data.Domains | None,
    values: engine.Values,
    point: engine.Point,
    seed: int,
    indices: range,
) -> Array:
    """Return test errors; replicate k draws the same test people for every method."""
    used = table or data.known(values.word("data"))
    at = values.changed(
        public=used.public.size,
        dimension=used.public.x.shape[1],
        epsilon=point.settings.number("budget"),
        loss=used.loss,
    )
    out = []
    for k in indices:
        pair, test = used.split(generator(seed, "split", k), values.whole("private") or None)
        design = design_of(at.changed(private=pair.private.size))
        rng = generator(seed, point.key, k)
        steps = values.whole("steps")
        (w,) = algorithms.fit(point.series, [pair], design, [rng], steps=steps)
        out.append(error(w, test, used.loss))
    return np.array(out)


def with_table(table: data.Domains) -> engine.Experiment:
    """Return the experiment on a table of one's own."""
    return replace(
        TABLE,
        points=functools.partial(table_points, table),
        sample=functools.partial(table_sample, table),
        parameters=tuple(p for p in TABLE.parameters if p.name != "data"),
    )


TABLE = engine.Experiment(
    name="adaptation-table",
    question="Does the public domain of a real table help?",
    help="Diabetes: patients with a body mass index in the upper 30% are the private target. "
    "Breast cancer: tumours of more than median radius. A third of the target is the test. "
    "Lines without a budget stand at the largest one. Needs scikit-learn.",
    x_label="budget ε",
    y_label="test error on the target",
    privacy=PRIVACY,
    parameters=(
        engine.Choice(name="data", options=data.SETS, default="diabetes", help="Which table."),
        engine.Numbers(replace(adaptation.BUDGET, domain="(0, inf)"), (1.0, 3.0, 10.0)),
        engine.Number(WANTED, 0),
        engine.Number(adaptation.MIXTURE, 0.5),
        engine.Number(adaptation.PENALTY.within("(0, inf)"), 0.1),
        engine.Number(adaptation.NORM_BOUND, 2.0),
        engine.Number(DELTA, 0.01),
        engine.Number(STEPS, 500),
    ),
    points=functools.partial(table_points, None),
    sample=functools.partial(table_sample, None),
    replicates=10,
    block=4,
)
