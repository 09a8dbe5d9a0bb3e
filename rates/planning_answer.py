"""One plan as the command line prints it: the rate equation's value, and the mechanism's."""

from __future__ import annotations

import math
from dataclasses import dataclass

import rates
from rates.answers import TransferAnswer
from rates.inverse import ALL, Unreachable, smallest
from rates.parameters import DomainError
from rates.planning import needed
from rates.scenario import Study


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """The smallest value of one quantity that reaches a rate.

    Attributes:
        quantity: "n" or "epsilon".
        servers: A row's name, or "all".
        rate: The rate wanted.
        rate_now: The study's rate today, by the rate equation.
        reached: Whether some value reaches it by the rate equation.
        value: That value, a real number; nan where there is none.
        reason: Why there is none; empty where there is one.
        best: The rate at an unlimited value where there is none; nan otherwise.
        mechanism_value: The value by the named mechanism at the same fraction of today's rate;
            nan where there is none, or where today's rate is enough.
        mechanism_reason: Why there is none; empty where there is one.
        text: Both as sentences.
    """

    quantity: str
    servers: str
    rate: float
    rate_now: float
    reached: bool
    value: float
    reason: str
    best: float
    mechanism_value: float
    mechanism_reason: str
    text: str


def plan_answer(study: Study, quantity: str, servers: str, rate: float) -> PlanAnswer:
    """Find the smallest value by the rate equation, and what the mechanism needs beside it.

    The mechanism's rate has other constants, so it is asked for the same fraction of its own.

    Raises:
        DomainError: An argument lies outside its set.

    >>> from rates.presets import preset
    >>> plan_answer(preset("hospitals").study, "n", "Hungary", 0.08).text.split("; ")[0]
    'By the rate equation, Hungary needs n = 1097.4 for a rate of 0.08 (today 0.09898)'

    Source: [ACC] eqs. (5), (6); [CCV] eq. (14).
    """
    value, best, reason = math.nan, math.nan, ""
    try:
        value = smallest(study, quantity, servers, rate=rate)
    except Unreachable as error:
        best, reason = error.best, str(error)
    answer = rates.solve(study)
    risk = answer if isinstance(answer, TransferAnswer) else answer.integrated
    named, why = _mechanism(study, quantity, servers, math.log(rate) - risk.log_rate)
    who = "every row" if servers == ALL else servers
    if servers == ALL and quantity == "epsilon":
        who = "every private row"
    if reason:
        text = f"{reason[:-1]}; {_words(named, why, quantity)}."
    else:
        text = (
            f"By the rate equation, {who} needs {quantity} = {value:.6g} for a rate of {rate:.4g} "
            f"(today {risk.rate:.4g}); {_words(named, why, quantity)}."
        )
    return PlanAnswer(
        quantity=quantity,
        servers=servers,
        rate=rate,
        rate_now=risk.rate,
        reached=not reason,
        value=value,
        reason=reason,
        best=best,
        mechanism_value=named,
        mechanism_reason=why,
        text=text,
    )


def _mechanism(study: Study, quantity: str, servers: str, log_fraction: float) -> tuple[float, str]:
    if not -690.0 < log_fraction < 0.0:
        return math.nan, "today's rate is enough" if log_fraction >= 0 else "too far from today's"
    fraction = math.exp(log_fraction)
    try:
        found = needed(study, quantity, servers, fraction=fraction, mechanism="analytic")
    except (Unreachable, DomainError) as error:
        return math.nan, str(error)
    return found.value, ""


def _words(value: float, why: str, quantity: str) -> str:
    if not why:
        return f"by the mechanism {quantity} = {value:.6g} for the same fraction of today's"
    text = why.removeprefix("By the mechanism ").removesuffix(".")
    return f"by the mechanism: {text}"
