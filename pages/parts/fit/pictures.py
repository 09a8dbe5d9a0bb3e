"""The pictures of answers over ranges."""

from __future__ import annotations

from pages.figures import chart, envelope
from pages.parts.fit import words as fit_words
from pages.parts.study import verdict
from rates.answer import Cost
from rates.fit import Envelope
from rates.study import Study, TransferStudy


def of_ranges(found: Envelope, cost: Cost) -> chart.Drawn:
    """Both answers over the ranges of what is not known."""
    return chart.Drawn(
        name="ranges",
        figure=envelope.figure(found, _here(cost), title=fit_words.title(found)),
        caption="From the best to the worst case over the ranges. The grey stroke is the answer "
        "for the parameters of the Study page. Sample kept: what the records are worth, as a "
        "fraction of their worth without privacy. Both axes are logarithmic.",
        alt=envelope.alt(found),
        rows=envelope.csv_rows(found),
    )


def _here(cost: Cost) -> list[tuple[float, float]]:
    """Both answers at the parameters of the Study page."""
    both = [cost.equation, *([verdict.middle(cost)] if cost.mechanism else [])]
    return [(x.kept, x.rate_ratio) for x in both]


def of_unknowns(study: Study, found: Envelope) -> chart.Drawn | None:
    """What moves the rate most; None if nothing moves it."""
    moving = [e for e in found.effects if e.log_range > 0]
    if not moving:
        return None
    transfer = isinstance(study, TransferStudy)
    names = [fit_words.unknown(e, transfer=transfer, plain=True) for e in moving]
    first = names[0][0].upper() + names[0][1:]
    return chart.Drawn(
        name="unknowns",
        figure=envelope.ranking(moving, names, title=f"{first} moves the rate most"),
        caption="The worst-case rate between the two ends of one range, the other unknowns in "
        "the middle of theirs, by the rate equation.",
        alt=envelope.ranking_alt(moving, names),
        rows=envelope.ranking_rows(moving),
    )
