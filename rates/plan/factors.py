r"""What is planned for, and by what factor every budget, size or count would have to grow.

A factor lowers nothing, where one common value would lower what is larger. At the root of the goal
the terms add up to 1, so the factor is the root of one increasing function,

.. math:: \sum_j T_j(u_{\text{goal}}; f) = 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rates import numbers
from rates.answer import KAPPAS, Lens, equation
from rates.numbers import DomainError, at_root, safe_exp
from rates.plan import base
from rates.plan.base import Array
from rates.plan.change import LEVERS, Change
from rates.study import USES, Study, columns

_FARTHEST = 40.0  # log of the largest factor that is looked for
_EXACT = 1e-12  # of the log of a factor
_MET = 1e-9  # of the log of the sum of the terms: today's is enough, but for rounding


def in_house(study: Study, use: str | None = None) -> Study:
    """Return the study as its user sees it: a target that uses it itself needs no noise for itself.

    Args:
        study: A study.
        use: "target", "each" or "others"; None for the target of a study that has one.

    Raises:
        DomainError: The use is not known.

    >>> from rates.presets import preset
    >>> [s.epsilon for s in in_house(preset("hospitals").study).servers]
    [inf, 1.0, 1.0, 1.0]
    >>> in_house(preset("hospitals").study, "others") == preset("hospitals").study
    True
    """
    if use is not None and use not in USES:
        raise DomainError(f"The use must be one of {', '.join(USES)}.", "use", use)
    if study.target is None or use not in (None, "target"):
        return study
    return replace(study, target=replace(study.target, epsilon=math.inf))


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """What is aimed at, of every answer in its own effective records.

    Attributes:
        needed: Effective records; None where they go by what the study is worth.
        multiple: How many times today's; None for a part of what privacy costs.
        part: Which part of the distance to no privacy.

    Raises:
        DomainError: A number lies outside its set.

    >>> from rates.presets import preset
    >>> study = preset("hospitals").study
    >>> aims = (Aim(needed=200), Aim(multiple=2), Aim(part=0.5))
    >>> [round(aim.records(study, Lens(mechanism="analytic"))) for aim in aims]
    [200, 82, 665]
    """

    needed: float | None = None
    multiple: float | None = None
    part: float = 0.5

    def __post_init__(self) -> None:
        for name, low, high in (("needed", 0, math.inf), ("multiple", 0, math.inf), ("part", 0, 1)):
            value = getattr(self, name)
            number = numbers.as_number(value)
            if value is not None and (number is None or not low < number <= high):
                rule = f"What is aimed at must lie above {low} and at most at {high}."
                raise DomainError(rule, name, value)

    @classmethod
    def of_rate(cls, study: Study, fraction: float, risk: str | None = None) -> Aim:
        """Return the aim at a fraction of today's rate: the multiple that goes with it.

        Args:
            study: A study.
            fraction: The rate wanted over today's, above 0.
            risk: "integrated" (taken by default) or "pointwise" for a federated study.

        >>> from rates.presets import preset
        >>> round(Aim.of_rate(preset("hospitals").study, 0.5).multiple, 9)
        8.0
        """
        own = equation(study, Lens(risk=risk))
        return cls(multiple=safe_exp(-math.log(fraction) * own.worth_power / own.rate_power))

    def records(self, study: Study, lens: Lens) -> float:
        """Return the effective records aimed at, by one answer."""
        return float(_goals(study, lens, (), self))

    def fraction(self, study: Study, lens: Lens) -> float:
        """Return the rate that goes with it over today's; from 1 on today's is enough."""
        own = equation(study, lens)
        gain = math.log(self.records(study, lens)) - math.log(own.worth())
        return safe_exp(-gain * own.rate_power / own.worth_power) if abs(gain) > 1e-12 else 1.0


HALF = Aim()  # of what privacy costs


def _goals(study: Study, lens: Lens, kappas: Sequence[float], aim: Aim) -> Array:
    """The effective records aimed at, by an answer or each of some constants of it."""
    if aim.needed is not None:
        return np.asarray(aim.needed, dtype=float)
    now, free = (equation(x, lens, kappas=kappas).worth() for x in (study, study.unprotected()))
    return now * aim.multiple if aim.multiple is not None else now + aim.part * (free - now)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The factor on one quantity of all rows that reaches a goal.

    Attributes:
        quantity: "count" (rows of many alike sites only), "epsilon" or "n".
        low: The least factor over the mechanism's constants, at least 1; nan without every delta.
        high: The largest; ``inf`` where no factor is enough.
        equation: By the rate equation.
    """

    quantity: str
    low: float
    high: float
    equation: float


