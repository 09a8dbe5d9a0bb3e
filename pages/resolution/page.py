"""The page: how much detail of the curve survives?"""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import layout, stage, sync_url
from pages.current import scope_line, state, takeaway
from pages.resolution import answer, detail, views, why
from rates.numbers import DomainError
from rates.resolution import Detail
from rates.resolution import growing as growth
from rates.study import FederatedStudy


def draw() -> None:
    """Draw the page."""
    stage.title("How much detail survives?")
    answer_place = st.container()
    layout.address_notes()
    detail.DETAIL.load()
    detail.VIEW.draw(detail.DETAIL)
    design = detail.DETAIL.get()
    left, right = layout.aside()
    with left:
        detail.ask()
    study = _study(design, answer_place)
    with answer_place:
        scope_line.show()
        answer.show(design, study)
    with right:
        if design.view == "dominating":
            views.growing(design, study)
        else:
            views.curve(design)
    _own_study()
    why.expander(design, study)
    why.limits()
    _take_away(study)
    sync_url(detail.DETAIL)


def _study(design: Detail, place: st.delta_generator.DeltaGenerator) -> FederatedStudy:
    """The study that is shown: equal sites, or one that has grown."""
    study = design.study()
    if design.view == "dominating":
        try:
            return growth.two_groups(study, design.moved / 100.0)
        except DomainError as error:
            place.warning(f"{words.plain(error)} All sites are shown alike.")
    return study


def _own_study() -> None:
    st.header("Your study")
    study = state.current()
    if not isinstance(study, FederatedStudy):
        st.markdown(
            "The current study is a classifier, and these corollaries are about a curve. To see "
            "which of them covers your sites, answer *What is learned?* by a measured number on "
            "the Study page."
        )
    else:
        held = [row.corollary for row in answer.covered(study) if row.holds]
        if held:
            text = f"The current study is covered by **{'; '.join(held)}** [CCV]."
            st.markdown(words.keyed(text))
        else:
            st.markdown(
                "The current study is covered by **no corollary**; the rate equation of Theorem "
                "2.1 answers all the same."
            )
        missed = [row for row in answer.covered(study) if not row.holds]
        if missed:
            st.markdown(
                "\n".join(f"- {row.corollary} does not: {words.md(row.reason)}" for row in missed)
            )
    st.page_link(
        layout.page("study"),
        label="Go to the study",
        icon=":material/groups:",
        query_params=state.carried(),
    )


def _take_away(study: FederatedStudy) -> None:
    takeaway.as_study("Open this design as a study", study, ":material/open_in_new:")
    st.caption("The address of this page is a link to this design.")
