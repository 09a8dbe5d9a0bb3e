"""Check certificates again with the standard library and mpmath: ``python verify.py FILE.json``.

A certificate is a claim as text, exact numbers at which it fails, and both sides of what it says.
The text is read by Python's own parser, never run, and evaluated in interval arithmetic at 30
digits: a claim is contradicted only where its conditions are certain and its sides certainly
apart. The manifest names every certificate, with the digest of its text.
"""

import ast
import hashlib
import json
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from mpmath import iv, mp  # type: ignore[import-untyped]

mp.dps = iv.dps = 30
TEXT = ("id", "form", "for", "let", "if", "then", "iff", "at")
FAR = 50
WHOLE = "certificates and manifest differ"


def number(text: str) -> Any:
    """Return an exact number, as "1/3", as an interval."""
    exact = Fraction(text)
    return iv.mpf(exact.numerator) / exact.denominator


def normal(x: Any) -> Any:
    """Return Phi(x): 1/2 + phi(x) (x + x^3/3 + x^5/15 + ...), the tail below a geometric one."""
    must(abs(x).b <= FAR, f"Phi is evaluated up to {FAR}")
    total, term, k = x, x, 1
    while abs(term).b > mp.mpf(10) ** -40 or 4 * (x**2).b > 2 * k + 1:
        term, k = term * x**2 / (2 * k + 1), k + 1
        total += term
    tail = iv.mpf([-2, 2]) * abs(term).b
    return iv.mpf("0.5") + iv.exp(-(x**2) / 2) / iv.sqrt(2 * iv.pi) * (total + tail)


OF: dict[str, Any] = {
    **{"sqrt": iv.sqrt, "log": iv.log, "exp": iv.exp, "Phi": normal},
    "min": lambda *x: iv.mpf([min(one.a for one in x), min(one.b for one in x)]),
    "max": lambda *x: iv.mpf([max(one.a for one in x), max(one.b for one in x)]),
    "abs": abs,
    "log2": lambda x: iv.log(x) / iv.log(2),
    "floor": lambda x: iv.mpf([mp.floor(x.a), mp.floor(x.b)]),
    "ceil": lambda x: iv.mpf([mp.ceil(x.a), mp.ceil(x.b)]),
    **{"Add": lambda x, y: x + y, "Sub": lambda x, y: x - y, "Mult": lambda x, y: x * y},
    **{"Div": lambda x, y: x / y, "Pow": lambda x, y: iv.exp(y * iv.log(x))},
}


def value(node: ast.expr, at: dict[str, Any]) -> Any:
    """Return the interval of a part of a formula; ValueError where it is none."""
    match node:
        case ast.Constant(value=int() | float() as x):
            return number(repr(x))
        case ast.Name(id=name) if name in at:
            return at[name]
        case ast.UnaryOp(op=ast.USub(), operand=x):
            return -value(x, at)
        case ast.BinOp(left=x, op=ast.Pow(), right=ast.Constant(value=int() as k)):
            return value(x, at) ** k
        case ast.BinOp(left=x, op=op, right=y) if type(op).__name__ in OF:
            return OF[type(op).__name__](value(x, at), value(y, at))
        case ast.Call(func=ast.Name(id=of), args=args) if of in OF:
            return OF[of](*(value(x, at) for x in args))
    raise ValueError(f"{ast.unparse(node)} is no formula")


def formula(text: str, at: dict[str, Any]) -> Any:
    """Return the interval of a formula as text."""
    return value(ast.parse(text.strip().replace("^", "**"), mode="eval").body, at)


def relation(text: str, at: dict[str, Any]) -> tuple[bool | None, list[Any]]:
    """Return whether it certainly holds, certainly fails, or neither (None), and both sides."""
    first, sign, second = re.split(r"(<=|>=|=|<|>)", text)
    sides = [formula(first, at), formula(second, at)]
    a, b = sides[::-1] if sign[0] == ">" else sides
    if sign == "=":
        return (False if a.b < b.a or b.b < a.a else None), sides
    above, below = (a.a > b.b, a.b <= b.a) if "=" in sign else (a.a >= b.b, a.b < b.a)
    return (True if below else False if above else None), sides


def must(holds: bool | None, what: str) -> None:
    """Raise ValueError unless something certainly holds."""
    if holds is not True:
        raise ValueError(what)


def judged(one: dict[str, Any]) -> list[tuple[bool | None, list[Any]]]:
    """Return whether each relation holds, and its sides; ValueError unless the claim fails."""
    at, exact = {"pi": iv.pi}, {name: Fraction(x) for name, x in one["at"].items()}
    must(set(exact) == set(one["for"]), "numbers for other letters")
    must(set(one["roots"]) == {let[0] for let in one["let"] if len(let) > 2}, "other roots")
    for letter, (low, high, kind) in one["for"].items():
        must(Fraction(low) <= exact[letter] <= Fraction(high), f"{letter} is outside its range")
        must(kind == "real" or exact[letter].denominator == 1, f"{letter} is no whole number")
        at[letter] = number(one["at"][letter])
    for letter, left, *right in one["let"]:
        must(letter not in at, f"{letter} is there twice")
        if right:  # left over right grows in the letter, and passes 1 between two ends
            low, high = map(number, one["roots"][letter])
            for end, sign in ((low, "<"), (high, ">")):
                holds = relation(f"{left} {sign} {right[0]}", {**at, letter: end})[0]
                must(holds, f"{letter} is no root")
        at[letter] = iv.mpf([low.a, high.b]) if right else formula(left, at)
    for text in one["if"]:
        must(relation(text, at)[0], f"{text} is not certain")
    found = [relation(text, at) for text in one["then"]]
    said = {holds for holds, _ in found}
    must(said == {True, False} if one["iff"] else False in said, "its sides are not apart")
    return found


def sides(one: dict[str, Any]) -> list[list[list[str]]]:
    """Return the ends of both sides of what is said; ValueError unless it certainly fails."""
    return [
        [[mp.nstr(mp.mpf(end), 15) for end in (x.a, x.b)] for x in pair] for _, pair in judged(one)
    ]


def verify(file: dict[str, Any]) -> int:
    """Return how many certificates hold; ValueError where one does not, or is missing."""
    found = file["certificates"]
    must({f"{one['id']} {one['form']}": digest(one) for one in found} == file["manifest"], WHOLE)
    must(len(found) == len(file["manifest"]), WHOLE)
    for one in found:
        name = f"{one['id']}, {one['form']}"
        must(set(one) == {*TEXT, "roots", "sides"}, f"{name}: it holds something else")
        try:
            must(sides(one) == one["sides"], "its sides are not as it says")
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    return len(found)


def digest(one: dict[str, Any]) -> str:
    """Return the digest of a certificate's text."""
    return hashlib.sha256(json.dumps([one[name] for name in TEXT]).encode()).hexdigest()[:16]


if __name__ == "__main__":
    print(f"{verify(json.loads(Path(sys.argv[1]).read_text('utf-8')))} certificates hold.")
