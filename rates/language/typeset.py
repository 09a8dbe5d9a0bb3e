"""Expressions as text that is read back as the same, and as LaTeX; plain words as LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from rates.language.expression import Expression, bound_letter, spine

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
        # A sum that was a difference is written as one.
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
    # 0.1 and 1/10 are one number: the shorter text is shown.
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


# LaTeX ------------------------------------------------------------------------------------------

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
        # Tall brackets in a power would be taller than its base.
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
        # A fraction in front goes below the bar: 1/3/n is one over 3 n.
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


_ESCAPED = {c: rf"\{c}" for c in "&%$#_{}"} | {"\\": r"\textbackslash{}", "^": r"\^{}"}
_ESCAPED |= {
    "~": r"\textasciitilde{}",
    "’": "'",
    "“": "``",
    "”": "''",
    "<": r"\ensuremath{<}",
    ">": r"\ensuremath{>}",
}
_BARS = {"\N{COMBINING CIRCUMFLEX ACCENT}": r"\hat", "\N{COMBINING MACRON}": r"\bar"}
_SIGNS = {
    "≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "∞": r"\infty", "∈": r"\in",
    "√": r"\surd", "Σ": r"\sum", "∑": r"\sum", "∫": r"\int", "·": r"\cdot", "×": r"\times",
    "→": r"\to", "∧": r"\wedge", "∨": r"\vee", "⌈": r"\lceil", "⌉": r"\rceil", "⌊": r"\lfloor",
    "⌋": r"\rfloor", "≪": r"\ll", "‖": r"\|", "±": r"\pm", "−": "-", "′": "'", "⁻": "^{-}",
    "ℓ": r"\ell", "≍": r"\asymp", "ε": r"\varepsilon", "φ": r"\varphi", "ϕ": r"\phi",
    "…": r"\dots", "ο": "o", "Ε": "E", "∗": "*", "⇒": r"\Rightarrow", "∝": r"\propto",
}  # fmt: skip


def escaped(words: str) -> str:
    r"""Return plain words as LaTeX.

    >>> print(escaped("n_* ≤ 5% of ε₀²"))
    n\_* \ensuremath{\le} 5\% of \ensuremath{\varepsilon}\ensuremath{_{0}}\ensuremath{^{2}}
    """
    return _signs("".join(_ESCAPED.get(c, c) for c in words))


def _signs(words: str) -> str:
    # An accent that stands alone has no name in LaTeX.
    composed = unicodedata.normalize("NFC", words)
    out = re.sub(r"[^\x00-\x7f]", lambda found: _sign(found[0]), composed)
    return out.replace("\N{NO-BREAK SPACE}", "~")


def _sign(c: str) -> str:
    """One letter or sign beyond ASCII; one that has no name here stays as it is."""
    if c in _SIGNS:
        return rf"\ensuremath{{{_SIGNS[c]}}}"
    name = unicodedata.name(c, "")
    if found := re.fullmatch(r"(SUPER|SUB)SCRIPT .*", name):
        plain = unicodedata.normalize("NFKC", c)
        return rf"\ensuremath{{{'^' if found[1] == 'SUPER' else '_'}{{{plain}}}}}"
    if found := re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (\w+)", name):
        letter = found[2].lower().replace("lamda", "lambda")
        return rf"\ensuremath{{\{letter if found[1] == 'SMALL' else letter.capitalize()}}}"
    apart = unicodedata.normalize("NFD", c)
    if apart[1:2] in _BARS:
        return rf"\ensuremath{{{_BARS[apart[1:2]]}{{{apart[0]}}}}}"
    return c
