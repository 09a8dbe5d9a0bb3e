"""What is planned for: who uses the result, and what it should be worth to them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from rates.answer import Lens, equation
from rates.numbers import DomainError, as_number, safe_exp, solve_log
from rates.study import Study, TransferStudy

USES = ("target", "each", "others")


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
    if use not in (None, *USES):
        raise DomainError(f"The use must be one of {', '.join(USES)}.", "use", use)
    if not isinstance(study, TransferStudy) or use not in (None, "target"):
        return study
    target, *sources = study.servers
    return study.with_servers([replace(target, epsilon=math.inf), *sources])


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
            number = as_number(value)
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
        return cls(multiple=math.exp(-math.log(fraction) * own.worth_power / own.rate_power))

    def records(self, study: Study, lens: Lens) -> float:
        """Return the effective records aimed at, by one answer."""
        if self.needed is not None:
            return self.needed
        now = _worth(study, lens)
        if self.multiple is not None:
            return self.multiple * now
        return now + self.part * (_worth(study.unprotected(), lens) - now)

    def fraction(self, study: Study, lens: Lens) -> float:
        """Return the rate that goes with it over today's; from 1 on today's is enough."""
        own = equation(study, lens)
        gain = math.log(self.records(study, lens)) - math.log(_worth(study, lens))
        return safe_exp(-gain * own.rate_power / own.worth_power) if abs(gain) > 1e-12 else 1.0


def _worth(study: Study, lens: Lens) -> float:
    own = equation(study, lens)
    return float(own.effective_n(solve_log(own.terms)))
