"""Which side of γ* a derivation is on, written with letters of known sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rates.statements.symbolic.letters import letters, log_letters, power_k, slack
from rates.statements.symbolic.record import Proof

Expr = Any  # a sympy expression; sympy has no types of its own


def by_exponent(p: Proof, *, below: bool) -> Callable[[Expr], Expr]:
    """Write γ ≤ γ* or γ > γ*, and n ≤ n0, with a letter s for log NPs against log NPt.

    Adds the step that says so, and returns a function that puts the letters in: log n becomes
    log n0 - u with u ≥ 0, and log mn what it has to be.
    """
    s, ln, u = letters(), log_letters(), slack("u")
    gap = slack("s") if below else slack("s", strict=True)
    total = power_k() * (ln.n0 / (2 * s.beta + s.d) + (gap if below else -gap))

    def at(value: Expr) -> Expr:
        return value.subs(ln.m, total - ln.n).subs(ln.n, ln.n0 - u)

    if below:
        words = "Write n ≤ n0 as log n = log n0 - u with u ≥ 0, and γ ≤ γ* with an s ≥ 0:"
        p.gap(words, "NPt", "NPs", gap, at=at)
    else:
        words = "Write n ≤ n0 as log n = log n0 - u with u ≥ 0, and γ > γ* with an s > 0:"
        p.gap(words, "NPs", "NPt", gap, at=at)
    return at
