"""A source of two clusters, the halfspaces to choose from, and learners that choose one.

A share of the volunteers is like the population; the others have opposite labels elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import cache, partial
from typing import Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from sims.engine import Array, choose, noted

Flags = NDArray[np.bool_]
Learner = Callable[..., int]


class Said(TypedDict, total=False):
    """Whose records a learner reads, and what its budget costs one of them (see `choose`)."""

    who: Hashable
    sampled: Callable[[float], float]


SPREAD, PLACE = 0.6, 1.5  # of both clusters: standard deviation, and distance from the origin
ANGLES, OFFSETS, FARTHEST = 36, 21, 2.5  # the grid of halfspaces


@cache
def halfspaces() -> Array:
    """Return the rules, a row (cos θ, sin θ, b) each: +1 where x1 cos θ + x2 sin θ + b > 0.

    >>> halfspaces().shape
    (756, 3)

    Source: a grid of ours.
    """
    angle = np.linspace(0.0, 2.0 * math.pi, ANGLES, endpoint=False)
    offset = np.linspace(-FARTHEST, FARTHEST, OFFSETS)
    grid = np.stack(np.meshgrid(angle, offset, indexing="ij"), axis=-1).reshape(-1, 2)
    return np.column_stack([np.cos(grid[:, 0]), np.sin(grid[:, 0]), grid[:, 1]])


def mean_errors(points: Array, labels: Flags) -> Array:
    """Return each rule's share of errors on records."""
    rules = halfspaces()
    wrong = (points @ rules[:, :2].T + rules[:, 2] > 0) != labels[:, None]
    return np.asarray(wrong.mean(axis=0))


@cache
def population_errors() -> Array:
    r"""Return each rule's exact error on the population, without flipped labels.

    .. math:: \int \varphi(z)\,\big|1\{z>0\}
        - \Phi\big((\sigma z\cos\theta + c\sin\theta + b)/(\sigma|\sin\theta|)\big)\big|\,dz.

    >>> float(population_errors().min()) < 1e-9 < float(population_errors().max())
    True

    Source: conditioning on the first coordinate; Gauss-Legendre on both sides of 0.
    """
    from scipy.special import ndtr

    nodes, mass = np.polynomial.legendre.leggauss(300)
    z = 4.5 * np.concatenate([nodes - 1.0, nodes + 1.0])
    mass = 4.5 * np.concatenate([mass, mass]) * np.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)
    rules = halfspaces()
    across = SPREAD * np.abs(rules[:, 1])
    centre = SPREAD * rules[:, :1] * z + PLACE * rules[:, 1:2] + rules[:, 2:]
    flat = across < 1e-9  # a rule on the first coordinate alone has an exact strip of errors
    right = ndtr(centre / np.where(flat, 1.0, across)[:, None])
    errors = np.abs((z > 0) - right) @ mass
    strip = np.abs(ndtr(rules[:, 2] / SPREAD) - 0.5)
    return np.asarray(np.where(flat, np.where(rules[:, 0] > 0, strip, 1.0 - strip), errors))


def volunteers(
    share: float, records: int, flips: float, generator: np.random.Generator
) -> tuple[Array, Flags, Flags]:
    """Draw volunteers: points (x1, x2), labels, and whether each is like the population.

    Source: a world of ours in which X = 1/share.
    """
    good = generator.random(records) < share
    points = SPREAD * generator.standard_normal((records, 2))
    points[:, 1] += np.where(good, PLACE, -PLACE)
    labels = (points[:, 0] > 0) == good
    if flips > 0:
        labels = labels ^ (generator.random(records) < flips)
    return points, labels, good


def chosen(
    errors: Array,
    records: int,
    epsilon: float,
    generator: np.random.Generator,
    *,
    law: Literal["Gumbel", "exponential"],
    **said: Unpack[Said],
) -> int:
    """Choose a rule by noisy error, which is ε₀-private.

    With Gumbel noise its probability is proportional to exp(-ε₀ m · error / 2), the exponential
    mechanism; exponential noise is permute-and-flip, which is as private.

    Args:
        errors: Mean errors of the rules over the records; one record replaced moves each by at
            most 1/m.
        records: m.
        epsilon: ε₀, for the records that are shown.
        generator: Source of the noise.
        law: Of the noise.
        said: Whose records these are, for the book of the gate.

    Source: [KS] before Corollary 4.4; McSherry and Talwar (2007); McKenna and Sheldon (2020), in
    the form of Ding et al. (2021).
    """
    width = 1.0 / records
    return choose(
        -errors, generator, of="rule", sensitivity=width, epsilon=epsilon, law=law, **said
    )


exponential = partial(chosen, law="Gumbel")
permute_and_flip = partial(chosen, law="exponential")


def least_error(
    errors: Array,
    records: int,
    epsilon: float,
    generator: np.random.Generator,
    **said: Unpack[Said],
) -> int:
    """Choose a rule of least error: not private.

    Source: [KS] Algorithm 1, any learner.
    """
    noted(of="rule", who=said.get("who", ""), epsilon=math.inf)
    return int(np.argmin(errors))


LEARNERS: dict[str, Learner] = {
    "exponential": exponential,
    "permute and flip": permute_and_flip,
    "least error": least_error,
}