def quantities(study: Study) -> tuple[str, ...]:
    """Return what of all rows together can grow, more people before more records of each.

    >>> from rates.presets import preset
    >>> quantities(preset("phones").study), quantities(preset("hospitals").study.unprotected())
    (('count', 'epsilon', 'n'), ('n',))
    """
    c = columns(study.servers)
    some = (c["n"] > 0) & (c["epsilon"] > 0)
    every = reversed(LEVERS.items())
    return tuple(name for name, x in every if x.grown and (some & x.grows(c)).any())


def scales(
    study: Study, aim: Aim = HALF, *, risk: str | None = None, kappas: Sequence[float] = KAPPAS
) -> tuple[Scale, ...]:
    """Return by what factor counts, budgets and sizes would have to grow, one at a time.

    Args:
        study: A study in which some site carries information.
        aim: What is aimed at; half of what privacy costs where nothing is said.
        risk: "integrated" (taken by default) or "pointwise" for a federated study.
        kappas: Bandwidths over r of the mechanism (transfer studies).

    Returns:
        The quantities that the study has: counts first, as more people are easier to find than
        more records of each.

    >>> from rates.presets import preset
    >>> budgets, sizes = scales(preset("hospitals").study, Aim(needed=200))
    >>> round(budgets.low, 2), round(budgets.high, 2), round(sizes.high, 2)
    (3.69, 6.15, 4.69)

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    plain = Lens(risk=risk)
    exact = _factors(study, plain, kappas, aim)
    unknown = dict.fromkeys(exact, np.array([math.nan]))
    named = unknown if plain.lacks_delta(study) else _factors(study, plain.named, kappas, aim)
    return tuple(
        Scale(quantity=x, low=float(named[x].min()), high=float(named[x].max()), equation=float(at))
        for x, (at,) in exact.items()
    )


def lenses(
    study: Study, risk: str | None = None, kappas: Sequence[float] = KAPPAS
) -> tuple[Lens, ...]:
    """Return the rate equation, and the mechanism with each of its constants.

    The mechanism is left out where a delta is missing; a curve's has one set of constants.

    >>> from rates.presets import preset
    >>> [lens.kappa for lens in lenses(preset("hospitals").study)[1:]]
    [1.0, 2.0, 3.0]
    """
    plain = Lens(risk=Lens(risk=risk).risk_of(study))
    if plain.lacks_delta(study):
        return (plain,)
    return (plain, *plain.at_widths(study, kappas))


def _factors(study: Study, lens: Lens, kappas: Sequence[float], aim: Aim) -> dict[str, Array]:
    """The factor on each quantity of a study, by each of some constants of an answer."""
    own = equation(study, lens, kappas=kappas)
    goals = np.broadcast_to(_goals(study, lens, kappas, aim), own.log_worth.shape)
    found = (goals > 0.0) & (goals < math.inf)  # a goal of 0 is reached, one without end never
    # The root that belongs to the goal: at it the terms have to add up to 1.
    reached = (own.log_worth - np.log(np.where(found, goals, 1.0))) / own.worth_power
    every = base.of_terms(study, lens, own.terms)
    out = {}
    for quantity in quantities(study):
        # As a default, since a function made in a loop would see its last quantity.
        def log_sums(x: Array, lever: Change = LEVERS[quantity]) -> Array:
            grown = lever.scaled(every, np.exp(x)[:, None])
            level = at_root(grown, reached)[0]
            total = np.logaddexp.reduce(level, axis=-1)
            met = (x == 0.0) & (total > -_MET)  # today's is enough, but for rounding
            return np.where(~found | met, 0.0, total)

        logs = numbers.rising(log_sums, np.zeros(len(goals)), low=0.0, high=_FARTHEST, exact=_EXACT)
        factors = np.exp(np.maximum(logs, 0.0))
        out[quantity] = np.where(found, factors, np.where(goals == 0.0, 1.0, np.inf))
    return out
