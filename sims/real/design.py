"""The experiment "real-sites": do the rates hold on real records of real sites?

The windows, written down before any slope was looked at. A point takes part in a slope if one
term decides there by the estimator's own constants and the truth can tell the error:

- protected: noise makes at least `DECIDES` of the variance of what is released;
- the resolution is at least `curve.FEWEST` steps and at most half as fine as the truth (a curve),
  or the bandwidth at most `classifier.WIDEST` (a classification);
- the expected error is at most `BELOW` of that of a flat guess;
- and at least `ABOVE` times what the truth itself does not know.

The sweeps over n and m take one budget: of those listed that lie in the window with all sites,
the one two thirds up, so that there is room for fewer records and sites. Without privacy the
sweep over m draws a part of `FEW` of each site's records: drawing as many as there are would show
what is accidental in them twice, once in the draw and once in the choice of sites.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Any

import numpy as np

from rates.answer import solve_D
from rates.numbers import DELTA, EPSILON, DomainError, crossing
from sims.curves import cell_of
from sims.engine import (
    Array,
    Choice,
    Experiment,
    Number,
    Numbers,
    Point,
    Values,
    generator,
    generators,
    midpoints,
)
from sims.real import classifier, curve
from sims.real.sets import SETS, load
from sims.real.sites import Sites
from sims.real.table import INVENTED, invented
from sims.real.trial import SMOOTHNESS, USUAL_DELTA, Parts, Plan, Trial

DECIDES, BELOW, ABOVE = 0.75, 0.3, 3.0
FEW = 0.25
# For whom the equation calls privacy free.
LARGEST, HALF, EVERY = "the largest site", "half of the records", "every site"
BUDGETS = (0.05, 0.08, 0.125, 0.2, 0.3, 0.5, 0.8, 1.25, 2.0, 3.0, 5.0, 8.0, 12.5)
SHARES = (0.125, 0.18, 0.25, 0.35, 0.5, 0.7, 1.0)
SERIES = {
    "epsilon": "budget",
    "n": "records of a site",
    "m": "sites",
    "m, no privacy": "sites, no privacy",
    "free": "where privacy is called free",
    "no privacy": "no privacy",
}
# Each module plans an estimator, draws its losses, and says when its resolution is outside.
METHODS: dict[str, Any] = {"curve": curve, "classification": classifier}
# Of both papers alike: at alpha = 1 of [CCV], and at beta = alpha = d = 1 of [ACC].
ASYMPTOTIC = {"epsilon": -1.0, "n": -1.0, "m": -0.5, "m, no privacy": -2.0 / 3.0}


@lru_cache(maxsize=1024)
def planned(trial: Trial) -> Plan:
    """Return the estimator of a trial; kept, as points and replicates both ask for it."""
    made: Plan = METHODS[trial.sites.kind].plan(trial)
    return made


def left_out(made: Plan) -> str:
    """Return why a point lies outside the window; empty if it lies inside."""
    sites, parts = made.trial.sites, made.parts
    method = METHODS[sites.kind]
    truth = method.truth_of(sites)
    if why := method.outside(made):
        return str(why)
    if made.trial.multiplier and parts.noise < DECIDES:
        return "noise and sampling both count"
    if parts.total > BELOW * truth.spread:
        return f"error above {BELOW:g} of that of a flat guess"
    if parts.total < ABOVE * truth.error:
        return f"error below {ABOVE:g} times what the truth does not know"
    return ""


def own_budget(sites: Sites, budgets: tuple[float, ...], delta: float) -> float:
    """Return the budget of the sweeps over n and m: of those in the window two thirds up.

    Where none lies in the window it is the one with which noise most nearly decides.
    """
    made = [planned(Trial(sites=sites, m=sites.m, epsilon=e, delta=delta)) for e in sorted(budgets)]
    inside = [p.trial.epsilon for p in made if not left_out(p)]
    if inside:
        # Two thirds up there is room below for fewer records and sites.
        return inside[math.ceil(2 * (len(inside) - 1) / 3)]
    return min(made, key=lambda p: abs(p.parts.noise - DECIDES)).trial.epsilon


def thresholds(sites: Sites) -> dict[str, float]:
    """Return the budgets from which the equation calls privacy free.

    For the largest site, for half of all records, and for every site: there n_j eps^2 is as
    large as D of (6), or 1/r of (5) at d = 1, and the site counts as if it were unprotected.
    """
    n = sites.sizes.astype(float)
    half = int(np.searchsorted(np.cumsum(n), 0.5 * n.sum()))
    named = {LARGEST: 0, HALF: half, EVERY: len(n) - 1}
    return {name: _free_from(n, float(n[j])) for name, j in named.items()}


def _free_from(n: Array, size: float) -> float:
    """Return the common budget at which size eps^2 = D."""

    def over(log_budget: float) -> float:
        budgets = np.full(len(n), math.exp(log_budget))
        D = float(solve_D(n, budgets, smoothness=SMOOTHNESS))
        return math.log(size) + 2.0 * log_budget - math.log(D)

    found = math.exp(crossing(over, math.log(1e-6), math.log(1e6)))
    # Four digits, so that random numbers, which go by the point, are the same on every machine.
    return float(f"{found:.4g}")


def teams(sites: int) -> list[int]:
    """Return numbers of sites, from all of them down to 2, two steps to each half.

    >>> teams(131)
    [2, 3, 4, 6, 8, 12, 16, 23, 33, 46, 66, 93, 131]
    """
    halves = math.floor(2.0 * math.log2(sites / 2))
    return sorted({round(sites / 2.0 ** (k / 2)) for k in range(halves + 1)})


def points_on(sites: Sites, values: Values) -> tuple[Point, ...]:
    """Return the points of a data set."""
    delta, budgets = values.number("delta"), values.numbers("epsilon")
    if any(math.isinf(e) for e in budgets):
        rule = "Budgets must be finite: the point without privacy is there in any case."
        raise DomainError(rule, field="epsilon", value=math.inf)
    budget = values.number("budget") or own_budget(sites, budgets, delta)
    make = partial(Trial, sites=sites, delta=delta)
    every = sites.m
    sweeps: list[tuple[str, float, Trial]] = []
    sweeps += [("epsilon", e, make(m=every, epsilon=e)) for e in budgets]
    for share in values.numbers("share"):
        trial = make(m=every, epsilon=budget, share=share)
        sweeps.append(("n", trial.mean_n, trial))
    for name, e, share in (("m", budget, 1.0), ("m, no privacy", math.inf, FEW)):
        sweeps += [(name, float(m), make(m=m, epsilon=e, share=share)) for m in teams(every)]
    # Two thresholds may be one budget, which is run once.
    free = dict.fromkeys(thresholds(sites).values())
    sweeps += [("free", e, make(m=every, epsilon=e)) for e in free]
    none = make(m=every, epsilon=math.inf)
    sweeps.append(("no privacy", none.mean_n, none))
    return tuple(_point(series, x, trial) for series, x, trial in sweeps)


def _point(series: str, x: float, trial: Trial) -> Point:
    made, method = planned(trial), METHODS[trial.sites.kind]
    swept = series in ASYMPTOTIC
    return Point(
        series=series,
        x=x,
        theory=method.calibrated(trial),
        exact=made.exact,
        settings=Values(
            epsilon=trial.epsilon,
            m=float(trial.m),
            n=trial.mean_n,
            share=trial.share,
            resolution=made.resolution,
            equation=trial.equation,
            noise=made.parts.noise,
        ),
        left_out=left_out(made) if swept else "no sweep",
        key=f"{trial.sites.key}, {series}, {x:.6g}",
    )


def sample_on(sites: Sites, values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return one loss per replicate of a point."""
    at = point.settings
    trial = Trial(
        sites=sites,
        share=at.number("share"),
        m=at.whole("m"),
        epsilon=at.number("epsilon"),
        delta=values.number("delta"),
    )
    draws = generators(seed, point.key, indices=indices)
    return np.asarray(METHODS[sites.kind].losses(planned(trial), draws))


