"""The page: how much detail of the curve survives?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.charts import curves as figures
from pages.core import Block, Note, Slider, Switch, Text, blocks
from pages.current import takeaway
from pages.study import verdict
from rates.answer import FederatedAnswer, setback
from rates.answer import solve as solve_study
from rates.maps import Detail, value_of
from rates.maps import alike as details
from rates.maps import sweep as sweep_alike
from rates.numbers import decades
from rates.study import FederatedStudy

DETAIL = core.UrlState(
    parameter="detail",
    start=Detail(),
    settings=(
        *(core.Part(name, parameter) for name, parameter in details.NUMBERS.items()),
        *(core.choice(name, options) for name, options in details.CHOICES.items()),
    ),
    noun="A design",
    refused="The design in the address could not be opened.",
    old=details.from_text,
    gone=details.GONE,
)
_PAGE = "resolution"
RISKS = {risk: text.lower() for risk, text in words.RISKS.items()}
sweep = lru_cache(maxsize=64)(sweep_alike)


@lru_cache(maxsize=64)
def solve(study: FederatedStudy) -> FederatedAnswer:
    """Solve the rate equation of a curve, once for every study."""
    return solve_study(study)


def draw() -> None:
    """Draw the page."""
    core.presenter.title("How much detail survives?")
    answer_place = st.container()
    core.layout.address_notes()
    DETAIL.load()
    design = DETAIL.get()
    figure_place = st.container()
    # The budget stands under the figure that it moves, the others beside each other.
    sites = (_SITES, _RECORDS[design.held], _HELD)
    columns: tuple[tuple[core.Field, ...], ...] = ((_AXIS,), sites, _SHAPE)
    for place, fields in zip(st.columns(3, gap="medium"), columns, strict=True):
        with place:
            core.controls.draw(DETAIL, *fields)
    core.controls.refusal(DETAIL, "The design is left as it was.")
    with answer_place:
        study = design.study()
        blocks.show(_answer(design, study), page=_PAGE)
    with figure_place:
        # Once: under the picture, or below all where nothing can be drawn.
        draw_main = core.controls.once(lambda: core.controls.draw(DETAIL, _BUDGET))
        # No curve in logarithms where nothing survives; the answer says why.
        if solve(study).integrated.D > 0:
            blocks.show([core.with_lines(curve_of, design)], page=_PAGE, under=draw_main)
        draw_main()
    if place := core.fold("Why: the equation", "detail_why"):
        with place:
            blocks.show(_reason(design), page=_PAGE)
            risk = core.pick("detail_risk", "Error that counts", words.RISKS)
            verdict.show_balance(study, risk, key="figure_detail_balance")
    blocks.show([_limits()], page=_PAGE)
    takeaway.as_study("Open this design as a study", study)
    core.sync_url(DETAIL)


# The design -----------------------------------------------------------------------------------


def _held(word: str) -> Mapping[str, Any]:
    """Keep the records that each site has when what is held fixed changes."""
    now = DETAIL.get()
    return {"records": now.n * now.sites if word == "total" else now.n}


_BUDGET, _SITES = Slider("epsilon", "Budget ε of each site"), Slider("sites", "Number of sites m")
_HELD = Switch("held", "Held fixed", {"site": "Records per site", "total": "All records"}, _held)
_RECORDS = {
    "site": Slider("records", "Records per site n"),
    "total": Slider("records", "Records of all sites N", decades(2, 8, whole=True)),
}
_SHAPE = (Slider("smoothness", "Smoothness α"), Slider("integrability", "Integrability p"))
_AXIS = core.Menu("axis", "Horizontal axis", figures.AXES)


# The answer -----------------------------------------------------------------------------------


def _answer(design: Detail, study: FederatedStudy) -> Iterator[Block]:
    """How much detail survives, and what privacy costs."""
    answer, free = solve(study), solve(study.unprotected())
    if answer.integrated.D == 0:
        yield Text("**No site carries information**: a budget of 0 releases nothing.")
        return
    parts, cost = [], []
    for risk, text in RISKS.items():
        row = getattr(answer, risk)
        binds = "privacy" if row.limited_by[0] == "privacy" else "sampling"
        level = f"(level **{row.level}**, {binds} binds)"
        parts.append(f"**{words.number(row.D)}** functions {text} {level}")
        cost.append(f"**{words.number(setback(row, getattr(free, risk)).rate_ratio)}**")
    sites = "site recovers" if design.sites == 1 else "sites recover"
    # An infinite budget would be read as a large one.
    private = not math.isinf(design.epsilon)
    budget = f"ε = **{words.number(design.epsilon)}**" if private else "no protection"
    yield Text(
        f"**{design.sites:,}** {sites} {' and '.join(parts)} from **{design.n:,}** records "
        f"each, under {budget}. Privacy multiplies the error over the whole curve by {cost[0]} "
        f"and the error at one point by {cost[1]}, up to constants."
    )
    if answer.pointwise.D <= 1:
        yield Note("Where D is at most 1 no detail survives, and the rate is 1.")


def curve_of(design: Detail) -> Figure:
    """D of a design along the axis that it names."""
    study = design.study()
    here, caption = value_of(study, design.axis), "Thin lines: each branch alone."
    return figures.curve_figure(sweep(study, design.axis), here=here, caption=caption)


# The reason and what is left open -----------------------------------------------------------------


def _reason(design: Detail) -> Iterator[Block]:
    yield core.Formula(
        r"D^{2g+2}=\sum_{j=1}^m (n_j^2\varepsilon_j^2)\wedge(n_jD)"
        "\n"
        r"\text{alike: } D=(mn^2\varepsilon^2)^{\frac{1}{2g+2}}\wedge(mn)^{\frac{1}{2g+1}}"
    )
    yield Text(
        "g is α for the error over the whole curve and α - 1/p for the error at one point. D is "
        "the number of functions worth estimating, its level is log₂ D rounded up, and the rate is "
        "D^(-2g). Privacy binds while n ε² is at most (mn)^(1/(2g+1)). [CCV] equations (4) to (6), "
        "Corollaries 1 and 2."
    )
    yield partial(core.layout.statements_used, _PAGE)


def _limits() -> core.Fold:
    text = (
        "- D holds up to constants and logarithms: read elbows, slopes and ratios, not the number "
        "of coefficients of one estimator.\n"
        "- The theorems ask that budgets stay bounded, and that D is at least 1 for the "
        "estimators. δ does not enter here; what they ask of it stands under What it costs.\n"
        "- Both errors are worst cases over all curves of the stated smoothness.\n"
    )
    return core.Fold(words.LIMITS, [Text(text), core.Link("CCV:Sec2.1:smaller-p")])
