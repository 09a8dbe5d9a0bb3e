"""What a test of a statement finds; the tests themselves stand in `rates.statements.checks`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Form = Literal["printed", "reading"]
FORMS: tuple[Form, ...] = ("printed", "reading")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a test found for one form of a statement.

    Attributes:
        form: As printed, or in our reading.
        seed: Seed of the draws.
        number: Draws made.
        violations: Draws at which the form fails.
        worst: Largest gap found; minus infinity without draws.
        at: The parameter set of the largest gap.
        counterexample: Gap at the stored counterexample; None where none is stored.
        unit: What the gaps measure.
        tolerance: Largest gap that rounding may explain.
        constants: Whether the statement holds up to constants, so that gaps are log ratios
            over a proved bound.
    """

    form: Form
    seed: int
    number: int
    violations: int
    worst: float
    at: Mapping[str, float]
    counterexample: float | None
    unit: str
    tolerance: float
    constants: bool = False

    @property
    def attained(self) -> float | None:
        """The part of the proved bound that the worst draw reaches; None without a bound."""
        return math.exp(min(self.worst, 700.0)) if self.constants else None

    @property
    def fails(self) -> bool:
        """Whether a draw or the stored counterexample refutes this form."""
        stored = self.counterexample
        return self.violations > 0 or (stored is not None and stored > self.tolerance)
