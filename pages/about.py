"""The page: where does this come from? The papers, the terms, what is looked up, how to cite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import streamlit as st

import rates
from pages import core
from pages.charts import words
from pages.core import button, layout
from pages.report import sections
from pages.statements import page as ledger_page
from pages.statements import view as ledger
from rates.numbers import DomainError
from rates.statements import Paper, Section, Term, coverage, glossary, papers, term

MANY = 8  # a term on more pages is said to be used everywhere
PROGRAM = "Rates of private learning across sites"


TERM: core.Single[str] = core.Single(
    parameter="term",
    start="",
    settings=(core.Packed("term", write=str, read=ledger.short),),
    noun="A term",
    refused="The term in the address could not be used.",
)
_FIELD = ledger.search(
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
        f"From **{len(papers())}** papers, statement by statement; their keys and the "
        f"**{len(glossary())}** terms of the pages are explained here."
    )
    layout.address_notes(TERM)
    searched, listed = st.columns(2)
    with searched:
        _FIELD.draw(TERM)
    text = TERM.get().strip()
    with listed:
        names = {term.name: term.name for term in glossary()}
        now = text if text in names else ""
        core.controls.choose("about_list", "All terms", {"": "Choose one", **names}, now, _choose)
    if text:
        _results(text)
    else:
        st.header("The papers", anchor=False)
        for paper in papers():
            _paper(paper)
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
    if key := [paper for paper in papers() if paper.key == text.strip().strip("[]").upper()]:
        return key, []
    try:
        first = [term(text)]
    except DomainError:
        first = []
    wanted = _folded(text).split()
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
    return ledger.folded(text).replace("-", " ")


def _results(text: str) -> None:
    found, terms = find(text)
    icon = ":material/arrow_back:"
    button("All papers and terms", "about_all", _choose, "", icon=icon)
    if not (found or terms):
        st.markdown(f"Nothing here fits “{words.md(text)}”. Search for fewer words.")
    for paper in found:
        _paper(paper)
        # What our text of a paper lacks, and what of it stands in the ledger.
        st.caption(words.md(paper.lost))
        ledger_page.sections(_sections(paper))
    if terms:
        st.header(words.md(terms[0].name))
        _table(terms[:1])
        if terms[1:]:
            st.subheader("Also found")
            _table(terms[1:])


def _paper(paper: Paper) -> None:
    """One paper, and the ways to what it says and to what of it was checked."""
    with st.container(border=True, gap="small"):
        title = words.md(f"[{paper.key}] {paper.title or 'Title lost in our text'}")
        by = words.md(paper.by) or "Authors lost in our text"
        st.markdown(f"**{title}**  \n{by}  \n{words.md(paper.subject)}")
        with st.container(horizontal=True, vertical_alignment="center"):
            ledger.page_link(paper.page, layout.page(paper.page).title, "door_open")
            count = sum(len(row.covered) for row in _sections(paper))
            label = f"{count} statements, checked"
            ledger.page_link("statements", label, "fact_check", paper=paper.key)
            if TERM.get() != paper.key:
                icon = ":material/info:"
                button("Details", f"about_{paper.key}", _choose, paper.key, icon=icon)


def _sections(paper: Paper) -> list[Section]:
    return [row for row in coverage() if row.paper == paper.key]


def _table(terms: Sequence[Term]) -> None:
    """Terms with letter and meaning, and where they are used."""
    rows: dict[str, list[str]] = {"Term": [], "Meaning": [], "Used on": []}
    for item in terms:
        letter = f"  \n{words.md(item.letter)}" if item.letter not in ("", item.name) else ""
        source = f" ({words.cited(item.source)})" if item.source else ""
        rows["Term"].append(f"**{words.md(item.name)}**{letter}")
        rows["Meaning"].append(f"{words.md(f'{item.text} {item.help}'.strip())}{source}")
        named = ", ".join(stem.capitalize() for stem in item.pages)
        rows["Used on"].append("nearly every page" if len(item.pages) > MANY else named)
    core.figure_card.wrapped(rows)


# How to cite: nothing that is not known --------------------------------------------------------


def _citing() -> None:
    if place := core.fold("How to cite", "about_cite"):
        place.markdown("**The program**, with the version that runs here:")
        place.code(software(), language=None, wrap_lines=True)
        place.markdown("**It and the papers.** What is not known is left out; please fill it in.")
        place.code(bibtex(), language=None, wrap_lines=True)


def software() -> str:
    """Return the program with its version, as plain text.

    >>> software().startswith("Rates of private learning across sites, private-rates, version ")
    True
    """
    return (
        f"{PROGRAM}, {sections.PACKAGE}, version {rates.__version__}. A program that solves the "
        "rate equations of five papers on differentially private learning across sites, and "
        "checks their statements."
    )


def bibtex() -> str:
    r"""Return the program and the papers as BibTeX; fields that are not known are left out.

    >>> print(bibtex().split("\n\n")[3])
    @misc{KS,
      author = {Refael Kohen and Or Sheffet},
      title = {{Transfer Learning In Differential Privacy's Hybrid-Model}},
      note = {Year and venue are not in the text that was available}
    }
    """
    note = "Program; solves the rate equations of five papers and checks their statements"
    fields = {"title": f"{{{PROGRAM}}}", "version": rates.__version__, "note": note}
    return "\n\n".join([_entry("software", sections.PACKAGE, **fields), *map(_cited, papers())])


def _cited(paper: Paper) -> str:
    note = "Year and venue are not in the text that was available"
    fields = {"author": " and ".join(paper.authors), "title": f"{{{paper.title}}}", "note": note}
    lost = {"note": paper.lost.replace('"', "'")}
    return _entry("misc", paper.key, **(fields if paper.title else lost))


def _entry(kind: str, key: str, **fields: str) -> str:
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
    return f"@{kind}{{{key},\n{lines}\n}}"


def _limits() -> None:
    with st.expander(words.LIMITS):
        st.markdown(
            "- Authors and titles are those at the head of the texts that we hold. Years and "
            "venues are not guessed.\n"
            "- The meanings are ours, in plain words; the definitions of the papers decide. One "
            "letter can mean different things in different papers.\n"
            "- That a section is covered does not say that its statements are right: the verdict "
            "on each is under Theorems checked."
        )
