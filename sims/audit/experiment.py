"""The experiment "privacy-audit": readings of an attacker in two neighbouring worlds."""

from __future__ import annotations

from rates.numbers import DELTA, EPSILON, Parameter
from sims.audit.mechanisms import AUDITED, find
from sims.engine import Array, Choice, Experiment, Number, Numbers, Point, Values, generators

SERIES = ("record as it is", "record replaced")
NOISE = Parameter(
    "noise",
    "c",
    "[0.1, 1]",
    help="What the noise is multiplied with. 1 is the mechanism as it is; with less its promise "
    "fails, and the audit should see it.",
)


def points(values: Values) -> tuple[Point, ...]:
    """Return two points a promise: the two worlds."""
    audited = find(values.word("mechanism"))
    out = []
    for epsilon in values.numbers("epsilon"):
        promised = audited.setup(epsilon, values.number("delta")).delta
        for series in SERIES:
            settings = Values(epsilon=epsilon, delta=promised)
            out.append(Point(series=series, x=epsilon, settings=settings))
    return tuple(out)


def sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return the attacker's reading of one release, or of all that a run releases."""
    audited = find(values.word("mechanism"))
    return audited.readings(
        list(generators(seed, values.word("mechanism"), point.key, indices=indices)),
        point.x,
        values.number("delta"),
        replaced=point.series == SERIES[1],
        factor=values.number("noise"),
    )


AUDIT = Experiment(
    name="privacy-audit",
    question="Can an attacker tell whether one record was replaced?",
    help=(
        "A mechanism runs many times on two data sets that differ in one record, the worst one. "
        "The attacker knows everything else and reads what is released by the likelihood ratio."
    ),
    x_label="epsilon promised",
    y_label="the attacker's reading, in standard deviations of the noise",
    privacy=(
        "The audited mechanism's own promise, one record replaced. The readings themselves are of "
        "simulated records and need no protection."
    ),
    parameters=(
        Choice(
            name="mechanism",
            options=tuple(audited.name for audited in AUDITED),
            default=AUDITED[0].name,
            help="What is audited.",
        ),
        Numbers(EPSILON.within("[0.05, 20]"), (0.5, 1.0, 2.0, 4.0)),
        Number(DELTA.within("[1e-12, 0.1]"), 1e-6),
        Number(NOISE, 1.0),
    ),
    points=points,
    sample=sample,
    replicates=1000,
    block=64,
)
