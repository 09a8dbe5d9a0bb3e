"""The experiment "classification-design": accuracies in the paper's two-dimensional design."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rates.numbers import COUNT, EPSILON, KAPPA, MECHANISMS, SAMPLE_SIZE
from sims import budgets, engine
from sims.acc.kernel import KERNELS
from sims.acc.screen import Group, Screen, make_screen, release, screen_risk
from sims.acc.trials import GAMMA, MECHANISM, PRIVACY
from sims.acc.worlds import Quadrants

WORLD = Quadrants()
TARGET_ONLY = "target only"
MAX_POINTS = budgets.EXACT_POINTS

_N = SAMPLE_SIZE.within(
    "2, ..., 1e9", help="Records of the target and of each source. delta is n^-2, as in the paper."
)
_M = COUNT.within("1, ..., 1e6", name="m", symbol="m", help="Number of identical sources.")
_BUDGET = replace(
    EPSILON,
    domain="(0, inf)",
    rule="epsilon must be positive and finite, to have a place on the axis.",
)
_BANDWIDTH = KAPPA.within(
    "[1/128, 1]",
    name="bandwidth",
    symbol="h",
    help="Bandwidth h. A triangular kernel of bandwidth 2.45 h smooths like a Gaussian of h.",
)
_WEIGHT = _BANDWIDTH.within(
    "[0, 1]",
    name="weight",
    symbol="w",
    help="Weight of the target's release; the sources share the rest. 1 is the target alone.",
)


def _setup(values: engine.Values, epsilon: float) -> tuple[Screen, tuple[Group, Group]]:
    n, mechanism = values.whole("n"), values.among("mechanism", MECHANISMS)
    screen = make_screen(WORLD, values.word("kernel"), (values.number("bandwidth"),))
    target = Group(n=n, multiplier=engine.multiplier(epsilon, float(n) ** -2, mechanism))
    sources = replace(target, m=values.whole("m"), gamma=values.number("gamma"))
    return screen, (target, sources)


def design_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "classification-design", one series per weight of the target."""
    out = []
    lists = values.numbers("weight"), values.numbers("epsilon")
    for weight, epsilon in engine.grid(*lists, most=MAX_POINTS):
        screen, groups = _setup(values, epsilon)
        risk = screen_risk(screen, 0, groups, (weight, 1.0 - weight))
        out.append(
            engine.Point(
                series=TARGET_ONLY if weight == 1.0 else f"w = {weight:g}",
                x=epsilon,
                exact=None if math.isnan(risk) else 1.0 - WORLD.bayes_risk - risk,
                settings=engine.Values(weight=weight, epsilon=epsilon),
            )
        )
    return tuple(out)


def design_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return exact accuracies of "classification-design"."""
    screen, groups = _setup(values, point.x)
    weight = point.settings.number("weight")
    shares = np.array([weight, 1.0 - weight])
    used = [group for group, share in zip(groups, shares, strict=True) if share > 0]
    risks = screen.risks(
        np.tensordot(shares[shares > 0], release(screen, used, rng)[:, 0], 1)
        for rng in engine.generators(seed, point.key, indices=indices)
    )
    return 1.0 - WORLD.bayes_risk - risks


DESIGN = engine.Experiment(
    name="classification-design",
    question="How accurate is the private kernel classifier in the paper's own design?",
    help=(
        "Target and m sources with n records each in the quadrants of the paper, at a chosen "
        "bandwidth and weight. Covariates are rounded to 128 cells per axis, labels decided "
        "on a 64 by 64 grid, accuracy is the exact integral. The best possible is 92.03%."
    ),
    x_label="epsilon of every server",
    y_label="accuracy (share of records)",
    privacy=PRIVACY + " delta is n^-2.",
    parameters=(
        engine.Number(_N, 500),
        engine.Number(_M, 1),
        engine.Number(GAMMA, 1.0),
        engine.Numbers(_BUDGET, (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)),
        engine.Number(_BANDWIDTH, 0.5),
        engine.Numbers(_WEIGHT, (1.0, 0.5, 0.0)),
        engine.Choice(
            name="kernel",
            options=tuple(KERNELS),
            default="triangular",
            help="One factor of the product kernel; the Gaussian has no bounded support.",
        ),
        MECHANISM,
    ),
    points=design_points,
    sample=design_sample,
)
