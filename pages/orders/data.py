"""One's own measurements: pasted, drawn over the rate, and their slope beside the rate's."""

from __future__ import annotations

import math

import streamlit as st

from pages.charts import words
from pages.core import button
from pages.orders import asked
from rates.numbers import DomainError, Words
from rates.orders import Inquiry, Order, inquiry
from rates.rows import cells, number_from_text
from sims.engine import Estimate, Fit, Point, fit

Rows = tuple[tuple[float, float, float], ...]
_EXAMPLE = "1000; 0.31; 0.02\n3000; 0.24; 0.015\n10000; 0.17; 0.01"
_KEY = "rate_pasted"


def read(text: str) -> Rows:
    r"""Read rows of x, mean and, if known, the standard error of the mean.

    >>> read("x;mean;error\n100;0,5;0,1\n1000;0,2")
    ((100.0, 0.5, 0.1), (1000.0, 0.2, 0.0))
    """
    table, _ = cells(text, "A file of measurements")
    if table and not any(character.isdigit() for character in "".join(table[0][:1])):
        table = table[1:]  # titles
    if not table:
        raise DomainError("Paste at least one row of numbers.", "points", Words("nothing"))
    rows: list[list[object]] = []
    for number, row in enumerate(table, start=1):
        given = [cell for cell in row if cell.strip()]
        if len(given) not in (2, 3):
            rule = "A row holds x, mean and, if known, its standard error."
            raise DomainError(rule, "points", Words(f"{len(given)} cells"), f"Row {number}")
        names = ("x", "mean", "error")
        rows.append(
            [number_from_text(c, f, f"Row {number}") for c, f in zip(given, names, strict=False)]
        )
    return inquiry.points(rows)


def fitted(points: Rows, theory: list[float] | None = None) -> Fit | None:
    """Return the slope of the measurements and that of a rate at the same places."""
    if len(points) < 2:
        return None
    told = theory or [None] * len(points)  # type: ignore[list-item]
    return fit(
        [
            Point(series="measured", x=x, theory=t)
            for (x, _, _), t in zip(points, told, strict=True)
        ],
        # More than one replicate: how many stood behind an error is the author's matter.
        [Estimate(mean, error, 2) for _, mean, error in points],
    )


def line(points: Rows) -> tuple[float, float] | None:
    """Return level and slope of the line through measurements, in logs."""
    found = fitted(points, [x for x, _, _ in points])
    if found is None or found.slope is None or found.constant is None:
        return None
    own = fitted(points, [x**found.slope.value for x, _, _ in points])
    assert own is not None
    assert own.constant is not None
    return math.log(own.constant.value), found.slope.value


def box(now: Inquiry) -> None:
    """Offer to paste measurements, or to forget them."""
    with st.popover("Your measurements", icon=":material/content_paste:"):
        st.markdown(
            "One row each: the place on the horizontal axis, the mean, and its standard error if "
            "you know it. They are drawn over the rate along that axis."
        )
        st.text_area("Rows to paste", key=_KEY, height=160, placeholder=_EXAMPLE)
        button("Use these rows", "rate_use_rows", _use)
        if now.points:
            button("Forget the rows", "rate_forget_rows", lambda: asked.RATE.change(points=()))
        if problem := st.session_state.get(f"{_KEY}_problem"):
            st.error(f"{words.plain(problem)} Nothing was changed.")


def _use() -> None:
    st.session_state[f"{_KEY}_problem"] = ""
    try:
        asked.RATE.change(points=read(st.session_state.get(_KEY, "")))
    except DomainError as problem:
        st.session_state[f"{_KEY}_problem"] = str(problem)


def told(now: Inquiry, order: Order, x: str) -> None:
    """Say how the slope of the measurements compares with that of the rate."""
    sizes, exponents = now.split()
    places = [place for place, _, _ in now.points]
    rate = order.value({**sizes, x: places}, exponents).tolist()
    found = fitted(now.points, rate)
    if found is None or found.slope is None:
        st.caption("A slope needs two rows at different places whose means are known to half.")
        return
    slope = found.slope
    missed = f" {len(found.left_out)} rows are left out: their error exceeds half the mean." * bool(
        found.left_out
    )
    known = any(error for _, _, error in now.points)
    how = "" if known else " Without errors the interval rests on the scatter alone."
    st.markdown(
        f"**Your {found.used} measurements** have slope **{words.signed(slope.value)}** "
        f"(95 %: {words.span(words.signed(slope.low), words.signed(slope.high))}); the rate has "
        f"**{words.signed(found.theory)}** over the same places with the same weights: "
        f"{_VERDICTS[found.verdict()]}.{missed}{how}"
    )


_VERDICTS = {
    "agrees": "the interval holds it",
    "differs": "the interval does not hold it",
    "cannot distinguish": "the interval holds it",
    "too few points": "three rows are needed to compare",
}
