"""The page: do the printed theorems hold?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import streamlit as st

from pages import core
from pages.charts import words
from pages.core import Fold, Menu, Text, blocks, fold, layout, presenter
from pages.pictures import picture
from pages.statements import entry, files, run
from pages.statements import view as ledger
from pages.statements.view import VIEW, Verdicts, go
from rates import errata
from rates import statements as theory
from rates.statements import Section, Statement, StoredVerdict, coverage, papers, statement

_WHOLE = "ledger_whole"  # whether the list stands there without a filter; no widget's name
_SEARCH = ledger.search(
    "q",
    "Search",
    "eps21, threshold, E1, Remark 3.2",
    "Also formulas; Greek letters by letter or by name; E1 to E33 are our corrections.",
)
_NOTHING = "Nothing left out."
_LIMITS = (
    "Numbers contradict, they do not prove: *tests only* means that no draw fails. *Algebra "
    "checked step by step* means that every step of a derivation came out; *short argument and "
    "tests* rests on sentences that nobody has refereed.",
    "Of minimax lower bounds only the algebra is tested; statements up to constants are tested "
    "with constants that we prove.",
    "*Our reading* is ours, not the authors'. A printed form that fails is most often a misprint.",
    "The main texts were read, as plain text; supplements with full proofs were not available.",
)


def draw() -> None:
    """Draw the page."""
    VIEW.load()
    view = VIEW.get()
    if view.view:
        presenter.style()
        with st.container(gap="xsmall"):  # one sheet: nothing to press, no bar
            if view.view == "letter":
                files.show(next(paper for paper in papers() if paper.key == view.paper))
            else:
                st.title(words.md(statement(view.id).title))
                blocks.show(entry.blocks(statement(view.id), paper=True), page="ledger")
        return
    st.title("Do the printed theorems hold?")
    answer_place = st.container()
    layout.address_notes(VIEW)
    for problem in VIEW.problems:
        st.warning(words.plain(problem))
    tests = None
    if view.id:
        _one(statement(view.id), answer_place)
    else:
        tests = _all(answer_place)
    core.sync_url(VIEW, study=False)
    if tests is not None:
        with tests:
            run.panel()


def _limits(verdicts: Verdicts) -> Fold:
    lines = (f"- {line}" for line in (*_LIMITS, _counts(verdicts), *files.standard()))
    return Fold(words.LIMITS, [Text("\n".join(lines))])


# One statement -------------------------------------------------------------------------------


def _one(item: Statement, answer_place: st.delta_generator.DeltaGenerator) -> None:
    """Draw one statement."""
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


def _all(answer_place: st.delta_generator.DeltaGenerator) -> Any:
    """Draw what is found; return where the tests are run again, None while that is folded."""
    verdicts, view = run.verdicts(), VIEW.get()
    with answer_place:
        st.markdown(words.keyed(errata.sentences(errata.headline())))
        st.caption(_rests_on())
    _strip(verdicts)
    _controls(verdicts)
    opening = view == ledger.View(seed=view.seed)
    if not opening or st.session_state.get(_WHOLE):
        _cards(verdicts, ledger.chosen(verdicts, view))
    if opening:
        _first()
    tests = fold("Run the tests again", "ledger_run_fold")
    if place := fold("What is covered, section by section", "ledger_covered"):
        with place:
            blocks.show(_coverage(), page="ledger")
    blocks.show([_limits(verdicts)], page="ledger")
    with st.popover("Take it away", icon=":material/download:", key="ledger_files"):
        files.menu(verdicts)
    return tests


def _rests_on() -> str:
    """Say on what the verdicts rest."""
    if not (fresh := run.fresh()):
        return "Stored verdicts, from draws with seed 0."
    seeds = sorted({v.outcome.seed for e in fresh.values() for v in e.verdicts if v.outcome})
    shown = ", ".join(map(str, seeds[:3])) or "none"
    return f"Tested in this session: {len(fresh)}, with seed {shown}. The others stand as stored."


def _counts(verdicts: Verdicts) -> str:
    """Say what is not counted, and on what the statements that stand rest."""
    groups = _groups(verdicts)
    return (
        f"{errata.beside(errata.headline())} Of the others, {groups['proved']} are derived or "
        f"argued, {groups['survives']} only tested and {groups['untestable']} beyond numbers."
    )


def _groups(verdicts: Verdicts) -> Counter[str]:
    """How many statements have a printed form of each group."""
    return Counter(ledger.group(verdicts[item.id][0]) for item in ledger.ordered())


def _first() -> None:
    """Show the slips in the order in which they matter."""
    st.header("What changes a conclusion")
    for number, name in enumerate(errata.FIRST, 1):
        item = statement(name)
        kind = "" if item.category == theory.CONCLUSION else f" ({item.category})"
        title = f"{words.md(f'[{item.paper}]')} {words.md(errata.title(name))}{kind}"
        place = fold(f"{number}. {title}", f"first_{name}")
        if place is not None:
            with place:
                _slip(item)


def _slip(item: Statement) -> None:
    """One slip with its figure, and the way to the whole entry."""
    st.markdown(words.cited(item.claim))
    entry.forms(item)
    st.markdown(words.cited(item.why))
    core.figure_card.show(core.with_lines(entry.figure, item.id), key=f"figure_{item.id}")
    with st.container(horizontal=True, vertical_alignment="center"):
        go("The whole entry", f"first_open_{item.id}", {"id": item.id}, "arrow_forward")
        entry.example_links(item)


def _controls(verdicts: Verdicts) -> None:
    """Search, and filters by verdict, kind of slip, paper, kind and page."""
    groups = _groups(verdicts)
    counts = Counter(item.category for item in ledger.ordered())  # repeats included
    searched, verdict, slip = st.columns(3)
    with searched:
        _SEARCH.draw(VIEW)
    with verdict:
        looks = {key: f"{look.told} ({groups[key]})" for key, look in ledger.LOOKS.items()}
        _filter("verdict", "Verdict on the printed form", looks)
    with slip:
        slips = {ledger.slug(kind): f"{kind.capitalize()} ({n})" for kind, n in counts.items()}
        _filter("category", "Kind of slip", slips)
    with st.container(horizontal=True):
        with st.popover("Other filters", icon=":material/filter_alt:", key="ledger_more_filters"):
            _filter("paper", "Paper", {paper: f"[{paper}]" for paper in theory.PAPERS})
            _filter("kind", "Kind", {"derived": "Formula of ours"})
            _filter("page", "Used on", {})
        if any(getattr(VIEW.get(), name) for name in ledger.FILTERS):
            everything = dict.fromkeys(ledger.FILTERS, "")
            go("Show all statements", "ledger_reset", everything, "filter_alt_off")
        elif not st.session_state.get(_WHOLE):
            label, icon = f"List all {len(ledger.ordered())} statements", ":material/expand_more:"
            core.button(label, "ledger_more", st.session_state.__setitem__, _WHOLE, True, icon=icon)


def _filter(name: str, title: str, names: Mapping[str, str]) -> None:
    labels = {word: names.get(word, word.capitalize()) for word in ledger.allowed()[name]}
    Menu(name, title, {"": "All"} | labels).draw(VIEW)


def _strip(verdicts: Verdicts) -> None:
    """Draw a square for every statement that opens it; those that filters leave out are faint."""
    groups = _groups(verdicts)
    inside = {item.id for item in ledger.chosen(verdicts, VIEW.get())}
    squares: dict[str, list[object]] = {}
    for item in ledger.ordered():
        first = verdicts[item.id][0]
        look, told = ledger.LOOKS[ledger.group(first)], f"{item.title}. {item.id}: {first.words}"
        mark = look.mark if item.id in inside else ""
        squares.setdefault(item.paper, []).append([item.id, told, look.colour, mark])
    picture.touched("strip", squares, "strip", _open)
    looks = ((look, groups[name]) for name, look in ledger.LOOKS.items() if groups[name])
    st.markdown(" ".join(f":{look.badge}-badge[{look.told} ({n})]" for look, n in looks))


def _open(sent: Mapping[str, object]) -> None:
    """Open the statement of a square; what else a browser may send is none."""
    if any(item.id == sent.get("id") for item in ledger.ordered()):
        VIEW.change(id=sent["id"])


def _cards(verdicts: Verdicts, left: Sequence[Statement]) -> None:
    """List statements under the headings of their sections; each opens at a click."""
    st.header(f"{len(left)} of {len(ledger.ordered())} statements")
    if not left:
        st.markdown("Nothing fits. Search for fewer words, or take a filter away.")
    titles = {(row.paper, row.section): f": {words.md(row.title)}" for row in coverage()}
    for place, items in groupby(left, lambda item: (item.paper, item.section)):
        st.subheader(f"{words.cited('[{}] {}'.format(*place))}{titles.get(place, '')}")
        for item in items:
            _card(item, verdicts[item.id])


def _card(item: Statement, row: Sequence[StoredVerdict]) -> None:
    badges = [ledger.badge(row[0]), *(ledger.badge(one, "our reading: ") for one in row[1:])]
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
