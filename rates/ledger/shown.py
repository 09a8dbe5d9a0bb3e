"""An entry as it is shown: texts with formulas between ``$``, all made from what is checked."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache

from rates.language import SIGNS, latex, name, read
from rates.ledger import certificates
from rates.ledger.claim import Claim, Relation
from rates.ledger.judging import FORMULA, check, relation
from rates.ledger.texts import Entry, Form
from rates.ledger.verdicts import stored
from rates.numbers import DomainError, number

_SHORT = 1000  # largest denominator of a number that is shown as a fraction
_MOST = 12  # digits of a side that differs from the other one late


def title(of: Entry, form: Form) -> str:
    """Name a form; a formula of ours has not been printed."""
    return "Our reading" if form == "reading" else "Our formula" if of.ours else "As printed"


def joined(of: Iterable[str]) -> str:
    """Return lines of a form in one, with one "where".

    >>> joined(["$y < 1$", "where $x = 1$", "where $y = x$", "if $z < y$"])
    '$y < 1$, where $x = 1$, $y = x$, if $z < y$'
    """
    first, where, rest = ", ".join(of).partition("where ")
    return first + where + rest.replace(", where ", ", ")


def form(of: Entry, which: Form) -> tuple[str, ...]:
    """Return one form of an entry, from its claim or else in its words; nothing without both."""
    own = of.claims.get(which)
    if own is not None:
        return own.lines
    return tuple(of.means.splitlines()) if which == "reading" else ()


def ranges(claim: Claim) -> str:
    r"""Say from where to where the letters of a claim are drawn.

    >>> from rates.ledger import read_claim
    >>> ranges(read_claim("for d in {1..5}; eps in [1e-6, 1] log \n then d >= eps"))
    '$d$ 1 to 5, whole; $\\varepsilon$ 1e-6 to 1'
    """
    return "; ".join(
        f"${name(one.letter)}$ {number(float(one.low))} to {number(float(one.high))}"
        f"{', whole' if one.whole else ''}"
        for one in claim.letters
    )


def at(numbers: Mapping[str, object]) -> str:
    r"""Say at which numbers.

    >>> at({"delta0": "1/5", "n0": 1000.0})
    '$\\delta_{0} = 1/5$, $n_{0} = 1{,}000$'
    """
    said = []
    for letter, x in numbers.items():
        value, low = str(x), str(x).partition("/")[2]
        if not low or int(low) > _SHORT:
            value = _typed(float(Fraction(value) if low else value), 6)
        said.append(f"${name(letter)} = {value}$")
    return ", ".join(said)


def _typed(x: float, digits: int) -> str:
    """Return a number as LaTeX, to some digits; a whole one in full."""
    if math.isinf(x):
        return r"\infty" if x > 0 else r"-\infty"
    whole = x.is_integer() and abs(x) < 1e7
    text = f"{int(x):,}" if whole else number(x, digits)
    mantissa, _, exponent = text.replace(",", "{,}").partition("e")
    power = f"10^{{{exponent}}}"
    return mantissa if not exponent else power if mantissa == "1" else rf"{mantissa} \cdot {power}"


@cache
def example(of: Entry) -> tuple[str, str]:
    """Say at which numbers the printed form fails, and how; both empty where none are stored."""
    claim = of.claims.get("printed")
    if claim is not None and claim.at is not None:
        try:
            sides = certificates.make(of, "printed")["sides"]
        except DomainError:
            return at(claim.at), ""
        said = [_sides(one, pair) for one, pair in zip(claim.says, sides, strict=True)]
        return at(claim.at), (" if and only if " if claim.iff else " and ").join(said)
    if of.example:
        outcome = check(of, number=1)[0].outcome
        gap = outcome.example if outcome else None
        fails = outcome is not None and gap is not None and gap > outcome.tolerance
        unit = outcome.unit.removeprefix("is ") if outcome else ""
        return at(of.example), f"{number(gap)}, {unit}" if fails and gap is not None else ""
    return "", ""


def _sides(of: Relation, pair: list[list[str]]) -> str:
    """Return a relation with numbers on both sides, with as many digits as tell them apart."""
    (low, high), (least, most) = [[float(x) for x in ends] for ends in pair]
    middles = ((low + high) / 2, (least + most) / 2)
    apart = high < least or most < low
    # Two sides that look alike would not tell why one contradicts the other.
    for digits in range(4, _MOST + 1):
        left, right = (_typed(x, digits) for x in middles)
        if left != right or not apart:
            break
    return f"${left} {SIGNS[of.sign]} {right}$"


def needs(of: Entry) -> tuple[str, ...]:
    r"""Say which conditions a statement needs that is decided for all sizes, claim by claim.

    >>> from rates.ledger import entry
    >>> needs(entry("ACC:Cor3.2:order"))[1]
    '$\\varepsilon_{2} \\le \\varepsilon_{3}$ needs 2 of its 3 conditions: ...
    """
    found = stored()[of.id].needs
    alone = len(found) == 1
    return tuple(one["text"] if alone else f"{name} {one['text']}" for name, one in found.items())


def step(text: str) -> tuple[str, bool]:
    r"""Return a step of an argument, and whether it holds a relation that draws check.

    >>> step("As `n >= 2`, it grows.")
    ('As $n \\ge 2$, it grows.', True)
    >>> step("By `2*n`.")  # it says nothing that could be checked
    ('By $2 n$.', False)
    """
    checked = False

    def shown(found: re.Match[str]) -> str:
        nonlocal checked
        said = relation(found[1])
        checked = checked or said is not None
        return f"${latex(read(found[1])) if said is None else said.latex}$"

    return FORMULA.sub(shown, text), checked
