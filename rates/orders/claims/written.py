"""Tables of cases as LaTeX."""

from __future__ import annotations

from rates.language import SIGNS, name
from rates.orders.claims.conditions import relations
from rates.orders.claims.table import Table
from rates.orders.order import Order
from rates.orders.read import sides_of


def condition_latex(order: Order, text: str) -> str:
    r"""Return a condition as LaTeX.

    >>> from rates.orders import parse
    >>> condition_latex(parse("n*m", sizes=["n", "m"]), "n <= m^2 or n >= 2 and m = 1")
    'n \\le m^{2} \\lor n \\ge 2 \\land m = 1'
    """
    part = "the condition"
    return r" \lor ".join(
        r" \land ".join(_relation(order, piece, part) for piece, _ in branch)
        for branch in relations(text, part)
    )


def _relation(order: Order, text: str, part: str) -> str:
    sides, signs = sides_of(text, order.explicit_letters, part)
    rest = (
        f" {SIGNS[sign.text]} {side.latex}" for sign, side in zip(signs, sides[1:], strict=True)
    )
    return sides[0].latex + "".join(rest)


def case_rows(order: Order, table: Table) -> list[tuple[str, str, str]]:
    r"""Return a table of cases as LaTeX: conditions, between which thresholds, and the term.

    >>> from rates.orders import cases, parse
    >>> order = parse("max(1/n, 1/(n*eps)^2)", sizes=["n", "eps"])
    >>> [row[1] for row in case_rows(order, cases(order, "eps", ("n >= 2",))[0])]
    ['\\varepsilon \\le n^{-\\frac{1}{2}}', 'n^{-\\frac{1}{2}} \\le \\varepsilon']
    """
    letter = name(table.along)
    rows = []
    for case in table.cases:
        low = f"{case.low.latex} \\le " if case.low else ""
        high = f" \\le {case.high.latex}" if case.high else ""
        between = f"{low}{letter}{high}" if low or high else ""
        where = r",\; ".join(condition_latex(order, text) for text in case.where)
        rows.append((where, between, case.rate.latex))
    return rows
