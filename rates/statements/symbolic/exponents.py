r"""Exponents when every size is a power of one number N, and the budget a power of 1/N.

With n = N^a, m = N^b, n0 = N^a0 and ε = N^-e every term of [ACC] (4) is a power of N, and so are
both branches of D in [CCV] (6). So the rate is N to the power of a maximum of minima of lines in
e, and where its deciding term changes is a rational number if the inputs are.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

from rates.numbers import DomainError
from rates.statements.symbolic.expressions import in_logs
from rates.statements.symbolic.letters import exponent_letters, letters, log_letters

Expr = Any  # a sympy expression; sympy has no types of its own
Number = int | float | Fraction
Line = tuple[Fraction, Fraction]  # the exponent at e = 0, and its slope in e


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """An interval of e on which one term decides.

    Attributes:
        lo: Lower end; minus infinity at the far left.
        hi: Upper end.
        term: The deciding term.
        at_zero: Exponent of 1/N in r, or of N in D, of this term at e = 0.
        slope: Its slope in e.
    """

    lo: Fraction | float
    hi: Fraction | float
    term: str
    at_zero: Fraction
    slope: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponents:
    """Exact exponents at one e, and the deciding term for every other e.

    Attributes:
        terms: Each term's exponent: x where the term is N^-x (r), or N^x (D).
        governing: The deciding term; "1" where the rate is trivial.
        exponent: The exponent of r, or of D, at least 0.
        rate: The exponent of the rate: of (4) for ``power``, of D^(-2g).
        pieces: The deciding term along e, from left to right.
    """

    terms: Mapping[str, Fraction]
    governing: str
    exponent: Fraction
    rate: Fraction
    pieces: tuple[Piece, ...]

    @property
    def elbows(self) -> tuple[Fraction | float, ...]:
        """The e at which the deciding term changes."""
        return tuple(piece.hi for piece in self.pieces[:-1])


@cache
def forms() -> dict[str, Expr]:
    """Return the exponent of each term as a sympy expression in `exponent_letters`.

    "r" is the exponent of (4) before the power B = β(1+α), "D" that of the root of (6).

    >>> forms()["Pt"]
    (a0 - e)/(beta + d)

    Source: [ACC] eq. (4); [CCV] eqs. (4), (5).
    """
    import sympy

    ln, x = log_letters(), exponent_letters()
    powers = {ln.n: x.a, ln.m: x.b, ln.n0: x.a0, ln.eps: -x.e}

    def put(name: str, sign: int) -> Expr:
        return sympy.factor(sympy.together(sign * in_logs(name).subs(powers)))

    out = {name: put(name, -1) for name in ("NPt", "Pt", "NPs", "Ps")}
    out |= {name: put(name, 1) for name in ("D private", "D free")}
    target, sources = (sympy.Min(out["N" + side], out[side]) for side in ("Pt", "Ps"))
    out["r"] = sympy.Max(0, target, sources)
    out["D"] = sympy.Min(out["D private"], out["D free"])
    return out


def exponents(
    *,
    n: Number,
    m: Number,
    n0: Number,
    epsilon: Number,
    gamma: Number,
    beta: Number,
    d: Number,
    margin: Number = 0,
) -> Exponents:
    r"""Return the exact exponents of the four terms of (4), and which term decides.

    .. math:: r = N^{-x}, \quad
        x = 0 \vee (x_{\mathrm{NP}_t} \wedge x_{\mathrm{P}_t})
        \vee (x_{\mathrm{NP}_s} \wedge x_{\mathrm{P}_s})

    Args:
        n: The a of n = N^a, at least 0.
        m: The b of m = N^b, at least 0.
        n0: The a0 of n0 = N^a0, at least 0; 0 is a target of bounded size.
        epsilon: The e of ε = N^-e, of either sign.
        gamma: Signal exponent of the sources, > 0.
        beta: Smoothness, > 0.
        d: Dimension, > 0.
        margin: α, at least 0; it enters ``rate`` only.

    Returns:
        Exact fractions. A float counts as the simplest fraction that rounds to it. Ties are
        those of `rates.phases.segments.governing`.

    Raises:
        DomainError: An argument is no number, not finite, or outside its domain.

    Examples:
        >>> found = exponents(n=1, m=0.5, n0=1, epsilon=0.25, gamma=1, beta=0.5, d=2)
        >>> found.governing, str(found.exponent), [str(e) for e in found.elbows]
        ('Ps', '2/5', ['0', '5/4'])

    Source: [ACC] eq. (4).
    """
    x, s = exponent_letters(), letters()
    given = {
        x.a: _rational("n", n),
        x.b: _rational("m", m),
        x.a0: _rational("n0", n0),
        s.gamma: _rational("gamma", gamma, "positive"),
        s.beta: _rational("beta", beta, "positive"),
        s.d: _rational("d", d, "positive"),
    }
    power = given[s.beta] * (1 + _rational("margin", margin))
    lines = {name: _line(forms()[name], given) for name in ("Pt", "NPt", "Ps", "NPs")}
    return _answer(lines, _rational("epsilon", epsilon, "real"), power, _decide)


def federated_exponents(*, n: Number, m: Number, epsilon: Number, smoothness: Number) -> Exponents:
    r"""Return the exact exponents of both branches of D for equal servers.

    .. math:: D = N^x, \quad x = \frac{b + 2a - 2e}{2g+2} \wedge \frac{a+b}{2g+1}

    Args:
        n: The a of n = N^a, at least 0.
        m: The b of m = N^b, at least 0.
        epsilon: The e of ε = N^-e, of either sign.
        smoothness: g > 0: α for the integrated risk, ν for the risk at a point.

    Raises:
        DomainError: An argument is no number, not finite, or outside its domain.

    Examples:
        >>> found = federated_exponents(n=1, m=0, epsilon=0.5, smoothness=1)
        >>> found.governing, str(found.exponent), str(found.rate), [str(e) for e in found.elbows]
        ('D private', '1/4', '1/2', ['1/3', '1'])

    Source: [CCV] eqs. (4), (5).
    """
    x, s = exponent_letters(), letters()
    g = _rational("smoothness", smoothness, "positive")
    given = {x.a: _rational("n", n), x.b: _rational("m", m), s.g: g}
    lines = {name: _line(forms()[name], given) for name in ("D private", "D free")}
    return _answer(lines, _rational("epsilon", epsilon, "real"), 2 * g, _decide_federated)


def _decide(x: Mapping[str, Fraction]) -> str:
    """Name the deciding term; "1", the target and privacy win ties."""
    target, sources = min(x["Pt"], x["NPt"]), min(x["Ps"], x["NPs"])
    if max(target, sources) <= 0:
        return "1"
    if target >= sources:
        return "Pt" if x["Pt"] <= x["NPt"] else "NPt"
    return "Ps" if x["Ps"] <= x["NPs"] else "NPs"


def _decide_federated(x: Mapping[str, Fraction]) -> str:
    name = "D private" if x["D private"] <= x["D free"] else "D free"
    return name if x[name] > 0 else "1"


def _answer(
    lines: Mapping[str, Line],
    e: Fraction,
    power: Fraction,
    decide: Callable[[Mapping[str, Fraction]], str],
) -> Exponents:
    """Cut the axis of e at all crossings of two lines or of one with 0, and decide inside."""

    def at(where: Fraction) -> dict[str, Fraction]:
        return {name: start + slope * where for name, (start, slope) in lines.items()}

    every = [*lines.values(), (Fraction(0), Fraction(0))]
    cuts = sorted({(q - p) / (a - b) for p, a in every for q, b in every if a != b})
    inner = [(low + high) / 2 for low, high in pairwise(cuts)]
    middles = [cuts[0] - 1, *inner, cuts[-1] + 1] if cuts else [Fraction(0)]
    ends: list[Fraction | float] = [-math.inf, *cuts, math.inf]
    pieces: list[Piece] = []
    for left, high, middle in zip(ends[:-1], ends[1:], middles, strict=True):
        term = decide(at(middle))
        joined = bool(pieces) and pieces[-1].term == term
        low = pieces.pop().lo if joined else left
        start, slope = lines.get(term, (Fraction(0), Fraction(0)))
        pieces.append(Piece(lo=low, hi=high, term=term, at_zero=start, slope=slope))
    terms = at(e)
    governing = decide(terms)
    exponent = terms.get(governing, Fraction(0))
    return Exponents(
        terms=terms,
        governing=governing,
        exponent=exponent,
        rate=power * exponent,
        pieces=tuple(pieces),
    )


def _line(form: Expr, given: Mapping[Expr, Fraction]) -> Line:
    """Put numbers into a form that is linear in e."""
    import sympy

    e = exponent_letters().e
    numbers_in = {key: sympy.Rational(x.numerator, x.denominator) for key, x in given.items()}
    value = sympy.expand(form.subs(numbers_in))
    start, slope = value.subs(e, 0), value.coeff(e)
    return Fraction(int(start.p), int(start.q)), Fraction(int(slope.p), int(slope.q))


_DOMAINS: dict[str, tuple[str, Callable[[Fraction], bool]]] = {
    "nonnegative": ("at least 0", lambda x: x >= 0),
    "positive": ("positive", lambda x: x > 0),
    "real": ("of either sign", lambda x: True),
}


def _rational(name: str, value: object, domain: str = "nonnegative") -> Fraction:
    """Return a number as a fraction; text is refused, whatever it says."""
    words, inside = _DOMAINS[domain]
    rule = f"{name} must be a finite number, {words}."
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise DomainError(rule, field=name, value=value)
    if isinstance(value, numbers.Rational):
        exact = Fraction(value)
    elif math.isfinite(value):
        exact = Fraction(float(value))
        near = exact.limit_denominator(10**6)
        exact = near if float(near) == float(value) else exact
    else:
        raise DomainError(rule, field=name, value=value)
    if not inside(exact):
        raise DomainError(rule, field=name, value=value)
    return exact
