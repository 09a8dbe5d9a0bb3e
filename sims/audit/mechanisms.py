"""The mechanisms that are audited, by name."""

from __future__ import annotations

from sims.audit import learners, summaries
from sims.audit.setup import Audited

AUDITED: tuple[Audited, ...] = (
    Audited(
        name="kernel classifier",
        promise="One joint Gaussian path: (ε, δ) under replacement of one record.",
        made=summaries.lattice,
    ),
    Audited(
        name="kernel classifier in the plane",
        promise="One joint Gaussian path: (ε, δ) under replacement of one record.",
        made=summaries.screen,
    ),
    Audited(
        name="kernel classifier at every bandwidth",
        promise="One path per bandwidth: (ε, δ) together, δ = n⁻², one record replaced.",
        made=summaries.every_bandwidth,
    ),
    Audited(
        name="histogram, Gaussian",
        promise="Noise of each bin: (ε, δ) under replacement of one record.",
        made=summaries.binned("Gaussian"),
    ),
    Audited(
        name="histogram, Laplace",
        gaussian=False,
        promise="Noise of each bin: (ε, 0) under replacement of one record.",
        made=summaries.binned("Laplace"),
    ),
    Audited(
        name="curve",
        promise="Coefficients with Gaussian noise: (ε, δ) under replacement of one record.",
        made=summaries.curve(point=False),
    ),
    Audited(
        name="curve at a point",
        gaussian=False,
        promise="One value with Laplace noise: (ε, 0) under replacement of one record.",
        made=summaries.curve(point=True),
    ),
    Audited(
        name="logistic statistics, Gaussian",
        promise="Second and cross moments of clipped records: (ε, δ), one record replaced.",
        made=learners.site("gaussian"),
    ),
    Audited(
        name="logistic statistics, Laplace",
        promise="Second and cross moments of clipped records: (ε, 0), one record replaced.",
        gaussian=False,
        made=learners.site("laplace"),
    ),
    Audited(
        name="adaptation, noisy descent",
        promise="Every gradient with Gaussian noise: (ε, δ) for all steps, one private record "
        "replaced.",
        made=learners.descent("squared"),
    ),
    Audited(
        name="adaptation, logistic descent",
        promise="Every gradient with Gaussian noise: (ε, δ) for all steps, one private record "
        "replaced.",
        made=learners.descent("logistic"),
    ),
    Audited(
        name="hybrid, rule by the exponential mechanism",
        promise="A choice among 20 rules by their errors: (ε, 0), one record replaced.",
        gaussian=False,
        made=learners.rule("exponential"),
    ),
    Audited(
        name="hybrid, rule by permute and flip",
        promise="A choice among 20 rules by their errors: (ε, 0), one record replaced.",
        gaussian=False,
        made=learners.rule("permute and flip"),
    ),
    Audited(
        name="tally of a class",
        promise="Discrete Laplace noise on one count: (ε, 0), one answer replaced.",
        gaussian=False,
        made=summaries.tally,
    ),
)


def find(name: str) -> Audited:
    """Return the mechanism of this name."""
    return next(audited for audited in AUDITED if audited.name == name)
