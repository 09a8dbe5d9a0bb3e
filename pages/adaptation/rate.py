"""Tab "Records": error against private records, one curve per budget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pages.adaptation import common, figures
from pages.charts import words
from pages.core import Between, Block, Listing, Menu, Note, Pills, Slider, Switch
from pages.core.live import Folded, of_experiment, repetition
from sims.adaptation import EXACT, PLAIN, RATE, SOURCE, TARGET, budget_name, ratio_at
from sims.adaptation import below as lower
from sims.engine import Estimate, Progress, Value

PLAIN_SERIES = (PLAIN, TARGET, SOURCE, EXACT)
_STOPS = (50.0, 100.0, 200.0, 400.0, 800.0, 1500.0, 3000.0, 10_000.0, 30_000.0)


def _with_loss(loss: str) -> dict[str, Value]:
    """Labels ±1 have no private minimiser of ours, and steps that take longer."""
    return {"method": "printed", "steps": 200.0 if loss == "logistic" else 1000.0}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values = progress.request.values
    found = common.by_place(progress)
    budgets = [e for e in values.numbers("epsilon") if not math.isinf(e)]
    sizes = sorted(values.numbers("private"))
    if not budgets:
        return "Choose a budget. **Run** simulates the curves."
    small, large, tight = sizes[0], sizes[-1], min(budgets)
    near, far = (ratio_at(progress, (budget_name(tight), n), (PLAIN, n)) for n in (small, large))
    if near is None or far is None:
        return (
            "**Run** draws source and target, fits the target privately, and compares with the "
            "same fit without privacy, with the target alone and with the source alone."
        )
    text = (
        f"With ε = {words.number(tight)} the error is {common.told(near)} times that without "
        f"privacy at n = {small:,.0f}, and {common.told(far)} times at n = {large:,.0f}."
    )
    source, target = found.get((SOURCE, small)), found.get((TARGET, small))
    if source and target:
        private = {
            e: found[budget_name(e), small] for e in budgets if (budget_name(e), small) in found
        }
        text += (
            f" At n = {small:,.0f} the source alone, which costs no budget, has error "
            f"{common.told(source)} {against(source, private)}; the target alone without privacy "
            f"has {common.told(target)}."
        )
    return text


def against(source: Estimate, private: Mapping[float, Estimate]) -> str:
    """Say how the source alone stands against private fits, where the intervals separate.

    >>> good, bad = Estimate(1.0, 0.01, 9), Estimate(2.0, 0.01, 9)
    >>> against(good, {1.0: bad, 3.0: good}), against(good, {1.0: bad})
    ('and is not told apart from the private fit at ε = 3', 'and beats every private fit here')
    """
    better = [e for e, fit in private.items() if lower(fit, source)]
    unclear = [e for e, fit in private.items() if not lower(source, fit)]
    if not better and not unclear:
        return "and beats every private fit here"
    word = "is beaten by" if better else "is not told apart from"
    which = sorted(better or unclear)
    budgets = ", ".join(words.number(e) for e in which)
    return f"and {word} the private fit{'s' * (len(which) > 1)} at ε = {budgets}"


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    values = progress.request.values
    yield figures.errors(
        progress,
        "figure_adaptation_rate",
        f"Error on the target: {common.METHODS[values.word('method')].lower()}",
        "Private records n",
        common.ERRORS[values.word("loss")],
        plain=PLAIN_SERIES,
    )
    yield Note(
        "Coloured: private, bars are 95 % Monte-Carlo intervals. Grey: without privacy, where "
        f'"{PLAIN}" is the same algorithm without noise. The weights of the printed algorithm '
        "are held where they start; see *Weights*."
    )


TAB = common.tab(
    name="rate",
    title="Records",
    usual=of_experiment(RATE),
    fields=(
        Menu("method", "Private algorithm", common.METHODS),
        Switch("loss", "Labels", common.LOSSES, then=_with_loss),
        Between("private", "Private records n", _STOPS),
        Pills("epsilon", "Budgets ε, one curve each", (10.0, 3.0, 1.0, 0.5, 0.1)),
        common.SHARE,
        common.CONCEPT,
        common.COVARIATE,
        *repetition(most=200),
        Folded(
            "Public records, dimension, penalty, steps, bounds, δ",
            (
                common.PUBLIC,
                common.DIMENSION,
                common.PENALTY,
                Slider("steps", "Steps T of the printed algorithm", [100, 300, 1000, 3000]),
                common.BOUND,
                common.DELTA,
                Listing("private", "n, exact list"),
                Listing("epsilon", "ε, exact list"),
            ),
        ),
    ),
    experiment=RATE,
    auto=True,
    before=lambda request: (
        common.promises(request.values) if request.values["method"] == "printed" else ()
    ),
    answer=answer,
    drawn=drawn,
    formula=r"\min_{w}\; \alpha\,\frac1m\sum_{i\le m} \ell_i(w)"
    r" + (1-\alpha)\frac1n\sum_{i>m}\ell_i(w)",
    why=(
        "With weights that stay where they start, the printed algorithm is noisy descent on this "
        "fixed mixture of both samples. Its noise is set by G, the largest gradient that a record "
        "can have: G = 2r(Λr + 1). Profiling the weights out bounds a private record's gradient "
        "by 2r√κ₁ instead, and one noisy vector per step is enough instead of two."
    ),
    statements={
        "BCMM:Eq3:weights": "Whether the algorithm comes close to the minimum",
        "BCMM:Alg1:movement": "How far its weights move",
        "BCMM:Fig1:approach": "The private curves approach those without privacy",
        "BCMM:Fig2:target-only": "Against noisy descent on the target alone",
    },
)
