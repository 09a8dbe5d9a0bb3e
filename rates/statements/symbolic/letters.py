r"""Letters, their logs, and LaTeX in the papers' notation.

A statement that is a product of powers is, in logs, a line in the logs of its letters: `logs`
and `powers` lead there and back.
"""

from __future__ import annotations

import re
from functools import cache
from types import SimpleNamespace as Space
from typing import Any

import sympy

Expr = Any  # a sympy expression; sympy has no types of its own

_LETTERS = {
    "n": "n",
    "m": "m",
    "n0": "n_0",
    "n1": "n_1",
    "n2": "n_2",
    "eps": r"\varepsilon",
    "eps0": r"\varepsilon_0",
    "N": "N",
    "r": "r",
    "D": "D",
    "beta": r"\beta",
    "gamma": r"\gamma",
    "d": "d",
    "alpha": r"\alpha",
    "B": "B",
    "g": "g",
    "nu": r"\nu",
    "p": "p",
    "delta": r"\delta",
    "tau": r"\tau",
    "c": "c",
    "C": "C",
    "c0": "c_0",
    "L": "L",
    "s": "s",
    "u": "u",
    "v": "v",
    "t": "t",
    "R": "R",
    "x": "x",
    "w": "w",
    "a": "a",
    "b": "b",
    "q": "q",
    "V": "V",
    "T": "T",
    "E": "E",
    "Q": "Q",
    "rest": r"\rho",
}
_SIZES = ("n", "m", "n0", "n1", "n2", "N")
_LABELS = {
    "NPt": r"\mathrm{NP}_t",
    "Pt": r"\mathrm{P}_t",
    "NPs": r"\mathrm{NP}_s",
    "Ps": r"\mathrm{P}_s",
    "gamma_star": r"\gamma_*",
    "eps1": r"\varepsilon_1",
    "eps2": r"\varepsilon_2",
    "eps3": r"\varepsilon_3",
    "eps11": r"\varepsilon_{11}",
    "eps21": r"\varepsilon_{21}",
    "eps21 printed": r"\varepsilon_{21}^{\text{printed}}",
    "epsX": r"\varepsilon_X",
    "target first": r"\varepsilon_t",
    "sources first": r"\varepsilon_s",
    "leave 1 for 0": r"\varepsilon_{10}",
    "leave 1 for 2": r"\varepsilon_{12}",
    "free 2": r"\varepsilon_{22}",
    "free 2 printed": r"\varepsilon_{22}^{\text{printed}}",
    "public": r"\mathrm{NP}_1",
    "P2": r"\mathrm{P}_2",
    "NP2": r"\mathrm{NP}_2",
    "D private": r"D_{\mathrm{P}}",
    "D free": r"D_{\mathrm{NP}}",
    "sources 3.2 printed": r"\mathrm{NP}_s^{\text{printed}}",
    "elbow": r"\varepsilon_g",
    "cost": r"\text{cost}",
}


def _sorted(name: str) -> str:
    """Name a symbol so that sympy, which sorts by name, writes budgets behind sizes."""
    return name.replace("eps", "veps")


# The letters as positive symbols, `letters.beta` and so on.
letters = Space(**{name: sympy.Symbol(_sorted(name), positive=True) for name in _LETTERS})
# Their logs: of a size at least 0, of a budget of any sign. A size of 1 has the log 0; a strict
# sign needs a letter that is larger, and says so.
_SIGNS = {name: {"nonnegative": True} for name in _SIZES} | {"n0": {"positive": True}}
log_letters = Space(
    **{
        name: sympy.Symbol(f"log_{_sorted(name)}", **_SIGNS.get(name, {"real": True}))
        for name in _LETTERS
    }
)
# The a, b, a0 and e of n = N^a, m = N^b, n0 = N^a0, ε = N^-e.
exponent_letters = Space(
    **{name: sympy.Symbol(name, nonnegative=True) for name in ("a", "b", "a0")},
    e=sympy.Symbol("e", real=True),
)


@cache
def slack(name: str, *, strict: bool = False) -> Expr:
    """Return a letter that stands for a difference of logs, at least 0, or above 0."""
    return sympy.Symbol(name, **({"positive": True} if strict else {"nonnegative": True}))


def power_k() -> Expr:
    """Return k = 2βγ + d, the power of r in (5) where the sample binds a source."""
    s = letters
    return 2 * s.beta * s.gamma + s.d


def label(name: str) -> str:
    """Return the LaTeX of a statement's name."""
    return _LABELS[name]


def show(value: Expr) -> str:
    r"""Return LaTeX on one line, in the papers' letters; lines in logs as few logs as possible.

    >>> s, ln = letters, log_letters
    >>> print(show(s.n0 ** (-s.beta / (2 * s.beta + s.d))))
    n_0^{- \frac{\beta}{2 \beta + d}}
    >>> print(show(-(ln.m / 2 + ln.n) / s.d))
    - \frac{\log \left(\sqrt{m} n\right)}{d}
    """
    parts, rest = _log_parts(value)
    if not parts:
        return _over_logs(value)
    if rest == 0:
        parts = _under_one(parts)
    signed = [_log_term(factor, inside) for factor, inside in parts]
    if rest != 0:
        minus = rest.could_extract_minus_sign()
        signed.append((minus, _latex(-rest if minus else rest)))
    return _sum(signed)


