"""One run of an estimator on real sites: who takes part, with how many records and which budget.

A replicate draws the records of a site from the site's own, with replacement: the records stand
for the law that they come from, so that the truth, the mean outcome of all of them, is known.
Where fewer sites than all take part, a replicate draws which, large and small ones alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from rates.numbers import analytic_multiplier
from rates.study import Server
from sims.engine import Array, generator
from sims.real.sites import HELD, Sites

USUAL_DELTA = 1e-5  # of the Gaussian noise
TEAMS = 32  # draws of who takes part over which the choice of the resolution averages


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
        n: NDArray[np.intp] = np.maximum(np.rint(self.share * self.sites.sizes), 1).astype(np.intp)
        return n

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
    def servers(self) -> tuple[Server, ...]:
        """The study that the theory is asked about: m of the sites, spread evenly over sizes."""
        at = ((np.arange(self.m) + 0.5) * self.sites.m / self.m).astype(int)
        private = None if math.isinf(self.epsilon) else self.delta
        return tuple(
            Server(
                name=f"site {k + 1}",
                n=int(self.n[j]),
                epsilon=self.epsilon,
                delta=private,
            )
            for k, j in enumerate(at)
        )


def team(rng: np.random.Generator, sites: int, m: int) -> NDArray[np.intp]:
    """Draw which m of the sites take part: one of each of m equal parts of the order by size.

    >>> team(np.random.default_rng(0), 6, 3).tolist()
    [1, 2, 4]
    """
    ends = np.arange(m + 1) * sites // m
    return (ends[:-1] + rng.random(m) * np.diff(ends)).astype(np.intp)


class Draw:
    """Records of a trial, drawn anew for each replicate."""

    def __init__(
        self,
        trial: Trial,
        population: NDArray[np.intp],
        starts: NDArray[np.intp],
        n: NDArray[np.intp],
    ) -> None:
        """Prepare the draw.

        Args:
            trial: Who takes part.
            population: How many records each site draws from.
            starts: Where those begin.
            n: How many it draws.
        """
        self.trial, self.population, self.starts, self.n = trial, population, starts, n
        everybody = np.arange(trial.sites.m)
        self._all = self._spread(everybody) if trial.whole else None

    def _spread(self, chosen: NDArray[np.intp]) -> tuple[Array, NDArray[np.intp]]:
        n = self.n[chosen]
        return (
            np.repeat(self.population[chosen].astype(float), n),
            np.repeat(self.starts[chosen], n),
        )

    def __call__(self, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return which sites take part, and which records they draw, site by site."""
        sites = self.trial.sites.m
        chosen = np.arange(sites) if self._all else team(rng, sites, self.trial.m)
        size, start = self._all or self._spread(chosen)
        return chosen, start + (rng.random(len(size)) * size).astype(np.intp)


def per_record(values: Array, n: NDArray[np.intp]) -> Array:
    """Return each site's value once for each of its records."""
    return np.repeat(values, n)


@lru_cache(maxsize=8)
def held_out(sites: Sites) -> NDArray[np.bool_]:
    """Return which records are held out: of each site one in `HELD`, in an order that is drawn."""
    rng = generator(0, "held out", sites.digest)
    order = np.lexsort((rng.random(sites.records), sites.site))
    rank = np.arange(sites.records) - np.repeat(sites.starts, sites.sizes)
    out = np.zeros(sites.records, bool)
    out[order] = rank < np.repeat(sites.sizes // HELD, sites.sizes)
    return out
