"""Proper scores of predictions, each divided by a constant of its question."""

from __future__ import annotations

import math

from rates.numbers import DomainError
from sims.lessons import typed
from sims.lessons.records import CHOICE, POINTS, SHARES, TYPED, Question, Score, Truth


def score(question: Question, report: tuple[float, ...], truth: Truth) -> Score:
    r"""Return the loss of a report and its skill, :math:`1 - loss / constant`.

    Numbers and curves lose the mean distance to what is true (to the nearest end of a band; on
    the log10 scale where the question says so), shares and choices the sum of squared
    differences of the parts of one; a typed rate is right up to constants, or not.

    Raises:
        DomainError: The report is not one of the question.
    """
    given = question.check(report)
    if question.kind == TYPED:
        loss = float(not typed.holds(question, given, truth))
        return Score(loss, 1 - loss)
    if question.kind in (CHOICE, SHARES):
        whole = 1.0 if question.kind == CHOICE else POINTS
        loss = math.fsum(((v - t) / whole) ** 2 for v, t in zip(given, truth.low, strict=True))
    else:
        ends = zip(given, truth.low, truth.high, strict=True)
        loss = math.fsum(_distance(*end, log=question.log) for end in ends) / len(given)
    return Score(loss, 1 - loss / question.constant)


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
    rest = (1 - confidence) / (k - 1) if k > 1 else 0.0
    return tuple(confidence if i == place else rest for i in range(k))


def _distance(value: float, low: float, high: float, *, log: bool) -> float:
    if log:
        value, low, high = (math.log10(x) for x in (value, low, high))
    return max(low - value, value - high, 0.0)
