"""What a numerical test of a statement is: random draws, a gap, and its outcome."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError

Array = NDArray[np.float64]
Draws = Mapping[str, Array]
Form = Literal["printed", "reading"]
FORMS: tuple[Form, ...] = ("printed", "reading")


@dataclass(frozen=True, slots=True)
class Check:
    """A numerical test of one statement.

    Attributes:
        draw: From a generator and a number, that many parameter sets inside the statement's own
            hypotheses: one array per parameter, all of that length.
        gap: From parameter sets and the form of the statement, one number per set: by how much
            the statement fails there. At most the tolerance means that it holds; minus
            infinity stands for a set outside the hypotheses of that form.
        unit: What the gap measures, in words that stand after a number.
        number: How many draws the quick test makes.
        tolerance: Largest gap that rounding may explain.
        constants: True for a statement up to constants: the gap is then the log of the ratio
            over its proved bound, and the bound has to be attained within a factor of 2.
    """

    draw: Callable[[np.random.Generator, int], Draws]
    gap: Callable[[Draws, Form], Array]
    unit: str
    _: KW_ONLY
    number: int = 10_000
    tolerance: float = 1e-9
    constants: bool = False


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


def measure(
    check: Check,
    form: Form,
    *,
    generator: np.random.Generator,
    seed: int,
    number: int | None = None,
    counterexample: Mapping[str, float] | None = None,
) -> Outcome:
    """Run a test of one form of a statement.

    Args:
        check: The test.
        form: "printed" or "reading".
        generator: Source of the draws.
        seed: What the generator was made from; kept with the outcome.
        number: Draws, at least 1; the check's own number by default.
        counterexample: A stored parameter set, tried besides the draws.

    Raises:
        DomainError: If the number is not a positive integer.
    """
    count = check.number if number is None else number
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise DomainError("draws must be a positive integer.", field="draws", value=count)
    draws = check.draw(generator, count)
    gaps = np.asarray(check.gap(draws, form), dtype=float)
    # A gap that is no number proves nothing; it counts as a failure, so that it is seen.
    gaps = np.where(np.isnan(gaps), np.inf, gaps)
    index = int(np.argmax(gaps)) if gaps.size else None
    stored = None
    if counterexample is not None:
        row = {key: np.array([float(value)]) for key, value in counterexample.items()}
        stored = float(np.asarray(check.gap(row, form), dtype=float)[0])
        stored = math.inf if math.isnan(stored) else stored
    return Outcome(
        form=form,
        seed=seed,
        number=int(gaps.size),
        violations=int(np.count_nonzero(gaps > check.tolerance)),
        worst=-math.inf if index is None else float(gaps[index]),
        at={} if index is None else {key: float(x[index]) for key, x in draws.items()},
        counterexample=stored,
        unit=check.unit,
        tolerance=check.tolerance,
        constants=check.constants,
    )