def sites_of(values: Values) -> Sites:
    """Return the sites that the values name.

    Raises:
        DomainError: They come with a package that is not installed, or not as it is listed.
    """
    key = values.word("data")
    return invented(key) if key in INVENTED else load(key)


# Named, as a run sends them to other processes.
def real_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "real-sites"."""
    return points_on(sites_of(values), values)


def real_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return one loss per replicate of a point of "real-sites"."""
    return sample_on(sites_of(values), values, point, seed, indices)


PRIVACY = (
    "Each site makes one release per replicate: coefficients of a curve, or a kernel statistic "
    "with one joint Gaussian path, with noise of the exact calibration. It is (epsilon, "
    "delta)-differentially private under replacement of one of the records that the site drew; "
    "outcomes are clipped to public bounds. Taken as public, and not protected: the distribution "
    "of the covariate over all sites, by which it is scaled, the sizes of the sites, and the "
    "resolution, which is chosen with the truth in hand, as only a simulation can. This is a "
    "simulation on real records, no release of them."
)
_PARAMETERS = (
    Numbers(EPSILON.within("(0, inf)"), BUDGETS),
    Numbers(
        EPSILON.within(
            "(0, 1]", name="share", symbol="share", help="Which part of its size each site draws."
        ),
        SHARES,
    ),
    Number(
        EPSILON.within(
            "[0, inf)",
            name="budget",
            symbol="ε",
            help="Budget of the sweeps over n and m; 0 takes one inside the window.",
        ),
        0.0,
    ),
    Number(DELTA, USUAL_DELTA),
)
REAL = Experiment(
    name="real-sites",
    question="Do the rates hold on real records of real sites?",
    help=(
        "Public records of many sites, as unequal as they are. A replicate draws each site's "
        "records anew from its own, releases them privately and measures the error against what "
        "all records say. Error over budget, records and sites, protected and not."
    ),
    x_label="epsilon, records of a site, or sites",
    y_label="squared error (outcome on [-1, 1]) or excess risk",
    privacy=PRIVACY,
    parameters=(
        Choice(
            name="data",
            options=(*(one.key for one in SETS), *INVENTED),
            default="chem97",
            help="Which records: see sims/real/sets.toml; the invented ones are alike at all "
            "sites and need no package.",
        ),
        *_PARAMETERS,
    ),
    points=real_points,
    sample=real_sample,
    replicates=60,
    block=32,
    first=2,
    slopes=True,
)


