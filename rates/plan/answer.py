"""One plan as the command line prints it: the rate equation's value, and the mechanism's."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rates.answer import Lens, TransferAnswer, solve
from rates.numbers import DomainError, Words, safe_exp
from rates.plan.base import check_fraction, check_rate
from rates.plan.change import ALL, LEVERS
from rates.plan.needs import Needed, Unreachable, needed, smallest
from rates.study import Server, Study

NAMED = Lens(mechanism="analytic")
TOO_LARGE = "what would be needed is too large for a number"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAnswer:
    """The smallest value of one quantity that reaches a rate.

    Attributes:
        quantity: "n", "epsilon", "count", "signal_exponent" (the largest value is meant), or
            "sites" for the number of further sites.
        servers: A row's name, or "all"; empty for further sites.
        rate: The rate wanted; above 1 where a fraction of a trivial rate is asked for.
        fraction: The same over today's, both uncapped.
        rate_now: The study's rate today, by the rate equation.
        reached: Whether some value reaches it by the rate equation.
        value: That value, a real number; nan where there is none.
        reason: Why there is none; empty where there is one.
        best: The rate at an unlimited value where there is none; nan otherwise, or where the
            value is too large for a number.
        mechanism_value: The value by the named mechanism at the same fraction of today's rate;
            nan where there is none, or where today's rate is enough.
        mechanism_reason: Why there is none; empty where there is one.
        text: Both as sentences.
    """

    quantity: str
    servers: str
    rate: float
    fraction: float
    rate_now: float
    reached: bool
    value: float
    reason: str
    best: float
    mechanism_value: float
    mechanism_reason: str
    text: str


def plan_answer(
    study: Study,
    quantity: str,
    servers: str = ALL,
    rate: float | None = None,
    *,
    fraction: float | None = None,
    kind: Server | None = None,
) -> PlanAnswer:
    """Find the smallest value by the rate equation, and what the mechanism needs beside it.

    The mechanism's rate has other constants, so it is asked for the same fraction of its own.

    Args:
        study: A study; for a federated one the integrated risk is meant.
        quantity: One of `rates.plan.change.LEVERS`.
        servers: A row's name, or "all" for n and epsilon; not used for sites.
        rate: The rate wanted, in (0, 1); for n and epsilon it may exceed today's.
        fraction: Instead of it the rate wanted over today's, in (0, 1).
        kind: What a further site is like, for "sites".

    Raises:
        DomainError: An argument lies outside its set.

    >>> from rates.presets import preset
    >>> hospitals = preset("hospitals").study
    >>> plan_answer(hospitals, "n", "Hungary", 0.08).text.split("; ")[0]
    'By the rate equation, Hungary needs n = 1097.4 for a rate of 0.08 (today 0.09898)'
    >>> plan_answer(hospitals, "count", "Cleveland", fraction=0.5).text.split("; ")[0]
    "By the rate equation, Cleveland needs count = 19.6316 for 0.5 of today's rate"

    Source: [ACC] eqs. (5), (6); [CCV] eq. (14).
    """
    if quantity not in LEVERS:
        raise DomainError(f"The quantity must be one of {', '.join(LEVERS)}.", "quantity", quantity)
    if (rate is None) == (fraction is None):
        both = Words("neither" if rate is None else "both")
        raise DomainError("A rate or a fraction of today's is wanted.", "rate", both)
    lever, answer = LEVERS[quantity], solve(study)
    risk = answer if isinstance(answer, TransferAnswer) else answer.integrated
    if rate is not None:
        check_rate(rate)
        log_fraction = math.log(rate) - risk.log_rate
        aim = f"a rate of {rate:.4g} (today {risk.rate:.4g})"
    else:
        log_fraction = math.log(check_fraction(fraction))
        aim = f"{fraction:.4g} of today's rate"
    ask = partial(needed, study, quantity, servers, kind=kind)
    value, best, reason = math.nan, math.nan, ""
    try:
        if rate is not None and lever.common:
            value = smallest(study, quantity, servers, rate=rate)
        else:
            value = ask(fraction=check_fraction(safe_exp(log_fraction))).value
    except Unreachable as error:
        best, reason = error.best, str(error)
    if math.isinf(value):
        value, reason = math.nan, f"By the rate equation {TOO_LARGE}: {aim} is out of reach."
    named, why = _by_mechanism(ask, log_fraction)
    beside = why.removeprefix("By the mechanism ").removesuffix(".")
    beside = f": {beside}" if why else f" {lever.amount(named)} for the same fraction of today's"
    who = lever.everyone.lower() if servers == ALL else servers
    found = f"{'the study' if lever.further else who} needs {lever.amount(value)} for {aim}"
    exact = reason[:-1] if reason else f"By the rate equation, {found}"
    return PlanAnswer(
        quantity=quantity,
        servers="" if lever.further else servers,
        rate=safe_exp(log_fraction + risk.log_rate) if rate is None else rate,
        fraction=safe_exp(log_fraction),
        rate_now=risk.rate,
        reached=not reason,
        value=value,
        reason=reason,
        best=best,
        mechanism_value=named,
        mechanism_reason=why,
        text=f"{exact}; by the mechanism{beside}.",
    )


def _by_mechanism(ask: Callable[..., Needed], log_fraction: float) -> tuple[float, str]:
    """What the mechanism needs, or why there is nothing to say."""
    if not -690.0 < log_fraction < 0.0:
        return math.nan, "today's rate is enough" if log_fraction >= 0 else "too far from today's"
    try:
        return ask(fraction=math.exp(log_fraction), lens=NAMED).value, ""
    except (Unreachable, DomainError) as error:
        return math.nan, str(error)
