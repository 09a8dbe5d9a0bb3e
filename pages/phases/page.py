"""The page: which term decides, where does it change, and why?

A point of the phase map and a reading of Table 1 are kept, shared, asked for, and drawn here.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from functools import partial

import streamlit as st

from pages import core, pictures
from pages.charts import Figure, maps, planes, words
from pages.core import Note, Slider, Text, blocks, button, layout
from pages.current import takeaway
from pages.phases import own
from rates import maps as theory
from rates.answer import offered_delta
from rates.maps import Design, Regime, printed_eps21, sequence
from rates.maps import design as points

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
    settings=tuple(core.Part(name, parameter) for name, parameter in points.FIELDS.items()),
    noun="A point of the map",
    refused="The point in the address could not be opened.",
    old=points.from_text,
)
NONE = "none"  # of the readings of the printed Table 1, which the map shows hatched


def _opened(before: str, now: str) -> None:
    if now != NONE:  # the table is about the first map
        st.session_state[own.SHOWN] = own.FIRST


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
    """Designs worth looking at."""
    if not (place := core.box("designs_box", "Examples", ":material/auto_stories:")).open:
        return
    with place:
        for number, (title, design) in enumerate(EXAMPLES.items()):
            button(title, f"design_example_{number}", POINT.set, design)


# Figures --------------------------------------------------------------------------------------

build = functools.lru_cache(maxsize=64)(maps.build)


@functools.lru_cache(maxsize=64)
def whole_ground(base: Design, reading: str) -> pictures.Ground:
    """Return what a map shows wherever its point lies, of `maps.ground`."""
    return pictures.ground_of(build(base, reading))


@functools.lru_cache(maxsize=64)
def small_maps(base: Design) -> pictures.Ground | None:
    """Return the maps of other sizes on the axes of a design's; None where there are none."""
    others, plane = maps.neighbours(base), build(base, NONE)
    # Without records on a side there are no sizes to vary.
    if not others:
        return None
    return pictures.nine_data(
        across=[f"m = {one.m:,}" for one in others[:3]],
        down=[f"n₀ = {one.n0:,}" for one in others[::3]],
        maps=[maps.small(one, plane) for one in others],
    )


def along(design: Design) -> tuple[Regime, ...]:
    """Return the phases on the cut through a point."""
    # The paper's map ends at 1; a point beyond it still needs its phase.
    upper = max(1.0, design.epsilon)
    return theory.regimes(*design.sizes, **design.shape, ratio=design.ratio, upper=upper)


def deciding(design: Design) -> str:
    """Return the term that decides at a point."""
    return next(row.rate for row in along(design) if design.epsilon <= row.hi)


def map_of(design: Design, reading: str) -> Figure:
    """The term that decides over budgets and exponents, beside a reading of the printed table."""
    return maps.map_figure(
        build(design, reading),
        title=planes.TERMS[deciding(design)].said,
        name="phase-map",
        lines=maps.marks(design),
        wrong="printed table differs",
        caption="" if reading == NONE else _printed(design, reading),
    )


def _printed(design: Design, reading: str) -> str:
    """What a reading of the printed table says along the cut."""
    if design.ratio != 1 or min(design.sizes) == 0:
        return "Table 1 is about one common budget, with sources present."
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
    return maps.phase_cut(design, along(design))


# The page -------------------------------------------------------------------------------------

PAGE = "phases"
VIEWS = {own.FIRST: "Map", own.VIEW: "Your study"}


def draw() -> None:
    """Draw the page."""
    core.presenter.title("Which term decides, and where does it change?")
    layout.address_notes(READING, own.OWN)
    # All three stand in one address, whichever view is open.
    for part in (POINT, READING, own.OWN):
        part.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = core.pick(own.SHOWN, "Show", VIEWS, hidden=True, wrap=True)
        if view != own.VIEW:
            examples()
    if view == own.VIEW:
        own.draw()
    else:
        _map()
    core.sync_url(POINT, READING, own.OWN)


def _map() -> None:
    """Draw the map of one target and equal sources, then its numbers."""
    picture = st.container()
    rest = core.fold("Sizes, shape, unequal budgets, the printed table", "phase_shape")
    if rest is not None:
        with rest:
            ask((*MAIN[2:], *SHAPE), columns=2)
            BOX.draw(READING)
    design = POINT.get()
    with picture:
        _picture(design)
        blocks.show(notes(design), page=PAGE)
    place = core.fold("Why: the four terms and their crossings", "phase_why")
    if place is not None:
        with place:
            blocks.show(why(design), page=PAGE)
    blocks.show([_LIMITS], page=PAGE)
    delta = offered_delta(points.to_study(design, 0.5))
    takeaway.as_study("Open this point as a study", points.to_study(design, delta))


def _picture(design: Design) -> None:
    """The term that decides, with a point that one drags; small maps beside."""
    reading, base = READING.get(), maps.ground(design)
    nine = small_maps(base)
    left, right = layout.beside() if nine else (st.container(), st.container())
    with left:
        pictures.show_map(
            build(design, reading),
            core.with_lines(map_of, design, reading),
            key=f"map_{PAGE}",
            take=move,
            under=partial(ask, MAIN[:2], columns=2),
            ground=whole_ground(base, reading),
        )
    if nine:
        with right:
            pictures.show_nine(nine, key="nine", take=partial(enlarge, design))
    if reading != NONE:
        proof = f"Reading {reading}: test and proof"
        blocks.show([core.Link(f"ACC:Table1:reading-{reading}", proof)], page=PAGE)


def move(x: float, y: float) -> None:
    """Take over a point of the map."""
    POINT.change(epsilon=x, gamma=y)


def enlarge(design: Design, place: int) -> None:
    """Take over the sizes of a small map."""
    other = maps.neighbours(design)[place]
    POINT.change(m=other.m, n0=other.n0)


# What limits the answer, and why a term decides -----------------------------------------------


def steps(regimes: tuple[Regime, ...]) -> str:
    """Which term decides up to which budget, one after the other."""
    return " → ".join(
        f"{'trivial' if row.rate == '1' else row.rate} up to {words.number(row.hi)}"
        for row in regimes
    )


def notes(design: Design) -> Iterator[core.Block]:
    """What follows as the budget grows, and what limits the answer at a point."""
    regimes = along(design)
    yield Note(f"As the budget grows: {steps(regimes)}.")
    # As far as the cut is drawn, so that words and picture agree.
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
    """The four terms and their crossings."""
    yield core.Formula(_FORMULAS)
    yield Text(
        "B = β(1+α). Each side is held back by the larger of its two terms, sampling or "
        "privacy; the better side decides. [ACC] equation (4), Theorem 3.1."
    )
    ends = maps.ends(design)
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
