"""Tab "Rate": simulated risk over C times the calibrated rate."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.classification import privacy as classification_privacy
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, kept, of_experiment
from pages.parts.live import panel as live
from rates.numbers import decades, steps
from sims.classification import NAMES, RATE, SIZES, Kink, asymptotic_slopes, kinks, rate_spent
from sims.engine import Fit, Progress, Value, fits, scaling

TAB = "rate"
USUAL = of_experiment(RATE)
SWEEPS = {"n": "Sample size n", "epsilon": "Budget ε", "m": "Number of sources m"}
SERVERS = {"target": "Target", "sources": "Sources", "both": "Both"}
WORLDS = {"cusp": "One covariate", "cusp, d = 2": "Two covariates"}
MECHANISMS = {"analytic": "Exact calibration", "printed": "Constant of the paper"}
_SHORT = {"n": "n", "epsilon": "ε", "m": "m"}
_BUDGETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
_COUNTS = (1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4)
_STOPS = {"n": (100.0, 300.0, 1e3, *SIZES, 3e8, 1e9), "epsilon": _BUDGETS, "m": _COUNTS}
_LISTS: dict[str, dict[str, Value]] = {  # what each sweep starts with
    "n": {"n": SIZES, "epsilon": (math.inf, 1.0, 0.1), "m": (1.0,)},
    "epsilon": {"n": (1e6, 1e5, 1e4), "epsilon": _BUDGETS, "m": (1.0,)},
    "m": {"n": (1e6,), "epsilon": (math.inf, 1.0, 0.1), "m": _COUNTS},
}
_MOST_NAMED = 3  # series spelled out in the answer
_SPREAD = "± is a standard error."


_RATE = kept(RATE)


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, _RATE, place)
        if request is None:
            return
        live.panel(
            live.Job(
                key="classification_rate",
                request=request,
                answer=answer,
                draw=draw,
                auto=asked == USUAL,
            ),
            place,
        )
        classification_privacy.show(rate_spent(request.values))


def _controls(tabs: Tabs) -> None:
    tabs.choice(TAB, "servers", "Who releases", SERVERS, then=_of_servers)
    values = tabs.plan(TAB).values
    alone = values["servers"] == "target"
    sweeps = {name: title for name, title in SWEEPS.items() if name != "m" or not alone}
    tabs.choice(TAB, "sweep", "Along the axis", sweeps, then=_LISTS.__getitem__)
    swept = str(tabs.plan(TAB).values["sweep"])
    tabs.between(TAB, swept, f"Range of {_SHORT[swept]}", _STOPS[swept])
    if swept != "epsilon":
        options = (math.inf, 10.0, 1.0, 0.1, 0.01)
        tabs.several(TAB, "epsilon", "Budgets ε, one curve each", options)
    if swept != "n":
        title = "Records in all" if swept == "m" else "Records of each server n"
        tabs.several(TAB, "n", f"{title}, one curve each", (1e4, 1e5, 1e6, 1e7))
    if not alone:
        tabs.number(TAB, "gamma", "Signal exponent γ", steps(0.25, 4.0, 0.25))
        if swept != "m":
            tabs.number(TAB, "m", "Number of sources m", decades(0, 4, whole=True))
        if values["servers"] == "both":
            tabs.number(TAB, "n0", "Target records n₀", decades(2, 8, whole=True))
    tabs.repetition(TAB)
    with st.expander("World, mechanism, exact lists"):
        tabs.choice(TAB, "world", "World", WORLDS)
        tabs.choice(TAB, "mechanism", "Noise", MECHANISMS)
        tabs.number(TAB, "kappa", "Bandwidth over r, κ", steps(1.0, 6.0, 0.5))
        for name in ("n", "epsilon", *(("m", "gamma") if not alone else ())):
            tabs.listing(TAB, name, f"{name}, exact list")
    tabs.refusal()


def _of_servers(servers: str) -> Mapping[str, Value]:
    """A sweep over sources makes no sense for a target alone."""
    return {"sweep": "n", **_LISTS["n"]} if servers == "target" else {}


def rivals(progress: Progress) -> dict[str, dict[str, float]]:
    """Return, by series, the slopes far out where one of two terms decides alone."""
    out = {}
    for series, exponents in asymptotic_slopes(progress.request.values).items():
        if exponents.privacy is not None:
            out[series] = {
                "sampling alone": exponents.sampling,
                "privacy alone": exponents.privacy,
            }
    return out


def judged(fit: Fit, others: Mapping[str, float]) -> str:
    """Return the verdict on one curve in words."""
    verdict = fit.verdict(others)
    if verdict != scaling.CANNOT_DISTINGUISH:
        return verdict
    names = [n for n, s in others.items() if fit.verdict({n: s}) == scaling.CANNOT_DISTINGUISH]
    return f"agrees, but cannot distinguish it from {' or '.join(names)}"


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return (
            "The dotted lines are the classifier's exact risk, computed without simulation. "
            "**Run** puts simulated points beside them and fits the slope."
        )
    found = [f for f in _fits(progress) if f.slope is not None]
    counts = words.span(f"{min(progress.counts):,}", f"{max(progress.counts):,}")
    seen = sum(count >= 2 for count in progress.counts)
    start = f"After **{seen} points** and **{counts} replicates**, "
    if not found:
        return f"{start}there are too few points for a slope."
    other = rivals(progress)
    verdicts = {fit.series: judged(fit, other.get(fit.series, {})) for fit in found}
    named = [
        f"{fit.series} **{_slope(fit)}** against **{words.signed(fit.theory)}** "
        f"({verdicts[fit.series]})"
        for fit in found[:_MOST_NAMED]
    ]
    if len(found) == 1:
        fit = found[0]
        return (
            f"{start}the fitted slope is **{_slope(fit)}**; the calibrated rate's over the same "
            f"window is **{words.signed(fit.theory)}**: **{verdicts[fit.series]}**. {_SPREAD}"
        )
    more = f"; and {len(found) - _MOST_NAMED} more below" if len(found) > _MOST_NAMED else ""
    agreed = sum(v.startswith(scaling.AGREES) for v in verdicts.values())
    return (
        f"{start}**{agreed} of {len(found)}** fitted slopes agree with the calibrated rate's "
        f"over the same window: {'; '.join(named)}{more}. {_SPREAD}"
    )


def _fits(progress: Progress) -> tuple[Fit, ...]:
    return fits(progress.request.points, progress.estimates)


def _slope(fit: Fit) -> str:
    return f"{words.signed(fit.slope.value)} ± {fit.slope.stderr:.3f}" if fit.slope else "none"


_kinks = functools.lru_cache(maxsize=64)(kinks)


def draw(progress: Progress) -> None:
    """Draw the figure and the table of slopes."""
    request, estimates, found = progress.request, progress.estimates, _fits(progress)
    swept = str(request.values["sweep"])
    bends = _kinks(request.values)
    at: dict[str, list[float]] = {}
    for kink in bends:
        at.setdefault(kink.series, []).append(kink.x)
    drawn = chart.Drawn(
        figure=simulation.rate_figure(
            request.points,
            estimates,
            found,
            x_title=SWEEPS[swept],
            y_title="Excess risk",
            title="Excess risk over C times the calibrated rate",
            curve="calibrated rate",
            bends=at,
        ),
        alt=simulation.alt(request.points, estimates, SWEEPS[swept]),
        rows=simulation.rows(request.points, estimates),
        name="rate",
        caption=_bends(bends, swept),
    )
    figure_card.show(drawn, key="figure_classification_rate")
    _table(progress, found)


def _bends(bends: Sequence[Kink], swept: str) -> str:
    listed = "; ".join(
        f"{kink.series}: {_SHORT[swept]} = {words.number(kink.x)} ({NAMES[kink.server]}, the "
        f"{kink.server})"
        for kink in bends
    )
    where = (
        f"Thin vertical lines: where the privacy and the sampling term of a server are equal, "
        f"and its rate bends. {listed}. The constants are the mechanism's; the rates of (4), "
        "without constants, put the bends elsewhere."
        if listed
        else "No curve bends within this range: one term decides throughout."
    )
    return where


def _table(progress: Progress, found: Sequence[Fit]) -> None:
    """Slopes side by side."""
    far, other = asymptotic_slopes(progress.request.values), rivals(progress)

    def asymptotic(series: str) -> str:
        if series not in far:
            return "no single one"
        ends = far[series]
        if ends.privacy is None:
            return words.signed(ends.sampling)
        return f"privacy {words.signed(ends.privacy)}, sampling {words.signed(ends.sampling)}"

    tables.wide(
        {
            "Curve": [fit.series for fit in found],
            "Fitted slope": [_slope(fit) for fit in found],
            "Calibrated": [words.signed(fit.theory) for fit in found],
            "Verdict": [judged(fit, other.get(fit.series, {})) for fit in found],
            "95 % interval": [
                f"{words.signed(fit.slope.low)} to {words.signed(fit.slope.high)}"
                if fit.slope
                else ""
                for fit in found
            ],
            "Far out": [asymptotic(fit.series) for fit in found],
            "Constant C": [
                f"{words.number(fit.constant.value)} ± {words.number(fit.constant.stderr, 2)}"
                if fit.constant
                else ""
                for fit in found
            ],
            "Points": [f"{fit.used} used, {len(fit.left_out)} left out" for fit in found],
        },
        alt="Fitted slopes beside the slopes of the theory",
    )
    st.caption(
        "Fitted slope ± its standard error, beside the slope of the calibrated curve over the "
        "same points with the same weights. Far out: the exponents of (4) where one term "
        "decides. Privacy, sampling and the range decide how far out is far."
    )
    reasons = dict.fromkeys(reason for fit in found for _, reason in fit.left_out)
    if progress.done and reasons:
        st.caption(f"Left out of the fits, drawn hollow: {'; '.join(reasons)}.")


def why() -> None:
    """Say what the curve is, in formulas."""
    st.latex(r"\sum_j \frac{r^{2\beta\gamma_j}}{V_j(\kappa r)} = 1")
    st.latex(
        r"V_j(h) = \frac{1}{6\,n_j h^d} + \frac{\sigma_j^2}{n_j^2 h^{2d}},"
        r"\qquad h = \kappa r"
    )
    st.markdown(
        "The calibrated rate is r^{β(1+α)}: equation (5) of [ACC] with the sampling variance and "
        "the noise that the simulated classifier really has. (5) itself leaves constants out; "
        "the two kinds of variance have different ones, so that its ratio to the risk drifts by "
        "a factor of about 4 from one regime to the other. One constant C per curve is fitted; "
        "the slope is not.".replace("r^{β(1+α)}", "r to the power β(1+α)")
    )
    st.markdown(
        "The world is an asymmetric cusp with β = 1 and α = 1 in one covariate: a symmetric one "
        "would let a tuned classifier converge faster than any rate. The dotted curve is the "
        "expected risk itself, an integral over the probability that a weighted sum with "
        "Gaussian noise has the wrong sign; the points have to lie on it."
    )
