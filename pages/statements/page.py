"""The page: do the printed theorems hold?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

import streamlit as st

from pages import core
from pages.charts import words
from pages.core import Fold, Menu, Text, blocks, figure_card, fold, layout, offer, presenter
from pages.statements import entry
from pages.statements import view as looked
from pages.statements.view import VIEW, go
from rates import ledger
from rates.ledger import Entry, Paper, Section, editions, figures, verdicts

_WHOLE = "ledger_whole"  # whether the list stands there without a filter; no widget's name
_SHEET = "statements?paper={}&view=sheet&embed=true&embed_options=light_theme"
_SEARCH = looked.search(
    "q",
    "Search",
    "eps21, threshold, E1, Remark 3.2",
    "Also formulas; Greek letters by letter or by name; E1 to E33 are our corrections.",
)
_LIMITS = (
    "Numbers contradict, they do not prove: *survives draws* means that no draw fails, *argued in "
    "prose* that an argument of ours, which nobody has refereed, stands beside them. A ✓ behind a "
    "step means that its formula held at every draw. *Decided for all sizes* means that exact "
    "linear programs show the claim, constants and all, at each of 18 exponents.",
    "Of minimax lower bounds only the algebra is tested; statements up to constants are tested "
    "with constants that we prove.",
    "*Our reading* is ours, not the authors'. A printed form that fails is most often a misprint.",
    "The main texts were read, as plain text; supplements with full proofs were not available.",
    *(f"*{name.capitalize()}* {text}" for name, text in verdicts.STANDARD.items()),
)

_NEEDED = (
    "Of the {1} conditions of the {0} claims that are decided for all sizes, {2} are needed; the "
    "others may be needed by a proof, or elsewhere in the theorem."
)


def draw() -> None:
    """Draw the page."""
    VIEW.load()
    view = VIEW.get()
    # A sheet is printed: it has no title of the page, no filters, no limits.
    if view.view:
        presenter.style()
        _sheet(next(one for one in ledger.papers() if one.key == view.paper))
        return
    st.title("Do the printed theorems hold?")
    layout.address_notes(VIEW)
    for problem in VIEW.problems:
        st.warning(words.plain(problem))
    if view.id:
        _one(ledger.entry(view.id))
    else:
        _all()
    said = (*_LIMITS, _NEEDED.format(*verdicts.needed(ledger.entries())))
    limits = Text("\n".join(f"- {x}" for x in said))
    blocks.show([Fold(words.LIMITS, [limits])], page="ledger")
    core.sync_url(VIEW, study=False)


def _one(one: Entry) -> None:
    """Draw one entry."""
    go("All statements", "ledger_all", {"id": ""}, "list")
    st.header(words.md(one.title), anchor=False)
    blocks.show(entry.blocks(one), page="ledger")


def _all() -> None:
    """Draw the headline, the slips with their figures, the list and its filters."""
    view = VIEW.get()
    st.markdown(
        words.keyed(f"{verdicts.headline(ledger.entries())} {verdicts.slips(looked.ordered())}")
    )
    opening = view == looked.View()
    if opening:
        _first()
    _controls()
    if not opening or st.session_state.get(_WHOLE):
        _cards(looked.chosen(view))
    if place := fold("What is covered, section by section", "ledger_covered"):
        with place:
            _coverage()
    _files()


def _first() -> None:
    """Show the slips in the order in which they matter, each with its figure."""
    st.header("What changes a conclusion", anchor=False)
    for number, (name, found) in enumerate(figures.FIRST.items(), 1):
        one = ledger.entry(name)
        title = words.md(f"[{one.paper}] {found.title}")
        if place := fold(f"{number}. {title}", f"first_{name}"):
            with place:
                st.markdown(entry.typeset(one.says))
                entry.forms(one)
                st.markdown(entry.typeset(one.why))
                figure_card.show(core.with_lines(entry.figure, name), key=f"figure_{name}")
                go("The whole entry", f"first_open_{name}", {"id": name}, "arrow_forward")
                entry.ways(one)


def _controls() -> None:
    """Search, and filters by paper, verdict and kind of slip."""
    kept = verdicts.stored()
    groups = Counter(looked.group(kept[one.id].printed) for one in looked.ordered())
    slips = Counter(one.category for one in looked.ordered())  # repeats included
    menus = {
        "paper": ("Paper", {paper: f"[{paper}]" for paper in ledger.PAPERS}),
        "verdict": (
            "Verdict on the printed form",
            {k: f"{x.mark} {x.words} ({groups[k]})" for k, x in looked.LOOKS.items()},
        ),
        "category": (
            "Kind of slip",
            {looked.slug(x): f"{x.capitalize()} ({slips[x]})" for x in ledger.CATEGORIES},
        ),
    }
    searched, *places = st.columns(4)
    with searched:
        _SEARCH.draw(VIEW)
    for place, (name, (title, labels)) in zip(places, menus.items(), strict=True):
        with place:
            Menu(name, title, {"": "All"} | labels).draw(VIEW)
    if any(getattr(VIEW.get(), name) for name in looked.FILTERS):
        everything = dict.fromkeys(looked.FILTERS, "")
        go("Show all statements", "ledger_reset", everything, "filter_alt_off")
    elif not st.session_state.get(_WHOLE):
        label, icon = f"List all {len(looked.ordered())} statements", ":material/expand_more:"
        core.button(label, "ledger_more", st.session_state.__setitem__, _WHOLE, True, icon=icon)


def _cards(left: Sequence[Entry]) -> None:
    """List entries under the headings of their sections; each opens at a click."""
    used = f" used on {VIEW.get().page.capitalize()}" if VIEW.get().page else ""
    st.header(f"{len(left)} of {len(looked.ordered())} statements{used}", anchor=False)
    if not left:
        st.markdown("Nothing fits. Search for fewer words, or take a filter away.")
    titles = {(x.paper, x.section): x.title for p in ledger.PAPERS for x in ledger.sections(p)}
    for place, items in groupby(left, lambda one: (one.paper, one.section)):
        st.subheader(words.cited("[{}] {}: {}".format(*place, titles[place])), anchor=False)
        for one in items:
            _card(one)


def _card(one: Entry) -> None:
    kept = verdicts.stored()[one.id]
    badges = [looked.badge(kept.printed)]
    badges += [looked.badge(kept.reading, "our reading: ")] if kept.reading else []
    text, link = st.columns([5, 2], gap="small", vertical_alignment="center")
    text.markdown(f"{words.md(one.title)}  \n{' '.join(badges)}")
    with link:
        # A button's words stay in the middle when they wrap, so it holds the short name only.
        label = f":primary[**{words.md(one.id.partition(':')[2])}**]"
        go(label, f"open_{one.id}", {"id": one.id}, "arrow_forward", type="tertiary")


def _coverage() -> None:
    """Section by section what stands in the ledger, and what does not and why."""
    for paper in ledger.PAPERS:
        rows = ledger.sections(paper)
        count = sum(len(row.entries) for row in rows)
        st.markdown(words.keyed(f"**[{paper}]: {count} statements in {len(rows)} sections**"))
        sections(rows)


def sections(rows: Sequence[Section]) -> None:
    """Show sections of a paper with what of them stands in the ledger and what does not."""
    columns = {
        "Section": [words.md(f"{row.section} {row.title}") for row in rows],
        "Statements": [str(len(row.entries)) for row in rows],
        "Not in the ledger, and why": [
            words.cited(row.left_out or "Nothing left out.") for row in rows
        ],
    }
    figure_card.wrapped(columns)


# The ledger to take away --------------------------------------------------------------------------


def _files() -> None:
    """Offer the whole ledger, and a sheet for the authors of each paper."""
    with st.popover("Take it away", icon=":material/download:", key="ledger_files"):
        offer("Ledger as CSV", lambda: figure_card.to_csv(editions.rows()), "ledger.csv")
        offer("Ledger as JSON", editions.to_json, "ledger.json")
        offer("Table for LaTeX", editions.table, "ledger.tex")
        st.caption(f"{editions.edition()}. The table holds what does not hold as printed.")
        for about in ledger.papers():
            label, icon = f"Print the sheet for [{about.key}]", ":material/print:"
            st.link_button(label, _SHEET.format(about.key), icon=icon)


def _sheet(about: Paper) -> None:
    """Draw the sheet to be printed: nothing to press, no bar; with an annex."""
    presenter.style("sheet")
    found = editions.sheet(about)
    with st.container(key="notes", gap="xxsmall"):
        st.title(words.md(found.title), anchor=False)
        for text in found.opening:
            st.markdown(words.md(text))
        for number, one in enumerate(found.slips, 1):
            st.markdown(f"{number}. {_noted(one)}")
        st.caption(f"The ledger, {editions.edition()}.")
    if found.annex:
        with st.container(key="annex", gap="xxsmall"):
            st.header("Annex", anchor=False)
            st.markdown(
                "Simulated results contradict nothing: your settings may differ from ours, at "
                "which we did not see the same. Elsewhere our copy of the text may be to blame."
            )
            for one in found.annex:
                st.markdown(f"- {_noted(one)}")


def _noted(one: ledger.Entry) -> str:
    """What the sheet says of one entry; its place in bold, its formulas small."""
    place, said = editions.noted(one)
    return f"**{words.md(place)}** {entry.typeset(said, small=True)}"
