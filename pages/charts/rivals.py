"""The study beside its rivals: what each is worth, by equation and by mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pages import charts
from pages.charts.words import between

Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One design.

    Attributes:
        name: What it is called.
        equation: Least and largest worth in unprotected records, by the rate equation; None where
            nothing can be computed.
        mechanism: The same by the named mechanism.
    """

    name: str
    equation: Ends | None
    mechanism: Ends | None


_ANSWERS = (
    ("equation", "Rate equation", charts.EQUATION, "circle"),
    ("mechanism", "Named mechanism", charts.MECHANISM, "diamond"),
)


def drawn(parts: Sequence[Part], *, title: str) -> charts.Figure:
    """Return one row per design: what it is worth by either answer.

    Args:
        parts: The designs, in the order of the rows.
        title: The finding.
    """
    marks: list[charts.Curve] = []
    ends: list[float] = []
    for key, answer, colour, symbol in _ANSWERS:
        found = {part.name: _shown(getattr(part, key)) for part in parts}
        held = {name: span for name, span in found.items() if span is not None}
        ends += [x for span in held.values() for x in span]
        marks += [
            charts.Curve(
                x=list(span),
                y=[name, name],
                stroke=charts.Stroke(colour, 4),
                dots=charts.Dots(symbol=symbol, size=10, colour=colour),
                name=answer,
                group=key,
                listed=number == 0,
                hover=f"{name}, {answer.lower()}: {between(*span)} records",
                extra="",
            )
            for number, (name, span) in enumerate(held.items())
        ]
    low, high = min(ends, default=1.0), max(ends, default=1.0)
    names = [part.name for part in parts]
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=150 + 30 * len(names),
        x=charts.log_axis("Worth, unprotected records", (low / 1.3, high * 1.3), fixed=True),
        y=charts.Axis(names=names[::-1], fixed=True, roomy=True, span=(-0.6, len(names) - 0.4)),
        head=64,
        right=20,
        foot=96,
        legend=charts.BARE,
    )
    told = [
        f"{part.name}: " + " and ".join(_said(part, key, answer) for key, answer, *_ in _ANSWERS)
        for part in parts
    ]
    return charts.Figure(
        figure=figure,
        alt=f"{title}. {'; '.join(told)}.",
        rows=[
            {"design": part.name, "answer": answer.lower(), "least": span[0], "most": span[1]}
            for part in parts
            for key, answer, *_ in _ANSWERS
            if (span := getattr(part, key)) is not None
        ],
        name="alternatives",
        caption="Worth by the rate equation holds up to a constant, by the named mechanism with "
        "its constants. In house: own records without noise, which is to do nothing. The axis is "
        "logarithmic.",
    )


def _shown(span: Ends | None) -> Ends | None:
    """What a logarithmic axis can show of a range; None if nothing."""
    return span if span is not None and span[0] > 0.0 and math.isfinite(span[1]) else None


def _said(part: Part, key: str, answer: str) -> str:
    span = getattr(part, key)
    return f"{answer.lower()} {'nothing' if span is None else between(*span)}"
