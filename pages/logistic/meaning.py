"""Tab "What ε is that?": what a printed noise scale promises a record."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass

from pages.charts import words
from pages.core import Block, Note, Slider, blocks
from pages.core.live import Plan, plan
from pages.logistic import common, figures
from rates.logistic import RADIUS, RECORDS, SCALE, Meaning, meaning, record_sum, scale_for
from rates.numbers import DELTA, DIMENSION, decades
from sims.engine import Number

_SCALES = tuple(float(f"{m}e{k}") for k in range(-3, 4) for m in (1, 3))
_CURVES = {
    "Noise once, bound (8)": "once",
    "Noise once, crude bound": "crude",
    "Noise per record, sums seen": "central",
    "The same, two releases": "central_twice",
}
_meaning = functools.lru_cache(maxsize=512)(meaning)


@dataclass(frozen=True, slots=True)
class Made:
    """What is asked, and what it means.

    Attributes:
        scale: The noise scale.
        dimension: Covariates.
        radius: Clipping radius.
        delta: δ of the sums.
        found: What the scale means.
        along: What the scales of the figure mean.
    """

    scale: float
    dimension: int
    radius: float
    delta: float
    found: Meaning
    along: tuple[Meaning, ...]


def made(asked: Plan) -> Made:
    """Return what the scale means, and others."""
    values = asked.values
    p, radius, delta = values.whole("dimension"), values.number("radius"), values.number("delta")
    at = functools.partial(_meaning, dimension=p, radius=radius, n=values.whole("n"), delta=delta)
    scale = values.number("scale")
    return Made(scale, p, radius, delta, at(scale), tuple(map(at, _SCALES)))


def answer(made: Made) -> str:
    """Return the finding as sentences."""
    scale, found = words.number(made.scale), made.found
    if math.isinf(made.radius):
        return (
            f"Without clipping a Laplace scale of **{scale}** promises **nothing**: ε is infinite. "
            "The paper's covariates are normal, and it does not clip them."
        )
    needed = scale_for(1.0, dimension=made.dimension, radius=made.radius)
    return (
        f"With records of norm at most **{words.number(made.radius)}** and "
        f"**{made.dimension}** covariates, a Laplace scale of **{scale}** on the coefficients "
        f"means ε = **{words.number(found.once)}**, and **{words.number(found.once_twice)}** with "
        f"the second release of the debiasing step. ε = 1 needs a scale of "
        f"**{words.number(needed)}**."
    )


def before(made: Made) -> Iterable[Block]:
    """A warning where nothing is promised."""
    if math.isinf(made.radius):
        yield Note(
            "**No clipping.** One record can move the sums without limit, so no noise is "
            "private, whatever its scale.",
            "warning",
            ":material/lock_open:",
        )


def drawn(made: Made) -> Iterable[Block]:
    """The readings along the scale, where any is finite."""
    curves = {name: [getattr(m, field) for m in made.along] for name, field in _CURVES.items()}
    finite = {name: ys for name, ys in curves.items() if any(0 < y < math.inf for y in ys)}
    if finite:
        yield figures.meaning(_SCALES, finite, made.scale)


def below(made: Made) -> Iterable[Block]:
    """The readings at the scale."""
    p, found, delta = made.dimension, made.found, f"δ = {words.number(made.delta)}"
    once, crude, sums, both = _CURVES
    typical = p * math.sqrt(2 / math.pi)
    yield blocks.numbers(
        "Reading",
        "ε",
        {
            f"{once} (pure)": found.once,
            f"{crude} (pure)": found.crude,
            "Two releases, target (pure)": found.once_twice,
            f"{sums}, {delta}": found.central,
            f"{both}, {delta}": found.central_twice,
            "No clipping, as in the paper": math.inf,
        },
        alt="What the noise scale means under each reading",
    )
    yield Note(
        f"A typical record of the paper's design with p = {p} has absolute covariates that add up "
        f"to {words.number(typical)}. Unclipped, replacing it by zeros alone costs ε = "
        f"{words.number(record_sum(typical) / made.scale)}."
    )


TAB = common.tab(
    name="meaning",
    title="What ε is that?",
    usual=plan(
        (
            Number(SCALE, 0.1),
            Number(DIMENSION, 50),
            Number(RADIUS, 1.0),
            Number(RECORDS, 300),
            Number(DELTA, 1e-5),
        ),
        replicates=2,
    ),
    fields=(
        Slider("scale", "Laplace scale, the paper's Δ/ε", common.SCALES),
        Slider("dimension", "Covariates p", [5, 10, 20, 50, 100]),
        Slider("radius", "Clipping radius R", [0.5, 1.0, 2.0, 3.0, 5.0, 7.07, 10.0, math.inf]),
        Slider("n", "Records of the site n", decades(2, 5, whole=True)),
        Slider("delta", "δ of the sums", common.DELTAS),
    ),
    made=made,
    answer=answer,
    before=before,
    drawn=drawn,
    below=below,
    privacy=(
        "Readings of a printed number, one record replaced. The pure ones hold for each record "
        "even against whoever collects; the others only if the sums alone are seen."
    ),
    formula=r"\Delta = 2\max_{\|x\|\le R}\Big(\tfrac12\|x\|_1 + \tfrac18\|x\|_1^2\Big)"
    r" = R\sqrt p + \tfrac14R^2p, \qquad \varepsilon = \Delta/b"
    "\n"
    r"\Delta_2 = \sqrt2\,\big(R^2+\tfrac18\big), \qquad \sigma = b\sqrt{2n}",
    why=(
        "The first line is the sensitivity (8) of the surrogate's coefficients and what a Laplace "
        "scale b then promises. The crude bound takes every covariate as 1. The second line is for "
        "noise inside the sum over n records, if nobody sees the single records: the noise adds "
        "up to a nearly normal one of standard deviation σ, against the Euclidean sensitivity Δ₂ "
        "of G and b."
    ),
    limits=(
        "- An upper bound from the sensitivity; a sharper analysis of single pairs of records can "
        "give a smaller ε, by at most a factor of 2.\n"
        "- Choices by cross-validation and of sources, as printed, use unprotected records and are "
        "not counted here.\n"
        "- The normal approximation is poor for few records."
    ),
    statements={
        "DPLR:Eq9:epsilon-of-scale": "The ε of a noise scale",
        "DPLR:Alg1:unclipped": "Without clipping",
        "DPLR:Alg1:second-release": "Two steps on one budget",
        "DPLR:Alg1:placement": "Where the noise is added",
    },
)
