"""What [ACC] Section 6.2 says of the four hospitals, judged by a run of its own."""

from __future__ import annotations

import itertools
import math

import numpy as np

from rates.numbers import DomainError
from sims.engine import Array, Progress
from sims.paper_acc.adaptive import RULES
from sims.paper_acc.figure_claims import Claim, make_claim

MARGIN = 0.01  # "the same" and "81 %" are read as within one point
LARGE = 4.0  # budgets from here on are called large
ACCURACY, F1 = 0.81, 0.73


def hospital_claims(progress: Progress) -> tuple[Claim, ...]:
    """Return the claims of Section 6.2 with the verdict of one run.

    Args:
        progress: A run of `sims.paper_acc.hospitals.experiment` with two replicates or more.

    Raises:
        DomainError: The run is another experiment's, or has fewer than two replicates.

    Source: [ACC] Section 6.2.1, the text on Figure 7.
    """
    if progress.request.experiment.name != "hospitals":
        rule = "The experiment must be hospitals."
        raise DomainError(rule, field="experiment", value=progress.request.experiment.name)
    count = min(progress.counts)
    if count < 2:
        rule = "Every point needs two replicates before a claim can be judged."
        raise DomainError(rule, field="replicates", value=count)
    table = {
        (p.settings.word("rule"), p.settings.word("metric"), p.x): progress.replicated[k, :count]
        for k, p in enumerate(progress.request.points)
        if not p.settings["variant"]
    }
    budgets = sorted({x for _, _, x in table})

    def gap(first: str, second: str, budget: float, metric: str = "accuracy") -> Array:
        return np.asarray(table[first, metric, budget] - table[second, metric, budget])

    others = [rule for rule in RULES if rule != "target"]
    large = [x for x in budgets if x >= LARGE]
    rising = [
        (f"{rule}, epsilon {a:g} to {b:g}", table[rule, "accuracy", b] - table[rule, "accuracy", a])
        for rule in RULES
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
                for rule in RULES
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
        rows = [
            (
                f"{metric} above {value - MARGIN:.0%}",
                table["all", metric, math.inf] - value + MARGIN,
            )
            for metric, value in (("accuracy", ACCURACY), ("F1", F1))
        ]
        rows += [
            (
                f"{metric} below {value + MARGIN:.0%}",
                value + MARGIN - table["all", metric, math.inf],
            )
            for metric, value in (("accuracy", ACCURACY), ("F1", F1))
        ]
        out.append(
            make_claim(
                "level",
                "Accuracy is 81 % and the F1 score 73 %.",
                rows,
                note="Read as: within one point, for AdaptAll without privacy.",
            )
        )
    return tuple(out)
