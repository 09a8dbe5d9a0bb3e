"""A class's share of yes with its error, beside what the formulas of both ways say."""

from __future__ import annotations

import streamlit as st

from pages import charts
from pages.charts import EQUATION, MECHANISM, words
from pages.classroom import said
from pages.core import stage
from rates.tally import coin_error, coin_estimate, laplace_error
from sims.classroom import CARDS, Seen, Voted

WIDE = 2.0  # standard errors to each side
_LOOKS = {"Coins": (EQUATION, "circle"), "Noise on the count": (MECHANISM, "diamond")}


def draw(seen: Seen, found: Voted, *, shown: bool) -> None:
    """Draw what a room of yes and no knows when its vote has closed."""
    if not found.total:
        st.info("Nobody has answered this question.")
        return
    rows = estimates(seen, found)
    for name, share, error in rows:
        st.markdown(
            f"**{name}: {words.percent(share)}** yes, typical error {words.percent(error)} "
            f"(one standard deviation, from {found.total} answers)."
        )
    dealt = None
    if seen.kind == CARDS and shown:
        assert found.dealt is not None
        dealt = found.dealt / found.total
        st.markdown(f"**On the cards: {words.percent(dealt)}** yes.")
    stage.picture(picture(tuple(rows), dealt), 130.0)
    if shown or seen.kind != CARDS:
        st.caption(said.compared(seen, found.total))


def estimates(seen: Seen, found: Voted) -> list[tuple[str, float, float]]:
    """Return name, estimated share and its standard deviation of each way that the room used."""
    assert seen.epsilon is not None
    n, rows = found.total, []
    if found.noisy is not None and n:
        share = coin_estimate(found.noisy / n, seen.epsilon)
        rows.append(("Coins", share, coin_error(n, seen.epsilon)))
    if found.released is not None and n:
        rows.append(("Noise on the count", found.released / n, laplace_error(n, seen.epsilon)))
    return rows


def picture(rows: tuple[tuple[str, float, float], ...], dealt: float | None) -> charts.Figure:
    """Return estimates with their intervals on one axis, and the truth where it is known."""
    low = min(0.0, *(share - WIDE * error for _, share, error in rows))
    high = max(1.0, *(share + WIDE * error for _, share, error in rows))
    marks: list[charts.Mark] = [
        charts.dots(
            [share],
            [name],
            name=name,
            symbol=_LOOKS[name][1],
            size=12,
            colour=_LOOKS[name][0],
            spread=charts.Spread(up=[WIDE * error], colour=_LOOKS[name][0], across=True),
        )
        for name, share, error in rows
    ]
    return charts.Figure(
        figure=charts.Chart(
            marks=marks,
            rules=[] if dealt is None else [charts.upright(dealt)],
            title="",
            height=150,
            x=charts.Axis(
                share=True,
                span=(low, high),
                title="Share of yes, with two standard errors to each side",
            ),
            y=charts.Axis(kind="category", names=[name for name, _, _ in rows]),
        ),
        alt="Estimated share of yes: "
        + "; ".join(f"{n} {words.percent(s)}, error {words.percent(e)}" for n, s, e in rows),
        rows=charts.rows_of(
            {
                "way": [name for name, _, _ in rows],
                "share": [share for _, share, _ in rows],
                "error": [error for _, _, error in rows],
            }
        ),
        name="class",
    )
