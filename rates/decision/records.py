"""What is decided about a study: the records, and the one rule for all uses."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.plan import Scale
from rates.study import Study

Range = tuple[float, float]
Codes = NDArray[np.int8]

FLOOR = 30.0  # effective records below which nothing is a yes, unless a need was told
LOSS = 0.02  # part of the worth that sites who stay out may lose together
MOVES = 0.05  # part of the worth that a site carries without which nothing is kept
VERDICTS = ("no", "no with this method", "undecided", "yes")  # from bad to good
WORTH = "worth"  # others use it, and no need was told: what it is worth, neither yes nor no


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """One who uses the result, against its own records without noise.

    Attributes:
        name: The row.
        count: How many such sites there are.
        own: Its own records.
        worth: Effective records with the others, in house, least and largest over the mechanism's
            constants; nan without every delta.
        equation: The same by the rate equation.
        gain: Worth over own records.
        verdict: One of `VERDICTS`.
    """

    name: str
    count: int
    own: float
    worth: Range
    equation: float
    gain: Range
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """What one would have without the study.

    Attributes:
        name: A site.
        worth: Effective records: of its own, in house; or of it alone with its budget.
    """

    name: str
    worth: Range


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """Where an assumed number turns the verdict.

    Attributes:
        parameter: "smoothness", "signal_exponent" (the largest one; others in proportion) or
            "epsilon" (the factor on every budget).
        value: The turning point nearest to today's value on one side.
        now: Today's value.
        verdict: The verdict beyond it.
    """

    parameter: str
    value: float
    now: float
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubling:
    """What doubling one row's budget adds, where that adds most.

    Attributes:
        names: The row, or all the rows that differ from it by name alone, which are doubled too.
        gain: Part added to the worth, least and largest over the mechanism's constants.
        equation: By the rate equation.
    """

    names: tuple[str, ...]
    gain: Range
    equation: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Whether a study is worth running, for whom, against what, and where that turns.

    Attributes:
        study: The study.
        use: One of `USES`.
        risk: Which error counts.
        needed: The records that would do, if told.
        factor: What a user's worth must be, over its own records.
        aim: What levers aim at where a need was told: it, and for a target what pays.
        verdict: One of `VERDICTS`, for "each" the best of its users'; `WORTH` for others without
            a need.
        worth: Effective records, least and largest over the mechanism's constants: of the target
            in house, or of the study as stated; nan without every delta.
        equation: The same by the rate equation.
        free: Effective records without privacy, over the mechanism's constants.
        users: Those who use it; none of them for "others".
        against: What one has without it: the target's own records, or the best single site.
        stay_out: Sites without which every constant keeps 98% of the worth, for every user.
        stay_out_loss: What all of them together lose, the largest part over users and constants.
        stay_out_equation_loss: The same by the rate equation.
        essential: Rows each of which alone carries 5% or more, by every constant.
        ranges: Parameter, least and largest value that was tried for `tips`.
        tips: Where an assumed number turns the verdict; none if it holds throughout.
        levers: The factors that reach the need, or half of what privacy costs.
        doubling: The best budget to double; None without a finite one.
        missing: The row that lacks the delta of the mechanism's noise; empty if none does.
    """

    study: Study
    use: str
    risk: str
    needed: float | None
    factor: float
    aim: float | None
    verdict: str
    worth: Range
    equation: float
    free: Range
    users: tuple[User, ...]
    against: tuple[Against, ...]
    stay_out: tuple[str, ...]
    stay_out_loss: float
    stay_out_equation_loss: float
    essential: tuple[str, ...]
    ranges: tuple[tuple[str, float, float], ...]
    tips: tuple[Tip, ...]
    levers: tuple[Scale, ...]
    doubling: Doubling | None
    missing: str

    @property
    def gainers(self) -> int:
        """For how many sites it pays."""
        return sum(user.count for user in self.users if user.verdict == "yes")

    @property
    def sites(self) -> int:
        """How many sites use it."""
        return sum(user.count for user in self.users)


def threshold(own: ArrayLike, needed: float | None, factor: float) -> NDArray[np.float64]:
    """Return the effective records from which it pays for one who has records of its own.

    >>> threshold([10, 400], None, 1.25).tolist(), threshold([10, 400], 600, 1.25).tolist()
    ([30.0, 500.0], [600.0, 600.0])
    """
    least = FLOOR if needed is None else needed
    return np.maximum(factor * np.asarray(own, dtype=float), least)


def judged(low: ArrayLike, high: ArrayLike, equation: ArrayLike, least: ArrayLike) -> Codes:
    """Return the verdicts as places in `VERDICTS`, by one rule.

    It pays where the least worth reaches the threshold, and does not where the largest falls
    short; then the equation says whether a better method might. Else constants decide.

    >>> judged([5, 5, 1, 1], [9, 9, 2, 2], [9, 9, 2, 9], [4, 6, 4, 4]).tolist()
    [3, 2, 0, 1]
    """
    low, high, equation, least = (np.asarray(x, float) for x in (low, high, equation, least))
    least = least * (1.0 - 1e-12)  # rounding does not decide between equals
    short = np.where(equation >= least, 1, 0)
    unknown = np.isnan(low) | ((low < least) & (high >= least))
    return np.where(unknown, 2, np.where(low >= least, 3, short)).astype(np.int8)
