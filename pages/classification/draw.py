"""Tab "Classifier": one draw of the data, its decision regions before and after the noise."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass

import streamlit as st

from pages.charts import Figure, simulation, words
from pages.classification import common, figures, privacy
from pages.core import Block, Note, Slider, Switch, Text, blocks, choice, toggle
from pages.core.live import Folded, Open, Plan, kept, plan, repetition, seed
from pages.core.live import panel as live
from rates.numbers import EPSILON, DomainError, decades, steps
from sims.classification import (
    DESIGN,
    KERNELS,
    WORLD,
    Group,
    Picture,
    design_spent,
    draw_once,
    look_at,
    sensitivity_inflation,
)
from sims.engine import Mechanism, Number, Progress, Setting, Values, gaussian

NOISES = {"joint": "Joint", "independent": "By point (wrong)"}
_BY_NAME = {setting.name: setting for setting in DESIGN.parameters}
_SETTINGS: tuple[Setting, ...] = (
    *(_BY_NAME[name] for name in ("n", "m", "gamma", "bandwidth", "kernel", "mechanism")),
    Number(EPSILON, 1.0),
    Number(_BY_NAME["weight"].parameter, 0.5),  # type: ignore[union-attr]
    choice(
        "noise",
        NOISES,
        "One Gaussian path over the whole square, or noise drawn at each point by itself.",
    ),
)
_DESIGN = kept(DESIGN)
_MOST = 10**7  # records of one picture

_draw = functools.lru_cache(maxsize=32)(draw_once)


@dataclass(frozen=True, slots=True)
class _Look:
    """What was asked for, a server's joint noise in units of its sensitivity, the picture."""

    values: Values
    mechanism: Mechanism
    picture: Picture


def _made(asked: Plan) -> _Look:
    """Return the decision regions that are asked for.

    Raises:
        DomainError: There are too many records for one picture.
    """
    values, n, m = asked.values, asked.values.whole("n"), asked.values.whole("m")
    if n * m > _MOST:
        rule = f"One picture takes at most {_MOST:,} source records."
        raise DomainError(rule, field="n", value=n * m)
    kernel, h, epsilon = values.word("kernel"), values.number("bandwidth"), values.number("epsilon")
    sources = Group(n=n, m=m, gamma=values.number("gamma"))
    once = _draw(WORLD, kernel, h, Group(n=n), sources, asked.seed)
    joint = gaussian(
        sensitivity=1.0,
        epsilon=epsilon,
        delta=float(n) ** -2,
        calibration="analytic" if values["mechanism"] == "analytic" else "ACC",
    )
    picture = look_at(
        once,
        weight=values.number("weight"),
        multipliers=(joint.scale, joint.scale),
        epsilon=epsilon,
        noise=values.among("noise", ("joint", "independent")),
    )
    return _Look(values, joint, picture)


def _guarantee(look: _Look) -> Iterable[Block]:
    """What joint noise of the size drawn guarantees; `_independent` says it of the other."""
    made = look.mechanism
    if not made.valid:
        yield Note(f"**Each server's release, even with joint noise:** {made.guarantee}", "warning")
    elif look.values["noise"] == "joint" or made.law == "none":
        yield Note(f"Each server's release: {made.guarantee}")


def answer(picture: Picture) -> str:
    """Return the finding as a sentence."""
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
        f"In this draw the classifier is right for **{words.tenths(picture.accuracy_before)}** "
        f"of new records before noise and for **{words.tenths(picture.accuracy_after)}** as "
        f"released: {change}. No classifier exceeds **{words.tenths(picture.accuracy_right)}**."
    )


def drawn(look: _Look) -> Iterable[Block]:
    """Both pictures."""
    picture = look.picture
    yield Figure(
        figure=figures.figure(picture, title="Decision regions of one draw and their accuracy"),
        caption="One draw of the data and of the noise, not an average. The dashed cross is the "
        "boundary of the best rule. Moving the budget rescales the same noise path, so that "
        "pictures can be compared; real releases draw a new one.",
        alt="Two squares of decided labels. Before noise "
        f"{words.tenths(picture.accuracy_before)} of new records are decided rightly, as "
        f"released {words.tenths(picture.accuracy_after)}. The best rule gives label 1 where "
        "both covariates lie on the same side of one half.",
        rows=figures.rows(picture),
        name="decision-regions",
    )


