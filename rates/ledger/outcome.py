"""What a test of one form found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rates.ledger.claim import TOLERANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test found for one form of an entry.

    Attributes:
        number: Draws made inside the conditions.
        violations: Draws at which the form fails.
        worst: Largest gap found; minus infinity without draws.
        at: The letters or parameters of the largest gap.
        example: Gap at the stored example; None where none is stored.
        unit: What a gap measures.
        tolerance: Largest gap that rounding may explain.
    """

    number: int
    violations: int
    worst: float
    at: Mapping[str, float]
    example: float | None = None
    unit: str = "log of the ratio of both sides"
    tolerance: float = TOLERANCE

    @property
    def fails(self) -> bool:
        """Whether a draw or the example contradicts the form."""
        return self.violations > 0 or (self.example is not None and self.example > self.tolerance)
