"""The table of cases of a rate along one letter, written for symbolic exponents, and checked."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rates import pieces, proofs
from rates.language import SIGNS, name
from rates.numbers import DomainError, Words
from rates.orders.claims.claim import Choice, ranges_of, read_conditions, relations, together
from rates.orders.claims.deciding import Exponents, drawn
from rates.orders.language import exponents_at, powers, write
from rates.orders.order import Order, single
from rates.orders.read import sides_of
from rates.pieces import Leaf
from rates.proofs import Chamber, Piece

MAX_TABLES = 8
_DRAWS = 12


@dataclass(frozen=True, slots=True)
class Case:
    """One row: where its conditions hold, one term decides.

    Attributes:
        where: Conditions on the other letters.
        low: The threshold above which it decides, None without one.
        high: The threshold up to which it decides, None without one.
        label: The term's label.
        rate: The term.
    """

    where: tuple[str, ...]
    low: Order | None
    high: Order | None
    label: str
    rate: Order


@dataclass(frozen=True, slots=True)
class Table:
    """Cases in which one term decides: proved at each of its exponents, and nothing is left out.

    Attributes:
        along: The letter whose thresholds part the cases.
        exponents: Conditions on the exponents, as far as signs tell this table from others.
        draws: Exponents at which it was proved.
        cases: The rows: by conditions on the other letters, then with the letter ascending.
    """

    along: str
    exponents: tuple[str, ...]
    draws: tuple[Exponents, ...]
    cases: tuple[Case, ...]


def cases(order: Order, along: str, where: Sequence[str] = ()) -> tuple[Table, ...]:
    """Return the table of cases of a rate, or one for each kind of exponents that was met.

    Thresholds and conditions are written with symbolic exponents. At exponents that are drawn the
    table is proved: each case as a claim; nothing is left out. Where it fails another one is made.

    Args:
        order: A rate, or a balance.
        along: The letter whose thresholds part the cases.
        where: Conditions, as those of a claim.

    Raises:
        ContradictionError: No sizes meet the conditions.
        DomainError: A letter is not a size of the rate, a condition has an or, or there are too
            many cases.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(NP: n^(-1/(2*b+1)), P: (n*eps)^(-1/(b+1)))",
        ...               sizes=["n", "eps"], exponents=["b"])
        >>> (table,) = cases(order, "eps", ("n >= 2",))
        >>> [(case.label, str(case.low), str(case.high)) for case in table.cases]
        [('P', 'None', 'n^(-b/(2*b+1))'), ('NP', 'n^(-b/(2*b+1))', 'None')]
    """
    if along not in order.sizes:
        raise DomainError(f"{along} is no size of the rate.", "along", along)
    conditions, *others = together((*read_conditions(order, where), *ranges_of(order)))
    if others:
        rule = "A table of cases takes no or: write one for each of its sides."
        raise DomainError(rule, "where", Words(f"{conditions.name} or {others[0].name}"))
    # A few draws meet most orders of the terms; each table is proved at its own.
    kinds: list[tuple[tuple[Chamber, ...], list[_Met]]] = []
    for given in drawn(order.whole(), _DRAWS):
        met = _Met.at(order, conditions, given)
        right = next((kind for kind in kinds if met.right(along, kind[0])), None)
        if right is not None:
            right[1].append(met)
        elif len(kinds) == MAX_TABLES:
            rule = f"There are more than {MAX_TABLES} tables: fix exponents or add conditions."
            raise DomainError(rule, "cases", len(kinds) + 1)
        else:
            kinds.append((proofs.chambers(met.form, along, met.held), [met]))
    for kind in list(kinds):  # one made later may be right at these exponents too
        for other in kinds:
            if other is not kind and all(met.right(along, other[0]) for met in kind[1]):
                other[1].extend(kind[1])
                kinds.remove(kind)
                break
    every = [chamber for chambers, _ in kinds for chamber in chambers]
    return tuple(
        _Writer(order, along, here).table(
            chambers, every, [met for _, there in kinds if there is not here for met in there]
        )
        for chambers, here in kinds
    )


@dataclass(frozen=True, slots=True)
class _Met:
    """Exponents that were met, with the rate and the conditions at these."""

    values: tuple[Fraction, ...]
    form: pieces.Form
    held: tuple[Leaf, ...]

    @classmethod
    def at(cls, order: Order, conditions: Choice, given: Mapping[str, Any]) -> _Met:
        values = exponents_at(order.known.ranges, given)
        return cls(values, order.at(given), conditions.at(order, given))

    def right(self, along: str, chambers: Sequence[Chamber]) -> bool:
        """Whether chambers of other exponents are right at these."""
        try:
            return all(
                proofs.piece_holds(self.form, along, self.held, chamber.walls, piece) is not False
                for chamber in chambers
                for piece in chamber.pieces
            )
        except ZeroDivisionError:  # two terms are parallel at these
            return False


class _Writer:
    """Writes chambers with symbolic exponents."""

    def __init__(self, order: Order, along: str, met: Sequence[_Met]) -> None:
        self.order, self.along, self.met = order, along, met
        self.leaves = order.leaves

    def table(
        self, chambers: Sequence[Chamber], every: Sequence[Chamber], others: Sequence[_Met]
    ) -> Table:
        """Write a table, given the chambers of all tables and the exponents of the other ones."""
        rows = [
            self.case(chamber, piece)
            for chamber in chambers
            for piece in chamber.pieces
            if any(
                proofs.piece_holds(met.form, self.along, met.held, chamber.walls, piece) is not None
                for met in self.met
            )
        ]
        told = self.told(every, others) if others else ()
        at = (dict(zip(self.order.exponents, met.values, strict=True)) for met in self.met)
        return Table(self.along, told, tuple(at), tuple(rows))

    def case(self, chamber: Chamber, piece: Piece) -> Case:
        """Write a row."""
        low, high = (
            None if end is None else self.written(proofs.end_line(self.leaves, end, self.along))
            for end in (piece.low, piece.high)
        )
        leaf = self.leaves[piece.leaf]
        walls = (proofs.wall_line(self.leaves, wall, self.along) for wall in chamber.walls)
        return Case(tuple(map(self.condition, walls)), low, high, leaf.label, self.written(leaf))

    def written(self, leaf: Leaf) -> Order:
        """Return a product as an order, its letters as they were declared."""
        # Written in the order of declaration, equal thresholds look equal.
        ordered = sorted(leaf.powers, key=lambda pair: self.order.sizes.index(pair[0]))
        return single(replace(leaf, powers=tuple(ordered)), self.order.explicit_letters)

    def condition(self, line: Leaf) -> str:
        """Write that a product is at most 1, solved for the letter that makes it shortest."""
        texts = [f"{self.written(line)} <= 1"]
        for letter, power in line.powers:
            # Of a power without one sign it is not known which way the relation turns.
            if side := self.side(power):
                mark = "<=" if side > 0 else ">="
                end = line.without(letter).each((-1 / power).__mul__)
                texts.append(f"{letter} {mark} {self.written(end)}")
        return min(texts[1:] or texts, key=len)

    def side(self, power: powers.Power) -> int:
        """Return the sign of a power, 0 if it is not one and the same at all exponents met."""
        signs = {_sign(power, met.values) for met in self.met}
        return signs.pop() if len(signs) == 1 else 0

    def told(self, chambers: Sequence[Chamber], others: Sequence[_Met]) -> tuple[str, ...]:
        """Return the signs that tell these exponents from those of other tables."""
        out: dict[str, None] = {}
        for poly in self.unknown(chambers):
            side = self.side(poly)
            if side and any(_sign(poly, met.values) != side for met in others):
                out[_inequality(poly, side)] = None
        return tuple(out)

    def unknown(self, chambers: Sequence[Chamber]) -> Iterable[powers.Power]:
        """Yield the factors without a known sign in powers of thresholds and walls."""
        seen = set()
        lines = [proofs.wall_line(self.leaves, w, self.along) for c in chambers for w in c.walls]
        found = [power for line in lines for _, power in line.powers]
        steep = [leaf.power_of(self.along) for leaf in self.leaves]
        found += [one - other for one, other in itertools.combinations(steep, 2)]
        for power in found:
            if not power or powers.sign(power, self.order.known.ranges) is not None:
                continue
            for poly, _ in power.numer.factor_list()[1]:
                factor = power.field(poly)
                unsigned = powers.sign(factor, self.order.known.ranges) is None
                # A factor and its negative tell the same tables apart.
                if unsigned and factor not in seen and -factor not in seen:
                    seen.add(factor)
                    yield factor


def _sign(power: powers.Power, values: tuple[Any, ...]) -> int:
    value = powers.exact(power, values)
    return (value > 0) - (value < 0)


def _inequality(power: powers.Power, side: int) -> str:
    """Write that a polynomial is above or below 0: terms with a minus go to the other side.

    >>> g = powers.field_of(("gamma", "beta")).gens[0]
    >>> _inequality(g - 1, -1)
    'gamma < 1'
    """
    # A difference reads worse than two sides.
    above, below = power.field(0), power.field(0)
    for degrees, number in power.numer.terms():
        term = power.field(power.numer.ring.term_new(degrees, number))
        if number > 0:
            above += term
        else:
            below -= term
    return f"{write.power_text(above)} {'>' if side > 0 else '<'} {write.power_text(below)}"


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
