"""Page: what does privacy cost this study, and who carries it?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.figures import shares, theme  # noqa: E402
from pages.parts import draft as drafts  # noqa: E402
from pages.parts import parameters, sites, state, takeaway, verdict, words  # noqa: E402
from rates.cost import Cost  # noqa: E402
from rates.parameters import DomainError  # noqa: E402
from rates.presets import PRESETS  # noqa: E402
from rates.scenario import TransferStudy  # noqa: E402

RISK_NAMES = {"integrated": "Over the whole curve", "pointwise": "At one point"}


def main() -> None:
    state.load()
    st.title("What does privacy cost this study, and who carries it?")
    answer_place = st.container()
    if problem := st.session_state.get("link_error"):
        st.error(f"The study in the address could not be opened. {problem}")
    _presets()
    draft = sites.editor(state.draft())
    problem_place = st.container()
    with st.container(horizontal=True, vertical_alignment="center"):
        sites.paste_box()
        takeaway.open_file()
    left, right = st.columns([1, 2], gap="large")
    with left:
        parameters.kind_switch()
        parameters.controls()
    draft = state.draft()
    stale = False
    try:
        st.session_state["study"] = drafts.to_study(draft)
    except DomainError as error:
        stale = True
        problem_place.warning(f"{error} The answer shown is for the last complete study.")
    cost = _chosen_risk(right)
    with answer_place:
        _answer(cost)
    with right:
        _figure(cost)
    _why(cost)
    _limits(cost)
    takeaway.bar(stale=stale)


def _presets() -> None:
    titles = {preset.key: preset.title for preset in PRESETS}
    chosen = st.selectbox(
        "Start from an example",
        list(titles),
        index=None,
        format_func=titles.__getitem__,
        placeholder="Choose an example study",
        key="preset",
        on_change=_open_preset,
    )
    for preset in PRESETS:
        if preset.key == chosen:
            st.caption(f"{preset.story} {preset.provenance}")


def _open_preset() -> None:
    for preset in PRESETS:
        if preset.key == st.session_state["preset"]:
            state.adopt(preset.study)


def _chosen_risk(place) -> Cost:  # type: ignore[no-untyped-def]
    costs = state.costs()
    if len(costs) == 1:
        return costs[0]
    chosen = place.segmented_control(
        "Error that counts",
        list(RISK_NAMES),
        default="integrated",
        format_func=RISK_NAMES.__getitem__,
        key="risk",
        required=True,
    )
    return next(cost for cost in costs if cost.risk == chosen)


def _answer(cost: Cost) -> None:
    study = state.current()
    st.markdown(verdict.sentences(study, cost))
    first, second, third = st.columns(3)
    equation = cost.equation
    worth = words.number(equation.answer.effective_n)
    first.metric(
        "Effective sample, rate equation",
        f"{worth} records",
        f"{words.percent(equation.kept)} of no privacy",
        delta_color="off",
        delta_arrow="off",
        help="How many unprotected records of the target alone would give the same error, up "
        "to a constant."
        if isinstance(study, TransferStudy)
        else "How many unprotected records on one site would give the same error, up to a "
        "constant.",
    )
    if cost.mechanism:
        worths = [words.number(s.answer.effective_n) for s in cost.mechanism]
        kept = words.span(*(words.percent(x) for x in cost.kept_range))
        ratios = words.span(*(words.number(x) for x in cost.ratio_range))
        second.metric(
            "Effective sample, named mechanism",
            f"{words.span(*sorted((worths[0], worths[-1]), key=len))} records",
            f"{kept} of no privacy",
            delta_color="off",
            delta_arrow="off",
            help=f"The same for a {cost.scale}.",
        )
    else:
        ratios = "?"
        second.metric("Effective sample, named mechanism", "needs every δ")
        second.caption(str(cost.missing))
    third.metric(
        "Error against no privacy",
        f"× {words.number(equation.rate_ratio)} | × {ratios}",
        "equation | mechanism",
        delta_color="off",
        delta_arrow="off",
        help="Worst-case excess error with privacy over that without, by the rate equation and "
        "by the named mechanism. It is neither a risk, nor a hazard ratio, nor power.",
    )


def _figure(cost: Cost) -> None:
    study = state.current()
    names = [server.name for server in study.servers]
    panels = [("Rate equation", cost.equation.answer)]
    if cost.mechanism:
        panels.append(("Named mechanism", verdict.middle(cost).answer))
    st.plotly_chart(
        shares.figure(
            names,
            panels,
            title="Share of the answer that each site carries",
            has_target=isinstance(study, TransferStudy),
        ),
        key="shares",
        config=theme.CONFIG,
        alt=shares.alt(names, panels),
    )
    mark = f" {theme.TARGET_MARK} target, {theme.SOURCE_MARK} source." if study_has_target() else ""
    st.caption(f"{verdict.root_text(cost)}.{mark} A row with a count speaks for all its sites.")


def study_has_target() -> bool:
    return isinstance(state.current(), TransferStudy)


def _why(cost: Cost) -> None:
    with st.expander("Why"):
        if study_has_target():
            st.latex(
                r"\sum_{j=0}^m \left(n_j\wedge n_j^2\varepsilon_j^2 r^d\right)"
                r" r^{2\beta\gamma_j+d}=1,\qquad \text{rate}=\min\{1, r^{\beta(1+\alpha)}\}"
            )
            st.markdown(
                "Each site adds one term. The smaller of its two entries says what binds the "
                "site: its sample, or its privacy. The terms at the root are the shares. "
                "[ACC] Theorem 3.4, equations (5) and (6)."
            )
        else:
            st.latex(
                r"D^{2g+2}=\sum_{j=1}^m \left(n_j^2\varepsilon_j^2\right)\wedge"
                r"\left(n_j D\right),\qquad \text{rate}=\min\{1, D^{-2g}\}"
            )
            st.markdown(
                "Here g is α for the error over the whole curve and α - 1/p for the error at "
                "one point. Each site adds one term, and the smaller of its two entries says "
                "what binds it. [CCV] Theorem 2.1, equations (14) and (17)."
            )
        if cost.scale:
            st.markdown(f"**Named answer**: a {words.md(cost.scale)}.")
        for note in state.notes():
            mark = {True: "✓", False: "✗", None: "?"}[note.holds]
            st.markdown(f"{mark} {words.md(note.text)} ({words.md(note.source)})")


def _limits(cost: Cost) -> None:
    with st.expander("What this does not say"):
        st.markdown(
            "- Rates hold up to constants and logarithms. Read ratios, shares and limits, not "
            "absolute errors. The named mechanism fixes the constants of one procedure; "
            "another may do better.\n"
            "- It is a worst case over all problems of the stated smoothness"
            + (", margin and signal exponents" if cost.risk == "classification" else "")
            + ". A given data set may be easier.\n"
            "- Privacy is per site: (ε, δ) under replacement of one record in what the site "
            "releases. *Unprotected* means unprotected in this calculation, not published.\n"
            "- Nothing here says whether the theory's assumptions hold for your data."
        )


main()
