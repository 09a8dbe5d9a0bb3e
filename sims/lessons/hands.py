"""A vote by show of hands: what a hand may be raised for, and the counts that are typed."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Sequence

from rates.numbers import DomainError, Parameter, Words, number, numbers_from_text
from sims.lessons import typed
from sims.lessons.records import CHOICE, SHARES, TYPED, Question

MOST = 4  # ranges of a number that hands are raised for
HANDS = Parameter("hands", "h", "0, ..., 1000", noun="A count of hands", help="Hands raised.")
OTHER = "Another one"


def options(question: Question) -> tuple[str, ...]:
    """Return what hands are raised for.

    Choices and sites are those of the question; the range of a number is cut into four parts, alike
    on the scale of its slider. Of typed rates the usual ones are named.

    >>> from sims.lessons.catalogue import question
    >>> options(question("class"))
    ('1 to 3.16', '3.16 to 10', '10 to 31.6', '31.6 to 100')
    """
    if question.rate is not None:
        return (*question.rate.usual, OTHER)
    if question.parameter is None:
        return question.parts
    edges = _edges(question)
    return tuple(f"{number(a)} to {number(b)}" for a, b in itertools.pairwise(edges))


def _edges(question: Question) -> list[float]:
    assert question.parameter is not None
    low, high = question.parameter.stops[0], question.parameter.stops[-1]
    return [
        low * (high / low) ** (k / MOST) if question.log else low + (high - low) * k / MOST
        for k in range(MOST + 1)
    ]


def of_reports(question: Question, reports: Sequence[tuple[float, ...]]) -> tuple[int, ...]:
    """Return the counts of answers that phones gave, as if hands had been raised for them.

    An answer to a choice counts for its likeliest option, one of shares for its largest part; one
    that prefers none of them counts for none.

    >>> from sims.lessons.catalogue import question
    >>> of_reports(question("odds"), [(50.0,), (73.0,), (99.0,), (100.0,)])
    (1, 1, 0, 2)
    >>> of_reports(question("back"), [(0.1, 0.1, 0.7, 0.1), (0.25, 0.25, 0.25, 0.25)])
    (0, 0, 1, 0)
    """
    found = [0] * len(options(question))
    known = [typed.read(question, text) for text in question.rate.usual] if question.rate else []
    for report in reports:
        places: tuple[int, ...]
        if question.rate is not None:
            places = (known.index(report) if report in known else len(known),)
        elif question.parameter is None:
            places = foremost(report)
        else:
            places = (bisect.bisect_right(_edges(question)[1:-1], report[len(report) // 2]),)
        if len(places) == 1:
            found[places[0]] += 1
    return tuple(found)


def foremost(report: Sequence[float]) -> tuple[int, ...]:
    """Return which options or parts an answer gives most, from 0.

    >>> foremost((0.1, 0.1, 0.7, 0.1)), foremost((0.4, 0.4, 0.2))
    ((2,), (0, 1))
    """
    most = max(report)
    return tuple(k for k, x in enumerate(report) if math.isclose(x, most, rel_tol=1e-9))


def asked(question: Question) -> str:
    """Return which part of a question hands are raised about; empty where it has but one.

    >>> from sims.lessons.catalogue import question
    >>> asked(question("free")), asked(question("odds"))
    ('At ε = 1', '')
    """
    if question.kind == SHARES:
        return "Which one most"
    parts = question.parts
    return "" if question.kind in (CHOICE, TYPED) or len(parts) == 1 else parts[len(parts) // 2]


def counts(text: str, question: Question) -> tuple[int, ...]:
    """Return counts that were typed, one for each option; none where nothing was typed.

    Raises:
        DomainError: There are too many or too few, or one is no count.

    >>> from sims.lessons.catalogue import question
    >>> counts("12 30 8 5", question("class"))
    (12, 30, 8, 5)
    """
    given = [int(HANDS.check(x, "hands")) for x in numbers_from_text(text, "hands")] if text else []
    if given and len(given) != (need := len(options(question))):
        rule = f"Hands are {need} counts, one for each answer."
        raise DomainError(rule, "hands", Words(f"{len(given)}"))
    return tuple(given)
