"""Claims decided at given exponents, for all sizes at once, and over draws of exponents."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from typing import Any

from rates import proofs
from rates.numbers import DomainError, as_number
from rates.orders.claims.claim import Claim
from rates.orders.claims.conditions import Condition
from rates.orders.language import Range, exponents_at
from rates.orders.order import Order, losses_apart
from rates.pieces import Form, Leaf

MAX_DRAWS = 10_000
Exponents = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Decision(proofs.Decision):
    """What holds between the two sides of a claim, sums read as maxima.

    With logarithms or exponentials the sides need to be equal up to a constant only: it holds if
    powers and then logarithms are, and the constant is one that is enough, not the least.

    Attributes:
        sum_factor: What sums and balances may add to the constant, as a factor; what is a factor
            of both sides adds nothing.
        choice: Of several ways to meet the conditions, the one that the counterexample meets.
        logs: Whether logarithms were compared; False: up to logarithms; None: there are none.
    """

    sum_factor: float = 1.0
    choice: str = ""
    logs: bool | None = None


def decide(
    claim: Claim, exponents: Mapping[str, Any], *, logs: bool = True, sizes: bool = True
) -> Decision:
    """Decide a claim at given exponents, for all sizes at once.

    Args:
        claim: The rate, what it equals, and where.
        exponents: A number for every exponent.
        logs: Whether logarithms count. If not, each is read as 1, in conditions too.
        sizes: Whether to look for a counterexample.

    Raises:
        ContradictionError: No sizes meet the conditions; it names those that contradict.
        DomainError: A number is missing or out of its range, or there are too many terms.

    Examples:
        >>> from rates.orders import Claim, parse
        >>> order = parse("n^(-2*b/(2*b+1)) + (n*eps)^(-2*b/(b+1))",
        ...               sizes=["n", "eps"], exponents=["b"])
        >>> without = "n^(-2*b/(2*b+1))"
        >>> decide(Claim(order, without, ("n*eps^(2+1/b) >= 1",)), {"b": "1/2"}).holds
        True
        >>> found = decide(Claim(order, without, ("n*eps^2 >= 1",)), {"b": "1/2"})
        >>> found.constant, {x: str(size) for x, size in found.counterexample.items()}
        (inf, {'n': '4', 'eps': '1/2'})
        >>> claim = Claim(parse("log(n)/n", sizes=["n"]), "1/n", ("n >= 2",))
        >>> decide(claim, {}).holds, decide(claim, {}, logs=False).holds
        (False, True)

    Source: Farkas' lemma; the linear programs are those of `rates.proofs`.
    """
    order, other = claim.order, claim.other
    first, second, choices = order.at(exponents), other.at(exponents), claim.choices
    called = claim.functions
    if called and not logs:
        first, second = first.without_logs(), second.without_logs()
        choices = tuple(choice.without_logs() for choice in choices)
    choices = _inside(claim.order, choices, exponents)
    lines = [choice.at(order, exponents) for choice in choices]
    near = first.has_calls or second.has_calls or any(x.calls for where in lines for x in where)
    if near:
        if logs or "log" not in called:
            found = proofs.compare(first, second, lines)
        else:
            why = "beside an exponential no logarithm is left out: exp(log(n)) is n"
            found = proofs.Decision(None, math.nan, None, None, why=why)
    else:
        found = proofs.decide(first, second, *lines, sizes=sizes)
        strict = choices[found.place].inside(order, exponents)
        if found.counterexample and strict:
            inside = _strictly(first, second, lines[found.place], strict)
            found = replace(found, counterexample=inside)
    return Decision(
        **{field.name: getattr(found, field.name) for field in fields(found)},
        sum_factor=losses_apart(order, other, exponents),
        choice="" if found.holds else choices[found.place].name,
        logs=(logs and near) if called else None,
    )


def _inside(order: Order, choices: Condition, exponents: Mapping[str, Any]) -> Condition:
    """Return the choices that leave more than a border where a condition is less than 1.

    Raises:
        ContradictionError: None does.
    """
    edges = [
        proofs.border(choice.at(order, exponents), choice.inside(order, exponents))
        if choice.strict
        else None
        for choice in choices
    ]
    if None not in edges:
        names = dict.fromkeys(line.label for choice in choices for line in choice.lines)
        raise proofs.ContradictionError(tuple(names), ())
    return tuple(choice for choice, edge in zip(choices, edges, strict=True) if edge is None)


def _strictly(
    first: Form, second: Form, lines: Sequence[Leaf], strict: Sequence[Leaf]
) -> dict[str, Fraction] | None:
    """Return sizes at which two forms differ and some conditions are met strictly, if found."""
    apart = Leaf("", (), ((Fraction(9, 8), Fraction(1)),))
    held = [line.times(apart) if line in strict else line for line in lines]
    try:
        return proofs.decide(first, second, held).counterexample
    except proofs.ContradictionError:  # there is less room
        return None


@dataclass(frozen=True, slots=True)
class Survey:
    """A claim decided at many exponents.

    Attributes:
        held: At how many it holds.
        failed: At how many it does not.
        empty: At how many no sizes meet its conditions.
        left: At how many it was not decided.
        constant: The largest constant needed at any.
        first: The first exponents at which it does not hold, None if there are none.
        counterexample: Sizes at which it fails there.
    """

    held: int
    failed: int
    empty: int
    left: int
    constant: float
    first: Exponents | None
    counterexample: dict[str, Fraction] | None


def decide_over(
    claim: Claim, draws: int | Iterable[Mapping[str, Any]] = 100, *, seed: int = 0
) -> Survey:
    """Decide a claim at many exponents, at each for all sizes.

    Args:
        claim: The rate, what it equals, and where.
        draws: Exponents, or how many to draw.
        seed: Of the draws.

    Raises:
        DomainError: As `decide`, but for conditions that nothing satisfies: these are counted.

    Examples:
        >>> from rates.orders import Claim, parse
        >>> order = parse("max(1, n^(a-b))", sizes=["n"], exponents=["a", "b"])
        >>> claim = Claim(order, "1", ("n >= 1",))
        >>> found = decide_over(claim, [{"a": 1, "b": 2}, {"a": 2, "b": 1}])
        >>> found.held, found.failed, {x: int(value) for x, value in found.first.items()}
        (1, 1, {'a': 2, 'b': 1})
    """
    found: list[tuple[Exponents, Decision]] = []
    empty = 0
    for given in drawn(claim.order, draws, seed) if isinstance(draws, int) else draws:
        values = exponents_at(claim.order.known.ranges, given)
        try:
            found.append(
                (dict(zip(claim.order.exponents, values, strict=True)), decide(claim, given))
            )
        except proofs.ContradictionError:
            empty += 1
    failed = [pair for pair in found if pair[1].holds is False]
    left = sum(decision.holds is None for _, decision in found)
    first, decision = failed[0] if failed else (None, None)
    return Survey(
        held=len(found) - len(failed) - left,
        failed=len(failed),
        empty=empty,
        left=left,
        constant=max((x.constant for _, x in found if x.holds is not None), default=1.0),
        first=first,
        counterexample=decision.counterexample if decision else None,
    )


def drawn(order: Order, count: int, seed: int = 0) -> list[Exponents]:
    """Draw exponents from their ranges, in thousandths.

    An exponent lies evenly between two ends; with one end, its distance from it has its log
    evenly between 1/10 and 10; with none, it lies evenly between -10 and 10.

    Raises:
        DomainError: The count is not a whole number from 1 to 10,000.
    """
    number = as_number(count)
    if number is None or number != int(number) or not 1 <= number <= MAX_DRAWS:
        rule = f"The number of draws must be a whole number from 1 to {MAX_DRAWS:,}."
        raise DomainError(rule, "draws", count)
    rng = random.Random(seed)
    return [{r.letter: _draw(r, rng) for r in order.known.ranges} for _ in range(count)]


def _draw(its: Range, rng: random.Random) -> Fraction:
    low, high = its.low, its.high
    if low is not None and high is not None:
        return low + Fraction(rng.randint(1, 999), 1000) * (high - low)
    if low is None and high is None:
        return Fraction(rng.randint(-9999, 9999), 1000)
    away = Fraction(round(1000 * math.exp(rng.uniform(math.log(0.1), math.log(10.0)))), 1000)
    return (high or Fraction(0)) - away if low is None else low + away
