"""Rates as text that parses back, and as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rates.orders.language.nodes import (
    Join,
    Labelled,
    Letter,
    Node,
    Number,
    OverSites,
    Product,
    Raised,
)
from rates.orders.language.powers import Power, factored, plain

_GREEK = {
    *("alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda"),
    *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
}
_OWN = {"eps": r"\varepsilon", "epsilon": r"\varepsilon"}


# -- powers ---------------------------------------------------------------------------------
@lru_cache(maxsize=4096)
def _factored(poly: Any) -> tuple[Fraction, tuple[Any, ...]]:
    """Return the number in front and the factors, each as often as it occurs."""
    number, factors = factored(poly)
    front, out = Fraction(int(number.numerator), int(number.denominator)), []
    for factor, often in factors:
        side = -1 if factor.LC < 0 else 1
        front *= side**often
        out += [factor * side] * often
    out.sort(key=lambda f: (len(f), [[-d for d in degrees] for degrees in f.monoms()]))
    return front, tuple(out)


def _poly(poly: Any, *, tex: bool) -> str:
    """Write a polynomial with whole coefficients out."""
    names = [str(symbol) for symbol in poly.ring.symbols]
    pieces = []
    for degrees, number in poly.terms():
        value = Fraction(int(number.numerator), int(number.denominator))
        letters = [
            letter_tex(name) if tex else name
            for name, degree in zip(names, degrees, strict=True)
            for _ in range(degree)
        ]
        size = abs(value)
        front = [] if size == 1 and letters else [_number_tex(size) if tex else str(size)]
        pieces.append((value < 0, (" " if tex else "*").join(front + letters)))
    text = ""
    for negative, piece in pieces:
        text += ("-" if negative else "+" if text else "") + piece
    return text


def _side(number: int, factors: tuple[Any, ...], *, tex: bool) -> tuple[str, bool]:
    """Write a product, and say whether it is one atom."""
    parts = [] if number == 1 and factors else [str(number)]
    alone = not parts and len(factors) == 1
    for factor in factors:
        text = _poly(factor, tex=tex)
        parts.append(text if len(factor) == 1 or (alone and tex) else f"({text})")
    return (" " if tex else "*").join(parts), len(parts) == 1


def _parts(power: Power) -> tuple[bool, tuple[int, tuple], tuple[int, tuple]]:
    front, above = _factored(power.numer)
    under_front, below = _factored(power.denom)
    front /= under_front
    size = abs(front)
    return front < 0, (size.numerator, above), (size.denominator, below)


@lru_cache(maxsize=4096)
def power_text(power: Power) -> str:
    """Return a power in factored form, as it is typed: -beta/(2*beta+d)."""
    if not power:
        return "0"
    negative, above, below = _parts(power)
    text, _ = _side(*above, tex=False)
    if above == (1, above[1]) and len(above[1]) == 1 and below == (1, ()) and not negative:
        text = text.removeprefix("(").removesuffix(")")
    if below != (1, ()):
        under, atom = _side(*below, tex=False)
        text += f"/{under}" if atom else f"/({under})"
    return f"-{text}" if negative else text


@lru_cache(maxsize=4096)
def power_tex(power: Power) -> str:
    r"""Return a power as LaTeX: -\frac{\beta}{2 \beta+d}."""
    if not power:
        return "0"
    negative, above, below = _parts(power)
    text, _ = _side(*above, tex=True)
    if below != (1, ()):
        text = rf"\frac{{{text}}}{{{_side(*below, tex=True)[0]}}}"
    elif negative and len(above[1]) == 1 and above[0] == 1 and len(above[1][0]) > 1:
        text = f"({text})"
    return f"-{text}" if negative else text


# -- numbers and letters ----------------------------------------------------------------------
def number_text(value: Fraction) -> str:
    """Return a positive number as it is typed: 12, 0.25, 1/3, 1e-300.

    >>> [number_text(Fraction(x)) for x in ("12", "1/4", "1/3", "1e20", "2.5e-7")]
    ['12', '0.25', '1/3', '1e20', '2.5e-7']
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"{_whole(value.numerator)}/{_whole(value.denominator)}"
    places = 0
    while (value * 10**places).denominator != 1:
        places += 1
    return _decimal(Decimal((value * 10**places).numerator).scaleb(-places))


def _whole(value: int) -> str:
    return _decimal(Decimal(value))


def _decimal(value: Decimal) -> str:
    _, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    power = int(exponent) + len(digits) - len(text)
    size = power + len(text)  # digits before the point
    if -4 < size <= 15 and power >= 0:
        return text + "0" * power
    if -4 < size <= 15:
        text = text.rjust(len(text) - size + 1, "0") if size <= 0 else text
        cut = len(text) + power
        return f"{text[:cut]}.{text[cut:]}"
    mantissa = text if len(text) == 1 else f"{text[0]}.{text[1:]}"
    return f"{mantissa}e{size - 1}"


