"""One run of an estimator on real sites: who takes part, with how many records and which budget.

A replicate draws the records of a site from the site's own, with replacement: the records stand
for the law that they come from, so that the truth, the mean outcome of all of them, is known.
Where fewer sites than all take part, a replicate draws which, large and small ones alike.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from rates.answer import solve_D
from rates.numbers import DomainError, analytic_multiplier
from rates.study import FederatedStudy, Server, TransferStudy
from sims.engine import Array, generator
from sims.real.sites import HELD, Sites

USUAL_DELTA = 1e-5  # of the Gaussian noise
TEAMS = 32  # draws of who takes part over which the choice of the resolution averages
# Of [CCV] alpha: a mean outcome without jumps, and steps that see no more. Of [ACC] beta, alpha
# and d: a chance that crosses 1/2 with a slope.
SMOOTHNESS, MARGIN, DIMENSION = 1.0, 1.0, 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What the expected error of an estimator consists of.

    Attributes:
        privacy: By the noise.
        sample: By the draw of records.
        bias: By the resolution.
        sites: By differences between the sites, which no theory here has.
        noise: Which part of the variance of the released statistic is noise.
    """

    privacy: float
    sample: float
    bias: float
    sites: float
    noise: float

    @property
    def total(self) -> float:
        """All of them."""
        return self.privacy + self.sample + self.bias + self.sites

    @property
    def shares(self) -> tuple[float, ...]:
        """Each one's part of all, in the order of `rates.answer.CAUSES`."""
        return tuple(x / self.total for x in (self.bias, self.sample, self.privacy, self.sites))


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Sites, and what of them takes part.

    Attributes:
        sites: All sites.
        share: Which part of its size each site draws, in (0, 1].
        m: How many sites take part.
        epsilon: Budget of each; inf is no protection.
        delta: Of the Gaussian noise.
    """

    sites: Sites
    share: float = 1.0
    m: int
    epsilon: float
    delta: float = USUAL_DELTA

    @property
    def whole(self) -> bool:
        """Whether all sites take part."""
        return self.m == self.sites.m

    @cached_property
    def n(self) -> NDArray[np.intp]:
        """Records that each site draws."""
        return drawn(self.share, self.sites.sizes)

    @property
    def mean_n(self) -> float:
        """Mean number of records of a site."""
        return float(self.n.mean())

    @cached_property
    def multiplier(self) -> float:
        """Noise over sensitivity, exact for this epsilon and delta; 0 without protection."""
        if math.isinf(self.epsilon):
            return 0.0
        return float(analytic_multiplier(self.epsilon, self.delta))

    @cached_property
    def teams(self) -> NDArray[np.bool_]:
        """Who takes part, one row per draw; all sites in one row if all do."""
        if self.whole:
            return np.ones((1, self.sites.m), bool)
        out = np.zeros((TEAMS, self.sites.m), bool)
        for k, row in enumerate(out):
            row[team(generator(0, "teams", self.sites.m, self.m, k), self.sites.m, self.m)] = True
        return out

    @cached_property
    def study(self) -> FederatedStudy | TransferStudy:
        """The study that the theory is asked about: m of the sites, spread evenly over sizes."""
        # Evenly over the order by size, as teams are drawn.
        at = ((np.arange(self.m) + 0.5) * self.sites.m / self.m).astype(int)
        rows = [_server(f"site {k + 1}", self.n[j], self) for k, j in enumerate(at)]
        return _study(self.sites, rows)

    @property
    def equation(self) -> float:
        """Rate of the equation for sites alike of these sizes and budgets.

        Source: [CCV] eq. (6) at alpha = 1, which is [ACC] eq. (5) in r = 1/D at beta = alpha =
        d = 1 and every gamma 1.
        """
        n = np.array([server.n for server in self.study.servers], float)
        D = float(solve_D(n, np.full(len(n), self.epsilon), smoothness=SMOOTHNESS))
        return float(min(1.0, D ** (-2.0 * SMOOTHNESS)))


def drawn(share: float, sizes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return how many records each site draws, at least one."""
    n: NDArray[np.intp] = np.maximum(np.rint(share * sizes), 1).astype(np.intp)
    return n