def _sum(signed: list[tuple[bool, str]]) -> str:
    """Join terms, those without a minus sign first."""
    signed = sorted(signed, key=lambda term: term[0])
    text = " ".join(f"{'-' if minus else '+'} {part}" for minus, part in signed)
    return text.removeprefix("+ ")


def _over_logs(value: Expr) -> str:
    """Show a line in logs over something that holds logs too, else anything as it is."""
    above, below = sympy.fraction(sympy.together(value))
    if below.has(*vars(log_letters).values()) and _log_parts(above)[0]:
        return rf"\frac{{{show(above)}}}{{{_latex(below)}}}"
    return _latex(value)


def _log_parts(value: Expr) -> tuple[list[tuple[Expr, Expr]], Expr]:
    """Split a line in logs into factors times logs of products of powers, and the rest."""
    s, ln = letters, log_letters
    line = sympy.expand(value)
    found: list[tuple[Expr, Expr]] = []  # factor, and the product whose log it multiplies
    for name in _LETTERS:
        symbol = getattr(ln, name)
        if not line.has(symbol):
            continue
        factor = line.coeff(symbol)
        if (line - factor * symbol).expand().has(symbol) or factor.has(*vars(ln).values()):
            return [], value  # not a line
        line = sympy.expand(line - factor * symbol)
        factor = sympy.factor(factor)
        for k, (other, inside) in enumerate(found):
            ratio = sympy.cancel(factor / other)
            if not ratio.is_Rational or max(ratio.q, abs(ratio.p)) > 2:
                continue  # no higher root or power than a square inside one log
            if abs(ratio) <= 1:
                found[k] = (other, inside * getattr(s, name) ** ratio)
            else:
                found[k] = (factor, inside ** (1 / ratio) * getattr(s, name))
            break
        else:
            found.append((factor, getattr(s, name)))
    upright = [
        (-factor, 1 / inside)
        if factor.could_extract_minus_sign() and inside.as_numer_denom()[1] != 1
        else (factor, inside)
        for factor, inside in found
    ]
    return upright, sympy.factor(line)


def _under_one(parts: list[tuple[Expr, Expr]]) -> list[tuple[Expr, Expr]]:
    """Take logs into one where their factors' denominators agree up to a number."""
    under = {factor.as_numer_denom()[1].primitive()[1] for factor, _ in parts}
    if len(under) > 1 or len(parts) == 1 or under == {1}:
        return parts
    (below,) = under
    product = sympy.prod([inside ** sympy.cancel(factor * below) for factor, inside in parts])
    return [(1 / below, product)]


def _log_term(factor: Expr, inside: Expr) -> tuple[bool, str]:
    """Return whether a factor times a log is negative, and its absolute value as LaTeX."""
    minus = factor.could_extract_minus_sign()
    over, under = (-factor if minus else factor).as_numer_denom()
    log = rf"\log {_latex(inside)}" if inside.is_Symbol else rf"\log \left({_latex(inside)}\right)"
    if over.is_Add:
        log = rf"\left({_latex(over)}\right) {log}"
    elif over != 1:
        log = f"{_latex(over)} {log}"
    return minus, log if under == 1 else rf"\frac{{{log}}}{{{_latex(under)}}}"


def _latex(value: Expr) -> str:
    names = {getattr(letters, k): v for k, v in _LETTERS.items()}
    names |= {getattr(log_letters, k): rf"\log {v}" for k, v in _LETTERS.items()}
    names |= {exponent_letters.a0: "a_0"}
    text = str(sympy.latex(value, symbol_names=names))
    # \log{\left(x \right)} of a single letter needs no brackets.
    return re.sub(r"\\log\{\\left\((\\?\w+) \\right\)\}", r"\\log \1", text)


@cache
def logs(value: Expr) -> Expr:
    """Return the log of a product of powers, as a line in the logs of its letters."""
    s, ln = letters, log_letters
    out = sympy.expand_log(sympy.log(value), force=True)
    return out.subs({sympy.log(getattr(s, k)): getattr(ln, k) for k in _LETTERS})


def with_logs(line: Expr) -> Expr:
    """Write the symbols of logs as logs of letters again."""
    s, ln = letters, log_letters
    return line.subs({getattr(ln, k): sympy.log(getattr(s, k)) for k in _LETTERS})


def powers(line: Expr) -> Expr:
    """Return the product of powers whose log is a line in the logs of the letters.

    >>> s, ln = letters, log_letters
    >>> powers(-(ln.m + ln.n) / s.d)
    (m*n)**(-1/d)
    """
    parts, rest = _log_parts(line)
    out = sympy.exp(rest)
    for factor, inside in parts:
        out *= inside**factor
    return out
