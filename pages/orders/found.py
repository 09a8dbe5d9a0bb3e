"""What is found about the rate that is asked about: read, decided, fitted; and said in blocks."""

from __future__ import annotations

import functools
import json
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

import streamlit as st

from pages.charts import planes, words
from pages.core import blocks, figure_card, fold, formula, offer, toggle
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Order, OrderError, Said, reading, texts

MOST = 40  # thresholds shown
_OPEN = 2  # claims of which each says at once what it needs
_LONG = 4_000  # characters of a certificate
_LEGEND = 44  # letters that a legend has room for on a phone


order_of = functools.lru_cache(maxsize=256)(reading.order_of)


def problem_of(now: Inquiry) -> tuple[str, DomainError] | None:
    """Why the rate of a question cannot be read, None if it can be; first in which text."""
    for outer in (False, True) if now.rate else (False,):
        try:
            order_of(now, outer=outer)
        except DomainError as problem:
            return (now.rate if outer else now.text), problem
    return None


def marked(text: str, problem: DomainError) -> str | None:
    """Return a text with a mark below what is wrong, if the problem says where.

    >>> marked("a", DomainError("No."))
    """
    if not isinstance(problem, OrderError):
        return None
    return f"{text}\n{' ' * (problem.column - 1)}{'^' * (problem.end - problem.column)}"


def looks(order: Order) -> dict[str, planes.Look]:
    """Return how each term of a rate is shown: by its label, with its powers."""
    names = {}
    for label, text in texts.term_texts(order).items():
        # A number says less than a short term does.
        short = label if not label.isdigit() else text if len(text) < 9 else f"term {label}"
        long = text if short == text else f"{short}: {text}"
        legend = long if len(long) <= _LEGEND else short  # a table below has all of it
        names[label] = (words.label(legend, _LEGEND), words.label(short))
    return planes.looks(names)


def symbol(letter: str) -> str:
    """Return a letter as a person writes it.

    >>> symbol("eps"), symbol("beta2"), symbol("n0")
    ('ε', 'β2', 'n0')
    """
    # beta2 is the letter beta with an index.
    stem = letter.rstrip("0123456789")
    name = "EPSILON" if stem == "eps" else stem.upper() if stem.islower() else ""
    try:
        return unicodedata.lookup(f"GREEK SMALL LETTER {name}") + letter.removeprefix(stem)
    except KeyError:
        return letter


def shorts(order: Order) -> dict[str, str]:
    """Return the short name of each term of a rate, by its label, as `looks`."""
    return {label: look.short for label, look in looks(order).items()}


cases = functools.lru_cache(maxsize=32)(orders.cases)


def claim_of(now: Inquiry, said: Said) -> orders.Claim:
    """Read a claim.

    Raises:
        DomainError: The claim or the rate cannot be read.
    """
    return orders.Claim(order_of(now), said.equals, said.where)


@functools.lru_cache(maxsize=256)
def decide(now: Inquiry, said: Said, logs: bool = True) -> orders.Decision:
    """Decide a claim at the exponents of a question, with logarithms or up to them.

    Raises:
        DomainError: The claim cannot be read, or nothing satisfies its conditions.
    """
    return orders.decide(claim_of(now, said), now.split()[1], logs=logs)


@functools.lru_cache(maxsize=64)
def needs(now: Inquiry, said: Said) -> orders.Needs:
    """Say which conditions carry a claim that holds, at the exponents of a question.

    Raises:
        DomainError: It has too many conditions.
    """
    return orders.needs(claim_of(now, said), now.split()[1])


@functools.lru_cache(maxsize=64)
def for_all(now: Inquiry, said: Said) -> orders.Shown:
    """Try to prove a claim for all exponents in their ranges."""
    return orders.decide_symbolic(claim_of(now, said))


# In blocks ----------------------------------------------------------------------------------------


def terms(now: Inquiry, order: Order, x: str) -> Iterator[blocks.Block]:
    """The terms, and where along the horizontal axis two of them cross."""
    short, latex = shorts(order), texts.term_latex(order)
    columns = {
        "Term": [short[label] for label in latex],
        "Order": [formula.cell(text) for text in latex.values()],
    }
    yield partial(figure_card.wrapped, columns)
    rows: list[tuple[str, str, str]] = []
    try:
        for crossing in orders.crossings(order, x)[:MOST] if x else ():
            value = float(crossing.at.value(*now.split()))
            names = f"{short[crossing.first]} = {short[crossing.second]}"
            left_out = ", up to logarithms" if crossing.up_to_logs else ""
            cell = formula.cell(crossing.at.latex) + left_out
            rows.append((names, cell, words.number(value)))
    except DomainError as problem:
        yield blocks.Note(words.plain(problem))
    if rows:
        titles = ("Where", f"Threshold of {symbol(x)}", "Here")
        columns = {title: [row[k] for row in rows] for k, title in enumerate(titles)}
        meaning = blocks.Note("Whether the rate changes there depends on the other terms.")
        many = f"{len(rows)} threshold{'s' * (len(rows) > 1)}"
        title = f"Where two terms are equal: {many} of {symbol(x)}"
        yield blocks.Fold(title, [partial(figure_card.wrapped, columns), meaning])


