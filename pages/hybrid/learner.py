"""Tab "Private PARITY": volunteers for the private learner, users who test its answers."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from pages.charts import words
from pages.core import Block, Listing, Slider, Table
from pages.core.live import Folded, kept, of_experiment, repetition
from pages.hybrid import common, figures
from rates.hybrid import parity, parity_learner
from rates.numbers import decades
from sims.engine import Progress, Request, Values
from sims.hybrid import PRIVATE_PARITY, design

_needed = functools.lru_cache(maxsize=64)(parity_learner.batch_needed)


def _asked(values: Values) -> tuple[int | None, float, int]:
    """Batch that is enough, batch of Corollary B.3, and its number of batches."""
    whole = design(values)
    bits, rare, budget = int(whole["bits"]), whole["rare"], whole["epsilon"]
    printed = parity.batch_records(bits, common.FAILURE, parity.mean_square_of(rare), budget)
    exact = _needed(bits, common.FAILURE, rare, budget, int(whole["batches"]))
    return exact, printed, parity.batches(common.FAILURE)


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    values = progress.request.values
    whole, (exact, printed, count) = design(values), _asked(progress.request.values)
    batches = int(whole["batches"])
    told = (
        f"With {batches} batches of **{words.number(exact)}** volunteers, "
        f"{words.number(batches * exact)} in all, the right bits are among the private answers "
        "with probability 99 %"
        if exact is not None
        else f"{batches} batches cannot name the right bits with probability 99 %, however many "
        "volunteers each has: the learner gives up half of the time"
    )
    last = progress.request.points[-1]
    users = int(whole["users_per_test"])
    parts = [
        f"{told}. Corollary B.3 asks {count} batches of **{words.number(printed)}**.",
        f"With {words.number(users)} users for each test, {words.number(batches * users)} in all, "
        f"batches of {words.number(last.x)} end with the right bits in "
        f"**{words.percent(last.exact or 0.0)}** of runs.",
    ]
    return " ".join([*parts, *common.agreement(progress)])


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    yield figures.sweep(
        progress,
        "learner",
        "Chance to find the bits",
        "Volunteers in each batch",
        "Share of runs that find the bits",
        caption="Lines are exact, by counting and one integral; bars are 95 % Monte-Carlo "
        "intervals.",
    )


def after(request: Request) -> Iterable[Block]:
    """What is exact beside what is promised."""
    values = request.values
    whole, (exact, printed, count) = design(values), _asked(values)
    batches, users = int(whole["batches"]), int(whole["users_per_test"])
    yield Table(
        {
            "For β = 0.01": ["this run, exact", "Corollary B.3"],
            "Batches": [words.number(batches), words.number(count)],
            "Volunteers in each": [
                "none is enough" if exact is None else words.number(exact),
                words.number(printed),
            ],
            "Volunteers in all": [
                "none is enough" if exact is None else words.number(batches * exact),
                words.number(count * printed),
            ],
            "Users in all": [words.number(batches * users), "order 1/(ε α)² for each test"],
        },
        alt="Volunteers and users, exact and as bounded",
    )


TAB = common.tab(
    name="learner",
    title="Private PARITY",
    usual=of_experiment(PRIVATE_PARITY),
    fields=(
        *common.SOURCE,
        Slider("batches", "Batches of volunteers B", [1, 2, 5, 10, 19, 30, 50]),
        Slider("epsilon", "Budget ε of every person", [0.05, 0.1, 0.2, 0.3, 0.4, 0.5]),
        Slider("users_per_test", "Users for each test", decades(0, 6, whole=True)),
        *repetition(most=500),
        Folded(
            "δ of the users, exact list of batch sizes",
            (
                Slider("delta", "δ of the users", [1e-8, 1e-7, 1e-6, 1e-5, 1e-4]),
                Listing("records", "Records in a batch"),
            ),
        ),
    ),
    experiment=kept(PRIVATE_PARITY),
    answer=answer,
    drawn=drawn,
    after=after,
    formula=r"p = \tfrac12\,\mathbb E\,2^{\operatorname{rank}-d}, \qquad k \sim "
    r"\mathrm{Bin}(n, \varepsilon/4) \text{ records kept}",
    why=(
        "The learner gives up half of the time. Otherwise it keeps every record with "
        "probability ε/4 and picks one of the subsets of bits that fit what it kept; one of "
        "them is the truth. A new batch of volunteers is another try, and users of the "
        "population, who err for half of a wrong subset and for none of the right one, say "
        "which answer to keep. Keeping ε/4 of the records is why privacy costs a factor 4/ε "
        "in volunteers here, whatever their number."
    ),
    limits=(
        "- PARITY is the example that proves a gain of the hybrid model: local users alone would "
        "need exponentially many answers. It is not a model of a study.\n"
        "- The learner gives up half of the time, so that no number of volunteers in one batch "
        "finds the bits with a chance above 1/2; batches do.\n"
        "- Counts of volunteers and users are known to all; the guarantees are for each person's "
        "record, in one batch or one test.\n"
        "- This is a simulation, not a tool to release data."
    ),
    statements={
        "KS:CorB.3:rank": "Batches so large show all bits",
        "KS:CorB.3:batches": "How many batches",
    },
)
