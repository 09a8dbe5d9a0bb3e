r"""The adaptive classifiers of [ACC] Section 5: bandwidth and weights chosen from releases alone.

Every server releases its statistic at each bandwidth of a grid, once, with its own noise path.
Everything after that is post-processing. With a_j the noisy statistics at a point and b_j their
variances, the score of a bandwidth is the largest squared signal-to-noise ratio over the weights,
and that maximum has a closed form:

.. math:: \max_{w \in \text{simplex}} \frac{(\sum_j w_j a_j)^2}{\sum_j w_j^2 b_j}
    = \max\Bigl(\sum_{a_j > 0} \frac{a_j^2}{b_j}, \sum_{a_j < 0} \frac{a_j^2}{b_j}\Bigr),

attained at w_j proportional to |a_j|/b_j on the winning sign. (The ratio does not change with the
scale of w, so the simplex may be replaced by its cone; there weights on the losing sign only
hurt, and the rest is Cauchy and Schwarz.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import ACC_PRINTED, DomainError, analytic_multiplier, printed_multiplier
from rates.study import Server
from sims.engine import Array

Rule = Literal["all", "homogeneous", "samples", "target"]
Split = Literal["printed", "composed", "unsplit"]

ADAPTIVE_RULES: dict[str, str] = {
    "all": "AdaptAll: bandwidth and all weights, Algorithm 2",
    "homogeneous": "AdaptHomog: bandwidth and the target's weight, Algorithm 1",
    "samples": "AdaptSamp: weights by sample size, bandwidth chosen",
    "target": "AdaptTar: the target alone, bandwidth chosen",
}
SPLITS: dict[Split, str] = {
    "printed": "ε/|H| and δ/|H| per bandwidth, printed constant (basic composition)",
    "composed": "Gaussian-DP composition: sqrt(|H|) times the exact multiplier of (epsilon, delta)",
    "unsplit": "the whole budget at every bandwidth: not (epsilon, delta)-private",
}
THRESHOLD = 2.25  # per server: C* = 2.25 (m + 1), which is 4.5 at one source


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The bandwidths 2^-j, j = 0, ..., floor(log(n*)/d), in one base of the logarithm.

    Attributes:
        information: n* = sum of min(n_j, n_j² ε_j²).
        bandwidths: The grid, from 1 downwards.
    """

    information: float
    bandwidths: tuple[float, ...]

    @property
    def size(self) -> int:
        """|H|."""
        return len(self.bandwidths)


def grid(servers: Sequence[Server], dimension: int, *, base: float = 2.0) -> Grid:
    """Return the paper's grid of bandwidths.

    Only base 2 reaches down to n*^(-1/d), below which r cannot lie; the printed "log", read as
    the natural one, stops short of it.

    Args:
        servers: The servers; only sizes, budgets and counts are used, which are public.
        dimension: d.
        base: Base of the logarithm, above 1.

    >>> two = [Server(name=name, n=500, epsilon=1, delta=1e-5) for name in "AB"]
    >>> grid(two, 2).bandwidths, grid(two, 2, base=math.e).size
    ((1.0, 0.5, 0.25, 0.125, 0.0625), 4)

    Source: [ACC] Section 5.1, definition of H.
    """
    information = math.fsum(
        s.count * min(s.n, (s.n * s.epsilon) ** 2) for s in servers if s.informative
    )
    top = max(0, math.floor(math.log(max(information, 1.0), base) / dimension + 1e-12))
    return Grid(information=information, bandwidths=tuple(2.0**-j for j in range(top + 1)))


def multiplier(epsilon: ArrayLike, delta: ArrayLike, bandwidths: int, split: Split) -> Array:
    """Return sigma/Delta of each server's release at each bandwidth.

    Args:
        epsilon: Budgets of the private servers, positive and finite.
        delta: Their deltas, in (0, 1).
        bandwidths: |H|, how many releases each server makes.
        split: How the budget is divided; see `SPLITS`.

    Raises:
        DomainError: The split is unknown.

    Examples:
        Composition costs sqrt(|H|), the printed split |H| and a little more.

        >>> one = float(multiplier(1.0, 1e-5, 1, "composed"))
        >>> round(float(multiplier(1.0, 1e-5, 4, "composed")) / one, 9)
        2.0
        >>> round(float(multiplier(1.0, 1e-5, 4, "printed")), 2)
        20.86

    Source: [ACC] eq. (16); Dong, Roth and Su (2022), Corollary 3.3, for the composition.
    """
    if split == "printed":
        eps, dlt = np.asarray(epsilon, float), np.asarray(delta, float)
        return printed_multiplier(eps / bandwidths, dlt / bandwidths, ACC_PRINTED)
    if split == "composed":
        return np.asarray(math.sqrt(bandwidths) * analytic_multiplier(epsilon, delta))
    if split == "unsplit":
        return printed_multiplier(epsilon, delta, ACC_PRINTED)
    raise DomainError(f"split must be one of {', '.join(SPLITS)}.", field="split", value=split)


def variance(mass: Array | float, multiplier: float, peak: float) -> Array:
    """Return b_j(h) of a server's release at a point, for a density of at most 1.

    Args:
        mass: n h^d, one entry per bandwidth.
        multiplier: sigma/Delta of the release.
        peak: K(0), the kernel's largest value.

    Source: [ACC] eqs. (18), (21).
    """
    return np.asarray(peak / (3.0 * mass) + (multiplier * peak / mass) ** 2)


