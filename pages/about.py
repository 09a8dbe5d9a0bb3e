"""The page: where does this come from? The papers, the terms, what is looked up, how to cite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

import rates
from pages import core
from pages.charts import words
from pages.core import button, layout
from pages.statements import page as ledger_page
from pages.statements import view as looked
from rates import ledger
from rates.ledger import Paper, Term, editions, glossary, papers, term
from rates.numbers import DomainError
from rates.version import PACKAGE

MANY = 8  # a term on more pages is said to be used everywhere
PROGRAM = "Rates of private learning across sites"


TERM: core.Single[str] = core.Single(
    parameter="term",
    start="",
    settings=(core.Packed("term", write=str, read=looked.short),),
    noun="A term",
    refused="The term in the address could not be used.",
)
_FIELD = looked.search(
    "term",
    "Look up a term, a letter or a paper",
    "binds, γ, effective records, ACC",
    "Searched are names, letters, other words for the same thing, and the explanations; Greek "
    "letters by letter or by name.",
)


def draw() -> None:
    """Draw the page."""
    TERM.load()
    st.title("Where does this come from?")
    st.markdown(
        f"**{len(papers())}** papers, statement by statement, and **{len(glossary())}** terms."
    )
    layout.address_notes(TERM)
    _FIELD.draw(TERM)
    if text := TERM.get().strip():
        _results(text)
    else:
        st.header("The papers", anchor=False)
        for paper in papers():
            _paper(paper)
        if place := core.fold("All terms", "about_list"):
            with place:
                _table(glossary())
        _citing()
        _limits()
    core.sync_url(TERM, study=False)


def _choose(name: str) -> None:
    TERM.change(term=name)


def find(text: str) -> tuple[list[Paper], list[Term]]:
    """Return papers and terms that fit a text; the term of that very name comes first.

    >>> found, terms = find("ACC")
    >>> [paper.key for paper in found], terms
    (['ACC'], [])
    >>> find("margin")[1][0].name
    'margin α'
    """
    # A key is no word to search for: ACC stands in many meanings.
    if key := [paper for paper in papers() if paper.key == text.strip().strip("[]").upper()]:
        return key, []
    try:
        first = [term(text)]
    except DomainError:
        first = []
    wanted = _folded(text).split()
    # The name of a term asks for that term; its letters stand in titles too.
    fitting = [] if first else [paper for paper in papers() if _fits(paper, wanted)]
    return fitting, [*first, *(t for t in glossary() if t not in first and _fits(t, wanted))]


def _fits(item: Paper | Term, wanted: Sequence[str]) -> bool:
    return bool(wanted) and all(word in _searched(item) for word in wanted)


@cache
def _searched(item: Paper | Term) -> str:
    """What a search looks at of a paper or a term."""
    if isinstance(item, Paper):
        return _folded(f"{item.key} {' '.join(item.authors)} {item.title} {item.subject}")
    return _folded(f"{' '.join(item.words)} {item.letter} {item.text} {item.help} {item.source}")


def _folded(text: str) -> str:
    return looked.folded(text).replace("-", " ")


def _results(text: str) -> None:
    found, terms = find(text)
    icon = ":material/arrow_back:"
    button("All papers and terms", "about_all", _choose, "", icon=icon)
    if not (found or terms):
        st.markdown(f"Nothing here fits “{words.md(text)}”. Search for fewer words.")
    for paper in found:
        _paper(paper)
        # What our text of a paper lacks, and what of it stands in the ledger.
        st.caption(words.md(f"{paper.where}. {paper.text}"))
        ledger_page.sections(ledger.sections(paper.key))
    if terms:
        st.header(words.md(terms[0].name))
        _table(terms[:1])
        if terms[1:]:
            st.subheader("Also found")
            _table(terms[1:])


def _paper(paper: Paper) -> None:
    """One paper, and the ways to what it says and to what of it was checked."""
    with st.container(border=True, gap="small"):
        title = words.md(f"[{paper.key}] {paper.title}")
        by = f"{words.md(paper.by)}. [{words.md(paper.venue)}]({paper.address})"
        st.markdown(f"**{title}**  \n{by}  \n{words.md(paper.subject)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            layout.link(paper.page, layout.page(paper.page).title, "door_open")
            count = len(ledger.entries_of(paper.key))
            label = f"{count} statements, checked"
            layout.link("statements", label, "fact_check", {"paper": paper.key})
            if TERM.get() != paper.key:
                icon = ":material/info:"
                button("Details", f"about_{paper.key}", _choose, paper.key, icon=icon)


def _table(terms: Sequence[Term]) -> None:
    """Terms with letter and meaning, and where they are used."""
    rows: dict[str, list[str]] = {"Term": [], "Meaning": [], "Used on": []}
    for item in terms:
        letter = f"  \n{words.md(item.letter)}" if item.letter not in ("", item.name) else ""
        source = f" ({words.cited(item.source)})" if item.source else ""
        rows["Term"].append(f"**{words.md(item.name)}**{letter}")
        rows["Meaning"].append(f"{words.md(f'{item.text} {item.help}'.strip())}{source}")
        # By the names that addresses have: titles of views are questions.
        named = ", ".join(stem.capitalize() for stem in item.pages)
        rows["Used on"].append("nearly every page" if len(item.pages) > MANY else named)
    core.figure_card.wrapped(rows)


# How to cite ----------------------------------------------------------------------------------


def _citing() -> None:
    if place := core.fold("How to cite", "about_cite"):
        place.markdown("**The program**, with the version that runs here:")
        place.code(software(), language=None, wrap_lines=True)
        place.markdown("**It, the ledger and the papers:**")
        place.code(bibtex(), language=None, wrap_lines=True)


def software() -> str:
    """Return the program with its version, as plain text.

    >>> software().startswith("Rates of private learning across sites, private-rates, version ")
    True
    """
    return (
        f"{PROGRAM}, {PACKAGE}, version {rates.__version__}. A program that solves the "
        "rate equations of papers on differentially private learning across sites, and "
        "checks their statements."
    )


def bibtex() -> str:
    r"""Return the program, the ledger and the papers as BibTeX.

    >>> print(bibtex().split("\n\n")[1].splitlines()[0])
    @misc{ledger,
    """
    note = "Program; solves the rate equations of papers and checks their statements"
    lines = f"title = {{{{{PROGRAM}}}}},\n  version = {{{rates.__version__}}},\n  note = {{{note}}}"
    return f"@software{{{PACKAGE},\n  {lines}\n}}\n\n{editions.bibtex()}"


def _limits() -> None:
    with st.expander(words.LIMITS):
        st.markdown(
            "- The meanings are ours, in plain words; the definitions of the papers decide. One "
            "letter can mean different things in different papers.\n"
            "- That a section is covered does not say that its statements are right: the verdict "
            "on each is under Theorems checked."
        )
