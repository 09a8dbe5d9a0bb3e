"""Claims decided for all sizes: at given exponents, over draws of them, and for all of them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from sympy.polys.matrices import DomainMatrix

from rates import pieces, proofs
from rates.numbers import DomainError
from rates.orders.claims.claim import Claim, Condition
from rates.orders.language import Range, exponents_at, powers, trees, write
from rates.orders.language.powers import NoOrderError, Power
from rates.orders.order import Order, losses_apart
from rates.pieces import Form, Leaf
from rates.proofs import Decision, exact

_LEARNED = 8  # exponents whose certificates say which lines add up
Exponents = dict[str, Fraction]


def decide(
    claim: Claim, exponents: Mapping[str, Any], *, logs: bool = True, sizes: bool = True
) -> Decision:
    """Decide a claim at given exponents, for all sizes at once, sums read as maxima.

    With logarithms or exponentials the sides need to be equal up to a constant only: it holds if
    powers and then logarithms are, and the constant is one that is enough, not the least.

    Args:
        claim: The rate, what it equals, and where.
        exponents: A number for every exponent.
        logs: Whether logarithms count. If not, each is read as 1, in conditions too.
        sizes: Whether to look for a counterexample.

    Raises:
        ContradictionError: No sizes meet the conditions; it names those that contradict.
        DomainError: A number is missing or out of its range, or there are too many terms.

    Examples:
        >>> from rates.orders import Claim, parse
        >>> order = parse("n^(-2*b/(2*b+1)) + (n*eps)^(-2*b/(b+1))",
        ...               sizes=["n", "eps"], exponents=["b"])
        >>> without = "n^(-2*b/(2*b+1))"
        >>> decide(Claim(order, without, ("n*eps^(2+1/b) >= 1",)), {"b": "1/2"}).holds
        True
        >>> found = decide(Claim(order, without, ("n*eps^2 >= 1",)), {"b": "1/2"})
        >>> found.constant, {x: str(size) for x, size in found.counterexample.items()}
        (inf, {'n': '4', 'eps': '1/2'})
        >>> claim = Claim(parse("log(n)/n", sizes=["n"]), "1/n", ("n >= 2",))
        >>> decide(claim, {}).holds, decide(claim, {}, logs=False).holds
        (False, True)

    Source: Farkas' lemma; the linear programs are those of `rates.proofs`.
    """
    order, other = claim.order, claim.other
    first, second, choices = order.at(exponents), other.at(exponents), claim.choices
    called = claim.functions
    if called and not logs:
        first, second = first.without_logs(), second.without_logs()
        choices = tuple(choice.without_logs() for choice in choices)
    choices = _inside(claim.order, choices, exponents)
    lines = [choice.at(order, exponents) for choice in choices]
    # At these exponents every power of a logarithm may have vanished: then lines do.
    near = first.has_calls or second.has_calls or any(x.calls for where in lines for x in where)
    if near:
        if logs or "log" not in called:
            found = proofs.compare(first, second, lines)
        else:
            why = "beside an exponential no logarithm is left out: exp(log(n)) is n"
            found = Decision(None, math.nan, None, None, why=why)
    else:
        found = proofs.decide(first, second, *lines, sizes=sizes)
        if found.counterexample and (strict := choices[found.place].inside(order, exponents)):
            inside = _strictly(first, second, lines[found.place], strict)
            found = replace(found, counterexample=inside)
    return replace(
        found,
        sum_factor=losses_apart(order, other, exponents),
        choice="" if found.holds else choices[found.place].name,
        logs=(logs and near) if called else None,
    )


def _inside(order: Order, choices: Condition, exponents: Mapping[str, Any]) -> Condition:
    """Return the choices that leave more than a border where a condition is less than 1.

    Raises:
        ContradictionError: None does.
    """
    kept = tuple(
        choice
        for choice in choices
        if not choice.strict
        or proofs.has_inside(choice.at(order, exponents), choice.inside(order, exponents))
    )
    if not kept:
        names = dict.fromkeys(line.label for choice in choices for line in choice.lines)
        raise proofs.ContradictionError(tuple(names), ())
    return kept


def _strictly(
    first: Form, second: Form, lines: Sequence[Leaf], strict: Sequence[Leaf]
) -> dict[str, Fraction] | None:
    """Return sizes at which two forms differ and some conditions are met strictly, if found."""
    # Some room inside, little enough that most conditions still leave sizes.
    apart = Leaf("", (), ((Fraction(9, 8), Fraction(1)),))
    held = [line.times(apart) if line in strict else line for line in lines]
    try:
        return proofs.decide(first, second, held).counterexample
    except proofs.ContradictionError:  # there is less room
        return None


def drawn(order: Order, count: int, seed: int = 0) -> list[Exponents]:
    """Draw exponents from their ranges, in thousandths.

    An exponent lies evenly between two ends; with one end, its distance from it has its log
    evenly between 1/10 and 10; with none, it lies evenly between -10 and 10.
    """
    rng = random.Random(seed)
    return [{r.letter: _draw(r, rng) for r in order.known.ranges} for _ in range(count)]


def _draw(its: Range, rng: random.Random) -> Fraction:
    # Thousandths keep the numbers in certificates short.
    low, high = its.low, its.high
    if low is not None and high is not None:
        return low + Fraction(rng.randint(1, 999), 1000) * (high - low)
    if low is None and high is None:
        return Fraction(rng.randint(-9999, 9999), 1000)
    away = Fraction(round(1000 * math.exp(rng.uniform(math.log(0.1), math.log(10.0)))), 1000)
    return (high or Fraction(0)) - away if low is None else low + away


Support = tuple[frozenset[int], frozenset[int], frozenset[int]]


@dataclass(frozen=True, slots=True)
class Shown:
    """Whether a claim was proved for all exponents strictly inside their ranges.

    Attributes:
        shown: Whether it was. If not, it may still hold.
        why: Why not, empty if it was.
        fails: Exponents at which it does not hold, None if none were met.
        certificate: As of a decision, powers and weights as texts in the exponents; None unless
            shown. In numbers at any exponents inside, it is one that `proofs.check` accepts.
    """

    shown: bool
    why: str
    fails: Exponents | None
    certificate: dict[str, Any] | None


def decide_symbolic(claim: Claim) -> Shown:
    """Try to prove a claim for all exponents in their ranges, and all sizes.

    Certificates at drawn exponents say which lines add up; their weights are found again as
    rational functions of the exponents, and a proof may use those that are nowhere negative.

    Args:
        claim: The rate, what it equals, and where.

    Raises:
        DomainError: There are too many terms, or the rate sums over sites.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(n^(-1/(2*b+1)), (n*eps)^(-1/(b+1)))",
        ...               sizes=["n", "eps"], exponents=["b"])
        >>> claim = Claim(order, "n^(-1/(2*b+1))", ("eps >= n^(-b/(2*b+1))",))
        >>> decide_symbolic(claim).shown
        True
        >>> decide_symbolic(Claim(order, "n^(-1/(2*b+1))", ("eps >= n^(-1/3)",))).shown
        False
    """
    if claim.functions:
        why = "Claims with logarithms or exponentials are decided at given exponents only."
        return Shown(False, why, None, None)
    if claim.order.factored or claim.other.factored:
        return Shown(False, trees.OUT, None, None)
    problem = _Symbolic(claim)
    # At most draws the same lines add up: a few supports are all.
    supports: dict[Support, None] = {}
    met = 0
    for exponents in drawn(claim.order, _LEARNED):
        try:
            found = problem.at(exponents)
        except proofs.ContradictionError:
            continue
        if not found.holds:
            return Shown(False, "It does not hold at all exponents.", exponents, None)
        met += 1
        assert found.certificate is not None
        supports.update(dict.fromkeys(_supports(found.certificate)))
    if not met:
        return Shown(False, "No sizes meet the conditions at the exponents drawn.", None, None)
    # Weights from any draw may close any case.
    known = [w for support in supports if (w := problem.weights(support)) is not None]
    parts = [part for where in problem.choices if (part := problem.prove(where, known))]
    if len(parts) < len(problem.choices):
        why = "It holds at all exponents drawn; the signs of the weights are not all known."
        return Shown(False, why, None, None)
    forms = (problem.first, problem.second)
    return Shown(True, "", None, proofs.as_data(problem.lines, forms, parts, write.power_text))


class _Symbolic:
    """A claim's lines in symbols, with one number for equal ones."""

    def __init__(self, claim: Claim) -> None:
        self.claim, self.ranges = claim, claim.order.known.ranges
        self.letters = claim.order.sizes
        self.zero = claim.order.known.one - claim.order.known.one
        self.lines: list[Leaf] = []
        self._numbers: dict[Any, int] = {}
        self.first, self.second = (
            pieces.mapped(order.maxima, [self._number(x) for x in order.leaves].__getitem__)
            for order in (claim.order, claim.other)
        )
        self.choices = [
            list(dict.fromkeys(map(self._number, choice.lines))) for choice in claim.choices
        ]
        self.basis = exact.bases((base, Fraction(1)) for x in self.lines for base, _ in x.factors)

    def _number(self, leaf: Leaf) -> int:
        key = (frozenset(leaf.powers), frozenset(leaf.factors))
        if key not in self._numbers:
            self._numbers[key] = len(self.lines)
            self.lines.append(leaf)
        return self._numbers[key]

    def at(self, exponents: Exponents) -> Decision:
        """Decide at given exponents; labels are the lines' numbers."""
        values = exponents_at(self.ranges, exponents)
        lines = tuple(powers.leaf_at(leaf, values, str(k)) for k, leaf in enumerate(self.lines))
        first, second = (
            pieces.Form(self.letters, lines, tree) for tree in (self.first, self.second)
        )
        choices = [[lines[k] for k in where] for where in self.choices]
        return proofs.decide(first, second, *choices, sizes=False)

    def weights(self, support: Support) -> proofs.Known | None:
        """Return the weights of some lines that add up, if none can be negative.

        Of conditions alone those of a contradiction.
        """
        used = [(side, number) for side in range(3) for number in sorted(support[side])]
        signs, one = (1, -1, -1), self.claim.order.known.one
        rows = [
            [signs[side] * (self.lines[k].power_of(letter) or self.zero) for side, k in used]
            + [self.zero]
            for letter in self.letters
        ]
        alone = not support[0]
        for wanted in (2,) if alone else (0, 1):
            rows.append([one if side == wanted else self.zero for side, _ in used] + [one])
        field = one.field.to_domain()
        table, pivots = DomainMatrix(rows, (len(rows), len(used) + 1), field).rref()
        if pivots != tuple(range(len(used))):  # not exactly one solution
            return None
        # Weights that are not unique at symbolic exponents would need a choice of signs.
        found = [row[-1] for row in table.to_list()[: len(used)]]
        try:
            if any(self.sign(powers.short(y)) not in (0, 1) for y in found):
                return None
            added = Leaf()
            for (side, k), y in zip(used, found, strict=True):
                added = added.times(self.lines[k].each((signs[side] * y).__mul__), powers.plus)
            left = exact.written(added.factors, self.basis)
        except NoOrderError:
            return None
        known = {self.sign(power) if power else 0 for power in left}
        if not known <= {0, -1} or (alone and -1 not in known):
            return None
        texts: list[dict[str, str]] = [{}, {}, {}]
        for (side, k), y in zip(used, found, strict=True):
            if y:
                texts[side][str(k)] = write.power_text(y)
        above, below = (frozenset(map(int, side)) for side in texts[:2])
        return above, below, {"weights": texts}

    def sign(self, power: Power) -> int | None:
        """Return the sign of a power inside the ranges, None if it cannot be shown."""
        return powers.sign(power, self.ranges)

    def prove(self, where: Sequence[int], known: Sequence[proofs.Known]) -> proofs.Data | None:
        """Return weights in every case under some conditions, None if some case has none."""
        given = [one for one in known if {int(k) for k in one[2]["weights"][2]} <= set(where)]
        for lines, _, proof in given:
            if not lines:  # a contradiction
                return {"where": list(where), "empty": proof["weights"][2]}
        below = self.cases(self.first, self.second, given)
        above = self.cases(self.second, self.first, given)
        if below is None or above is None:
            return None
        return {"where": list(where), "below": below, "above": above}

    def cases(self, above: Any, below: Any, known: Sequence[proofs.Known]) -> proofs.Data | None:
        """Return weights in every case of one tree above another, None if some case has none."""
        search = proofs.Search(proofs.Work(f"{len(self.lines)} terms and conditions"), known)
        try:
            found = search.explore(proofs.start(above, below))
        except DomainError:  # more cases than are worked with
            return None
        return None if search.over else found


def _supports(data: Mapping[str, Any]) -> Iterator[Support]:
    """Yield the numbers of the lines that add up in each case of a certificate."""
    numbers = [int(line["label"]) for line in data["lines"]]
    for weights in proofs.weights_of(dict(data)):
        above, below, where = (frozenset(numbers[int(k)] for k in w) for w in weights)
        yield above, below, where
