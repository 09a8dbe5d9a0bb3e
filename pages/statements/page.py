"""The page: do the printed theorems hold?"""

from __future__ import annotations

import functools
from dataclasses import replace

import streamlit as st

from pages.charts import words
from pages.core import button, layout, sync_url
from pages.statements import checked, first, letter
from pages.statements import files as ledger_files
from pages.statements import item as ledger_item
from pages.statements import list as ledger_list
from pages.statements import run as ledger_run
from pages.statements import view as ledger
from rates.statements import Statement, statement


def draw() -> None:
    """Draw the page."""
    ledger.VIEW.load()
    if ledger.VIEW.get().view:
        layout.paper()
    if ledger.VIEW.get().view == "letter":
        letter.draw(ledger.VIEW.get().paper)
        return
    if ledger.VIEW.get().view:
        _print(statement(ledger.VIEW.get().id))
        return
    st.title("Do the printed theorems hold?")
    answer_place = st.container()
    layout.address_notes(ledger.VIEW)
    ledger.notes()
    if ledger.VIEW.get().id:
        _one(statement(ledger.VIEW.get().id), answer_place)
    else:
        _all(answer_place)
    sync_url(ledger.VIEW, study=False)


def _all(answer_place: st.delta_generator.DeltaGenerator) -> None:
    verdicts = ledger_run.verdicts()
    left = ledger.chosen(verdicts, ledger.VIEW.get())
    with answer_place:
        ledger_list.answer(verdicts)
    opening = ledger.VIEW.get() == replace(ledger.View(), seed=ledger.VIEW.get().seed)
    if opening:
        first.draw()
    controls, map_place = layout.aside()
    with controls:
        ledger_list.controls(verdicts)
    with map_place:
        ledger_list.figure(verdicts, folded=opening)
    ledger_list.cards(verdicts, left)
    st.header("Run the tests again")
    st.markdown(
        "Every test draws its parameter sets anew from the seed. A statement that holds has to "
        "hold for every seed; a contradicted one stays so by its stored counterexample."
    )
    ledger_run.panel()
    ledger_list.table_of_coverage()
    _limits()
    ledger_files.bar(verdicts)


def _one(item: Statement, answer_place: st.delta_generator.DeltaGenerator) -> None:
    row, fresh = ledger_item.stored_or_fresh(item)
    with answer_place:
        st.markdown(_verdict(item))
    _ways(item)
    st.header(words.md(item.title))
    st.markdown(ledger_item.heading(item))
    ledger_item.place(item)
    ledger_item.forms(item, row)
    ledger_item.counterexample(item, fresh, links=True)
    ledger_item.proof(item)
    ledger_item.see_also(item)
    ledger_item.derivation(item)
    ledger_item.draws(item, row, fresh)
    checked.show(item)
    ledger_item.again(item)
    ledger_item.used_on(item)
    _limits()
    st.link_button(
        "Print this statement",
        ledger_item.address(item, view="print", embed="true", embed_options="light_theme"),
        icon=":material/print:",
    )
    st.caption("The address of this page is a link to this statement.")
    with st.expander("The lines of Python that reproduce the verdict"):
        # Without colours: those of keywords have too little contrast.
        st.code(ledger_item.python(item), language=None, wrap_lines=True)


def _verdict(item: Statement) -> str:
    """The verdict on one statement as a sentence."""
    row, fresh = ledger_item.stored_or_fresh(item)
    names = ledger_item.titles(item)
    parts = [f"{names[verdict.form]}: **{verdict.words}**." for verdict in row]
    if item.check is None:
        rests = "It rests on the proof below." if item.proof else ""
    else:
        rests = "Tested in this session." if fresh else "As stored, from draws with seed 0."
    return " ".join([*parts, rests])


def _ways(item: Statement) -> None:
    """Back to the list, and to the statements beside this one in it."""
    names = [other.id for other in ledger.chosen(ledger_run.verdicts(), ledger.VIEW.get())]
    here = names.index(item.id) if item.id in names else -1
    before = names[here - 1] if here > 0 else ""
    after = names[here + 1] if 0 <= here < len(names) - 1 else ""
    with st.container(horizontal=True):
        for label, icon, key, target in (
            ("All statements", ":material/list:", "all", ""),
            ("Previous", ":material/arrow_back:", "previous", before),
            ("Next", ":material/arrow_forward:", "next", after),
        ):
            button(
                label,
                f"ledger_{key}",
                functools.partial(ledger.VIEW.change, id=target),
                icon=icon,
                disabled=key != "all" and not target,
            )


def _print(item: Statement) -> None:
    """One statement with its proof on one sheet: nothing to press, no side bar."""
    row, fresh = ledger_item.stored_or_fresh(item)
    with st.container(gap="xsmall"):
        st.title(words.md(item.title))
        st.markdown(ledger_item.heading(item))
        ledger_item.place(item)
        ledger_item.forms(item, row, tight=True)
        ledger_item.counterexample(item, fresh, links=False)
        ledger_item.proof(item)
        ledger_item.result(item, row)


def _limits() -> None:
    with st.expander(words.LIMITS):
        st.markdown(
            "- Numbers contradict, they do not prove: *tests only* means that no draw fails. "
            "*Algebra checked step by step* means that every step of a derivation came out; *short "
            "argument and tests* rests on the sentences shown, which nobody has refereed. *Not "
            "checked as shown* means that text and check were not read together.\n"
            "- Minimax lower bounds speak of every possible estimator. No draw can test that; "
            "only their algebra is tested.\n"
            "- *Our reading* is ours, not the authors'. A printed form that fails is most often a "
            "misprint, and the theorem around it stands.\n"
            "- Statements up to constants are tested against bounds with explicit constants that "
            "we prove; the papers' own constants are not known.\n"
            "- The main texts were read, as plain text. The supplements with the full proofs were "
            "not available.\n" + "\n".join(f"- {line}" for line in letter.standard())
        )
