"""The mechanisms that are audited, by name."""

from __future__ import annotations

from sims.audit import columns, learners, sites, summaries
from sims.audit.setup import Audited

_DESCENT = "Every gradient with Gaussian noise: (ε, δ) for all steps, one private record replaced."
AUDITED: tuple[Audited, ...] = (
    Audited(
        "kernel classifier",
        "One joint Gaussian path: (ε, δ) under replacement of one record.",
        summaries.lattice,
    ),
    Audited(
        "kernel classifier in the plane",
        "One joint Gaussian path: (ε, δ) under replacement of one record.",
        summaries.screen,
    ),
    Audited(
        "kernel classifier at every bandwidth",
        "One path per bandwidth: (ε, δ) together, δ = n⁻², one record replaced.",
        summaries.every_bandwidth,
    ),
    Audited(
        "histogram, Gaussian",
        "Noise of each bin: (ε, δ) under replacement of one record.",
        summaries.binned("Gaussian"),
    ),
    Audited(
        "histogram, Laplace",
        "Noise of each bin: (ε, 0) under replacement of one record.",
        summaries.binned("Laplace"),
    ),
    Audited(
        "curve",
        "Coefficients with Gaussian noise: (ε, δ) under replacement of one record.",
        summaries.curve(point=False),
    ),
    Audited(
        "curve at a point",
        "One value with Laplace noise: (ε, 0) under replacement of one record.",
        summaries.curve(point=True),
    ),
    Audited(
        "logistic statistics, Gaussian",
        "Second and cross moments of clipped records: (ε, δ), one record replaced.",
        learners.site("gaussian"),
    ),
    Audited(
        "logistic statistics, Laplace",
        "Second and cross moments of clipped records: (ε, 0), one record replaced.",
        learners.site("laplace"),
    ),
    Audited(
        "adaptation, noisy descent",
        _DESCENT,
        learners.descent("squared"),
    ),
    Audited(
        "adaptation, logistic descent",
        _DESCENT,
        learners.descent("logistic"),
    ),
    Audited(
        "hybrid, rule by the exponential mechanism",
        "A choice among 20 rules by their errors: (ε, 0), one record replaced.",
        learners.rule("exponential"),
    ),
    Audited(
        "hybrid, rule by permute and flip",
        "A choice among 20 rules by their errors: (ε, 0), one record replaced.",
        learners.rule("permute and flip"),
    ),
    Audited(
        "curve of real sites",
        "Coefficients of a site's records, Gaussian noise: (ε, δ), one record replaced.",
        sites.curve,
    ),
    Audited(
        "labels of real sites",
        "One joint Gaussian path over a site's records: (ε, δ), one record replaced.",
        sites.labels,
    ),
    Audited(
        "split columns, apart",
        "Laplace noise on means over batches: (ε, 0), one value of a column replaced.",
        columns.apart,
    ),
    Audited(
        "split columns, the one that listens",
        "Laplace noise on a mean product of signs: (ε, 0), one value of its column replaced.",
        columns.listener,
    ),
    Audited(
        "tally of a class",
        "Discrete Laplace noise on one count: (ε, 0), one answer replaced.",
        summaries.tally,
    ),
)


def find(name: str) -> Audited:
    """Return the mechanism of this name."""
    return next(audited for audited in AUDITED if audited.name == name)
