"""Rates to begin with: those of the papers here, [ACC] Table 1 cell by cell among them.

`rates.orders.printed` has those of other papers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from rates.orders.claims import Claim
from rates.orders.inquiry import FREE, Inquiry, Said
from rates.orders.read import parse

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
        reading: Which table says so: "A", "B", "corrected", "printed" for both of A and B, "all".
        term: The term that it names.
        sides: Where the cell says so, beside its row's γ.
    """

    row: int
    column: int
    reading: str
    term: str
    sides: tuple[str, ...]

    @property
    def where(self) -> tuple[str, ...]:
        """Where the table says so, with the corollary's sizes."""
        return (*_COROLLARY, *_ROWS[self.row][1], *self.sides)

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
    cells = [Cell(row, 1, "all", "1", (f"eps <= {_ONE}",)) for row in _ROWS]
    cells += [Cell(row, 4, "all", "NPs", (fourth,)) for row in (1, 2)]
    cells += [Cell(1, 3, "A", "NPs", third), Cell(3, 3, "all", "NPt", third[:1])]
    for row, column, reading, between, sides in (
        (1, 2, "all", second, private),
        (2, 2, "all", second, turned),
        (3, 2, "all", second, turned),
        (1, 3, "B", third, private),
        (1, 3, "corrected", third, mixed),
        (2, 3, "printed", third, printed),
        (2, 3, "corrected", third, mixed),
    ):
        cells += [Cell(row, column, reading, term, (*between, side)) for term, side in sides]
    return tuple(sorted(cells, key=lambda cell: (cell.row, cell.column)))


def table_one_questions() -> tuple[Inquiry, ...]:
    """Return the whole table as two questions: γ below 1 and above.

    >>> [(asked.name, len(asked.claims)) for asked in table_one_questions()]
    [('Table 1, every cell for γ < 1', 9), ('Table 1, every cell for γ > 1', 12)]
    """
    out = []
    for rows, title, gamma in (((1,), "γ < 1", 0.8), ((2, 3), "γ > 1", 1.2)):
        cells = [cell for cell in table_one_cells() if cell.row in rows]
        sizes = (("n0", 9e4), ("eps", 0.3), ("m", 100.0), ("n", 1e3))
        out.append(
            Inquiry(
                name=f"Table 1, every cell for {title}",
                reference="[ACC] Table 1, as printed in two readings and corrected",
                text=ROOT,
                sizes=tuple(x for x, _ in sizes),
                exponents=(("beta", (0.0, 1.0)), ("d", FREE), ("gamma", _ROWS[rows[0]][0])),
                at=(*sizes, ("beta", 0.5), ("d", 2.0), ("gamma", gamma)),
                claims=tuple(Said(TERMS[one.term], one.where, one.name) for one in cells),
                axes=("eps", "n0"),
                spans=(("eps", (1e-6, 1.0)), ("n0", (1.0, 1e6))),
            )
        )
    return tuple(out)


# Rates to begin with ----------------------------------------------------------------------------

_BALANCE = (
    "min(NPt: n0*r^(2*beta+d), Pt: n0^2*eps^2*r^(2*beta+2*d)) + "
    "m*min(NPs: n*r^(2*beta*gamma+d), Ps: n^2*eps^2*r^(2*beta*gamma+2*d)) = 1"
)
_FOUR = f"{ROOT}^(beta*(1+alpha))"
_NPT = "n0^(-beta*(1+alpha)/(2*beta+d))"
_PS = "(m^(1/2)*n*eps)^(-beta*(1+alpha)/(beta*gamma+d))"
_NPS = "(m*n)^(-beta*(1+alpha)/(2*beta*gamma+d))"
# The cell between eps2 and eps3 under the corollary's sizes; m >= 1 follows from them.
_THIRD = ("n >= 2", *_COROLLARY[2:], f"eps >= {_TWO}", f"eps <= {_THREE}")
_ACC_LETTERS = (("beta", (0.0, 1.0)), ("d", FREE), ("gamma", FREE), ("alpha", FREE))
_ACC_SIZES = ("n0", "eps", "m", "n")


def _at(**values: float) -> tuple[tuple[str, float], ...]:
    return tuple(values.items())


def _acc(gamma: float, **more: float) -> tuple[tuple[str, float], ...]:
    values = {"n0": 8e4, "eps": 0.1, "m": 100.0, "n": 1e4, **more}
    return _at(**values, beta=0.5, d=2.0, gamma=gamma, alpha=1.0)


