"""Claims of the ledger that are claims of orders, decided for all sizes in exact arithmetic.

They say of products of powers, of their minima and maxima, that they are equal, or at most each
other. What letters stand for is put in; letters in powers are exponents, all others sizes. Sums
and strict signs are left out: orders decide them up to a constant, or to a border. So what is read
here is decided as it is said, exactly. Where two products are compared under no condition, as in
an identity, there is nothing to decide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from rates import orders, proofs
from rates.language import (
    Expression,
    Sign,
    letters_of,
    name,
    parts,
    read,
    read_relation,
    substituted,
    text,
)
from rates.ledger.claim import Claim, Let, Range, Relation
from rates.numbers import DomainError
from rates.orders import parse, powers, write

_EXPONENTS = 18  # at which a claim is decided
_TRIED = 400
_JOINS = ("*", "/", "^", "sqrt", "min", "max")
_NOT: Mapping[str, Sign] = {"<": ">=", ">": "<="}
Exponents = dict[str, Fraction]


@dataclass(frozen=True, slots=True)
class Said:
    """A rate that is claimed to equal another one, in texts of `rates.orders`.

    Attributes:
        name: What is said, between ``$``.
        rate: The rate.
        equals: What it equals.
        where: The conditions, each with what was typed, as LaTeX.
    """

    name: str
    rate: str
    equals: str
    where: Mapping[str, str]


class _OtherError(Exception):
    """A claim is of something else than powers, or does not hold exactly."""


@cache  # several entries say the same
def as_orders(claim: Claim) -> list[tuple[Said, orders.Claim, list[Exponents]]]:
    """Return all that a claim says, as claims that hold, and where; nothing where one does not."""
    try:
        return _read(claim)
    except (_OtherError, DomainError):
        return []


def _read(claim: Claim) -> list[tuple[Said, orders.Claim, list[Exponents]]]:
    ranges = {x.letter: x for x in claim.letters}
    by = {x.letter: Expression(str(x.low)) for x in claim.letters if x.low == x.high}
    for let in claim.lets:
        left = substituted(let.left, by)
        by[let.letter] = left if let.right is None else _root(let, ranges, by)
    put = [_unlogged(one.put(by), ranges) for one in (*claim.conditions, *claim.says)]
    used = {x for one in put for x in one.letters}
    inside = _in_powers([side for one in put for side in (one.left, one.right)])
    if not used <= set(ranges):
        raise _OtherError
    where: dict[str, str] = {}
    between = []
    for given, one in zip(claim.conditions, put, strict=False):
        if one.letters <= inside:
            between.append(one)
        else:
            _of_sizes(one, inside)
            where[_condition(one)] = given.latex
    says = put[len(claim.conditions) :]
    joined = [_of_sizes(one, inside) for one in says]
    # An identity of products holds by the rules of powers: nothing is to be decided.
    if not (where or claim.iff or any(joined)):
        raise _OtherError
    sizes = {x: of for x, of in ranges.items() if x in used - inside}
    exponents = [_narrowed(of, between) for x, of in ranges.items() if x in used & inside]
    ends = dict(end for of in sizes.values() for end in _ends(of))
    return [
        _holding(one, list(sizes), exponents, between, ends) for one in _said(claim, says, where)
    ]


def _holding(
    said: Said,
    sizes: Sequence[str],
    exponents: Sequence[Range],
    between: Sequence[Relation],
    ends: Mapping[str, str],
) -> tuple[Said, orders.Claim, list[Exponents]]:
    """Return what is said where it holds; the ends of ranges count where it needs them."""
    order = parse(said.rate, sizes=sizes, exponents={x.letter: (x.low, x.high) for x in exponents})
    at = _tried(order, {x.letter for x in exponents if x.whole}, between)
    for where in (said.where, {**said.where, **ends}):
        asked = orders.Claim(order, said.equals, tuple(where))
        if _holds(asked, at):
            return replace(said, where=where), asked, at
    raise _OtherError


def _tried(order: orders.Order, whole: set[str], between: Sequence[Relation]) -> list[Exponents]:
    """Return exponents that meet all that is assumed of them, drawn in thousandths."""
    found = []
    for drawn in orders.drawn(order, _TRIED):
        at = {x: Fraction(round(value)) if x in whole else value for x, value in drawn.items()}
        given = {x: np.array([float(value)]) for x, value in at.items()}
        if at not in found and all(one.gap(given)[0] <= 0 for one in between):
            found.append(at)
        if len(found) == _EXPONENTS:
            break
    return found


def _holds(claim: orders.Claim, exponents: list[Exponents]) -> bool:
    """Whether a claim holds exactly at all exponents, by certificates that are checked."""
    met = 0
    for at in exponents:
        try:
            found = orders.decide(claim, at)
        except proofs.ContradictionError:
            continue  # no sizes at all meet the conditions at these exponents
        # A claim that holds up to a constant is not decided: it is to hold as it is said.
        exact = found.holds is True and found.constant == found.sum_factor == 1
        if not exact or found.certificate is None or not proofs.check(found.certificate):
            return False
        met += 1
    return met > 0


@cache
def carried(claim: Claim) -> dict[str, dict[str, Any]]:
    r"""Return what each part of a claim that is decided needs of its conditions.

    Returns:
        Of what is said how many conditions it has, and how many the smallest set has under which
        it still holds at all exponents tried; all smallest sets in words; how many there are,
        and how many of them are proved to suffice for all exponents.

    Examples:
        >>> from rates.ledger import read_claim
        >>> text = "for n, m in {2..9}; b in [1, 2] \n if n <= m; n >= 3 \n then 1/m^b <= 1/n^b"
        >>> (found,) = carried(read_claim(text)).values()
        >>> [found[name] for name in ("conditions", "needed", "ways", "proved")]
        [2, 1, 1, 1]
        >>> found["text"]
        'needs 1 of its 2 conditions: $n \\le m$'
    """
    out = {}
    for said, asked, at in as_orders(claim):
        found = orders.needs(asked, at)
        shown = {text: f"${latex}$" for text, latex in said.where.items()}
        out[said.name] = {
            "conditions": len(found.where),
            "needed": found.least,
            "text": found.said(show=shown.__getitem__) if found.where else "has no condition",
            "ways": len(found.minimal),
            "proved": len(orders.proved(asked, found)),
        }
    return out


def decided(claim: Claim) -> bool:
    """Whether a claim is one of orders that holds exactly for all sizes, at all exponents tried.

    Examples:
        >>> from rates.ledger import entry
        >>> said = [entry(of).claims for of in ("ACC:Table1:row-1:column-4", "ACC:Eq3")]
        >>> [decided(one["printed"]) for one in said]
        [True, False]
    """
    return bool(as_orders(claim))


# Read -------------------------------------------------------------------------------------------


def _said(claim: Claim, put: Sequence[Relation], where: Mapping[str, str]) -> Iterator[Said]:
    """Yield all that is claimed; of an equivalence both directions."""
    shown = [f"${one.latex}$" for one in claim.says]
    if not claim.iff:
        for one, called in zip(put, shown, strict=True):
            yield Said(called, *_equality(one), where)
        return
    if all(one.strict for one in put):
        put = [replace(one, sign=_NOT[one.sign]) for one in put]  # both hold or fail together
    typed = [replace(x, sign=y.sign).latex for x, y in zip(claim.says, put, strict=True)]
    # An equivalence holds where each side follows from the other.
    for k in (0, 1):
        given = {_condition(put[k]): typed[k]}
        yield Said(f"${typed[1 - k]}$ if ${typed[k]}$", *_equality(put[1 - k]), {**where, **given})


def _equality(one: Relation) -> tuple[str, str]:
    """Return what equals what where a relation holds."""
    left, right = text(one.left, ""), text(one.right, "")
    if one.strict:
        raise _OtherError
    if one.sign == "=":
        return left, right
    return f"max({left},{right})", right if one.sign == "<=" else left


def _condition(one: Relation) -> str:
    """Return a condition as orders read it; one that is strict up to its border."""
    left, right = text(one.left, ""), text(one.right, "")
    return f"{left} <= {right} <= {left}" if one.sign == "=" else f"{left} {one.sign[0]}= {right}"


def _of_sizes(one: Relation, exponents: set[str]) -> bool:
    """Refuse all but powers of sizes, their minima and maxima; say whether there are such."""
    every = [*_outside(one.left), *_outside(one.right)]
    for part in every:
        if part.is_number and not (part.number or 0) > 0:
            raise _OtherError
        if part.of in exponents or (part.args and part.of not in _JOINS):
            raise _OtherError
    return any(part.of in ("min", "max") for part in every)


def _outside(of: Expression) -> Iterator[Expression]:
    """Yield the parts of an expression that stand in no power."""
    yield of
    for one in of.args[:1] if of.of == "^" else of.args:
        yield from _outside(one)


def _in_powers(sides: Sequence[Expression]) -> set[str]:
    powers = (part.args[1] for side in sides for part in parts(side) if part.of == "^")
    return {x for power in powers for x in letters_of(power)}


def _ends(of: Range) -> Iterator[tuple[str, str]]:
    """Yield what the range of a size says, as a condition and in LaTeX."""
    # Orders are of positive sizes: of what may be 0 they say nothing.
    if of.low <= 0:
        raise _OtherError
    if of.whole or of.low >= 1:
        low = of.low if of.whole else 1
        yield f"{of.letter} >= {low}", rf"{name(of.letter)} \ge {low}"
    elif of.high <= 1:
        yield f"{of.letter} <= 1", rf"{name(of.letter)} \le 1"


def _narrowed(of: Range, between: Sequence[Relation]) -> Range:
    """Return the range of an exponent inside the numbers that conditions compare it with."""
    low, high = of.low, of.high
    for one in between:
        for side, other, above in ((one.left, one.right, "<"), (one.right, one.left, ">")):
            if side.of == of.letter and other.number is not None and one.sign != "=":
                if one.sign[0] == above:
                    high = min(high, other.number)
                else:
                    low = max(low, other.number)
    if low >= high:
        raise _OtherError
    return replace(of, low=low, high=high)


def _root(let: Let, ranges: Mapping[str, Range], by: Mapping[str, Expression]) -> Expression:
    """Return the root of a balance without sums; the letter itself where that is not known."""
    assert let.right is not None
    sides = [substituted(side, by) for side in (let.left, let.right)]
    exponents = _in_powers(sides)
    sizes = {x for side in sides for x in letters_of(side)} - exponents - {let.letter}
    sums = any(part.of in "+-" for side in sides for part in _outside(side))
    if sums or not exponents | sizes <= set(ranges):
        return Expression(let.letter)
    spans = {x: (ranges[x].low, ranges[x].high) for x in exponents}
    balance = " = ".join(map(text, sides))
    order = parse(balance, sizes=sorted(sizes), exponents=spans, unknown=let.letter)
    return read(str(order.explicit()))


def _unlogged(one: Relation, ranges: Mapping[str, Range]) -> Relation:
    """Return a relation of an exponent with a ratio of logarithms as one of powers."""
    logs = {part for side in (one.left, one.right) for part in parts(side) if part.of == "log"}
    every = one.letters
    if not logs or one.left.args or not every <= set(ranges):
        return one
    sizes = {x for part in logs for x in letters_of(part)}
    named = {f"log{k}": part.args[0] for k, part in enumerate(sorted(logs, key=text))}
    gap = f"{one.left.of} - ({text(one.right)})"
    for called, of in named.items():
        gap = gap.replace(f"log({text(of)})", called)
        if any(x.args and x.of != "*" for x in parts(of)) or not all(
            ranges[x].low > 0 and ranges[x].whole for x in letters_of(of)
        ):
            raise _OtherError  # of something that may be below 1
    spans = {x: (ranges[x].low, ranges[x].high) for x in every - sizes} | dict.fromkeys(named)
    order = parse(f"x^({gap})", sizes=["x"], exponents=spans)
    power = order.leaves[0].power_of("x")
    above, field = power.numer, power.field
    each = {x: above.diff(field.ring.gens[order.exponents.index(x)]) for x in named}
    whole = sum((each[x] * field.ring.gens[order.exponents.index(x)] for x in named), above * 0)
    if whole != above or powers.sign(field(power.denom), order.known.ranges) != 1:
        raise _OtherError
    product = "*".join(
        f"({text(of)})^({write.power_text(field(each[x]))})" for x, of in named.items()
    )
    return Relation(*read_relation(f"{product} {one.sign} 1"))