def best_ratio(values: Array, variances: Array) -> tuple[Array, Array]:
    """Return the largest squared signal-to-noise ratio over the simplex, and its sign.

    Args:
        values: Noisy statistics a_j; the first axis runs over the servers.
        variances: b_j > 0, shape (servers,).

    Returns:
        Two arrays of the shape of one server's values; the sign is the label's: +1 for label 1.

    >>> ratio, sign = best_ratio(np.array([[3.0], [-1.0], [4.0]]), np.array([1.0, 1.0, 4.0]))
    >>> ratio.tolist(), sign.tolist()
    ([13.0], [1.0])

    Source: [ACC] eqs. (19), (21), solved.
    """
    rows = values.reshape(len(values), -1)
    precision, part = 1.0 / variances, np.maximum(rows, 0.0)
    up = np.einsum("j,jp,jp->p", precision, part, part)
    np.minimum(rows, 0.0, out=part)
    down = np.einsum("j,jp,jp->p", precision, part, part)
    ratio, sign = np.maximum(up, down), np.where(up > down, 1.0, -1.0)
    return ratio.reshape(values.shape[1:]), sign.reshape(values.shape[1:])


def fixed_ratio(values: Array, variances: Array, weights: Array) -> tuple[Array, Array]:
    """Return the squared signal-to-noise ratio at given weights, and its sign.

    >>> ratio, sign = fixed_ratio(np.array([[1.0], [-3.0]]), np.ones(2), np.array([0.5, 0.5]))
    >>> ratio.tolist(), sign.tolist()
    ([2.0], [-1.0])

    Source: [ACC] eq. (21) at one w.
    """
    combined = np.tensordot(weights, values, axes=1)
    return combined**2 / float(weights**2 @ variances), np.where(combined > 0, 1.0, -1.0)


def score(values: Array, variances: Array, rule: Rule, *, sizes: Array) -> tuple[Array, Array]:
    """Return ρ(h) of one bandwidth under a rule, and the sign of its combined statistic.

    Args:
        values: Noisy statistics at one bandwidth, target first; first axis over the servers.
        variances: Their variances b_j(h), shape (servers,).
        rule: One of `ADAPTIVE_RULES`.
        sizes: u_j(h) of (17) for the rule "homogeneous", n_j for "samples"; shape (servers,).

    Raises:
        DomainError: The rule is unknown.

    >>> a, b = np.array([[1.0], [2.0], [2.0]]), np.array([1.0, 2.0, 2.0])
    >>> [score(a, b, rule, sizes=np.ones(3))[0].tolist() for rule in ("target", "homogeneous")]
    [[1.0], [5.0]]

    Source: [ACC] eqs. (18)-(21); Section 6.2.1 for the four rules.
    """
    if rule == "all" or (rule == "homogeneous" and len(values) < 2):
        return best_ratio(values, variances)
    if rule == "target":
        return best_ratio(values[:1], variances[:1])
    if rule == "samples":
        return fixed_ratio(values, variances, sizes / sizes.sum())
    if rule == "homogeneous":
        part = sizes[1:] / sizes[1:].sum()
        pooled = np.tensordot(part, values[1:], axes=1)
        spread = float(part**2 @ variances[1:])
        return best_ratio(np.stack([values[0], pooled]), np.array([variances[0], spread]))
    raise DomainError(f"rule must be one of {', '.join(ADAPTIVE_RULES)}.", field="rule", value=rule)


def threshold(information: float, bandwidths: int, sources: int, rule: Rule) -> float:
    """Return the level that ρ(h) has to exceed, 2.25 (m + 1) log(2 n* |H|).

    The rule of Section 5.1 has m + 1 = 2 whatever the number of sources; a rule without free
    weights has one component, for which we use 2.25. The text of Section 5.2 prints another
    logarithm, log(n* |H| (m + 1)), equal at one source; this is the box's.

    >>> round(threshold(1000.0, 5, 1, "all"), 2)
    41.45

    Source: [ACC] Algorithms 1 and 2, the step that selects the bandwidth.
    """
    parts = {"all": sources + 1, "homogeneous": 2, "samples": 1, "target": 1}[rule]
    return THRESHOLD * parts * math.log(2.0 * max(information, 1.0) * bandwidths)


def choose(scores: Array, signs: Array, level: float) -> tuple[Array, NDArray[np.intp]]:
    """Return the sign at the chosen bandwidth of each point, and its index.

    The smallest bandwidth whose score exceeds the level is chosen; where none does, the one with
    the largest score.

    Args:
        scores: ρ(h); first axis over bandwidths, from large to small.
        signs: Signs of the combined statistics, same shape.
        level: From `threshold`.

    >>> choose(np.array([[9.0, 1.0], [8.0, 2.0]]), np.array([[1.0, 1.0], [-1.0, -1.0]]), 5.0)
    (array([-1., -1.]), array([1, 1]))

    Source: [ACC] Algorithms 1 and 2; ρ from the noisy statistics, as privacy asks.
    """
    index, best = np.zeros(scores.shape[1:], dtype=np.intp), scores[0]
    for k, row in enumerate(scores):
        index = np.where(row > best, k, index)
        best = np.maximum(best, row)
    for k, row in enumerate(scores):
        index = np.where(row > level, k, index)
    return np.take_along_axis(signs, index[None], axis=0)[0], index
