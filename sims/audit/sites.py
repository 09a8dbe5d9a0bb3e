"""Audited releases on records of real sites: the curve of [CCV] and the labels of [ACC]."""

from __future__ import annotations

import numpy as np

from sims import acc, real
from sims.audit.setup import RECORDS, Setup, always

STEPS = 8


def curve(epsilon: float, delta: float) -> Setup:
    """Audit one site's coefficients: an outcome goes from one public bound to the other."""
    sites = real.pair(RECORDS, "curve")
    made = real.curve.plan(
        real.Trial(sites=sites, m=1, epsilon=epsilon, delta=delta), dimension=STEPS
    )
    rows = real.curve.steps(sites, STEPS).grid.matrix.toarray()
    change = 2.0 * rows[int(np.argmax(np.linalg.norm(rows, axis=1)))] / RECORDS
    return Setup(
        run=lambda rng: real.curve.coefficients(made, rng),
        change=always(change),
        delta=delta,
    )


def labels(epsilon: float, delta: float) -> Setup:
    """Audit one site's statistic: a label flips, and its value there says it all."""
    sites = real.pair(RECORDS, "classification")
    made = real.classifier.plan(real.Trial(sites=sites, m=1, epsilon=epsilon, delta=delta))
    mesh, h = real.classifier.MESH, made.resolution
    place = (np.arange(mesh) - mesh // 2) / (h * mesh)
    change = acc.profile(acc.TRIANGULAR, place) / (int(made.n[0]) * h)
    return Setup(
        run=lambda rng: real.classifier.statistic(made, rng),
        change=always(change),
        reading=lambda entry, out: float(out[mesh // 2]),
        delta=delta,
    )
