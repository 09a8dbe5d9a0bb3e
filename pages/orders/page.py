"""The page: what does my own rate say? At chosen numbers or the study's sites, and in files."""

from __future__ import annotations

import streamlit as st

from pages import core
from pages.charts import planes, words
from pages.core import blocks
from pages.current import state
from pages.framework import DeltaGenerator
from pages.orders import asked, found, shelf, views
from rates import language, orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, Said, draft, inquiry, reading, texts

TAB = core.PageTab.of(
    "orders",
    {
        "terms": "Terms",
        "cases": "Cases",
        "claims": "Claims",
        "printed": "Printed rates",
        "take": "Take away",
    },
)
_WHERE = core.Entry(
    "where",
    "Conditions on the sizes, with commas between",
    2 * inquiry.MOST_TEXT,
    more={"placeholder": "n >= 1, n <= n0, n0 <= m*n, eps <= 1"},
)
_LIMITS = (
    "- Rates hold up to constants and logarithms, thresholds too; no sample size follows.\n"
    "- For maps and claims a sum of k terms is read as the largest, at most a factor of k away."
)


def draw() -> None:
    """Draw the page."""
    core.presenter.title("What does my own rate say?")
    place = st.container()
    core.layout.address_notes(asked.RATE, TAB, shelf.AGAINST)
    now = asked.RATE.load()
    TAB.load()
    shelf.AGAINST.load()
    asked.examples()
    asked.text()
    core.controls.refusal(asked.RATE, "Nothing was changed.")
    now = asked.RATE.get()
    if found.problem_of(now):
        place.markdown("The text below cannot be read yet; what is wrong stands under its column.")
    elif (order := found.order_of(now)).sites:
        _at_sites(now, order, place)
    else:
        _at_numbers(now, order, place)
    core.blocks.show([core.Fold(words.LIMITS, (core.Text(_LIMITS),))], page="orders")
    core.sync_url(asked.RATE, TAB, shelf.AGAINST)


# A rate at the numbers that are asked for ---------------------------------------------------------


def _at_numbers(now: Inquiry, order: Order, place: DeltaGenerator) -> None:
    figure, numbers = st.container(), st.container()
    with figure:
        view = core.pick("rate_view", "Show", views.VIEWS, hidden=True, wrap=True)
        views.ask_axes(now, view)
        main = views.axes(now)[:1] if view == "map" else (views.size_of(now),)
        # The main letter stands under the figure, or alone where none could be drawn.
        draw_main = core.controls.once(lambda: asked.values(now, main))
        views.draw(now, view, draw_main)
        draw_main()
    with numbers:
        others = [letter for letter, _ in now.at if letter not in main]
        asked.values(now, others, columns=3)
    with place:
        try:
            st.markdown(answer(now, order))
        except DomainError as problem:
            st.warning(words.plain(problem))
    _tabs(now, order)


def answer(now: Inquiry, order: Order) -> str:
    """Which term decides, and how large the rate is.

    Raises:
        DomainError: The rate has no value at these numbers.
    """
    sizes, exponents = now.split()
    label = str(order.deciding(sizes, exponents).item())
    short = found.shorts(order, [label])[label]
    value = words.number(float(order.value(sizes, exponents)))
    upto = "constants" if order.has_logs else "constants and logs"
    # The map leaves logarithms out: where that changes the answer it is said.
    bare = order.at(exponents).without_logs().deciding(sizes).item() if order.has_logs else label
    beside = f" Without logarithms, as on the map, it is **{words.md(bare)}**."
    return (
        f"At the numbers below **{words.md(short)}** decides: the rate is of the order of "
        f"**{value}**, up to {upto}.{beside if bare != label else ''}"
    )


# What holds for all sizes -------------------------------------------------------------------------


def _tabs(now: Inquiry, order: Order) -> None:
    """Show the tab that is open; the others are not computed."""
    x, tab = views.size_of(now), TAB.draw()
    if tab == "terms":
        blocks.show(found.terms(now, order, x), page="orders")
    elif tab == "cases":
        _cases(now, order, x)
    elif tab == "claims":
        _claims(now)
    elif tab == "printed":
        shelf.draw(now)
    else:
        _take_away(now, order)


def _claims(now: Inquiry) -> None:
    st.caption(
        "Decided for all sizes at once, at the exponents above: with a certificate in exact "
        "arithmetic, or with sizes at which both sides differ."
    )
    for place, said in enumerate(now.claims):
        with st.container(border=True):
            _claim(said, place)
            blocks.show(found.verdict(now, said, place), page="orders")
    with st.container(horizontal=True):
        _ask()
        with st.popover("Ranges of exponents", icon=":material/straighten:"):
            asked.RANGES.draw(asked.RATE)


def _cases(now: Inquiry, order: Order, x: str) -> None:
    if not x:
        st.caption("The rate has no size along which cases could be written.")
        return
    _WHERE.draw(asked.RATE)
    where = draft.applicable(now)
    if left := [text for text in now.where if text not in where]:
        listed = words.md(", ".join(left))
        st.caption(f"Left out, for letters that the rate does not have: {listed}.")
    try:
        with st.spinner("Writing the cases out and proving each"):
            cases = found.cases(order, x, where)
    except DomainError as problem:
        st.warning(words.plain(problem))
        return
    blocks.show(found.case_tables(order, cases), page="orders")