EXAMPLES = (
    Inquiry(
        name="Transfer, equal sources: the rate",
        reference="[ACC] eq. (4)",
        text=_FOUR,
        sizes=_ACC_SIZES,
        exponents=_ACC_LETTERS,
        where=("n >= 1", "m >= 1", "n <= n0", "n0 <= m*n", "eps <= 1"),
        at=_acc(1.2),
        axes=("eps", "gamma"),
        spans=(("eps", (1e-6, 1.0)), ("gamma", (0.1, 3.0))),
    ),
    Inquiry(
        name="Transfer, equal sources: the equation",
        reference="[ACC] eqs. (5), (6) with m equal sources",
        text=_BALANCE,
        rate="min(1, r^(beta*(1+alpha)))",
        unknown="r",
        sizes=_ACC_SIZES,
        exponents=_ACC_LETTERS,
        at=_acc(1.2),
        axes=("eps", "n0"),
        spans=(("eps", (1e-6, 1.0)), ("n0", (1.0, 1e8))),
    ),
    Inquiry(
        name="Table 1, the cell that went wrong",
        reference="[ACC] Table 1, row γ ≤ 1, from ε₂ to ε₃",
        text=_FOUR,
        sizes=_ACC_SIZES,
        exponents=(("beta", (0.0, 1.0)), ("d", FREE), ("gamma", (0.0, 1.0)), ("alpha", FREE)),
        at=_acc(0.8, n0=9e4, n=1e3, eps=0.3),
        claims=(
            Said(_NPS, _THIRD, "as printed, reading A: NPs"),
            Said(f"min({_NPT}, {_PS})", _THIRD, "our reading: the smaller of NPt and Ps"),
        ),
        axes=("eps", "n0"),
        spans=(("eps", (1e-6, 1.0)), ("n0", (1.0, 1e6))),
    ),
    *table_one_questions(),
    Inquiry(
        name="Transfer, the current study's sites",
        reference="[ACC] eq. (5), one term per site",
        text="sum_j(m*min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d))) = 1",
        rate="min(1, r^(beta*(1+alpha)))",
        unknown="r",
        sizes=("m", "n", "eps"),
        exponents=_ACC_LETTERS,
        sites=("m", "n", "gamma", "eps"),
        at=_at(m=1.0, n=1e4, eps=0.5, beta=0.5, d=2.0, gamma=1.0, alpha=1.0),
    ),
    Inquiry(
        name="A curve, equal sites: integrated error",
        reference="[CCV] eqs. (6), (4): D for m equal servers, rate D^(−2α)",
        text="D^(2*alpha+2) = m*min(privacy: n^2*eps^2, sampling: n*D)",
        rate="min(1, D^(-2*alpha))",
        unknown="D",
        sizes=("m", "n", "eps"),
        exponents=(("alpha", FREE),),
        at=_at(m=10.0, n=1e4, eps=0.1, alpha=1.5),
        axes=("eps", "m"),
        spans=(("eps", (1e-4, 10.0)), ("m", (1.0, 1e4))),
    ),
    Inquiry(
        name="A curve, the current study's sites",
        reference="[CCV] eq. (6), one term per server",
        text="D^(2*alpha+2) = sum_j(m*min(n^2*eps^2, n*D))",
        rate="min(1, D^(-2*alpha))",
        unknown="D",
        sizes=("m", "n", "eps"),
        exponents=(("alpha", FREE),),
        sites=("m", "n", "eps"),
        at=_at(m=1.0, n=1e4, eps=0.5, alpha=1.5),
    ),
    Inquiry(
        name="The mean of d numbers, squared error",
        reference="Cai, Wang, Zhang 2021, Annals of Statistics 49(5); compared with the isotropic "
        "case of Dagan, Jordan, Yang, Zakynthinou, Zhivotovskiy 2024",
        text="max(sampling: d/n, privacy: d^2/(n^2*eps^2))",
        sizes=("d", "n", "eps"),
        at=_at(d=20.0, n=1e4, eps=0.5),
        axes=("eps", "d"),
        spans=(("eps", (1e-4, 10.0)), ("d", (1.0, 1e4))),
        claims=(
            Said("d/n", ("n*eps^2 >= d",), "privacy is free when n ε² ≥ d"),
            Said("d/n", ("n*eps >= d",), "privacy is free when n ε ≥ d"),
        ),
    ),
)
