"""Check certificates again with the standard library and mpmath: ``python verify.py FILE.json``.

A certificate holds the letters' exact values, the conditions, both sides of the printed formula as
nested lists, and what they came out as. All is interval arithmetic at 30 digits: a formula is
contradicted only where the conditions are certain and the sides certainly apart.
"""

from __future__ import annotations

import json
import operator
import sys
from fractions import Fraction
from functools import reduce
from pathlib import Path
from typing import Any

from mpmath import iv, mp  # type: ignore[import-untyped]

mp.dps = iv.dps = 30


def number(text: str) -> Any:
    """Return an exact number, as "1/3", as an interval."""
    exact = Fraction(text)
    return iv.mpf(exact.numerator) / exact.denominator


def value(term: Any, at: dict[str, Any]) -> Any:
    """Return the interval of a term: a letter, a number, or a list of an operation and terms."""
    if isinstance(term, str):
        return at[term] if term in at else number(term)
    of, *args = term
    x = [value(one, at) for one in args]
    if of in ("min", "max"):
        choose = min if of == "min" else max
        return iv.mpf([choose(one.a for one in x), choose(one.b for one in x)])
    if of == "^":
        whole = isinstance(args[1], str) and args[1].lstrip("-").isdigit()
        return x[0] ** int(args[1]) if whole else iv.exp(x[1] * iv.log(x[0]))
    if of == "Phi":
        return normal(x[0])
    if of == "ceil":
        return iv.mpf([mp.ceil(x[0].a), mp.ceil(x[0].b)])
    alone = {"log": iv.log, "exp": iv.exp, "-": operator.neg}
    many = {"+": operator.add, "*": operator.mul, "/": operator.truediv}
    return alone[of](*x) if of in alone else reduce(many[of], x)


def normal(x: Any) -> Any:
    """Return Phi(x): 1/2 + phi(x) (x + x^3/3 + x^5/15 + ...), the tail below a geometric one."""
    total, term, k = x, x, 1
    while abs(term).b > mp.mpf(10) ** -40 or 4 * (x**2).b > 2 * k + 1:
        term, k = term * x**2 / (2 * k + 1), k + 1
        total += term
    tail = 2 * abs(term).b
    return iv.mpf("0.5") + iv.exp(-(x**2) / 2) / iv.sqrt(2 * iv.pi) * (
        total + iv.mpf([-tail, tail])
    )


def known(left: Any, sign: str, right: Any) -> bool | None:
    """Return whether a relation certainly holds, certainly fails, or neither (None)."""
    if sign[0] == ">":
        left, sign, right = right, "<" + sign[1:], left
    if sign == "=":
        return False if left.b < right.a or right.b < left.a else None
    below = left.b <= right.a if sign == "<=" else left.b < right.a
    above = left.a > right.b if sign == "<=" else left.a >= right.b
    return True if below else False if above else None


def check(entry: dict[str, Any]) -> list[list[Any]]:
    """Return both sides of every relation; raise ValueError unless the formula is contradicted."""
    at: dict[str, Any] = {"pi": iv.pi} | {k: number(v) for k, v in entry["numbers"].items()}
    for kind, name, term, *ends in entry["where"]:
        if kind == "is":
            at[name] = value(term, at)
            continue
        low, high = map(number, ends)  # the term grows in the letter and passes 1 between the ends
        if not (value(term, {**at, name: low}).b < 1 < value(term, {**at, name: high}).a):
            raise ValueError(f"{name} does not lie between its ends")
        at[name] = iv.mpf([low.a, high.b])
    for left, sign, right in entry["conditions"]:
        if known(value(left, at), sign, value(right, at)) is not True:
            raise ValueError("a condition is not certain")
    sides = [[value(one, at) for one in (left, right)] for left, _, right in entry["says"]]
    found = [known(x, sign, y) for (x, y), (_, sign, _) in zip(sides, entry["says"], strict=True)]
    if not (set(found) == {True, False} if entry["iff"] else False in found):
        raise ValueError("the sides are not certainly apart")
    for pair, stated in zip(sides, entry["sides"], strict=True):
        for x, (low, high) in zip(pair, stated, strict=True):
            if not (mp.mpf(low) <= mp.mpf(x.a) and mp.mpf(x.b) <= mp.mpf(high)):
                raise ValueError("a side is not what the certificate says")
    return sides


if __name__ == "__main__":
    entries = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    print(f"{len([check(entry) for entry in entries])} certificates hold.")
