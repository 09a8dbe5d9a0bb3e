"""The pictures of answers over ranges."""

from __future__ import annotations

from pages.figures import chart, envelope, shares
from pages.parts.fit import words as fit_words
from rates.answer import Cost
from rates.fit import Envelope
from rates.study import Study, TransferStudy


def of_ranges(found: Envelope, cost: Cost) -> chart.Drawn:
    """Both answers over the ranges of what is not known."""
    both = [cost.equation, *([shares.middle(cost)] if cost.mechanism else [])]
    here = [(x.kept, x.rate_ratio) for x in both]  # at the parameters of the Study page
    return envelope.drawn(found, here, title=fit_words.title(found))


def of_unknowns(study: Study, found: Envelope) -> chart.Drawn | None:
    """What moves the rate most; None if nothing moves it."""
    moving = [e for e in found.effects if e.log_range > 0]
    if not moving:
        return None
    transfer = isinstance(study, TransferStudy)
    names = [fit_words.unknown(e, transfer=transfer, plain=True) for e in moving]
    return envelope.ranking(moving, names)
