"""Answers, truths and explanations in words; the numbers of an explanation come with its truth."""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from rates.numbers import between, number, percent
from sims.lessons import hands, typed
from sims.lessons.records import CHOICE, SHARES, TYPED, Question, Truth


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


def listed(values: Sequence[float], show: Callable[[float], str]) -> str:
    """Return all numbers as a list in words.

    >>> listed((42.6, 34.7, 22.7), number)
    '42.6, 34.7 and 22.7'
    """
    *first, last = map(show, values)
    return f"{', '.join(first)} and {last}" if first else last


SHOWN: dict[str, Callable[[float], str]] = {
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
        show = SHOWN.get(format_spec) or partial(number, digits=int(format_spec or 3))
        if not isinstance(value, tuple):
            return show(value)
        if format_spec in ("percents", "points"):
            return listed(value, show)
        return between(min(value), max(value), show)


# Answers, as plain text ---------------------------------------------------------------------------


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
