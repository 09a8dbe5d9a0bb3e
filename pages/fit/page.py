"""The page: does this theory cover my study, and what do I not know?"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts import words
from pages.core import Section, blocks, layout, stage, sync_url
from pages.core.live import panel as live
from pages.current import state, takeaway
from pages.fit import constant, coverage, guarantee, rivals, unknowns
from pages.fit import words as fit_words
from pages.study import examples, parameters, sites
from rates.fit import Envelope
from rates.study import Study, theory_for

COVERED = Section(
    id="covered",
    title="1. Is my study covered?",
    blocks=lambda params: coverage.covered(state.current(), state.scope(), **params),
)
PROMISES = Section(
    id="promises",
    title="5. What does ε promise here?",
    blocks=lambda params: guarantee.promises(*params),
)
PARAGRAPH = Section(
    id="paragraph",
    title="6. A paragraph for the protocol",
    blocks=lambda text: [lambda: st.code(text, language=None, wrap_lines=True)],
)


def draw() -> None:
    """Draw the page."""
    stage.title("Does this theory cover my study, and what do I not know?")
    answer_place = st.container()
    layout.address_notes(constant.CONSTANT, rivals.CURATOR)
    constant.CONSTANT.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        examples.picker()
        sites.paste_box()
        takeaway.open_file()
    figure_place = st.container()
    stale = _take_over()
    COVERED.show({"stale": stale})
    study = state.current()
    chosen, result = _unknown(study, figure_place)
    st.header("3. What are the alternatives?", anchor=False)
    rivals_place = st.container()  # filled below: its risks rest on the constant fitted there
    st.header("4. Can I have an absolute risk?", anchor=False)
    constant.section(study, chosen)
    constant.price(study)
    found, scope = theory_for(study, state.scope()), state.scope()
    with rivals_place:
        rivals.section(study, scope, chosen)
    PROMISES.show((study, scope))
    absolute = constant.plain(study, chosen)
    PARAGRAPH.show(fit_words.paragraph(found, scope, study, result, absolute))
    with answer_place:
        st.markdown(words.keyed(fit_words.answer(found, scope, study, result)))
        if found.elsewhere:
            coverage.door(found)
    _limits()
    takeaway.bar(stale=stale)
    sync_url(constant.CONSTANT, rivals.CURATOR)
    live.go_on()


def _unknown(study: Study, place: DeltaGenerator) -> tuple[str, Envelope | None]:
    """What is not known, and what follows; which error counts, and the envelope if there is one.

    Args:
        study: The current study.
        place: Takes the main figure.
    """
    st.header("2. What do I not know?", anchor=False)
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown(
            "Nobody knows these numbers exactly. *I don't know* is a good answer: it stands for a "
            "range, and the answers become ranges too. A *covariate* is one measurement per "
            "person, such as age."
        )
        unknowns.controls()
        unknowns.summary()
        unknowns.pilot()
    with right:
        chosen = parameters.risk("fit_risk")
        result, refusal = unknowns.of(study, state.scope(), chosen)
        if result is None:
            st.error(f"{words.plain(refusal)} Questions and promises on this page still hold.")
        else:
            if result.box.cut:
                st.warning(result.box.cut)
            with place:
                blocks.show([unknowns.intervals(study, result)], page="fit")
            blocks.show(unknowns.section(study, result), page="fit")
    return chosen, result


def _take_over() -> bool:
    """Take over what was typed into the table and the fields; whether the table is unfinished."""
    coverage.settle()  # first: which site it is for changes the table
    stale = sites.take_over()
    unknowns.settle()
    rivals.CURATOR.load()
    rivals.settle()
    return stale


def _limits() -> None:
    with st.expander(words.LIMITS):
        st.markdown(
            "- The questions find assumptions that fail; that none fails does not prove that all "
            "hold. Nothing here looks at data, unless a pilot is uploaded.\n"
            "- The ranges are worst cases over all problems of the stated kind, up to constants "
            "and logarithms for the rate equation. No sample size and no absolute risk follows, "
            "unless a constant was fitted; then they hold in the made-up world it comes from.\n"
            "- The plain questions take the constants of the definitions as 1. A margin or a "
            "signal from two numbers is a rough reading.\n"
            "- An attacker's edge is an upper bound for one release per site. It says nothing "
            "about other releases from the same records."
        )
