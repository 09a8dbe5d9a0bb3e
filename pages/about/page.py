"""The page: where does this come from?"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from pages.about import cite, lookup
from pages.charts import words
from pages.core import Entry, button, layout, sync_url, tables
from pages.statements import page as ledger_page
from rates import errata
from rates.statements import Paper, Term, coverage, glossary, papers

TITLES = {
    "overview": "Overview",
    "study": "Study",
    "fit": "Fit",
    "plan": "Plan",
    "orders": "Orders",
    "phases": "Phases",
    "resolution": "Resolution",
    "hybrid": "Hybrid",
    "adaptation": "Adaptation",
    "logistic": "Logistic",
    "classification": "Classification",
    "regression": "Regression",
    "statements": "Statements",
}
_FIELD = Entry(
    "term",
    "Look up a term, a letter or a paper",
    lookup.MOST,
    more={
        "type": "search",
        "icon": ":material/search:",
        "placeholder": "binds, γ, effective records, ACC",
        "help": "Searched are names, letters, other words for the same thing, and the "
        "explanations; Greek letters by letter or by name.",
    },
)
MANY = 8  # a term on more pages is said to be used everywhere


def draw() -> None:
    """Draw the page."""
    lookup.TERM.load()
    st.title("Where does this come from?")
    told = words.keyed(errata.sentences(errata.headline()))
    st.markdown(
        f"From **{len(papers())}** papers; what they print stands in a ledger, each statement with "
        f"a test or the reason why there is none. {told} The keys of the "
        f"papers, and the **{len(glossary())}** terms used on the pages, are explained here."
    )
    layout.address_notes(lookup.TERM)
    _FIELD.draw(lookup.TERM)
    if text := lookup.TERM.get().strip():
        _results(text)
    else:
        st.header("The papers")
        for paper in papers():
            _paper(paper)
        st.header("The glossary")
        for group, terms in groupby(glossary(), key=lambda term: term.group):
            st.subheader(group)
            _table(list(terms))
        _citing()
        _limits()
    sync_url(lookup.TERM, study=False)


def _results(text: str) -> None:
    found = lookup.find(text)
    button(
        "All papers and terms",
        "about_all",
        lambda: lookup.TERM.change(term=""),
        icon=":material/arrow_back:",
    )
    if not (found.papers or found.terms):
        st.markdown(f"Nothing here fits “{words.md(text)}”. Search for fewer words.")
    for paper in found.papers:
        _paper(paper)
    if found.terms:
        first, *rest = found.terms
        st.header(words.md(first.name))
        _table([first])
        if rest:
            st.subheader("Also found")
            _table(rest)
    st.caption("The address of this page is a link to what is shown.")


def _paper(paper: Paper) -> None:
    """One paper in full, with what of it stands in the ledger."""
    rows = [row for row in coverage() if row.paper == paper.key]
    count = sum(len(row.covered) for row in rows)
    with st.container(border=True):
        st.subheader(words.md(f"[{paper.key}] {paper.title or 'Title lost in our text'}"))
        named = words.md(paper.by) or "Authors lost in our text"
        st.markdown(f"**{named}**  \n{words.md(paper.subject)}")
        st.caption(words.md(paper.lost))
        with st.container(horizontal=True):
            st.page_link(
                layout.page(paper.page),
                label=f"What it says: page {TITLES[paper.page]}",
                icon=":material/door_open:",
            )
            st.page_link(
                layout.page("statements"),
                label=f"Its {count} statements, checked",
                icon=":material/fact_check:",
                query_params={"paper": paper.key},
            )
        with st.expander(
            f"[{paper.key}]: what is covered in {len(rows)} sections, and what is not"
        ):
            ledger_page.sections(rows)


def _table(terms: Sequence[Term]) -> None:
    """Terms with letter and meaning, and where they are used."""
    tables.wrapped(
        {
            "Term": [_name(term) for term in terms],
            "Meaning": [_meaning(term) for term in terms],
            "Used on": [_where(term) for term in terms],
        }
    )


def _name(term: Term) -> str:
    letter = f"  \n{words.md(term.letter)}" if term.letter and term.letter != term.name else ""
    return f"**{words.md(term.name)}**{letter}"


def _meaning(term: Term) -> str:
    source = f" ({words.cited(term.source)})" if term.source else ""
    return f"{words.md(' '.join(filter(None, [term.text, term.help])))}{source}"


def _where(term: Term) -> str:
    if len(term.pages) > MANY:
        return "nearly every page"
    return ", ".join(TITLES[stem] for stem in term.pages)


def _citing() -> None:
    st.header("How to cite")
    st.markdown("**The program**, with the version that runs here:")
    st.code(cite.software(), language=None, wrap_lines=True)
    st.markdown("**The papers**, which deserve to be cited for every theorem used:")
    st.code("\n".join(f"[{p.key}] {p.cited}" for p in papers()), None, wrap_lines=True)
    st.markdown("**All of them as BibTeX.** What is not known is left out; please fill it in.")
    st.code(cite.bibtex(), language=None, wrap_lines=True)


def _limits() -> None:
    with st.expander(words.LIMITS):
        st.markdown(
            "- Authors and titles are those at the head of the texts that we hold. Years and "
            "venues are not guessed.\n"
            "- The meanings are ours, in plain words; the definitions of the papers decide. One "
            "letter can mean different things in different papers.\n"
            "- That a section is covered means that its statements stand in the ledger, not that "
            "they are right: the verdict on each is on the page Statements."
        )
