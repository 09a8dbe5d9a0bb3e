"""The experiment "adaptation-table": every method on a real table split into two domains."""

from __future__ import annotations

import functools
import math
from dataclasses import replace

import numpy as np

from rates.adaptation import BUDGET, MIXTURE, NORM_BOUND, PENALTY, person_budget
from rates.numbers import DELTA, Parameter
from sims.bcmm.algorithms import PRIVACY
from sims.bcmm.curves import STEPS, design_of
from sims.bcmm.data import SETS, Domains, error, known
from sims.bcmm.fit import SQUARED_ONLY, fit
from sims.engine import Array, Choice, Experiment, Number, Numbers, Point, Values, generator

PRIVATE_ROWS = ("descent", "printed", "profiled", "mixed descent")
PLAIN_ROWS = ("target", "source", "mixture", "exact", "matching")
WANTED = Parameter(
    "private",
    "n",
    "0, ..., 20000",
    rule="Private records must be a whole number of at least 0 (0: all there are).",
    limit_rule="Private records are at most 20,000 here.",
    help="Private records used; 0 means all but the third that is kept for the test. Beyond the "
    "people there are, people are drawn with replacement and stand behind several records.",
)


def copies_note(table: Domains, values: Values, epsilon: float) -> str:
    """Say what a person's budget is where records are drawn with replacement; empty if none is.

    Source: [BCMM] Appendix E; `rates.adaptation.budget.person_budget`.
    """
    wanted, there = values.whole("private"), table.private.size - table.tested
    if wanted <= there or math.isinf(epsilon):
        return ""
    copies = wanted / there
    real = person_budget(epsilon, values.number("delta"), copies)
    return (
        f"{wanted:,} records are drawn from {there:,} people, about {copies:.1f} for each. For a "
        f"person the printed noise at ε = {epsilon:g} gives ε = {real:.1f}."
    )


def table_points(table: Domains | None, values: Values) -> tuple[Point, ...]:
    """Return one series per private method and one line per method without privacy."""
    used = table or known(values.word("data"))
    budgets = values.numbers("epsilon")
    rows = [(method, e) for method in PRIVATE_ROWS for e in budgets]
    rows += [(method, math.inf) for method in PLAIN_ROWS]
    at = max(budgets)
    return tuple(
        Point(
            series=method,
            x=at if math.isinf(e) and method in PLAIN_ROWS else e,
            settings=Values(budget=e),
        )
        for method, e in rows
        if used.loss == "squared" or method not in SQUARED_ONLY
    )


def table_sample(
    table: Domains | None, values: Values, point: Point, seed: int, indices: range
) -> Array:
    """Return test errors; replicate k draws the same test people for every method."""
    used = table or known(values.word("data"))
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
        (w,) = fit(point.series, [pair], design, [rng], steps=values.whole("steps"))
        out.append(error(w, test, used.loss))
    return np.array(out)


def with_table(table: Domains) -> Experiment:
    """Return the experiment on a table of one's own."""
    return replace(
        TABLE,
        points=functools.partial(table_points, table),
        sample=functools.partial(table_sample, table),
        parameters=tuple(p for p in TABLE.parameters if p.name != "data"),
    )


TABLE = Experiment(
    name="adaptation-table",
    question="Does the public domain of a real table help?",
    help=(
        "Diabetes: patients with a body mass index in the upper 30% are the private target. "
        "Breast cancer: tumours of more than median radius. A third of the target is the test. "
        "Lines without a budget stand at the largest one. Needs scikit-learn."
    ),
    x_label="budget ε",
    y_label="test error on the target",
    privacy=PRIVACY,
    parameters=(
        Choice(name="data", options=SETS, default="diabetes", help="Which table."),
        Numbers(replace(BUDGET, domain="(0, inf)"), (1.0, 3.0, 10.0)),
        Number(WANTED, 0),
        Number(MIXTURE, 0.5),
        Number(PENALTY.within("(0, inf)"), 0.1),
        Number(NORM_BOUND, 2.0),
        Number(DELTA, 0.01),
        Number(STEPS, 500),
    ),
    points=functools.partial(table_points, None),
    sample=functools.partial(table_sample, None),
    replicates=10,
    block=4,
)
