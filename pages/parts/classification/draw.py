"""Tab "Classifier": one draw of the data, its decision regions before and after the noise."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.classification import figures
from pages.parts.classification import privacy as classification_privacy
from pages.parts.classification import rate as classification_rate
from pages.parts.frame import figure_card
from pages.parts.live import Tabs, kept, plan
from pages.parts.live import panel as live
from pages.parts.session import state
from rates.numbers import EPSILON, DomainError, decades, steps
from sims.classification import DESIGN, WORLD, Group, Picture, design_spent, screen
from sims.engine import Choice, Mechanism, Number, Progress, Request, Setting, Values, gaussian

TAB = "classifier"
KERNELS = {"triangular": "Triangular", "gaussian": "Gaussian"}
NOISES = {"joint": "Joint", "independent": "By point (wrong)"}
_BY_NAME = {setting.name: setting for setting in DESIGN.parameters}
_SETTINGS: tuple[Setting, ...] = (
    *(_BY_NAME[name] for name in ("n", "m", "gamma", "bandwidth", "kernel", "mechanism")),
    Number(parameter=EPSILON, default=1.0),
    Number(parameter=_BY_NAME["weight"].parameter, default=0.5),  # type: ignore[union-attr]
    Choice(
        name="noise",
        options=tuple(NOISES),
        default="joint",
        help="One Gaussian path over the whole square, or noise drawn at each point by itself.",
    ),
)
_DESIGN = kept(DESIGN)
USUAL = plan(_SETTINGS, replicates=20)
_MOST = 10**7  # records of one picture

_draw = functools.lru_cache(maxsize=32)(screen.draw_once)


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    with right:
        try:
            picture = _picture(tabs)
        except DomainError as error:
            place.markdown("These parameters cannot be drawn.")
            st.error(words.plain(error))
            return
        place.markdown(_answer(picture))
        _figure(picture)
        _guarantee(tabs)
    _independent(tabs, picture)
    _average(tabs)


def _controls(tabs: Tabs) -> None:
    tabs.number(TAB, "epsilon", "Budget ε of every server", decades(-1, 1))
    tabs.number(TAB, "bandwidth", "Bandwidth h", steps(0.05, 1.0, 0.05))
    tabs.number(TAB, "weight", "Weight of the target w", steps(0.0, 1.0, 0.05))
    tabs.choice(TAB, "kernel", "Kernel", KERNELS)
    tabs.choice(TAB, "noise", "Noise", NOISES)
    tabs.seed(TAB, "Seed of the draw")
    with st.expander("Sizes, signal exponent, calibration"):
        tabs.number(TAB, "n", "Records of each server n", decades(2, 5, whole=True))
        tabs.number(TAB, "m", "Number of sources m", decades(0, 2, whole=True))
        tabs.number(TAB, "gamma", "Signal exponent γ", steps(0.25, 4.0, 0.25))
        tabs.choice(TAB, "mechanism", "Calibration", classification_rate.MECHANISMS)
    tabs.refusal()


def _picture(tabs: Tabs) -> Picture:
    """The decision regions that the controls ask for.

    Raises:
        DomainError: There are too many records for one picture.
    """
    asked = tabs.plan(TAB)
    values, n, m = asked.values, int(asked.values["n"]), int(asked.values["m"])
    if n * m > _MOST:
        rule = f"One picture takes at most {_MOST:,} source records."
        raise DomainError(rule, field="n", value=n * m)
    drawn = _draw(
        WORLD,
        values["kernel"],
        values["bandwidth"],
        Group(n=n),
        Group(n=n, m=m, gamma=values["gamma"]),
        asked.seed,
    )
    noise = _mechanism(values).scale
    return screen.picture(
        drawn,
        weight=values["weight"],
        multipliers=(noise, noise),
        epsilon=values["epsilon"],
        noise=values["noise"],
    )


def _mechanism(values: Mapping[str, Any]) -> Mechanism:
    """A server's joint noise at δ = n^-2, in units of its sensitivity."""
    return gaussian(
        sensitivity=1.0,
        epsilon=values["epsilon"],
        delta=float(values["n"]) ** -2,
        calibration="analytic" if values["mechanism"] == "analytic" else "ACC",
    )


def _guarantee(tabs: Tabs) -> None:
    """What joint noise of the size drawn guarantees; `_independent` says it of the other."""
    values = tabs.plan(TAB).values
    made = _mechanism(values)
    if not made.valid:
        st.warning(f"**Each server's release, even with joint noise:** {made.guarantee}")
    elif values["noise"] == "joint" or made.law == "none":
        st.caption(f"Each server's release: {made.guarantee}")


def _answer(picture: Picture) -> str:
    # The shares as they are shown, so that their difference is the one a reader finds.
    before, after = (
        round(100.0 * share, 1) for share in (picture.accuracy_before, picture.accuracy_after)
    )
    lost = round(before - after, 1)
    if math.isnan(picture.actual_delta):
        change = "no noise is added"
    elif lost == 0:
        change = "the noise has no visible cost"
    elif lost > 0:
        change = f"the noise costs **{lost:.1f} percentage points**"
    else:
        change = f"the noise happens to help this one draw by **{-lost:.1f} percentage points**"
    return (
        f"In this draw the classifier is right for **{_share(picture.accuracy_before)}** "
        f"of new records before noise and for **{_share(picture.accuracy_after)}** as "
        f"released: {change}. No classifier exceeds **{_share(picture.accuracy_right)}**."
    )


