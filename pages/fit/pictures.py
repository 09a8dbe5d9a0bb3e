"""The pictures of answers over ranges."""

from __future__ import annotations

from pages import charts
from pages.charts import envelope, rivals, shares
from pages.fit import designs
from pages.fit import words as fit_words
from rates.answer import Cost
from rates.fit import Curator, Envelope
from rates.study import Study, TransferStudy


def of_ranges(found: Envelope, cost: Cost) -> charts.Figure:
    """Both answers over the ranges of what is not known."""
    both = [cost.equation, *([shares.middle(cost)] if cost.mechanism else [])]
    here = [(x.kept, x.rate_ratio) for x in both]  # at the parameters of the Study page
    return envelope.drawn(found, here, title=fit_words.title(found))


def of_unknowns(study: Study, found: Envelope) -> charts.Figure | None:
    """What moves the rate most; None if nothing moves it."""
    if not found.moving:
        return None
    transfer = isinstance(study, TransferStudy)
    names = [fit_words.unknown(e, transfer=transfer, plain=True) for e in found.moving]
    return envelope.ranking(found.moving, names)


def of_rivals(study: Study, risk: str, who: Curator, everyone: bool) -> charts.Figure:
    """What the study and each of its rivals is worth; ``everyone`` where there is no target."""
    rows = designs.found(study, risk, who, everyone=everyone)
    parts = [
        rivals.Part(
            name=designs.name(row.kind, who, everyone=everyone),
            equation=designs.worth(designs.by_equation(row)) if row.equation else None,
            mechanism=designs.worth(designs.by_mechanism(row)) if row.mechanism else None,
        )
        for row in rows
    ]
    return rivals.drawn(parts, title=designs.nothing(rows))
