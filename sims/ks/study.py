"""The experiment "hybrid-closeness": how close must volunteers be?"""

from __future__ import annotations

from typing import Any

import numpy as np

from rates.hybrid import SHARE
from sims import engine
from sims.ks import reweighting
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
