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

Where the paper contradicts itself we read: the noisy statistic in place of the plain one in (22)
and in the weights, without which the classifier is not private; the chosen bandwidth h* in place
of h0 in step 6 of Algorithm 2; the threshold of the algorithm's box in place of the one of the
text (equal at one source); a fresh noise path at each bandwidth in (16); the base of the logarithm
in the grid as a parameter, 2 by default, as only base 2 reaches down to the rate.

The oracle knows smoothness and signal exponents, takes bandwidth (11) and weights (12), and spends
its whole budget on one release.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np

from rates import numbers
from rates.numbers import ACC_PRINTED, DomainError, Words
from rates.study import Server
from sims import engine
from sims.acc.kernel import KERNELS, Group, oracle_bandwidth, oracle_weights
from sims.acc.screen import Screen, make_screen, pair_risks, releases
from sims.acc.worlds import Quadrants, study_on
from sims.engine import Array, Spent

Rule = Literal["all", "homogeneous", "samples", "target"]
Split = Literal["printed", "composed", "unsplit"]
Algorithm = Literal["2", "1"]

ADAPTIVE_RULES: dict[Rule, str] = {
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
WORLD = Quadrants()
FINEST = 7  # bandwidths down to 2^-7 on the screen of 128 cells


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
    # A whole power of the base must not be lost to rounding.
    top = max(0, math.floor(math.log(max(information, 1.0), base) / dimension + 1e-12))
    return Grid(information=information, bandwidths=tuple(2.0**-j for j in range(top + 1)))


def multiplier(epsilon: float, delta: float, bandwidths: int, split: Split) -> float:
    """Return sigma/Delta of a private server's release at each bandwidth.

    Args:
        epsilon: Its budget, positive and finite.
        delta: Its delta, in (0, 1).
        bandwidths: |H|, how many releases it makes.
        split: How the budget is divided; see `SPLITS`.

    Examples:
        Composition costs sqrt(|H|), the printed split |H| and a little more.

        >>> one = multiplier(1.0, 1e-5, 1, "composed")
        >>> round(multiplier(1.0, 1e-5, 4, "composed") / one, 9)
        2.0
        >>> round(multiplier(1.0, 1e-5, 4, "printed"), 2)
        20.86

    Source: [ACC] eq. (16); Dong, Roth and Su (2022), Corollary 3.3, for the composition.
    """
    if split == "composed":
        return math.sqrt(bandwidths) * float(numbers.analytic_multiplier(epsilon, delta))
    parts = bandwidths if split == "printed" else 1
    return float(numbers.printed_multiplier(epsilon / parts, delta / parts, ACC_PRINTED))


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
    # One buffer for both signs: these arrays are the largest of an adaptive replicate.
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


def score(values: Array, variances: Array, rule: Rule, sizes: Array) -> tuple[Array, Array]:
    """Return ρ(h) of one bandwidth under a rule, and the sign of its combined statistic.

    Args:
        values: Noisy statistics at one bandwidth, target first; first axis over the servers.
        variances: Their variances b_j(h), shape (servers,).
        rule: One of `ADAPTIVE_RULES`.
        sizes: u_j(h) of (17) for the rule "homogeneous", n_j for "samples"; shape (servers,).

    >>> a, b = np.array([[1.0], [2.0], [2.0]]), np.array([1.0, 2.0, 2.0])
    >>> [score(a, b, rule, np.ones(3))[0].tolist() for rule in ("target", "homogeneous")]
    [[1.0], [5.0]]

    Source: [ACC] eqs. (18)-(21); Section 6.2.1 for the four rules.
    """
    if rule == "all" or (rule == "homogeneous" and len(values) < 2):
        return best_ratio(values, variances)
    if rule == "target":
        return best_ratio(values[:1], variances[:1])
    if rule == "samples":
        return fixed_ratio(values, variances, sizes / sizes.sum())
    part = sizes[1:] / sizes[1:].sum()
    pooled = np.tensordot(part, values[1:], axes=1)
    spread = float(part**2 @ variances[1:])
    return best_ratio(np.stack([values[0], pooled]), np.array([variances[0], spread]))


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


def choose(scored: Sequence[tuple[Array, Array]], level: float) -> Array:
    """Return the sign at the chosen bandwidth of each point.

    The smallest bandwidth whose score exceeds the level is chosen; where none does, the one with
    the largest score.

    Args:
        scored: ρ(h) and the sign of the combined statistic at each bandwidth, from large to small.
        level: From `threshold`.

    >>> large = np.array([9.0, 1.0]), np.array([1.0, 1.0])
    >>> choose([large, (np.array([8.0, 2.0]), np.array([-1.0, -1.0]))], 5.0)
    array([-1., -1.])

    Source: [ACC] Algorithms 1 and 2; ρ from the noisy statistics, as privacy asks.
    """
    best, label = scored[0]
    # Finer bandwidths come later and take over, first by the score, then by the level.
    for ratio, sign in scored:
        label, best = np.where(ratio > best, sign, label), np.maximum(best, ratio)
    for ratio, sign in scored:
        label = np.where(ratio > level, sign, label)
    return label


# The rule on servers, and in the paper's design ----------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The adaptive rule on servers, target first.

    Attributes:
        servers: The servers, each private one with a delta; see `alike` for the paper's.
        dimension: d.
        kernel: "triangular" or "gaussian".
        split: How the budget is divided over bandwidths; "unsplit" is not private.
        base: Base of the logarithm in the grid.
        algorithm: "2" frees all weights; "1" pools the sources, which have to be alike: then
            they have the same u_j in (17), so that their u-weighted mean is their plain mean.
    """

    servers: tuple[Server, ...]
    dimension: int = 2
    kernel: str = "gaussian"
    split: Split = "printed"
    base: float = 2.0
    algorithm: Algorithm = "2"

    @cached_property
    def grid(self) -> Grid:
        """The bandwidths and n*."""
        return grid(self.servers, self.dimension, base=self.base)

    def multiplier(self, server: Server) -> float:
        """Return σ/Δ of each release of a server at each bandwidth; 0 without privacy."""
        if math.isinf(server.epsilon):
            return 0.0
        return multiplier(server.epsilon, server.delta or math.nan, self.grid.size, self.split)

    @property
    def spent(self) -> Spent | None:
        """What the target's releases at all bandwidths guarantee together; None if not private."""
        target, size = self.servers[0], self.grid.size
        return engine.spent(self.multiplier(target), target.epsilon, target.delta or math.nan, size)

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Servers that keep a weight of their own: all of them, or the target and one pool."""
        pool = self.algorithm == "1"
        return tuple(
            Group(
                n=server.n,
                m=server.count if pool else 1,
                gamma=server.signal_exponent,
                multiplier=self.multiplier(server),
            )
            for server in self.servers
            for _ in range(1 if pool else server.count)
        )

    @property
    def printed_groups(self) -> tuple[Group, ...]:
        """Target and pooled sources, with the printed noise at the whole budget."""
        return tuple(
            Group(n=s.n, m=s.count, gamma=s.signal_exponent, multiplier=printed_noise(s))
            for s in self.servers
        )

    @cached_property
    def variances(self) -> Array:
        """Variances b_j(h) of (18) and (21) at a point, shape (|H|, groups)."""
        peak = KERNELS[self.kernel].peak ** self.dimension
        volume = np.array(self.grid.bandwidths) ** self.dimension
        return np.stack(
            [variance(one.n * volume, one.multiplier, peak) / one.m for one in self.groups], axis=1
        )

    @cached_property
    def level(self) -> float:
        """What ρ(h) has to exceed."""
        rule: Rule = "all" if self.algorithm == "2" else "homogeneous"
        sources = sum(server.count for server in self.servers) - 1
        return threshold(self.grid.information, self.grid.size, sources, rule)

    @cached_property
    def screen(self) -> Screen:
        """The grid's bandwidths on the paper's design.

        Raises:
            DomainError: The smallest is below 2^-7.
        """
        size = self.grid.size
        if size > FINEST + 1:
            rule = (
                "The bandwidth grid must not pass 2^-7 to be simulated: fewer records or servers."
            )
            raise DomainError(rule, field="n", value=Words(f"a grid down to 2^-{size - 1}"))
        return make_screen(WORLD, self.kernel, self.grid.bandwidths)


@lru_cache(maxsize=1024)
def alike(*, n: int, m: int, gamma: float, epsilon: float, **reading: Any) -> Plan:
    """Return the plan of the paper's design: m sources as large as the target, delta n^-2.

    Args:
        n: Records of each server.
        m: Number of sources.
        gamma: Signal exponent of the sources.
        epsilon: Budget of each server; inf is no privacy.
        reading: Other fields of `Plan`.

    >>> alike(n=500, m=1, gamma=1.0, epsilon=1.0).grid.size
    5
    >>> alike(n=500, m=1, gamma=1.0, epsilon=1.0, base=math.e).grid.size
    4
    """
    target = Server(name="target", n=n, epsilon=epsilon, delta=float(n) ** -2)
    source = replace(target, name="source", count=m, signal_exponent=gamma)
    return Plan(servers=(target, source), **reading)


def adaptive_once(plans: Sequence[Plan], rng: np.random.Generator) -> Array:
    """Draw AdaptDTK in the paper's design, with exact excess risks, for several plans at once.

    They may differ in signal exponents and budgets, and share unit noise; each has the risk that
    it has alone.

    >>> plan = alike(n=500, m=1, gamma=1.0, epsilon=math.inf)
    >>> bool(adaptive_once([plan], np.random.default_rng(0))[0] < 0.1)
    True

    Raises:
        DomainError: The bandwidth grid is finer than the screen.

    Source: [ACC] Algorithm 2; Section 6.1.1.
    """
    scored: list[list[tuple[Array, Array]]] = [[] for _ in plans]
    for k, drawn in enumerate(releases([(plan.screen, plan.groups) for plan in plans], rng)):
        for s, values in drawn.items():  # h^2 times the releases
            spread = plans[s].variances[k] * plans[s].grid.bandwidths[k] ** 4
            scored[s].append(best_ratio(values, spread))
    return plans[0].screen.risks(
        choose(own, plan.level) for own, plan in zip(scored, plans, strict=True)
    )


def printed_noise(server: Server) -> float:
    """Return σ/Δ as printed in (9); 0 without privacy."""
    return engine.multiplier(server.epsilon, server.delta or math.nan, "printed")


def printed_spent(server: Server) -> Spent | None:
    """Return what one release with the printed noise guarantees; None without privacy."""
    return engine.spent(printed_noise(server), server.epsilon, server.delta or math.nan)


def oracle_risks(plan: Plan, draws: Iterable[np.random.Generator]) -> Array:
    """Draw DTK with bandwidth (11) and weights (12) in the paper's design, with exact risks.

    Constants are ignored, as in the paper. A triangular kernel of the same h smooths 2.45 times
    less than a Gaussian one, so its oracle is far from tuned.

    Source: [ACC] eqs. (11), (12).
    """
    study = study_on(WORLD, plan.servers)
    h = oracle_bandwidth(study)
    settings = [(make_screen(WORLD, plan.kernel, (h,)), plan.printed_groups)]
    weight = oracle_weights(study, h)[0]
    return np.array([pair_risks(settings, [weight], rng)[0] for rng in draws])
