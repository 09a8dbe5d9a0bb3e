"""Tab "Weights": weights of the exact minimiser against those of the printed algorithm."""

from __future__ import annotations

import functools
from collections.abc import Iterable

from pages.adaptation import common, figures
from pages.charts import words
from pages.core import Block, Slider
from pages.core.live import Folded, plan, seed
from rates.numbers import decades
from sims.adaptation import WEIGHTS_SETTINGS, WeightsLook, histogram, share_below, weights_look

_look = functools.lru_cache(maxsize=32)(lambda asked: weights_look(asked.values, asked.seed))


def answer(found: WeightsLook) -> str:
    """Return the finding as sentences."""
    return (
        f"The exact minimiser cuts **{words.percent(share_below(found.public, 0.5))}** of the "
        f"public records to less than half of their reference weight. The printed algorithm moves "
        f"no inverse weight of a public record by more than **{words.percent(found.moved)}** "
        f"(at most {words.percent(found.limit.public)} is possible), and its coefficients change "
        f"by **{words.number(found.deaf)}** if the discrepancy is set to 0; those of the minimiser "
        f"change by **{words.number(found.hears)}**."
    )


def drawn(found: WeightsLook) -> Iterable[Block]:
    """The figure."""
    bars = {
        "Public records, exact minimiser": histogram(found.public),
        "Private records, exact minimiser": histogram(found.private),
        "Public records, printed algorithm": histogram(found.printed),
    }
    yield figures.weights(
        bars,
        caption=f"The discrepancy of this draw is {words.number(found.gap)}, the scale of its "
        "noise "
        f"{words.number(found.noise)}. A public weight of the printed algorithm can halve "
        f"after {words.number(found.limit.doubling)} steps at the earliest.",
    )


TAB = common.tab(
    name="weights",
    title="Weights",
    usual=plan(WEIGHTS_SETTINGS, replicates=2),
    fields=(
        Slider("public", "Public records m", [100, 300, 1000, 3000, 5000]),
        Slider("private", "Private records n", [50, 100, 200, 500, 1000, 5000]),
        common.CONCEPT,
        common.COVARIATE,
        common.SHARE,
        common.PENALTY,
        Slider("steps", "Steps T", [10, 100, 300, 1000, 3000]),
        Slider("start", "Start of the inverse weights", [1, 2, 5, 20, 100]),
        seed("Draw"),
        Folded(
            "Budget, bound, δ",
            (Slider("budget", "Budget ε", decades(-1, 1)), common.BOUND, common.DELTA),
        ),
    ),
    made=_look,
    answer=answer,
    drawn=drawn,
    privacy=(
        "Neighbours differ by replacing one private record; the public sample is not protected. "
        "Nothing on this tab is private as a whole: the exact minimiser reads the private sample "
        "without noise, and so does the discrepancy, which the printed algorithm uses here as it "
        "is. The descent of the printed algorithm adds noise meant for (ε/2, δ). The other half of "
        "ε is for the Laplace noise of the discrepancy, whose scale stands below the figure and "
        "which is not drawn. For a large ε the printed noise gives less than it is meant for; see "
        "Budget and bounds."
    ),
    formula=r"\frac{|u_T - u_0|}{m/\alpha} \le \frac{\alpha\sqrt T}{m^{3/2}}"
    "\n"
    r"\frac{q_i^*}{a_i} = \min\bigl(1, \sqrt{\kappa_1/(\ell_i + \hat d\,1_{i\le m})}\bigr)",
    why=(
        "An inverse weight starts at m/α, but a step moves it by at most 1/√(mT). So the weights "
        "stay at the start, which the paper leaves open, and the discrepancy, which only acts "
        "through the weights, acts on nothing. The best weights need no descent: for given "
        "coefficients they are known in closed form."
    ),
    limits=(
        "- One draw of the synthetic world in ten dimensions; another seed is another draw.\n"
        "- The minimum is over coefficients and weights of (6) without its last two penalties. It "
        "reads the private sample without protection.\n"
        "- Weights of private records could not be learnt per record: one record's weight cannot "
        "be told from its noise.\n"
        "- This is a simulation, not a tool to release data."
    ),
    statements={
        "BCMM:Alg1:movement": "How far the weights can move",
        "BCMM:Eq6:profile": "Why the best weights are known",
        "BCMM:Eq3:weights": "Whether the algorithm comes close to the minimum",
        "BCMM:Thm4.3:condition": "What Theorem 4.3 asks for",
    },
)
