"""Tab "What ε is that?": what a printed noise scale promises a record."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

from pages.figures.chart import Drawn, words
from pages.parts.frame import Block, Note, blocks
from pages.parts.live import Plan, Tab, plan
from pages.parts.logistic import common, figures
from pages.parts.session import Slider
from rates.logistic import RADIUS, RECORDS, SCALE, Meaning, meaning, record_sum, scale_for
from rates.numbers import DELTA, DIMENSION, decades
from sims.engine import Number

_SCALES = tuple(float(f"{m}e{k}") for k in range(-3, 4) for m in (1, 3))
_ONCE, _CRUDE = "Noise once, bound (8)", "Noise once, crude bound"
_SUM, _BOTH = "Noise per record, sums seen", "The same, two releases"


@functools.lru_cache(maxsize=512)
def _meaning(scale: float, rest: Plan) -> Meaning:
    names = ("dimension", "radius", "n", "delta")
    return meaning(scale, **{name: rest.values[name] for name in names})  # type: ignore[arg-type]


def _rest(asked: Plan) -> Plan:
    """What is asked but for the scale, along which the figure runs."""
    return asked.with_values(scale=TAB.usual.values["scale"])


def answer(asked: Plan) -> str:
    """Return the finding as sentences."""
    values = asked.values
    found = _meaning(values["scale"], _rest(asked))
    scale = words.number(values["scale"])
    if math.isinf(values["radius"]):
        return (
            f"Without clipping a Laplace scale of **{scale}** promises **nothing**: ε is infinite. "
            "The paper's covariates are normal, and it does not clip them."
        )
    needed = scale_for(1.0, dimension=values["dimension"], radius=values["radius"])
    return (
        f"With records of norm at most **{words.number(values['radius'])}** and "
        f"**{values['dimension']}** covariates, a Laplace scale of **{scale}** on the coefficients "
        f"means ε = **{words.number(found.once)}**, and **{words.number(found.once_twice)}** with "
        f"the second release of the debiasing step. ε = 1 needs a scale of "
        f"**{words.number(needed)}**."
    )


def before(asked: Plan) -> Iterable[Block]:
    """A warning where nothing is promised."""
    if math.isinf(asked.values["radius"]):
        yield Note(
            "**No clipping.** One record can move the sums without limit, so no noise is "
            "private, whatever its scale.",
            "warning",
            ":material/lock_open:",
        )


def drawn(asked: Plan) -> Iterable[Block]:
    """The readings along the scale, where any is finite."""
    rest = _rest(asked)
    rows = [_meaning(scale, rest) for scale in _SCALES]
    curves = {
        _ONCE: [m.once for m in rows],
        _CRUDE: [m.crude for m in rows],
        _SUM: [m.central for m in rows],
        _BOTH: [m.central_twice for m in rows],
    }
    finite = {name: ys for name, ys in curves.items() if any(0 < y < math.inf for y in ys)}
    if not finite:
        return
    yield Drawn(
        figure=figures.meaning(
            _SCALES, finite, float(asked.values["scale"]), title="The ε that a noise scale means"
        ),
        caption="Every point is for one record replaced. The crude bound is for norms at most 1 "
        "only. "
        "Where noise is added to every record and only sums are seen, the curve is for the "
        "stated δ and a normal approximation.",
        alt="ε against the Laplace scale. "
        + "; ".join(
            f"{name}: {words.number(ys[0])} at {words.number(_SCALES[0])} to "
            f"{words.number(ys[-1])} at {words.number(_SCALES[-1])}"
            for name, ys in finite.items()
        ),
        rows=[
            {"scale": scale, **{name: ys[k] for name, ys in finite.items()}}
            for k, scale in enumerate(_SCALES)
        ],
        name="epsilon-of-scale",
    )


def below(asked: Plan) -> Iterable[Block]:
    """The readings at the scale."""
    values = asked.values
    found = _meaning(values["scale"], _rest(asked))
    p, delta = values["dimension"], f"δ = {words.number(values['delta'])}"
    typical = p * math.sqrt(2 / math.pi)
    yield blocks.numbers(
        "Reading",
        "ε",
        {
            f"{_ONCE} (pure)": found.once,
            f"{_CRUDE} (pure)": found.crude,
            "Two releases, target (pure)": found.once_twice,
            f"{_SUM}, {delta}": found.central,
            f"{_BOTH}, {delta}": found.central_twice,
            "No clipping, as in the paper": math.inf,
        },
        alt="What the noise scale means under each reading",
    )
    yield Note(
        f"A typical record of the paper's design with p = {p} has absolute covariates that add up "
        f"to {words.number(typical)}. Unclipped, replacing it by zeros alone costs ε = "
        f"{words.number(record_sum(typical) / values['scale'])}."
    )


PRIVACY = (
    "Readings of a printed number, one record replaced. The pure ones hold for each record even "
    "against whoever collects; the others only if the sums alone are seen."
)
LIMITS = (
    "- An upper bound from the sensitivity; a sharper analysis of single pairs of records can give "
    "a smaller ε, by at most a factor of 2.\n"
    "- Choices by cross-validation and of sources, as printed, use unprotected records and are not "
    "counted here.\n"
    "- The normal approximation is poor for few records."
)
TAB = Tab(
    page="logistic",
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
    made=lambda asked: asked,
    answer=answer,
    before=before,
    drawn=drawn,
    below=below,
    privacy=PRIVACY,
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
    limits=LIMITS,
    statements={
        "DPLR:Eq9:epsilon-of-scale": "The ε of a noise scale",
        "DPLR:Alg1:unclipped": "Without clipping",
        "DPLR:Alg1:second-release": "Two steps on one budget",
        "DPLR:Alg1:placement": "Where the noise is added",
    },
    used=("logistic",),
)
