"""Page: which term decides, and where does it change?"""

from __future__ import annotations

import functools

import streamlit as st

from pages.figures import chart
from pages.parts.frame import shell

shell.route()

from pages.figures import phase_maps, phases
from pages.figures.chart import words
from pages.parts.frame import figure_card, formula, ledger_links, scope_line, tables
from pages.parts.phases import designs
from pages.parts.phases import reading as phase_reading
from pages.parts.session import number, publish, state
from pages.parts.study import balance
from rates.answer import offered_delta
from rates.numbers import decades
from rates.phases import (
    Design,
    PublicRegimes,
    Regime,
    cuts,
    disagreement,
    printed_eps21,
    public_regimes,
    regimes,
    sequence,
)
from rates.phases import design as points
from rates.study import codec

VIEWS = {"map": "Map", "cut": "Rate along the cut", "public": "Unprotected source"}
UPPER = {1.0: "up to 1", 100.0: "up to 100"}
SIDES = {"t": "the target", "s": "the sources"}
_FORMULAS = (  # one a line, short enough for a phone
    r"\min\{1,\ \mathrm{NP}_t\vee\mathrm{P}_t,\ \mathrm{NP}_s\vee\mathrm{P}_s\}",
    r"\mathrm{NP}_t=n_0^{-\frac{B}{2\beta+d}},\quad\mathrm{P}_t=(n_0\varepsilon)^{-\frac{B}{\beta+d}}",
    r"\mathrm{NP}_s=(mn)^{-\frac{B}{2\beta\gamma+d}}",
    r"\mathrm{P}_s=(mn^2\varepsilon^2)^{-\frac{B}{2\beta\gamma+2d}}",
)
STUDY = str(shell.ROOT / "pages" / "study.py")

build = functools.lru_cache(maxsize=64)(phase_maps.build)
rate_along = functools.lru_cache(maxsize=64)(
    lambda study, design, upper: cuts.rate_along(study, phase_maps.factors(design, upper))
)


def main() -> None:
    st.title("Which term decides, and where does it change?")
    answer_place = st.container()
    shell.address_notes(phase_reading.READING)
    designs.POINT.load()
    phase_reading.READING.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        view = st.segmented_control(
            "Show",
            list(VIEWS),
            default="map",
            format_func=VIEWS.__getitem__,
            key="phase_view",
            on_change=state.touch,
            required=True,
            label_visibility="collapsed",
            persist_state="session",
            wrap=True,
        )
        designs.examples()
    left, right = st.columns([1, 2], gap="large")
    with left:
        designs.ask(designs.MAIN)
        with st.expander("Smoothness, dimension, margin, unequal budgets"):
            designs.ask(designs.SHAPE)
        upper = st.segmented_control(
            "Budgets shown",
            list(UPPER),
            default=1.0,
            format_func=UPPER.__getitem__,
            key="phase_upper",
            on_change=state.touch,
            required=True,
            persist_state="session",
            wrap=True,
            help="The paper's map stops at 1. The formulas go on; noise as printed is not "
            "private for large budgets.",
        )
    design = designs.POINT.get()
    found = _along(design, upper)
    with answer_place:
        scope_line.show()
        _answer(design, found)
    with right:
        if view == "cut":
            _cut(design, found, upper)
        elif view == "public":
            _public(design, upper)
        else:
            _map(design, found, upper)
    _why(design)
    _limits()
    _take_away(design)
    publish(designs.POINT, phase_reading.READING, state.STUDY)


def _along(design: Design, upper: float) -> tuple[Regime, ...]:
    """The phases on the cut through the chosen point."""
    return regimes(
        *design.sizes,
        **design.shape,
        ratio=design.ratio,
        upper=max(upper, design.epsilon),
    )


def _answer(design: Design, found: tuple[Regime, ...]) -> None:
    here = next(row.rate for row in found if design.epsilon <= row.hi)
    order = sequence(
        *design.sizes,
        **design.shape,
        ratio=design.ratio,
        upper=found[-1].hi,
    )
    at = f"At ε = **{words.number(design.epsilon)}** and γ = **{words.number(design.gamma)}**, "
    if here == "1":
        first = f"{at}no term falls below 1: the bound is **trivial**."
    else:
        limit = "sampling" if here.startswith("N") else "privacy"
        first = f"{at}**{SIDES[here[-1]]}** decide{'s' if here[-1] == 't' else ''} the rate, and "
        first += f"**{limit}** binds there ({here})."
    steps = " → ".join(
        f"{'trivial' if row.rate == '1' else row.rate} up to {words.number(row.hi)}"
        for row in found
    )
    st.markdown(f"{first} As the budget grows: {steps}.")
    if order.re_entrant:
        names = {"T": "target", "S": "sources"}
        path = ", ".join(names[side] for side in order.sides)
        st.info(
            f"Re-entrance: {path}. A side that has stopped deciding decides again. Under one "
            "budget the leads in between are small: by our numerical bound the least of them is "
            "at most a factor of about 1.7 in the rate at 10,000 source records and 2.2 at a "
            "million. That is within the constants that rates leave out, so no simulation of "
            "such sizes can show it."
        )
    _caveats(design, found)


