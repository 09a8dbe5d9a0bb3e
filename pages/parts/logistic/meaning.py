"""Tab "What ε is that?": what a printed noise scale promises a record."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures import chart
from pages.figures.chart import words
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, plan
from pages.parts.logistic import common as logistic_common
from pages.parts.logistic import figures
from rates.logistic import RADIUS, RECORDS, SCALE, Meaning, meaning, record_sum, scale_for
from rates.numbers import DELTA, DIMENSION, decades
from sims.engine import Number, Value

TAB = "meaning"
USUAL = plan(
    (
        Number(parameter=SCALE, default=0.1),
        Number(parameter=DIMENSION, default=50),
        Number(parameter=RADIUS, default=1.0),
        Number(parameter=RECORDS, default=300),
        Number(parameter=DELTA, default=1e-5),
    ),
    replicates=2,
)
_SCALES = tuple(float(f"{m}e{k}") for k in range(-3, 4) for m in (1, 3))
_ONCE, _CRUDE = "Noise once, bound (8)", "Noise once, crude bound"
_SUM, _BOTH = "Noise per record, sums seen", "The same, two releases"


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        tabs.number(TAB, "scale", "Laplace scale, the paper's Δ/ε", logistic_common.SCALES)
        tabs.number(TAB, "dimension", "Covariates p", [5, 10, 20, 50, 100])
        tabs.number(
            TAB, "radius", "Clipping radius R", [0.5, 1.0, 2.0, 3.0, 5.0, 7.07, 10.0, math.inf]
        )
        tabs.number(TAB, "n", "Records of the site n", decades(2, 5, whole=True))
        tabs.number(TAB, "delta", "δ of the sums", logistic_common.DELTAS)
        tabs.refusal()
    values = tabs.plan(TAB).values
    found = _meaning(float(values["scale"]), _rest(values))
    place.markdown(_answer(found, values))
    with right:
        if math.isinf(values["radius"]):
            st.warning(
                "**No clipping.** One record can move the sums without limit, so no noise is "
                "private, whatever its scale.",
                icon=":material/lock_open:",
            )
        _figure(values)
    _table(found, values)


def _rest(values: dict) -> tuple[tuple[str, Value], ...]:
    return tuple((name, values[name]) for name in ("dimension", "radius", "n", "delta"))


@functools.lru_cache(maxsize=512)
def _meaning(scale: float, rest: tuple[tuple[str, Value], ...]) -> Meaning:
    return meaning(scale, **dict(rest))  # type: ignore[arg-type]


def _answer(found: Meaning, values: dict) -> str:
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


def _figure(values: dict) -> None:
    rest = _rest(values)
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
    drawn = chart.Drawn(
        figure=figures.meaning(
            _SCALES, finite, float(values["scale"]), title="The ε that a noise scale means"
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
    figure_card.show(drawn, key="figure_logistic_meaning")


def _table(found: Meaning, values: dict) -> None:
    p = values["dimension"]
    typical = p * math.sqrt(2 / math.pi)
    rows = {
        f"{_ONCE} (pure)": found.once,
        f"{_CRUDE} (pure)": found.crude,
        "Two releases, target (pure)": found.once_twice,
        f"{_SUM}, δ = {words.number(values['delta'])}": found.central,
        f"{_BOTH}, δ = {words.number(values['delta'])}": found.central_twice,
        "No clipping, as in the paper": math.inf,
    }
    tables.wide(
        {"Reading": list(rows), "ε": [words.number(x) for x in rows.values()]},
        alt="What the noise scale means under each reading",
    )
    st.caption(
        f"A typical record of the paper's design with p = {p} has absolute covariates that add up "
        f"to {words.number(typical)}. Unclipped, replacing it by zeros alone costs ε = "
        f"{words.number(record_sum(typical) / values['scale'])}."
    )


def below() -> None:
    """What stands below the tab."""
    logistic_common.folds(_why, LIMITS, STATEMENTS, privacy=PRIVACY)


def _why() -> None:
    st.latex(
        r"\Delta = 2\max_{\|x\|\le R}\Big(\tfrac12\|x\|_1 + \tfrac18\|x\|_1^2\Big)"
        r" = R\sqrt p + \tfrac14R^2p, \qquad \varepsilon = \Delta/b"
    )
    st.latex(r"\Delta_2 = \sqrt2\,\big(R^2+\tfrac18\big), \qquad \sigma = b\sqrt{2n}")
    st.markdown(
        "The first line is the sensitivity (8) of the surrogate's coefficients and what a Laplace "
        "scale b then promises. The crude bound takes every covariate as 1. The second line is for "
        "noise inside the sum over n records, if nobody sees the single records: the noise adds "
        "up to a nearly normal one of standard deviation σ, against the Euclidean sensitivity Δ₂ "
        "of G and b."
    )


PRIVACY = (
    "Readings of a printed number, one record replaced. The pure ones hold for each record even "
    "against whoever collects; the others only if the sums alone are seen."
)
STATEMENTS = {
    "DPLR:Eq9:epsilon-of-scale": "The ε of a noise scale",
    "DPLR:Alg1:unclipped": "Without clipping",
    "DPLR:Alg1:second-release": "Two steps on one budget",
    "DPLR:Alg1:placement": "Where the noise is added",
}
LIMITS = (
    "- An upper bound from the sensitivity; a sharper analysis of single pairs of records can give "
    "a smaller ε, by at most a factor of 2.\n"
    "- Choices by cross-validation and of sources, as printed, use unprotected records and are not "
    "counted here.\n"
    "- The normal approximation is poor for few records."
)
