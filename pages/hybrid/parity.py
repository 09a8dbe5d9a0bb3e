"""Tab "PARITY": the bounds on the records that show every bit, against what happens."""

from __future__ import annotations

from collections.abc import Iterable

from pages.charts import words
from pages.core import Block, Listing, blocks
from pages.core.live import Folded, of_experiment, repetition
from pages.hybrid import common, figures
from rates.hybrid import parity
from sims.engine import Progress, Request
from sims.hybrid import PARITY

EPSILON = 0.5


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    values = progress.request.values
    bits, rare = values.whole("bits"), values.number("rare")
    exact = parity.records_needed(bits, common.FAILURE)
    needed = parity.records_needed(bits, common.FAILURE, rare)
    x = parity.mean_square_of(rare)
    asked = parity.source_records(bits, common.FAILURE, x)
    printed = parity.uniform_records(bits, common.FAILURE)
    parts = [
        f"From the population itself **{exact}** records show all {bits} bits with probability "
        f"99 %; Proposition B.1 asks **{words.number(printed)}**."
    ]
    if rare < 0.5:
        parts.append(
            f"From volunteers with X = **{words.number(x)}** it takes **{words.number(needed)}**, "
            f"and Claim B.2 asks **{words.number(asked)}**."
        )
    return " ".join([*parts, *common.agreement(progress)])


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    yield figures.sweep(
        progress,
        "parity",
        "Chance that records do not show all bits",
        "Records n",
        "Share that does not show all bits",
        caption="Lines are exact, by counting; bars are 95 % Monte-Carlo intervals.",
    )


def after(request: Request) -> Iterable[Block]:
    """What is exact beside what is promised."""
    bits, rare = request.values.whole("bits"), request.values.number("rare")
    x, failure = parity.mean_square_of(rare), common.FAILURE
    yield blocks.numbers(
        "Records for β = 0.01",
        "Number",
        {
            "population, exact": parity.records_needed(bits, failure),
            "population, d + log2(1/β)": parity.enough_records(bits, failure),
            "population, Proposition B.1": parity.uniform_records(bits, failure),
            "volunteers, exact": parity.records_needed(bits, failure, rare),
            "volunteers, Claim B.2": parity.source_records(bits, failure, x),
            "volunteers, each private batch of Corollary B.3 at ε = 1/2": parity.batch_records(
                bits, failure, x, EPSILON
            ),
        },
        alt="Records that show all bits, exact and as bounded",
    )


TAB = common.tab(
    name="parity",
    title="PARITY",
    usual=of_experiment(PARITY),
    fields=(
        *common.SOURCE,
        *repetition(most=1000),
        Folded("Exact list", (Listing("extra", "Records beyond d"),)),
    ),
    experiment=PARITY,
    auto=True,
    answer=answer,
    drawn=drawn,
    after=after,
    formula=r"\Pr[\operatorname{rank} < d] = 1-\{1-(1-q)^n\}\prod_{i=1}^{d-1}(1-2^{i-n})",
    why=(
        "The label is the parity of some of the d bits. As soon as the records span all d "
        "dimensions over the field of two elements, one subset of the bits alone fits the "
        "labels, and one round is enough: no reweighting is needed. How many records that "
        "takes is a question of counting."
    ),
    limits=(
        "- PARITY is the example where local users alone need exponentially many answers, so that "
        "the gain of the hybrid model is proved. It is not a model of a study.\n"
        "- The source differs in one bit. Another source of the same X may need fewer or more "
        "records, up to the bound.\n"
        "- The private learner keeps a share ε/4 of each batch and is right in about half of them; "
        "its batches are as large as the last row says, and ε is at most 1/2."
    ),
    statements={
        "KS:PropB.1:rank": "More than d vectors are never independent",
        "KS:PropB.1:enough": "d + log2(1/β) records are enough",
        "KS:ClaimB.2:rank": "Records from another source",
    },
)
