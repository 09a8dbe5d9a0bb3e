"""The experiments "hybrid-closeness" and "hybrid-parity": how close must volunteers be?"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rates.hybrid import BITS, RARE, SHARE, failure_chance
from rates.numbers import Parameter
from sims import engine
from sims.ks import reweighting
from sims.ks.parity import spans
from sims.ks.reweighting import FIELDS, LEARNERS, Setup

REWEIGHTED, POOLED = "reweighting", "one learner, no weights"
PRIVACY = (
    "Each volunteer is (budgeted epsilon, delta)-private under replacement of one record, paid "
    "for all rounds allowed; each user's one answer is (epsilon, delta)-private by itself."
)
NO_PRIVACY = (
    "None: with the learner least error this is Algorithm 1, neither volunteers nor users are "
    "protected."
)
_USUAL = Setup()
NUMBERS = tuple(engine.Number(p, float(getattr(_USUAL, p.name))) for p in FIELDS if p is not SHARE)
LEARNER = engine.Choice(
    name="learner",
    options=tuple(LEARNERS),
    default="exponential",
    help="How a rule is chosen from the drawn records. Least error is not private.",
)
RUN_SETTINGS: tuple[engine.Setting, ...] = (engine.Number(SHARE, _USUAL.share), *NUMBERS, LEARNER)


def privacy_of(values: engine.Values) -> str:
    """Return whom a run with these values protects, as a sentence.

    >>> privacy_of({"learner": "least error"}).startswith("None")
    True
    """
    return NO_PRIVACY if values["learner"] == "least error" else PRIVACY


def setup_of(values: engine.Values) -> Setup:
    """Return the setting of the method that checked values ask for.

    Raises:
        DomainError: The values do not fit together.
    """
    given: dict[str, Any] = {p.name: values[p.name] for p in FIELDS if p.name in values}
    return Setup(**given, learner=values.word("learner"))


def closeness_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "hybrid-closeness": two series over the share."""
    shares = values.numbers("share")
    for share in shares:
        setup_of(values.changed(share=share))
    return tuple(
        engine.Point(
            series=name,
            x=share,
            settings=engine.Values(share=share, X=1.0 / share),
            # Both series draw the same volunteers, so that their difference is not one of luck.
            key=f"{share!r}",
        )
        for name in (REWEIGHTED, POOLED)
        for share in shares
    )


def closeness_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return errors of "hybrid-closeness"."""
    setup = setup_of(values.changed(share=point.x))
    out = []
    for generator in engine.generators(seed, "closeness", point.key, indices=indices):
        if point.series == POOLED:
            out.append(reweighting.pooled_error(setup, generator))
        else:
            out.append(reweighting.run(setup, generator).error)
    return np.array(out)


CLOSENESS = engine.Experiment(
    name="hybrid-closeness",
    question="How close must volunteers be to the population for reweighting to help?",
    help="A share of the volunteers is like the population and the others have opposite labels in "
    "another place, so chi-square plus one is 1/share. Rules are 756 halfspaces. The best has "
    "no error if no labels are flipped.",
    x_label="share of volunteers like the population",
    y_label="error on the population",
    privacy=f"With a private learner: {PRIVACY} With the learner least error: nothing is private, "
    "neither volunteers nor users are protected.",
    parameters=(engine.Numbers(SHARE, (0.03, 0.1, 0.2, 0.3, 0.45, 0.6)), *NUMBERS, LEARNER),
    points=closeness_points,
    sample=closeness_sample,
    replicates=8,
    block=2,
    span=(0.0, 1.0),
)

EXTRA = Parameter("extra", "n - d", "0, ..., 1e5", help="Records beyond the number of bits.")
MOST_BITS = BITS.within("1, ..., 512")


def parity_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "hybrid-parity": failure against the records beyond d."""
    bits, rare = values.whole("bits"), values.number("rare")
    series = {"like the population": 0.5}
    if rare < 0.5:
        series["rare bit"] = rare
    return tuple(
        engine.Point(
            series=name,
            x=float(extra),
            exact=float(failure_chance(bits, bits + extra, q)),
            settings=engine.Values(records=float(bits + extra), q=q),
        )
        for name, q in series.items()
        for extra in values.numbers("extra")
    )


def agrees(point: engine.Point, estimate: engine.Estimate) -> bool:
    """Return whether a simulated share lies within three standard errors of the exact one.

    The standard error is that of the exact share: where all draws agree, theirs would be 0.

    >>> agrees(engine.Point(series="a", x=0, exact=0.01), engine.Estimate(0.0, 0.0, 200))
    True
    """
    exact = point.exact or 0.0
    error = math.sqrt(exact * (1.0 - exact) / estimate.replicates)
    return abs(estimate.mean - exact) <= 3.0 * error + 1e-9


def parity_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return failures of "hybrid-parity": 1 where the records do not span all bits."""
    bits, at = values.whole("bits"), point.settings
    records, rare = at.whole("records"), at.number("q")
    drawn = engine.generators(seed, point.key, indices=indices)
    return np.array([0.0 if spans(bits, records, rare, g) else 1.0 for g in drawn])


PARITY = engine.Experiment(
    name="hybrid-parity",
    question="How many records show every bit of PARITY?",
    help="Records are random bits; the learner needs them to span all d dimensions over the field "
    "of two elements. In the second series the first bit is 1 with probability q only.",
    x_label="records beyond d",
    y_label="share of draws that do not span",
    privacy="None: this counts ranks. The private learner needs the same rank of a subsample.",
    parameters=(
        engine.Number(MOST_BITS, 64.0),
        engine.Number(RARE, 0.05),
        engine.Numbers(EXTRA, (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0, 10.0, 20.0, 50.0, 100.0)),
    ),
    points=parity_points,
    sample=parity_sample,
    replicates=200,
    block=50,
    span=(0.0, 1.0),
)
