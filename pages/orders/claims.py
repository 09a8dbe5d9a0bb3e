"""What is claimed of the rate, each claim with its verdict."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import streamlit as st

from pages.charts import words
from pages.core import button, offer, toggle
from pages.orders import asked, found
from rates import orders
from rates.numbers import DomainError
from rates.orders import Inquiry, Said


def claimed(now: Inquiry, said: Said) -> orders.Claim:
    """Read a claim.

    Raises:
        DomainError: The claim or the rate cannot be read.
    """
    read = found.read(now)
    if read.order is None:
        problem = read.problem or DomainError("The rate cannot be read.", "text", now.text)
        raise problem.kept()  # the one that was read is shared
    return orders.Claim(read.order, said.equals, said.where)


@functools.lru_cache(maxsize=256)
def decided(now: Inquiry, said: Said) -> orders.Decision:
    """Decide a claim at the exponents of a question.

    Raises:
        DomainError: The claim cannot be read, or nothing satisfies its conditions.
    """
    return orders.decide(claimed(now, said), now.split()[1])


def show(now: Inquiry) -> None:
    """Show all claims, and ask for another one."""
    st.header("Claims", anchor=False)
    st.caption(
        "A claim says what the rate is where conditions hold. It is decided for all sizes at once, "
        "at the exponents above: by linear programs in the logs, with a certificate in exact "
        "arithmetic or with sizes at which both sides differ."
    )
    for place, said in enumerate(now.claims):
        _one(now, said, place)
    _ask()


def counts(now: Inquiry) -> tuple[int, int]:
    """Return how many claims hold and how many are decided."""
    verdicts = []
    for said in now.claims:
        try:
            verdicts.append(decided(now, said).holds)
        except DomainError:
            continue
    return sum(verdicts), len(verdicts)


def _one(now: Inquiry, said: Said, place: int) -> None:
    with st.container(border=True):
        where = ", ".join(f"`{condition}`" for condition in said.where) or "everywhere"
        name = f"**{words.md(said.name)}**: " if said.name else ""
        with st.container(horizontal=True):
            st.markdown(f"{name}the rate is `{_code(said.equals)}` where {where}.")
            button(
                "Drop",
                f"rate_drop_{place}",
                asked.without_claim,
                place,
                type="tertiary",
                help=f"Drop claim {place + 1}",
            )
        try:
            verdict = decided(now, said)
        except DomainError as problem:
            st.error(words.plain(problem))
            return
        if verdict.holds:
            st.markdown(
                ":material/check: **Holds for all sizes** at these exponents, up to constants."
            )
            _certificate(verdict)
            if now.exponents:
                _for_all(now, said, place)
        else:
            _refuted(now, said, verdict)
        if verdict.sum_factor > 1:
            st.caption(
                f"Sums are read as maxima and balances by their order; both together may add a "
                f"factor of at most {words.number(verdict.sum_factor)}."
            )


@functools.lru_cache(maxsize=64)
def for_all(now: Inquiry, said: Said) -> orders.Shown:
    """Try to prove a claim for all exponents in their ranges."""
    return orders.decide_symbolic(claimed(now, said))


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
        at = ", ".join(f"{x} = {value}" for x, value in shown.fails.items())
        st.markdown(f"It does **not** hold for all exponents: not at {words.md(at)}.")
    else:
        st.markdown(f"Not shown for all exponents, which leaves it open. {words.md(shown.why)}")


def _code(text: str) -> str:
    return text.replace("`", "'")


def _refuted(now: Inquiry, said: Said, verdict: orders.Decision) -> None:
    if verdict.constant == float("inf"):
        text = "Does **not** hold, whatever the constant: the two sides drift apart without bound."
    else:
        much = words.number(verdict.constant)
        text = f"Does **not** hold exactly; up to a constant of **{much}** it does."
    if found_at := verdict.counterexample:
        at = ", ".join(f"{x} = {value}" for x, value in found_at.items())
        text += f" An example: at {words.md(at)} {_both(now, said, found_at)}."
    st.markdown(f":material/close: {text}")


def _both(now: Inquiry, said: Said, at: Mapping[str, Fraction]) -> str:
    """What both sides are at a counterexample."""
    claim, exponents = claimed(now, said), now.split()[1]
    sizes = {x: float(v) for x, v in at.items()}
    left, right = (float(order.at(exponents).value(sizes)) for order in (claim.order, claim.other))
    return f"the rate is {words.number(left)}, the claim says {words.number(right)}"


def _certificate(verdict: orders.Decision) -> None:
    """The proof: weights of lines that anybody can add up."""
    with st.expander("The certificate"):
        st.markdown(
            "Suppose one side were above the other. In every case below the weighted lines, "
            "multiplied, leave no letter and no number above 1, which contradicts it. The weights "
            "are exact; `rates.proofs.check` verifies them without the solver."
        )
        text = json.dumps(verdict.certificate, indent=1)
        st.code(text if len(text) < _LONG else f"{text[:_LONG]}\n...", language=None)
        offer("Certificate as JSON", text, "certificate.json", f"cert_{hash(text)}")


_LONG = 4_000


def _ask() -> None:
    with st.popover("Add a claim", icon=":material/add:"):
        st.text_input(
            "The rate is",
            key="rate_claim_equals",
            max_chars=asked.MOST_TEXT,
            placeholder="(m*n)^(-1/(2*beta*gamma+d))",
        )
        st.text_input(
            "where",
            key="rate_claim_where",
            max_chars=2 * asked.MOST_TEXT,
            placeholder="n <= n0, n0 <= m*n, eps <= 1",
        )
        button("Decide it", "rate_claim_add", _add)


def _add() -> None:
    memory = st.session_state
    equals = str(memory.get("rate_claim_equals", "")).strip()
    where = str(memory.get("rate_claim_where", ""))
    if equals:
        asked.with_claim(equals, asked.conditions(where))
