"""The page: which term decides, where does it change, and why?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts import phase_maps, words
from pages.core import blocks, controls, fold, layout, menu, pick, presenter, sync_url
from pages.current import scope_line, takeaway
from pages.phases import designs, own, views
from pages.study import balance
from rates.phases import Design, Regime, printed_eps21, sequence
from rates.phases import design as points

VIEWS = {
    "map": "Map",
    "cut": "Rate along the cut",
    "public": "Unprotected source",
    own.VIEW: "Your study",
}
DRAWN = {"cut": views.draw_cut, "public": views.draw_public}
UPPER = {1.0: "up to 1", 100.0: "up to 100"}


def draw() -> None:
    """Draw the page."""
    presenter.title("Which term decides, and where does it change?")
    answer_place = st.container()
    layout.address_notes(designs.READING, own.OWN)
    for state in (designs.POINT, designs.READING, own.OWN):
        state.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = pick(own.SHOWN, "Show", VIEWS, hidden=True, wrap=True)
        if view != own.VIEW:
            designs.examples()
    if view == own.VIEW:
        own.draw(answer_place)
    else:
        (_map if view == "map" else partial(_along, view, answer_place))()
        _behind(designs.POINT.get())
    sync_url(designs.POINT, designs.READING, own.OWN)


def _map() -> None:
    """Draw the map of one target and equal sources over the whole width, its numbers below."""
    picture = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        axes = menu("phase_axes", "Axes", phase_maps.AXES, kept=True)
        upper = _upper()
    rest = fold("Sizes, shape, unequal budgets, the printed table", "phase_shape")
    if rest is not None:
        with rest:
            designs.ask((*designs.MAIN[2:], *designs.SHAPE), columns=2)
            designs.BOX.draw(designs.READING)
    design, reading = designs.POINT.get(), designs.READING.get()
    regimes = views.along(design, upper)
    with picture:
        main = partial(designs.ask, designs.MAIN[:2], columns=2)
        views.draw_map(design, upper, axes, reading, under=main)
        blocks.show([blocks.Note(f"As the budget grows: {views.steps(regimes)}.")], page=views.PAGE)
        blocks.show(notes(design, regimes), page=views.PAGE)


def _along(view: str, answer_place: DeltaGenerator) -> None:
    """Draw a view along the cut through the point."""
    left, right = layout.aside()
    with left:
        designs.ask(designs.MAIN[1:])
        shape = fold("Smoothness, dimension, margin, unequal budgets", "phase_shape")
        if shape is not None:
            with shape:
                designs.ask(designs.SHAPE)
        upper = _upper()
    design = designs.POINT.get()
    with answer_place:
        scope_line.show()
        blocks.show(answer(design, views.along(design, upper)), page=views.PAGE)
    with right:
        main = controls.once(partial(designs.ask, designs.MAIN[:1]))
        DRAWN[view](design, upper, main)
        main()


def _upper() -> float:
    return float(
        pick(
            "phase_upper",
            "Budgets shown",
            UPPER,
            wrap=True,
            help="The paper's map stops at 1. The formulas go on; noise as printed is not "
            "private for large budgets.",
        )
    )


def _behind(design: Design) -> None:
    """Draw what explains a view, and what takes its point along."""
    place = fold("Why: the four terms and their crossings", "phase_why")
    if place is not None:
        with place:
            blocks.show(why(design), page=views.PAGE)
    blocks.show([_LIMITS], page=views.PAGE)
    takeaway.as_study("Open this point as a study", points.to_study(design, views.delta(design)))


# The answer ---------------------------------------------------------------------------------------


def answer(design: Design, regimes: tuple[Regime, ...]) -> Iterator[blocks.Block]:
    """Which side decides and what binds there, what follows as the budget grows, and caveats."""
    said = phase_maps.LOOKS[views.deciding(design, regimes)].said
    yield blocks.Text(
        f"At ε = **{words.number(design.epsilon)}**, γ = **{words.number(design.gamma)}**: "
        f"**{said}** As the budget grows: {views.steps(regimes)}."
    )
    yield from notes(design, regimes)


def notes(design: Design, regimes: tuple[Regime, ...]) -> Iterator[blocks.Block]:
    """What limits the answer at a point."""
    order = sequence(*design.sizes, **design.shape, ratio=design.ratio, upper=regimes[-1].hi)
    if order.re_entrant:
        path = ", ".join({"T": "target", "S": "sources"}[side] for side in order.sides)
        yield blocks.Note(
            f"Re-entrance: {path}. A side that has stopped deciding decides again. Under one "
            "budget the leads in between are small: by our numerical bound the least of them is "
            "at most a factor of about 1.7 in the rate at 10,000 source records and 2.2 at a "
            "million. That is within the constants that rates leave out, so no simulation of "
            "such sizes can show it.",
            "info",
        )
    if said := " ".join(caveats(design, regimes)):
        yield blocks.Note(said)


def caveats(design: Design, regimes: tuple[Regime, ...]) -> Iterator[str]:
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
    if design.n0 == 1:
        yield "With one target record log n₀ = 0, so γ* is infinite."
    if design.gamma == 1 and design.m:
        yield "At γ = 1 the private terms Pt and Ps are parallel: ε₁₁ does not exist."
    if regimes[-1].hi > 1:
        yield (
            "Budgets above 1 lie beyond the paper's map. The formulas are still defined; the "
            "printed noise stops being private at about ε = 8.5 to 10."
        )


# Why a term decides, and what the map does not say ------------------------------------------------

_FORMULAS = r"""\min\{1,\ \mathrm{NP}_t\vee\mathrm{P}_t,\ \mathrm{NP}_s\vee\mathrm{P}_s\}
\mathrm{NP}_t=n_0^{-\frac{B}{2\beta+d}},\quad\mathrm{P}_t=(n_0\varepsilon)^{-\frac{B}{\beta+d}}
\mathrm{NP}_s=(mn)^{-\frac{B}{2\beta\gamma+d}}
\mathrm{P}_s=(mn^2\varepsilon^2)^{-\frac{B}{2\beta\gamma+2d}}"""
_LIMITS = blocks.Fold(
    words.LIMITS,
    [
        blocks.Text(
            "- The map labels the terms of (4), which hold up to constants and logarithms. A "
            "boundary is where two terms are equal, not where a study would notice a change.\n"
            "- Near a boundary both terms matter; the rate equation (5) adds them.\n"
            "- All sources are alike here. Unequal sites belong on the Study page.\n"
            "- Privacy is per site, (ε, δ), one record replaced; δ has to satisfy that the sum of "
            "n δ tends to 0."
        )
    ],
)


def why(design: Design) -> Iterator[blocks.Block]:
    """The four terms, their crossings, and the balance at the point."""
    yield blocks.Formula(_FORMULAS)
    yield blocks.Text(
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
    yield blocks.Table(
        {
            "Endpoint": [name for name, _, _ in rows],
            "Where": [where for _, where, _ in rows],
            "Value": [words.number(value) for _, _, value in rows],
        },
        alt="Endpoints of the corollary",
    )
    yield blocks.Text(
        "**Why the printed ε₂₁ cannot be right.** Ps = NPt means "
        "(√m n ε)^(1/(βγ+d)) = n₀^(1/(2β+d)), so ε₂₁ = n₀^((βγ+d)/(2β+d)) / (√m n). The "
        "printed exponent divides by β + d and is larger by a factor "
        "n₀^(β(βγ+d)/((β+d)(2β+d))). At the printed value the two terms are not equal. Here "
        f"our reading gives **{words.number(ends.eps21)}**, the printed formula "
        f"**{words.number(wrong)}**."
    )
    yield blocks.Link("ACC:Cor3.2:eps21", "The misprinted threshold: test and proof")
    yield partial(layout.statements_used, "phases")
    if design.n * design.m + design.n0:
        study = points.to_study(design, views.delta(design))
        yield partial(balance.show, study, "classification", key="figure_phase_balance")
