"""What the phases page draws: the map, the rate along a cut, and one unprotected source."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from pages import pictures
from pages.charts import Figure, phase_maps, planes, words
from pages.core import blocks, number, with_lines
from pages.phases import designs
from pages.pictures import Nine, chosen, map_picture, moved
from rates import phases as theory
from rates.answer import offered_delta
from rates.numbers import decades
from rates.phases import Design, PublicRegimes, Regime, cuts, public_regimes

PAGE = "phases"
build = functools.lru_cache(maxsize=64)(phase_maps.build)
rate_along = functools.lru_cache(maxsize=64)(
    lambda study, design, upper: cuts.rate_along(study, phase_maps.factors(design, upper))
)


def draw_map(
    design: Design, upper: float, axes: str, reading: str, *, under: Callable[[], object]
) -> None:
    """The term that decides, over two numbers, with a point that one drags; `under` it a slider."""
    figure = with_lines(map_of, design, upper, axes, reading)
    plane = build(design, axes, upper, reading)
    others = phase_maps.neighbours(design) if axes == "gamma" else ()
    pictures.show(
        map_picture(plane, figure, nine(others, plane) if others else None),
        key=f"map_{PAGE}",
        take=partial(take, design, axes, plane, others),
        under=under,
    )
    if reading != designs.NONE:
        blocks.show(
            [blocks.Link(f"ACC:Table1:reading-{reading}", f"Reading {reading}: test and proof")],
            page=PAGE,
        )


def nine(others: tuple[Design, ...], plane: planes.Plane) -> Nine:
    """Return the maps of other designs on the axes of this one."""
    return Nine(
        across=[f"m = {one.m:,}" for one in others[:3]],
        down=[f"n₀ = {one.n0:,}" for one in others[::3]],
        maps=[phase_maps.small(one, plane) for one in others],
    )


def take(
    design: Design,
    axes: str,
    plane: planes.Plane,
    others: tuple[Design, ...],
    sent: Mapping[str, object],
) -> None:
    """Take over a point of the map or the design of a small one; anything else changes nothing."""
    if (place := chosen(sent, len(others))) is not None:
        designs.POINT.change(m=others[place].m, n0=others[place].n0)
    elif (point := moved(plane, sent)) is not None:
        designs.POINT.change(**phase_maps.changes(design, axes, *point))


def along(design: Design, upper: float) -> tuple[Regime, ...]:
    """Return the phases on the cut through a point."""
    return theory.regimes(
        *design.sizes, **design.shape, ratio=design.ratio, upper=max(upper, design.epsilon)
    )


def deciding(design: Design, regimes: tuple[Regime, ...]) -> str:
    """Return the term that decides at a point, of the phases on the cut through it."""
    return next(row.rate for row in regimes if design.epsilon <= row.hi)


def steps(regimes: tuple[Regime, ...]) -> str:
    """Which term decides up to which budget, one after the other."""
    return " → ".join(
        f"{'trivial' if row.rate == '1' else row.rate} up to {words.number(row.hi)}"
        for row in regimes
    )


def map_of(design: Design, upper: float, axes: str, reading: str) -> Figure:
    """The term that decides over two numbers, beside a reading of the printed table or "none"."""
    marks = phase_maps.marks(design) if axes == "gamma" else ()
    caption = "" if reading == designs.NONE else _printed(design, axes, reading)
    plane, regimes = build(design, axes, upper, reading), along(design, upper)
    rate = deciding(design, regimes)
    return phase_maps.phase_figure(plane, regimes, rate=rate, lines=marks, caption=caption)


def _printed(design: Design, axes: str, reading: str) -> str:
    """What a reading of the printed table says along the cut."""
    if axes != "gamma" or design.ratio != 1 or min(design.sizes) == 0:
        return "Table 1 is about the first map, with one common budget and sources present."
    named = theory.table_one.checked_reading(reading)
    rows = theory.disagreement(*design.sizes, **design.shape, reading=named)
    if not rows:
        return f"On this cut reading {reading} of the printed table agrees with (4)."
    texts = "; ".join(
        f"from {words.number(row.lo)} to {words.number(row.hi)} it says {row.printed}, while "
        f"{row.truth} decides"
        for row in rows
    )
    return f"On this cut reading {reading} of the printed table differs from (4): {texts}."


def draw_cut(design: Design, upper: float, under: Callable[[], object]) -> None:
    """The rate as the budget grows; `under` it a slider."""
    if design.n * design.m + design.n0 == 0:
        st.info("No site carries information, so the rate is 1 at every budget.")
    else:
        blocks.show([with_lines(cut_of, design, upper)], page=PAGE, under=under)


def cut_of(design: Design, upper: float) -> Figure:
    """The rate as the budget grows, and the phases below it."""
    return phase_maps.cut_figure(
        rate_along(theory.design.to_study(design, delta(design)), design, upper),
        along(design, upper),
        here=design.epsilon,
        title="The rate as the budget grows, and the phase of (4) below it",
        label="Sources' budget ε",
        rates="Rate equation (5)",
        caption="The line solves (5), which adds the terms that (4) takes the larger of, so it "
        "bends before and after a phase ends. The named mechanism uses "
        f"δ = {words.number(delta(design))} at every site. Both are worst cases; the vertical "
        "position of the line has no constants, that of the band has.",
        name="rate-along-the-cut",
    )


def delta(design: Design) -> float:
    """A delta for the mechanism, offered for these sizes."""
    return offered_delta(theory.design.to_study(design, 0.5))


def draw_public(design: Design, upper: float, under: Callable[[], object]) -> None:
    """The rate with one unprotected source; `under` it a slider."""
    memory = st.session_state
    n1 = int(memory.setdefault("public_n1", 300))
    number(
        "public_n1",
        "Records of the unprotected source n₁",
        theory.design.SOURCE_SIZE,
        n1,
        lambda value: memory.__setitem__("public_n1", int(value)),
        decades(0, 7, whole=True),
    )
    n1 = int(memory["public_n1"])
    answer = _public(design, upper, n1)
    case = (
        f"Case **{answer.case}** of Corollary 3.3."
        if answer.case
        else "Outside Corollary 3.3, which asks that the protected source be large enough."
    )
    st.markdown(
        f"{case} One unprotected source of **{n1:,}** records beside one protected source of "
        f"**{max(design.n, 1):,}** and the target of **{design.n0:,}**. Deciding: "
        f"{steps(answer.regimes)}."
    )
    figure = with_lines(public_of, design, upper, n1)
    link = blocks.Link(f"ACC:Cor3.3:case-{answer.case}", "The printed thresholds: test and proof")
    blocks.show([figure, link] if answer.thresholds else [figure], page=PAGE, under=under)


def _public(design: Design, upper: float, n1: int) -> PublicRegimes:
    shown = max(upper, design.epsilon)
    return public_regimes(design.n0, n1, max(design.n, 1), **design.shape, upper=shown)


def public_of(design: Design, upper: float, n1: int) -> Figure:
    """The rate as the budget grows beside one unprotected source of n1 records."""
    answer = _public(design, upper, n1)
    caption = "Unprotected means unprotected in this calculation, not published."
    if answer.thresholds:
        right = ", ".join(words.number(x) for x in answer.thresholds)
        printed = ", ".join(words.number(x) for x in answer.printed)
        caption = (
            f"Thresholds of the case by our reading: {right}; as printed: {printed}. {caption}"
        )
    return phase_maps.cut_figure(
        cuts.public_rate_along(design, n1, max(design.n, 1), phase_maps.factors(design, upper)),
        answer.regimes,
        here=design.epsilon,
        title="The rate with one unprotected source",
        label="Budget ε of the target and the protected source",
        rates="Rate by Corollary 3.3, corrected",
        caption=caption,
        name="unprotected-source",
    )
