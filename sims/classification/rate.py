"""The experiment "classification-rate": does a private kernel classifier follow the rate?

It runs on the asymmetric cusp, where the risk is known without simulation and follows the
calibrated rate to about one percent once the classifier errs only near the boundary.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rates.numbers import COUNT, DELTA, SAMPLE_SIZE, DomainError, Mechanism
from rates.study import Server, TransferStudy
from sims.classification.trials import (
    BUDGET,
    GAMMA,
    MECHANISM,
    PRIVACY,
    WIDTH,
    WORLD,
    WORLDS,
    Trial,
    point_of,
    sample_of,
)
from sims.engine import Choice, Experiment, Number, Numbers, Point, Spent, Values, each_spent

Array = NDArray[np.float64]

SIZES = (3e3, 1e4, 3e4, 1e5, 3e5, 1e6, 3e6, 1e7, 3e7, 1e8)
_N = replace(
    SAMPLE_SIZE,
    low=1,
    high=10**12,
    rule="n must be a whole number of at least 1.",
    limit_rule="n must be at most 1e12 to be simulated.",
    help=(
        "Records per server: of the target if it is alone, else of each source. With sweep m "
        "it is the total, split evenly over the sources."
    ),
)
_M = replace(
    COUNT,
    name="m",
    symbol="m",
    rule="m must be a whole number of at least 1.",
    limit_rule="m must be at most 1e9.",
    help="Number of identical sources; not used if the target is alone.",
)
_TARGET = replace(
    _N,
    name="n0",
    rule="n0 must be a whole number of at least 1.",
    limit_rule="n0 must be at most 1e12 to be simulated.",
    help="Records of the target where it takes part beside the sources.",
)


def rate_trial(values: Values, settings: Mapping[str, float]) -> Trial:
    """Return the trial of one point of the experiment "classification-rate"."""
    world = WORLDS[cast(str, values["world"])]
    epsilon, delta = settings["epsilon"], cast(float, values["delta"])
    who = values["servers"]
    size = int(settings["n"] if who == "target" else settings.get("n0", 0))
    sources: tuple[Server, ...] = ()
    if who != "target":
        m = int(settings["m"])
        n = int(settings["n"]) // (m if values["sweep"] == "m" else 1)
        sources = (
            Server(
                name="sources",
                n=n,
                epsilon=epsilon,
                delta=delta,
                signal_exponent=settings["gamma"],
                count=m,
            ),
        )
    return Trial(
        world=world,
        study=TransferStudy(
            target=Server(name="target", n=size, epsilon=epsilon, delta=delta),
            sources=sources,
            smoothness=world.smoothness,
            dimension=world.dimension,
            margin=world.margin,
        ),
        mechanism=cast(Mechanism, values["mechanism"]),
        kappa=cast(float, values["kappa"]),
    )


def rate_axes(values: Values) -> dict[str, tuple[float, ...]]:
    """Every quantity that matters, with its values; the swept one last."""
    who, swept = cast(str, values["servers"]), cast(str, values["sweep"])
    used = {
        "target": ("epsilon", "n"),
        "sources": ("gamma", "epsilon", "m", "n"),
        "both": ("gamma", "epsilon", "n0", "m", "n"),
    }[who]
    if swept not in used:
        rule = "The number of sources can only be swept where sources take part."
        raise DomainError(rule, field="sweep", value=swept)
    order = [*(name for name in used if name != swept), swept]
    axes = {name: cast("tuple[float, ...]", values[name]) for name in order}
    if swept == "epsilon" and any(math.isinf(e) for e in axes["epsilon"]):
        rule = "With sweep epsilon every budget must be finite, to have a place on the axis."
        raise DomainError(rule, field="epsilon", value=math.inf)
    if swept == "m" and min(axes["n"]) < max(axes["m"]):
        rule = "With sweep m every source needs a record: n must be at least m."
        raise DomainError(rule, field="n", value=min(axes["n"]))
    return axes


def series_label(settings: Mapping[str, float], axes: Mapping[str, tuple[float, ...]]) -> str:
    """Name a series by what tells it from the others, and by its budget."""
    symbols = {"gamma": "γ", "epsilon": "ε", "n0": "n0", "m": "m", "n": "n"}
    *fixed, _ = axes
    parts = [
        "no privacy"
        if name == "epsilon" and math.isinf(settings[name])
        else f"{symbols[name]} = {settings[name]:g}"
        for name in fixed
        if len(axes[name]) > 1 or name == "epsilon"
    ]
    return ", ".join(parts) or "all"


def rate_points(values: Values) -> tuple[Point, ...]:
    """Return the points of the experiment "classification-rate"."""
    axes = rate_axes(values)
    out = []
    for combination in itertools.product(*axes.values()):
        settings = dict(zip(axes, combination, strict=True))
        trial = rate_trial(values, settings)
        label, x = series_label(settings, axes), combination[-1]
        out.append(point_of(trial, series=label, x=x, settings=settings))
    return tuple(out)


def rate_spent(values: Values) -> tuple[Spent, ...]:
    """Return what a release of "classification-rate" guarantees, one entry per finite budget."""
    delta = cast(float, values["delta"])
    budgets = [(epsilon, delta) for epsilon in cast("tuple[float, ...]", values["epsilon"])]
    return each_spent(budgets, cast(str, values["mechanism"]))


def rate_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return excess risks of the experiment "classification-rate"."""
    trial = rate_trial(values, cast("Mapping[str, float]", point.settings))
    return sample_of(trial, point, seed, indices)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponents:
    """Slopes of log risk in the logarithm of the swept quantity, far out.

    Attributes:
        sampling: Where sampling decides.
        privacy: Where privacy decides; None where nothing is protected.
    """

    sampling: float
    privacy: float | None


