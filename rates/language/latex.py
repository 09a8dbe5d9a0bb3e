"""Expressions as LaTeX."""

from __future__ import annotations

import re
from fractions import Fraction

from rates.language.expression import Expression

_GREEK = {
    *("alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda"),
    *("mu", "nu", "xi", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
}
_CAPITAL = {"Gamma", "Delta", "Theta", "Lambda", "Sigma", "Psi", "Omega"}
_OWN = {"eps": r"\varepsilon", "epsilon": r"\varepsilon", "lam": r"\lambda"}
_CALLS = {
    **{of: rf"\{of}\left({{}}\right)" for of in ("min", "max", "log", "exp", "Phi")},
    "log2": r"\log_{{2}}\left({}\right)",
    "sqrt": r"\sqrt{{{}}}",
    "abs": r"\left|{}\right|",
    "floor": r"\lfloor {} \rfloor",
    "ceil": r"\lceil {} \rceil",
}
_NUMBER = re.compile(r"\d|\\frac\{\d+\}\{\d+\}")  # two numbers side by side need a dot


def name(of: str) -> str:
    r"""Return a letter as LaTeX: digits and what follows _ are an index, a star its sign.

    >>> name("eps0"), name("A_t"), name("n_star"), name("tmix")
    ('\\varepsilon_{0}', 'A_{t}', 'n_{\\ast}', '\\mathrm{tmix}')
    """
    stem = of.rstrip("0123456789")
    number = of[len(stem) :]
    stem, _, low = stem.partition("_")
    index = (low if len(low) < 2 else r"\ast" if low == "star" else rf"\mathrm{{{low}}}") + number
    head = _OWN.get(stem) or (f"\\{stem}" if stem in _GREEK or stem in _CAPITAL else stem)
    if len(stem) > 1 and head == stem:
        head = rf"\mathrm{{{stem}}}"
    return head + (f"_{{{index}}}" if index else "")


def latex(of: Expression) -> str:
    r"""Return an expression as LaTeX on one line.

    >>> from rates.language import read
    >>> print(latex(read("sqrt(m)*n^(-1/2)/(2 - x)")))
    \frac{\sqrt{m} n^{-\frac{1}{2}}}{2 - x}
    """
    return _show(of, 0)


def _show(of: Expression, strength: int) -> str:
    """Show an expression; in brackets where its operation binds less than the place asks for."""
    if not of.args:
        if not of.is_number:
            return name(of.of)
        x = Fraction(of.of)
        whole = x.denominator == 1
        text = str(x) if whole else rf"\frac{{{abs(x.numerator)}}}{{{x.denominator}}}"
        text = f"-{text}" if x < 0 and not whole else text
        loose = 1 if x < 0 else 3 if whole else 2  # the place at which it needs brackets
        return rf"\left({text}\right)" if strength > loose else text
    own, text = _operation(of)
    return rf"\left({text}\right)" if own < strength else text


def _operation(of: Expression) -> tuple[int, str]:
    """Return how strongly an operation binds, and its LaTeX."""
    args = of.args
    match of.of:
        case "+":
            text = _show(args[0], 1)
            for one in args[1:]:
                minus = one.of == "-" and one.args
                part = f"-{_show(one.args[0], 2)}" if minus else _show(one, 1)
                text += f" - {part[1:]}" if part[0] == "-" else f" + {part}"
            return 1, text
        case "-":
            return 1, f"-{_show(args[0], 2)}"
        case "*":
            return _product(args)
        case "/" if (top := _show(args[0], 0))[0] == "-" and args[0].of != "+":
            return 1, rf"-\frac{{{top[1:]}}}{{{latex(args[1])}}}"
        case "/":
            return 4, rf"\frac{{{latex(args[0])}}}{{{latex(args[1])}}}"
        case "^":
            base = _show(args[0], 5 if args[0].of in ("/", "^", "sqrt") else 3)
            return 3, f"{base}^{{{latex(args[1])}}}"
        case "sum_j":
            return 2, rf"\sum_{{j}} {_show(args[0], 2)}"
        case _:
            return 4, _CALLS[of.of].format(", ".join(map(latex, args)))


def _product(args: tuple[Expression, ...]) -> tuple[int, str]:
    first = _show(args[0], 0)
    signed = first[0] == "-" and args[0].of != "+"  # a minus may stand in front
    shown = [first if signed else _show(args[0], 2), *(_show(one, 2) for one in args[1:])]
    digits = [k > 0 and bool(_NUMBER.match(text)) for k, text in enumerate(shown)]
    text = "".join(
        (r" \cdot " if dot else " " if k else "") + part
        for k, (part, dot) in enumerate(zip(shown, digits, strict=True))
    )
    return 1 if signed else 2, text
