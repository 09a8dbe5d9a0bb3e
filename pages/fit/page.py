"""The page: does this theory cover my study, and what do I not know?"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts import words
from pages.core import Section, blocks, figure_card, layout, pick, presenter, sync_url
from pages.core.live import panel as live
from pages.current import fields, scope_line, state, takeaway
from pages.fit import constant, guarantee, rivals, unknowns
from pages.fit import words as fit_words
from pages.study import examples, parameters, questions, sites
from rates.fit import Envelope
from rates.study import QUESTIONS, Fit, Scope, Study, alike, theory_for
from rates.theories import SAYS, Cell, Row, theories

PROMISES = Section(
    id="promises",
    title="5. What does ε promise here?",
    blocks=lambda params: guarantee.promises(*params),
)


def draw() -> None:
    """Draw the page."""
    presenter.title("Does this theory cover my study, and what do I not know?")
    answer_place = st.container()
    layout.address_notes(constant.CONSTANT, rivals.CURATOR)
    constant.CONSTANT.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        examples.picker()
        sites.paste_box()
        takeaway.open_file()
    figure_place = st.container()
    stale = _take_over()
    st.header("1. Is my study covered?", anchor=False)
    ask(stale=stale)
    study = state.current()
    blocks.show(outcome(study, state.scope()), page="covered")
    blocks.show(by_theory(study, state.scope()), page="covered")
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
    st.header("6. A paragraph for the protocol", anchor=False)
    absolute = constant.plain(study, chosen)
    text = fit_words.paragraph(found, scope, study, result, absolute)
    st.code(text, language=None, wrap_lines=True)
    with answer_place:
        st.markdown(words.keyed(fit_words.answer(found, scope, study, result)))
        if found.elsewhere:
            door(found)
    blocks.show([blocks.Fold(words.LIMITS, [blocks.Text(_LIMITS)])], page="fit")
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
    settle()
    stale = sites.take_over()
    unknowns.settle()
    rivals.CURATOR.load()
    rivals.settle()
    return stale


_LIMITS = (
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


# Is my study covered: the scope questions, what does not go together, and what breaks -----------

_ROOMS = {
    "ACC": ("phases", "Phases"),
    "CCV": ("resolution", "Resolution"),
    "KS": ("hybrid", "Hybrid"),
    "BCMM": ("adaptation", "Adaptation"),
    "DPLR": ("logistic", "Logistic"),
}


def settle() -> None:
    """Take over the numbers that go with the answers."""
    scope = state.scope()
    if scope.answer("prevalence") == "differs":
        fields.take("prevalence", _take_prevalence)
    if scope.answer("records") == "several":
        fields.take("records", _take_records)


def _take_prevalence() -> None:
    low = fields.number("prevalence_low", "prevalence", percent=True)
    high = fields.number("prevalence_high", "prevalence", percent=True)
    if low is not None and high is not None:
        with fields.in_percent():
            state.set_scope(replace(state.scope(), prevalence=(low, high)))


def _take_records() -> None:
    count = fields.number("records_count", "records_per_person")
    if count is not None:
        state.set_scope(replace(state.scope(), records_per_person=int(count)))


def ask(*, stale: bool = False) -> None:
    """Draw the questions, with what goes with each beside it."""
    found = {} if stale else theory_for(state.current(), state.scope()).contradictions
    left, right = st.columns(2, gap="large")
    half = (len(QUESTIONS) + 1) // 2
    for number, question in enumerate(QUESTIONS):
        with left if number < half else right:
            _question(question, found)


def _question(question: str, found: Mapping[str, str]) -> None:
    scope = state.scope()
    questions.in_full(question).draw(fields.key(f"answer_{question}"))
    if question == "target":
        questions.ask_site("fit_site")
    if question == "prevalence" and scope.answer(question) == "differs":
        _prevalence(scope)
    if question == "records" and scope.answer(question) == "several":
        given = scope.records_per_person
        fields.text(
            "records_count",
            "The most records of one person at one site",
            "" if given is None else str(given),
        )
        fields.problem("records")
    if text := found.get(question):
        st.warning(f"This does not go together: {text}")


def _prevalence(scope: Scope) -> None:
    low, high = scope.prevalence or (None, None)
    with st.container(horizontal=True):
        fields.text("prevalence_low", "Lowest share, per cent", _percent(low))
        fields.text("prevalence_high", "Highest share, per cent", _percent(high))
    fields.problem("prevalence")


def _percent(x: float | None) -> str:
    return "" if x is None else f"{100 * x:.6g}"


def outcome(study: Study, scope: Scope) -> Iterator[blocks.Block]:
    """Say which theory it is, what breaks, and what is still open."""
    found = theory_for(study, scope)
    name, title = scope_line.THEORY[found.theory.key], found.theory.title
    if alike(study, scope) and found.theory.key == "ACC":
        title = "a classifier for sites that are all alike"
    if not scope.answers:
        yield blocks.Text(
            "No question has been answered yet. Every answer narrows down which theory covers "
            "this study; *I don't know* is an answer too."
        )
        return
    if found.covers:
        rest = "" if found.unknown else " All its questions are answered."
        yield blocks.Text(f"**Within {name}**, as far as answered: {title}.{rest}")
    else:
        yield blocks.Text(
            f"**None of these theories covers this study.** The nearest is {name}: {title}. "
            "This is what breaks, and what still holds:"
        )
    for item in found.broken:
        yield blocks.Text(
            f"✗ **{item.assumption[0].upper()}{item.assumption[1:]}.** {item.text} "
            f"({words.cited(item.source)})"
        )
    if found.unknown:
        asked = words.listed([QUESTIONS[q].assumption for q in found.unknown])
        yield blocks.Text(f"? Still open: {asked}.")
    if text := scope_line.elsewhere(found):
        yield blocks.Text(f"✗ **The numbers on this page.** {text}")
    yield lambda: door(found)


def door(found: Fit) -> None:
    """Lead to the page of the theory that covers the study, or of the nearest one."""
    stem, title = _ROOMS[found.theory.key]
    st.page_link(
        layout.page(stem),
        label=f"What this theory says: page {title}",
        icon=":material/door_open:",
        query_params=state.carried(),
    )


MOST = 20  # rows of reasons
STUDY = "The study"
_found = functools.lru_cache(maxsize=32)(theories)
_DOOR = "fit_theory"


def by_theory(study: Study, scope: Scope) -> Iterator[blocks.Block]:
    """Show the table, what its words mean, and the reasons of one theory."""
    rows = _found(study, scope)
    yield blocks.Text(
        f"**Site by site through the {len(rows[0].cells)} theories.** {sentence(rows)}"
    )
    keys = [cell.theory for cell in rows[0].cells]
    columns = {"Site": [row.site or STUDY for row in rows]}
    for k, key in enumerate(keys):
        columns[key] = [row.cells[k].says for row in rows]
    yield blocks.Table(
        columns, "What every theory says of the study and of each site", pinned="Site"
    )
    shown = [says for says in SAYS if any(cell.says == says for row in rows for cell in row.cells)]
    yield blocks.Note(" ".join(f"**{says.capitalize()}**: {SAYS[says]}" for says in shown))
    nearest = theory_for(study, scope).theory.key
    chosen = pick(_DOOR, "Why, by", {key: key for key in keys}, start=nearest, kept=False)
    yield blocks.Text(f"By {scope_line.THEORY[chosen]}:")
    yield lambda: reasons(rows, keys.index(chosen))


def sentence(rows: Sequence[Row]) -> str:
    """Say in which theories the study lies, as far as told, and which ask for more."""
    cells = rows[0].cells
    asking = [cell.theory for cell in cells if cell.says == "undecided"]
    inside = [c.theory for c in cells if c.says not in ("undecided", "not covered")]
    first = "None of them covers the study as it is told"
    if inside:
        first = f"{words.listed(inside)} {'covers' if len(inside) == 1 else 'cover'} it"
        first += " as far as told"
    if not asking:
        return f"{first}."
    verb = "asks" if len(asking) == 1 else "ask"
    return f"{first}; {words.listed(asking)} {verb} for what has not been told."


def reasons(rows: Sequence[Row], k: int) -> None:
    """Show why one theory says so; sites of which it says the same stand together."""
    groups: dict[Cell, list[str]] = {}
    for row in rows:
        groups.setdefault(row.cells[k], []).append(row.site)
    some = list(groups.items())[:MOST]
    figure_card.wrapped(
        {
            "Site": [_names(names, len(rows)) for _, names in some],
            "Says": [cell.says for cell, _ in some],
            "Why": [f"{words.md(cell.reason)} ({words.cited(cell.source)})" for cell, _ in some],
        }
    )
    if len(groups) > MOST:
        st.caption(f"The first {MOST} of {len(groups)} reasons.")


def _names(names: Sequence[str], most: int) -> str:
    """Whom a reason is about."""
    if len(names) == most:
        return "The study and every site"
    sites = [name for name in names if name]
    shown = words.names(sites, most=4) if sites else ""
    return " and ".join(part for part in (STUDY if "" in names else "", shown) if part)
