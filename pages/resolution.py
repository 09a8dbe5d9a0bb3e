"""Page: how much detail of the curve survives?"""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures import chart
from pages.parts.frame import shell

shell.route()

from pages.figures import resolution as figures
from pages.figures.chart import words
from pages.parts.frame import figure_card, formula, ledger_links, scope_line
from pages.parts.resolution import detail
from pages.parts.session import publish, state
from pages.parts.study import balance
from rates.answer import FederatedAnswer, RiskAnswer, Setback, setback
from rates.answer import solve as solve_study
from rates.numbers import DomainError
from rates.resolution import (
    Coverage,
    Detail,
    applies,
    resolution,
)
from rates.resolution import growing as growth
from rates.study import (
    FederatedStudy,
    codec,
)

STUDY = str(shell.ROOT / "pages" / "study.py")
RISKS = {"integrated": "over the whole curve", "pointwise": "at one point"}
MOVED = tuple(k / 100 for k in range(101))
EXAMPLE = {"total": 1e8, "epsilon": 1e-3, "smoothness": 2.0, "few": 10, "many": 100}
EXAMPLE_P = (math.inf, 4.0, 2.0)

solve = functools.lru_cache(maxsize=64)(solve_study)
sweep = functools.lru_cache(maxsize=64)(resolution.sweep)
grow = functools.lru_cache(maxsize=64)(growth.growth)
covered = functools.lru_cache(maxsize=64)(applies)
spread = functools.lru_cache(maxsize=16)(resolution.spreading)


def main() -> None:
    st.title("How much detail survives?")
    answer_place = st.container()
    shell.address_notes()
    detail.DETAIL.load()
    detail.VIEW.draw(detail.DETAIL)
    design = detail.DETAIL.get()
    left, right = st.columns([1, 2], gap="large")
    with left:
        detail.ask()
    study = _study(design, answer_place)
    with answer_place:
        scope_line.show()
        _answer(design, study)
    with right:
        if design.view == "dominating":
            _growth(design, study)
        else:
            _curve(design)
    _own_study()
    _why(design, study)
    _limits()
    _take_away(study)
    publish(detail.DETAIL, state.STUDY)


def _study(design: Detail, place: st.delta_generator.DeltaGenerator) -> FederatedStudy:
    """The study that is shown: equal sites, or one that has grown."""
    study = design.study()
    if design.view == "dominating":
        try:
            return growth.two_groups(study, design.moved / 100.0)
        except DomainError as error:
            place.warning(f"{words.plain(error)} All sites are shown alike.")
    return study


def _setback(study: FederatedStudy, risk: str) -> Setback:
    return setback(_risk(solve(study), risk), _risk(solve(study.unprotected()), risk))


def _risk(answer: FederatedAnswer, risk: str) -> RiskAnswer:
    return answer.integrated if risk == "integrated" else answer.pointwise


def _answer(design: Detail, study: FederatedStudy) -> None:
    if solve(study).integrated.D == 0:
        st.markdown("**No site carries information**: a budget of 0 releases nothing.")
        return
    first = _grown(design, study) if len(study.servers) > 1 else _alike(design, study)
    cost = [words.number(_setback(study, risk).rate_ratio) for risk in RISKS]
    st.markdown(
        f"{first} Privacy multiplies the error over the whole curve by **{cost[0]}** and the "
        f"error at one point by **{cost[1]}**, up to constants."
    )
    if solve(study).pointwise.D <= 1:
        st.caption(
            "Where D is at most 1 the bound is trivial: no detail survives, and the rate is 1."
        )


def _alike(design: Detail, study: FederatedStudy) -> str:
    answer = solve(study)
    parts = [
        f"**{words.number(_risk(answer, risk).D)}** functions {text} (level "
        f"**{_risk(answer, risk).level}**, {_binds(_risk(answer, risk))} binds)"
        for risk, text in RISKS.items()
    ]
    sites = "site recovers" if design.sites == 1 else "sites recover"
    budget = "no protection" if math.isinf(design.epsilon) else f"ε = {_number(design.epsilon)}"
    return (
        f"**{design.sites:,}** {sites} {' and '.join(parts)} from **{design.n:,}** records "
        f"each, under {budget}."
    )