def _number_tex(value: Fraction) -> str:
    text = number_text(value)
    if "/" in text:
        above, under = text.split("/")
        return rf"\frac{{{_number_tex(Fraction(above))}}}{{{_number_tex(Fraction(under))}}}"
    if "e" not in text:
        return text
    mantissa, power = text.split("e")
    front = "" if mantissa == "1" else rf"{mantissa} \cdot "
    return rf"{front}10^{{{power}}}"


def letter_tex(name: str, by_site: bool = False) -> str:
    r"""Return a letter as LaTeX: n0 is n_{0}, eps is \varepsilon.

    >>> letter_tex("eps1"), letter_tex("n", True), letter_tex("tmix")
    ('\\varepsilon_{1}', 'n_{j}', '\\mathrm{tmix}')
    """
    found = re.fullmatch(r"([A-Za-z]+)_?(\w*?)", name)
    stem, index = (found[1], found[2]) if found else (name.replace("_", ""), "")
    if stem in _OWN:
        head = _OWN[stem]
    elif stem.lower() in _GREEK and (stem.islower() or f"{stem[0].lower()}{stem[1:]}" in _CAPITAL):
        head = f"\\{stem}"
    else:
        head = stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    index = index.replace("_", "")
    if index and not index.isdigit() and len(index) > 1:
        index = rf"\mathrm{{{index}}}"
    index = ",".join(part for part in (index, "j" if by_site else "") if part)
    return f"{head}_{{{index}}}" if index else head


_CAPITAL = {
    *("gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"),
}


# -- nodes ------------------------------------------------------------------------------------
def text_of(node: Node, gap: str = " ") -> str:
    """Return a node as it is typed; ``gap`` stands around + and after commas."""

    def show(node: Node) -> str:
        match node:
            case Number(value):
                return number_text(value)
            case Letter(name):
                return name
            case Labelled(label, body):
                return f"{label}:{gap}{factor(body) if isinstance(body, Join) else show(body)}"
            case OverSites(body):
                return f"sum_j({show(body)})"
            case Join("sum", parts):
                return f"{gap}+{gap}".join(show(part) for part in parts)
            case Join(kind, parts):
                return f"{kind}({f',{gap}'.join(map(show, parts))})"
            case Raised(base, power):
                if plain(power) == -1:
                    return f"1/{factor(base)}"
                text = power_text(power)
                bare = re.fullmatch(r"\w+", text)
                return f"{atom(base)}^{text if bare else f'({text})'}"
            case Product(factors):
                text = ""
                for part in factors:
                    under = isinstance(part, Raised) and plain(part.power) == -1
                    if under and text and isinstance(part, Raised):
                        text += f"/{factor(part.base)}"
                    else:
                        text += ("*" if text else "") + factor(part)
                return text

    def factor(node: Node) -> str:
        wide = isinstance(node, Labelled | Product) or (
            isinstance(node, Join) and node.kind == "sum"
        )
        return f"({show(node)})" if wide else show(node)

    def atom(node: Node) -> str:
        wide = isinstance(node, Number) and "/" in show(node)
        return f"({show(node)})" if wide else factor(node)

    return show(node)


def tex_of(node: Node, sites: Collection[str] = ()) -> str:
    """Return a node as LaTeX; letters that differ by site have an index j."""

    def show(node: Node) -> str:
        match node:
            case Number(value):
                return _number_tex(value)
            case Letter(name):
                return letter_tex(name, name in sites)
            case Labelled(_, body):
                return show(body)
            case OverSites(body):
                return rf"\sum_{{j}} {factor(body)}"
            case Join("sum", parts):
                return " + ".join(map(show, parts))
            case Join(kind, parts):
                inner = r",\; ".join(map(show, parts))
                return rf"\{kind}\left\{{{inner}\right\}}"
            case Raised(base, power):
                known = plain(power)
                if known == -1:
                    return rf"\frac{{1}}{{{show(base)}}}"
                if known == Fraction(1, 2):
                    return rf"\sqrt{{{show(base)}}}"
                return f"{atom(base)}^{{{power_tex(power)}}}"
            case Product(factors):
                above = [part for part in factors if not _divides(part)]
                below = [part.base for part in factors if _divides(part)]  # type: ignore[union-attr]
                text = r" \,".join(map(factor, above)) if above else "1"
                if not below:
                    return text
                under = show(below[0]) if len(below) == 1 else r" \,".join(map(factor, below))
                return rf"\frac{{{text}}}{{{under}}}"

    def factor(node: Node) -> str:
        bare = node.body if isinstance(node, Labelled) else node
        wide = isinstance(bare, OverSites) or (isinstance(bare, Join) and bare.kind == "sum")
        return rf"\left({show(bare)}\right)" if wide else show(bare)

    def atom(node: Node) -> str:
        bare = node.body if isinstance(node, Labelled) else node
        wide = isinstance(bare, Product | Raised) or (
            isinstance(bare, Number) and not number_text(bare.value).isdigit()
        )
        return rf"\left({show(bare)}\right)" if wide else factor(bare)

    return show(node)


def _divides(node: Node) -> bool:
    return isinstance(node, Raised) and plain(node.power) == -1
