r"""AdaptDTK in the paper's design, and the price of not knowing: adaptive against oracle.

Where the paper contradicts itself we read: the noisy statistic in place of the plain one in (22)
and in the weights, without which the classifier is not private; the chosen bandwidth h* in place
of h0 in step 6 of Algorithm 2; the threshold of the algorithm's box in place of the one of the
text (equal at one source); a fresh noise path at each bandwidth in (16); the base of the logarithm
in the grid as a parameter, 2 by default, as only base 2 reaches down to the rate.

The oracle knows smoothness and signal exponents, takes bandwidth (11) and weights (12), and spends
its whole budget on one release. The price is the ratio of the two expected excess risks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from rates.numbers import DomainError, Words
from rates.study import Server
from sims.acc import adaptive
from sims.acc.kernel import KERNELS, Group, oracle_bandwidth, oracle_weights
from sims.acc.screen import Releases, Screen, make_screen, pair_risks
from sims.acc.worlds import Quadrants, study_on
from sims.engine import Array, Spent, multiplier, spent

Algorithm = Literal["2", "1"]

WORLD = Quadrants()
FINEST = 7  # bandwidths down to 2^-7 on the screen of 128 cells


@dataclass(frozen=True, slots=True, kw_only=True)
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
    split: adaptive.Split = "printed"
    base: float = 2.0
    algorithm: Algorithm = "2"

    @property
    def grid(self) -> adaptive.Grid:
        """The bandwidths and n*."""
        return adaptive.grid(self.servers, self.dimension, base=self.base)

    def multiplier(self, server: Server) -> float:
        """Return σ/Δ of each release of a server at each bandwidth; 0 without privacy."""
        if math.isinf(server.epsilon):
            return 0.0
        delta = server.delta or math.nan
        return float(adaptive.multiplier(server.epsilon, delta, self.grid.size, self.split))

    @property
    def spent(self) -> Spent | None:
        """What the target's releases at all bandwidths guarantee together; None if not private."""
        target = self.servers[0]
        size = self.grid.size
        return spent(self.multiplier(target), target.epsilon, target.delta or math.nan, size)

    @property
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

    @property
    def variances(self) -> Array:
        """Variances b_j(h) of (18) and (21) at a point, shape (groups, |H|)."""
        peak = KERNELS[self.kernel].peak ** self.dimension
        volume = np.array(self.grid.bandwidths) ** self.dimension
        return np.stack(
            [adaptive.variance(one.n * volume, one.multiplier, peak) / one.m for one in self.groups]
        )

    @property
    def level(self) -> float:
        """What ρ(h) has to exceed."""
        rule: adaptive.Rule = "all" if self.algorithm == "2" else "homogeneous"
        sources = sum(server.count for server in self.servers) - 1
        return adaptive.threshold(self.grid.information, self.grid.size, sources, rule)

    def decide(self, values: Array) -> Array:
        """Return the sign of the label at each point from the releases.

        Args:
            values: Noisy statistics, shape (groups, |H|, *points).

        Source: [ACC] Algorithms 1 and 2.
        """
        rows = enumerate(self.variances.T)
        return _chosen([adaptive.best_ratio(values[:, k], row) for k, row in rows], self.level)


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


def _chosen(parts: Sequence[tuple[Array, Array]], level: float) -> Array:
    """Return the sign of the label from scores and signs at each bandwidth."""
    scores, signs = (np.stack(part) for part in zip(*parts, strict=True))
    return adaptive.choose(scores, signs, level)[0]


def part(screen: Screen, indices: Iterable[int]) -> Screen:
    """Return a screen with some of its bandwidths."""
    keep = list(indices)
    return replace(
        screen,
        bandwidths=tuple(screen.bandwidths[k] for k in keep),
        rows=screen.rows[keep],
        factors=screen.factors[keep],
    )


@lru_cache(maxsize=16)
def screen_of(kernel: str, size: int) -> Screen:
    """Return the screen of the bandwidths 1, 1/2, ..., 2^(1 - size).

    Raises:
        DomainError: The smallest is below 2^-7.
    """
    if size > FINEST + 1:
        rule = "The bandwidth grid must not pass 2^-7 to be simulated: fewer records or servers."
        raise DomainError(rule, field="n", value=Words(f"a grid down to 2^-{size - 1}"))
    whole = make_screen(WORLD, kernel, tuple(2.0**-k for k in range(FINEST + 1)))
    return part(whole, range(size))


def adaptive_risks(plan: Plan, draws: Iterable[np.random.Generator]) -> Array:
    """Draw AdaptDTK in the paper's design, and return its exact excess risks on the grid.

    Raises:
        DomainError: The bandwidth grid is finer than the screen.

    >>> plan = alike(n=500, m=1, gamma=1.0, epsilon=math.inf)
    >>> bool(adaptive_risks(plan, [np.random.default_rng(0)])[0] < 0.1)
    True

    Source: [ACC] Algorithm 2; Section 6.1.1.
    """
    return np.array([adaptive_once([plan], rng)[0] for rng in draws])


def adaptive_once(plans: Sequence[Plan], rng: np.random.Generator) -> Array:
    """Draw AdaptDTK at several signal exponents and budgets, with the same unit noise.

    Each plan has the risk that it has alone.
    """
    ready = [_ready(plan) for plan in plans]
    parts: list[list[tuple[Array, Array]]] = [[] for _ in plans]
    settings = [(one.screen, one.groups) for one in ready]
    drawn = Releases(settings, rng)
    for k in range(max(len(one.spread) for one in ready)):
        for s, values in drawn.at(k):
            parts[s].append(adaptive.best_ratio(values, ready[s].spread[k]))
    return settings[0][0].risks(
        _chosen(own, one.level) for own, one in zip(parts, ready, strict=True)
    )


class _Ready(NamedTuple):
    """What a plan needs in every replicate; the spread is of h^2 times its releases."""

    screen: Screen
    groups: tuple[Group, ...]
    spread: Array
    level: float


@lru_cache(maxsize=1024)
def _ready(plan: Plan) -> _Ready:
    screen = screen_of(plan.kernel, plan.grid.size)
    scale = np.array(screen.bandwidths) ** 4
    return _Ready(screen, plan.groups, plan.variances.T * scale[:, None], plan.level)


# The oracle -----------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _oracle_screen(kernel: str, bandwidth: float) -> Screen:
    return make_screen.__wrapped__(WORLD, kernel, (bandwidth,))


def printed_noise(server: Server) -> float:
    """Return σ/Δ as printed in (9); 0 without privacy."""
    return multiplier(server.epsilon, server.delta or math.nan, "printed")


def printed_spent(server: Server) -> Spent | None:
    """Return what one release with the printed noise guarantees; None without privacy."""
    return spent(printed_noise(server), server.epsilon, server.delta or math.nan)


def oracle_risks(plan: Plan, draws: Iterable[np.random.Generator]) -> Array:
    """Draw DTK with bandwidth (11) and weights (12) in the paper's design, with exact risks.

    Constants are ignored, as in the paper. A triangular kernel of the same h smooths 2.45 times
    less than a Gaussian one, so its oracle is far from tuned.

    Source: [ACC] eqs. (11), (12).
    """
    study = study_on(WORLD, plan.servers)
    h = oracle_bandwidth(study)
    screen = _oracle_screen(plan.kernel, h)
    weight = oracle_weights(study, h)[0]
    return np.array(
        [pair_risks([(screen, plan.printed_groups)], [weight], rng)[0] for rng in draws]
    )
