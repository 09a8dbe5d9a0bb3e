"""Explanations with the numbers that a truth brings; none is typed."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rates.numbers import between, number, percent
from sims.lessons.records import Truth


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
