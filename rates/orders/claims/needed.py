"""Which conditions carry a claim: those that can go, and all smallest sets that suffice.

A claim that holds under some conditions holds under more of them. So the sets that suffice lie
above the smallest of them, and each decision settles many: largest sets first, a set that
suffices is made smaller, starting from the conditions that its proof uses, until none can go; a
set that does not, of which all larger ones do, rules out all that it holds.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from rates import proofs
from rates.numbers import DomainError
from rates.orders.claims.claim import Claim
from rates.orders.claims.deciding import Exponents, decide
from rates.orders.claims.for_all import decide_symbolic
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
        exponents: Where those sizes contradict it.
    """

    where: tuple[str, ...]
    droppable: tuple[str, ...]
    minimal: tuple[tuple[str, ...], ...]
    counterexamples: Mapping[str, dict[str, Fraction] | None]
    exponents: Mapping[str, Exponents]

    @property
    def least(self) -> int:
        """How many conditions the smallest set has."""
        return len(self.minimal[0])

    def said(self, noun: str = "condition", show: Callable[[str], str] = str) -> str:
        """Say how many conditions it needs, and in which ways they can be chosen.

        Args:
            noun: What conditions are called.
            show: How one is written.
        """
        every = len(self.where)
        nouns = f"{noun}s"
        if every == 1:
            return f"needs its {noun}" if self.least else f"does not need its {noun}"
        if self.least in (0, every):
            return f"needs {'each' if self.least else 'none'} of its {every} {nouns}"
        always = [text for text in self.where if all(text in one for one in self.minimal)]
        ways = [[text for text in one if text not in always] for one in self.minimal]
        parts = [", ".join(map(show, always))] if always else []
        if len(ways) > 1:
            parts.append("; or ".join(", ".join(map(show, way)) for way in ways[:MOST_WAYS]))
        more = f"; or in {len(ways) - MOST_WAYS} more ways" if len(ways) > MOST_WAYS else ""
        return f"needs {self.least} of its {every} {nouns}: {', and '.join(parts)}{more}"


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
    texts = tuple(dict.fromkeys(claim.where))
    if len(texts) > MAX_CONDITIONS:
        rule = f"What a claim needs is looked for among at most {MAX_CONDITIONS} conditions."
        raise DomainError(rule, "where", len(texts))
    given = [exponents] if isinstance(exponents, Mapping) else list(exponents)
    kind = _AskedWhole if claim.has_calls_of("log", "expm1") else _Asked
    asked = [kind(claim, texts, at) for at in given]
    failing: dict[_Set, _Asked | _AskedWhole] = {}

    def suffices(kept: _Set) -> _Set | None:
        used: _Set = frozenset()
        for one in asked:
            if (its := one.used(kept)) is None:
                failing[kept] = one
                asked.sort(key=lambda other: other is not one)  # it may fail the next time too
                return None
            used |= its
        return used

    whole = frozenset(range(len(texts)))
    if all([one.contradicts(whole) for one in asked]):
        decide(claim, asked[0].at)  # which says what contradicts
    if suffices(whole) is None:
        rule = "Only a claim that holds has conditions that carry it."
        raise DomainError(rule, "claim", str(claim.other))
    found = smallest(len(texts), suffices)
    held = frozenset.intersection(*found)
    without = {texts[k]: failing[whole - {k}].at for k in sorted(held)}
    sizes = {text: decide(_without(claim, text), at) for text, at in without.items()}
    return Needs(
        where=texts,
        droppable=tuple(text for text in texts if text not in without),
        minimal=tuple(tuple(texts[k] for k in sorted(one)) for one in found),
        counterexamples={text: one.counterexample for text, one in sizes.items()},
        exponents=without,
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
            for k in sorted(used):
                if k in used and not any(used - {k} <= one for one in short):
                    fewer = suffices(used - {k})
                    if fewer is None:
                        short.append(used - {k})
                    used = used if fewer is None else fewer
            found.append(used)
    return sorted(found, key=lambda one: (len(one), sorted(one)))


class _AskedWhole:
    """A claim with logarithms at some exponents, decided anew under each set of its conditions."""

    def __init__(self, claim: Claim, texts: Sequence[str], exponents: Mapping[str, Any]) -> None:
        self.claim, self.texts, self.exponents = claim, texts, exponents
        values = exponents_at(claim.order.known.ranges, exponents)
        self.at: Exponents = dict(zip(claim.order.exponents, values, strict=True))

    def decided(self, kept: _Set) -> bool | None:
        """Whether the claim holds under some conditions; None if no sizes meet these.

        Raises:
            DomainError: That is not decided.
        """
        where = tuple(self.texts[k] for k in sorted(kept))
        try:
            found = decide(replace(self.claim, where=where), self.exponents)
        except proofs.ContradictionError:
            return None
        if found.holds is None:
            rule = f"What it needs is not said: under {' and '.join(where) or 'none'} {found.why}."
            raise DomainError(rule, "where", len(where))
        return found.holds

    def contradicts(self, kept: _Set) -> bool:
        """Whether no sizes meet some conditions."""
        return self.decided(kept) is None

    def used(self, kept: _Set) -> _Set | None:
        """Return some conditions if the claim holds under them; None if it does not."""
        return None if self.decided(kept) is False else kept


class _Asked:
    """A claim at some exponents, decided under one set of its conditions after another."""

    def __init__(self, claim: Claim, texts: Sequence[str], exponents: Mapping[str, Any]) -> None:
        order = claim.order
        values = exponents_at(order.known.ranges, exponents)
        self.at: Exponents = dict(zip(order.exponents, values, strict=True))
        lines = [
            [
                (choice.at(order, exponents), choice.inside(order, exponents))
                for choice in claim.conditions[claim.where.index(text)]
            ]
            for text in texts
        ]
        ranges = (choice for condition in claim.always for choice in condition)
        always = [leaf for choice in ranges for leaf in choice.at(order, exponents)]
        every = [leaf for choices in lines for held, _ in choices for leaf in held]
        self.problem = proofs.Problem(
            order.at(exponents), claim.other.at(exponents), [*always, *every]
        )
        self.parts = [
            [(self.problem.assume(held), held, strict) for held, strict in choices]
            for choices in lines
        ]
        self.always = dict.fromkeys(self.problem.assume(always), -1)
        self.known: list[proofs.Known] = []
        self.borders = True  # whether strict conditions may leave nothing but one

    def ways(self, kept: _Set) -> Iterator[dict[int, int] | None]:
        """Assume each choice of some conditions; yield of which each line is, -1 of none.

        Where strict conditions leave nothing of a choice but a border, it is None.
        """
        for choices in itertools.product(*(self.parts[k] for k in sorted(kept))):
            strict = [leaf for _, _, less in choices for leaf in less if self.borders]
            held = [leaf for _, lines, _ in choices for leaf in lines]
            if strict and proofs.border(held, strict) is not None:
                yield None
                continue
            named = zip(sorted(kept), choices, strict=True)
            whose = {line: k for k, (lines, _, _) in named for line in lines} | self.always
            self.problem.where = tuple(whose)
            yield whose

    def contradicts(self, kept: _Set) -> bool:
        """Whether no sizes meet some conditions."""
        ways = self.ways(kept)
        empty = [way is None or self.problem.contradiction() is not None for way in ways]
        self.borders = any(empty) or len(empty) > 1  # else fewer conditions leave more than one
        return all(empty)

    def used(self, kept: _Set) -> _Set | None:
        """Return the conditions that proofs under some of them use; None without a proof."""
        used: set[int] = set()
        for whose in self.ways(kept):
            if whose is None:
                used |= kept
            elif (shown := self.problem.shown(self.known)) is None:
                return None
            else:
                used |= {whose[line] for line in shown}
        return frozenset(used - {-1})
