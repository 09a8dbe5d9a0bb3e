"""Figure: every statement at its place in the papers, marked by its verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pages import charts

_ROW = 22  # pixels for a row of marks
_ACROSS = 12  # marks in a row; more would touch on a phone
_FRAME = 130  # pixels for title and legend


@dataclass(frozen=True, slots=True)
class Look:
    """How a group of verdicts is shown, by mark, word and colour alike.

    Attributes:
        mark: A character for text.
        words: What the group says of the printed form.
        badge: Colour of a badge in Markdown.
        colour: Colour of a marker.
        symbol: Shape of a marker.
    """

    mark: str
    words: str
    badge: str
    colour: str
    symbol: str


LOOKS = {
    "refuted": Look("✗", "contradicted as printed", "red", "#c8384a", "x"),
    "apart": Look("~", "not reproduced at our settings", "orange", "#b5761b", "diamond-open"),
    "proved": Look("✓", "derived or argued", "green", "#2e8b57", "circle"),
    "survives": Look("○", "tests only", "violet", "#7a5cc0", "circle-open"),
    "untestable": Look("?", "not testable by numbers", "gray", "#7d8796", "square-open"),
    "dropped": Look("–", "dropped from the ledger", "gray", "#7d8796", "line-ew"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One statement in the figure.

    Attributes:
        id: Its id; comes back when the mark is chosen.
        place: Paper and section, the row of the mark.
        group: One of `LOOKS`.
        text: What a hover says.
        faint: Whether search and filters leave it out.
    """

    id: str
    place: str
    group: str
    text: str
    faint: bool = False


def drawn(marks: Sequence[Mark], *, title: str) -> charts.Figure:
    """Return one marker per statement, in rows by section; marks of a section stand together."""
    spots, ticks, rows = _places(marks)
    curves = []
    for group, look in LOOKS.items():
        chosen = [
            (spot, mark) for spot, mark in zip(spots, marks, strict=True) if mark.group == group
        ]
        if not chosen:
            continue
        curves.append(
            charts.Curve(
                name=look.words,
                x=[x for (x, _), _ in chosen],
                y=[y for (_, y), _ in chosen],
                data=[[mark.id] for _, mark in chosen],
                words=charts.Words(texts=[mark.text for _, mark in chosen], shown=False),
                hover="%{text}",
                extra="",
                dots=charts.Dots(
                    symbol=look.symbol,
                    colour=look.colour,
                    size=11,
                    edge=charts.Stroke(look.colour, 2),
                    opacity=[0.15 if mark.faint else 1.0 for _, mark in chosen],
                ),
                chosen_alike=True,
            )
        )
    figure = charts.Chart(
        marks=curves,
        title=title,
        head=64,
        height=_ROW * rows + _FRAME,
        x=charts.Axis(shown=False, span=(0.3, _ACROSS + 0.7), fixed=True),
        y=charts.Axis(
            ticks=charts.Ticks(list(ticks.values()), list(ticks)),
            span=(rows - 0.3, -0.7),
            fixed=True,
            zero=False,
            gap=6,
        ),
        legend=charts.Legend(entry=0, ordered=False, hanging=True, picks=False),
        choosing=True,
    )
    numbers = Counter(mark.group for mark in marks)
    counts = [f"{numbers[g]} {look.words}" for g, look in LOOKS.items() if numbers[g]]
    return charts.Figure(
        figure=figure,
        alt=f"One mark per statement in {len(ticks)} sections of the papers: {', '.join(counts)}. "
        "The list below holds the same statements as text.",
        rows=[
            {"id": mark.id, "place": mark.place, "verdict": LOOKS[mark.group].words}
            for mark in marks
        ],
        name="statements-by-section",
        caption="One mark per statement, in the papers' order. A click opens it.",
    )


def _places(marks: Sequence[Mark]) -> tuple[list[tuple[int, int]], dict[str, int], int]:
    """Column and row of each mark, the first row of each section, and the number of rows."""
    spots: list[tuple[int, int]] = []
    ticks: dict[str, int] = {}
    row = column = -1
    for mark in marks:
        if mark.place not in ticks or column == _ACROSS:
            row, column = row + 1, 0
            ticks.setdefault(mark.place, row)
        column += 1
        spots.append((column, row))
    return spots, ticks, row + 1
