"""The page: do the printed theorems hold?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from pages import core
from pages.charts import words
from pages.core import Fold, Menu, Text, blocks, fold, layout, presenter
from pages.statements import entry, figures, files, run
from pages.statements import view as ledger
from pages.statements.view import VIEW, Verdicts, go
from rates import errata
from rates import statements as theory
from rates.statements import Section, Statement, coverage, papers, statement

AT_FIRST = 20
_FIGURE = "figure_ledger"
_WHOLE = "ledger_whole"  # the view of which all cards are shown; no widget's name
_SEARCH = ledger.search(
    "q",
    "Search",
    "eps21, threshold, E1, Remark 3.2",
    "In id, title, claim, reasons, formulas and section; Greek letters by letter or by name; "
    "E1 to E33 are the numbers of our corrections.",
)
_OTHERS = {  # filters, with the names of their options that are not just these
    "paper": ("Paper", {paper: f"[{paper}]" for paper in theory.PAPERS}),
    "kind": ("Kind", {"derived": "Formula of ours"}),
    "page": ("Used on", {}),
}
_NOTHING = "Nothing left out."
_LIMITS = (
    "Numbers contradict, they do not prove: *tests only* means that no draw fails. *Algebra "
    "checked step by step* means that every step of a derivation came out; *short argument and "
    "tests* rests on the sentences shown, which nobody has refereed. *Not checked as shown* means "
    "that text and check were not read together.",
    "Minimax lower bounds speak of every possible estimator. No draw can test that; only their "
    "algebra is tested.",
    "*Our reading* is ours, not the authors'. A printed form that fails is most often a misprint, "
    "and the theorem around it stands.",
    "Statements up to constants are tested against bounds with explicit constants that we prove; "
    "the papers' own constants are not known.",
    "The main texts were read, as plain text. The supplements with the full proofs were not "
    "available.",
)


def draw() -> None:
    """Draw the page."""
    VIEW.load()
    view = VIEW.get()
    if view.view:
        presenter.style()
        if view.view == "letter":
            files.print_letter(next(paper for paper in papers() if paper.key == view.paper))
        else:
            _print(statement(view.id))
        return
    st.title("Do the printed theorems hold?")
    answer_place = st.container()
    layout.address_notes(VIEW)
    for problem in VIEW.problems:
        st.warning(words.md(problem))
    if view.id:
        _one(statement(view.id), answer_place)
    else:
        _all(answer_place)
    core.sync_url(VIEW, study=False)


def _print(item: Statement) -> None:
    """One statement with its proof on one sheet: nothing to press, no bar."""
    with st.container(gap="xsmall"):
        st.title(words.md(item.title))
        blocks.show(entry.blocks(item, paper=True), page="ledger")


def _limits(verdicts: Verdicts) -> Fold:
    lines = (f"- {line}" for line in (*_LIMITS, _counts(verdicts), *files.standard()))
    return Fold(words.LIMITS, [Text("\n".join(lines))])


# One statement -------------------------------------------------------------------------------


def _one(item: Statement, answer_place: st.delta_generator.DeltaGenerator) -> None:
    answer_place.markdown(_verdict(item))
    _neighbours(item)
    st.header(words.md(item.title))
    blocks.show(entry.blocks(item), page="ledger")
    blocks.show([_limits(run.verdicts())], page="ledger")
    st.link_button(
        "Print this statement",
        entry.address(item, view="print", embed="true", embed_options="light_theme"),
        icon=":material/print:",
    )
    st.caption("The address of this page is a link to this statement.")
    files.lines("The lines of Python that reproduce the verdict", entry.python(item))


def _verdict(item: Statement) -> str:
    """The verdict on one statement as a sentence."""
    row, fresh = run.verdicts_on(item)
    text = " ".join(f"{entry.titles(item)[v.form]}: **{v.words}**." for v in row)
    if item.check is None:
        return f"{text} {'It rests on the proof below.' if item.proof else ''}"
    return f"{text} {'Tested in this session.' if fresh else 'As stored, from draws with seed 0.'}"


def _neighbours(item: Statement) -> None:
    """Back to the list, and to the statements beside this one in it."""
    names = ["", *(other.id for other in ledger.chosen(run.verdicts(), VIEW.get())), ""]
    here = names.index(item.id) if item.id in names else None
    before, after = ("", "") if here is None else (names[here - 1], names[here + 1])
    with st.container(horizontal=True):
        go("All statements", "ledger_all", {"id": ""}, "list")
        go("Previous", "ledger_previous", {"id": before}, "arrow_back", disabled=not before)
        go("Next", "ledger_next", {"id": after}, "arrow_forward", disabled=not after)


# The ledger as a whole -----------------------------------------------------------------------


def _all(answer_place: st.delta_generator.DeltaGenerator) -> None:
    verdicts = run.verdicts()
    with answer_place:
        st.markdown(words.keyed(errata.sentences(errata.headline())))
        st.caption(_rests_on(verdicts))
    _figure(verdicts)
    _controls(verdicts)
    opening = VIEW.get() == ledger.View(seed=VIEW.get().seed)
    if not opening or _listed():
        _cards(verdicts, ledger.chosen(verdicts, VIEW.get()))
    if opening:
        _first()
    if place := fold("Run the tests again", "ledger_run_fold"):
        with place:
            st.markdown(
                "Every test draws its parameter sets anew from the seed. A statement that holds "
                "has to hold for every seed; a contradicted one stays so by its stored "
                "counterexample."
            )
            run.panel()
    if place := fold("What is covered, section by section", "ledger_covered"):
        with place:
            blocks.show(_coverage(), page="ledger")
    blocks.show([_limits(verdicts)], page="ledger")
    with st.popover("Take it away", icon=":material/download:", key="ledger_files"):
        files.menu(verdicts)


def _rests_on(verdicts: Verdicts) -> str:
    """Say on what the verdicts rest."""
    fresh = run.fresh()
    if not fresh:
        return "Stored verdicts, from draws with seed 0."
    seeds = sorted({v.outcome.seed for e in fresh.values() for v in e.verdicts if v.outcome})
    shown = ", ".join(map(str, seeds[:3])) or "none"
    others = " The others stand as stored, with seed 0." if len(fresh) < len(verdicts) else ""
    return f"Tested in this session: {len(fresh)}, with seed {shown}.{others}"


def _counts(verdicts: Verdicts) -> str:
    """Say what is not counted, and on what the statements that stand rest."""
    groups = _groups(verdicts)
    notes = [
        errata.beside(errata.headline()),
        f"Of the others, {groups['proved']} are derived or argued, {groups['survives']} only "
        f"tested and {groups['untestable']} beyond numbers; formulas of ours are among them.",
    ]
    if argued := sum(_argued(item, verdicts) for item in ledger.ordered()):
        notes.append(f"{argued} that numbers cannot decide are corrected by an argument in words.")
    return " ".join(filter(None, notes))


def _groups(verdicts: Verdicts) -> Counter[str]:
    """How many statements have a printed form of each group."""
    return Counter(ledger.group(verdicts[item.id][0]) for item in ledger.ordered())


def _argued(item: Statement, verdicts: Verdicts) -> bool:
    """Whether a statement is corrected although no number can decide it."""
    return item.reading is not None and ledger.group(verdicts[item.id][0]) == "untestable"


def _first() -> None:
    """Show the slips in the order in which they matter; the others are one click away."""
    st.header("What changes a conclusion")
    for number, name in enumerate(errata.FIRST, 1):
        item = statement(name)
        kind = "" if item.category == theory.CONCLUSION else f" ({item.category})"
        title = f"{words.md(f'[{item.paper}]')} {words.md(errata.title(name))}{kind}"
        place = fold(f"{number}. {title}", f"first_{name}")
        if place is not None:
            with place:
                _slip(item)
    counts = errata.headline().counts
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("The others")
        for name in theory.CATEGORIES:
            if name != theory.CONCLUSION and counts[name]:
                kind = ledger.slug(name)
                label = f"{name.capitalize()} ({counts[name]})"
                go(label, f"first_kind_{kind}", {"category": kind})


def _slip(item: Statement) -> None:
    """One slip with its figure, and the way to the whole entry."""
    st.markdown(words.cited(item.claim))
    entry.forms(item)
    st.markdown(words.cited(item.why))
    core.figure_card.show(core.with_lines(figures.drawn, item.id), key=f"figure_{item.id}")
    with st.container(horizontal=True, vertical_alignment="center"):
        go("The whole entry", f"first_open_{item.id}", {"id": item.id}, "arrow_forward")
        entry.example_links(item)
        if item.study is None and item.map is None:
            for stem in item.pages[:1]:
                ledger.page_link(stem, f"Open it on the page {stem.capitalize()}", "open_in_new")


def _controls(verdicts: Verdicts) -> None:
    """Search, and filters by verdict, kind of slip, paper, kind and page."""
    groups = _groups(verdicts)
    counts = Counter(item.category for item in ledger.ordered())  # repeats included
    slips = {ledger.slug(kind): f"{kind.capitalize()} ({n})" for kind, n in counts.items()}
    looks = {
        name: f"{look.mark} {look.words} ({groups[name]})" for name, look in ledger.LOOKS.items()
    }
    searched, verdict, slip = st.columns(3)
    with searched:
        _SEARCH.draw(VIEW)
    with verdict:
        _filter("verdict", "Verdict on the printed form", looks)
    with slip:
        _filter("category", "Kind of slip", slips)
    used = sum(bool(getattr(VIEW.get(), name)) for name in _OTHERS)
    label = f"Other filters ({used} in use)" if used else "Other filters"
    with st.container(horizontal=True):
        with st.popover(label, icon=":material/filter_alt:", key="ledger_more_filters"):
            for name, (title, names) in _OTHERS.items():
                _filter(name, title, names)
        if any(getattr(VIEW.get(), name) for name in ledger.FILTERS):
            everything = dict.fromkeys(ledger.FILTERS, "")
            go("Show all statements", "ledger_reset", everything, "filter_alt_off")
        elif not _listed():
            _list_all(f"List all {len(ledger.ordered())} statements")


def _listed() -> bool:
    """Whether all that the filters leave is listed."""
    return bool(st.session_state.get(_WHOLE) == VIEW.get())


def _list_all(label: str) -> None:
    """Offer to list all that the filters leave."""
    take, icon = st.session_state.__setitem__, ":material/expand_more:"
    core.button(label, "ledger_more", take, _WHOLE, VIEW.get(), icon=icon)


def _filter(name: str, title: str, names: Mapping[str, str]) -> None:
    labels = {word: names.get(word, word.capitalize()) for word in ledger.allowed()[name]}
    Menu(name, title, {"": "All"} | labels).draw(VIEW)


def _figure(verdicts: Verdicts) -> None:
    """Draw every statement at its place; the ones that the filters leave out are faint."""
    stored = {name: [v.words for v in row] for name, row in run.stored().items()}
    other = tuple((k, row) for k, row in verdicts.items() if [v.words for v in row] != stored[k])
    drawn = core.with_lines(figures.by_place, replace(VIEW.get(), id="", seed=0), other)
    core.figure_card.show(drawn, key=_FIGURE, on_point=_open_mark)


def _open_mark() -> None:
    if points := st.session_state[_FIGURE].selection.points:
        VIEW.change(id=points[0]["customdata"][0])


def _cards(verdicts: Verdicts, left: Sequence[Statement]) -> None:
    """List statements under the headings of their sections; each opens at a click."""
    st.header(f"{len(left)} of {len(ledger.ordered())} statements")
    if uncounted := sum(bool(item.category) and not item.counted for item in left):
        st.caption(
            f"{sum(item.counted for item in left)} of them count as slips; {uncounted} repeat "
            "another's, or our text of the paper may be damaged there."
        )
    if not left:
        st.markdown("Nothing fits. Search for fewer words, or take a filter away.")
        return
    everything = _listed() or len(left) <= AT_FIRST + 5
    titles = {(row.paper, row.section): f": {words.md(row.title)}" for row in coverage()}
    place = None
    for item in left if everything else left[:AT_FIRST]:
        if place != (item.paper, item.section):
            place = (item.paper, item.section)
            key = words.cited(f"[{item.paper}] {item.section}")
            st.subheader(f"{key}{titles.get(place, '')}")
        _card(item, verdicts)
    if not everything:
        _list_all(f"Show the other {len(left) - AT_FIRST}")


def _card(item: Statement, verdicts: Verdicts) -> None:
    first, *readings = verdicts[item.id]
    badges = [ledger.badge(first), *(ledger.badge(row, "our reading: ") for row in readings)]
    if _argued(item, verdicts):
        badges[1:] = [":blue-badge[✎ our reading: argued in words]"]
    badges += [":gray-badge[repeats another]"] * bool(item.repeats)
    badges += [":gray-badge[our text may be damaged]"] * item.extraction
    text, link = st.columns([5, 2], gap="small", vertical_alignment="center")
    text.markdown(f"{words.md(item.title)}  \n{' '.join(badges)}")
    with link:
        # A button's words stay in the middle when they wrap, so it holds the short name only.
        label = f":primary[**{words.md(item.id.partition(':')[2])}**]"
        go(label, f"open_{item.id}", {"id": item.id}, "arrow_forward", type="tertiary")


def _coverage() -> Iterator[Text | partial[None]]:
    """Section by section what stands in the ledger, and what does not and why."""
    for paper in theory.PAPERS:
        rows = [row for row in coverage() if row.paper == paper]
        count = sum(len(row.covered) for row in rows)
        yield Text(f"**[{paper}]: {count} statements in {len(rows)} sections**")
        yield partial(sections, rows)


def sections(rows: Sequence[Section]) -> None:
    """Show sections of a paper with what of them stands in the ledger and what does not."""
    columns = {
        "Section": [words.md(f"{row.section} {row.title}") for row in rows],
        "Statements": [str(len(row.covered)) for row in rows],
        "Not in the ledger, and why": [words.cited(row.left_out or _NOTHING) for row in rows],
    }
    core.figure_card.wrapped(columns)
