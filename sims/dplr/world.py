r"""The design of [DPLR] Section 3: sites with sparse coefficients, some of them transferable.

Y = x'β_k + e and y = 1{Y > 0}, x normal with covariance 0.5^|i-j|. The target has coefficient 1
on its first s covariates. A transferable source has β + (h/p) d_k with random signs d_k, so that
|β - β_k|_1 = h. Any other has (h/p) d_k, plus 1 on the next s covariates and on s random later
ones. The paper does not state its threshold on Y; here it is 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rates.logistic import covariance, mixture
from rates.numbers import DomainError, Parameter, Words
from sims.dplr.release import Release, release
from sims.dplr.solver import Statistics
from sims.dplr.transfer import FOLDS
from sims.engine import Array

MOST_VALUES = 2_000_000  # covariate values of one replicate, to keep a page responsive


def _whole(name: str, symbol: str, low: int, high: int, about: str) -> Parameter:
    return Parameter(
        name,
        symbol,
        f"{low}, ..., {high}",
        rule=f"{name} must be a whole number from {low} to {high:,}.",
        help=about,
    )


DIMENSION = _whole("dimension", "p", 3, 100, "Covariates. The paper has 50.")
SPARSITY = _whole("sparsity", "s", 1, 33, "Covariates that matter for the target. The paper: 10.")
SOURCES = _whole("sources", "K", 1, 40, "Sources beside the target. The paper has 20.")
TRANSFERABLE = _whole(
    "transferable", "|A|", 0, 40, "How many of the sources are like the target up to h."
)
TARGET_SIZE = _whole("n0", "n_0", 12, 100_000, "Records of the target. The paper has 300.")
SOURCE_SIZE = _whole("nk", "n_k", 12, 100_000, "Records of each source. The paper has 400.")
DEVIATION = Parameter(
    "deviation",
    "h",
    "[0, 100]",
    help="|β - β_k|_1 of a transferable source: how far its coefficients are from the target's.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """A target and K sources, the first |A| of them transferable.

    Attributes:
        dimension: p.
        sparsity: s, with 3 s <= p so that (20) can be drawn.
        sources: K.
        transferable: |A|, at most K.
        deviation: h.
        law: Error law, one of `rates.logistic.LAWS`.
        n0: Records of the target.
        nk: Records of each source.

    Raises:
        DomainError: The numbers do not fit, or the records are too many to simulate here.

    >>> World(dimension=20, sparsity=5, sources=4, transferable=2).truth.sum()
    np.float64(5.0)
    """

    dimension: int = 50
    sparsity: int = 10
    sources: int = 20
    transferable: int = 6
    deviation: float = 3.0
    law: str = "normal"
    n0: int = 300
    nk: int = 400

    def __post_init__(self) -> None:
        if 3 * self.sparsity > self.dimension:
            rule = "3 s must be at most p: (20) needs s further covariates and s random later ones."
            raise DomainError(rule, field="sparsity", value=self.sparsity, where="Design")
        if self.transferable > self.sources:
            rule = f"|A| must be at most the number of sources, {self.sources}."
            raise DomainError(rule, field="transferable", value=self.transferable, where="Design")
        values = self.dimension * (self.n0 + self.sources * self.nk)
        if values > MOST_VALUES:
            rule = f"At most {MOST_VALUES:,} covariate values, p (n_0 + K n_k), are simulated."
            raise DomainError(rule, field="nk", value=Words(f"{values:,}"), where="Design")

    @property
    def truth(self) -> Array:
        """The target's coefficients, shape (p,)."""
        return np.where(np.arange(self.dimension) < self.sparsity, 1.0, 0.0)

    @property
    def like_target(self) -> NDArray[np.bool_]:
        """Whether each source is transferable, shape (K,)."""
        return np.arange(self.sources) < self.transferable


@lru_cache(maxsize=8)
def _factor(p: int) -> Array:
    return np.asarray(np.linalg.cholesky(covariance(p)))


def coefficients(world: World, rng: np.random.Generator) -> Array:
    """Draw the coefficients of the sources, shape (K, p).

    >>> world = World(dimension=20, sparsity=5, sources=2, transferable=1, deviation=4.0)
    >>> drawn = coefficients(world, np.random.default_rng(0))
    >>> round(float(np.abs(drawn[0] - world.truth).sum()), 6)
    4.0

    Source: [DPLR] Section 3.1 and eq. (20).
    """
    p, s = world.dimension, world.sparsity
    signs = rng.integers(0, 2, (world.sources, p)) * 2 - 1
    out = world.deviation / p * signs
    out[: world.transferable] += world.truth
    for row in out[world.transferable :]:
        row[s : 2 * s] += 1.0
        row[rng.choice(np.arange(2 * s, p), s, replace=False)] += 1.0
    return np.asarray(out)


def records(
    world: World, w: Array, n: int, rng: np.random.Generator
) -> tuple[Array, NDArray[np.float64]]:
    """Draw n records of a site with coefficients w.

    >>> x, y = records(World(), World().truth, 5, np.random.default_rng(0))
    >>> x.shape, set(y.tolist()) <= {0.0, 1.0}
    ((5, 50), True)

    Source: [DPLR] eq. (19).
    """
    x = rng.standard_normal((n, world.dimension)) @ _factor(world.dimension).T
    return x, (x @ w + errors(world.law, n, rng) > 0).astype(float)


def errors(law: str, n: int, rng: np.random.Generator) -> Array:
    """Draw n errors.

    >>> errors("t3", 2, np.random.default_rng(0)).shape
    (2,)

    Source: [DPLR] Section 3.1.
    """
    if law == "t3":
        return rng.standard_t(3, n)
    weights, variances = mixture(law)
    z = rng.standard_normal(n)
    if len(weights) == 1:
        return z * math.sqrt(float(variances[0]))
    return np.asarray(z * np.where(rng.random(n) < weights[1], *np.sqrt(variances[::-1])))


Drawn = tuple[tuple[Statistics, ...], tuple[Statistics, ...]]  # target's folds, and sources


def draw(world: World, how: Release, rng: np.random.Generator, noise: np.random.Generator) -> Drawn:
    """Draw all sites of one replicate; return the target's folds and the sources, as released.

    Args:
        world: The design.
        how: Clipping and noise.
        rng: Source of coefficients and records.
        noise: Source of the noise, apart from it so that two releases can share the records.

    Source: [DPLR] Section 3.
    """
    x, y = records(world, world.truth, world.n0, rng)  # first, so that no source changes them
    target = release(x, y, how, noise, folds=FOLDS, who="target")
    sources = []
    for k, w in enumerate(coefficients(world, rng)):
        x, y = records(world, w, world.nk, rng)
        sources.append(release(x, y, how, noise, who=f"source {k + 1}")[0])
    return target, tuple(sources)
