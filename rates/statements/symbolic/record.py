"""What a derivation is, and the proof that collects its checked steps.

Nothing is taken on trust: a step is an identity whose two sides differ by an expression that
simplifies to 0 and, where it claims a sign, a form whose sign follows from the signs of its
letters alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import sympy

from rates.statements.symbolic.expressions import in_logs
from rates.statements.symbolic.letters import Expr, label, logs, powers, show
from rates.statements.symbolic.letters import log_letters as ln

_SIGNS = {
    ">": ("is_positive", ">"),
    ">=": ("is_nonnegative", r"\ge"),
    "<": ("is_negative", "<"),
    "<=": ("is_nonpositive", r"\le"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a derivation.

    Attributes:
        words: What is done, a sentence.
        latex: The formula, on one line.
        residual_is_zero: Whether the check came out: both sides differ by 0 and, in an
            inequality, the sign follows from the signs of the letters.
    """

    words: str
    latex: str
    residual_is_zero: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Derivation:
    """A result with the steps that lead to it.

    Attributes:
        key: Its name, in the form of a statement's id.
        title: What is derived, in words.
        steps: The steps, in order.
        result: The result, LaTeX on one line.
    """

    key: str
    title: str
    steps: tuple[Step, ...]
    result: str

    @property
    def proved(self) -> bool:
        """Whether there are steps and every one of them came out."""
        return bool(self.steps) and all(step.residual_is_zero for step in self.steps)


def is_zero(value: Expr) -> bool:
    """Say whether an expression simplifies to 0, trying the cheap ways first.

    >>> from rates.statements.symbolic.letters import letters
    >>> n = letters.n
    >>> is_zero(n ** (n + 1) - n * n**n), is_zero(n - 1)
    (True, False)
    """
    value = sympy.expand_log(sympy.S.Zero + value, force=True)
    above = sympy.fraction(sympy.together(value))[0]
    if above == 0 or sympy.expand(above) == 0:
        return True
    # One point at which the value is clearly not 0 settles it, long before simplify would.
    letters = sorted(value.free_symbols, key=lambda x: str(x.name))
    point = {x: sympy.Rational(3 * k + 5, 2 * k + 3) for k, x in enumerate(letters)}
    number = value.subs(point).evalf()
    if number.is_Number and abs(number) > 1e-6:
        return False
    return bool(sympy.simplify(value) == 0)


class Proof:
    """Collects steps, each with the outcome of its check.

    >>> proof = Proof()
    >>> proof.equal("Add.", "1+1", 1 + 1, 3)
    3
    >>> proof.steps[0].latex, proof.steps[0].residual_is_zero
    ('1+1 = 3', False)
    """

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def check(self, words: str, latex: str, *residuals: Expr, holds: bool | None = True) -> None:
        """Add a step whose residuals must all be 0; ``holds`` carries the outcome of a sign."""
        done = bool(holds) and all(is_zero(value) for value in residuals)
        self.steps.append(Step(words=words, latex=latex, residual_is_zero=done))

    def equal(self, words: str, name: str, left: Expr, right: Expr) -> Expr:
        """Add "name = right", checked against the expression that the name stands for."""
        self.check(words, f"{name} = {show(right)}", left - right)
        return right

    def sign(self, words: str, name: str, left: Expr, right: Expr, relation: str = ">") -> Expr:
        """Add "name = right > 0", or another relation; the form on the right shows it."""
        sign, symbol = _SIGNS[relation]
        latex = f"{name} = {show(right)} {symbol} 0"
        self.check(words, latex, left - right, holds=getattr(right, sign))
        return right

    def solve(
        self,
        words: str,
        equation: Expr,
        unknown: Expr,
        *,
        write: Callable[[Expr], Expr] = lambda x: x,
    ) -> Expr:
        """Solve equation = 0 for an unknown with one solution, and add it.

        ``write`` puts the solution in another form; that form is put back into the equation.
        """
        (found,) = map(write, sympy.solve(equation, unknown))
        residual = equation.subs(unknown, found)
        self.check(words, f"{show(unknown)} = {show(found)}", residual)
        return found

    def root(self, words: str, equation: Expr, unknown: Expr, name: str) -> Expr:
        """Solve equation = 0 for a log in which it is linear, and add "name = its power"."""
        (found,) = sympy.solve(equation, unknown)
        residual = equation.subs(unknown, found)
        self.check(words, f"{name} = {show(powers(found))}", residual)
        return found

    def line(self, words: str, name: str) -> Expr:
        """Add the log of a statement as a line in the logs of its letters, and return it."""
        line = tidy(in_logs(name))
        latex = rf"\log {label(name)} = {show(line)}"
        self.check(words, latex, in_logs(name) - logs(powers(line)))
        return line

    def meet(
        self, one: str, two: str, name: str, *, letter: str = "eps", side: str | None = None
    ) -> Expr:
        """Find where two statements are equal in the log of a letter; return that log.

        Adds their logs, the solution, its power against the statement ``name``, and which of
        the two is larger on either side: by default the first below, the second above.
        """
        first = self.line("Take logs.", one)
        second = self.line("Likewise,", two)
        unknown = getattr(ln, letter)
        gap = first - second
        (found,) = sympy.solve(gap, unknown)
        found = tidy(found)
        self.check(
            "Both are equal where", f"{show(unknown)} = {show(found)}", gap.subs(unknown, found)
        )
        self.power("Exponentiate.", name, found)
        slope = tidy(-sympy.expand(gap).coeff(unknown))
        self.check(
            side or f"The factor is positive: below this value {one} is larger, above it {two}.",
            rf"\log \frac{{{label(one)}}}{{{label(two)}}} = "
            rf"{show(slope)} \log \frac{{{label(name)}}}{{{show(powers(unknown))}}}",
            gap - slope * (found - unknown),
            holds=side is not None or slope.is_positive,
        )
        return found

    def gap(
        self,
        words: str,
        claim: str,
        form: Expr,
        *,
        at: Callable[[Expr], Expr] = lambda x: x,
        budget: str = "",
    ) -> None:
        r"""Add "log (one / two) = form", and its sign if the claim has one.

        Args:
            words: What is done.
            claim: Two statements with ``>``, ``<``, ``>=`` or ``<=`` between them, or ``/``, which
                claims no sign: "Ps > NPs".
            form: What the difference of their logs is.
            at: What to put in for the letters first.
            budget: The statement whose value ε takes.
        """
        one, relation, two = re.split(" ([<>]=?|/) ", claim)
        left = in_logs(one) - in_logs(two)
        if budget:
            left = left.subs(ln.eps, in_logs(budget))
        name = rf"\log \frac{{{label(one)}}}{{{label(two)}}}"
        if relation == "/":
            self.equal(words, name, at(left), form)
        else:
            self.sign(words, name, at(left), form, relation)

    def power(self, words: str, name: str, line: Expr) -> None:
        """Add that a statement is the product of powers with this log."""
        self.check(words, f"{label(name)} = {show(powers(line))}", in_logs(name) - line)


def tidy(line: Expr, *symbols: Expr) -> Expr:
    """Write the coefficient of every symbol, by default of every log, as one factored fraction."""
    line = sympy.expand(line)
    if not symbols:
        logs = [x for x in line.free_symbols if x.name.startswith("log_")]
        symbols = tuple(sorted(logs, key=lambda x: str(x.name)))
    out = sympy.S.Zero
    for x in symbols:
        factor = sympy.factor(line.coeff(x))
        out += factor * x
        line = sympy.expand(line - sympy.expand(line.coeff(x)) * x)
    return out + sympy.factor(line)
