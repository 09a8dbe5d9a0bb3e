"""Claims of orders, decided for all sizes at some exponents, in exact arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from rates.orders import Cell, condition_latex, decide, needs, proved, table_one_cells
from rates.proofs import ContradictionError

_SMOOTH = tuple(map(Fraction, ("1/4", "1/2", "1")))
_WEAKER = {1: tuple(map(Fraction, ("1/2", "4/5"))), 2: (Fraction(5, 4), Fraction(2))}
_DIMENSIONS = (1, 2, 3)
_ROWS = {"ACC:Table1:reading-A": (1,), "ACC:Table1:corrected": (1, 2, 3)}
_CORRECTED = ("all", "corrected")


def _cells(of: str) -> Iterator[Cell]:
    """Yield the cells of Table 1, as we read it, that a statement speaks of."""
    rows: tuple[int, ...] = _ROWS.get(of, ())
    columns: tuple[int, ...] = (1, 2, 3, 4)
    place = of.removeprefix("ACC:Table1:").split(":")
    if len(place) > 1 and place[1].startswith("column"):
        rows, columns = (int(place[0][-1]),), tuple(map(int, place[1].split("-")[1:]))
    for cell in table_one_cells():
        if cell.row in rows and cell.column in columns and cell.reading in _CORRECTED:
            yield cell


def _exponents(cell: Cell) -> list[dict[str, Fraction]]:
    every = product(_SMOOTH, _WEAKER[min(cell.row, 2)], map(Fraction, _DIMENSIONS))
    return [dict(zip(("beta", "gamma", "d"), one, strict=True)) for one in every]


@cache
def _holds(cell: Cell) -> tuple[bool, ...]:
    """Say whether a cell is right, exponents by exponents; once in a process for all entries."""
    found = []
    claim = cell.claim  # read once
    for exponents in _exponents(cell):
        try:
            found.append(decide(claim, exponents).holds is True)
        except ContradictionError:
            continue  # no sizes at all meet the conditions at these exponents
    return tuple(found)


@cache
def _needs(cell: Cell) -> dict[str, Any]:
    """Return what a cell that is right needs of its conditions, at all exponents together."""
    claim = cell.claim
    found = needs(claim, _exponents(cell))
    return {
        "conditions": len(found.where),
        "needed": found.least,
        "text": found.said(show=lambda text: f"${condition_latex(claim.order, text)}$"),
        "ways": len(found.minimal),
        "proved": len(proved(claim, found)),
    }


def carried(of: str) -> dict[str, dict[str, Any]]:
    r"""Return by claim which conditions carry a statement that is decided.

    Returns:
        Of each claim how many conditions it has, and how many the smallest set has under which
        it still holds at all exponents tried; all smallest sets in words; how many there are,
        and how many of them are proved to suffice for all exponents.

    Examples:
        >>> found = carried("ACC:Table1:row-1:column-4")["row 1, column 4: NPs"]
        >>> [found[name] for name in ("conditions", "needed", "ways", "proved")]
        [6, 4, 4, 2]
        >>> found["text"].count("; or ")
        3
    """
    return {cell.name: _needs(cell) for cell in _cells(of)}


def decided(of: str) -> bool:
    """Whether a statement speaks of cells of Table 1, and all hold at all exponents tried.

    Examples:
        >>> decided("ACC:Table1:row-1:column-4"), decided("ACC:Thm3.1")
        (True, False)
    """
    found = [holds for cell in _cells(of) for holds in _holds(cell)]
    return bool(found) and all(found)
