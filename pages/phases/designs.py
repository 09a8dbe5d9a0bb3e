"""A point of the phase map and a reading of Table 1: kept, shared, asked for, and drawn."""

from __future__ import annotations

import functools

import streamlit as st

from pages import core, pictures
from pages.charts import Figure, maps, planes, words
from pages.core import Slider, button
from pages.current import state
from rates import maps as theory
from rates.answer import offered_delta
from rates.maps import Design, Regime
from rates.maps import design as designs

_point = functools.partial(Design, margin=1)
EXAMPLES = {
    "Figure 1 of the paper (our sizes)": _point(
        n=2_000, m=50, n0=10_000, smoothness=0.25, dimension=2, gamma=1.2, epsilon=0.2
    ),
    "Sources, target, sources again": _point(
        n=10_000, m=100, n0=80_000, smoothness=0.5, dimension=2, gamma=1.2, epsilon=0.1
    ),
    "The misprinted threshold": _point(
        n=10_000, m=100, n0=100_000, smoothness=0.5, dimension=2, gamma=1.2, epsilon=0.4
    ),
    "Target, sources, target (unequal budgets)": _point(
        n=5_000, m=2, n0=10**7, smoothness=0.5, dimension=1, gamma=0.3, epsilon=0.02, ratio=0.006
    ),
    "No cell of Table 1": _point(
        n=1_000, m=100, n0=90_000, smoothness=0.5, dimension=2, gamma=0.8, epsilon=0.3
    ),
}
POINT = core.UrlState(
    parameter="at",
    start=next(iter(EXAMPLES.values())),
    settings=tuple(core.Part(name, parameter) for name, parameter in designs.FIELDS.items()),
    noun="A point of the map",
    refused="The point in the address could not be opened.",
    old=designs.from_text,
)
NONE = "none"  # of the readings of the printed Table 1, which the map shows hatched


def _opened(before: str, now: str) -> None:
    if now != NONE:  # the table is about the first map
        memory = st.session_state
        memory["phase_view"], memory["phase_axes"] = "map", next(iter(maps.AXES))


READING = core.Single(
    parameter="table",
    start=NONE,
    settings=(
        core.choice(
            "table",
            maps.READINGS,
            "The first row of the printed table has three cells for four columns. The text below "
            "it means A; B is what the lost columns would allow. Hatched: where that reading names "
            "a term that does not decide.",
        ),
    ),
    noun="The address",
    refused="The table in the address could not be shown.",
    opened=_opened,
)
BOX = core.Menu("table", "Table 1 as printed", maps.READINGS)
MAIN = (
    Slider("epsilon", "Sources' budget ε"),
    Slider("gamma", "Signal exponent γ"),
    Slider("n", "Records per source n"),
    Slider("m", "Number of sources m"),
    Slider("n0", "Target records n₀"),
)
SHAPE = (
    Slider("smoothness", "Smoothness β"),
    Slider("dimension", "Dimension d"),
    Slider("margin", "Margin α"),
    Slider("ratio", "Target's budget over the sources' c"),
)


def ask(fields: tuple[Slider, ...], columns: int = 1) -> None:
    """Ask for some of the numbers of the design."""
    places = st.columns(columns)
    for k, field in enumerate(fields):
        with places[k % columns]:
            core.controls.draw(POINT, field)
    if problem := POINT.refusal:
        st.error(words.plain(problem))


def examples() -> None:
    """Designs worth looking at, and the current study if it is one."""
    if not (place := core.box("designs_box", "Examples", ":material/auto_stories:")).open:
        return
    with place:
        for number, (title, design) in enumerate(EXAMPLES.items()):
            button(title, f"design_example_{number}", POINT.set, design)
        study = state.current()
        own = designs.from_study(study) if study.target is not None else None
        if own is not None:  # one target with one row of sources under positive budgets
            button("The current study", "design_from_study", POINT.set, own)


# Figures ------------------------------------------------------------------------------------------

build = functools.lru_cache(maxsize=64)(maps.build)
_rate_along = functools.lru_cache(maxsize=64)(
    lambda study, design: theory.rate_along(study, maps.factors(design))
)


@functools.lru_cache(maxsize=64)
def ground(base: Design, axes: str, reading: str) -> pictures.Ground:
    """Return what a map shows wherever its point lies, of `maps.ground`."""
    return pictures.ground_of(build(base, axes, reading))


@functools.lru_cache(maxsize=64)
def nine(base: Design) -> pictures.Ground | None:
    """Return the maps of other sizes on the axes of a design's; None where there are none."""
    others, plane = maps.neighbours(base), build(base, "gamma", NONE)
    if not others:
        return None
    drawn = pictures.Nine(
        across=[f"m = {one.m:,}" for one in others[:3]],
        down=[f"n₀ = {one.n0:,}" for one in others[::3]],
        maps=[maps.small(one, plane) for one in others],
    )
    return pictures.nine_data(drawn)


def along(design: Design) -> tuple[Regime, ...]:
    """Return the phases on the cut through a point."""
    upper = max(1.0, design.epsilon)
    return theory.regimes(*design.sizes, **design.shape, ratio=design.ratio, upper=upper)


def deciding(design: Design) -> str:
    """Return the term that decides at a point."""
    return next(row.rate for row in along(design) if design.epsilon <= row.hi)


def delta(design: Design) -> float:
    """A delta for the mechanism, offered for these sizes."""
    return offered_delta(designs.to_study(design, 0.5))


def map_of(design: Design, axes: str, reading: str) -> Figure:
    """The term that decides over two numbers, beside a reading of the printed table or "none"."""
    return maps.map_figure(
        build(design, axes, reading),
        title=planes.TERMS[deciding(design)].said,
        name="phase-map",
        lines=maps.marks(design) if axes == "gamma" else (),
        wrong="printed table differs",
        caption="" if reading == NONE else _printed(design, axes, reading),
    )


def _printed(design: Design, axes: str, reading: str) -> str:
    """What a reading of the printed table says along the cut."""
    if axes != "gamma" or design.ratio != 1 or min(design.sizes) == 0:
        return "Table 1 is about the first map, with one common budget and sources present."
    named = theory.checked_reading(reading)
    rows = theory.disagreement(*design.sizes, **design.shape, reading=named)
    if not rows:
        return f"On this cut reading {reading} of the printed table agrees with (4)."
    texts = "; ".join(
        f"from {words.number(row.lo)} to {words.number(row.hi)} it says {row.printed}, while "
        f"{row.truth} decides"
        for row in rows
    )
    return f"On this cut reading {reading} of the printed table differs from (4): {texts}."


def cut_of(design: Design) -> Figure:
    """The rate as the budget grows, and the phases below it."""
    return maps.phase_cut(
        _rate_along(designs.to_study(design, delta(design)), design),
        along(design),
        here=design.epsilon,
        title="The rate as the budget grows, and the phase of (4) below it",
        caption="The line solves (5), which adds the terms that (4) takes the larger of, so it "
        "bends before and after a phase ends. The named mechanism uses "
        f"δ = {words.number(delta(design))} at every site. Both are worst cases; the height of the "
        "line has no constants, that of the band has.",
        name="rate-along-the-cut",
    )
