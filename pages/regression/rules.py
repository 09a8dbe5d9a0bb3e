"""Tabs "Weights" and "My study": rules that choose, each with its exact risk."""

from __future__ import annotations

import functools
import math

from pages.charts import number, words
from pages.core import Between, Menu
from pages.core.live import Folded, kept, repetition
from pages.current import simulated
from pages.regression import world
from rates.study import FederatedStudy
from sims import ccv as sim
from sims.engine import Progress

# Weights --------------------------------------------------------------------------------------

SERVERS = {
    "hospitals": "20 unequal hospitals",
    "budgets": "20 unequal budgets",
    "two camps": "ε = 10 and 0.1, five each",
    "star": "One large beside 50 small",
    "extremes": "Two: ε = 10 and 0.01",
    "nearly local": "5,000 of 20 records",
}
_FACTORS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 30.0, 100.0)
_SAME = 1e-6  # shares that differ by less are the same weights
_shares = functools.lru_cache(maxsize=32)(sim.shares)


def weights_answer(progress: Progress) -> str:
    """Return the finding as sentences, at budgets as they are, if these are among those run."""
    points = progress.request.points
    # The budgets as they are, if a run has them; else the lowest factor.
    factor = min((point.x for point in points), key=lambda x: (x != 1.0, x))
    risks = {point.series: point.exact or math.nan for point in points if point.x == factor}
    best = risks["inverse variance"]
    times = {name: f"**{number(risk / best)}**" for name, risk in risks.items()}
    shares = _shares(progress.request.values, factor=factor)
    pairs = zip(shares["printed"], shares["sample size"], strict=True)
    alike = all(abs(a - b) <= _SAME for a, b in pairs)
    same = "(13) **is** weighting by size here: n ε² exceeds 2ᴸ at every server." if alike else ""
    of = "" if factor == 1 else f" (budgets times {number(factor)})"
    return (
        f"Against weights by inverse variance{of}, the printed weights (13) have {times['printed']}"
        f" times the exact risk, those by sample size {times['sample size']}, equal ones "
        f"{times['equal']}, and (13) with the noise constant {times['calibrated']}. {same}"
    )


WEIGHTS_TAB = world.tab(
    sim.WEIGHTS,
    sim.weights_setup,
    id="weights",
    title="Weights",
    inputs=(
        Menu("servers", "Servers", SERVERS),
        Between("factor", "All budgets times", _FACTORS),
        world.ask_curve,
        *repetition(most=200),
        Folded("Noise, level, threshold", (world.NOISE, world.LEVEL, world.CLIP, world.DELTA)),
    ),
    answer=weights_answer,
    blocks=functools.partial(
        world.drawn,
        title="Squared error under five weightings",
        curve="rate",
        name="weights",
        caption="Each weighting at its own K. Weights use public n, ε and δ; inverse variance also "
        "the public bound 1 + C² on the variance of a record.",
    ),
    formula=r"\text{printed: } u_j \propto n_j^2\varepsilon_j^2 \wedge n_j 2^L, \qquad"
    r"\text{calibrated: } u_j \propto \frac{n_j^2\varepsilon_j^2}{bK} \wedge \frac{n_j}{v}",
    why="A server's best weight is the inverse of its variance, v K/n plus b K²/(n ε)². (13) takes "
    "b = v = 1; with b in the hundreds it weighs by size, however tiny a server's budget.",
    limits="- Up to constants (13) is optimal; here the constants are in.\n"
    "- The inverse variance is the best choice for linear combinations alone.",
    statements=("CCV:Eq13:weights", "CCV:Eq13:risk"),
)

# My study -------------------------------------------------------------------------------------


def _caps(study: FederatedStudy, note: str) -> str:
    """What had to be changed or filled in to simulate the study."""
    end = f" **Changed to simulate it.** {words.md(note)}" if note else ""
    return (
        "Sizes, budgets and δ are the study's. The curve is a stand-in of smoothness "
        f"α = {number(min(study.smoothness, 2.0))} unless another is chosen.{end}"
    )


def study_answer(progress: Progress) -> str:
    """Return the finding as a sentence."""
    found = simulated.at_one(progress)
    if not found:
        return simulated.ABSENT
    parts = []
    for series, (point, seen) in found.items():
        run = f", simulated **{number(seen.mean)} ± {number(seen.stderr, 2)}**"
        parts.append(f"**{number(point.exact or 0.0)}**{run * (seen.replicates > 1)} with {series}")
    return f"On this curve the study's exact squared error is {'; '.join(parts)}."


STUDY_TAB = world.tab(
    sim.STUDY,
    id="study",
    title="My study",
    alone=False,
    usual=simulated.usual(
        sim.STUDY, ("n", "epsilon", "delta", "count", "smoothness"), replicates=20
    ),
    lacks=lambda: simulated.lacks(
        FederatedStudy, "The current study is a **classifier**; this page needs one of a **curve**."
    ),
    inputs=(
        Between("factor", "All budgets times", tuple(2.0**k for k in range(-4, 7))),
        world.ask_curve,
        *repetition(most=200),
        Folded("Error, noise, threshold", (world.RISK, world.NOISE, world.CLIP)),
    ),
    compute=lambda asked: simulated.made(asked, kept(sim.STUDY), sim.study_values, _caps),
    cannot=simulated.CANNOT,
    before=lambda made: [made.told, *world.weak(sim.study_setup, made.request)],
    answer=study_answer,
    blocks=functools.partial(
        world.drawn,
        title="This study on a known curve, as its budgets scale",
        curve="its rate",
        name="study",
        caption="Three ways to choose K and weights, each over its own rate; the printed one's is "
        "equation (6), without constants.",
    ),
    formula=r"D^{2g+2} = \sum_j (n_j^2\varepsilon_j^2) \wedge (n_j D)",
    why="Equation (6) has all constants 1; the calibrated one has the noise of the estimator that "
    "is simulated. The exact risk needs neither: it is computed for the curve.",
    limits="- The curve is a stand-in, scaled to sup 1 with noise of variance 1. Best K and "
    "weights know it; they bound what a rule can reach.\n"
    "- No data of the study enter, only its sizes and budgets.",
    statements=("CCV:Eq13:weights", "CCV:Eq13:risk"),
)