def _server(name: str, n: int, trial: Trial) -> Server:
    private = None if math.isinf(trial.epsilon) else trial.delta
    return Server(name=name, n=int(n), epsilon=trial.epsilon, delta=private)


def _study(sites: Sites, rows: list[Server]) -> FederatedStudy | TransferStudy:
    if sites.kind == "curve":
        return FederatedStudy(servers=tuple(rows), smoothness=SMOOTHNESS)
    target, *sources = rows
    return TransferStudy(
        target=target,
        sources=tuple(sources),
        smoothness=SMOOTHNESS,
        dimension=DIMENSION,
        margin=MARGIN,
    )


def as_study(
    sites: Sites, *, epsilon: float, delta: float = USUAL_DELTA
) -> FederatedStudy | TransferStudy:
    """Return the sites as a study: their sizes, one budget, and the exponents that are tried.

    A classification has the largest site as its target. A name that a study cannot have becomes
    the site's number.
    """
    asked = Trial(sites=sites, m=sites.m, epsilon=epsilon, delta=delta)
    rows: dict[str, Server] = {}
    for k, name in enumerate(sites.names):
        row = _server(f"Site {k + 1}", sites.sizes[k], asked)
        with suppress(DomainError):
            given = f"Site {name}" if name.isdigit() else name
            row = replace(row, name=given) if given not in rows else row
        rows[row.name] = row
    return _study(sites, [*rows.values()])


def team(rng: np.random.Generator, sites: int, m: int) -> NDArray[np.intp]:
    """Draw which m of the sites take part: one of each of m equal parts of the order by size.

    >>> team(np.random.default_rng(0), 6, 3).tolist()
    [1, 2, 4]
    """
    ends = np.arange(m + 1) * sites // m
    return (ends[:-1] + rng.random(m) * np.diff(ends)).astype(np.intp)


@dataclass(frozen=True, kw_only=True, eq=False)
class Plan:
    """One estimator on real sites, ready to be drawn.

    Attributes:
        trial: Who takes part.
        resolution: Steps K of a curve, or bandwidth h of a classification.
        weight: Of each site before they are made to sum to 1 over those that take part, (J,).
        sensitivity: Of what each site releases, (J,).
        population: How many records each site draws from, (J,).
        starts: Where those begin, (J,).
        n: How many each site draws, (J,).
        parts: What its expected error consists of.
    """

    trial: Trial
    resolution: float
    weight: Array = field(repr=False)
    sensitivity: Array = field(repr=False)
    population: NDArray[np.intp] = field(repr=False)
    starts: NDArray[np.intp] = field(repr=False)
    n: NDArray[np.intp] = field(repr=False)
    parts: Parts

    @property
    def exact(self) -> float | None:
        """The exact expected error; None where it depends on who takes part, or on a normal law."""
        curve = self.trial.sites.kind == "curve"
        return self.parts.total if curve and self.trial.whole else None

    def draw(self, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which sites take part, and which records they draw, site by site."""
        sites = self.trial.sites.m
        chosen = np.arange(sites) if self.trial.whole else team(rng, sites, self.trial.m)
        n = self.n[chosen]
        size, start = np.repeat(self.population[chosen], n), np.repeat(self.starts[chosen], n)
        return chosen, start + (rng.random(len(size)) * size).astype(np.intp)

    def merged(self, chosen: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return the weights of the sites that take part, and of each of their records."""
        weight = self.weight[chosen] / self.weight[chosen].sum()
        n = self.n[chosen]
        return weight, np.repeat(weight / n, n)


def team_weights(trial: Trial, weight: Array) -> Array:
    """Return the weights of each draw of who takes part, which sum to 1."""
    u = trial.teams * weight
    return np.asarray(u / u.sum(axis=1, keepdims=True))


@lru_cache(maxsize=8)
def held_out(sites: Sites) -> NDArray[np.bool_]:
    """Return which records are held out: of each site one in `HELD`, in an order that is drawn."""
    rng = generator(0, "held out", sites.digest)
    order = np.lexsort((rng.random(sites.records), sites.site))
    # Of each site the first in an order drawn by the digest: the same for the same records.
    rank = np.arange(sites.records) - np.repeat(sites.starts, sites.sizes)
    out = np.zeros(sites.records, bool)
    out[order] = rank < np.repeat(sites.sizes // HELD, sites.sizes)
    return out