def _number(x: float) -> str:
    return f"**{words.number(x)}**"


def _binds(answer: RiskAnswer) -> str:
    return "privacy" if answer.limited_by[0] == "privacy" else "sampling"


def _grown(design: Detail, study: FederatedStudy) -> str:
    large, other = study.servers
    before, after = solve(design.study()), solve(study)
    parts = [
        f"from {words.number(_risk(before, risk).D)} to **{words.number(_risk(after, risk).D)}** "
        f"{text}"
        for risk, text in RISKS.items()
    ]
    others = f"each of the other {other.count:,} has" if other.count > 1 else "the other site has"
    return (
        f"With **{words.number(design.moved)} %** moved, one site has **{large.n:,}** records "
        f"and {others} **{other.n:,}**. D goes {' and '.join(parts)}. {_corollaries(study)}"
    )


def _corollaries(study: FederatedStudy) -> str:
    """Which of Corollaries 3 and 4 applies, for each error."""
    found = {risk: _names(study, risk) for risk in RISKS}
    if found["integrated"] == found["pointwise"]:
        return f"For both errors {found['integrated']}."
    parts = [f"{text} {found[risk]}" for risk, text in RISKS.items()]
    return f"{_first('; '.join(parts))}."


def _first(text: str) -> str:
    """The text with its first letter large."""
    return text[0].upper() + text[1:]


def _names(study: FederatedStudy, risk: str) -> str:
    numbers = [k for k in (3, 4) if _row(study, f"Corollary {k}, {risk}").holds]
    if not numbers:
        return "**neither Corollary 3 nor Corollary 4** applies"
    verb = "apply" if len(numbers) > 1 else "applies"
    return f"**{' and '.join(f'Corollary {k}' for k in numbers)}** {verb}"


def _row(study: FederatedStudy, name: str) -> Coverage:
    return next(row for row in covered(study) if row.corollary == name)


def _curve(design: Detail) -> None:
    study = design.study()
    if solve(study).integrated.D == 0:
        return
    curve = sweep(study, design.axis)
    drawn = chart.Drawn(
        figure=figures.figure(
            curve,
            quantity=design.quantity,
            here=resolution.value_of(study, design.axis),
            title=figures.title(curve, quantity=design.quantity),
        ),
        caption=_slopes(curve),
        alt=figures.alt(curve, quantity=design.quantity),
        rows=figures.csv_rows(curve),
        name="resolution",
    )
    figure_card.show(drawn, key="figure_detail")


def _slopes(curve: resolution.Curve) -> str:
    """Elbows and slopes of both risks."""
    parts = []
    for risk, text in RISKS.items():
        branch = getattr(curve, risk)
        bend = (
            "no elbow" if math.isnan(branch.elbow) else f"elbow at {words.number(branch.elbow, 4)}"
        )
        if not math.isnan(branch.slope_private):
            bend += (
                f", slope of D {words.number(branch.slope_private)} where privacy binds and "
                f"{words.number(branch.slope_free)} where sampling does"
            )
        parts.append(f"{text}: {bend}")
    return (
        f"{_first('; '.join(parts))}. Thin lines: each branch alone. The other controls "
        "hold what the axis does not vary."
    )


def _growth(design: Detail, study: FederatedStudy) -> None:
    if len(study.servers) < 2 or solve(study).integrated.D == 0:
        return
    result = grow(design.study(), MOVED)
    drawn = chart.Drawn(
        figure=figures.growth_figure(
            result, here=design.moved / 100.0, title="From all alike to one dominating site"
        ),
        caption="Bars: where condition (8), for Corollary 3, or (9), for Corollary 4, holds. Where "
        "neither does, the rate equation answers all the same. Where a bar of (8) "
        "ends, sampling starts to bind the large site.",
        alt=figures.growth_alt(result),
        rows=figures.growth_rows(result),
        name="alike-or-dominating",
    )
    figure_card.show(drawn, key="figure_growth")
    st.table(
        {
            "Statement": ["Corollary 3", "Corollary 4"],
            **{
                _first(text): [
                    words.md(_row(study, f"Corollary {k}, {risk}").reason) for k in (3, 4)
                ]
                for risk, text in RISKS.items()
            },
        }
    )


