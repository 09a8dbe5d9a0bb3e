"""Tab "Weights": five ways to put unequal servers together, each with its exact risk."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from pages.charts import words
from pages.core import Between, Block, Menu, Note, Table
from pages.core.live import Folded, repetition
from pages.regression import world
from sims.engine import Progress
from sims.regression import WEIGHTS, shares, weights_setup

PRESETS = {
    "hospitals": "20 unequal hospitals",
    "budgets": "20 unequal budgets",
    "two camps": "ε = 10 and 0.1, five each",
    "star": "One large beside 50 small",
    "extremes": "Two: ε = 10 and 0.01",
    "nearly local": "5,000 of 20 records",
}
NAMES = {
    "printed": "(13) as printed",
    "calibrated": "(13) with the noise constant",
    "inverse variance": "inverse variance",
    "equal": "equal",
    "sample size": "by sample size",
}
_FACTORS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 30.0, 100.0)
_SAME = 1e-6  # shares that differ by less are the same weights
_shares = functools.lru_cache(maxsize=32)(shares)


def _at_own(
    progress: Progress,
) -> tuple[str, Mapping[str, tuple[float, float]], Mapping[str, tuple[float, ...]]]:
    """Return a factor, 1 if it is among those run, and at it by weighting: risk and K; shares."""
    points = progress.request.points
    factors = {point.x for point in points}
    factor = 1.0 if 1.0 in factors else min(factors)
    exact = {
        p.series: (p.exact or float("nan"), p.settings.number("K")) for p in points if p.x == factor
    }
    given = _shares(world.complete(progress.request.values), factor=factor)
    return words.number(factor), exact, given


def _coincide(given: Mapping[str, tuple[float, ...]]) -> bool:
    pairs = zip(given["printed"], given["sample size"], strict=True)
    return all(abs(a - b) <= _SAME for a, b in pairs)


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    factor, exact, given = _at_own(progress)
    best = exact["inverse variance"][0]
    ratio = {name: f"**{words.number(risk / best)}**" for name, (risk, _) in exact.items()}
    same = (
        "They **are** the weights by sample size here: n ε² exceeds 2^L at every server, and (13) "
        "does not know the noise constant."
        if _coincide(given)
        else "They differ from the weights by sample size here: at some server n ε² is below 2^L."
    )
    of = "" if factor == "1" else f" (budgets times {factor})"
    return (
        f"Against weights by inverse variance{of}, the printed weights (13) have {ratio['printed']}"
        f" times the exact risk, those by sample size {ratio['sample size']}, equal ones "
        f"{ratio['equal']}, and (13) with the noise constant {ratio['calibrated']}. {same}"
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of weights."""
    yield world.drawn(
        progress.request.points,
        progress.estimates,
        title="Squared error under five weightings",
        curve="rate",
        name="weights",
    )
    factor, exact, given = _at_own(progress)
    best = exact["inverse variance"][0]
    yield Table(
        {
            "Weights": [NAMES[name] for name in exact],
            "Exact risk": [words.number(risk) for risk, _ in exact.values()],
            "Times inverse variance": [words.number(risk / best) for risk, _ in exact.values()],
            "K": [words.number(K) for _, K in exact.values()],
            "Largest row's share": [words.percent(max(given[name])) for name in exact],
            "Smallest row's share": [words.percent(min(given[name])) for name in exact],
        },
        "Exact risk, dimension and shares of weight under five weightings",
    )
    yield Note(
        f"At budgets times {factor}; each weighting at its own K. A row's share is "
        "that of all its servers. Weights use public n, ε and δ; inverse variance also uses the "
        "variance of one record, for which 1 + C² is a public bound."
    )


TAB = world.tab(
    WEIGHTS,
    weights_setup,
    name="weights",
    title="Weights",
    fields=(
        Menu("servers", "Servers", PRESETS),
        Between("factor", "All budgets times", _FACTORS),
        world.ask_curve,
        *repetition(most=200),
        Folded("Noise, level, threshold", (world.NOISE, world.LEVEL, world.CLIP, world.DELTA)),
    ),
    answer=answer,
    drawn=drawn,
    formula=r"\text{printed: } u_j \propto n_j^2\varepsilon_j^2 \wedge n_j 2^L, \qquad"
    r"\text{calibrated: } u_j \propto \frac{n_j^2\varepsilon_j^2}{bK} \wedge \frac{n_j}{v}",
    why=(
        "A server's best weight is the inverse of its variance, sampling v K/n plus privacy "
        "b K²/(n ε)². (13) takes b = v = 1. With b in the hundreds its minimum is nearly always "
        "the second term, n 2^L, so it weighs by size and lets a server with a tiny budget in "
        "with its whole noise."
    ),
    limits=(
        "- Up to constants (13) is optimal, as the ledger shows; here the constants are in.\n"
        "- The inverse variance is the best choice for linear combinations alone."
    ),
    statements={
        "CCV:Eq13:weights": "The weights (13)",
        "CCV:Eq13:risk": "The variance that they give",
    },
)
