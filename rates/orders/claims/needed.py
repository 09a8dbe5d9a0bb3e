"""Which conditions carry a claim: those that can go, and all smallest sets that suffice.

A claim that holds under some conditions holds under more of them. So the sets that suffice lie
above the smallest of them, and each decision settles many: largest sets first, a set that
suffices is made smaller, starting from the conditions that its proof uses, until none can go; a
set that does not, although every larger one does, rules out all of its subsets.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rates import proofs
from rates.numbers import DomainError
from rates.orders.claims.claim import Claim
from rates.orders.claims.deciding import Decision, Exponents, decide, decide_symbolic
from rates.orders.language import exponents_at

MAX_CONDITIONS = 12
MOST_WAYS = 6  # that are written out
_Set = frozenset[int]


@dataclass(frozen=True, slots=True)
class Needs:
    """What a claim that holds needs of its conditions, each as it was typed.

    Attributes:
        where: The conditions.
        droppable: Those that can go, each alone.
        minimal: All smallest sets under which the claim still holds.
        counterexamples: Of each other condition sizes at which the claim fails without it, None
            where no such fractions were found.
    """

    where: tuple[str, ...]
    droppable: tuple[str, ...]
    minimal: tuple[tuple[str, ...], ...]
    counterexamples: Mapping[str, dict[str, Fraction] | None]

    @property
    def least(self) -> int:
        """How many conditions the smallest set has."""
        return len(self.minimal[0])

    def said(self, show: Callable[[str], str] = str) -> str:
        """Say how many conditions it needs, each written by ``show``, and in which ways."""
        every = len(self.where)
        if every == 1:
            return f"{'needs' if self.least else 'does not need'} its condition"
        if self.least in (0, every):
            return f"needs {'each' if self.least else 'none'} of its {every} conditions"
        always = [text for text in self.where if all(text in one for one in self.minimal)]
        ways = [[text for text in one if text not in always] for one in self.minimal]
        parts = [", ".join(map(show, always))] if always else []
        if len(ways) > 1:
            parts.append("; or ".join(", ".join(map(show, way)) for way in ways[:MOST_WAYS]))
        more = f"; or in {len(ways) - MOST_WAYS} more ways" if len(ways) > MOST_WAYS else ""
        return f"needs {self.least} of its {every} conditions: {', and '.join(parts)}{more}"


def needs(claim: Claim, exponents: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> Needs:
    """Say which conditions carry a claim that holds.

    Args:
        claim: The claim; a condition that is typed twice counts once.
        exponents: A number for every exponent; or several such, and the claim is all of them.

    Raises:
        ContradictionError: No sizes meet the conditions.
        DomainError: The claim does not hold, or has more than 12 conditions.

    Examples:
        >>> from rates.orders import Claim, parse
        >>> order = parse("max(1/n, (n*eps)^(-2))", sizes=["n", "eps"])
        >>> found = needs(Claim(order, "1/n", ("n >= 2", "n*eps^2 >= 1", "eps >= 1")), {})
        >>> found.droppable
        ('n >= 2', 'n*eps^2 >= 1', 'eps >= 1')
        >>> found.minimal
        (('n*eps^2 >= 1',), ('n >= 2', 'eps >= 1'))
        >>> found.said()
        'needs 1 of its 3 conditions: n*eps^2 >= 1; or n >= 2, eps >= 1'
    """
    # A condition that is typed twice could never be dropped.
    texts = tuple(dict.fromkeys(claim.where))
    if len(texts) > MAX_CONDITIONS:
        rule = f"What a claim needs is looked for among at most {MAX_CONDITIONS} conditions."
        raise DomainError(rule, "where", len(texts))
    ranges, names = claim.order.known.ranges, claim.order.exponents
    given = [
        dict(zip(names, exponents_at(ranges, at), strict=True))
        for at in ([exponents] if isinstance(exponents, Mapping) else exponents)
    ]
    failing: dict[_Set, Exponents] = {}

    def suffices(kept: _Set) -> _Set | None:
        part = replace(claim, where=tuple(texts[k] for k in sorted(kept)))
        carry: set[str] = set()
        for at in given:
            if (used := _carrying(part, at)) is None:
                failing[kept] = at
                given.sort(key=lambda other: other is not at)  # it may fail the next time too
                return None
            carry |= used
        return frozenset(k for k in kept if texts[k] in carry)

    whole = frozenset(range(len(texts)))
    if all(_decided(claim, at) is None for at in given):
        decide(claim, given[0])  # which says what contradicts
    if suffices(whole) is None:
        rule = "Only a claim that holds has conditions that carry it."
        raise DomainError(rule, "claim", str(claim.other))
    found = smallest(len(texts), suffices)
    held = frozenset.intersection(*found)
    without = {texts[k]: failing[whole - {k}] for k in sorted(held)}
    sizes = {text: decide(_without(claim, text), at) for text, at in without.items()}
    return Needs(
        where=texts,
        droppable=tuple(text for text in texts if text not in without),
        minimal=tuple(tuple(texts[k] for k in sorted(one)) for one in found),
        counterexamples={text: one.counterexample for text, one in sizes.items()},
    )


def proved(claim: Claim, found: Needs) -> tuple[tuple[str, ...], ...]:
    """Return those smallest sets under which a claim is proved for all exponents; 12 are tried."""
    tried = found.minimal[:MAX_CONDITIONS]
    return tuple(one for one in tried if decide_symbolic(replace(claim, where=one)).shown)


def _without(claim: Claim, text: str) -> Claim:
    return replace(claim, where=tuple(one for one in claim.where if one != text))


def smallest(count: int, suffices: Callable[[_Set], _Set | None]) -> list[_Set]:
    """Return all smallest sets that suffice, of those below a count; the whole set does.

    Args:
        count: How many there are.
        suffices: Part of a set that suffices already, or None if the set does not; a larger set
            does if a smaller one does.

    Examples:
        >>> found = smallest(3, lambda kept: kept if kept & {0} or kept >= {1, 2} else None)
        >>> [sorted(one) for one in found]
        [[0], [1, 2]]
    """
    found: list[_Set] = []
    short: list[_Set] = []
    for size in range(count, -1, -1):
        for members in itertools.combinations(range(count), size):
            kept = frozenset(members)
            if any(kept >= one for one in found) or any(kept <= one for one in short):
                continue
            used = suffices(kept)
            if used is None:
                short.append(kept)
                continue
            # The proof names few conditions, so that few are left to try.
            for k in sorted(used):
                if k in used and not any(used - {k} <= one for one in short):
                    fewer = suffices(used - {k})
                    if fewer is None:
                        short.append(used - {k})
                    used = used if fewer is None else fewer
            found.append(used)
    return sorted(found, key=lambda one: (len(one), sorted(one)))


def _decided(claim: Claim, exponents: Exponents) -> Decision | None:
    """Decide a claim; None if no sizes meet its conditions.

    Raises:
        DomainError: It is not decided.
    """
    try:
        found = decide(claim, exponents, sizes=False)
    except proofs.ContradictionError:
        return None
    if found.holds is None:
        where = " and ".join(claim.where) or "none"
        rule = f"What it needs is not said: under {where} {found.why}."
        raise DomainError(rule, "where", len(claim.where))
    return found


def _carrying(claim: Claim, exponents: Exponents) -> set[str] | None:
    """Return conditions that a claim holds under already, by its proof; None if it does not."""
    found = _decided(claim, exponents)
    if found is not None and not found.holds:
        return None
    every = set(claim.where)
    # Neither a lemma nor what a border leaves out is called as a condition.
    if found is None or found.certificate is None or found.logs or claim.strict:
        return every
    lines = found.certificate["lines"]
    proved = (weights[2] for weights in proofs.weights_of(found.certificate))
    used = {lines[int(k)]["label"] for held in proved for k in held}
    return used if used <= every else every
