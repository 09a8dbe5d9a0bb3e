"""Rates as answers: typed in the language of rates, kept as powers, decided with a counterexample.

What is typed is read by the language's own parser, which evaluates nothing.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from rates.numbers import DomainError, Words, listed, number, pack, shown
from sims.engine import Values
from sims.lessons.records import Question, Truth

if TYPE_CHECKING:
    from rates.orders import Decision, Order

MOST_TEXT = 100  # characters of an answer
_PARTS = ("eps", "t")  # letters that are below one where they differ; others count something
_ROOTS = 60  # the largest denominator of a power that is kept as a number
SOURCE = "the language of rates: orders are piecewise linear in the logarithms, decided exactly"


def read(question: Question, text: str) -> tuple[float, ...]:
    """Return a typed rate as it is kept: the power of each letter of the question.

    Raises:
        DomainError: It cannot be read, or is more than one product of powers.

    >>> from sims.lessons.catalogue import question
    >>> read(question("cross"), "7 * sqrt(d)/eps")
    (0.5, -1.0)
    """
    if len(text) > MOST_TEXT:
        rule = f"A rate has at most {MOST_TEXT} characters."
        raise DomainError(rule, "rate", Words(f"{len(text)}"))
    from rates.orders import parse

    # By the parser of the language, which evaluates nothing.
    terms = parse(text, sizes=question.parts).explicit().at({}).leaves
    found = {term.powers for term in terms}
    if len(found) > 1:
        rule = "An order is one product of powers: leave out the terms that do not decide."
        raise DomainError(rule, "rate", Words(shown(text)))
    powers = dict(found.pop())
    return question.check(tuple(float(powers.get(letter, 0)) for letter in question.parts))


def written(letters: Sequence[str], powers: Sequence[float]) -> str:
    """Return powers of letters as a text that reads back to them.

    >>> written(["n", "d", "eps"], [1 / 3, 1.0, -2.0]), written(["n", "t"], [-1.0, -0.5])
    ('n^(1/3)*d/eps^2', '1/(n*t^(1/2))')
    """
    over, under = list[str](), list[str]()
    for letter, value in zip(letters, powers, strict=True):
        power = abs(Fraction(value).limit_denominator(_ROOTS))
        raised = f"^{power}" if power.denominator == 1 else f"^({power})"
        if power:
            (over if value > 0 else under).append(letter if power == 1 else letter + raised)
    above, below = "*".join(over) or "1", "*".join(under)
    if not below:
        return above
    return f"{above}/({below})" if len(under) > 1 else f"{above}/{below}"


def _order(question: Question, powers: Sequence[float]) -> Order:
    from rates.orders import parse

    return parse(written(question.parts, powers), sizes=question.parts)


def holds(question: Question, powers: Sequence[float], truth: Truth) -> bool:
    """Whether an answer is the true rate up to constants."""
    return _decided(question, tuple(powers), truth.low).holds is True


def differ(question: Question, powers: Sequence[float], truth: Truth) -> dict[str, float]:
    """Return sizes at which an answer is not the true rate; none where it is."""
    found = _decided(question, tuple(powers), truth.low).counterexample or {}
    return {letter: float(value) for letter, value in found.items()}


@lru_cache(maxsize=1024)
def _decided(question: Question, powers: tuple[float, ...], true: tuple[float, ...]) -> Decision:
    from rates.orders import Claim, decide

    where = list(question.rate.where) if question.rate else []
    # Budgets and errors are small and sizes large, or there is no order.
    where += [f"{x} {'<=' if x in _PARTS else '>='} 1" for x in question.parts]
    return decide(Claim(_order(question, powers), _order(question, true), tuple(where)), {})


def verdict(question: Question, powers: Sequence[float], truth: Truth) -> str:
    """Say whether an answer is the true rate, and if not, where the two differ; plain text."""
    if holds(question, powers, truth):
        return "That is the order, whatever the constants."
    at = differ(question, powers, truth)
    mine, true = (float(_order(question, x).value(at, {})) for x in (powers, truth.low))
    places = listed([f"{letter} = {number(value)}" for letter, value in at.items()], most=len(at))
    return (
        f"That is not the order: at {places} it is {number(mine)}, the true one {number(true)}. "
        "Squared again and again, these sizes take the two as far apart as one likes."
    )


def truth(question: Question) -> Truth:
    """Return where two terms cross, what an equation says, or the term that a sum is like."""
    from rates.orders import Claim, crossings, decide, parse, texts

    asked, letters = question.rate, _letters(question)
    assert asked is not None
    order = parse(asked.text, sizes=letters, unknown=asked.unknown or None)
    if asked.unknown:
        found = str(order.explicit())
    elif asked.along:
        (crossing,) = crossings(order, asked.along)
        found = str(crossing.at)
    else:
        terms = texts.term_texts(order).values()
        found = next(x for x in terms if decide(Claim(order, x, asked.where), {}).holds)
    powers = read(question, found)
    return Truth(powers, powers, SOURCE, Values(rate=written(question.parts, powers)))


def _letters(question: Question) -> tuple[str, ...]:
    """The sizes of a question's rate."""
    along = question.rate.along if question.rate else ""
    return (along, *question.parts) if along else question.parts


def link(question: Question) -> dict[str, str]:
    """Return the address in which the page Orders opens the rate of a question."""
    asked = question.rate
    assert asked is not None
    data = {"version": 1, "text": asked.text, "sizes": [*_letters(question)]}
    data |= {"unknown": asked.unknown} if asked.unknown else {}
    data |= {"where": [*asked.where]} if asked.where else {}
    return {"rate": pack(json.dumps(data))}
