"""What [ACC] Section 6.2 says of the four hospitals, judged by a run of its own."""

from __future__ import annotations

import itertools
import math

import numpy as np

from rates.numbers import DomainError
from sims.acc.adaptive import ADAPTIVE_RULES
from sims.acc.figure_claims import Claim, make_claim, paired
from sims.engine import Array, Progress

MARGIN = 0.01  # "the same" and "81%" are read as within one point
LARGE = 4.0  # budgets from here on are called large
LEVELS = {"accuracy": 0.81, "F1": 0.73}


def hospital_claims(progress: Progress) -> tuple[Claim, ...]:
    """Return the claims of Section 6.2 with the verdict of one run.

    Args:
        progress: A run of `sims.acc.hospitals.experiment` with two replicates or more.

    Raises:
        DomainError: The run is another experiment's, or has fewer than two replicates.

    Source: [ACC] Section 6.2.1, the text on Figure 7.
    """
    if progress.request.experiment.name != "hospitals":
        rule = "The experiment must be hospitals."
        raise DomainError(rule, field="experiment", value=progress.request.experiment.name)
    table = {
        (p.settings.word("rule"), p.settings.word("metric"), p.x): row
        for p, row in zip(progress.request.points, paired(progress), strict=True)
    }
    budgets = sorted({x for _, _, x in table})

    def gap(first: str, second: str, budget: float, metric: str = "accuracy") -> Array:
        return np.asarray(table[first, metric, budget] - table[second, metric, budget])

    others = [rule for rule in ADAPTIVE_RULES if rule != "target"]
    large = [x for x in budgets if x >= LARGE]
    rising = [
        (f"{rule}, epsilon {a:g} to {b:g}", table[rule, "accuracy", b] - table[rule, "accuracy", a])
        for rule in ADAPTIVE_RULES
        for a, b in itertools.pairwise(budgets)
    ]
    out = [
        make_claim("rises", "Accuracy rises with epsilon for every rule.", rising),
        make_claim(
            "target-worst",
            "AdaptTar, which uses the target alone, is the worst at every budget.",
            [
                (f"{rule}, epsilon {x:g}", gap(rule, "target", x))
                for rule in others
                for x in budgets
            ],
        ),
        make_claim(
            "samples-best",
            "AdaptSamp is the best at every budget.",
            [
                (f"over {rule}, epsilon {x:g}", gap("samples", rule, x))
                for rule in ADAPTIVE_RULES
                if rule != "samples"
                for x in budgets
            ],
        ),
        make_claim(
            "homogeneous-worse",
            "AdaptHomog is worse than AdaptAll at every budget.",
            [(f"epsilon {x:g}", gap("all", "homogeneous", x)) for x in budgets],
        ),
    ]
    if large:
        out.append(
            make_claim(
                "all-catches-up",
                "For large epsilon AdaptAll is as accurate as AdaptSamp.",
                [(f"epsilon {x:g}", gap("all", "samples", x) + MARGIN) for x in large],
                note="Read as: at most one point below, from epsilon 4 on.",
            )
        )
    if math.inf in budgets:
        found = [(name, value, table["all", name, math.inf]) for name, value in LEVELS.items()]
        rows = [(f"{name} above {v - MARGIN:.0%}", row - v + MARGIN) for name, v, row in found]
        rows += [(f"{name} below {v + MARGIN:.0%}", v + MARGIN - row) for name, v, row in found]
        out.append(
            make_claim(
                "level",
                "Accuracy is 81% and the F1 score 73%.",
                rows,
                note="Read as: within one point, for AdaptAll without privacy.",
            )
        )
    return tuple(out)
