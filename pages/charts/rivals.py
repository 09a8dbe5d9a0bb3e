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
    rows: list[dict[str, object]] = []
    for part in parts:
        for key, answer, *_ in _ANSWERS:
            if (span := getattr(part, key)) is not None:
                more = {"least": span[0], "most": span[1]}
                rows.append({"design": part.name, "answer": answer.lower(), **more})
    for key, answer, colour, symbol in _ANSWERS:
        spans = [(part.name, getattr(part, key)) for part in parts]
        # A logarithmic axis shows no other ones.
        shown = [(name, s) for name, s in spans if s and s[0] > 0.0 and math.isfinite(s[1])]
        for name, span in dict(shown).items():
            hover = f"{name}, {answer.lower()}: {between(*span)} records"
            more = {"name": answer, "group": key, "listed": name == shown[0][0]}
            marks.append(charts.ranged(span, name, colour, symbol, 10, hover=hover, **more))
            ends += span
    low, high = min(ends, default=1.0), max(ends, default=1.0)
    names = [part.name for part in parts]
    told = [
        f"{part.name}: " + " and ".join(_told(part, key, answer) for key, answer, *_ in _ANSWERS)
        for part in parts
    ]
    return charts.plot(
        marks,
        charts.log_axis("Worth, unprotected records", (low / 1.3, high * 1.3), fixed=True),
        charts.named(names, span=(-0.6, len(names) - 0.4)),
        rows,
        title=title,
        **charts.room(150 + 30 * len(names), 96, legend=charts.BARE),
        right=20,
        alt=f"{title}. {'; '.join(told)}.",
        name="alternatives",
        caption="Worth by the rate equation holds up to a constant, by the named mechanism with "
        "its constants. In house: own records without noise, which is to do nothing. The axis is "
        "logarithmic.",
    )


def _told(part: Part, key: str, answer: str) -> str:
    span = getattr(part, key)
    return f"{answer.lower()} {'nothing' if span is None else between(*span)}"
