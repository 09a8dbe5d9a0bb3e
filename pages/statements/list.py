"""The ledger as a whole: the answer in numbers, search and filters, and a card per statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from pages.charts import Figure, words
from pages.core import ask, button, figure_card, fold, lines, offered, tables
from pages.statements import figures
from pages.statements import run as ledger_run
from pages.statements import view as ledger
from rates import errata
from rates.statements import PAPERS, Section, Statement, StoredVerdict, coverage

AT_FIRST = 20
_FIGURE = "figure_ledger"
_WHOLE = "ledger_whole"  # the view of which all cards are shown; no widget's name
_EVERY = ""
_FILTERS = {
    "paper": ("Paper", {paper: f"[{paper}]" for paper in PAPERS}),
    "kind": ("Kind", {"derived": "Formula of ours"}),
    "page": ("Used on", {}),
}


def answer(verdicts: ledger.Verdicts) -> None:
    """Say what was read, what stands and what does not, and on what the verdicts rest."""
    found = errata.headline()
    st.markdown(words.keyed(errata.sentences(found)))
    notes = [errata.beside(found)]
    held = Counter(ledger.group(verdicts[item.id][0]) for item in ledger.ordered())
    notes.append(
        f"Of the others, {held['proved']} are derived or argued, {held['survives']} only tested "
        f"and {held['untestable']} beyond numbers; formulas of ours are among them."
    )
    if argued := sum(_argued(item, verdicts) for item in ledger.ordered()):
        notes.append(f"{argued} that numbers cannot decide are corrected by an argument in words.")
    fresh = ledger_run.fresh()
    if fresh:
        seeds = sorted({v.outcome.seed for e in fresh.values() for v in e.verdicts if v.outcome})
        shown = ", ".join(map(str, seeds[:3])) or "none"
        others = " The others stand as stored, with seed 0." if len(fresh) < len(verdicts) else ""
        notes.append(f"Tested in this session: {len(fresh)}, with seed {shown}.{others}")
    else:
        notes.append("Stored verdicts, from draws with seed 0.")
    st.caption(" ".join(filter(None, notes)))


def _argued(item: Statement, verdicts: ledger.Verdicts) -> bool:
    """Whether a statement is corrected although no number can decide it."""
    return item.reading is not None and ledger.group(verdicts[item.id][0]) == "untestable"


def controls(verdicts: ledger.Verdicts) -> None:
    """Search, and filters by verdict, kind of slip, paper, kind and page."""
    _ask(
        "q",
        lambda now, **how: st.text_input(
            "Search",
            now,
            type="search",
            icon=":material/search:",
            max_chars=ledger.MOST_TEXT,
            placeholder="eps21, threshold, E1, Remark 3.2",
            help="In id, title, claim, reasons, formulas and section; Greek letters by letter or "
            "by name; E1 to E33 are the numbers of our corrections.",
            **how,
        ),
    )
    _by_verdict(verdicts)
    _filter("category", "Kind of slip", _slips())
    choices = ledger.allowed()
    used = sum(bool(getattr(ledger.VIEW.get(), name)) for name in _FILTERS)
    label = f"Other filters ({used} in use)" if used else "Other filters"
    with st.popover(label, icon=":material/filter_alt:", key="ledger_more_filters"):
        for name, (title, titles) in _FILTERS.items():
            _filter(name, title, {c: titles.get(c, c.capitalize()) for c in choices[name]})
    if ledger.VIEW.get() != ledger.VIEW.get().without_filters():
        button("Show all statements", "ledger_reset", _reset, icon=":material/filter_alt_off:")


def _ask(name: str, draw: Callable[..., Any], options: Sequence[str] = ()) -> None:
    """Draw a widget for a part of the view; it is given what is looked at now.

    Args:
        name: The part.
        draw: What draws it.
        options: What it may become; none for any text.
    """
    now = getattr(ledger.VIEW.get(), name)

    def take(given: str) -> None:
        ledger.VIEW.change(**{name: offered(given, options) if options else given})

    ask(
        f"ledger_{name}",
        now,
        take,
        lambda **how: draw(now, **how),
    )


def _by_verdict(verdicts: ledger.Verdicts) -> None:
    kept = ledger.ordered()
    groups = Counter(ledger.group(verdicts[item.id][0]) for item in kept)
    titles = {_EVERY: f"All ({len(kept)})"} | {
        name: f"{figures.LOOKS[name].mark} {figures.LOOKS[name].words} ({groups[name]})"
        for name in ledger.allowed()["verdict"]
    }
    _ask(
        "verdict",
        lambda now, **how: st.radio(
            "Verdict on the printed form",
            list(titles),
            list(titles).index(now),
            format_func=titles.__getitem__,
            **how,
        ),
        list(titles),
    )


def _slips() -> dict[str, str]:
    """The kinds of slip with the number of their entries, repeats included."""
    counts = Counter(ledger.slug(item.category) for item in ledger.ordered())
    kinds = ledger.kinds().items()
    return {name: f"{title.capitalize()} ({counts[name]})" for name, title in kinds}


def _filter(name: str, label: str, titles: Mapping[str, str]) -> None:
    options = [_EVERY, *titles]
    _ask(
        name,
        lambda now, **how: st.selectbox(
            label,
            options,
            options.index(now),
            format_func=lambda choice: titles.get(choice, "All"),
            **how,
        ),
        options,
    )


def _reset() -> None:
    ledger.VIEW.change(q="", paper="", verdict="", category="", kind="", page="")


def figure(verdicts: ledger.Verdicts, *, folded: bool) -> None:
    """Draw every statement at its place; the ones that the filters leave out are faint.

    Args:
        verdicts: By statement.
        folded: Whether it is drawn only once it is asked for.
    """
    if folded:
        place = fold("Every entry at its place in the papers", "ledger_map")
        if place is not None:
            with place:
                _figure(verdicts)
        return
    _figure(verdicts)


def _figure(verdicts: ledger.Verdicts) -> None:
    kept = ledger_run.stored()
    other = tuple((k, row) for k, row in verdicts.items() if _words(row) != _words(kept[k]))
    drawn = lines.drawn(by_place, replace(ledger.VIEW.get(), id="", seed=0), other)
    figure_card.show(drawn, key=_FIGURE, on_point=_open_mark)


def _words(row: tuple[StoredVerdict, ...]) -> list[str]:
    return [verdict.words for verdict in row]


def by_place(
    view: ledger.View, other: tuple[tuple[str, tuple[StoredVerdict, ...]], ...] = ()
) -> Figure:
    """Every statement at its place in the papers, marked by its verdict.

    Args:
        view: What it leaves out is faint.
        other: Verdicts by id that differ from the stored ones.
    """
    verdicts = {**ledger_run.stored(), **dict(other)}
    inside = {item.id for item in ledger.chosen(verdicts, view)}
    marks = [
        figures.Mark(
            id=item.id,
            place=f"{item.paper} {item.section}",
            group=ledger.group(verdicts[item.id][0]),
            text=f"{words.label(item.title, 70)}<br>{item.id}: {verdicts[item.id][0].words}",
            faint=item.id not in inside,
        )
        for item in ledger.ordered()
    ]
    found = errata.headline()
    title = f"{found.total} of {found.printed} printed statements do not hold as printed"
    return figures.drawn(marks, title=title)


def _open_mark() -> None:
    points = st.session_state[_FIGURE].selection.points
    if points:
        ledger.VIEW.change(id=points[0]["customdata"][0])


def cards(verdicts: ledger.Verdicts, left: Sequence[Statement]) -> None:
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
    memory = st.session_state
    everything = memory.get(_WHOLE) == ledger.VIEW.get() or len(left) <= AT_FIRST + 5
    titles = {(row.paper, row.section): row for row in coverage()}
    place = None
    for item in left if everything else left[:AT_FIRST]:
        if place != (item.paper, item.section):
            place = (item.paper, item.section)
            st.subheader(_heading(titles.get(place), *place))
        _card(item, verdicts)
    if not everything:
        button(
            f"Show the other {len(left) - AT_FIRST}",
            "ledger_more",
            lambda: memory.__setitem__(_WHOLE, ledger.VIEW.get()),
            icon=":material/expand_more:",
        )


def _heading(row: Section | None, paper: str, section: str) -> str:
    title = f": {words.md(row.title)}" if row else ""
    return f"{words.cited(f'[{paper}] {section}')}{title}"


def _card(item: Statement, verdicts: ledger.Verdicts) -> None:
    row = verdicts[item.id]
    forms = ledger.badge(row[0])
    if _argued(item, verdicts):
        forms += " :blue-badge[✎ our reading: argued in words]"
    elif row[1:]:
        forms += " " + ledger.badge(row[1], "our reading: ")
    if item.repeats:
        forms += " :gray-badge[repeats another]"
    if item.extraction:
        forms += " :gray-badge[our text may be damaged]"
    text, link = st.columns([5, 2], gap="small", vertical_alignment="center")
    text.markdown(f"{words.md(item.title)}  \n{forms}")
    # A button's words stay in the middle when they wrap, so it holds the short name only.
    link.button(
        f":primary[**{words.md(item.id.partition(':')[2])}**]",
        key=f"open_{item.id}",
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=ledger.VIEW.change,
        kwargs={"id": item.id},
    )


def table_of_coverage() -> None:
    """Say section by section what stands in the ledger, and what does not and why."""
    st.header("What is covered, section by section")
    for paper in dict.fromkeys(row.paper for row in coverage()):
        rows = [row for row in coverage() if row.paper == paper]
        count = sum(len(row.covered) for row in rows)
        with st.expander(f"[{paper}]: {count} statements in {len(rows)} sections"):
            sections(rows)


def sections(rows: Sequence[Section]) -> None:
    """Show sections of a paper with what of them stands in the ledger and what does not."""
    tables.wrapped(
        {
            "Section": [words.md(f"{row.section} {row.title}") for row in rows],
            "Statements": [str(len(row.covered)) for row in rows],
            "Not in the ledger, and why": [
                words.cited(row.left_out or "Nothing left out.") for row in rows
            ],
        }
    )