def _share(x: float) -> str:
    """A share of records to a tenth of a percent."""
    return f"{100.0 * x:.1f} %"


def _figure(picture: Picture) -> None:
    drawn = chart.Drawn(
        figure=figures.figure(picture, title="Decision regions of one draw and their accuracy"),
        caption="One draw of the data and of the noise, not an average. The dashed cross is the "
        "boundary of the best rule. Moving the budget rescales the same noise path, so that "
        "pictures can be compared; real releases draw a new one.",
        alt="Two squares of decided labels. Before noise "
        f"{_share(picture.accuracy_before)} of new records are decided rightly, as "
        f"released {_share(picture.accuracy_after)}. The best rule gives label 1 where "
        "both covariates lie on the same side of one half.",
        rows=figures.rows(picture),
        name="decision-regions",
    )
    figure_card.show(drawn, key="figure_classification_draw")


def _independent(tabs: Tabs, picture: Picture) -> None:
    values = tabs.plan(TAB).values
    kernel, h = screen.KERNELS[values["kernel"]], values["bandwidth"]
    factor = screen.sensitivity_inflation(kernel, h)
    text = (
        "**Why noise must be drawn jointly.** The release is a whole function: one record moves "
        f"all 64 × 64 = 4,096 values at once. With these settings the vector moves **"
        f"{words.number(factor)} times** as far as noise of this size at each point by itself "
        "pays for. Whoever averages the released values over a neighbourhood averages "
        "independent noise away, and the protection with it. A joint path has the kernel's own "
        "covariance and cannot be averaged away."
    )
    if values["noise"] == "independent" and not math.isnan(picture.actual_delta):
        st.warning(
            f"{text} What is drawn now is **not** (ε, δ)-private at ε = "
            f"{words.number(values['epsilon'])}, δ = {words.number(values['n'] ** -2.0)}: the δ "
            f"that holds at this ε is **{words.number(picture.actual_delta)}**."
        )
    else:
        st.markdown(text)


def _average(tabs: Tabs) -> None:
    """The same settings on average over draws; slow enough to wait until it is wanted."""
    key = "classification_average_on"
    if not st.toggle(
        "On average over many draws",
        key=key,
        on_change=state.touch,
        help="Accuracy against the budget, exact where it can be computed, and simulated.",
    ):
        return
    asked = tabs.plan(TAB)
    names = ("n", "m", "gamma", "bandwidth", "kernel", "mechanism")
    weights = tuple(dict.fromkeys((1.0, asked.values["weight"])))
    st.caption("Noise is joint here, δ = 1/n². Target only stands beside the weight chosen above.")
    try:
        request = Request(
            experiment=_DESIGN,
            values=Values({name: asked.values[name] for name in names}, weight=weights),
            replicates=asked.replicates,
            seed=asked.seed,
        )
    except DomainError as error:
        st.error(words.plain(error))
        return
    tabs.replicates(TAB, most=1_000)
    live.panel(
        live.Job(key="classification_average", request=request, answer=_mean, draw=_curve),
        st.empty(),
    )
    classification_privacy.show(design_spent(request.values))


def _mean(progress: Progress) -> str:
    if not progress.done:
        return "**Run** simulates the accuracy at six budgets, with intervals."
    last = progress.estimates[-1]
    if last.replicates < 2:
        return "The first draws are being computed."
    return (
        f"After **{words.span(str(min(progress.counts)), str(max(progress.counts)))}** draws: at "
        f"ε = {words.number(progress.request.points[-1].x)} the accuracy is "
        f"**{words.around(last, _share)}**."
    )


def _curve(progress: Progress) -> None:
    points, estimates = progress.request.points, progress.estimates
    series = {
        name: ([points[i].x for i in at], [estimates[i] for i in at])
        for name, at in simulation.series_of(points).items()
    }
    drawn = chart.Drawn(
        figure=simulation.budget_figure(
            {"Accuracy": series}, title="Accuracy on average, with 95 % intervals"
        ),
        alt="Accuracy against the budget. " + simulation.told(series),
        rows=simulation.panel_rows({"Accuracy": series}),
        name="accuracy",
    )
    figure_card.show(drawn, key="figure_classification_average")


def why() -> None:
    """Say what is drawn."""
    st.latex(
        r"T_h(x) = \frac{1}{n h^d} \sum_i \bigl(Y_i - \tfrac12\bigr)\,K\Bigl(\frac{X_i-x}{h}\Bigr)"
    )
    st.latex(r"\tilde T_h = T_h + \sigma\,\xi, \qquad \operatorname{cov}\,\xi = K")
    st.markdown(
        "The label is 1 where w times the target's release plus 1 − w times the sources' is "
        "positive. [ACC] equations (7) to (10)."
    )
