"""What holds for all sizes: terms and their thresholds, the table of cases, and claims."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

import streamlit as st

from pages.charts import words
from pages.core import Entry, blocks, button, formula, offer, tables, toggle
from pages.orders import asked, found, views
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, Said, draft, inquiry, texts

MOST = 40  # thresholds shown
_LONG = 4_000  # characters of a certificate
_PAGE = "orders"
_WHERE = Entry(
    "where",
    "Conditions on the sizes, with commas between",
    2 * inquiry.MOST_TEXT,
    more={"placeholder": "n >= 1, n <= n0, n0 <= m*n, eps <= 1"},
)


def along(now: Inquiry) -> str:
    """The letter whose thresholds and cases are shown; empty if neither axis is a size."""
    return next((letter for letter in views.axes(now) if letter in now.sizes), "")


def show(now: Inquiry, order: Order) -> None:
    """Show terms and thresholds, the table of cases once it is wanted, and all claims."""
    blocks.show(terms(now, order), page=_PAGE)
    if x := along(now):
        _cases(now, order, x)
    st.header("Claims", anchor=False)
    st.caption(
        "A claim says what the rate is where conditions hold. It is decided for all sizes at once, "
        "at the exponents above: by linear programs in the logs, with a certificate in exact "
        "arithmetic or with sizes at which both sides differ."
    )
    for place, said in enumerate(now.claims):
        with st.container(border=True):
            _claim(said, place)
            blocks.show(verdict(now, said, place), page=_PAGE)
    _ask()


# Terms and cases ----------------------------------------------------------------------------------


def terms(now: Inquiry, order: Order) -> Iterator[blocks.Block]:
    """The terms, and where along the horizontal axis two of them cross."""
    looks, latex = found.looks(order), texts.term_latex(order)
    yield blocks.Heading("Terms and thresholds")
    columns = {
        "Term": [looks[label].short for label in latex],
        "Order": [formula.cell(text) for text in latex.values()],
    }
    yield partial(tables.wrapped, columns)
    rows: list[tuple[str, str, str]] = []
    x = along(now)
    try:
        for crossing in found.thresholds(order, x)[:MOST] if x else ():
            value = float(crossing.at.value(*now.split()))
            names = f"{looks[crossing.first].short} = {looks[crossing.second].short}"
            rows.append((names, formula.cell(crossing.at.latex), words.number(value)))
    except DomainError as problem:
        yield blocks.Note(words.plain(problem))
    if rows:
        titles = ("Where", f"Threshold of {x}", "Here")
        columns = {title: [row[k] for row in rows] for k, title in enumerate(titles)}
        yield blocks.Fold(
            f"Where two terms are equal: {len(rows)} thresholds of {x}",
            [
                partial(tables.wrapped, columns),
                blocks.Note(
                    "Each pair of terms is equal there; whether the rate changes there depends on "
                    "the others. Pairs with the same power of the letter have none."
                ),
            ],
        )


def _cases(now: Inquiry, order: Order, x: str) -> None:
    st.header("The table of cases", anchor=False)
    _WHERE.draw(asked.RATE)
    where = draft.applicable(now)
    if left := [text for text in now.where if text not in where]:
        listed = words.md(", ".join(left))
        st.caption(f"Left out, for letters that the rate does not have: {listed}.")
    if not toggle("rate_cases", f"Write the cases along {x} out"):
        return
    try:
        with st.spinner("Writing the cases out and proving each"):
            cases = found.cases(order, x, where)
    except DomainError as problem:
        st.warning(words.plain(problem))
        return
    blocks.show(case_tables(order, cases), page=_PAGE)


def case_tables(order: Order, cases: tuple[orders.Table, ...]) -> Iterator[blocks.Block]:
    """Which term decides where, in one table for each order of the exponents."""
    looks = found.looks(order)
    for one in cases:
        if one.exponents:
            yield blocks.Text(
                "**Where " + " and ".join(f"`{text}`" for text in one.exponents) + "**"
            )
        rows = orders.case_rows(order, one)
        columns = {
            "If": [formula.cell(where) if where else "always" for where, _, _ in rows],
            "and": [formula.cell(between) if between else "" for _, between, _ in rows],
            "then decides": [looks[case.label].short for case in one.cases],
        }
        yield partial(tables.wrapped, columns)
    proved = sum(len(one.draws) for one in cases)
    yield blocks.Note(
        f"Thresholds are written for all exponents. That one term decides in each row, and that "
        f"the rows leave nothing out, is proved for all sizes at each of {proved} drawn sets of "
        "exponents; other exponents may need another table."
        if order.exponents
        else "That one term decides in each row, and that nothing is left out, is proved for all "
        "sizes."
    )


# Claims -------------------------------------------------------------------------------------------


def counts(now: Inquiry) -> tuple[int, int]:
    """Return how many claims hold and how many are decided."""
    verdicts = []
    for said in now.claims:
        try:
            verdicts.append(found.decision(now, said).holds)
        except DomainError:
            continue
    return sum(verdicts), len(verdicts)


def _claim(said: Said, place: int) -> None:
    where = ", ".join(f"`{condition}`" for condition in said.where) or "everywhere"
    name = f"**{words.md(said.name)}**: " if said.name else ""
    equals = said.equals.replace("`", "'")
    with st.container(horizontal=True):
        st.markdown(f"{name}the rate is `{equals}` where {where}.")
        how = {"type": "tertiary", "help": f"Drop claim {place + 1}"}
        button("Drop", f"rate_drop_{place}", _drop, place, **how)


def _drop(place: int) -> None:
    claims = asked.RATE.get().claims
    asked.RATE.change(claims=claims[:place] + claims[place + 1 :])


def verdict(now: Inquiry, said: Said, place: int) -> Iterator[blocks.Block]:
    """Whether a claim holds, with what proves or contradicts it."""
    try:
        decision = found.decision(now, said)
    except DomainError as problem:
        yield blocks.Note(words.plain(problem), "error")
        return
    if decision.holds:
        yield blocks.Text(
            ":material/check: **Holds for all sizes** at these exponents, up to constants."
        )
        text = json.dumps(decision.certificate, indent=1)
        yield blocks.Fold(
            "The certificate",
            [
                blocks.Text(
                    "Suppose one side were above the other. In every case below the weighted "
                    "lines, multiplied, leave no letter and no number above 1, which contradicts "
                    "it. The weights are exact; `rates.proofs.check` verifies them without the "
                    "solver."
                ),
                blocks.Code(text if len(text) < _LONG else f"{text[:_LONG]}\n...", None),
                partial(offer, "Certificate as JSON", text, "certificate.json", f"cert_{place}"),
            ],
        )
        if now.exponents:
            yield partial(_for_all, now, said, place)
    else:
        yield blocks.Text(f":material/close: {_refuted(now, said, decision)}")
    if decision.sum_factor > 1:
        yield blocks.Note(
            f"Sums are read as maxima and balances by their order; both together may add a "
            f"factor of at most {words.number(decision.sum_factor)}."
        )


def _for_all(now: Inquiry, said: Said, place: int) -> None:
    """Offer to prove a claim for all exponents, and say what came of it."""
    if not toggle(f"rate_for_all_{place}", f"Try to prove claim {place + 1} for all exponents"):
        return
    with st.spinner("Looking for weights whose signs can be shown"):
        shown = found.for_all(replace(now, at=()), said)
    if shown.shown:
        st.markdown(
            "**Proved for all sizes and all exponents** strictly inside their ranges: the weights "
            "of the certificate are functions of the exponents that are nowhere negative."
        )
    elif shown.fails:
        st.markdown(f"It does **not** hold for all exponents: not at {_place(shown.fails)}.")
    else:
        st.markdown(f"Not shown for all exponents, which leaves it open. {words.md(shown.why)}")


def _place(at: Mapping[str, Fraction]) -> str:
    return words.md(", ".join(f"{x} = {value}" for x, value in at.items()))


def _refuted(now: Inquiry, said: Said, decision: orders.Decision) -> str:
    if decision.constant == float("inf"):
        text = "Does **not** hold, whatever the constant: the two sides drift apart without bound."
    else:
        much = words.number(decision.constant)
        text = f"Does **not** hold exactly; up to a constant of **{much}** it does."
    if at := decision.counterexample:
        claim, exponents = found.claim(now, said), now.split()[1]
        sizes = {x: float(v) for x, v in at.items()}
        rate, other = (
            words.number(float(side.at(exponents).value(sizes)))
            for side in (claim.order, claim.other)
        )
        text += f" An example: at {_place(at)} the rate is {rate}, the claim says {other}."
    return text


def _ask() -> None:
    with st.popover("Add a claim", icon=":material/add:"):
        for key, title, most, example in (
            ("rate_claim_equals", "The rate is", 500, "(m*n)^(-1/(2*beta*gamma+d))"),
            ("rate_claim_where", "where", 1_000, "n <= n0, n0 <= m*n, eps <= 1"),
        ):
            st.text_input(title, key=key, max_chars=most, placeholder=example)
        button("Decide it", "rate_claim_add", _add)


def _add() -> None:
    memory = st.session_state
    equals = str(memory.get("rate_claim_equals", "")).strip()
    where = asked.conditions(str(memory.get("rate_claim_where", "")))
    if equals:
        asked.RATE.change(claims=(*asked.RATE.get().claims, Said(equals, where)))
