"""Which side of γ* a derivation is on, written with letters of known sign."""

from __future__ import annotations

from collections.abc import Callable

from rates.statements.symbolic.letters import Expr, power_k, slack
from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.letters import log_letters as ln
from rates.statements.symbolic.record import Proof


def by_exponent(p: Proof, *, below: bool) -> Callable[[Expr], Expr]:
    """Write γ ≤ γ* or γ > γ*, and n ≤ n0, with a letter s for log NPs against log NPt.

    Adds the step that says so, and returns a function that puts the letters in: log n becomes
    log n0 - u with u ≥ 0, and log mn what it has to be.
    """
    u = slack("u")
    gap = slack("s", strict=not below)
    total = power_k() * (ln.n0 / (2 * s.beta + s.d) + (gap if below else -gap))

    def at(value: Expr) -> Expr:
        return value.subs(ln.m, total - ln.n).subs(ln.n, ln.n0 - u)

    side, ratio = (
        ("≤ γ* with an s ≥ 0", "NPt / NPs") if below else ("> γ* with an s > 0", "NPs / NPt")
    )
    words = f"Write n ≤ n0 as log n = log n0 - u with u ≥ 0, and γ {side}:"
    p.gap(words, ratio, gap, at=at)
    return at
