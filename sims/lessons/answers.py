"""Answers: the skill that they show, and how they read in words."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rates.numbers import DomainError, between, number, percent
from sims.lessons import hands, typed
from sims.lessons.records import CHOICE, POINTS, SHARES, TYPED, Question, Truth


def skill(question: Question, report: tuple[float, ...], truth: Truth) -> float:
    r"""Return :math:`1 - loss / constant` of a report: 1 is exact, below 0 is possible.

    Numbers and curves lose the mean distance to what is true (to the nearest end of a band; on
    the log10 scale where the question says so), shares and choices the sum of squared
    differences of the parts of one; a typed rate is right up to constants, or not. So the best
    report is what one believes: the median of a number, the mean of shares, the chances of
    options.

    Raises:
        DomainError: The report is not one of the question.
    """
    given = question.check(report)
    if question.kind == TYPED:
        return float(typed.holds(question, given, truth))
    if question.kind in (CHOICE, SHARES):
        whole = 1.0 if question.kind == CHOICE else POINTS
        loss = math.fsum(((v - t) / whole) ** 2 for v, t in zip(given, truth.low, strict=True))
    else:
        ends = zip(given, truth.low, truth.high, strict=True)
        loss = math.fsum(_distance(*end, log=question.log) for end in ends) / len(given)
    return 1 - loss / question.constant


def _distance(value: float, low: float, high: float, *, log: bool) -> float:
    if log:
        value, low, high = (math.log10(x) for x in (value, low, high))
    return max(low - value, value - high, 0.0)


def spread(question: Question, place: int, confidence: float) -> tuple[float, ...]:
    """Return the full report of someone who picks one option with a confidence.

    What is left is spread evenly over the others.

    Args:
        question: A choice.
        place: Which option, from 0.
        confidence: Its probability, from 1/k to 1 for k options.

    Raises:
        DomainError: There is no such option, or the confidence is outside its set.
    """
    k = len(question.parts)
    if not (isinstance(place, int) and 0 <= place < k):
        raise DomainError(f"The option must be one of {k}.", question.key, place)
    if not 1 / k - 1e-9 <= confidence <= 1:
        rule = f"The confidence must lie from 1/{k} to 1."
        raise DomainError(rule, question.key, confidence)
    rest = (1 - confidence) / (k - 1)
    return tuple(confidence if i == place else rest for i in range(k))


# In words -------------------------------------------------------------------------------------


def answer(question: Question, report: Sequence[float]) -> str:
    """Return what was predicted in a few words.

    >>> vote = Question(key="a", kind=CHOICE, text="?", parts=("yes", "no"))
    >>> answer(vote, (0.8, 0.2)), answer(vote, (1.0, 0.0)), answer(vote, (0.5, 0.5))
    ('yes, 80% sure', 'yes', 'all options alike')
    """
    if question.kind == TYPED:
        return typed.written(question.parts, report)
    if question.kind != CHOICE:
        return _joined(question, [(v, v) for v in report])
    place, *others = hands.foremost(report)
    sure = f", {percent(report[place])} sure" if report[place] < 1 else ""
    return "all options alike" if others else question.parts[place] + sure


def true_answer(question: Question, truth: Truth) -> str:
    """Return what is true in a few words; a band by its ends."""
    if question.kind == CHOICE:
        return question.parts[right(truth)]
    if question.kind == TYPED:
        return answer(question, truth.low)
    return _joined(question, zip(truth.low, truth.high, strict=True))


def right(truth: Truth) -> int:
    """Return the place of the right option of a choice."""
    return truth.low.index(max(truth.low))


def _joined(question: Question, ends: Iterable[tuple[float, float]]) -> str:
    unit = "" if question.kind == SHARES else question.unit
    space = "" if unit in ("", "%") else " "
    numbers = [f"{between(*pair)}{space}{unit}" for pair in ends]
    if question.kind == SHARES or len(numbers) == 1:
        return " / ".join(numbers)
    return "; ".join(f"{part}: {n}" for part, n in zip(question.parts, numbers, strict=True))


def explained(text: str, truth: Truth) -> str:
    """Return an explanation with what the truth says in the places of its names.

    ``{name}`` is a number of three digits, ``{name:5}`` of five; ``{name:percent}`` a fraction in
    per cent, of two numbers the range; ``{name:percents}`` and ``{name:points}`` list several.

    Raises:
        KeyError: The truth says nothing of that name.

    >>> from sims.engine import Values
    >>> found = Truth((1.0,), (1.0,), "by hand", Values(share=(0.025, 0.037), n=31622.8))
    >>> explained("{share:percent} of {n:5}", found)
    '2.5 to 3.7% of 31,623'
    """
    return _Said().vformat(text, (), truth.said)


_SHOWN: dict[str, Callable[[float], str]] = {
    "percent": percent,
    "percents": percent,
    "points": "{:.1f}".format,
}


class _Said(string.Formatter):
    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        return kwargs[str(key)]

    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, str):
            return value
        show = _SHOWN.get(format_spec) or partial(number, digits=int(format_spec or 3))
        if not isinstance(value, tuple):
            return show(value)
        if format_spec in ("percents", "points"):
            *first, last = map(show, value)
            return f"{', '.join(first)} and {last}"
        return between(min(value), max(value), show)
