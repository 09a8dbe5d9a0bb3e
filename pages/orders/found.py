"""What is found about the rate that is asked about: read, decided, fitted; and said in blocks."""

from __future__ import annotations

import functools
import json
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

import streamlit as st

from pages.charts import planes, words
from pages.core import blocks, figure_card, fold, formula, offer
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


def looks(order: Order, labels: Collection[str] = ()) -> dict[str, planes.Look]:
    """Return how each term of a rate is shown: by its label, with its powers.

    Of a rate whose products are too many terms, those of its factors; and with labels given, the
    products that have these.
    """
    names = {}
    for label, text in texts.term_texts(order).items():
        # A number says less than a short term does.
        short = label if not label.isdigit() else text if len(text) < 9 else f"term {label}"
        long = text if short == text else f"{short}: {text}"
        legend = long if len(long) <= _LEGEND else short  # a table below has all of it
        names[label] = (words.label(legend, _LEGEND), words.label(short))
    if order.factored and labels:
        shorts = {label: "*".join(names[x][1] for x in label.split("*")) for label in labels}
        names = {label: (short, short) for label, short in shorts.items()}
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


def shorts(order: Order, labels: Collection[str] = ()) -> dict[str, str]:
    """Return the short name of each term of a rate, by its label, as `looks`."""
    return {label: look.short for label, look in looks(order, labels).items()}


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
def _for_all(now: Inquiry, said: Said) -> str:
    return orders.for_all(orders.decide_symbolic(claim_of(now, said)))


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
    icon = {True: "check", False: "close", None: "help"}[decision.holds]
    sentence = f"**{words.md(orders.verdict(decision))}**{_example(now, said, decision)}"
    yield blocks.Text(f":material/{icon}: {sentence}")
    if decision.holds:
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
            yield blocks.Note(words.md(_for_all(replace(now, at=()), said)))
    if decision.logs:
        yield blocks.Note(orders.up_to_logs(decide(now, said, logs=False).holds))
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
                words.md(orders.at_text(fails[text] or {})) if text in fails else ""
                for text in carried.where
            ],
        }
        figure_card.wrapped(columns)


def _code(text: str) -> str:
    return f"`{text.replace('`', chr(39))}`"


def _example(now: Inquiry, said: Said, decision: orders.Decision) -> str:
    """Where both sides differ, empty where no such sizes are known."""
    if decision.ray is not None:
        return f" {words.md(orders.drift(decision.ray))}"
    if not (at := decision.counterexample):
        return ""
    claim, exponents = claim_of(now, said), now.split()[1]
    sizes = {x: float(v) for x, v in at.items()}
    rate, other = (
        words.number(float(side.at(exponents).value(sizes))) for side in (claim.order, claim.other)
    )
    by = f", where {words.md(decision.choice)}," if decision.choice else ""
    place = words.md(orders.at_text(at))
    return f" An example: at {place}{by} the rate is {rate}, the claim says {other}."
