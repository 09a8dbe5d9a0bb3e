"""Gaussian noise with a multiplier sqrt(c log(2/δ))/ε fails for large ε: shared by the papers."""

from __future__ import annotations

import sympy

from rates.statements.symbolic.letters import letters as s
from rates.statements.symbolic.record import Proof


def gaussian_failure(p: Proof, constant: int, of: str = "2/δ") -> str:
    """Show that the δ that such noise needs tends to 1; the constant is 4 in [CCV], else 2."""
    v = sympy.Symbol("v", positive=True)  # sqrt(constant log(of)), so σ/Δ = v/ε
    t = s.eps / v
    a, w = t / 2 - s.eps / t, t / 2 + s.eps / t
    p.equal(
        f"The multiplier is σ/Δ = v/ε with v² = {constant} log({of}). The exact δ is "
        "Φ(a) - e^ε Φ(-w) (Balle and Wang, 2018), with",
        "a",
        a,
        s.eps / (2 * v) - v,
    )
    p.equal("and", "w", w, s.eps / (2 * v) + v)
    p.equal("These are linked by", r"\frac{w^2 - a^2}{2}", (w**2 - a**2) / 2, s.eps)
    x = sympy.Symbol("x", positive=True)
    density = sympy.exp(-(x**2) / 2) / sympy.sqrt(2 * sympy.pi)
    p.check(
        "so e^ε times the normal density at w is the density at a.",
        r"e^{\varepsilon} \varphi(w) = \varphi(a)",
        sympy.expand_log(
            sympy.log(sympy.exp(s.eps) * density.subs(x, w) / density.subs(x, a)), force=True
        ),
    )
    p.check(
        "Φ(-w) is at most φ(w)/w, so the second part is at most φ(a)/w, which tends to 0 as ε "
        "grows, while Φ(a) tends to 1.",
        r"\lim_{\varepsilon \to \infty} a = \lim_{\varepsilon \to \infty} w = \infty",
        1 / sympy.limit(a, s.eps, sympy.oo),
        1 / sympy.limit(w, s.eps, sympy.oo),
    )
    return r"\delta_{\text{exact}} \to 1 \text{ as } \varepsilon \to \infty"
