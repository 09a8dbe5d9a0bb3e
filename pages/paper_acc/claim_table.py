"""The table of what a paper's text claims and what a run says of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pages.core import Block, Heading, Note, Table

if TYPE_CHECKING:
    from sims.paper_acc import Claim


def told(found: Sequence[Claim], *, note: str = "") -> Iterable[Block]:
    """Say claims with their verdicts and the difference that decides each."""
    yield Heading("What the text says, and this run", anchor=True)
    worst = [min(claim.differences, key=lambda one: one.low, default=None) for claim in found]
    yield Table(
        {
            "This run": [claim.verdict for claim in found],
            "Claim": [claim.text for claim in found],
            "Smallest difference, points": [
                "none" if one is None else _points(one.mean, one.low, one.high) for one in worst
            ],
            "Where": ["" if one is None else letters(one.where) for one in worst],
            "Note": [claim.note for claim in found],
        },
        "Claims of the text with the verdict of this run",
    )
    yield Note(
        "A claim holds if every difference that it calls positive has its interval above 0, and "
        "does not hold if one lies below; otherwise it is inside the noise. The intervals of one "
        f"claim hold together at 95 %. {note}"
    )


def _points(mean: float, low: float, high: float) -> str:
    texts = [f"{100 * x:.1f}".replace("-", "−") for x in (mean, low, high)]
    return f"{texts[0]} ({texts[1]} to {texts[2]})"


def letters(text: str) -> str:
    """Return the text with the papers' letters for gamma and epsilon."""
    return text.replace("gamma", "γ").replace("epsilon", "ε")
