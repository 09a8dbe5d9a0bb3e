"""Mutants of a formal claim: what its check would say had the claim been another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from rates.formal.claim import TOLERANCE, Claim, Relation
from rates.formal.terms import Array, Term, parts, put, size, term, value

DRAWS, ROOTS = 20_000, 3000  # fewer where an equation is solved at each
_FEW = 1000
_TENTH = Fraction(1, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many of a claim's mutants its check tells apart.

    Attributes:
        told: Mutants at which a draw fails.
        changed: Mutants that change the statement.
        alike: What was changed in the others, each with the reason why it is true as well.
        missed: What was changed in the mutants that are not told apart although they might be.
    """

    told: int
    changed: int
    alike: tuple[str, ...]
    missed: tuple[str, ...]


def mutants(claim: Claim) -> Iterator[tuple[str, Claim]]:
    """Yield mutants, each with what was changed: signs, exponents, constants, conditions."""
    for k, said in enumerate(claim.says):
        for side in ("left", "right"):
            own: Term = getattr(said, side)
            for words, other in _changed(own):
                left = side == "left"
                changed = replace(said, left=other) if left else replace(said, right=other)
                says = (*claim.says[:k], changed, *claim.says[k + 1 :])
                yield f"{side} side {k + 1}: {words}", replace(claim, says=says)
    for k, one in enumerate(claim.conditions):
        rest = (*claim.conditions[:k], *claim.conditions[k + 1 :])
        yield f"without {one.latex}", replace(claim, conditions=rest)


def _changed(own: Term) -> Iterator[tuple[str, Term]]:
    if own.args or not own.is_number:
        yield "times 2", 2 * own
    for path, part in parts(own):
        if part.is_number and part != term(0):
            yield f"{part.of} doubled", put(own, path, term(2 * Fraction(part.of)))
        if part.of == "+":
            for j, one in enumerate(part.args):
                other = one.args[0] if one.of == "-" and one.args else -one
                yield f"sign of {one}", put(own, (*path, j), other)
        if part.of == "^":
            base, power = part.args
            for tenth in (_TENTH, -_TENTH):
                moved = base ** (power + term(tenth))
                yield f"exponent {power} {'+' if tenth > 0 else '-'} 0.1", put(own, path, moved)
            yield f"exponent {power} negated", put(own, path, base**-power)


def tally(claim: Claim, generator: np.random.Generator) -> Tally:
    """Try every mutant of a claim that holds on draws inside the claim's conditions."""
    solved = any(one.solves for one in claim.where)
    at = claim.draw(generator, ROOTS if solved else DRAWS)
    inside = claim.inside(at)
    kept = {name: x[inside] for name, x in at.items()}
    told = changed = 0
    alike: list[str] = []
    missed: list[str] = []
    for words, mutant in mutants(claim):
        where = at if len(mutant.conditions) < len(claim.conditions) else kept
        # Most fail at once; the others are tried on all draws.
        few = {name: x[:_FEW] for name, x in where.items()}
        if mutant.fails(few).any() or mutant.fails(where).any():
            told += 1
            changed += 1
        elif words.startswith("without"):
            alike.append(f"{words}: true without it as well, as far as draws show")
        elif reason := _same(claim, mutant, kept):
            alike.append(f"{words}: {reason}")
        else:
            changed += 1
            missed.append(words)
    return Tally(told=told, changed=changed, alike=tuple(alike), missed=tuple(missed))


def _same(claim: Claim, mutant: Claim, at: Mapping[str, Array]) -> str:
    """Return why a mutant is true where the claim is; empty where it need not be."""
    reasons = set()
    for old, new in zip(claim.says, mutant.says, strict=True):
        if old == new:
            continue
        with np.errstate(all="ignore"):
            left = size(value(new.left, at), value(old.left, at))
            right = size(value(new.right, at), value(old.right, at))
        reasons.add(_reason(old, left, right))
    return reasons.pop() if len(reasons) == 1 else ""


def _reason(old: Relation, left: Array, right: Array) -> str:
    if not np.any(np.abs(left) > TOLERANCE) and not np.any(np.abs(right) > TOLERANCE):
        return "the same number"
    room = right - left if old.sign[0] == "<" else left - right
    return "weaker, so true as well" if old.sign != "=" and np.all(room >= -TOLERANCE) else ""
