"""Expressions as text that is read back as the same."""

from __future__ import annotations

import re
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from rates.language.expression import Expression, spine

_DIGITS = 1_000  # more than any floating point number has


def text(of: Expression, gap: str = " ") -> str:
    """Return an expression as it is typed.

    Args:
        of: The expression.
        gap: What stands around + and after commas, except in powers.

    Examples:
        >>> from rates.language import read
        >>> text(read("max( (a-b)-c,T:n^(-1/(2*b)),(x/y)/1e-7 )"))
        'max(a - b - c, T: n^(-1/(2*b)), x/y/1e-7)'
    """
    return _text(of, 0, gap)


def _text(of: Expression, strength: int, gap: str) -> str:
    """Write an expression; in brackets where it binds less than the place asks for."""
    own, out = _label(of, gap) if of.label else _operation(of, gap)
    return f"({out})" if own < strength else out


def _label(of: Expression, gap: str) -> tuple[int, str]:
    own, out = _operation(of, gap)
    return 1, f"{of.label}:{gap}{out if own > 1 else f'({out})'}"


def _operation(of: Expression, gap: str) -> tuple[int, str]:
    """Return how strongly an operation binds, and its text."""
    args = of.args
    if of.is_number:
        out = number_of(of)
        return 1 if out[0] == "-" else 2 if "/" in out else 5, out
    match of.of:
        case _ if not args:
            return 5, of.of
        case "+":
            return 0, _total(of, gap)
        case "-":
            return 1, f"-{_text(args[0], 2, gap)}"
        case "*" | "/":
            return 2, _product(of, gap)
        case "^":
            power = _text(args[1], 0, "")
            bare = re.fullmatch(r"\w+", power)
            return 3, f"{_text(args[0], 4, gap)}^{power if bare else f'({power})'}"
        case "<=":
            return 0, f"{gap}<={gap}".join(_text(one, 0, gap) for one in args)
        case _:
            return 5, f"{of.of}({f',{gap}'.join(_text(one, 0, gap) for one in args)})"


def _total(of: Expression, gap: str) -> str:
    first, steps = spine(of, ("+",))
    out = _text(first, 0, gap)
    for one in (one for step in steps for one in step.args[1:]):
        minus = one.of == "-" and not one.label
        sign, part = ("-", _text(one.args[0], 2, gap)) if minus else ("+", _text(one, 1, gap))
        out += f"{gap}{sign}{gap}{part}"
    return out


def _product(of: Expression, gap: str) -> str:
    first, steps = spine(of, ("*", "/"))
    rest = (step.of + _text(one, 3, gap) for step in steps for one in step.args[1:])
    return _text(first, 2, gap) + "".join(rest)


def number_of(of: Expression) -> str:
    """Return a number as it is shortest: 1/2, 0.1, 1e-7."""
    value = Fraction(of.of)
    decimal = number_text(abs(value)) if value else "0"
    return min(of.of, f"-{decimal}" if value < 0 else decimal, key=len)


def number_text(value: Fraction) -> str:
    """Return a positive number as a decimal if it is one: 12, 0.25, 1/3, 1e-300.

    >>> [number_text(Fraction(x)) for x in ("12", "1/4", "1/3", "1e20", "2.5e-7")]
    ['12', '0.25', '1/3', '1e20', '2.5e-7']
    """
    context = Context(prec=_DIGITS)
    decimal = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    decimal = decimal.normalize(context)
    if context.flags[Inexact]:
        return "/".join(number_text(Fraction(x)) for x in value.as_integer_ratio())
    plainly = -5 < decimal.adjusted() < 15
    return f"{decimal:f}" if plainly else f"{decimal:e}".replace("+", "")
