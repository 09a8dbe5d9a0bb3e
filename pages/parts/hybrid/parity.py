"""Tab "PARITY": the bounds on the records that show every bit, against what happens."""

from __future__ import annotations

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import figure_card, folds, tables
from pages.parts.hybrid import figures
from pages.parts.live import Tabs, of_experiment
from pages.parts.live import panel as live
from rates.hybrid import parity as hybrid_parity
from sims.engine import Progress, Values
from sims.hybrid import PARITY, agrees

TAB = "parity"
USUAL = of_experiment(PARITY)
FAILURE, EPSILON = 0.01, 0.5
STATEMENTS = {
    "KS:PropB.1:rank": "More than d vectors are never independent",
    "KS:PropB.1:enough": "d + log2(1/β) records are enough",
    "KS:ClaimB.2:rank": "Records from another source",
}
LIMITS = (
    "- PARITY is the example where local users alone need exponentially many answers, so that the "
    "gain of the hybrid model is proved. It is not a model of a study.\n"
    "- The source differs in one bit. Another source of the same X may need fewer or more "
    "records, up to the bound.\n"
    "- The private learner keeps a share ε/4 of each batch and is right in about half of them; "
    "its batches are as large as the last row says, and ε is at most 1/2."
)


def above(tabs: Tabs) -> None:
    """Nothing needs the whole width."""


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        tabs.number(TAB, "bits", "Bits d", [4, 8, 16, 24, 32, 48, 64, 96, 128])
        tabs.number(
            TAB,
            "rare",
            "Frequency of the first bit among volunteers q",
            [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5],
        )
        tabs.repetition(TAB, most=1000)
        with st.expander("Exact list"):
            tabs.listing(TAB, "extra", "Records beyond d")
        tabs.refusal()
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, PARITY, place)
        if request is None:
            return
        job = live.Job(
            key="hybrid_parity", request=request, answer=answer, draw=draw, auto=asked == USUAL
        )
        live.panel(job, place)
        _table(asked.values)


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    values = progress.request.values
    bits, rare = int(values["bits"]), float(values["rare"])
    exact = hybrid_parity.records_needed(bits, FAILURE)
    needed = hybrid_parity.records_needed(bits, FAILURE, rare)
    x = hybrid_parity.mean_square_of(rare)
    asked = hybrid_parity.source_records(bits, FAILURE, x)
    printed = hybrid_parity.uniform_records(bits, FAILURE)
    parts = [
        f"From the population itself **{exact}** records show all {bits} bits with probability "
        f"99 %; Proposition B.1 asks **{words.number(printed)}**."
    ]
    if rare < 0.5:
        parts.append(
            f"From volunteers with X = **{words.number(x)}** it takes **{words.number(needed)}**, "
            f"and Claim B.2 asks **{words.number(asked)}**."
        )
    seen = [
        (p, e)
        for p, e in zip(progress.request.points, progress.estimates, strict=True)
        if e.replicates >= 2
    ]
    if seen:
        inside = sum(agrees(p, e) for p, e in seen)
        parts.append(
            f"**{inside} of {len(seen)}** simulated shares lie within three standard errors of "
            "the exact one."
        )
    return " ".join(parts)


def draw(progress: Progress) -> None:
    """Draw the figure."""
    points, estimates = progress.request.points, progress.estimates
    title = "Records n"
    drawn = chart.Drawn(
        figure=figures.sweep_figure(
            points,
            estimates,
            x_title=title,
            y_title="Share that does not show all bits",
            title="Chance that records do not show all bits",
            setting="records",
        ),
        alt=figures.sweep_alt(points, estimates, title, "records"),
        rows=simulation.rows(points, estimates),
        name="parity",
        caption="Lines are exact, by counting; bars are 95 % Monte-Carlo intervals.",
    )
    figure_card.show(drawn, key="figure_hybrid_parity")


def _table(values: Values) -> None:
    bits, rare = int(values["bits"]), float(values["rare"])
    x = hybrid_parity.mean_square_of(rare)
    tables.wide(
        {
            "Records for β = 0.01": [
                "population, exact",
                "population, d + log2(1/β)",
                "population, Proposition B.1",
                "volunteers, exact",
                "volunteers, Claim B.2",
                "volunteers, each private batch of Corollary B.3 at ε = 1/2",
            ],
            "Number": [
                words.number(n)
                for n in (
                    hybrid_parity.records_needed(bits, FAILURE),
                    hybrid_parity.enough_records(bits, FAILURE),
                    hybrid_parity.uniform_records(bits, FAILURE),
                    hybrid_parity.records_needed(bits, FAILURE, rare),
                    hybrid_parity.source_records(bits, FAILURE, x),
                    hybrid_parity.batch_records(bits, FAILURE, x, EPSILON),
                )
            ],
        },
        alt="Records that show all bits, exact and as bounded",
    )


def below(tabs: Tabs) -> None:
    """What stands below the tab."""
    folds.show(_why, LIMITS, STATEMENTS, privacy=PARITY.privacy)


def _why() -> None:
    st.latex(r"\Pr[\operatorname{rank} < d] = 1-\{1-(1-q)^n\}\prod_{i=1}^{d-1}(1-2^{i-n})")
    st.markdown(
        "The label is the parity of some of the d bits. As soon as the records span all d "
        "dimensions over the field of two elements, one subset of the bits alone fits the "
        "labels, and one round is enough: no reweighting is needed. How many records that "
        "takes is a question of counting."
    )