def experiment(sites: Sites) -> Experiment:
    """Return "real-sites" on given sites, for a run inside this process.

    What a file states of such a run is the digest of the records, which are not in it.
    """
    fact = Choice(
        name="data",
        options=(f"sha256 {sites.digest}",),
        default=f"sha256 {sites.digest}",
        help="Fixed by the table.",
    )
    return replace(
        REAL,
        parameters=(fact, *_PARAMETERS),
        points=partial(points_on, sites),
        sample=partial(sample_on, sites),
    )


# One look --------------------------------------------------------------------------------------

POINTS = 256  # of a drawn curve


@dataclass(frozen=True, kw_only=True, eq=False)
class Look:
    """What the sites recover together at one budget, and what they would without privacy.

    Attributes:
        sites: The records.
        epsilon: Budget of every site.
        places: Places of the covariate among all records, (P,).
        truth: Mean outcome of all records there, or share of label 1 among the held-out ones.
        free: One estimate without noise.
        released: The same records with noise.
        parts: What the expected error with noise consists of.
        without: The same without noise.
        resolution: Steps of a curve, or bandwidth of a classification.
    """

    sites: Sites
    epsilon: float
    places: Array = field(repr=False)
    truth: Array = field(repr=False)
    free: Array = field(repr=False)
    released: Array = field(repr=False)
    parts: Parts
    without: Parts
    resolution: float

    @property
    def factor(self) -> float:
        """Expected error over that without privacy; nan where the records cannot tell one.

        What the truth itself does not know is taken off an error, which may leave nothing.
        """
        known = min(self.parts.total, self.without.total) > 0
        return self.parts.total / self.without.total if known else math.nan

    @property
    def equation(self) -> float:
        """The same by the rate equation."""
        free = _trial(self.sites, math.inf).equation
        return _trial(self.sites, self.epsilon).equation / free

    def miss(self, parts: Parts) -> float:
        """Root mean square error in the outcome's own unit; of labels their excess risk."""
        total = max(parts.total, 0.0)
        if self.sites.kind == "classification":
            return total
        return math.sqrt(total) * 0.5 * (self.sites.high - self.sites.low)


def _trial(sites: Sites, epsilon: float, delta: float = USUAL_DELTA) -> Trial:
    return Trial(sites=sites, m=sites.m, epsilon=epsilon, delta=delta)


def look(sites: Sites, *, epsilon: float, delta: float = USUAL_DELTA, seed: int = 0) -> Look:
    """Return one estimate of all sites at a budget, and its expected error by parts.

    With and without noise the same records are drawn, each at its own resolution.

    Args:
        sites: The records.
        epsilon: Budget of every site; inf is no protection.
        delta: Of the Gaussian noise.
        seed: Where the draw of records and the noise come from.
    """
    made, plain = (planned(_trial(sites, e, delta)) for e in (epsilon, math.inf))
    method = METHODS[sites.kind]
    places = midpoints(POINTS)
    found = (method.fitted(one, generator(seed, "look")) for one in (plain, made))
    cells = (method.truth_of(sites).drawn, *found)
    known, free, released = (one[cell_of(places, len(one))] for one in cells)
    return Look(
        sites=sites,
        epsilon=epsilon,
        places=places,
        truth=known,
        free=free,
        released=released,
        parts=made.parts,
        without=plain.parts,
        resolution=made.resolution,
    )


def causes(
    sites: Sites, budgets: tuple[float, ...], delta: float = USUAL_DELTA
) -> tuple[Parts, ...]:
    """Return what the expected error consists of at each of several budgets, all sites together."""
    return tuple(planned(_trial(sites, e, delta)).parts for e in budgets)
