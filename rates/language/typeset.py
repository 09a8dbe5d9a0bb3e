"""Expressions as LaTeX."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from rates.language.expression import Expression, bound_letter
from rates.language.plain import number_of

_GREEK = {
    *("alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda"),
    *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
    *("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega"),
}
_OWN = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}
_CALLS = {
    **{of: rf"\{of}\left\{{{{{{}}\right\}}}}" for of in ("min", "max")},
    **{of: rf"\{of}\left({{}}\right)" for of in ("log", "exp", "Phi")},
    "log2": r"\log_{{2}}\left({}\right)",
    "sqrt": r"\sqrt{{{}}}",
    "abs": r"\left|{}\right|",
    "floor": r"\lfloor {} \rfloor",
    "ceil": r"\lceil {} \rceil",
}
_NUMBER = re.compile(r"\d|\\frac\{\d+\}\{\d+\}")  # two numbers side by side need a dot


def name(of: str, by_site: bool = False) -> str:
    r"""Return a letter as LaTeX: digits and what follows _ are an index, a star its sign.

    >>> name("eps0"), name("A_t"), name("n_star"), name("tmix"), name("n", True)
    ('\\varepsilon_{0}', 'A_{t}', 'n_{\\ast}', '\\mathrm{tmix}', 'n_{j}')
    """
    stem, *low = re.findall(r"[A-Za-z]+|\d+", of)
    index = "".join(
        r"\ast" if part == "star" else part if part.isdigit() or len(part) == 1 else _word(part)
        for part in low
    )
    index = ",".join(part for part in (index, "j" if by_site else "") if part)
    head = _OWN.get(stem) or (f"\\{stem}" if stem in _GREEK else stem if len(stem) == 1 else "")
    return (head or _word(stem)) + (f"_{{{index}}}" if index else "")


def _word(of: str) -> str:
    return rf"\mathrm{{{of}}}"


def latex(of: Expression, sites: Collection[str] = ()) -> str:
    r"""Return an expression as LaTeX on one line; labels are left out.

    Args:
        of: The expression.
        sites: Letters that differ by site: they have an index j.

    Examples:
        >>> from rates.language import read
        >>> print(latex(read("sqrt(m)*n^(-1/2)/(2 - x)/1e20")))
        \frac{\sqrt{m} n^{-\frac{1}{2}}}{10^{20} \left(2 - x\right)}
    """
    return _Printer(sites).show(of, 0)


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints, with an index for letters that differ by site; brackets in a power are small."""

    sites: Collection[str]
    power: bool = False

    def show(self, of: Expression, strength: int = 0) -> str:
        """Show an expression; in brackets where it binds less than the place asks for."""
        own, text = _number(number_of(of)) if of.is_number else self.operation(of)
        if own >= strength:
            return text
        small = self.power and r"\frac" not in text
        return f"({text})" if small else rf"\left({text}\right)"

    def operation(self, of: Expression) -> tuple[int, str]:
        """Return how strongly an operation binds, and its LaTeX."""
        args, show = of.args, self.show
        match of.of:
            case _ if not args:
                return 4, name(of.of, of.of in self.sites)
            case "+":
                return 1, self.total(of)
            case "-":
                return 1, f"-{show(args[0], 2)}"
            case "*" | "/":
                return self.ratio(of)
            case "^" if args[1].number == Fraction(1, 2):
                return 4, rf"\sqrt{{{show(args[0])}}}"
            case "^":
                base = show(args[0], 5 if args[0].of in ("/", "^", "sqrt") else 3)
                return 3, f"{base}^{{{_Printer(self.sites, power=True).show(args[1])}}}"
            case "sum_j":
                return 1, rf"\sum_{{j}} {show(args[0], 2)}"
            case "<=":
                return 0, r" \le ".join(map(show, args))
            case kind if letter := bound_letter(kind):
                return 4, self.over_letter(of, letter)
            case _:
                return 4, _CALLS[of.of].format(r",\; ".join(map(show, args)))

    def over_letter(self, of: Expression, letter: str) -> str:
        """Show what is least or largest over a letter, with the letter's range below."""
        kind, (*ends, body) = of.of.partition("_")[0], of.args
        where = f"{name(letter)} > 0"
        if kind == "best":
            kind, where = "min", rf"1 \le {name(letter)} \le {self.show(ends[0])}"
        elif ends:
            positive = "0 < " if ends[0].args[0].of == letter else ""
            where = positive + self.show(ends[0])
        return rf"\{kind}_{{{where}}} \left\{{{self.show(body)}\right\}}"

    def total(self, of: Expression) -> str:
        """Show terms; a sum of sums is one."""
        terms: list[Expression] = []
        while of.of == "+":
            terms[:0] = of.args[1:]
            of = of.args[0]
        text = self.show(of, 1)
        for one in terms:
            minus = one.of == "-" and one.args
            part = f"-{self.show(one.args[0], 2)}" if minus else self.show(one, 1)
            text += f" - {part[1:]}" if part[0] == "-" else f" + {part}"
        return text

    def ratio(self, of: Expression) -> tuple[int, str]:
        """Show factors and divisors, in whatever order, as one fraction."""
        above, below = _sides(of)
        if not below:
            return self.product(above)
        if above[0].is_number and "/" in (number := number_of(above[0])):
            first, _, second = number.partition("/")
            above[0], below = Expression(first), [Expression(second), *below]
        if above[0].of == "1" and len(above) > 1:
            above = above[1:]
        below.sort(key=lambda one: not one.is_number)  # a number stands first
        own, top = self.product(above)
        under = self.product(below)[1]
        return (
            (1, rf"-\frac{{{top[1:]}}}{{{under}}}")
            if own == 1
            else (4, rf"\frac{{{top}}}{{{under}}}")
        )

    def product(self, factors: list[Expression]) -> tuple[int, str]:
        """Show factors; a minus may stand in front of all of them."""
        first = self.show(factors[0])
        signed = first[0] == "-" and factors[0].of != "+"
        text = first if signed or len(factors) == 1 else self.show(factors[0], 2)
        for one in factors[1:]:
            part = self.show(one, 2)
            text += (r" \cdot " if _NUMBER.match(part) else " ") + part
        return 1 if signed else 2, text


def _sides(of: Expression) -> tuple[list[Expression], list[Expression]]:
    """Return the factors and divisors of a product; a fraction divides as a whole."""
    above: list[Expression] = []
    below: list[Expression] = []
    while of.of == "*" or (of.of == "/" and of.args[1].of != "/"):
        (above if of.of == "*" else below)[:0] = of.args[1:]
        of = of.args[0]
    if of.of == "/" and not above and not below:
        return [of.args[0]], [of.args[1]]
    return [of, *above], below


def _number(text: str) -> tuple[int, str]:
    """Return how strongly a number binds, and its LaTeX: 12, 0.1, 10^{-7}, a fraction."""
    if text[0] == "-":
        return 1, f"-{_number(text[1:])[1]}"
    above, _, below = text.partition("/")
    if below:
        return 2, rf"\frac{{{_number(above)[1]}}}{{{_number(below)[1]}}}"
    front, _, power = text.partition("e")
    if not power:
        return 3, text
    front = "" if front == "1" else rf"{front} \cdot "
    return 2, f"{front}10^{{{power}}}"
