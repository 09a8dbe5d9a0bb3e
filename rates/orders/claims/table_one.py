"""[ACC] Table 1 as claims, cell by cell: as printed in two readings, and corrected."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from rates.orders.claims.claim import Claim
from rates.orders.inquiry import Inquiry, Said
from rates.orders.read import parse

Reading = Literal["A", "B", "printed", "corrected", "all"]

SIZES = ("n", "m", "n0", "eps")
TERMS = {
    "1": "1",
    "Pt": "(n0*eps)^(-1/(beta+d))",
    "NPt": "n0^(-1/(2*beta+d))",
    "Ps": "(m^(1/2)*n*eps)^(-1/(beta*gamma+d))",
    "NPs": "(m*n)^(-1/(2*beta*gamma+d))",
}
ROOT = "min(1, max(Pt: {Pt}, NPt: {NPt}), max(Ps: {Ps}, NPs: {NPs}))".format(**TERMS)

_COROLLARY = ("n >= 1", "m >= 1", "n <= n0", "n0 <= m*n", "eps <= 1")
_ONE = "min(m^(-1/2)/n, 1/n0)"
_TWO = "n0^(-beta/(2*beta+d))"
_THREE = "(m^(d/2)*n^(-beta*gamma))^(1/(2*beta*gamma+d))"
_ELEVEN = "((m^(1/2)*n)^(beta+d)*n0^(-beta*gamma-d))^(1/(beta*(gamma-1)))"
_TWENTY_ONE = "n0^((beta*gamma+d)/(2*beta+d))*m^(-1/2)/n"
_TWENTY_ONE_PRINTED = "n0^((beta*gamma+d)/(beta+d))*m^(-1/2)/n"
_STAR = "(m*n)^(1/(2*beta*gamma+d)) {} n0^(1/(2*beta+d))"  # gamma against gamma*
_ROWS: dict[int, tuple[tuple[float, float], tuple[str, ...]]] = {
    1: ((0.0, 1.0), ()),
    2: ((1.0, math.inf), (_STAR.format(">="),)),
    3: ((1.0, math.inf), (_STAR.format("<="),)),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one cell of the table says of one side of its threshold.

    Attributes:
        row: 1 for γ ≤ 1, 2 for γ in (1, γ*], 3 above.
        column: 1 to 4: up to ε1, ε2, ε3, 1.
        reading: Which table says so; "printed" where both readings do, "all" where all do.
        term: The term that it names.
        where: Where the table says so, with the corollary's sizes.
    """

    row: int
    column: int
    reading: Reading
    term: str
    where: tuple[str, ...]

    @property
    def name(self) -> str:
        """Where it stands, and what it says."""
        said = {"all": "", "corrected": ", our reading", "printed": ", as printed"}
        reading = said.get(self.reading, f", as printed, reading {self.reading}")
        return f"row {self.row}, column {self.column}{reading}: {self.term}"

    @property
    def claim(self) -> Claim:
        """The claim that this term is the root r there."""
        span, _ = _ROWS[self.row]
        order = parse(ROOT, sizes=SIZES, exponents={"beta": (0, 1), "gamma": span, "d": None})
        return Claim(order, TERMS[self.term], self.where)


@lru_cache(maxsize=1)
def table_one_cells() -> tuple[Cell, ...]:
    """Return all claims of the table, row by row.

    Examples:
        >>> from rates.orders import decide
        >>> at = {"beta": "1/2", "gamma": "4/5", "d": 2}
        >>> for cell in table_one_cells():
        ...     if (cell.row, cell.column) == (1, 3) and not decide(cell.claim, at).holds:
        ...         print(cell.reading, cell.term)
        A NPs
        B Pt

    Source: [ACC] Corollary 3.2, Table 1.
    """
    private = [("Pt", f"eps <= {_ELEVEN}"), ("Ps", f"eps >= {_ELEVEN}")]
    turned = [("Ps", f"eps <= {_ELEVEN}"), ("Pt", f"eps >= {_ELEVEN}")]
    mixed = [("NPt", f"eps <= {_TWENTY_ONE}"), ("Ps", f"eps >= {_TWENTY_ONE}")]
    printed = [(term, text.replace(_TWENTY_ONE, _TWENTY_ONE_PRINTED)) for term, text in mixed]
    second = f"{_ONE} <= eps", f"eps <= {_TWO}"
    third, fourth = (f"{_TWO} <= eps", f"eps <= {_THREE}"), f"eps >= {_THREE}"
    out = [_cell(row, 1, "all", "1", (f"eps <= {_ONE}",)) for row in _ROWS]
    for row, sides in ((1, private), (2, turned), (3, turned)):
        out += [_cell(row, 2, "all", term, (*second, side)) for term, side in sides]
    out.append(_cell(1, 3, "A", "NPs", third))
    for reading, row, sides in (
        ("B", 1, private),
        ("corrected", 1, mixed),
        ("printed", 2, printed),
        ("corrected", 2, mixed),
    ):
        out += [_cell(row, 3, reading, term, (*third, side)) for term, side in sides]
    out.append(_cell(3, 3, "all", "NPt", (f"{_TWO} <= eps",)))
    out += [_cell(row, 4, "all", "NPs", (fourth,)) for row in (1, 2)]
    return tuple(sorted(out, key=lambda cell: (cell.row, cell.column)))


def _cell(row: int, column: int, reading: str, term: str, where: tuple[str, ...]) -> Cell:
    whole = (*_COROLLARY, *_ROWS[row][1], *where)
    return Cell(row, column, reading, term, whole)  # type: ignore[arg-type]


def table_one_questions() -> tuple[Inquiry, ...]:
    """Return the whole table as two questions: γ below 1 and above.

    >>> [(asked.name, len(asked.claims)) for asked in table_one_questions()]
    [('Table 1, every cell for γ < 1', 9), ('Table 1, every cell for γ > 1', 12)]
    """
    free = (0.0, math.inf)
    out = []
    for rows, title, gamma in (((1,), "γ < 1", 0.8), ((2, 3), "γ > 1", 1.2)):
        span = _ROWS[rows[0]][0]
        said = tuple(
            Said(TERMS[cell.term], cell.where, cell.name)
            for cell in table_one_cells()
            if cell.row in rows
        )
        sizes = (("n0", 9e4), ("eps", 0.3), ("m", 100.0), ("n", 1e3))
        out.append(
            Inquiry(
                name=f"Table 1, every cell for {title}",
                reference="[ACC] Table 1, as printed in two readings and corrected",
                text=ROOT,
                sizes=tuple(x for x, _ in sizes),
                exponents=(("beta", (0.0, 1.0)), ("d", free), ("gamma", span)),
                at=(*sizes, ("beta", 0.5), ("d", 2.0), ("gamma", gamma)),
                claims=said,
                axes=("eps", "n0"),
                spans=(("eps", (1e-6, 1.0)), ("n0", (1.0, 1e6))),
            )
        )
    return tuple(out)