def _caveats(design: Design, found: tuple[Regime, ...]) -> None:
    notes = []
    if design.m == 0 or design.n == 0:
        notes.append("Without sources only the target's terms exist (Remark 3.1); γ plays no part.")
    elif design.n0 == 0:
        notes.append("Without target records only the sources' terms exist; γ* is undefined.")
    elif not design.n <= design.n0 <= design.m * design.n:
        notes.append(
            "Outside n ≤ n₀ ≤ m n, the range of Corollary 3.2. The map is exact all the same; "
            "the corollary's table does not apply."
        )
    if design.n0 == 1:
        notes.append("With one target record log n₀ = 0, so γ* is infinite.")
    if design.gamma == 1 and design.m:
        notes.append("At γ = 1 the private terms Pt and Ps are parallel: ε₁₁ does not exist.")
    if found[-1].hi > 1:
        notes.append(
            "Budgets above 1 lie beyond the paper's map. The formulas are still defined; the "
            "printed noise stops being private at about ε = 8.5 to 10."
        )
    if notes:
        st.caption(" ".join(notes))


def _map(design: Design, found: tuple[Regime, ...], upper: float) -> None:
    first, second = st.columns(2)
    axes = first.selectbox(
        "Axes",
        list(phase_maps.AXES),
        format_func=phase_maps.AXES.__getitem__,
        key="phase_axes",
        on_change=state.touch,
        persist_state="session",
    )
    with second:
        reading = phase_reading.BOX.draw(phase_reading.READING)
    plane = build(design, axes, upper, reading)
    drawn = chart.Drawn(
        figure=phases.map_figure(
            plane.regions,
            x=plane.x,
            y=plane.y,
            here=plane.here,
            title="The term that decides the rate, in exact regions",
            wrong=plane.wrong,
            lines=phase_maps.marks(design) if axes == "gamma" else (),
        ),
        caption="" if reading == "none" else _printed(design, axes, reading),
        alt=phases.map_alt(found, across=plane.x.title, up=plane.y.title),
        rows=phases.map_rows(plane.regions, plane.x.title, plane.y.title),
        name="phase-map",
    )
    figure_card.show(drawn, key="figure_map")
    if reading != "none":
        ledger_links.link(f"ACC:Table1:reading-{reading}", f"Reading {reading}: test and proof")


def _printed(design: Design, axes: str, reading: str) -> str:
    """What a reading of the printed table says along the cut."""
    if axes != "gamma" or design.ratio != 1 or min(design.sizes) == 0:
        return "Table 1 is about the first map, with one common budget and sources present."
    rows = disagreement(
        *design.sizes,
        **design.shape,
        reading=reading,
    )
    if not rows:
        return f"On this cut reading {reading} of the printed table agrees with (4)."
    texts = "; ".join(
        f"from {words.number(row.lo)} to {words.number(row.hi)} it says {row.printed}, while "
        f"{row.truth} decides"
        for row in rows
    )
    return f"On this cut reading {reading} of the printed table differs from (4): {texts}."


def _cut(design: Design, found: tuple[Regime, ...], upper: float) -> None:
    if design.n * design.m + design.n0 == 0:
        st.info("No site carries information, so the rate is 1 at every budget.")
        return
    study = points.to_study(design, _delta(design))
    cut = rate_along(study, design, upper)
    drawn = chart.Drawn(
        figure=phases.cut_figure(
            cut,
            found,
            here=design.epsilon,
            title="The rate as the budget grows, and the phase of (4) below it",
            label="Sources' budget ε",
            rates="Rate equation (5)",
        ),
        caption="The line solves (5), which adds the terms that (4) takes the larger of, so it "
        "bends before and after a phase ends. The named mechanism uses "
        f"δ = {words.number(_delta(design))} at every site. Both are worst cases; the vertical "
        "position of the line has no constants, that of the band has.",
        alt=f"Rate along the cut. Phases: {phases.steps(found)}.",
        rows=phases.cut_rows(cut, design.epsilon),
        name="rate-along-the-cut",
    )
    figure_card.show(drawn, key="figure_cut")


def _delta(design: Design) -> float:
    """A delta for the mechanism, offered for these sizes."""
    return offered_delta(points.to_study(design, 0.5))