def _claim(said: Said, place: int) -> None:
    shown = (text.replace("`", "'") for text in (said.equals, *said.where))
    equals, *conditions = (f"`{text}`" for text in shown)
    name = f"**{words.md(said.name)}**: " if said.name else ""
    with st.container(horizontal=True):
        where = ", ".join(conditions) or "everywhere"
        st.markdown(f"{name}the rate is {equals} where {where}.")
        how = {"type": "tertiary", "help": f"Drop claim {place + 1}"}
        core.button("Drop", f"rate_drop_{place}", _drop, place, **how)


def _drop(place: int) -> None:
    claims = asked.RATE.get().claims
    asked.RATE.change(claims=claims[:place] + claims[place + 1 :])


def _ask() -> None:
    with st.popover("Add a claim", icon=":material/add:"):
        for key, title, most, example in (
            ("rate_claim_equals", "The rate is", 500, "(m*n)^(-1/(2*beta*gamma+d))"),
            ("rate_claim_where", "where", 1_000, "n <= n0, n0 <= m*n, eps <= 1 or m >= 2"),
        ):
            st.text_input(title, key=key, max_chars=most, placeholder=example)
        core.button("Decide it", "rate_claim_add", _add)


def _add() -> None:
    memory = st.session_state
    equals = str(memory.get("rate_claim_equals", "")).strip()
    where = asked.conditions(str(memory.get("rate_claim_where", "")))
    if equals:
        asked.RATE.change(claims=(*asked.RATE.get().claims, Said(equals, where)))


# A rate with a sum over the sites of the current study --------------------------------------------


def _at_sites(now: Inquiry, order: Order, place: DeltaGenerator) -> None:
    study = state.current()
    asked.values(now, [letter for letter, _ in now.at], columns=3)
    own = reading.own_exponents(study)
    # A rate that is typed need not have the exponents of the study.
    differ = {x: v for x, v in own.items() if x in now.values and now.values[x] != v}
    if differ:
        listed = ", ".join(f"{found.symbol(x)} = {words.number(v)}" for x, v in differ.items())
        core.button(f"Use the study's {listed}", "rate_own", asked.set_values, differ)
    try:
        columns = reading.by_site(order.sites, study)
        sizes, exponents = now.split()
        fixed = {x: v for x, v in sizes.items() if x not in order.sites}
        powers = {x: columns.get(x, v) for x, v in exponents.items()}
        value = float(order.value({**fixed, **columns}, powers))
    except DomainError as problem:
        place.warning(words.plain(problem))
        return
    text = f"For the current study the rate is of the order of **{words.number(value)}**, up to "
    place.markdown(f"{text}constants and logs.")


# Files --------------------------------------------------------------------------------------------


def _take_away(now: Inquiry, order: Order) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        core.offer("Rate as JSON", inquiry.to_json(now), "rate.json", "rate_json")
        core.offer("Tables as LaTeX", lambda: latex_of(now, order), "rate-tables.tex", "rate_latex")
        if views.axes(now)[1]:
            core.offer("Map as TikZ", lambda: tikz_of(now), "rate-map.tex", "rate_tikz")
    st.caption(
        "The address of this page is a link to this rate. The JSON file is what "
        "`python -m rates orders` reads."
        if asked.RATE.fits()
        else "This rate is too long for a link; use the JSON file."
    )
    with st.expander("The lines of Python that reproduce the answer"):
        st.code(texts.to_python(now), language="python", wrap_lines=True)


def _escaped(text: str) -> str:
    """Return plain text as LaTeX in ASCII; what has no name in it becomes a question mark."""
    # Old LaTeX reads ASCII alone.
    return language.escaped(text).encode("ascii", "replace").decode()


def tikz_of(now: Inquiry) -> str:
    """The map as a LaTeX file."""
    try:
        plane = views.plane_of(now)
    except DomainError as problem:
        return texts.document(_escaped(now.name or "A rate"), [("Map", _escaped(str(problem)))])
    x, y = (f"${language.name(letter)}$" for letter in views.axes(now))
    shorts = {label: _escaped(plane.looks[label].short) for label in plane.regions}
    return planes.map_tikz(plane, (x, y), shorts)


def latex_of(now: Inquiry, order: Order) -> str:
    """The terms, thresholds and cases as a LaTeX file."""
    name = {label: _escaped(short) for label, short in found.shorts(order).items()}
    terms = [(name[label], f"${text}$") for label, text in texts.term_latex(order).items()]
    parts = [("Terms", texts.tabular(["Term", "Order"], terms))]
    if x := views.size_of(now):
        try:
            crossings = [
                (f"{name[row.first]} = {name[row.second]}", f"${row.at.latex}$")
                for row in orders.crossings(order, x)
            ]
            title = f"${language.name(x)}$ at which two terms are equal"
            parts.append(("Thresholds", texts.tabular(["Terms", title], crossings)))
            for one in found.cases(order, x, draft.applicable(now)):
                where = f" where {' and '.join(one.exponents)}" if one.exponents else ""
                rows = [[f"${cell}$" for cell in row] for row in orders.case_rows(order, one)]
                table = texts.tabular(["if", "and", "rate"], rows)
                parts.append((_escaped(f"Cases{where}"), table))
        except DomainError as problem:
            parts.append(("Cases", _escaped(str(problem))))
    return texts.document(_escaped(now.name or "A rate"), parts)