def asymptotic_slopes(values: Values) -> dict[str, Exponents]:
    r"""Return the exponents of [ACC] (4) per series; empty where target and sources mix.

    .. math:: (mn)^{-B/(2\beta\gamma+d)}, \qquad (m n^2\varepsilon^2)^{-B/(2\beta\gamma+2d)},
        \qquad B = \beta(1+\alpha).

    Source: [ACC] eq. (4), Remarks 3.1, 3.2.
    """
    if values["servers"] == "both":
        return {}
    world, axes = WORLDS[cast(str, values["world"])], rate_axes(values)
    beta, d = world.smoothness, world.dimension
    power = {"n": (1.0, 2.0), "epsilon": (0.0, 2.0), "m": (0.0, -1.0)}[cast(str, values["sweep"])]
    out = {}
    for combination in itertools.product(*list(axes.values())[:-1]):
        settings = dict(zip(axes, combination, strict=False))
        bg, top = beta * settings.get("gamma", 1.0), beta * (1.0 + world.margin)
        private = math.isfinite(settings.get("epsilon", 1.0))
        out[series_label(settings, axes)] = Exponents(
            sampling=-top * power[0] / (2.0 * bg + d),
            privacy=-top * power[1] / (2.0 * bg + 2.0 * d) if private else None,
        )
    return out


RATE = Experiment(
    name="classification-rate",
    question="Does a real private classifier follow the rate?",
    help=(
        "The kernel classifier with a product triangular kernel on the asymmetric cusp, at "
        "bandwidth kappa times r and with weights matched to the mechanism. The risk is the "
        "exact integral; theory is the calibrated rate, whose constant is fitted per curve."
    ),
    x_label="n, epsilon or m",
    y_label="excess risk (probability)",
    privacy=PRIVACY,
    parameters=(
        Choice(
            name="sweep",
            options=("n", "epsilon", "m"),
            default="n",
            help="What runs along the axis; the lists of the others make the series.",
        ),
        Choice(
            name="servers",
            options=("target", "sources", "both"),
            default="target",
            help="Who releases: the target alone, the sources alone, or both.",
        ),
        WORLD,
        Numbers(parameter=_N, default=SIZES),
        Numbers(parameter=BUDGET, default=(math.inf, 1.0, 0.1)),
        Numbers(parameter=_M, default=(1.0,)),
        Numbers(parameter=GAMMA, default=(1.0,)),
        Numbers(parameter=_TARGET, default=(1e4,)),
        Number(parameter=DELTA, default=1e-6),
        MECHANISM,
        WIDTH,
    ),
    points=rate_points,
    sample=rate_sample,
    block=32,
)