def case_tables(order: Order, cases: tuple[orders.Table, ...]) -> Iterator[blocks.Block]:
    """Which term decides where, in one table for each order of the exponents."""
    short = shorts(order)
    for one in cases:
        if one.exponents:
            ranges = " and ".join(f"`{text}`" for text in one.exponents)
            yield blocks.Text(f"**Where {ranges}**")
        rows = orders.case_rows(order, one)
        columns = {
            "If": [
                " and ".join(map(formula.cell, filter(None, (where, between)))) or "always"
                for where, between, _ in rows
            ],
            "then decides": [short[case.label] for case in one.cases],
        }
        yield partial(figure_card.wrapped, columns)
    proved = sum(len(one.draws) for one in cases)
    upto = ", up to logarithms" if order.has_logs else ""
    drawn = f" at each of {proved} drawn sets of exponents; others may need another table"
    yield blocks.Note(
        "That one term decides in each row, and that the rows leave nothing out, is proved for all "
        f"sizes{upto}{drawn if order.exponents else ''}."
    )


def verdict(now: Inquiry, said: Said, place: int) -> Iterator[blocks.Block]:
    """Whether a claim holds, with what proves or contradicts it."""
    try:
        decision, notes = decide(now, said), claim_of(now, said).notes
    except DomainError as problem:
        yield blocks.Note(words.plain(problem), "error")
        return
    # What was read otherwise than typed comes before the verdict.
    yield from (blocks.Note(words.plain(note)) for note in notes)
    if decision.holds:
        much = f"a constant of {words.number(decision.constant)}" if decision.logs else "constants"
        holds = f"**Holds for all sizes** at these exponents, up to {much}."
        yield blocks.Text(f":material/check: {holds}")
        text = json.dumps(decision.certificate, indent=1)
        meaning = blocks.Text(
            "The weighted lines of every case, multiplied, contradict that one side is above the "
            "other. The weights are exact; `rates.proofs.check` verifies them."
            + (" Of a logarithm only the lines named as lemmas are used." if decision.logs else "")
        )
        shown = blocks.Code(text if len(text) < _LONG else f"{text[:_LONG]}\n...", None)
        file = partial(offer, "Certificate as JSON", text, "certificate.json", f"cert_{place}")
        yield blocks.Fold("The certificate", [meaning, shown, file])
        if said.where:
            yield partial(_needs, now, said, place)
        if now.exponents and not decision.logs:
            yield partial(_for_all, now, said, place)
    elif decision.holds is None:
        yield blocks.Text(f":material/help: **Not decided**: {words.md(decision.why)}.")
    else:
        yield blocks.Text(f":material/close: {_refuted(now, said, decision)}")
    if decision.logs:
        without = orders.up_to_logs(decide(now, said, logs=False).holds)
        yield blocks.Note(f"Logarithms are compared. {without}")
    if decision.sum_factor > 1:
        yield blocks.Note(
            f"Sums are read as maxima and balances by their order; both together may add a "
            f"factor of at most {words.number(decision.sum_factor)}."
        )


def _needs(now: Inquiry, said: Said, place: int) -> None:
    """Show which conditions carry a claim."""
    box = fold("What does it need?", f"rate_needs_{place}", expanded=len(now.claims) <= _OPEN)
    if box is None:
        return
    with box:
        try:
            carried = needs(now, said)
        except DomainError as problem:
            st.caption(words.plain(problem))
            return
        st.markdown(f"It {carried.said(show=_code)}.")
        fails = carried.counterexamples
        columns = {
            "Condition": [_code(text) for text in carried.where],
            "Can it go alone?": ["no" if text in fails else "yes" for text in carried.where],
            "Without it the claim fails at": [
                _place(fails[text] or {}) if text in fails else "" for text in carried.where
            ],
        }
        figure_card.wrapped(columns)


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _for_all(now: Inquiry, said: Said, place: int) -> None:
    """Offer to prove a claim for all exponents, and say what came of it."""
    if not toggle(f"rate_for_all_{place}", f"Try to prove claim {place + 1} for all exponents"):
        return
    with st.spinner("Looking for weights whose signs can be shown"):
        shown = for_all(replace(now, at=()), said)
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
    return words.md(", ".join(f"{x} = {orders.size_text(value)}" for x, value in at.items()))


def _refuted(now: Inquiry, said: Said, decision: orders.Decision) -> str:
    if decision.constant == float("inf"):
        text = "Does **not** hold, whatever the constant: the two sides drift apart without bound."
    else:
        much = words.number(decision.constant)
        text = f"Does **not** hold exactly; up to a constant of **{much}** it does, so the two "
        text += "are equal up to constants."
    if decision.ray is not None:
        text += f" {words.md(orders.drift(decision.ray))}"
    elif at := decision.counterexample:
        claim, exponents = claim_of(now, said), now.split()[1]
        sizes = {x: float(v) for x, v in at.items()}
        rate, other = (
            words.number(float(side.at(exponents).value(sizes)))
            for side in (claim.order, claim.other)
        )
        by = f", where {words.md(decision.choice)}," if decision.choice else ""
        text += f" An example: at {_place(at)}{by} the rate is {rate}, the claim says {other}."
    return text
