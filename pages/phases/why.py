"""Why a term decides, and what the map does not say."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.charts.maps import phase_maps
from pages.core import fold, formula, ledger_links, tables
from pages.phases import views
from pages.study import balance
from rates.phases import Design, printed_eps21
from rates.phases import design as points

_FORMULAS = (  # one a line, short enough for a phone
    r"\min\{1,\ \mathrm{NP}_t\vee\mathrm{P}_t,\ \mathrm{NP}_s\vee\mathrm{P}_s\}",
    r"\mathrm{NP}_t=n_0^{-\frac{B}{2\beta+d}},\quad\mathrm{P}_t=(n_0\varepsilon)^{-\frac{B}{\beta+d}}",
    r"\mathrm{NP}_s=(mn)^{-\frac{B}{2\beta\gamma+d}}",
    r"\mathrm{P}_s=(mn^2\varepsilon^2)^{-\frac{B}{2\beta\gamma+2d}}",
)


def expander(design: Design) -> None:
    """Draw the four terms, their crossings, and the balance at the point."""
    place = fold("Why: the four terms and their crossings", "phase_why")
    if place is None:
        return
    with place:
        for line in _FORMULAS:
            formula.show(line)
        st.markdown(
            "B = β(1+α). Each side is held back by the larger of its two terms, sampling or "
            f"privacy; the better side decides. {words.keyed('[ACC]')} equation (4), Theorem 3.1."
        )
        ends = phase_maps.ends(design)
        wrong = printed_eps21(*design.sizes, **design.shape)
        tables.show(
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
        if design.n * design.m + design.n0:
            study = points.to_study(design, views.delta(design))
            balance.show(study, "classification", key="figure_phase_balance")


def limits() -> None:
    """Draw what the map does not say."""
    with st.expander(words.LIMITS):
        st.markdown(
            "- The map labels the terms of (4), which hold up to constants and logarithms. A "
            "boundary is where two terms are equal, not where a study would notice a change.\n"
            "- Near a boundary both terms matter; the rate equation (5) adds them.\n"
            "- All sources are alike here. Unequal sites belong on the Study page.\n"
            "- Privacy is per site, (ε, δ), one record replaced; δ has to satisfy that the sum of "
            "n δ tends to 0."
        )
