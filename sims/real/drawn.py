"""One release of real sites, drawn: the estimate beside the truth; and the sites as a study."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from rates.numbers import DomainError
from rates.study import FederatedStudy, Server, TransferStudy
from sims.acc import COVARIATES, Hospital
from sims.engine import Array, generator
from sims.real import classifier, curve
from sims.real.sites import Sites, made
from sims.real.trial import Trial


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One release beside the truth, in equal parts of the records by their covariate.

    Attributes:
        places: Middle of each part among all records, 0 to 1.
        covariate: Which covariate stands there.
        truth: Mean outcome of all records (a curve), or share of label 1 among those held out.
        private: The private estimate; of a classification the label, 0 or 1.
        free: The same without noise, from the same records.
        epsilon: Budget.
        error: Its loss, outcomes on [-1, 1], or its excess risk.
    """

    places: tuple[float, ...]
    covariate: tuple[float, ...]
    truth: tuple[float, ...]
    private: tuple[float, ...]
    free: tuple[float, ...]
    epsilon: float
    error: float


def example(sites: Sites, *, epsilon: float, delta: float = 1e-5, seed: int = 0) -> Example:
    """Return one release of all sites at a budget, the same for the same seed.

    >>> from sims.real.invented import invented
    >>> one = example(invented("invented"), epsilon=1.0)
    >>> len(one.truth), one.error < 0.01
    (64, True)
    """
    trial = Trial(sites=sites, m=sites.m, epsilon=epsilon, delta=delta)
    plain = Trial(sites=sites, m=sites.m, epsilon=math.inf, delta=delta)
    cells = sites.cells
    places = (np.arange(cells) + 0.5) / cells
    rngs = [generator(seed, sites.key, "example") for _ in range(4)]
    if sites.kind == "curve":
        best = curve.plan(trial)
        private, free = (
            _outcomes(sites, curve.fitted(p, rng))
            for p, rng in zip((best, curve.plan(plain)), rngs, strict=False)
        )
        truth = _outcomes(sites, curve.truth_of(sites).mean)
        error = float(curve.losses(best, rngs[2:3])[0])
    else:
        made_ = classifier.plan(trial)
        step = classifier.MESH // cells
        private, free = (
            classifier.labels(p, rng)[step // 2 :: step].tolist()
            for p, rng in zip((made_, classifier.plan(plain)), rngs, strict=False)
        )
        truth = classifier.held_of(sites).share.tolist()
        error = float(classifier.losses(made_, rngs[2:3])[0])
    return Example(
        places=tuple(places.tolist()),
        covariate=tuple(sites.covariate(places.tolist())),
        truth=tuple(truth),
        private=tuple(private),
        free=tuple(free),
        epsilon=epsilon,
        error=error,
    )


def _outcomes(sites: Sites, scaled: Array) -> list[float]:
    out: list[float] = sites.outcome(scaled).tolist()
    return out


def as_study(
    sites: Sites, *, epsilon: float, delta: float = 1e-5
) -> FederatedStudy | TransferStudy:
    """Return the sites as a study: their sizes, one budget, and the exponents that are tried.

    A classification has the largest site as its target. A name that a study cannot have becomes
    the site's number.
    """
    seen: set[str] = set()
    rows = []
    for k, (name, n) in enumerate(zip(sites.names, sites.sizes.tolist(), strict=True)):
        private = None if math.isinf(epsilon) else delta
        row = Server(name=f"Site {k + 1}", n=int(n), epsilon=epsilon, delta=private)
        with suppress(DomainError):
            given = f"Site {name}" if name.isdigit() else name
            row = replace(row, name=given) if given not in seen else row
        seen.add(row.name)
        rows.append(row)
    if sites.kind == "curve":
        return FederatedStudy(servers=tuple(rows), smoothness=curve.SMOOTHNESS)
    return TransferStudy(
        target=rows[0],
        sources=tuple(rows[1:]),
        smoothness=classifier.SMOOTHNESS,
        dimension=classifier.DIMENSION,
        margin=classifier.MARGIN,
    )


def of_hospitals(hospitals: Sequence[Hospital], covariate: str = "thalach") -> Sites:
    """Return heart-disease files as sites: disease against one of their covariates.

    Args:
        hospitals: As `sims.acc.read_hospital` reads them.
        covariate: One of the seven.

    Raises:
        DomainError: There is no such covariate, or the records are refused.
    """
    if covariate not in COVARIATES:
        rule = f"The covariate must be one of {', '.join(COVARIATES)}."
        raise DomainError(rule, field="covariate", value=covariate)
    at = COVARIATES.index(covariate)
    return made(
        key="heart",
        title="Heart disease",
        kind="classification",
        names=[h.name for h in hospitals for _ in range(h.n)],
        x=np.concatenate([h.x[:, at] for h in hospitals]),
        y=np.concatenate([h.y for h in hospitals]),
        bounds=(0.0, 1.0),
        words={"sites": "hospitals", "records": "patients", "x": covariate, "y": "heart disease"},
        notes=tuple(f"{h.name}: {note}" for h in hospitals for note in h.notes),
    )