def _public(design: Design, upper: float) -> None:
    memory = st.session_state
    memory.setdefault("public_n1", 300)
    n2 = max(design.n, 1)
    number(
        "public_n1",
        "Records of the unprotected source n₁",
        points.SOURCE_SIZE,
        memory["public_n1"],
        lambda value: memory.__setitem__("public_n1", int(value)),
        decades(0, 7, whole=True),
    )
    n1 = int(memory["public_n1"])
    answer = public_regimes(
        design.n0,
        n1,
        n2,
        **design.shape,
        upper=max(upper, design.epsilon),
    )
    case = (
        f"Case **{answer.case}** of Corollary 3.3."
        if answer.case
        else "Outside Corollary 3.3, which asks that the protected source be large enough."
    )
    steps = " → ".join(f"{r.rate} up to {words.number(r.hi)}" for r in answer.regimes)
    st.markdown(
        f"{case} One unprotected source of **{n1:,}** records beside one protected source of "
        f"**{n2:,}** and the target of **{design.n0:,}**. Deciding: {steps}."
    )
    cut = cuts.public_rate_along(design, n1, n2, phase_maps.factors(design, upper))
    drawn = chart.Drawn(
        figure=phases.cut_figure(
            cut,
            answer.regimes,
            here=design.epsilon,
            title="The rate with one unprotected source",
            label="Budget ε of the target and the protected source",
            rates="Rate by Corollary 3.3, corrected",
        ),
        caption=_thresholds(answer),
        alt=f"Rate with one unprotected source. Phases: {phases.steps(answer.regimes)}.",
        rows=phases.cut_rows(cut, design.epsilon),
        name="unprotected-source",
    )
    figure_card.show(drawn, key="figure_public")
    if answer.thresholds:
        ledger_links.link(
            f"ACC:Cor3.3:case-{answer.case}", "The printed thresholds: test and proof"
        )


def _thresholds(answer: PublicRegimes) -> str:
    """The thresholds of the corollary's case, corrected and printed."""
    meaning = "Unprotected means unprotected in this calculation, not published."
    if not answer.thresholds:
        return meaning
    right = ", ".join(words.number(x) for x in answer.thresholds)
    printed = ", ".join(words.number(x) for x in answer.printed)
    return f"Thresholds of the case by our reading: {right}; as printed: {printed}. {meaning}"


def _why(design: Design) -> None:
    fold = st.expander(
        "Why: the four terms and their crossings", key="phase_why", on_change=state.touch
    )
    with fold:
        for line in _FORMULAS:
            formula.show(line)
        st.markdown(
            "B = β(1+α). Each side is held back by the larger of its two terms, sampling or "
            "privacy; the better side decides. [ACC] equation (4), Theorem 3.1."
        )
        ends = phase_maps.ends(design)
        wrong = printed_eps21(
            *design.sizes,
            **design.shape,
        )
        tables.wide(
            {
                "Endpoint": ["γ*", "ε₁", "ε₂", "ε₃", "ε₁₁", "ε₂₁", "ε₂₁ as printed"],
                "Where": [
                    "NPt = NPs",
                    "least budget with a rate below 1",
                    "Pt = NPt",
                    "Ps = NPs",
                    "Pt = Ps",
                    "Ps = NPt, by our reading",
                    "exponent with β + d in place of 2β + d",
                ],
                "Value": [
                    words.number(x)
                    for x in (
                        ends.gamma_star,
                        ends.eps1,
                        ends.eps2,
                        ends.eps3,
                        ends.eps11,
                        ends.eps21,
                        float(wrong),
                    )
                ],
            },
            alt="Endpoints of the corollary",
        )
        st.markdown(
            "**Why the printed ε₂₁ cannot be right.** Ps = NPt means "
            "(√m n ε)^(1/(βγ+d)) = n₀^(1/(2β+d)), so ε₂₁ = n₀^((βγ+d)/(2β+d)) / (√m n). The "
            "printed exponent divides by β + d and is larger by a factor "
            "n₀^(β(βγ+d)/((β+d)(2β+d))). At the printed value the two terms are not equal. Here "
            f"our reading gives **{words.number(ends.eps21)}**, the printed formula "
            f"**{words.number(float(wrong))}**."
        )
        ledger_links.link("ACC:Cor3.2:eps21", "The misprinted threshold: test and proof")
        ledger_links.used("phases")
        if fold.open and design.n * design.m + design.n0:
            study = points.to_study(design, _delta(design))
            names = [server.name for server in study.servers]
            result = balance.of_study(study, "classification")
            balance.show(result, names, transfer=True, key="figure_phase_balance")


def _limits() -> None:
    with st.expander("What this does not say"):
        st.markdown(
            "- The map labels the terms of (4), which hold up to constants and logarithms. A "
            "boundary is where two terms are equal, not where a study would notice a change.\n"
            "- Near a boundary both terms matter; the rate equation (5) adds them.\n"
            "- All sources are alike here. Unequal sites belong on the Study page.\n"
            "- Privacy is per site, (ε, δ), one record replaced; δ has to satisfy that the sum of "
            "n δ tends to 0."
        )


def _take_away(design: Design) -> None:
    study = points.to_study(design, _delta(design))
    st.page_link(
        STUDY,
        label="Open this point as a study",
        icon=":material/groups:",
        query_params={state.PARAMETER: codec.to_link(study)},
    )
    st.caption("The address of this page is a link to this point.")


main()
