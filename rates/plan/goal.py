"""What a plan asks for, as a fraction of today's rate."""

from __future__ import annotations

import math

from rates.answer import Lens, equation
from rates.numbers import DomainError, as_number
from rates.study import Study


def check_fraction(fraction: object) -> float:
    """Return the wanted fraction of today's rate, in (0, 1), or say what holds.

    >>> check_fraction(0.5)
    0.5
    >>> check_fraction(1)
    Traceback (most recent call last):
        ...
    rates.DomainError: Nothing needs to change: a rate of today's or more is already \
met, so the wanted fraction of today's rate must be below 1. fraction: got 1.
    """
    number = as_number(fraction)
    if number is None or math.isnan(number):
        rule = "The wanted fraction of today's rate must be a number between 0 and 1."
    elif number >= 1:
        rule = (
            "Nothing needs to change: a rate of today's or more is already met, so the wanted "
            "fraction of today's rate must be below 1."
        )
    elif number < 1e-300:
        rule = (
            "No finite study reaches a rate of 0, so the wanted fraction of today's rate must be "
            "above 0."
        )
    else:
        return float(number)
    raise DomainError(rule, field="fraction", value=fraction)


def fraction_of_sample(study: Study, multiple: float, risk: str | None = None) -> float:
    r"""Return the fraction of today's rate at a multiple of today's effective sample.

    .. math:: f = k^{-p/w}, \qquad \text{rate} = r^p, \quad n_{\mathrm{eff}} \propto r^{-w}.

    Args:
        study: A study.
        multiple: k > 1.
        risk: "integrated" (taken by default) or "pointwise" for a federated study.

    Raises:
        DomainError: The multiple is not a finite number above 1.

    Examples:
        At beta 0.5, d 2, alpha 1 the rate is r and the effective sample r^-3.

        >>> from rates.presets import preset
        >>> round(fraction_of_sample(preset("hospitals").study, 8), 12)
        0.5

    Source: [ACC] eq. (6), Theorem 3.4; [CCV] Theorem 2.1.
    """
    number = as_number(multiple)
    if number is None or not 1 < number < math.inf:
        rule = (
            "A multiple of today's effective sample must be a finite number above 1: "
            "today's is there already."
        )
        raise DomainError(rule, field="multiple", value=multiple)
    own = equation(study, Lens(risk=risk))
    return math.exp(-math.log(number) * own.rate_power / own.worth_power)


def fraction_of_risk(now: float, wanted: float, *, floor: float = 0.0) -> float:
    r"""Return the fraction of today's rate at which a calibrated risk is reached.

    .. math:: f = (\text{wanted} - \text{floor}) / (\text{now} - \text{floor})

    Rates have unknown constants; a risk observed today fixes the constant, if the risk above the
    floor is proportional to the rate.

    Args:
        now: The risk observed today, such as an error share or a mean squared error.
        wanted: The risk wanted, in (floor, now).
        floor: The risk that no number of records removes, at least 0.

    Raises:
        DomainError: The risks are not in this order.

    >>> round(fraction_of_risk(0.30, 0.25, floor=0.20), 12)
    0.5

    Source: our reading; [ACC] eq. (6) and [CCV] eq. (14) bound the excess risk up to constants.
    """
    numbers = [as_number(x) for x in (now, wanted, floor)]
    a, b, c = (math.nan if x is None else float(x) for x in numbers)
    if not 0 <= c < b < a < math.inf:
        rule = "The risks must satisfy 0 <= floor < wanted < now: below the floor no study helps."
        raise DomainError(rule, field="wanted", value=wanted)
    return (b - c) / (a - c)
