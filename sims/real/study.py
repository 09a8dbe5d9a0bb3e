"""Real sites as a study: their sizes, one budget, and the exponents that are tried."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace

from rates.numbers import DomainError
from rates.study import FederatedStudy, Server, TransferStudy
from sims.real import classifier, curve
from sims.real.sites import Sites
from sims.real.trial import USUAL_DELTA


def as_study(
    sites: Sites, *, epsilon: float, delta: float = USUAL_DELTA
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
