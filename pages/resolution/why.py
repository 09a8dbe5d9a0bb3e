"""Why detail survives, and what the page does not say."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.charts import words
from pages.core import fold, formula, ledger_links, pick, tables
from pages.study import balance
from rates.resolution import Detail, resolution
from rates.study import FederatedStudy

EXAMPLE = {"total": 1e8, "epsilon": 1e-3, "smoothness": 2.0, "few": 10, "many": 100}
EXAMPLE_P = (math.inf, 4.0, 2.0)
spread = functools.lru_cache(maxsize=16)(resolution.spreading)


def expander(design: Detail, study: FederatedStudy) -> None:
    """Draw the equation with the design's numbers."""
    place = fold("Why: the equation with this design's numbers", "detail_why")
    if place is None:
        return
    with place:
        formula.show(r"D^{2g+2}=\sum_{j=1}^m (n_j^2\varepsilon_j^2)\wedge(n_jD)")
        formula.show(
            r"\text{alike: } D=(mn^2\varepsilon^2)^{\frac{1}{2g+2}}\wedge(mn)^{\frac{1}{2g+1}}"
        )
        st.markdown(
            "g is α for the error over the whole curve and α - 1/p for the error at one point. "
            "D is the number of functions worth estimating, its level is log₂ D rounded up, and "
            "the rate is D^(-2g). Privacy binds while n ε² is at most (mn)^(1/(2g+1)). "
            f"{words.keyed('[CCV]')} equations (4) to (6), Corollaries 1 and 2."
        )
        tables.wrapped(_branches(design.study()))
        ledger_links.used("resolution")
        risk = pick("detail_risk", "Error that counts", words.RISKS)
        balance.show(study, risk, key="figure_detail_balance")


def _branches(study: FederatedStudy) -> dict[str, list[str]]:
    """Both branches of D and D itself, for the design with all sites alike."""
    point = resolution.along(study, "sites", resolution.value_of(study, "sites"))
    names = ["g", "Privacy alone", "Sampling alone", "D", "Level"]
    columns = {}
    for risk, text in words.RISKS.items():
        row = getattr(point, risk)
        columns[text] = [
            words.number(float(row.smoothness[0])),
            words.number(_exp(row.log_private[0])),
            words.number(_exp(row.log_free[0])),
            words.number(_exp(row.log_D[0]), 4),
            words.number(float(row.level[0])),
        ]
    return {"All sites alike": names, **columns}


def _exp(x: float) -> float:
    return math.inf if x > 700.0 else math.exp(x)


def limits() -> None:
    """Draw what the page does not say."""
    with st.expander(words.LIMITS):
        st.markdown(
            "- D holds up to constants and logarithms: read elbows, slopes and ratios, not the "
            "number of coefficients of one estimator.\n"
            "- The theorems ask that budgets stay bounded, and that D is at least 1 for the "
            "estimators; below that the rate is 1.\n"
            "- δ does not enter here; what the theorems ask of it stands on the Study page.\n"
            "- Both errors are worst cases over all curves of the stated smoothness.\n"
        )
        st.markdown(_reversed())
        ledger_links.link("CCV:Sec2.1:smaller-p", "That sentence: test and proof")


def _reversed() -> str:
    """The one printed claim that our reading turns round, with the engine's numbers."""
    few, many = EXAMPLE["few"], EXAMPLE["many"]
    results = [
        spread(
            EXAMPLE["total"],
            EXAMPLE["epsilon"],
            smoothness=EXAMPLE["smoothness"] - 1.0 / p,
            few=few,
            many=many,
        )
        for p in EXAMPLE_P
    ]
    p_names = ["∞" if math.isinf(p) else words.number(p) for p in EXAMPLE_P]
    rate = ", ".join(
        f"× **{words.number(r.rate, 4)}** (p = {p})" for r, p in zip(results, p_names, strict=True)
    )
    cost = ", ".join(
        f"× {words.number(r.cost, 4)} (p = {p})" for r, p in zip(results, p_names, strict=True)
    )
    return (
        f"**Our reading of one printed sentence.** {words.keyed('[CCV]')} Section 2.1 says that "
        "spreading a fixed total over more sites costs relatively more for small p. By the rate "
        "itself the factor is m^(ν/(ν+1)) with ν = α - 1/p, and it is smaller for small p. With "
        f"{words.number(EXAMPLE['total'])} records in all, ε = {words.number(EXAMPLE['epsilon'])} "
        f"and α = {words.number(EXAMPLE['smoothness'])}, going from {few} to {many} sites "
        f"multiplies the error at one point by {rate}. If instead every site keeps its records, "
        f"so that the total grows, the cost of privacy grows by {cost}: that order is the "
        "printed one, but only for ν above 0.707."
    )
