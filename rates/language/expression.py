"""A formula as a tree: a number, a letter, or an operation on formulas."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

FUNCTIONS = ("min", "max", "abs", "sqrt", "log", "log2", "exp", "Phi", "floor", "ceil", "sum_j")
BINDERS = ("inf", "sup", "best")  # a letter follows: inf_h(...)
CONSTANTS = ("pi",)
SIGNS = {"=": "=", "==": "=", "<=": r"\le", "<": "<", ">=": r"\ge", ">": ">"}  # as LaTeX


@dataclass(frozen=True, slots=True)
class Expression:
    """A number, a letter, or an operation on expressions.

    Attributes:
        of: A letter's name, a number as text ("1/3"), or an operation: "+", "-" (of one), "*",
            "/", "^", "<=", one of `FUNCTIONS`, or one over a letter, as "inf_h".
        args: What the operation is applied to; empty for a letter and a number.
        label: What a term is called, as in "private: n*eps"; empty without one.
        start: Column of the text at which it begins, from 1; 0 where it was not read.
        end: Column after it.
        mark: Column of its sign, as of the * between two factors; 0 without one.
    """

    of: str
    args: tuple[Expression, ...] = ()
    label: str = ""
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    mark: int = field(default=0, compare=False)

    @property
    def is_number(self) -> bool:
        """Whether it is a number."""
        return not self.args and (self.of[0].isdigit() or self.of[0] == "-")

    @property
    def number(self) -> Fraction | None:
        """Its value if it is a number."""
        return Fraction(self.of) if self.is_number else None


def parts(of: Expression) -> Iterator[Expression]:
    """Yield every part of an expression, the whole first, from left to right."""
    yield of
    for one in of.args:
        yield from parts(one)


def bound_letter(name: str) -> str:
    """Return the letter that a function is taken over, empty if it is none of these.

    >>> bound_letter("inf_h"), bound_letter("sqrt")
    ('h', '')
    """
    kind, _, letter = name.partition("_")
    return letter if kind in BINDERS else ""


def spine(of: Expression, marks: Collection[str]) -> tuple[Expression, list[Expression]]:
    """Return the first of several terms or factors, and the operations that add the others.

    They are nested to the left, as deep as a text is long; one with a label stands for itself.
    """
    steps = [of]
    while steps[-1].args[0].of in marks and not steps[-1].args[0].label:
        steps.append(steps[-1].args[0])
    return steps[-1].args[0], steps[::-1]


def letters_of(of: Expression) -> set[str]:
    """Return the letters that occur.

    >>> from rates.language import read
    >>> sorted(letters_of(read("n0^(-beta/(2*beta + d))")))
    ['beta', 'd', 'n0']
    """
    return {one.of for one in parts(of) if not (one.args or one.is_number or one.of in CONSTANTS)}


def substituted(of: Expression, by: Mapping[str, Expression]) -> Expression:
    """Return an expression with expressions in place of some letters.

    >>> from rates.language import latex, read
    >>> print(latex(substituted(read("x + y"), {"y": read("2*n")})))
    x + 2 n
    """
    if not of.args:
        return by.get(of.of, of)
    return Expression(of.of, tuple(substituted(one, by) for one in of.args), of.label)
