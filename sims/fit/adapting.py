"""What not knowing the parameters costs a study: a stand-in run of the adaptive rules."""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass

from rates.answer import offered_delta
from rates.numbers import DomainError, Words
from rates.study import Server, Study, TransferStudy
from sims.curves import RANDOM_SMOOTHNESS
from sims.engine import Progress, Request, Values
from sims.paper_acc import PRICE, adaptive_price
from sims.regression import HEURISTIC, LARGEST, LEVELS_EXPERIMENT

BEST = "best K"
MOST_SOURCES = 9
MOST_SERVERS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """How much larger the error is for not knowing the parameters.

    Attributes:
        epsilon: Budget of every site; inf without privacy.
        ratio: Error of the rule that knows nothing over that of the rule that knows.
        low: Lower end of the 95% interval.
        high: Upper end.
        replicates: On which it rests.
    """

    epsilon: float
    ratio: float
    low: float
    high: float
    replicates: int


def price_request(study: Study, *, replicates: int = 40, seed: int = 0) -> Request:
    """Return a run that prices not knowing, for sites alike that stand in for a study's.

    Every site has the median records, budget and signal exponent of those that release
    something. A transfer study runs on the paper's design in two dimensions, or on the cusp in
    one; a federated one on random curves of its smoothness.

    Raises:
        DomainError: No site releases anything.

    Examples:
        >>> row = Server(name="target", n=500, epsilon=1)
        >>> study = TransferStudy(target=row, smoothness=1, dimension=2, margin=1)
        >>> price_request(study).values["epsilon"]
        (1.0, inf)

    Source: [ACC] Algorithms 1, 2; for curves a heuristic of our own.
    """
    used = [s for s in study.servers if s.informative]
    if not used:
        raise DomainError("No site releases anything.", field="servers", value=Words("none"))
    n = round(statistics.median(s.n for s in used))
    private = [s.epsilon for s in used if s.private]
    if isinstance(study, TransferStudy):
        sources = [s for s in study.sources if s.informative]
        gamma = statistics.median(s.signal_exponent for s in sources) if sources else 1.0
        experiment, values = (
            PRICE,
            Values(
                {
                    "world": "quadrants" if study.dimension > 1 else "cusp",
                    "n": _within(n, 10, 30_000),
                    "m": (_within(sum(s.count for s in sources), 1, MOST_SOURCES),),
                    "gamma": min(max(gamma, 0.25), 4.0),
                    "epsilon": (*([statistics.median(private)] if private else []), math.inf),
                }
            ),
        )
    else:
        experiment, values = (
            LEVELS_EXPERIMENT,
            Values(
                {
                    "epsilon": (statistics.median(private) if private else 100.0,),
                    "n": _within(n, 1, LARGEST // MOST_SERVERS),
                    "m": _within(sum(s.count for s in used), 1, MOST_SERVERS),
                    "delta": _delta(used, study),
                    "smoothness": min(study.smoothness, RANDOM_SMOOTHNESS.high),
                    "noise": "analytic",
                }
            ),
        )
    return Request(experiment=experiment, values=values, replicates=replicates, seed=seed)


def _within(x: int, low: int, high: int) -> int:
    return min(max(x, low), high)


def _delta(used: list[Server], study: Study) -> float:
    given = [s.delta for s in used if s.delta is not None]
    return min(given) if given else offered_delta(study)


def found_prices(progress: Progress) -> tuple[Price, ...]:
    """Return the prices of a run of `price_request`; none without two replicates.

    For curves the price is the heuristic's error over the exact error of the best K.
    """
    if progress.request.experiment.name == PRICE.name:
        return tuple(
            Price(epsilon=p.epsilon, ratio=p.ratio, low=p.low, high=p.high, replicates=p.replicates)
            for p in adaptive_price.prices(progress)
        )
    pairs = list(zip(progress.request.points, progress.estimates, strict=True))
    best = {p.x: p.exact for p, _ in pairs if p.series == BEST}
    out = []
    for point, found in pairs:
        known = best.get(point.x)
        if point.series != HEURISTIC or found.replicates < 2 or not known:
            continue
        ratio, low, high = (value / known for value in (found.mean, *found.interval()))
        out.append(
            Price(epsilon=point.x, ratio=ratio, low=low, high=high, replicates=found.replicates)
        )
    return tuple(out)