def _own_study() -> None:
    st.header("Your study")
    study = state.current()
    if not isinstance(study, FederatedStudy):
        st.markdown(
            "The current study is a classifier, and these corollaries are about a curve. To see "
            "which of them covers your sites, switch *What is learned* to a curve on the Study "
            "page."
        )
    else:
        held = [row.corollary for row in covered(study) if row.holds]
        if held:
            st.markdown(f"The current study is covered by **{'; '.join(held)}** [CCV].")
        else:
            st.markdown(
                "The current study is covered by **no corollary**; the rate equation of Theorem "
                "2.1 answers all the same."
            )
        missed = [row for row in covered(study) if not row.holds]
        if missed:
            st.markdown(
                "\n".join(f"- {row.corollary} does not: {words.md(row.reason)}" for row in missed)
            )
    st.page_link(
        STUDY,
        label="Go to the study",
        icon=":material/groups:",
        query_params=state.carried(),
    )


def _why(design: Detail, study: FederatedStudy) -> None:
    fold = st.expander(
        "Why: the equation with this design's numbers", key="detail_why", on_change=state.touch
    )
    with fold:
        formula.show(r"D^{2g+2}=\sum_{j=1}^m (n_j^2\varepsilon_j^2)\wedge(n_jD)")
        formula.show(
            r"\text{alike: } D=(mn^2\varepsilon^2)^{\frac{1}{2g+2}}\wedge(mn)^{\frac{1}{2g+1}}"
        )
        st.markdown(
            "g is α for the error over the whole curve and α - 1/p for the error at one point. "
            "D is the number of functions worth estimating, its level is log₂ D rounded up, and "
            "the rate is D^(-2g). Privacy binds while n ε² is at most (mn)^(1/(2g+1)). [CCV] "
            "equations (4) to (6), Corollaries 1 and 2."
        )
        st.table(_branches(design.study()))
        ledger_links.used("resolution")
        if fold.open:
            risk = st.segmented_control(
                "Error that counts",
                list(RISKS),
                default="integrated",
                format_func=lambda risk: _first(RISKS[risk]),
                key="detail_risk",
                on_change=state.touch,
                required=True,
                persist_state="session",
            )
            names = [server.name for server in study.servers]
            result = balance.of_study(study, risk)
            balance.show(result, names, transfer=False, key="figure_detail_balance")


def _branches(study: FederatedStudy) -> dict[str, list[str]]:
    """Both branches of D and D itself, for the design with all sites alike."""
    point = resolution.along(study, "sites", resolution.value_of(study, "sites"))
    names = ["g", "Privacy alone", "Sampling alone", "D", "Level"]
    columns = {}
    for risk, text in RISKS.items():
        row = getattr(point, risk)
        columns[_first(text)] = [
            words.number(float(row.smoothness[0])),
            words.number(_exp(row.log_private[0])),
            words.number(_exp(row.log_free[0])),
            words.number(_exp(row.log_D[0]), 4),
            words.number(float(row.level[0])),
        ]
    return {"All sites alike": names, **columns}


def _exp(x: float) -> float:
    return math.inf if x > 700.0 else math.exp(x)


def _limits() -> None:
    with st.expander("What this does not say"):
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
        "**Our reading of one printed sentence.** [CCV] Section 2.1 says that spreading a fixed "
        "total over more sites costs relatively more for small p. By the rate itself the factor "
        "is m^(ν/(ν+1)) with ν = α - 1/p, and it is smaller for small p. With "
        f"{words.number(EXAMPLE['total'])} records in all, ε = {words.number(EXAMPLE['epsilon'])} "
        f"and α = {words.number(EXAMPLE['smoothness'])}, going from {few} to {many} sites "
        f"multiplies the error at one point by {rate}. If instead every site keeps its records, "
        f"so that the total grows, the cost of privacy grows by {cost}: that order is the "
        "printed one, but only for ν above 0.707."
    )


def _take_away(study: FederatedStudy) -> None:
    st.page_link(
        STUDY,
        label="Open this design as a study",
        icon=":material/open_in_new:",
        query_params={state.PARAMETER: codec.to_link(study)},
    )
    st.caption("The address of this page is a link to this design.")


main()
