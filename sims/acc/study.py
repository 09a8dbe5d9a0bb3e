"""The experiment "classification-study": a study's own servers on a world that is known."""

from __future__ import annotations

from rates.numbers import COUNT, DELTA, EPSILON, MECHANISMS, SAMPLE_SIZE
from rates.study import TransferStudy
from sims import engine
from sims.acc import trials
from sims.acc.lattice import RECORDS

_FACTOR = trials.BUDGET.within(
    "(0, inf)", name="factor", help="Multiplies every finite budget; 1 is the study as it stands."
)
_LISTS = {
    "n": SAMPLE_SIZE,
    "epsilon": EPSILON,
    "delta": DELTA,
    "gamma": trials.GAMMA,
    "count": COUNT,
}


def study_values(study: TransferStudy) -> tuple[engine.Values, str]:
    """Return a study's rows as parameters of "classification-study", and what was capped.

    A simulation carries at most 1e15 records of one row; a larger row is cut to that. A
    missing delta becomes `rates.answer.offered_delta`.

    Raises:
        DomainError: The study has more rows than the experiment takes.
    """
    return engine.rows_of(study, tuple(_LISTS), RECORDS)


def study_trial(values: engine.Values, factor: float, rule: trials.Rule) -> trials.Trial:
    """Return the trial of one point of the experiment "classification-study"."""
    return trials.Trial.asked(values, engine.servers_from(values, tuple(_LISTS), factor), rule)


def study_spent(values: engine.Values) -> tuple[engine.Spent, ...]:
    """Return what a row's release guarantees, one entry per finite budget and delta."""
    budgets = [
        (row.epsilon, row.delta or 0.0)
        for factor in values.numbers("factor")
        for row in study_trial(values, factor, "matched").study.servers
    ]
    return engine.each_spent(budgets, values.among("mechanism", MECHANISMS))


RULES: dict[str, trials.Rule] = {
    "mechanism's own equation": "matched",
    "paper's bandwidth (11) and weights (12)": "printed",
}


def study_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "classification-study": two ways to choose h and the weights."""
    return tuple(
        trials.point_of(
            study_trial(values, factor, rule),
            series=series,
            x=factor,
            settings=engine.Values(factor=factor),
        )
        for series, rule in RULES.items()
        for factor in values.numbers("factor")
    )


def study_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return excess risks of the experiment "classification-study"."""
    return trials.sample_of(study_trial(values, point.x, RULES[point.series]), point, seed, indices)


STUDY = engine.Experiment(
    name="classification-study",
    question="What would the classifier of this study do on a world that is known?",
    help=(
        "The study's own sizes, budgets and signal exponents on the cusp, whose smoothness and "
        "margin replace the study's. One series takes bandwidth and weights from the "
        "mechanism's own equation and stands beside that rate, the other takes them from the "
        "paper's (11) and (12) and stands beside the rate of (5)."
    ),
    x_label="factor on every budget",
    y_label="excess risk (probability)",
    privacy=trials.PRIVACY,
    parameters=(
        trials.WORLD,
        engine.Numbers(SAMPLE_SIZE, (142.0, 303.0, 141.0, 116.0), most=engine.MOST_ROWS),
        engine.Numbers(EPSILON, (1.0,), most=engine.MOST_ROWS),
        engine.Numbers(DELTA, (1e-6,), most=engine.MOST_ROWS),
        engine.Numbers(trials.GAMMA, (1.0, 0.8, 0.8, 0.8), most=engine.MOST_ROWS),
        engine.Numbers(COUNT, (1.0,), most=engine.MOST_ROWS),
        engine.Numbers(_FACTOR, (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
        trials.MECHANISM,
        trials.WIDTH,
    ),
    points=study_points,
    sample=study_sample,
)
