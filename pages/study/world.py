"""One sentence about a made-up world, where the errors of the study and its rivals are exact."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

from pages.charts import words
from rates.answer import Lens, compare
from rates.fit import Curator
from rates.numbers import DomainError, budgets
from rates.plan import in_house
from rates.study import Study, TransferStudy
from sims.classification import Cusp
from sims.fit import Risks, exact_classifier_risks, exact_risks, worlds_for

_KINDS = ("study", "alone", "unprotected")
_NOBODY = Curator(epsilon=1.0, delta=1e-6)  # takes no part in what is shown
MOST_ROWS = budgets.WORLD_ROWS


def told(study: Study, risk: str, use: str) -> tuple[str, str]:
    """Return it as Markdown, and which world it is; empty where no world stands for the study.

    A target that uses the result itself has its own records in house: the study is taken so, and
    stands beside doing nothing.
    """
    study = in_house(study, use)
    found = risks(study, risk, use)
    if found is None:
        return "", ""
    transfer = isinstance(study, TransferStudy)

    def shown(error: float) -> str:
        return words.number(1e4 * error if transfer else error)

    unit = "avoidable errors in 10,000" if transfer else "squared error"
    parts = [f"{unit} **{shown(found.values['study'])}**"]
    if not transfer:
        parts.append(f"guessing 0 gives {shown(found.zero)}")
    if "alone" in found.values and len(study.servers) > 1:
        own = "own records alone" if use == "target" else f"{words.md(_best(study, risk))} alone"
        parts.append(f"{own} {shown(found.values['alone'])}")
    parts.append(f"without privacy {shown(found.values['unprotected'])}")
    return f"In a made-up world, {'; '.join(parts)}.", (
        f"Exact expected errors for {words.md(found.world)}, each design with its own best "
        "tuning and exact Gaussian noise. Avoidable: beyond what is left with the truth known. "
        "Your data are another world; compare the numbers, do not quote them. "
        f"{words.md(' '.join(found.notes))}"
    )


def risks(study: Study, risk: str, use: str = "others") -> Risks | None:
    """Return the exact errors of a study and its rivals; None where no world stands for it.

    The site that stands alone is the target that uses the result itself, or the best one.
    """
    if len(study.servers) > MOST_ROWS or not any(s.informative for s in study.servers):
        return None
    alone = study.servers[0].name if use == "target" else _best(study, risk)
    found = _found(study, risk, alone)
    return found if found and {"study", "unprotected"} <= set(found.values) else None


@functools.lru_cache(maxsize=64)
def _best(study: Study, risk: str) -> str:
    """The site that does best alone, by the mechanism where it can be computed."""
    lens = Lens(risk=risk)
    lens = lens.plain if lens.lacks_delta(study) else lens.named
    return study.servers[compare.best_alone(study, lens)].name


def _found(study: Study, risk: str, best: str) -> Risks | None:
    try:
        if not isinstance(study, TransferStudy):
            return _exact(exact_risks, study, risk, best)
        worlds = [w for w in worlds_for(study).values() if isinstance(w, Cusp)]
        nearest = min(worlds, key=lambda w: abs(w.smoothness - study.smoothness), default=None)
        if nearest is None:
            return None
        # The world has its own smoothness and margin: those of the study change nothing in it.
        inside = replace(study, smoothness=nearest.smoothness, margin=nearest.margin)
        return _exact(exact_classifier_risks, inside, nearest, best)
    except DomainError:
        return None


@functools.lru_cache(maxsize=64)
def _exact(compute: Callable[..., Risks], study: Study, where: str | Cusp, best: str) -> Risks:
    return compute(study, where, _NOBODY, best_site=best, kinds=_KINDS)