def _independent(look: _Look) -> Iterable[Block]:
    values, picture = look.values, look.picture
    kernel, h = KERNELS[values.word("kernel")], values.number("bandwidth")
    factor = sensitivity_inflation(kernel, h)
    text = (
        "**Why noise must be drawn jointly.** The release is a whole function: one record moves "
        f"all 64 × 64 = 4,096 values at once. With these settings the vector moves **"
        f"{words.number(factor)} times** as far as noise of this size at each point by itself "
        "pays for. Whoever averages the released values over a neighbourhood averages "
        "independent noise away, and the protection with it. A joint path has the kernel's own "
        "covariance and cannot be averaged away."
    )
    if values["noise"] == "independent" and not math.isnan(picture.actual_delta):
        yield Note(
            f"{text} What is drawn now is **not** (ε, δ)-private at ε = "
            f"{words.number(values.number('epsilon'))}, δ = "
            f"{words.number(values.number('n') ** -2.0)}: the δ "
            f"that holds at this ε is **{words.number(picture.actual_delta)}**.",
            "warning",
        )
    else:
        yield Text(text)


def _average(source: Open) -> None:
    """The same settings on average over draws; slow enough to wait until it is wanted."""
    if not toggle(
        "classification_average_on",
        "On average over many draws",
        help="Accuracy against the budget, exact where it can be computed, and simulated.",
    ):
        return
    asked = source.plan
    names = ("n", "m", "gamma", "bandwidth", "kernel", "mechanism")
    weights = tuple(dict.fromkeys((1.0, asked.values.number("weight"))))
    st.caption("Noise is joint here, δ = 1/n². Target only stands beside the weight chosen above.")
    try:
        values = Values({name: asked.values[name] for name in names}, weight=weights)
        request = asked.request(_DESIGN, values)
    except DomainError as error:
        st.error(words.plain(error))
        return
    repetition(most=1_000)[0].draw(source)
    live.panel(
        live.Job(key="classification_average", request=request, answer=_mean, draw=_curve),
        st.container(),
    )
    blocks.show(privacy.said(design_spent(request.values)), page="classification_average")


def _mean(progress: Progress) -> str:
    if not progress.done:
        return "**Run** simulates the accuracy at six budgets, with intervals."
    last = progress.estimates[-1]
    if last.replicates < 2:
        return "The first draws are being computed."
    return (
        f"After **{words.span(str(min(progress.counts)), str(max(progress.counts)))}** draws: at "
        f"ε = {words.number(progress.request.points[-1].x)} the accuracy is "
        f"**{words.around(last, words.tenths)}**."
    )


def _curve(progress: Progress) -> None:
    series = simulation.scores(progress.request.points, progress.estimates)
    figure = simulation.budget_drawn(
        {"Accuracy": series},
        name="accuracy",
        start="Accuracy against the budget.",
        title="Accuracy on average, with 95 % intervals",
    )
    blocks.show([figure], page="classification_average")


TAB = common.tab(
    "classifier",
    "Classifier",
    usual=plan(_SETTINGS, replicates=20),
    fields=(
        Slider("epsilon", "Budget ε of every server", decades(-1, 1)),
        Slider("bandwidth", "Bandwidth h", steps(0.05, 1.0, 0.05)),
        Slider("weight", "Weight of the target w", steps(0.0, 1.0, 0.05)),
        Switch("kernel", "Kernel", common.KERNELS),
        Switch("noise", "Noise", NOISES),
        seed("Seed of the draw"),
        Folded(
            "Sizes, signal exponent, calibration",
            (
                Slider("n", "Records of each server n", decades(2, 5, whole=True)),
                Slider("m", "Number of sources m", decades(0, 2, whole=True)),
                common.SIGNAL,
                Switch("mechanism", "Calibration", common.MECHANISMS),
            ),
        ),
    ),
    made=_made,
    cannot="These parameters cannot be drawn.",
    answer=lambda look: answer(look.picture),
    drawn=drawn,
    after=_guarantee,
    below=_independent,
    foot=(_average,),
)
