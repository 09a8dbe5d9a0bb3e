"""Why the answer is what it is: the equation with the study's own numbers, and its limits."""

from __future__ import annotations

import math
from collections.abc import Iterator

import streamlit as st

from pages.charts import words
from pages.core import Block, Formula, Note, Table, Text, blocks, fold, ledger_links
from pages.current import state
from pages.study import balance
from rates.answer import Cost, RiskAnswer, SiteTerm, TransferAnswer
from rates.study import Study, TransferStudy

MOST_ROWS = 12
MOST_TERMS = 2

_TRANSFER = r"""\sum_{j=0}^m (n_j\wedge n_j^2\varepsilon_j^2 r^d)\, r^{2\beta\gamma_j+d}=1
\text{rate}=\min\{1,\, r^{\beta(1+\alpha)}\}"""
_FEDERATED = r"""D^{2g+2}=\sum_{j=1}^m (n_j^2\varepsilon_j^2)\wedge(n_j D)
\text{rate}=\min\{1,\, D^{-2g}\}"""


def expander(cost: Cost) -> None:
    """Show the equation in letters, in numbers, and row by row, in a fold."""
    place = fold("Why: the equation with this study's numbers", "why_fold")
    if place is not None:
        with place:
            blocks.show(_equation(state.current(), cost), page="why")


def _equation(study: Study, cost: Cost) -> Iterator[Block]:
    transfer = isinstance(study, TransferStudy)
    yield Formula(_TRANSFER if transfer else _FEDERATED)
    yield Text(_TRANSFER_WORDS if transfer else _FEDERATED_WORDS)
    rows = state.site_terms(study, cost.risk)
    yield Text(_letters(study, cost))
    if rows:
        yield Formula("\n".join(_numbers(rows, cost)))
        yield Table(_table(study, rows, cost), "The equation row by row")
        if len(rows) > MOST_ROWS:
            yield Note(f"The {MOST_ROWS} largest of {len(rows)} rows.")
        yield lambda: balance.show(study, cost.risk, key="figure_balance")
    if cost.scale:
        yield Text(f"**The named answer** is for a {words.md(cost.scale)}. {_MECHANISM}")
    yield Text("**What the theorem asks for, with this study's numbers**")
    for note in state.notes():
        mark = {True: "✓", False: "✗", None: "?"}[note.holds]
        yield Text(f"{mark} {words.md(note.text)} ({words.cited(note.source)})")
    yield lambda: ledger_links.used("study", "ACC" if transfer else "CCV")


_TRANSFER_WORDS = (
    "Each site adds one term; ∧ takes the smaller of two numbers, and which one it is says what "
    "binds the site: its sample n, or its privacy. r is the distance over which the classifier "
    "averages. The terms at the root are the shares. [ACC] Theorem 3.4, equations (5) and (6)."
)
_FEDERATED_WORDS = (
    "Here g is α for the error over the whole curve and α - 1/p for the error at one point. Each "
    "site adds one term; ∧ takes the smaller of two numbers, and which one it is says what binds "
    "the site. D is the number of coefficients worth estimating. [CCV] Theorem 2.1, equations "
    "(14) and (17)."
)
_MECHANISM = (
    "There the variances of sampling and of privacy noise add up, with their constants, instead "
    "of the larger one being taken."
)


def _letters(study: Study, cost: Cost) -> str:
    """Every letter of the formula with its value."""
    answer = cost.equation.answer
    if isinstance(answer, TransferAnswer) and isinstance(study, TransferStudy):
        return (
            f"Here β = {words.number(study.smoothness)}, d = {study.dimension}, "
            f"α = {words.number(study.margin)}; n, ε and γ of each site stand in the table; "
            f"the root is r = **{words.number(answer.r, 4)}**, and the rate r^(β(1+α)) is "
            f"**{words.number(answer.rate, 4)}**, up to constants and logarithms."
        )
    assert isinstance(answer, RiskAnswer)
    g = answer.smoothness
    return (
        f"Here g = {words.number(g)}; n and ε of each site stand in the table; the root is "
        f"D = **{words.number(answer.D, 4)}**, and the rate D^(-2g) is "
        f"**{words.number(answer.rate, 4)}**, up to constants and logarithms."
    )


def _numbers(rows: tuple[SiteTerm, ...], cost: Cost) -> Iterator[str]:
    """The first terms of the equation with numbers in the place of letters, and their sum."""
    transfer = isinstance(cost.equation.answer, TransferAnswer)
    for row in rows[:MOST_TERMS]:
        pair = rf"({_tex(row.sample)}\wedge {_tex(row.privacy)})"
        times = rf"\cdot {_tex(row.factor)}" if row.factor != 1 or transfer else ""
        yield rf"{pair}{times}={_tex(row.term)}"
    total = _tex(sum(row.term for row in rows))
    yield rf"\text{{all {len(rows)} rows together: }}{total}"


def _tex(x: float) -> str:
    if math.isinf(x):
        return r"\infty"
    text = words.number(x).replace(",", r"{,}")
    if "e" in text:
        mantissa, exponent = text.split("e")
        return rf"{mantissa}\cdot 10^{{{exponent}}}"
    return text


def _table(study: Study, rows: tuple[SiteTerm, ...], cost: Cost) -> dict[str, list[str]]:
    answer = cost.equation.answer
    transfer = isinstance(study, TransferStudy)
    order = sorted(sorted(range(len(rows)), key=lambda k: -answer.shares[k])[:MOST_ROWS])
    sample, privacy = ("n", "n² ε² rᵈ") if transfer else ("n D", "n² ε²")
    return {
        "Site": [rows[k].name for k in order],
        f"Sample allows {sample}": [words.number(rows[k].sample) for k in order],
        f"Privacy allows {privacy}": [words.number(rows[k].privacy) for k in order],
        "Smaller one": [answer.limited_by[k] for k in order],
        "Share": [words.percent(answer.shares[k]) for k in order],
        "1 % more records: error": [_effect(cost, answer.elasticity_n[k]) for k in order],
        "1 % more budget: error": [_effect(cost, answer.elasticity_epsilon[k]) for k in order],
    }


def _effect(cost: Cost, elasticity: float) -> str:
    """Change of the error in per cent when a quantity grows by one per cent."""
    change = cost.error_elasticity(elasticity)
    return "no change" if change == 0 else f"{words.number(change, 2)} %"


def limits(cost: Cost) -> None:
    """Say once what the answer leaves open."""
    classes = ", margin and signal exponents" if cost.risk == "classification" else ""
    with st.expander(words.LIMITS):
        st.markdown(
            "- Rates hold up to constants and logarithms. Read ratios, shares and limits, not "
            "absolute errors. The named mechanism fixes the constants of one procedure; another "
            "may do better.\n"
            f"- It is a worst case over all problems of the stated smoothness{classes}. A given "
            "data set may be easier.\n"
            "- Privacy is per site: (ε, δ) under replacement of one record in what the site "
            "releases. *Unprotected* means unprotected in this calculation, not published.\n"
            "- Nothing here says whether the theory's assumptions hold for your data."
        )
