r"""How a site's statistics leave it: clipped and with exactly calibrated noise, or as printed.

Honest releases protect every record of a site under replacement of one record. Folds are set by
a record's place and are disjoint, so a record is in one fold only, and noise of the full budget on
each fold protects it (parallel composition). The printed noise has no finite epsilon, as records
are not clipped; `rates.logistic.meaning` says what it would be with clipping.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from rates.logistic import euclidean_sensitivity, joint_sensitivity
from rates.numbers import DomainError, Words
from sims import engine
from sims.dplr.solver import Statistics, statistics
from sims.engine import Array

Kind = Literal["none", "gaussian", "laplace", "printed", "printed once"]
KINDS: tuple[Kind, ...] = get_args(Kind)
HONEST = ("gaussian", "laplace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Release:
    """How statistics are released.

    Attributes:
        kind: "gaussian" and "laplace" clip and calibrate to epsilon; "printed" puts Laplace noise
            of the given scale inside the sum over records, as Algorithm 1 does, "printed once" on
            the sums, as (9) does, both without clipping; "none" adds nothing.
        epsilon: Budget of an honest release; inf clips and adds no noise.
        delta: Of the Gaussian release.
        clip: Clipping radius over sqrt(p), of an honest release.
        scale: Laplace scale of a printed release, the paper's Δ/ε.

    Raises:
        DomainError: The budget is 0, or an honest release would not clip.
    """

    kind: Kind = "gaussian"
    epsilon: float = 1.0
    delta: float = 1e-5
    clip: float = 1.2
    scale: float = 0.1

    def __post_init__(self) -> None:
        if not self.epsilon > 0:
            rule = "epsilon must be positive for a release; with 0 nothing can be released."
            raise DomainError(rule, field="epsilon", value=self.epsilon)
        if self.kind in HONEST and math.isinf(self.clip):
            rule = "An honest release needs a finite clipping radius."
            raise DomainError(rule, field="clip", value=self.clip)

    def noise(self, p: int) -> Noise:
        """Return the noise of the statistics of records with p covariates.

        Statistics are measured in units of their own, in which one replaced record of norm at
        most R moves them by at most the sensitivity: the Euclidean norm of (G, b) for Gaussian
        noise, the sum of absolute coefficients of (7) for Laplace noise.
        """
        R = self.clip * math.sqrt(p)
        if self.kind == "gaussian":
            return Noise(
                law="Gaussian",
                units=(R * R, R * R / math.sqrt(2.0), R),
                sensitivity=euclidean_sensitivity(1.0),
                multiplier=engine.multiplier(self.epsilon, self.delta, "analytic"),
            )
        if self.kind == "laplace":
            return Noise(
                law="Laplace",
                units=(8.0 * R * R, 4.0 * R * R, R),
                sensitivity=joint_sensitivity(p),
                multiplier=1.0 / self.epsilon,
            )
        scale = 0.0 if self.kind == "none" else self.scale
        return Noise(law="Laplace", units=(1.0, 1.0, 1.0), multiplier=scale, bounded=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What is added to the statistics of a fold.

    Attributes:
        law: "Gaussian" or "Laplace".
        units: Of G_jj, of G_ij and of b_j.
        sensitivity: Most by which one replaced record moves the statistics in these units; for
            printed noise, whose scale is given, 1.
        multiplier: Scale of the noise over the sensitivity; 0 is no noise.
        bounded: False where records are not clipped, so that the sensitivity bounds nothing.
    """

    law: Literal["Gaussian", "Laplace"]
    units: tuple[float, float, float]
    sensitivity: float = 1.0
    multiplier: float
    bounded: bool = True


def clipped(x: Array, radius: float) -> Array:
    """Return records shrunk to norm at most the radius.

    >>> clipped(np.array([[3.0, 4.0], [0.3, 0.4]]), 1.0).round(6).tolist()
    [[0.6, 0.8], [0.3, 0.4]]
    """
    norm = np.sqrt(np.einsum("ij,ij->i", x, x))
    return np.asarray(x * np.minimum(1.0, radius / np.maximum(norm, 1e-300))[:, None])


def release(
    x: Array,
    y: Array,
    how: Release,
    rng: np.random.Generator,
    *,
    folds: int = 1,
    who: Hashable = "site",
) -> tuple[Statistics, ...]:
    """Return the released statistics of a site, one per fold.

    Record i is in fold i mod ``folds``. Noise is drawn once per fold; whatever is computed from
    the result is post-processing.

    Args:
        x: Covariates, shape (n, p).
        y: Labels 0 or 1, shape (n,).
        how: Clipping and noise.
        rng: Source of randomness.
        folds: At least 1.
        who: Name of the site, for the book of the gate.

    Raises:
        DomainError: There are fewer records than folds, or `statistics` refuses the records.

    >>> rng = np.random.default_rng(0)
    >>> parts = release(np.ones((5, 2)), np.ones(5), Release(kind="none"), rng, folds=2)
    >>> [part.n for part in parts]
    [3, 2]

    Source: [DPLR] eqs. (8), (9), Algorithm 1.
    """
    n, p = np.shape(x)
    if n < folds:
        rule = f"A site needs at least as many records as folds, {folds}."
        raise DomainError(rule, field="n", value=Words(f"{n} records"))
    # Before any sum: without it one record moves the statistics without bound.
    if how.kind in HONEST:
        x = clipped(x, how.clip * math.sqrt(p))
    return tuple(
        _shown(statistics(x[fold::folds], y[fold::folds]), how, rng, (who, fold))
        for fold in range(folds)
    )


def _shown(exact: Statistics, how: Release, rng: np.random.Generator, who: Hashable) -> Statistics:
    """Pass the statistics of a fold through the gate: a symmetric matrix and a vector."""
    p, noise = len(exact.linear), how.noise(len(exact.linear))
    rows, columns = np.triu_indices(p)
    diagonal, beside, linear = noise.units
    # Off-diagonal entries stand twice in the matrix and are released once.
    units = np.append(np.where(rows == columns, diagonal, beside), np.full(p, linear))
    shown = engine.release(
        np.append(exact.gram[rows, columns], exact.linear) / units,
        rng,
        of="statistics of a fold",
        law=noise.law,
        sensitivity=noise.sensitivity,
        multiplier=noise.multiplier,
        who=who,
        servers=exact.n if how.kind == "printed" else 1,  # then each record adds its own
        bounded=noise.bounded,
    )
    if noise.multiplier == 0:
        return exact
    gram = np.zeros((p, p))
    gram[rows, columns] = (shown * units)[:-p]
    # Mirrored after the noise, or the matrix would not be symmetric.
    gram += np.triu(gram, 1).T
    return Statistics(gram=gram, linear=(shown * units)[-p:], n=exact.n, noisy=True)


def noise_share(how: Release, p: int, n: int) -> float:
    """Return the largest eigenvalue that noise alone makes in G/n, over a covariate's variance.

    About the norm sd sqrt(2p) of a symmetric Gaussian matrix whose off-diagonal entries have
    variance sd²/2. Above 1 the released G says little about the covariates.

    >>> noise_share(Release(epsilon=0.01), 20, 300) > 1 > noise_share(Release(epsilon=50), 20, 9000)
    True
    """
    noise = how.noise(p)
    sd = noise.sensitivity * noise.multiplier * noise.units[1]
    if noise.law == "Laplace":
        sd *= math.sqrt(2.0 * (n if how.kind == "printed" else 1))
    return 2.0 * math.sqrt(p) * sd / n
