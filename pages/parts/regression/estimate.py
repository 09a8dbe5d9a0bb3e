"""Tab "Estimate": one draw of every server's release and of the combined estimate."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures.chart import words
from pages.parts.frame import figure_card
from pages.parts.live import Plan as Asked
from pages.parts.live import Tabs
from pages.parts.live import plan as asked_plan
from pages.parts.regression import estimate_figure as figures
from pages.parts.regression import world as regression_world
from rates.numbers import DomainError, decades, steps
from rates.study import Server
from sims.curves import Curve
from sims.engine import Choice, Number, Setting, Value, Values
from sims.regression import (
    BUDGET,
    LOSS,
    NOISE,
    PRIVACY,
    THRESHOLD,
    WORLD_SETTINGS,
    Look,
    M,
    N,
    Plan,
    Recipe,
    World,
    alike,
    combined_noise,
    guarantees,
    look,
    plan,
    transcript_noise,
    world_of,
)

TAB = "estimate"
HELD = {"best": "Best for this ε", "free": "Best without privacy", "printed": "As printed"}
_SETTINGS: tuple[Setting, ...] = (
    Number(parameter=BUDGET, default=1.0),
    Number(parameter=N, default=10_000),
    Number(parameter=M, default=5),
    LOSS,
    Choice(
        name="held",
        options=tuple(HELD),
        default="best",
        help=(
            "How many basis functions. The best for this budget hides noise behind bias; the best "
            "without privacy stays where it is, so that the noise alone changes with the budget."
        ),
    ),
    *WORLD_SETTINGS,
    NOISE,
    THRESHOLD,
)
USUAL = asked_plan(_SETTINGS, replicates=2, defaults={"curves": 1.0})
_MOST = 12  # servers shown


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            made, free, drawn = _drawn(
                tuple(asked.values.items()), asked.seed, regression_world.own()
            )
        except DomainError as error:
            place.markdown("These parameters cannot be drawn.")
            st.error(words.plain(error))
            return
        place.markdown(_answer(made, drawn, asked))
        regression_world.warn(guarantees(made, _servers(asked.values, asked.values["epsilon"])))
        shown = figures.drawn(
            drawn,
            title="One draw: releases above, their combination below",
            caption=_caption(made, free, asked),
        )
        figure_card.show(shown, key="figure_regression_estimate")
        with st.expander("The lines of Python that repeat this draw"):
            st.code(_lines(asked, made), language="python", wrap_lines=True)


def _controls(tabs: Tabs) -> None:
    tabs.number(TAB, "epsilon", "Budget ε of every server", [*decades(-2, 1), math.inf])
    tabs.number(TAB, "n", "Records of each server n", decades(2, 6, whole=True))
    tabs.number(TAB, "m", "Number of servers m", decades(0, 2, whole=True))
    tabs.select(TAB, "held", "Basis functions K", HELD)
    if tabs.plan(TAB).values["risk"] != "integrated":  # from a link: the way out of it
        tabs.choice(TAB, "risk", "Error", regression_world.RISKS)
    regression_world.controls(tabs, TAB, several=False)
    tabs.seed(TAB, "Seed of the draw")
    with st.expander("Noise, threshold, δ"):
        tabs.choice(TAB, "noise", "Noise", regression_world.NOISES)
        tabs.number(TAB, "clip", "Clipping threshold τ", steps(1.5, 6.0, 0.5))
        tabs.number(TAB, "delta", "δ of every server", regression_world.DELTAS)
    tabs.refusal()


@functools.lru_cache(maxsize=32)
def _drawn(
    items: tuple[tuple[str, Value], ...], seed: int, own: Curve | None
) -> tuple[Plan, Plan, Look]:
    """The plan, the plan without privacy, and one draw.

    Raises:
        DomainError: The parameters do not fit together.
    """
    values = regression_world.complete(dict(items), own)
    world = world_of(values)
    recipe = Recipe(
        noise=values["noise"],
        level="printed" if values["held"] == "printed" else "oracle",
        clip=values["clip"],
    )
    free = _made(world, values, recipe, math.inf)
    dimension = free.dimension if values["held"] == "free" else None
    made = _made(world, values, recipe, values["epsilon"], dimension)
    return made, free, look(made, seed, most=_MOST)


def _made(
    world: World, values: Values, recipe: Recipe, epsilon: float, dimension: int | None = None
) -> Plan:
    return plan(world, _servers(values, epsilon), recipe, dimension=dimension)


def _servers(values: Values, epsilon: float) -> tuple[Server, ...]:
    return alike(int(values["n"]), int(values["m"]), epsilon, values["delta"])


def _answer(made: Plan, drawn: Look, asked: Asked) -> str:
    m, n = int(asked.values["m"]), int(asked.values["n"])
    zero = made.world.zero
    noise = transcript_noise(made)[0]
    end = (
        "The privacy noise **drowns** it: estimating by zero would be better."
        if drawn.loss >= zero
        else f"Estimating by zero has **{words.number(zero)}**."
    )
    who = "one server" if m == 1 else f"**{m:,}** servers"
    return (
        f"At ε = **{words.number(asked.values['epsilon'])}**, {who} of **{n:,}** records estimate "
        f"**{made.dimension}** coefficients. The noise in one release is **{words.number(noise)}** "
        f"(root mean square), in the combination **{words.number(combined_noise(made))}**. "
        f"Squared error of this draw: **{words.number(drawn.loss)}**; on average exactly "
        f"**{words.number(made.exact)}**. {end}"
    )


def _caption(made: Plan, free: Plan, asked: Asked) -> str:
    m = int(asked.values["m"])
    shown = f"The first {_MOST} servers are shown; all take part. " if m > _MOST else ""
    cut = " K was cut to the largest that is simulated." if made.capped else ""
    return (
        f"{shown}Both frames end at ±{figures.FRAME}; what exceeds them is noise, cut off. Another "
        "budget rescales the same random numbers, so that pictures can be compared; real releases "
        f"draw new ones. Before noise is for comparison only and is never released. Best K without "
        f"privacy: {free.dimension}.{cut}"
    )


def _lines(asked: Asked, made: Plan) -> str:
    values = {k: v for k, v in asked.values.items() if k not in ("held",)}
    own = regression_world.own()
    read = "from pathlib import Path\n\n" if own else ""
    curve = (
        'values["own curve"] = read_curve(Path("curve.csv").read_bytes())  # as uploaded\n'
        if own
        else ""
    )
    also = "from sims.uploaded import read_curve\n" if own else ""
    level = "printed" if asked.values["held"] == "printed" else "oracle"
    return (
        f"{read}from math import inf\n\n"
        f"from sims.regression import Recipe, alike, look, plan, world_of\n{also}\n"
        f"values = {values!r}\n{curve}"
        f"recipe = Recipe(noise={values['noise']!r}, level={level!r}, clip={values['clip']!r})\n"
        f"servers = alike({int(values['n'])}, {int(values['m'])}, {values['epsilon']!r}, "
        f"{values['delta']!r})\n"
        f"made = plan(world_of(values), servers, recipe, dimension={made.dimension})\n"
        f"drawn = look(made, {asked.seed})\n"
        "print(drawn.loss, made.exact)\n"
    )


def below() -> None:
    """What stands below the tab."""
    regression_world.folds(_why, LIMITS, STATEMENTS, privacy=PRIVACY)


def _why() -> None:
    st.latex(
        r"\hat\theta_k^{(j)} = \frac{1}{n_j}\sum_i [Y_i]_\tau\,\phi_k(X_i) + s_j Z_k, \qquad"
        r"\hat f = \sum_j u_j \sum_{k \le K} \hat\theta_k^{(j)}\phi_k"
    )
    st.markdown(
        "Every server clips its responses, averages them against K wavelets and adds noise of one "
        "size to every coefficient, (12) of [CCV]. Its norm grows like K: one factor √K from the "
        "sensitivity, one from the number of coefficients. Averaging m releases divides it by √m."
    )


STATEMENTS = {
    "CCV:Eq12:index": "The coefficients (12)",
    "CCV:Lem3.1:constant": "Their sensitivity, Lemma 3.1",
    "CCV:Sec3.2:noise": "The noise",
}
LIMITS = (
    "- One draw is one draw. The average error beside it is exact.\n"
    "- The best K knows the true curve. A real server does not.\n"
    "- The transcript that is private is the release, not the curve before noise.\n"
    "- This is a simulation, not a tool to release data."
)
