"""The page: which term decides, where does it change, and why?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import streamlit as st

from pages import core, pictures
from pages.charts import phase_maps, planes, words
from pages.core import Note, Text, blocks, layout
from pages.current import takeaway
from pages.phases import designs, own
from pages.study import verdict
from rates.maps import Design, Regime, printed_eps21, sequence
from rates.maps import design as points

PAGE = "phases"
VIEWS = {"map": "Map", "cut": "Rate along the cut", own.VIEW: "Your study"}


def draw() -> None:
    """Draw the page."""
    core.presenter.title("Which term decides, and where does it change?")
    layout.address_notes(designs.READING, own.OWN)
    for state in (designs.POINT, designs.READING, own.OWN):
        state.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = core.pick(own.SHOWN, "Show", VIEWS, hidden=True, wrap=True)
        if view != own.VIEW:
            designs.examples()
    if view == own.VIEW:
        own.draw()
    else:
        _point(view)
    core.sync_url(designs.POINT, designs.READING, own.OWN)


def _point(view: str) -> None:
    """Draw the map of one target and equal sources, or the rate along its cut; then its numbers."""
    picture, axes = st.container(), "gamma"
    if view == "map":
        axes = core.pick("phase_axes", "Budget ε against", phase_maps.AXES)
    rest = core.fold("Sizes, shape, unequal budgets, the printed table", "phase_shape")
    if rest is not None:
        with rest:
            designs.ask((*designs.MAIN[2:], *designs.SHAPE), columns=2)
            designs.BOX.draw(designs.READING)
    design = designs.POINT.get()
    with picture:
        (_map if view == "map" else _cut)(design, axes)
        blocks.show(notes(design), page=PAGE)
    place = core.fold("Why: the four terms and their crossings", "phase_why")
    if place is not None:
        with place:
            blocks.show(why(design), page=PAGE)
    blocks.show([_LIMITS], page=PAGE)
    study = points.to_study(design, designs.delta(design))
    takeaway.as_study("Open this point as a study", study)


def _main() -> None:
    designs.ask(designs.MAIN[:2], columns=2)


def _map(design: Design, axes: str) -> None:
    """The term that decides, over two numbers, with a point that one drags; small maps beside."""
    reading = designs.READING.get()
    plane, base = designs.build(design, axes, reading), phase_maps.ground(design, axes)
    nine = designs.nine(base) if axes == "gamma" else None
    left, right = layout.beside() if nine else (st.container(), st.container())
    with left:
        still = core.with_lines(designs.map_of, design, axes, reading)
        take = partial(move, design, axes)
        ground = designs.ground(base, axes, reading)
        pictures.show_map(plane, still, key=f"map_{PAGE}", take=take, under=_main, ground=ground)
    if nine:
        with right:
            pictures.show_nine(nine, key="nine", take=partial(enlarge, design))
    if reading != designs.NONE:
        proof = f"Reading {reading}: test and proof"
        blocks.show([core.Link(f"ACC:Table1:reading-{reading}", proof)], page=PAGE)


def move(design: Design, axes: str, x: float, y: float) -> None:
    """Take over a point of the map."""
    designs.POINT.change(**phase_maps.changes(design, axes, x, y))


def enlarge(design: Design, place: int) -> None:
    """Take over the sizes of a small map."""
    others = phase_maps.neighbours(design)
    designs.POINT.change(m=others[place].m, n0=others[place].n0)


def _cut(design: Design, axes: str) -> None:
    """The rate as the budget grows."""
    said = planes.TERMS[designs.deciding(design)].said
    epsilon, gamma = (words.number(x) for x in (design.epsilon, design.gamma))
    blocks.show([Text(f"At ε = **{epsilon}**, γ = **{gamma}**: **{said}**")], page=PAGE)
    if design.n * design.m + design.n0:
        blocks.show([core.with_lines(designs.cut_of, design)], page=PAGE, under=_main)
    else:
        st.info("No site carries information, so the rate is 1 at every budget.")
        _main()


# What limits the answer, and why a term decides ---------------------------------------------------


def steps(regimes: tuple[Regime, ...]) -> str:
    """Which term decides up to which budget, one after the other."""
    return " → ".join(
        f"{'trivial' if row.rate == '1' else row.rate} up to {words.number(row.hi)}"
        for row in regimes
    )


def notes(design: Design) -> Iterator[core.Block]:
    """What follows as the budget grows, and what limits the answer at a point."""
    regimes = designs.along(design)
    yield Note(f"As the budget grows: {steps(regimes)}.")
    order = sequence(*design.sizes, **design.shape, ratio=design.ratio, upper=regimes[-1].hi)
    if order.re_entrant:
        path = ", ".join({"T": "target", "S": "sources"}[side] for side in order.sides)
        yield Note(
            f"Re-entrance: {path}. A side that has stopped deciding decides again. Under one "
            "budget, by our numerical bound, the least lead in between is at most a factor of "
            "about 1.7 in the rate at 10,000 source records and 2.2 at a million.",
            "info",
        )
    if said := " ".join(_caveats(design, regimes)):
        yield Note(said)


def _caveats(design: Design, regimes: tuple[Regime, ...]) -> Iterator[str]:
    """What limits the answer at a point, a sentence each."""
    if design.m == 0 or design.n == 0:
        yield "Without sources only the target's terms exist (Remark 3.1); γ plays no part."
    elif design.n0 == 0:
        yield "Without target records only the sources' terms exist; γ* is undefined."
    elif not design.n <= design.n0 <= design.m * design.n:
        yield (
            "Outside n ≤ n₀ ≤ m n, the range of Corollary 3.2. The map is exact all the same; "
            "the corollary's table does not apply."
        )
    if regimes[-1].hi > 1:
        yield (
            "Budgets above 1 lie beyond the paper's map. The formulas are still defined; the "
            "printed noise stops being private at about ε = 8.5 to 10."
        )


_FORMULAS = r"""\min\{1,\ \mathrm{NP}_t\vee\mathrm{P}_t,\ \mathrm{NP}_s\vee\mathrm{P}_s\}
\mathrm{NP}_t=n_0^{-\frac{B}{2\beta+d}},\quad\mathrm{P}_t=(n_0\varepsilon)^{-\frac{B}{\beta+d}}
\mathrm{NP}_s=(mn)^{-\frac{B}{2\beta\gamma+d}}
\mathrm{P}_s=(mn^2\varepsilon^2)^{-\frac{B}{2\beta\gamma+2d}}"""
_LIMITS = core.Fold(
    words.LIMITS,
    [
        Text(
            "- The terms of (4) hold up to constants and logarithms. A boundary is where two are "
            "equal, not where a study would notice a change; near it both matter, and the rate "
            "equation (5) adds them.\n"
            "- All sources are alike here. Unequal sites belong under What it costs.\n"
            "- Privacy is per site, (ε, δ), one record replaced; the sum of n δ has to tend to 0."
        )
    ],
)


def why(design: Design) -> Iterator[core.Block]:
    """The four terms, their crossings, and the balance at the point."""
    yield core.Formula(_FORMULAS)
    yield Text(
        "B = β(1+α). Each side is held back by the larger of its two terms, sampling or "
        "privacy; the better side decides. [ACC] equation (4), Theorem 3.1."
    )
    ends = phase_maps.ends(design)
    wrong = float(printed_eps21(*design.sizes, **design.shape))
    rows = (
        ("γ*", "NPt = NPs", ends.gamma_star),
        ("ε₁", "least budget with a rate below 1", ends.eps1),
        ("ε₂", "Pt = NPt", ends.eps2),
        ("ε₃", "Ps = NPs", ends.eps3),
        ("ε₁₁", "Pt = Ps", ends.eps11),
        ("ε₂₁", "Ps = NPt, by our reading", ends.eps21),
        ("ε₂₁ as printed", "exponent with β + d in place of 2β + d", wrong),
    )
    yield core.Table.of(
        ("Endpoint", "Where", "Value"),
        [(name, where, words.number(value)) for name, where, value in rows],
        alt="Endpoints of the corollary",
    )
    yield Text(
        "**Why the printed ε₂₁ cannot be right.** Ps = NPt means "
        "(√m n ε)^(1/(βγ+d)) = n₀^(1/(2β+d)), so ε₂₁ = n₀^((βγ+d)/(2β+d)) / (√m n). The "
        "printed exponent divides by β + d, which is larger by a factor "
        "n₀^(β(βγ+d)/((β+d)(2β+d))): there the two terms are not equal. Here "
        f"our reading gives **{words.number(ends.eps21)}**, the printed formula "
        f"**{words.number(wrong)}**."
    )
    yield core.Link("ACC:Cor3.2:eps21", "The misprinted threshold: test and proof")
    yield partial(layout.statements_used, "phases")
    if design.n * design.m + design.n0:
        study = points.to_study(design, designs.delta(design))
        yield partial(verdict.show_balance, study, "classification", key="figure_phase_balance")
